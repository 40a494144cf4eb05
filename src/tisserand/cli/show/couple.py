"""``tisserand couple``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.delivery import CoupleResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: CoupleResult) -> None:
    system = result.system
    screen.say(
        f"[bold]{shown(system.name)}[/bold]  {len(result.parts)} parts, {len(system)} coordinates, "
        f"{system.mass_properties().mass:.6g} kg, {result.rigid} rigid modes"
    )
    rows = [
        [i + 1, float(f), *(f"{100.0 * value:.1f}" for value in shares)]
        for i, (f, shares) in enumerate(zip(result.frequencies_hz, result.shares.T))
        if i >= result.rigid
    ]
    heads = ["#", "Hz", *(f"{name} %" for name in result.parts)]
    screen.table("System modes", heads, rows, caption="share of every part in the strain energy")
    screen.wrote(result.paths)
