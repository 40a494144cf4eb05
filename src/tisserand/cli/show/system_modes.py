"""``tisserand system-modes``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.linear import SystemModesResult


def show(screen: Screen, result: SystemModesResult) -> None:
    modes = result.modes
    rows: list[list[object]] = [
        [i + 1, float(f), float(z), what]
        for i, (f, z, what) in enumerate(zip(modes.frequencies_hz, modes.damping_ratios, modes.described()))
    ]
    columns, caption = ["#", "Hz", "damping ratio", "kinetic energy"], f"{modes.rigid} rigid motions left out"
    beyond = modes.beyond_kept_modes
    if beyond.any():
        columns.append("")
        rows = [[*row, "beyond the kept modes" if above else ""] for row, above in zip(rows, beyond)]
        caption += f"; modes above {modes.last_kept_hz:.5g} Hz, the lowest last mode kept of an appendage, come from truncation"
    if len(modes.real_poles):
        caption += "; real poles (1/s): " + ", ".join(f"{p:.4g}" for p in modes.real_poles)
    screen.table("System modes", columns, rows, caption=caption)
    screen.wrote(result.paths)
