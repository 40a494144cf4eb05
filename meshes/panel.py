"""Rectangular aluminum panel of quadrilaterals as a plain VTU mesh; its properties are in panel.toml."""

from __future__ import annotations

import numpy as np

SIDE_X, SIDE_Y, THICKNESS = 2.0, 1.0, 0.01
YOUNG, POISSON, DENSITY = 70e9, 0.33, 2700.0
CELLS_X, CELLS_Y = 32, 16


def mass() -> float:
    """Closed form, kg."""
    return DENSITY * SIDE_X * SIDE_Y * THICKNESS


def simply_supported_hz() -> list[float]:
    """Navier's solution for the first four modes of a thin simply supported plate, Hz."""
    stiffness = YOUNG * THICKNESS**3 / (12.0 * (1.0 - POISSON**2))
    scale = np.pi / 2.0 * np.sqrt(stiffness / (DENSITY * THICKNESS))
    values = sorted((m / SIDE_X) ** 2 + (n / SIDE_Y) ** 2 for m in range(1, 9) for n in range(1, 9))
    return [float(scale * value) for value in values[:4]]


def mesh() -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) and quads (m, 4)."""
    x, y = np.meshgrid(np.linspace(0, SIDE_X, CELLS_X + 1), np.linspace(0, SIDE_Y, CELLS_Y + 1), indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    i, j = np.meshgrid(np.arange(CELLS_X), np.arange(CELLS_Y), indexing="ij")
    a = (i * (CELLS_Y + 1) + j).ravel()
    return points, np.column_stack([a, a + CELLS_Y + 1, a + CELLS_Y + 2, a + 1])


def edge_nodes(points: np.ndarray) -> np.ndarray:
    """Node numbers (from 0) on the boundary."""
    on_x = (points[:, 0] == 0.0) | (points[:, 0] == SIDE_X)
    on_y = (points[:, 1] == 0.0) | (points[:, 1] == SIDE_Y)
    return np.flatnonzero(on_x | on_y)
