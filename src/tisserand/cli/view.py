"""``tisserand view``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tisserand.cli.options import Debug, Json, Model, Quiet, Units
from tisserand.cli.screen import Screen

NAME = "view"


def command(
    model: Model,
    units: Units = None,
    mode: Annotated[int, typer.Option("--mode", "-m", help="Mode to show first, or to save.")] = 1,
    count: Annotated[
        int | None, typer.Option("--count", "-n", help="Number of modes when a deck or case is given.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            help="Write a file instead of opening a window: .png (all modes), .gif, .mp4, .glb, .vtu, .html.",
        ),
    ] = None,
    color: Annotated[
        str, typer.Option("--color", help="Colour by displacement or by strain energy: displacement, energy.")
    ] = "displacement",
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Look at mode shapes: a window where there is a screen, files where there is none."""
    from tisserand.workflows.view import view

    screen = Screen(json=json, quiet=quiet)
    result = view(model, units=units, mode=mode, count=count, save=save, color=color)
    screen.result(result.as_dict())
    for path in result.paths:
        screen.say(f"Wrote [bold]{path}[/bold]")
    if result.note:
        screen.say(result.note)
