"""``tisserand diff``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tisserand.cli.options import Debug, Json, Quiet, Units
from tisserand.cli.screen import Screen

NAME = "diff"


def command(
    first: Annotated[Path, typer.Argument(metavar="A", help="Reference: a record, deck or case.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="The one to compare with it.")],
    units: Units = None,
    tolerances: Annotated[
        Path | None, typer.Option("--tolerances", "-t", help="TOML file of tolerances.")
    ] = None,
    picture: Annotated[Path | None, typer.Option("--picture", help="Write the MAC matrix as a PNG.")] = None,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Compare two appendages: modes paired by MAC, frequencies, effective masses, mass properties. Exit 1 on a breach."""
    from tisserand.workflows.diff import diff

    screen = Screen(json=json, quiet=quiet)
    with screen.working("Comparing"):
        result = diff(first, second, units=units, tolerances=tolerances, picture=picture)
    screen.result(result.as_dict())
    if screen.talks:
        screen.table("Modes", ["A", "Hz", "B", "Hz", "change", "MAC", "verdict"], result.rows())
        for breach in result.breaches:
            screen.say(f"[red]breach:[/red] {breach}")
        screen.say("[green]within tolerances[/green]" if result.passed else "[red]the models differ[/red]")
    if not result.passed:
        raise typer.Exit(1)
