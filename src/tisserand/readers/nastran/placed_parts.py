"""SELOC: a superelement part is moved so that three of its points come to lie on three points of the main structure."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.model import StructuralModel
from tisserand.model.placing import placed_fields
from tisserand.readers.nastran.cards import Bulk, Row

#: The two triangles of points are equal to this share of their size.
_SAME = 1e-4


def located(bulk: Bulk, main: StructuralModel | None, number: int, part: StructuralModel) -> StructuralModel:
    """The part where SELOC puts it; unchanged without one."""
    for row in bulk.rows("SELOC"):
        if row.integer(0) != number:
            continue
        if main is None:
            raise row.error(0, "a part is placed by points of the main structure, which has none")
        here, there = _points(row, part, 1), _points(row, main, 4)
        sides = [np.linalg.norm(np.roll(x, -1, axis=0) - x, axis=1) for x in (here, there)]
        if np.abs(sides[0] - sides[1]).max() > _SAME * sides[0].max():
            raise row.error(
                4, "the three points of the main structure do not match those of the part",
                found=", ".join(f"{a:.6g} and {b:.6g}" for a, b in zip(*sides)), expected="equal distances",
            )  # fmt: skip
        A, B = _triad(row, here), _triad(row, there)
        Q = B.T @ A
        return part.changed(**placed_fields(part, Q, there[0] - Q @ here[0]))
    return part


def _points(row: Row, model: StructuralModel, start: int) -> FloatArray:
    ids = [row.integer(start + k) for k in range(3)]
    for k, label in enumerate(ids):
        if label not in model.nodes.ids:
            raise row.error(start + k, "the grid point does not exist", found=label)
    return np.asarray(model.nodes.positions[model.nodes.indices(np.array(ids, np.int64))])


def _triad(row: Row, x: FloatArray) -> FloatArray:
    """Unit vectors (3, 3) as rows: along the first side, in the plane of the points, normal to it."""
    first, other = x[1] - x[0], x[2] - x[0]
    normal = np.cross(first, other)
    if not np.linalg.norm(normal) > 1e-9 * np.linalg.norm(first) * np.linalg.norm(other):
        raise row.error(1, "the three points lie on a line")
    e1, e3 = first / np.linalg.norm(first), normal / np.linalg.norm(normal)
    return np.array([e1, np.cross(e3, e1), e3])
