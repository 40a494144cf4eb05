"""``tisserand report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tisserand.cli.options import Debug, Json, Quiet
from tisserand.cli.screen import Screen

NAME = "report"


def command(
    source: Annotated[Path, typer.Argument(metavar="FILE.h5", help="A reduced record or a simulation run.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="REPORT.html", help="Default: beside the file.")
    ] = None,
    reference: Annotated[
        Path | None, typer.Option("--reference", help="Record to compare the modes with (MAC).")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """One self-contained HTML page: verdict, tables, charts and moving 3-D shapes. Opens from disk, needs no network."""
    from tisserand.workflows.report import write_report

    screen = Screen(json=json, quiet=quiet)
    with screen.working("Writing the report"):
        result = write_report(source, output=output, reference=reference)
    screen.result(result.as_dict())
    screen.say(f"Wrote [bold]{result.path}[/bold] ({result.bytes / 1e6:.1f} MB)")
