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
        bool, typer.Option("--closed-loop", help="Include the linear controllers, which are left out otherwise.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Vibration modes of the whole vehicle about its initial state. Loads and control laws are left out (linear ones
    come in with --closed-loop, sampled ones never); modes above the last kept mode of an appendage are marked."""
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
            "last_kept_hz": modes.last_kept_hz,
            "beyond_kept_modes": modes.beyond_kept_modes,
            "warnings": list(modes.doubts),
        }
    )
    beyond = modes.beyond_kept_modes
    rows: list[list[object]] = [
        [i + 1, float(f), float(z)]
        for i, (f, z) in enumerate(zip(modes.frequencies_hz, modes.damping_ratios))
    ]
    columns, caption = ["#", "Hz", "damping ratio"], f"{modes.rigid} rigid motions left out"
    if beyond.any():
        columns.append("")
        rows = [[*row, "beyond the kept modes" if above else ""] for row, above in zip(rows, beyond)]
        caption += (
            f"; modes above {modes.last_kept_hz:.5g} Hz, the lowest last mode kept of an appendage, come from truncation"
        )
    screen.table("System modes", columns, rows, caption=caption)
