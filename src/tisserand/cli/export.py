"""``tisserand export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tisserand.cli.options import Debug, Json, Quiet
from tisserand.cli.screen import Screen

NAME = "export"


def command(
    record: Annotated[Path, typer.Argument(metavar="RECORD.h5", help="A reduced record.")],
    to: Annotated[
        str, typer.Option("--to", metavar="TARGET", help="Target; `tisserand formats` lists them.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File or folder. Default: beside the record.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse when the target cannot carry everything.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace existing files.")] = False,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Write a reduced appendage in the form another tool reads, saying first what that form cannot carry."""
    from tisserand.workflows.export import export_record

    screen = Screen(json=json, quiet=quiet)
    result = export_record(record, to, output=output, strict=strict, force=force)
    screen.result(result.as_dict())
    for loss in result.losses:
        screen.say(f"[yellow]not carried:[/yellow] {loss}")
    for path in result.paths:
        screen.say(f"Wrote [bold]{path}[/bold]")
