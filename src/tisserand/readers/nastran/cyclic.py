"""CYJOIN, CYSYM and CYAX: one segment of a cyclic structure is stated; the whole structure is built from it.

The number of segments is on CYSYM (or PARAM NSEGS in NASTRAN-95). No card states the axis: it is that of a cylindrical system
of the deck, or a basic axis, about which a turn by one segment takes one side to the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.builders.whole_circle import whole_circle
from tisserand.errors import ModelError
from tisserand.model import StructuralModel
from tisserand.model.ledger import ASSUMED
from tisserand.readers.nastran.balance import mass_read
from tisserand.readers.nastran.cards import Bulk, Row


def unfolded(bulk: Bulk, model: StructuralModel, parameters: dict[str, list[str]]) -> StructuralModel:
    """The model itself, or the whole structure where the deck states one segment of it."""
    rows = list(bulk.rows("CYJOIN"))
    if not rows:
        return model
    sides = {
        side: np.concatenate([_points(model, r) for r in rows if r.integer(0) == side] or [_none()]) for side in (1, 2)
    }
    _refuse_other_kinds(bulk, rows[0], sides, model, parameters)
    if _all_held(model, np.concatenate(list(sides.values()))):
        note = "cyclic symmetry: all joined points are held, so that the segments do not act on each other and one is taken alone"
        return _noted(model, f"{ASSUMED}{note}")
    count = _count(bulk, rows[0], parameters)
    axis = np.concatenate([_none(), *(_points(model, row, 0) for row in bulk.rows("CYAX"))])
    faces = [(np.unique(sides[1]), np.unique(sides[2])), *([(axis, axis)] if len(axis) else [])]
    reason: ModelError | None = None
    for point, direction in _axes(model):
        try:
            whole = whole_circle(model, count, direction, point, faces)
        except ModelError as error:
            reason = reason or error
            continue
        note = (
            f"{ASSUMED}cyclic symmetry: the segment is repeated {count} times, so the modes are those of the whole structure, of "
            "all nodal diameters"
        )
        balance = mass_read(whole.nodes, list(whole.elements), list(whole.sections))
        return _noted(whole.changed(ledger=replace(whole.ledger, balance=balance)), note)
    assert reason is not None
    raise rows[0].error(
        1,
        "no axis is found about which one side of the segment turns onto the other",
        found=reason.found,
        expected=f"an axis of a cylindrical system of the deck, or a basic axis, and {count} segments",
        advice="state a CORD2C whose axis is that of the symmetry",
    )


def _none() -> IntArray:
    return np.zeros(0, np.int64)


def _points(model: StructuralModel, row: Row, start: int = 2) -> IntArray:
    ids: list[int] = []
    for item in row.identifiers(start):
        ids += [item] if isinstance(item, int) else range(item[0], item[1] + 1)
    known = np.isin(ids, model.nodes.ids)
    if not known.all():
        raise row.error(start, "the grid point does not exist", found=ids[int(np.argmin(known))])
    return model.nodes.indices(np.array(ids, np.int64))


def _refuse_other_kinds(
    bulk: Bulk, row: Row, sides: dict[int, IntArray], model: StructuralModel, parameters: dict[str, list[str]]
) -> None:
    kinds = [r.word(1, "ROT") for r in bulk.rows("CYSYM")] or parameters.get("CTYPE", ["ROT"])[:1]
    if kinds[0] != "ROT":
        raise row.error(
            0, "cyclic symmetry by reflection is not supported", found=kinds[0], expected="ROT",
            advice="write the whole structure",
        )  # fmt: skip
    if not len(sides[1]) or not len(sides[2]):
        raise row.error(0, "a side of the segment has no points", expected="CYJOIN 1 and CYJOIN 2")
    if model.analysis.preload is not None:
        raise row.error(
            0, "the static state of a subcase is not carried to the other segments", advice="write the whole structure"
        )


def _count(bulk: Bulk, row: Row, parameters: dict[str, list[str]]) -> int:
    for card in bulk.rows("CYSYM"):
        return card.integer(0)
    text = parameters.get("NSEGS", [""])[0]
    if not text.isdigit():
        raise row.error(0, "the number of segments is not stated", found=text or None, expected="CYSYM, or PARAM NSEGS")
    return int(text)


def _all_held(model: StructuralModel, points: IntArray) -> bool:
    held = np.zeros((len(model.nodes), 6), np.bool_)
    np.logical_or.at(held, model.supports.nodes, model.supports.fixed)
    return bool(held[points].all())


def _axes(model: StructuralModel) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Candidates: axes of cylindrical systems in order of their ids, then the basic axes z, x, y."""
    for system in model.coordinate_systems:
        if system.kind == "cylindrical":
            yield system.origin, system.axes[2]
    for k in (2, 0, 1):
        yield np.zeros(3), np.eye(3)[k]


def _noted(model: StructuralModel, note: str) -> StructuralModel:
    return model.changed(ledger=replace(model.ledger, notes=(*model.ledger.notes, note)))
