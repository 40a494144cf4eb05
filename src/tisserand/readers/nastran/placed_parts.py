"""SELOC: a superelement part is moved so that three of its points come to lie on three points of the main structure."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.model import StructuralModel
from tisserand.model.placing import placed_fields
from tisserand.readers.nastran.cards import Bulk, Row
from tisserand.units import UnitSystem

#: The two triangles of points are equal to this share of their size.
_SAME = 1e-4


def located(
    bulk: Bulk, main: StructuralModel | None, number: int, part: StructuralModel, units: UnitSystem
) -> StructuralModel:
    """The part where SELOC puts it; unchanged without one."""
    for row in bulk.rows("SELOC"):
        if row.integer(0) != number:
            continue
        here, there = points_of(row, None, part, 1, units), points_of(row, bulk, main, 4, units)
        sides = [np.linalg.norm(np.roll(x, -1, axis=0) - x, axis=1) for x in (here, there)]
        if np.abs(sides[0] - sides[1]).max() > _SAME * sides[0].max():
            raise row.error(
                4, "the three points of the main structure do not match those of the part",
                found=", ".join(f"{a:.6g} and {b:.6g}" for a, b in zip(*sides)), expected="equal distances",
            )  # fmt: skip
        A, B = triad(row, here), triad(row, there)
        Q = B.T @ A
        return part.changed(**placed_fields(part, Q, there[0] - Q @ here[0]))
    return part


def points_of(row: Row, bulk: Bulk | None, model: StructuralModel | None, start: int, units: UnitSystem) -> FloatArray:
    """(3, 3) m: three grid points of a model, or POINTs (basic system) of the bulk data, that a card names from a field on."""
    loose = {} if bulk is None else {point.integer(0): point for point in bulk.rows("POINT")}
    found = []
    for k in range(3):
        label = row.integer(start + k)
        if model is not None and label in model.nodes.ids:
            found.append(model.nodes.positions[model.nodes.indices(np.array([label], np.int64))[0]])
        elif label in loose:
            point = loose[label]
            if point.integer(1, 0):
                raise point.error(1, "a POINT that places a superelement must be in the basic system")
            found.append(np.array([point.real(2 + c, 0.0) for c in range(3)]) * units.length)
        else:
            raise row.error(start + k, "the grid point does not exist", found=label)
    return np.array(found)


def triad(row: Row, x: FloatArray) -> FloatArray:
    """Unit vectors (3, 3) as rows: along the first side, in the plane of the points, normal to it."""
    first, other = x[1] - x[0], x[2] - x[0]
    normal = np.cross(first, other)
    if not np.linalg.norm(normal) > 1e-9 * np.linalg.norm(first) * np.linalg.norm(other):
        raise row.error(1, "the three points lie on a line")
    e1, e3 = first / np.linalg.norm(first), normal / np.linalg.norm(normal)
    return np.array([e1, np.cross(e3, e1), e3])
