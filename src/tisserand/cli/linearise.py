"""``tisserand linearise``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tisserand.cli.options import Debug, Json, Quiet, VehicleFile
from tisserand.cli.screen import Screen

NAME = "linearise"


def command(
    vehicle: VehicleFile,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write A, B, C, D and more as .npz or .mat.")
    ] = None,
    open_loop: Annotated[
        bool, typer.Option("--open-loop", help="Leave the controllers out; their commands become inputs.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Linear model about the initial state: A, B, C, D with named inputs (loads) and outputs (sensors), poles."""
    from tisserand.workflows.linear import linearise_file

    screen = Screen(json=json, quiet=quiet)
    with screen.working(f"Linearising {vehicle.name}"):
        result = linearise_file(vehicle, output=output, open_loop=open_loop)
    for doubt in result.warnings:
        screen.warn(doubt)
    screen.result(result.as_dict())
    if screen.talks:
        rows = [
            [f"{p.real:.6g}", f"{p.imag:.6g}", abs(p) / 6.283185307179586]
            for p in result.model.poles
            if p.imag >= 0.0
        ]
        screen.table("Poles", ["real 1/s", "imaginary rad/s", "Hz"], rows)
        screen.say(
            f"Inputs: {', '.join(result.model.inputs) or 'none'}; outputs: {', '.join(result.model.outputs) or 'none'}"
        )
        for path in result.paths:
            screen.say(f"Wrote [bold]{path}[/bold]")
