"""Beams with their cross-sections and shells with their thickness as one surface of triangles.

Every point of the surface is attached to a node by an arm r: it moves by u + theta x r of that node, so sections turn
with the mode.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.appendage.record.drawing_topology import Topology
from tisserand.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Skin:
    """Surface points: source (p,) node row, arm (p, 3) m from that node; triangles (t, 3) by point.

    elements (t,): element id of every triangle, 0 where unknown; plates: how many triangles, the first, are shells and solids.
    """

    source: IntArray
    arm: FloatArray
    triangles: IntArray
    elements: IntArray
    plates: int = 0

    def rest(self, points: FloatArray) -> FloatArray:
        """Undeformed points (p, 3), m."""
        return np.asarray(points[self.source] + self.arm)

    def displacement(self, translation: FloatArray, rotation: FloatArray) -> FloatArray:
        """Displacement (p, 3) for nodal fields (n, 3)."""
        return np.asarray(translation[self.source] + np.cross(rotation[self.source], self.arm))


def skin_of(points: FloatArray, cells: Topology) -> Skin:
    """Surface of all triangles, thick where their thickness is known, and of all lines that have an outline."""
    plates = _plates(points, cells)
    parts = [part for part in (plates, _prisms(points, cells)) if len(part.triangles)]
    if not parts:
        return _nothing()
    starts = np.cumsum([0, *(len(part.source) for part in parts)])
    return Skin(
        np.concatenate([part.source for part in parts]),
        np.concatenate([part.arm for part in parts]),
        np.concatenate([part.triangles + start for part, start in zip(parts, starts)]),
        np.concatenate([part.elements for part in parts]),
        len(plates.triangles),
    )


def _nothing() -> Skin:
    return Skin(np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros((0, 3), np.int64), np.zeros(0, np.int64))


def _known(ids: IntArray, count: int) -> IntArray:
    """Ids of ``count`` cells, 0 where the record has none."""
    return ids if len(ids) == count else np.zeros(count, np.int64)


def plain_rows(cells: Topology) -> IntArray:
    """Rows of the lines without an outline."""
    if len(cells.line_outline) == 0:
        return np.arange(len(cells.lines))
    size = np.ptp(cells.outlines, axis=1).max(axis=1, initial=0.0) if len(cells.outlines) else np.zeros(0)
    drawn = cells.line_outline >= 0
    drawn[drawn] = size[cells.line_outline[drawn]] > 0.0
    return np.flatnonzero(~drawn)


def plain_lines(cells: Topology) -> IntArray:
    """Lines without an outline: they stay lines."""
    return np.asarray(cells.lines[plain_rows(cells)])


def _plates(points: FloatArray, cells: Topology) -> Skin:
    """Top and bottom of every triangle, and a rim along edges that belong to one triangle only."""
    triangles = cells.triangles
    used, local = np.unique(triangles, return_inverse=True)
    local, ids = local.reshape(triangles.shape), _known(cells.triangle_ids, len(triangles))
    if len(cells.thickness) == 0 or not cells.thickness.any():
        return Skin(used, np.zeros((len(used), 3)), local, ids)
    a, b, c = (points[triangles[:, i]] for i in range(3))
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1)
    summed, weight, thick = np.zeros((len(used), 3)), np.zeros(len(used)), np.zeros(len(used))
    for corner in local.T:
        np.add.at(summed, corner, normal)
        np.add.at(weight, corner, size)
        np.add.at(thick, corner, size * cells.thickness)
    length = np.linalg.norm(summed, axis=1, keepdims=True)
    unit = np.divide(summed, length, out=np.zeros_like(summed), where=length > 0.0)
    half = 0.5 * (thick / np.maximum(weight, 1e-300))[:, None] * unit
    n = len(used)
    edges = np.concatenate([local[:, [0, 1]], local[:, [1, 2]], local[:, [2, 0]]])
    _, first, counts = np.unique(np.sort(edges, axis=1), axis=0, return_index=True, return_counts=True)
    rows = np.sort(first[counts == 1])
    owners = np.tile(ids, 3)[rows]
    p, q = edges[rows].T
    sides = np.concatenate([np.column_stack([p, p + n, q]), np.column_stack([q, p + n, q + n])])
    return Skin(
        np.concatenate([used, used]),
        np.concatenate([half, -half]),
        np.concatenate([local, local[:, ::-1] + n, sides]),
        np.concatenate([ids, ids, owners, owners]),
    )


def _prisms(points: FloatArray, cells: Topology) -> Skin:
    """Every line with an outline as a prism between the sections of its ends."""
    if len(cells.line_outline) == 0 or len(cells.outlines) == 0:
        return _nothing()
    rows = np.flatnonzero(cells.line_outline >= 0)
    ends, offsets = cells.lines[rows], cells.line_offsets[rows]
    x = points[ends[:, 1]] + offsets[:, 1] - points[ends[:, 0]] - offsets[:, 0]
    length = np.linalg.norm(x, axis=1)
    rows, ends, offsets, x = (v[length > 0.0] for v in (rows, ends, offsets, x))
    if len(rows) == 0:
        return _nothing()
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    up = np.array(cells.line_up[rows])
    lost = np.linalg.norm(np.cross(x, up), axis=1) < 1e-6  # rods state no direction
    up[lost] = np.eye(3)[np.argmin(np.abs(x[lost]), axis=1)]
    z = np.cross(x, up)
    z /= np.linalg.norm(z, axis=1, keepdims=True)
    y = np.cross(z, x)
    outline = cells.outlines[cells.line_outline[rows]]
    m, count = outline.shape[:2]
    ring = outline[:, :, :1] * y[:, None] + outline[:, :, 1:] * z[:, None]
    arm = offsets[:, :, None, :] + ring[:, None]
    source = np.repeat(ends, count, axis=1).reshape(m, 2, count)
    here = np.arange(count)
    after = (here + 1) % count
    walls = [np.column_stack([here, after, here + count]), np.column_stack([after, after + count, here + count])]
    caps = np.column_stack([np.zeros(count - 2, np.int64), here[1:-1], here[2:]])
    pattern = np.concatenate([*walls, caps[:, ::-1], caps + count])
    triangles = pattern[None] + (2 * count * np.arange(m))[:, None, None]
    elements = np.repeat(_known(cells.line_ids, len(cells.lines))[rows], len(pattern))
    return Skin(source.ravel(), arm.reshape(-1, 3), triangles.reshape(-1, 3), elements)
