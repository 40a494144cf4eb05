"""Shape functions of the six-, eight- and nine-node shells, and the places where their strains are taken.

Nodes in VTK's order: corners, midside nodes of the sides that start at them, center. The eight-node quadrilateral has a ninth
node inside, at its serendipity center: its functions are those of nine nodes. The six-node triangle has a seventh function, the
bubble 27 L1 L2 L3, for the rotation only. The element eliminates both (``curved_stiffness``).

Functions: [Zienkiewicz2000]; places of the strains: [Bucalem1993] (quadrilaterals), [Brezzi1989] (triangles).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from tisserand.arrays import FloatArray, frozen
from tisserand.elements.quadrature import quad_rule, triangle_rule

#: Serendipity values at the center of the eight nodes.
CENTER = frozen(np.array([-0.25] * 4 + [0.5] * 4))
_NODES_9 = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (1, 0), (0, 1), (-1, 0), (0, 0)], float)
_NODES_6 = np.array([(0, 0), (1, 0), (0, 1), (0.5, 0), (0.5, 0.5), (0, 0.5)], float)
ROOT = 1.0 / np.sqrt(3.0)


@dataclass(frozen=True, eq=False)
class ShapeTable:
    """At g points (g, 2) with weights (g,): values (g, f) and reference gradients (g, 2, f) of f functions."""

    points: FloatArray
    weights: FloatArray
    values: FloatArray
    gradient: FloatArray


def shape_table(functions: int, points: FloatArray, weights: FloatArray | None = None) -> ShapeTable:
    """Values of 7 or 9 functions at reference points."""
    points = np.asarray(points, dtype=float)
    values, gradient = (_seven if functions == 7 else _nine)(points)
    return ShapeTable(points, np.zeros(len(points)) if weights is None else weights, values, gradient)


@cache
def gauss_table(functions: int, order: int) -> ShapeTable:
    """At the Gauss points: order x order on quadrilaterals, ``triangle_rule(order)`` on triangles."""
    return shape_table(functions, *(triangle_rule if functions == 7 else quad_rule)(order))


@cache
def node_table(functions: int) -> ShapeTable:
    """At the nodes themselves."""
    return shape_table(functions, _NODES_6 if functions == 7 else _NODES_9)


@cache
def center_table(functions: int) -> ShapeTable:
    """At the center."""
    return shape_table(functions, np.full((1, 2), 1.0 / 3.0) if functions == 7 else np.zeros((1, 2)))


@cache
def shear_table(functions: int) -> ShapeTable:
    """Where transverse shear is taken.

    Triangles: two Gauss points of each side, then six points inside. Quadrilaterals:
    r = ±1/√3 on s = -1, 0, 1 for the first component (rows 0 to 5),
    then the same with r and s exchanged.
    """
    if functions == 7:
        return shape_table(7, np.vstack([side_points(), triangle_rule(6)[0]]))
    first = np.array([(r * ROOT, s) for s in (-1.0, 0.0, 1.0) for r in (-1.0, 1.0)])
    return shape_table(9, np.vstack([first, first[:, ::-1]]))


@cache
def bow_table() -> ShapeTable:
    """Quadrilaterals: r = ±1/√3 at the three Gauss points of s (rows 0 to 5), then exchanged: where strains bow across."""
    first = np.array([(r * ROOT, s) for s in (-np.sqrt(0.6), 0.0, np.sqrt(0.6)) for r in (-1.0, 1.0)])
    return shape_table(9, np.vstack([first, first[:, ::-1]]))


def side_points() -> FloatArray:
    """(6, 2): the two Gauss points of each side of a triangle, in order around it."""
    t = 0.5 * (1.0 + ROOT * np.array([-1.0, 1.0]))
    return np.vstack([np.column_stack([t, 0 * t]), np.column_stack([1 - t, t]), np.column_stack([0 * t, 1 - t])])


#: Reference directions of the sides of a triangle, once for each of their points.
SIDES = frozen(np.repeat(np.array([(1.0, 0.0), (-1.0, 1.0), (0.0, -1.0)]), 2, axis=0))


@cache
def shear_samples(functions: int) -> FloatArray:
    """(n, p, 2): the n samples of the shear from its two components at the p points of ``shear_table``.

    Quadrilaterals: the component along the line of each point. Triangles: along the side at each of its points, then the means
    of both components.
    """
    if functions == 9:
        out = np.zeros((12, 12, 2))
        out[range(6), range(6), 0] = out[range(6, 12), range(6, 12), 1] = 1.0
        return frozen(out)
    out = np.zeros((8, 12, 2))
    out[range(6), range(6)] = SIDES
    out[6, 6:, 0] = out[7, 6:, 1] = 2.0 * triangle_rule(6)[1]
    return frozen(out)


@cache
def shear_interpolation(functions: int, order: int) -> FloatArray:
    """(g, 2, n): shear at the Gauss points of an order (0: the center) from its n samples.

    Triangles: linear fields and (s, -r) times linear ones, which have linear components along straight sides.
    """
    points = gauss_table(functions, order).points if order else center_table(functions).points
    if functions == 9:
        return frozen(_quad_interpolation(points))
    known = np.einsum("npa,pac->nc", shear_samples(7), _edge_fields(shear_table(7).points))
    return frozen(_edge_fields(points) @ np.linalg.inv(known))


def _edge_fields(points: FloatArray) -> FloatArray:
    """(p, 2, 8): the fields whose tangential components are linear along the sides of a triangle."""
    r, s = points.T
    nil, one = 0.0 * r, 1.0 + 0.0 * r
    first = [one, r, s, nil, nil, nil, s * r, s * s]
    second = [nil, nil, nil, one, r, s, -r * r, -r * s]
    return np.stack([np.stack(first, axis=-1), np.stack(second, axis=-1)], axis=1)


@cache
def stretch_table() -> ShapeTable:
    """Triangles: where the membrane strain of a curved element is taken, as in ``shear_table``."""
    return shear_table(7)


@cache
def stretch_interpolation(order: int) -> FloatArray:
    """(g, 3, p, 3): linear strain (rr, ss, 2 rs) at the Gauss points from that at the p points of ``stretch_table``.

    It keeps the stretch along the sides at their Gauss points, and the mean of all components ([Neunteufel2021]).
    """
    at = stretch_table().points
    base = np.column_stack([np.ones(len(at)), at])
    fields = np.einsum("ab,pc->pabc", np.eye(3), base).reshape(len(at), 3, 9)
    sample = np.zeros((9, len(at), 3))
    x, y = SIDES.T
    sample[range(6), range(6)] = np.column_stack([x * x, y * y, x * y])
    for component in range(3):
        sample[6 + component, 6:, component] = 2.0 * triangle_rule(6)[1]
    known = np.linalg.inv(np.einsum("npa,pac->nc", sample, fields))
    points = gauss_table(7, order).points if order else center_table(7).points
    here = np.column_stack([np.ones(len(points)), points])
    there = np.einsum("ab,gc->gabc", np.eye(3), here).reshape(len(points), 3, 9)
    return frozen(np.einsum("gac,cn,npb->gapb", there, known, sample, optimize=True))


def _quad_interpolation(points: FloatArray) -> FloatArray:
    out = np.zeros((len(points), 2, 12))
    for component in (0, 1):
        r, s = points[:, component], points[:, 1 - component]
        along = np.stack([0.5 * (1.0 - r / ROOT), 0.5 * (1.0 + r / ROOT)], axis=1)
        across = np.stack([0.5 * s * (s - 1.0), 1.0 - s * s, 0.5 * s * (s + 1.0)], axis=1)
        rows = slice(6 * component, 6 * component + 6)
        out[:, component, rows] = (across[:, :, None] * along[:, None, :]).reshape(len(points), 6)
    return out


def _nine(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    r, s = points.T

    def line(x: FloatArray) -> tuple[FloatArray, FloatArray]:
        values = np.stack([0.5 * x * (x - 1.0), 1.0 - x * x, 0.5 * x * (x + 1.0)], axis=1)
        return values, np.stack([x - 0.5, -2.0 * x, x + 0.5], axis=1)

    (a, da), (b, db) = line(r), line(s)
    place = (1 + _NODES_9).astype(int)
    values = a[:, place[:, 0]] * b[:, place[:, 1]]
    gradient = np.stack([da[:, place[:, 0]] * b[:, place[:, 1]], a[:, place[:, 0]] * db[:, place[:, 1]]], axis=1)
    return values, gradient


def _seven(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    area = np.column_stack([1.0 - points.sum(axis=1), points])
    slope = np.array([(-1.0, -1.0), (1.0, 0.0), (0.0, 1.0)])
    after, last = (1, 2, 0), (2, 0, 1)
    values = [area * (2.0 * area - 1.0), 4.0 * area * area[:, after], 27.0 * area.prod(axis=1, keepdims=True)]
    corner = (4.0 * area - 1.0)[:, None] * slope.T
    side = 4.0 * (area[:, None] * slope.T[:, after] + area[:, None, after] * slope.T)
    bubble = 27.0 * (area[:, None, after] * area[:, None, last] * slope.T).sum(axis=2, keepdims=True)
    return np.concatenate(values, axis=1), np.concatenate([corner, side, bubble], axis=2)
