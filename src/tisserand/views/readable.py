"""Units that people read: degrees for radians, rpm for rotors, millimeters for small deflections."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray

#: Lengths that stay below this are shown in millimeters, m.
SMALL_LENGTH = 0.1
_TURNS = {"rad": ("deg", 180.0 / np.pi), "rad/s": ("deg/s", 180.0 / np.pi), "rad/s²": ("deg/s²", 180.0 / np.pi)}


def readable(values: FloatArray, unit: str, *, rotor: bool = False) -> tuple[FloatArray, str]:
    """Values and their unit as they are drawn; ``rotor``: an angular rate in revolutions per minute."""
    values = np.asarray(values, float)
    if rotor and unit == "rad/s":
        return values * (30.0 / np.pi), "rpm"
    if unit == "m" and 0.0 < float(np.abs(values).max(initial=0.0)) < SMALL_LENGTH:
        return values * 1e3, "mm"
    drawn, factor = _TURNS.get(unit, (unit, 1.0))
    return values * factor, drawn


def modal_axis(unit: str) -> str:
    """Label of an axis of modal coordinates."""
    return f"modal coordinate ({unit.replace('kg^0.5', 'kg½')})"
