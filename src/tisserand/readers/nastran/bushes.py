"""CBUSH with PBUSH: six springs at a point between two nodes, in separate axes; CBUSH1D, CVISC and CGAP: along a line."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.model import BushBlock
from tisserand.readers.nastran.bush_axes import Bush, bush_axes, line_axes
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft
from tisserand.readers.nastran.gaps import read_gaps


def read_bushes(draft: Draft) -> list[BushBlock]:
    """All bushes as one block."""
    known = _properties(draft)
    found = [*_one_way(draft), *_viscous(draft), *read_gaps(draft)]
    for row in draft.bulk.rows("CBUSH"):
        number = row.integer(0)
        prop = row.integer(1, number)
        if prop not in known:
            raise row.error(1, "the property does not exist", found=prop)
        a = draft.node(row, 2)
        b = draft.node(row, 3) if row.text(3) and row.text(3) != b"0" else -1
        location = _location(draft, row, a, b)
        axes = bush_axes(draft, row, a, b, known[prop][0])
        found.append((number, (a, b), *known[prop], axes, location))
    if not found:
        return []
    found.sort(key=lambda item: item[0])
    ids, nodes, stiffness, damping, axes_, locations = zip(*found)
    return [
        BushBlock(
            np.array(ids), np.array(nodes), np.array(stiffness), np.array(damping), np.array(axes_), np.array(locations)
        )
    ]


def _one_way(draft: Draft) -> list[Bush]:
    """CBUSH1D: a spring and a damper along A-B, or along the x axis of CID."""
    known: dict[int, tuple[float, float]] = {}
    for row in draft.bulk.rows("PBUSH1D"):
        stiffness, damping = row.real(1, 0.0), row.real(2, 0.0)
        if stiffness < 0.0 or damping < 0.0:
            raise row.error(1 if stiffness < 0.0 else 2, "must not be negative", found=min(stiffness, damping))
        if row.real(3, 0.0):
            draft.dropped["PBUSH1D"] = "its mass M is not read; add it as a CONM2"
        if any(row.word(at) for at in range(8, len(row.fields), 8)):
            draft.approximations["PBUSH1D"] = (
                "K and C are used; SHOCKA, SPRING, DAMPER and GENER are nonlinear and are not"
            )
        known[row.integer(0)] = (stiffness * draft.units.linear_stiffness, damping * draft.units.linear_damping)
    found = []
    for row in draft.bulk.rows("CBUSH1D"):
        number = row.integer(0)
        prop = row.integer(1, number)
        if prop not in known:
            raise row.error(1, "the property does not exist", found=prop)
        a = draft.node(row, 2)
        b = draft.node(row, 3) if row.text(3) and row.text(3) != b"0" else -1
        if row.text(4):
            axes = np.asarray(draft.system(row, 4, row.integer(4)).axes_at(draft.nodes.positions[a : a + 1])[0])
        else:
            axes = line_axes(draft, row, a, b, "CID must give the axis")
        rates = np.zeros((2, 6))
        rates[:, 0] = known[prop]
        x = draft.nodes.positions
        found.append((number, (a, b), rates[0], rates[1], axes, np.asarray(x[a] if b < 0 else 0.5 * (x[a] + x[b]))))
    return found


def _viscous(draft: Draft) -> list[Bush]:
    """CVISC: a damper along its line and one about it."""
    known: dict[int, tuple[float, float]] = {}
    for row in draft.bulk.rows("PVISC"):
        for at in (0, 4):
            if row.text(at):
                known[row.integer(at)] = (row.real(at + 1, 0.0), row.real(at + 2, 0.0))
    units, found = draft.units, []
    for row in draft.bulk.rows("CVISC"):
        number = row.integer(0)
        prop = row.integer(1, number)
        if prop not in known:
            raise row.error(1, "the property does not exist", found=prop)
        a, b = draft.node(row, 2), draft.node(row, 3)
        damping = np.zeros(6)
        damping[[0, 3]] = np.array(known[prop]) * [units.linear_damping, units.linear_damping * units.length**2]
        middle = draft.nodes.positions[[a, b]].mean(axis=0)
        found.append(
            (number, (a, b), np.zeros(6), damping, line_axes(draft, row, a, b, "a damper needs a line"), middle)
        )
    return found


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
