"""``tisserand simulate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tisserand.cli.options import Debug, Force, Json, Quiet, VehicleFile
from tisserand.cli.screen import Screen

NAME = "simulate"


def command(
    vehicle: VehicleFile,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="RUN.h5", help="Write the trajectory.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write the time histories too: .csv or .parquet (pyarrow).")
    ] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Write a plot as PNG too.")] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Fly a vehicle with flexible appendages and report its balance of momentum and energy."""
    from tisserand.workflows.simulate import simulate_file

    screen = Screen(json=json, quiet=quiet)
    with screen.working(f"Simulating {vehicle.name}"):
        result = simulate_file(vehicle, output=output, csv=csv, plot=plot, force=force)
    screen.result(result.as_dict())
    if screen.talks:
        for line in result.summary():
            screen.say(line)
    if not result.completed:
        raise typer.Exit(3)
