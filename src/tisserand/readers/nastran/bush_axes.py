"""Axes of elements between two points: given by a system, or x along the line."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.readers.nastran.cards import INTEGER, Row
from tisserand.readers.nastran.draft import Draft

#: Id, nodes (-1: ground), stiffness (6,), damping (6,), axes (3, 3), place (3,); SI.
Bush = tuple[int, tuple[int, int], FloatArray, FloatArray, FloatArray, FloatArray]


def line_axes(draft: Draft, row: Row, a: int, b: int, need: str) -> FloatArray:
    """Axes as rows, x along A-B; any y will do."""
    along = draft.nodes.positions[b] - draft.nodes.positions[a] if b >= 0 else np.zeros(3)
    length = float(np.linalg.norm(along))
    if not length > 0.0:
        raise row.error(3, f"the ends coincide or one is the ground, so {need}")
    first = along / length
    third = np.cross(first, np.eye(3)[int(np.argmin(np.abs(first)))])
    third = third / np.linalg.norm(third)
    return np.array([first, np.cross(third, first), third])


def bush_axes(draft: Draft, row: Row, a: int, b: int, stiffness: FloatArray) -> FloatArray:
    """Bush axes as rows: by CID, or x along A-B with y toward an orientation vector or point."""
    x = draft.nodes.positions
    if row.text(7):
        system = draft.system(row, 7, row.integer(7))
        return np.asarray(system.axes_at(x[a : a + 1])[0])
    along = x[b] - x[a] if b >= 0 else np.zeros(3)
    length = float(np.linalg.norm(along))
    if not length > 0.0:
        raise row.error(
            7, "the ends coincide, so CID must give the axes", expected="a coordinate system id (0 is basic)"
        )
    first = along / length
    if row.kind(4) == INTEGER and not row.text(5) and not row.text(6):
        toward = x[draft.node(row, 4)] - x[a]
    elif any(row.text(4 + k) for k in range(3)):
        local = np.array([row.real(4 + k, 0.0) for k in range(3)])
        toward = local @ draft.axes_of(np.array([a]))[0]
    else:
        if stiffness[1] != stiffness[2] or stiffness[4] != stiffness[5]:
            raise row.error(
                4, "the orientation is blank but the stiffness differs across", expected="a vector, a grid point or CID"
            )
        toward = np.eye(3)[int(np.argmin(np.abs(first)))]
    third = np.cross(first, toward)
    size = float(np.linalg.norm(third))
    if not size > 1e-9 * float(np.linalg.norm(toward)):
        raise row.error(4, "the orientation is parallel to the axis of the element")
    third = third / size
    return np.array([first, np.cross(third, first), third])
