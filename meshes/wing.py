"""Solar-array wing, deployed and latched: yoke of two tubes, three sandwich panels, short hinge bars
between rigid edge rails, offset masses.

Every hinge line ends in a stiff rail, modeled as a rigid edge: unlike a few rigid points in a plate, a rigid edge
has a limit when the mesh is refined, so other codes can be compared with.

The wing runs along +y from its drive at the origin; panels lie in the x-y plane. SI units.
"""

from __future__ import annotations

import numpy as np
from bdf_text import card, deck

WIDTH, HEIGHT, GAP = 2.0, 1.5, 0.06  # panel along x, along y, hinge gap, m
YOKE_REACH = 1.0  # from the drive to the first panel, m
HINGE_X = 0.6
PANELS, CELLS_X, CELLS_Y = 3, 20, 12
FACE, CORE = 0.0002, 0.020  # facesheet and honeycomb thickness, m
CELL_MASS = 1.1  # solar cells and harness, kg/m²
FACE_DENSITY, CORE_DENSITY = 1600.0, 32.0
YOKE_RADIUS, YOKE_WALL, YOKE_DENSITY = 0.030, 0.002, 1600.0
HINGE_HALF = 0.012  # square hinge bar, half side, m
HINGE_DENSITY = 2800.0
CONNECTOR_MASS, CONNECTOR_HEIGHT = 0.35, -0.04


def mass() -> float:
    """Closed form, kg."""
    panel = WIDTH * HEIGHT * (2 * FACE * FACE_DENSITY + CORE * CORE_DENSITY + CELL_MASS)
    arm = np.hypot(HINGE_X, YOKE_REACH - GAP)
    tube = np.pi * (YOKE_RADIUS**2 - (YOKE_RADIUS - YOKE_WALL) ** 2)
    yoke = YOKE_DENSITY * tube * (2 * arm + 2 * HINGE_X)
    bars = HINGE_DENSITY * (2 * HINGE_HALF) ** 2 * GAP * 2 * PANELS
    return float(PANELS * (panel + CONNECTOR_MASS) + yoke + bars)


def panel_start(panel: int) -> float:
    """y of a panel's inboard edge, m."""
    return YOKE_REACH + panel * (HEIGHT + GAP)


def text() -> str:
    bulk = [
        "$ CFRP facesheet, aluminum honeycomb, quasi-isotropic CFRP tube, aluminum hinge",
        card("MAT8", 1, 110e9, 70e9, 0.10, 6e9, 4e9, 4e9, FACE_DENSITY),
        card("MAT8", 2, 1e6, 1e6, 0.30, 1e6, 220e6, 130e6, CORE_DENSITY),
        card("MAT1", 3, 120e9, 45e9, None, YOKE_DENSITY),
        card("MAT1", 4, 72e9, None, 0.33, HINGE_DENSITY),
        card(
            "PCOMP",
            1,
            None,
            CELL_MASS,
            None,
            None,
            None,
            None,
            None,
            1,
            FACE,
            0.0,
            "NO",
            2,
            CORE,
            0.0,
            "NO",
            1,
            FACE,
            0.0,
            "NO",
        ),
        f"PBARL,2,3,,TUBE\n+,{YOKE_RADIUS},{YOKE_RADIUS - YOKE_WALL}",
        f"PBARL,3,4,,BAR\n+,{2 * HINGE_HALF},{2 * HINGE_HALF}",
    ]
    bulk.append(card("GRID", 1, None, 0.0, 0.0, 0.0))
    yoke_y = YOKE_REACH - GAP
    steps = 8
    for side, base in ((-1.0, 10), (1.0, 30)):
        for i in range(1, steps + 1):
            bulk.append(card("GRID", base + i, None, side * HINGE_X * i / steps, yoke_y * i / steps, 0.0))
        chain = [1, *(base + i for i in range(1, steps + 1))]
        bulk += [card("CBAR", base + i, 2, chain[i], chain[i + 1], 0.0, 0.0, 1.0) for i in range(steps)]
    for i in range(1, 6):
        bulk.append(card("GRID", 50 + i, None, -HINGE_X + 2 * HINGE_X * i / 6, yoke_y, 0.0))
    chain = [18, *(50 + i for i in range(1, 6)), 38]
    bulk += [card("CBAR", 50 + i, 2, chain[i], chain[i + 1], 0.0, 0.0, 1.0) for i in range(6)]

    def node(panel: int, i: int, j: int) -> int:
        return 1000 * (panel + 1) + i * (CELLS_Y + 1) + j + 1

    hinge_columns = [round((WIDTH / 2 + side * HINGE_X) / WIDTH * CELLS_X) for side in (-1.0, 1.0)]
    for panel in range(PANELS):
        for i in range(CELLS_X + 1):
            for j in range(CELLS_Y + 1):
                x, y = -WIDTH / 2 + WIDTH * i / CELLS_X, panel_start(panel) + HEIGHT * j / CELLS_Y
                bulk.append(card("GRID", node(panel, i, j), None, x, y, 0.0))
        for i in range(CELLS_X):
            for j in range(CELLS_Y):
                corners = (node(panel, i, j), node(panel, i + 1, j), node(panel, i + 1, j + 1), node(panel, i, j + 1))
                bulk.append(card("CQUAD4", node(panel, i, j), 1, *corners, 0.0))
        for k, column in enumerate(hinge_columns):
            inner = (18, 38)[k] if panel == 0 else node(panel - 1, column, CELLS_Y)
            bulk.append(card("CBAR", 100 + 10 * panel + k, 3, inner, node(panel, column, 0), 0.0, 0.0, 1.0))
        rails = [(panel, 0)] if panel == 0 else [(panel - 1, CELLS_Y), (panel, 0)]
        for where, edge in rails:
            first, *others = (node(where, i, edge) for i in range(CELLS_X + 1))
            bulk.append(card("RBE2", 200 + 10 * panel + (edge > 0), first, 123456, *others))
        bulk.append(
            card(
                "CONM2",
                900 + panel,
                node(panel, CELLS_X // 2, CELLS_Y // 2),
                0,
                CONNECTOR_MASS,
                0.0,
                0.0,
                CONNECTOR_HEIGHT,
            )
        )
    bulk.append("SPC1,1,123456,1")
    return deck("Solar-array wing, three panels, SI units", bulk, modes=20)


TIP_NODE = 1000 * PANELS + CELLS_X // 2 * (CELLS_Y + 1) + CELLS_Y + 1
