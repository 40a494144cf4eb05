"""GRID, GRDSET, SPOINT and EPOINT: the node table, sorted by id, and the permanent constraints of PS fields."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.model import CoordinateSystem, Nodes
from tisserand.readers.nastran.cards import WORD, Bulk, CardTable
from tisserand.readers.nastran.coordinate_systems import Frames
from tisserand.units import UnitSystem

_MOST_POINTS = 2_000_000
_FARTHEST = 1e30


def read_points(bulk: Bulk, frames: Frames, units: UnitSystem, notes: list[str]) -> tuple[Nodes | None, BoolArray]:
    """Nodes in SI (None when the section has no points) and permanently fixed components (n, 6)."""
    table = bulk.table("GRID", 8)
    defaults = {1: 0, 5: 0}
    single = "0"
    for row in bulk.rows("GRDSET"):
        defaults = {1: row.integer(1, 0), 5: row.integer(5, 0)}
        single = "".join(str(c + 1) for c in row.components(6)) if row.text(6) else "0"
    ids = table.integers(0)
    _positive(table, ids)
    position_system = table.integers(1, defaults[1])
    local = np.column_stack([table.reals(k, 0.0) for k in (2, 3, 4)]) if len(table) else np.zeros((0, 3))
    axes_system = table.integers(5, defaults[5])
    fixed = _components(table, 6, single)
    _parts(table, notes)
    scalar_ids = _implied(bulk, ids, _scalar_points(bulk), notes)
    if not len(ids) and not len(scalar_ids):
        return None, np.zeros((0, 6), np.bool_)
    rows = _without_twins(table, ids, np.column_stack([position_system, local, axes_system, fixed]), notes)
    ids, position_system, local = ids[rows], position_system[rows], local[rows]
    axes_system, fixed, table = axes_system[rows], fixed[rows], table.select(rows)
    positions = np.zeros((len(ids), 3))
    axes: FloatArray | None = None
    for number in np.unique(position_system).tolist():
        at = position_system == number
        positions[at] = _system(frames, table, at, 1, number).to_basic(local[at])
    moved = np.unique(axes_system).tolist()
    if any(moved):
        axes = np.zeros((len(ids), 3, 3))
        for number in moved:
            at = axes_system == number
            axes[at] = _system(frames, table, at, 5, number).axes_at(positions[at])
    far = ~(np.abs(positions) < _FARTHEST).all(axis=1)
    if far.any():
        raise table.error(
            int(np.argmax(far)), None, "the position is implausibly far away", found=int(ids[np.argmax(far)])
        )
    scalar: BoolArray | None = None
    if len(scalar_ids):
        both = np.intersect1d(scalar_ids, ids)
        if len(both):
            at_row = int(np.searchsorted(ids, both[0]))
            raise table.error(at_row, 0, "the id is a grid point and a scalar point", found=int(both[0]))
        scalar = np.zeros(len(ids) + len(scalar_ids), np.bool_)
        scalar[len(ids) :] = True
        order = np.argsort(np.concatenate([ids, scalar_ids]), kind="stable")
        ids = np.concatenate([ids, scalar_ids])[order]
        positions = np.concatenate([positions, np.zeros((len(scalar_ids), 3))])[order]
        fixed = np.concatenate([fixed, np.zeros((len(scalar_ids), 6), np.bool_)])[order]
        if axes is not None:
            axes = np.concatenate([axes, np.broadcast_to(np.eye(3), (len(scalar_ids), 3, 3))])[order]
        scalar = scalar[order]
    return Nodes(ids, positions * units.length, axes, scalar), fixed


def scaled(system: CoordinateSystem, units: UnitSystem) -> CoordinateSystem:
    """The same system with its origin in m."""
    return CoordinateSystem(system.id, system.kind, system.origin * units.length, system.axes)


def _positive(table: CardTable, ids: IntArray) -> None:
    if (ids <= 0).any():
        row = int(np.argmax(ids <= 0))
        raise table.error(row, 0, "is not a grid point id", found=int(ids[row]), expected="a positive number")


def _components(table: CardTable, column: int, default: str) -> BoolArray:
    """Digits 1-6 of a column as flags; blanks take the default digits."""
    preset = [str(digit) in default for digit in range(1, 7)]
    if table.blank(column).all():
        return np.tile(np.array(preset), (len(table), 1))
    chars = table.text(column)
    flags = np.stack([(chars == 48 + digit).any(axis=1) for digit in range(1, 7)], axis=1)
    wrong = ~((chars == 32) | ((chars >= 48) & (chars <= 54))).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        text = chars[row].tobytes().decode("latin-1").strip()
        raise table.error(row, column, "is not a set of components", found=repr(text), expected="digits 1 to 6")
    flags[(chars == 32).all(axis=1)] = preset
    return np.asarray(flags)


def _parts(table: CardTable, notes: list[str]) -> None:
    if (~table.blank(7)).any() and table.integers(7, 0).any():
        notes.append("GRID SEID partitions the model into superelements; the whole model is read instead")


def _scalar_points(bulk: Bulk) -> IntArray:
    found: list[IntArray] = []
    total = 0
    for row in bulk.rows("SPOINT", "EPOINT"):
        for item in row.identifiers(0):
            first, last = item if isinstance(item, tuple) else (item, item)
            total += last - first + 1
            if first <= 0 or total > _MOST_POINTS:
                raise row.error(None, "is not a usable range of scalar points", found=f"{first} to {last}")
            found.append(np.arange(first, last + 1, dtype=np.int64))
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)


def _implied(bulk: Bulk, grid: IntArray, stated: IntArray, notes: list[str]) -> IntArray:
    """Scalar points that CELAS3 and the like define by naming them."""
    named = [
        row.integer(at, 0)
        for row in bulk.rows(*(kind + number for kind in ("CELAS", "CDAMP", "CMASS") for number in "34"))
        for at in (2, 3)
        if row.kind(at) != WORD
    ]
    fresh = np.setdiff1d(np.array([n for n in named if n > 0], np.int64), np.concatenate([grid, stated]))
    if len(fresh):
        notes.append(f"{len(fresh)} scalar points are defined by the scalar elements that name them")
    return np.union1d(stated, fresh)


def _without_twins(table: CardTable, ids: IntArray, content: FloatArray, notes: list[str]) -> IntArray:
    """Rows sorted by id; a point stated twice with the same data counts once, with other data it is an error."""
    order = np.argsort(ids, kind="stable")
    again = ids[order][1:] == ids[order][:-1]
    if not again.any():
        return order
    first, second = order[:-1][again], order[1:][again]
    differs = (content[first] != content[second]).any(axis=1)
    if differs.any():
        k = int(np.argmax(differs))
        path, line = table.source.place(int(table.lines[first[k]]))
        raise table.error(
            int(second[k]),
            0,
            "the grid point is defined twice with different data",
            found=int(ids[second[k]]),
            expected=f"the same as {path.name}, line {line}",
        )
    notes.append(f"{int(again.sum())} GRID cards are stated twice with the same data")
    return np.asarray(order[np.concatenate([[True], ~again])])


def _system(frames: Frames, table: CardTable, at: BoolArray, column: int, number: int) -> CoordinateSystem:
    if number not in frames.systems:
        what = "fluid points are not supported" if number == -1 else "the coordinate system does not exist"
        raise table.error(int(np.argmax(at)), column, what, found=number)
    return frames.systems[number]
