"""Surfaces of six, eight or nine nodes: points, normals and areas by quadrature, for mass points and element sizes.

Polynomials fitted through the nodes; four Gauss points per direction (triangles: collapsed).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from tisserand.arrays import FloatArray

_PLACES = {
    6: np.array([(0, 0), (1, 0), (0, 1), (0.5, 0), (0.5, 0.5), (0, 0.5)]),
    8: np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (1, 0), (0, 1), (-1, 0)], float),
    9: np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (1, 0), (0, 1), (-1, 0), (0, 0)], float),
}
_POWERS = {
    6: np.array([(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]),
    8: np.array([(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (2, 1), (1, 2)]),
    9: np.array([(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (2, 1), (1, 2), (2, 2)]),
}


def curved_points(corners: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Points (m, g, 3) m, unit normals (m, g, 3) and areas (m, g) m² of surfaces through nodes (m, k, 3)."""
    weights, values, along, across = _table(corners.shape[1])
    place, a, b = (np.einsum("gk,mki->mgi", part, corners) for part in (values, along, across))
    normal = np.cross(a, b)
    length = np.linalg.norm(normal, axis=-1)
    return place, normal / np.maximum(length, 1e-300)[..., None], length * weights


def curved_functions(count: int) -> FloatArray:
    """(g, k): values of the nodes' functions at the points of ``curved_points``."""
    return _table(count)[1]


@cache
def _table(count: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Weights (g,), shape functions (g, k) and their two derivatives at the points."""
    x, w = np.polynomial.legendre.leggauss(4)
    r, s = (g.ravel() for g in np.meshgrid(x, x, indexing="ij"))
    weights = np.outer(w, w).ravel()
    if count == 6:
        r, s = 0.5 * (1.0 + r), 0.5 * (1.0 + s)
        weights, s = 0.25 * weights * (1.0 - r), s * (1.0 - r)
    p, q = _POWERS[count].T
    here, there = _PLACES[count].T
    known = np.linalg.inv(here[:, None] ** p * there[:, None] ** q)
    r, s = r[:, None], s[:, None]
    along = p * r ** np.maximum(p - 1, 0) * s**q
    across = q * r**p * s ** np.maximum(q - 1, 0)
    return weights, (r**p * s**q) @ known, along @ known, across @ known
