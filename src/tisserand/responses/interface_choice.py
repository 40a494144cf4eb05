"""Interface dofs as people name them: ``101,102:123,feet``, and which of them the structure can use."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError
from tisserand.model import Supports
from tisserand.modes.component import Coordinate, ReducedComponent
from tisserand.modes.interface import dof_name, interface_rows

#: Diagonal terms below this part of the terms that they are the sum of are none.
_NOTHING = 1e-12
_DIGITS = re.compile(r"[1-6]+")


def chosen_dofs(
    model: AssembledModel, items: Sequence[int | str] | IntArray, digits: str = "123456", word: str = "interface"
) -> IntArray:
    """(p, 2) rows (node index, component) of items such as 101, ``101:123``, ``feet`` or ``feet:3``, in their order.

    items: rows themselves pass unchanged; digits: components of items that state none; a scalar point has one component;
    word: what the items are, for messages.
    """
    if isinstance(items, np.ndarray):
        return np.asarray(items, np.int64).reshape(-1, 2)
    rows: list[tuple[int, int]] = []
    for item in items:
        place, colon, own = str(item).rpartition(":") if ":" in str(item) else (str(item), "", "")
        wanted = own if colon else digits
        if not _DIGITS.fullmatch(wanted):
            raise InputError(
                "components are digits from 1 to 6", where=f"{word} {item}", found=repr(wanted), expected="such as 123"
            )
        for node in _nodes_of(model, place, f"{word} {item}"):
            scalar = model.nodes.scalar is not None and bool(model.nodes.scalar[node])
            for digit in "1" if scalar else wanted:
                row = (int(node), int(digit) - 1)
                if row in rows:
                    raise InputError("a dof is named twice", where=f"{word} {item}", found=dof_name(model, *row))
                rows.append(row)
    if not rows:
        raise InputError("no interface is named", expected="node ids, points or node sets, such as 101,102,feet")
    return np.array(rows, np.int64)


def _nodes_of(model: AssembledModel, place: str, where: str) -> IntArray:
    """Rows of the node table of an id or a name."""
    if place.isdecimal():
        found = np.flatnonzero(model.nodes.ids == int(place))
        if not len(found):
            ids = model.nodes.ids
            raise InputError(
                "no such node", where=where, found=int(place),
                expected=f"one of {len(ids)} ids from {ids.min()} to {ids.max()}",
            )  # fmt: skip
        return found
    if model.structure is None:
        raise InputError("this source has no names of nodes", where=where, expected="node ids")
    return model.structure.at(place)


def connected_dofs(model: AssembledModel, dofs: IntArray) -> tuple[IntArray, tuple[str, ...]]:
    """The dofs that elements or ties use, and the names of the others."""
    active = model.dofs.index[dofs[:, 0], dofs[:, 1]] >= 0
    if not active.all():
        rest = np.flatnonzero(~active)
        active[rest] = np.abs(interface_rows(model, dofs[rest])).max(axis=1) > 0.0
    return dofs[active], tuple(dof_name(model, *row) for row in dofs[~active])


def released(model: AssembledModel, dofs: IntArray, supports: Supports) -> tuple[Supports, tuple[str, ...]]:
    """Supports without the given dofs, and the names of those that were held."""
    held = np.zeros((len(model.nodes), 6), np.bool_)
    np.logical_or.at(held, supports.nodes, supports.fixed)
    names = tuple(dof_name(model, *row) for row in dofs if held[row[0], row[1]])
    held[dofs[:, 0], dofs[:, 1]] = False
    rows = np.flatnonzero(held.any(axis=1))
    return Supports(rows, held[rows]), names


def without_empty(part: ReducedComponent) -> tuple[ReducedComponent, tuple[Coordinate, ...]]:
    """The component without interface dofs that move no mass and strain nothing, and those dofs."""
    shapes = np.abs(part.shapes)

    def none(matrix: FloatArray, full: object) -> BoolArray:
        terms = np.einsum("ik,ik->k", shapes, abs(full) @ shapes)  # type: ignore[arg-type]
        return np.asarray(np.diag(matrix) <= _NOTHING * terms)

    empty = none(part.stiffness, part.model.stiffness) & none(part.mass, part.model.mass)
    lost = [i for i in part.physical if empty[i]]
    if not lost:
        return part, ()
    kept = [i for i in range(len(part)) if i not in lost]
    return part.keeping(kept), tuple(part.coordinates[i] for i in lost)
