"""Torsion constant and shear center of thin-walled sections, open, closed or with several cells, by one rule.

Walls are straight lines of constant thickness between junctions. The warping function w is linear along each wall and makes
the shear flow t (dw/ds + r) balance at every junction (r: distance of the wall's line from the centroid); in an open wall it
vanishes, round a cell it is Bredt's. J = sum t L (dw/ds + r)² + sum L t³ / 3, and the shear center is the pole about which w
has no bending ([Vlasov1961]). A closed wall that gets thin passes to an open section without a jump.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

#: (y, z) of both ends and the thickness.
Wall = tuple[tuple[float, float], tuple[float, float], float]


@dataclass(frozen=True)
class WallProperties:
    """Both parts of the torsion constant (flow round cells, the walls' own), and the shear center (y, z) in the drawing."""

    flow: float
    own: float
    shear_center: tuple[float, float]


def wall_properties(walls: Sequence[Wall]) -> WallProperties:
    """Properties of walls that meet where their ends coincide; walls without length are left out."""
    walls = [wall for wall in walls if wall[0] != wall[1]]
    ends = np.array([(a, b) for a, b, _ in walls], float)
    t = np.array([thickness for _, _, thickness in walls], float)
    size = float(np.ptp(ends.reshape(-1, 2), axis=0).max())
    _, first, node = np.unique(np.round(ends.reshape(-1, 2) / size, 9), axis=0, return_index=True, return_inverse=True)
    x, pairs = ends.reshape(-1, 2)[first], node.reshape(-1, 2)
    along = x[pairs[:, 1]] - x[pairs[:, 0]]
    L = np.linalg.norm(along, axis=1)
    area = t * L
    x = x - (area[:, None] * 0.5 * (x[pairs[:, 0]] + x[pairs[:, 1]])).sum(axis=0) / area.sum()
    a = x[pairs[:, 0]]
    r = (a[:, 0] * along[:, 1] - a[:, 1] * along[:, 0]) / L
    K, f = np.zeros((len(x), len(x))), np.zeros(len(x))
    for (i, j), stiffness, flow in zip(pairs, t / L, t * r):
        K[[i, j, i, j], [i, j, j, i]] += stiffness * np.array([1.0, 1.0, -1.0, -1.0])
        f[[i, j]] += flow * np.array([1.0, -1.0])
    w = np.linalg.lstsq(K, f, rcond=None)[0]
    slope = (w[pairs[:, 1]] - w[pairs[:, 0]]) / L + r
    flow, own = float((area * slope**2).sum()), float((L * t**3).sum() / 3.0)

    def product(p: np.ndarray, q: np.ndarray) -> float:
        """Int p q t ds of values that are linear along the walls."""
        (pa, pb), (qa, qb) = p[pairs].T, q[pairs].T
        return float((area * (2 * pa * qa + pa * qb + pb * qa + 2 * pb * qb)).sum() / 6.0)

    w = w - product(w, np.ones(len(w))) / area.sum()
    y, z = x.T
    moments = np.array([[product(y, z), -product(y, y)], [product(z, z), -product(y, z)]])
    pole = np.linalg.lstsq(moments, [-product(w, y), -product(w, z)], rcond=1e-12)[0]
    origin = ends.reshape(-1, 2)[first][0] - x[0]
    return WallProperties(flow, own, (float(pole[0] + origin[0]), float(pole[1] + origin[1])))
