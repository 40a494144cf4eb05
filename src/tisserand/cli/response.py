"""``tisserand response``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tisserand.cli.options import Debug, Json, Quiet, VehicleFile
from tisserand.cli.screen import Screen

NAME = "response"


def command(
    vehicle: VehicleFile,
    low: Annotated[float, typer.Option("--from", metavar="HZ", help="Lowest frequency.")] = 0.01,
    high: Annotated[float, typer.Option("--to", metavar="HZ", help="Highest frequency.")] = 10.0,
    points: Annotated[int, typer.Option("--points", help="Number of frequencies, logarithmic.")] = 400,
    closed_loop: Annotated[bool, typer.Option("--closed-loop", help="Keep the linear controllers.")] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write CSV.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Write a Bode plot as PNG.")] = None,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Frequency response from every load to every sensor."""
    from tisserand.workflows.linear import response_of_file

    screen = Screen(json=json, quiet=quiet)
    with screen.working(f"Response of {vehicle.name}"):
        result = response_of_file(
            vehicle,
            low_hz=low,
            high_hz=high,
            points=points,
            open_loop=not closed_loop,
            output=output,
            plot=plot,
        )
    for doubt in result.warnings:
        screen.warn(doubt)
    screen.result(result.as_dict())
    screen.say(f"{len(result.hz)} frequencies, {len(result.inputs)} inputs, {len(result.outputs)} outputs")
    for path in result.paths:
        screen.say(f"Wrote [bold]{path}[/bold]")
