"""Meshes of six-, eight- and nine-node shells on a mapped unit square."""

from __future__ import annotations

import numpy as np

_QUAD = [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1), (1, 1)]
_TRIANGLES = [(0, 1, 2, 4, 5, 8), (0, 2, 3, 8, 6, 7)]
#: Share of a uniform pressure at the nodes of an undistorted cell.
SHARES = {
    6: np.array([0.0] * 3 + [1 / 3] * 3),
    8: np.array([-1 / 12] * 4 + [1 / 3] * 4),
    9: np.array([1 / 36] * 4 + [1 / 9] * 4 + [4 / 9]),
}


def second_grid(nx, ny, place, nodes=8):
    """Points, cells and the unit-square places (n, 2) of the points; x runs slowest; midside points lie on the map."""
    a, b = np.meshgrid(np.arange(2 * nx + 1), np.arange(2 * ny + 1), indexing="ij")
    number = a * (2 * ny + 1) + b
    i, j = (2 * g.ravel() for g in np.meshgrid(np.arange(nx), np.arange(ny), indexing="ij"))
    nine = np.stack([number[i + p, j + q] for p, q in _QUAD], axis=1)
    cells = np.vstack([nine[:, list(t)] for t in _TRIANGLES]) if nodes == 6 else nine[:, :nodes]
    used, cells = np.unique(cells, return_inverse=True)
    unit = np.column_stack([a.ravel() / (2 * nx), b.ravel() / (2 * ny)])[used]
    points = np.array([place(x, y) for x, y in unit], float)
    if points.shape[1] == 2:
        points = np.column_stack([points, np.zeros(len(points))])
    return points, cells.reshape(-1, nodes), unit
