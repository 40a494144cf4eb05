"""Shape functions of the solids in VTK node order: values (g, k) and reference gradients (g, 3, k).

Tetrahedra on the unit simplex, hexes on [-1, 1]³, wedges on the unit triangle x [0, 1], pyramids on the cube
[0, 1]³ whose top face is collapsed onto the apex (Jacobians then carry the factor (1 - t)²).

References: [Zienkiewicz2000], [Bedrosian1992].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from tisserand.arrays import FloatArray, frozen
from tisserand.elements.quadrature import Rule, hex_rule, pyramid_rule, tet_rule, tet_rule_of_five, wedge_rule
from tisserand.model.solid_cells import SOLID_CELLS

Values = tuple[FloatArray, FloatArray]

HEX_CORNERS = np.array(
    [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], float
)
TET_EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
HEX_EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))


@dataclass(frozen=True, eq=False)
class SolidTable:
    """Values at g points: weights (g,), shapes (g, k), gradients (g, 3, k), points (g, 3)."""

    points: FloatArray
    weights: FloatArray
    shapes: FloatArray
    gradients: FloatArray


def tet4(points: FloatArray) -> Values:
    """Linear tetrahedron."""
    n = np.column_stack([1.0 - points.sum(axis=1), points])
    slope = np.column_stack([-np.ones(3), np.eye(3)])
    return n, np.broadcast_to(slope, (len(points), 3, 4)).copy()


def tet10(points: FloatArray) -> Values:
    """Quadratic tetrahedron."""
    corner, slope = tet4(points)
    a, b = np.array(TET_EDGES).T
    n = np.hstack([corner * (2.0 * corner - 1.0), 4.0 * corner[:, a] * corner[:, b]])
    c = corner[:, None]
    edge = 4.0 * (c[..., a] * slope[..., b] + c[..., b] * slope[..., a])
    return n, np.concatenate([slope * (4.0 * c - 1.0), edge], axis=2)


def hex8(points: FloatArray) -> Values:
    """Trilinear hexahedron."""
    factor = 1.0 + points[:, :, None] * HEX_CORNERS.T  # (g, 3, 8)
    n = 0.125 * factor.prod(axis=1)
    slope = np.stack(
        [0.125 * HEX_CORNERS[:, a] * factor[:, (a + 1) % 3] * factor[:, (a + 2) % 3] for a in range(3)], axis=1
    )
    return n, slope


def hex20(points: FloatArray) -> Values:
    """Serendipity hexahedron."""
    middle = np.array([(HEX_CORNERS[a] + HEX_CORNERS[b]) / 2.0 for a, b in HEX_EDGES])
    g = len(points)
    n, slope = np.zeros((g, 20)), np.zeros((g, 3, 20))
    for i, c in enumerate(HEX_CORNERS):
        f = 1.0 + points * c
        tail = points @ c - 2.0
        n[:, i] = 0.125 * f.prod(axis=1) * tail
        for a in range(3):
            rest = f[:, (a + 1) % 3] * f[:, (a + 2) % 3]
            slope[:, a, i] = 0.125 * c[a] * rest * (tail + f[:, a])
    for i, c in enumerate(middle, start=8):
        s = int(np.flatnonzero(c == 0.0)[0])
        p, q = (s + 1) % 3, (s + 2) % 3
        bump, fp, fq = 1.0 - points[:, s] ** 2, 1.0 + points[:, p] * c[p], 1.0 + points[:, q] * c[q]
        n[:, i] = 0.25 * bump * fp * fq
        slope[:, s, i] = -0.5 * points[:, s] * fp * fq
        slope[:, p, i] = 0.25 * bump * c[p] * fq
        slope[:, q, i] = 0.25 * bump * fp * c[q]
    return n, slope


def _triangle(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    corner = np.column_stack([1.0 - points[:, 0] - points[:, 1], points[:, 0], points[:, 1]])
    return corner, np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])


def wedge6(points: FloatArray) -> Values:
    """Linear triangle times linear height."""
    tri, flat = _triangle(points)
    t = points[:, 2]
    n = np.hstack([tri * (1.0 - t)[:, None], tri * t[:, None]])
    slope = np.zeros((len(points), 3, 6))
    slope[:, :2, :3] = flat * (1.0 - t)[:, None, None]
    slope[:, :2, 3:] = flat * t[:, None, None]
    slope[:, 2, :3], slope[:, 2, 3:] = -tri, tri
    return n, slope


def wedge15(points: FloatArray) -> Values:
    """Serendipity wedge: edges of the bottom (6-8), of the top (9-11), then the verticals (12-14)."""
    tri, flat = _triangle(points)
    z = 2.0 * points[:, 2] - 1.0
    g = len(points)
    n, slope = np.zeros((g, 15)), np.zeros((g, 3, 15))
    for side, sign in enumerate((-1.0, 1.0)):
        h = 1.0 + sign * z
        for i in range(3):
            c, column = tri[:, i], 3 * side + i
            n[:, column] = 0.5 * c * h * (2.0 * c - 2.0 + sign * z)
            slope[:, :2, column] = (0.5 * h * (4.0 * c - 2.0 + sign * z))[:, None] * flat[:, i]
            slope[:, 2, column] = c * sign * (2.0 * c - 1.0 + 2.0 * sign * z)  # d/dt = 2 d/dz
            j, column = (i + 1) % 3, 6 + 3 * side + i
            d = tri[:, j]
            n[:, column] = 2.0 * c * d * h
            slope[:, :2, column] = 2.0 * h[:, None] * (c[:, None] * flat[:, j] + d[:, None] * flat[:, i])
            slope[:, 2, column] = 4.0 * sign * c * d
    for i in range(3):
        n[:, 12 + i] = tri[:, i] * (1.0 - z * z)
        slope[:, :2, 12 + i] = (1.0 - z * z)[:, None] * flat[:, i]
        slope[:, 2, 12 + i] = -4.0 * tri[:, i] * z
    return n, slope


def pyramid5(points: FloatArray) -> Values:
    """Collapsed hexahedron: bilinear base times (1 - t), apex t."""
    r, s, t = points.T
    u = 1.0 - t
    n = np.column_stack([(1 - r) * (1 - s) * u, r * (1 - s) * u, r * s * u, (1 - r) * s * u, t])
    slope = np.zeros((len(points), 3, 5))
    slope[:, 0, :4] = np.column_stack([-(1 - s) * u, (1 - s) * u, s * u, -s * u])
    slope[:, 1, :4] = np.column_stack([-(1 - r) * u, -r * u, r * u, (1 - r) * u])
    slope[:, 2, :4] = -np.column_stack([(1 - r) * (1 - s), r * (1 - s), r * s, (1 - r) * s])
    slope[:, 2, 4] = 1.0
    return n, slope


def hex32(points: FloatArray) -> Values:
    """Cubic serendipity hexahedron: two nodes on every edge, at its thirds."""
    places = [(HEX_CORNERS[a] * (3 - k) + HEX_CORNERS[b] * k) / 3.0 for a, b in HEX_EDGES for k in (1, 2)]
    g = len(points)
    n, slope = np.zeros((g, 32)), np.zeros((g, 3, 32))
    for i, c in enumerate(HEX_CORNERS):
        f = 1.0 + points * c
        tail = 9.0 * (points**2).sum(axis=1) - 19.0
        n[:, i] = f.prod(axis=1) * tail / 64.0
        for a in range(3):
            rest = f[:, (a + 1) % 3] * f[:, (a + 2) % 3]
            slope[:, a, i] = rest * (c[a] * tail + f[:, a] * 18.0 * points[:, a]) / 64.0
    for i, c in enumerate(places, start=8):
        s = int(np.argmin(np.abs(c)))
        p, q = (s + 1) % 3, (s + 2) % 3
        x, along = points[:, s], 9.0 * c[s]
        bump, fp, fq = (1.0 - x**2) * (1.0 + along * x), 1.0 + points[:, p] * c[p], 1.0 + points[:, q] * c[q]
        n[:, i] = 9.0 / 64.0 * bump * fp * fq
        slope[:, s, i] = 9.0 / 64.0 * (along * (1.0 - 3.0 * x**2) - 2.0 * x) * fp * fq
        slope[:, p, i] = 9.0 / 64.0 * bump * c[p] * fq
        slope[:, q, i] = 9.0 / 64.0 * bump * fp * c[q]
    return n, slope


def pyramid13(points: FloatArray) -> Values:
    """Quadratic pyramid whose faces meet those of hex20, wedge15 and tet10 ([Bedrosian1992]).

    The rational functions of the pyramid are polynomials on the cube that collapses onto it: with u = 1 - t and a, b from -1
    to 1, N = u (1 + a_i a)(1 + b_i b)(u (a_i a + b_i b) - 1) / 4 at the base, u² (1 - a²)(1 + b_i b) / 2 on its edges,
    t u (1 + a_i a)(1 + b_i b) on those to the apex, t (2 t - 1) there.
    """
    a, b, t = 2.0 * points[:, 0] - 1.0, 2.0 * points[:, 1] - 1.0, points[:, 2]
    u, g = 1.0 - t, len(points)
    n, slope = np.zeros((g, 13)), np.zeros((g, 3, 13))
    for i, (p, q) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        fa, fb, tail = 1 + p * a, 1 + q * b, u * (p * a + q * b) - 1.0
        n[:, i] = 0.25 * u * fa * fb * tail
        slope[:, 0, i] = 0.5 * u * fb * p * (tail + u * fa)
        slope[:, 1, i] = 0.5 * u * fa * q * (tail + u * fb)
        slope[:, 2, i] = -0.25 * fa * fb * (tail + u * (p * a + q * b))
        n[:, 9 + i] = t * u * fa * fb
        slope[:, 0, 9 + i], slope[:, 1, 9 + i] = 2.0 * t * u * p * fb, 2.0 * t * u * fa * q
        slope[:, 2, 9 + i] = (u - t) * fa * fb
    n[:, 4], slope[:, 2, 4] = t * (2.0 * t - 1.0), 4.0 * t - 1.0
    for i, (along, across, own, other, sign) in enumerate(
        ((0, 1, a, b, -1), (1, 0, b, a, 1), (0, 1, a, b, 1), (1, 0, b, a, -1))
    ):
        bump, f = 1.0 - own**2, 1.0 + sign * other
        n[:, 5 + i] = 0.5 * u**2 * bump * f
        slope[:, along, 5 + i] = -2.0 * u**2 * own * f
        slope[:, across, 5 + i] = u**2 * bump * sign
        slope[:, 2, 5 + i] = -u * bump * f
    return n, slope


@dataclass(frozen=True)
class SolidShape:
    """Functions of a kind, and the rules of its stiffness and mass."""

    functions: Callable[[FloatArray], Values]
    stiffness: Callable[[], Rule]
    mass: Callable[[], Rule]


SHAPES = {
    "tet4": SolidShape(tet4, lambda: tet_rule(1), lambda: tet_rule(4)),
    "tet10": SolidShape(tet10, lambda: tet_rule(4), lambda: tet_rule(5)),
    "hex8": SolidShape(hex8, lambda: hex_rule(2), lambda: hex_rule(2)),
    "hex20": SolidShape(hex20, lambda: hex_rule(3), lambda: hex_rule(3)),
    "hex32": SolidShape(hex32, lambda: hex_rule(4), lambda: hex_rule(4)),
    "wedge6": SolidShape(wedge6, lambda: wedge_rule(3, 2), lambda: wedge_rule(4, 2)),
    "wedge15": SolidShape(wedge15, lambda: wedge_rule(3, 3), lambda: wedge_rule(4, 3)),
    "pyramid5": SolidShape(pyramid5, lambda: pyramid_rule(3), lambda: pyramid_rule(3)),
    "pyramid13": SolidShape(pyramid13, lambda: pyramid_rule(4), lambda: pyramid_rule(4)),
}
NODE_COUNT = {kind: cell.nodes for kind, cell in SOLID_CELLS.items()}
#: Rules that an integration asks for instead of the kind's own.
_OTHER_RULES: dict[tuple[str, str], Callable[[], Rule]] = {
    ("tet10", "five points"): tet_rule_of_five,
    ("hex20", "reduced"): lambda: hex_rule(2),
    ("hex20", "sampled"): lambda: hex_rule(2),
    ("wedge6", "sampled"): lambda: wedge_rule(1, 2),
}


def _stiffness_rule(kind: str, integration: str) -> Rule:
    return _OTHER_RULES.get((kind, integration), SHAPES[kind].stiffness)()


def _table(kind: str, rule: Rule) -> SolidTable:
    points, weights = rule
    shapes, gradients = SHAPES[kind].functions(points)
    return SolidTable(points, weights, frozen(shapes), frozen(gradients))


@cache
def bowed_table() -> SolidTable:
    """Points of hex8 that integrate products of its incompatible modes exactly on parallelepipeds."""
    return _table("hex8", hex_rule(3))


@cache
def stiffness_table(kind: str, integration: str) -> SolidTable:
    """Integration points: exact for straight-sided tetrahedra and wedges, 2³ (hex8, reduced hex20) or 3³ (hex20).

    Sampled wedge6: two points on the line through the centers of its triangles.
    """
    return _table(kind, _stiffness_rule(kind, integration))


@cache
def mass_table(kind: str) -> SolidTable:
    """Points of the consistent mass; hexes use 2³ and 3³ as the usual codes do."""
    return _table(kind, SHAPES[kind].mass())


@cache
def center_table(kind: str) -> SolidTable:
    """The centroid of the reference cell."""
    rule = {"t": tet_rule(1), "h": hex_rule(1), "w": wedge_rule(1, 1), "p": pyramid_rule(1)}[kind[0]]
    return _table(kind, rule)
