"""CBUSH with PBUSH: six springs at a point between two nodes, in separate axes."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.model import BushBlock
from tisserand.readers.nastran.cards import INTEGER, Row
from tisserand.readers.nastran.draft import Draft


def read_bushes(draft: Draft) -> list[BushBlock]:
    """All bushes as one block."""
    known = _properties(draft)
    rows = list(draft.bulk.rows("CBUSH"))
    if not rows:
        return []
    found = []
    for row in rows:
        number = row.integer(0)
        prop = row.integer(1, number)
        if prop not in known:
            raise row.error(1, "the property does not exist", found=prop)
        a = draft.node(row, 2)
        b = draft.node(row, 3) if row.text(3) and row.text(3) != b"0" else -1
        location = _location(draft, row, a, b)
        axes = _axes(draft, row, a, b, known[prop][0])
        found.append((number, (a, b), *known[prop], axes, location))
    found.sort(key=lambda item: item[0])
    ids, nodes, stiffness, damping, axes_, locations = zip(*found)
    return [
        BushBlock(
            np.array(ids), np.array(nodes), np.array(stiffness), np.array(damping), np.array(axes_), np.array(locations)
        )
    ]


def _properties(draft: Draft) -> dict[int, tuple[FloatArray, FloatArray]]:
    units = draft.units
    lengths = np.array([1.0, 1.0, 1.0, units.length**2, units.length**2, units.length**2])
    known: dict[int, tuple[FloatArray, FloatArray]] = {}
    for row in draft.bulk.rows("PBUSH"):
        stiffness, damping = np.zeros(6), np.zeros(6)
        for at in range(1, len(row.fields), 8):
            word = row.word(at)
            values = np.array([row.real(at + 1 + k, 0.0) for k in range(6)]) if word in ("K", "B", "M") else np.zeros(6)
            if word == "K":
                if (values < 0.0).any():
                    raise row.error(
                        at + 1 + int(np.argmax(values < 0.0)), "a stiffness is negative", found=values.min()
                    )
                stiffness = values * units.linear_stiffness * lengths
            elif word == "B":
                damping = values * units.linear_damping * lengths
            elif word == "M" and values.any():
                draft.dropped["PBUSH"] = "its mass M is not read; add it as a CONM2"
            elif word not in ("K", "B", "GE", "RCV", "M", "T", ""):
                raise row.error(at, "is not a flag of PBUSH", found=repr(word), expected="K, B, GE, RCV or M")
        known[row.integer(0)] = (stiffness, damping)
    return known


def _location(draft: Draft, row: Row, a: int, b: int) -> FloatArray:
    """Where the springs sit: a fraction S of the way from A to B, or a point in system OCID."""
    x = draft.nodes.positions
    if b < 0:
        return np.asarray(x[a])
    system = row.integer(9, -1)
    if system >= 0:
        local = np.array([row.real(10 + k, 0.0) for k in range(3)])
        frame = draft.system(row, 9, system)
        if frame.kind == "rectangular":
            return np.asarray(frame.to_basic(local * draft.units.length)[0])
        lengths = np.array([1.0, 0.0, 1.0] if frame.kind == "cylindrical" else [1.0, 0.0, 0.0])
        return np.asarray(frame.to_basic(np.where(lengths > 0, local * draft.units.length, local))[0])
    fraction = row.real(8, 0.5)
    return np.asarray(x[a] + fraction * (x[b] - x[a]))


def _axes(draft: Draft, row: Row, a: int, b: int, stiffness: FloatArray) -> FloatArray:
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
