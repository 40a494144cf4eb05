"""Straight boom of beams with an offset tip body: a magnetometer boom, clamped at its root, SI."""

from __future__ import annotations

import numpy as np
from bdf_text import card, deck

LENGTH, ELEMENTS = 6.0, 24
OUTER, WALL = 0.04, 0.0015
YOUNG, POISSON, DENSITY = 70e9, 0.33, 2700.0
TIP_MASS, TIP_OFFSET, TIP_INERTIA = 2.5, (0.08, 0.0, 0.05), (0.02, 0.03, 0.025)


def mass() -> float:
    """Closed form: tube plus tip body, kg."""
    return DENSITY * np.pi * (OUTER**2 - (OUTER - WALL) ** 2) * LENGTH + TIP_MASS


def text() -> str:
    bulk = [card("MAT1", 1, YOUNG, None, POISSON, DENSITY)]
    bulk.append(f"PBARL,1,1,,TUBE\n+,{OUTER},{OUTER - WALL}")
    for i in range(ELEMENTS + 1):
        bulk.append(card("GRID", i + 1, None, LENGTH * i / ELEMENTS, 0.0, 0.0))
    bulk += [card("CBAR", i + 1, 1, i + 1, i + 2, 0.0, 0.0, 1.0) for i in range(ELEMENTS)]
    tip = ELEMENTS + 1
    bulk.append(
        card(
            "CONM2",
            100,
            tip,
            0,
            TIP_MASS,
            *TIP_OFFSET,
            None,
            TIP_INERTIA[0],
            0.0,
            TIP_INERTIA[1],
            0.0,
            0.0,
            TIP_INERTIA[2],
        )
    )
    bulk.append("SPC1,1,123456,1")
    return deck("Magnetometer boom, SI units", bulk)
