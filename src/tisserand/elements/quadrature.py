"""Integration rules on reference cells: points (g, dim) and weights (g,), which sum to the cell's measure.

Lines, quads and hexes live on [-1, 1]; triangles and tetrahedra on the unit simplex; wedges on triangle x [0,
1]; pyramids on the unit cube.

Gauss rules: [Zienkiewicz2000].
"""

from __future__ import annotations

from functools import cache

import numpy as np

from tisserand.arrays import FloatArray, frozen

Rule = tuple[FloatArray, FloatArray]


def _line(n: int) -> Rule:
    points, weights = np.polynomial.legendre.leggauss(n)
    return points, weights


def _unit_line(n: int) -> Rule:
    points, weights = _line(n)
    return 0.5 * (1.0 + points), 0.5 * weights


def _tensor(*lines: Rule) -> Rule:
    grids = np.meshgrid(*(p for p, _ in lines), indexing="ij")
    scales = np.meshgrid(*(w for _, w in lines), indexing="ij")
    points = np.stack([g.ravel() for g in grids], axis=-1)
    return points, np.prod([s.ravel() for s in scales], axis=0)


def _frozen(rule: Rule) -> Rule:
    return frozen(rule[0]), frozen(rule[1])


@cache
def quad_rule(n: int) -> Rule:
    """n x n Gauss points on the square [-1, 1]²; exact to degree 2n - 1 in each direction."""
    return _frozen(_tensor(_line(n), _line(n)))


@cache
def hex_rule(n: int) -> Rule:
    """n³ Gauss points on the cube [-1, 1]³; exact to degree 2n - 1 in each direction."""
    return _frozen(_tensor(_line(n), _line(n), _line(n)))


@cache
def triangle_rule(n: int) -> Rule:
    """n = 1: centroid; n = 3: interior points, degree 2; 6: degree 4; otherwise n x n collapsed points, degree 2n - 2."""
    if n == 6:
        return _frozen(_six_points())
    if n == 1:
        return _frozen((np.full((1, 2), 1.0 / 3.0), np.array([0.5])))
    if n == 3:
        return _frozen((np.array([[1.0, 1.0], [4.0, 1.0], [1.0, 4.0]]) / 6.0, np.full(3, 1.0 / 6.0)))
    (s, t), w = _tensor(_unit_line(n), _unit_line(n))[0].T, _tensor(_unit_line(n), _unit_line(n))[1]
    return _frozen((np.column_stack([s, t * (1.0 - s)]), w * (1.0 - s)))


def _six_points() -> Rule:
    """Two orbits of three points inside the triangle; degree 4."""
    root, spread = np.sqrt(10.0), np.sqrt(38.0 - 44.0 * np.sqrt(0.4))
    part = np.sqrt(213125.0 - 53320.0 * root)
    points, weights = [], []
    for sign in (1.0, -1.0):
        a, w = (8.0 - root + sign * spread) / 18.0, (620.0 + sign * part) / 3720.0
        points += [(a, a), (1.0 - 2.0 * a, a), (a, 1.0 - 2.0 * a)]
        weights += [0.5 * w] * 3
    return np.array(points), np.array(weights)


@cache
def tet_rule(n: int) -> Rule:
    """n = 1: centroid; n = 4: degree 2; otherwise n³ collapsed Gauss points, degree 2n - 3."""
    if n == 1:
        return _frozen((np.full((1, 3), 0.25), np.array([1.0 / 6.0])))
    if n == 4:
        a, b = (5.0 + 3.0 * np.sqrt(5.0)) / 20.0, (5.0 - np.sqrt(5.0)) / 20.0
        points = np.full((4, 3), b)
        points[1:] += (a - b) * np.eye(3)
        return _frozen((points, np.full(4, 1.0 / 24.0)))
    points, w = _tensor(_unit_line(n), _unit_line(n), _unit_line(n))
    r, s, t = points.T
    x, y, z = r, s * (1.0 - r), t * (1.0 - r) * (1.0 - s)
    return _frozen((np.column_stack([x, y, z]), w * (1.0 - r) ** 2 * (1.0 - s)))


@cache
def tet_rule_of_five() -> Rule:
    """The centroid with weight -4/5 and four points with 9/20 of the volume each: degree 3."""
    points = np.full((5, 3), 1.0 / 6.0)
    points[0] = 0.25
    points[2:] += np.eye(3) / 3.0
    return _frozen((points, np.array([-0.8, 0.45, 0.45, 0.45, 0.45]) / 6.0))


@cache
def wedge_rule(triangle: int, along: int) -> Rule:
    """A triangle rule times ``along`` Gauss points over the height [0, 1]."""
    (p, w), (z, v) = triangle_rule(triangle), _unit_line(along)
    points = np.column_stack([np.repeat(p, along, axis=0), np.tile(z, len(p))])
    return _frozen((points, np.repeat(w, along) * np.tile(v, len(p))))


@cache
def pyramid_rule(n: int) -> Rule:
    """n³ Gauss points on the cube [0, 1]³ that collapses onto the pyramid (its Jacobian holds the collapse)."""
    return _frozen(_tensor(_unit_line(n), _unit_line(n), _unit_line(n)))
