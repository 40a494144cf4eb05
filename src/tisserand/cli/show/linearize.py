"""``tisserand linearize``."""

from __future__ import annotations

import math

from tisserand.cli.screen import Screen
from tisserand.studies.linear import LinearResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: LinearResult) -> None:
    poles = [p for p in result.model.poles if p.imag >= 0.0]
    rows = [[f"{p.real:.6g}", f"{p.imag:.6g}", abs(p) / (2.0 * math.pi)] for p in poles]
    screen.table("Poles", ["real 1/s", "imaginary rad/s", "Hz"], rows)
    screen.say(
        f"Inputs: {shown(', '.join(result.model.inputs)) or 'none'}; outputs: {shown(', '.join(result.model.outputs)) or 'none'}"
    )
    screen.wrote(result.paths)
