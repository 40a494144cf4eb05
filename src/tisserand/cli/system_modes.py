"""``tisserand system-modes``."""

from __future__ import annotations

from typing import Annotated

import typer

from tisserand.cli.options import Debug, Json, Quiet, VehicleFile
from tisserand.cli.screen import Screen

NAME = "system-modes"


def command(
    vehicle: VehicleFile,
    closed_loop: Annotated[
        bool, typer.Option("--closed-loop", help="Include the linear controllers.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Vibration modes of the whole vehicle about its initial state."""
    from tisserand.workflows.linear import modes_of_file

    screen = Screen(json=json, quiet=quiet)
    with screen.working(f"Modes of {vehicle.name}"):
        modes = modes_of_file(vehicle, closed_loop=closed_loop)
    for doubt in modes.doubts:
        screen.warn(doubt)
    screen.result(
        {
            "frequencies_hz": modes.frequencies_hz,
            "damping_ratios": modes.damping_ratios,
            "rigid": modes.rigid,
            "warnings": list(modes.doubts),
        }
    )
    rows = [
        [i + 1, float(f), float(z)]
        for i, (f, z) in enumerate(zip(modes.frequencies_hz, modes.damping_ratios))
    ]
    screen.table(
        "System modes", ["#", "Hz", "damping ratio"], rows, caption=f"{modes.rigid} rigid motions left out"
    )
