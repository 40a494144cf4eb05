"""CYCLIC SYMMETRY MODEL: one segment of a circle is stated; the whole structure is built from it.

Ties with CYCLIC SYMMETRY name the two faces of the segment. CalculiX solves it for one nodal diameter at a time. Here all
segments are there: the modes of all nodal diameters come out, and the record is that of the structure that flies.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.builders.whole_circle import whole_circle
from tisserand.errors import ModelError
from tisserand.model import StructuralModel
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword

_NAME = "CYCLIC SYMMETRY MODEL"
_STAGES = (
    "cyclic symmetry: stages with different numbers of segments, or about different axes; write the whole structure"
)
_STATE = "cyclic symmetry: the static state of a step is not carried to the other segments; write the whole structure"


def account_for_cycles(draft: Draft, preloaded: bool) -> None:
    """Write the fate of cyclic symmetry: used, or dropped where it is one that cannot be unfolded."""
    found = _stated(draft)
    stages = draft.multistage or (len(found) > 1 and not all(_same(draft, found[0], other) for other in found[1:]))
    for keyword in found:
        draft.taken.add(id(keyword))
        if stages or preloaded:
            draft.record(f"*{_NAME}", "dropped", f"{_STAGES if stages else _STATE} (line {keyword.line})")
        else:
            draft.record(f"*{_NAME}", "used")
    if draft.faces and not found:
        draft.record(
            "*TIE", "dropped", "cyclic symmetry without *CYCLIC SYMMETRY MODEL: the number of segments is unknown"
        )


def unfolded(draft: Draft, model: StructuralModel) -> StructuralModel:
    """The model itself, or the whole structure where the deck states one segment of it."""
    found = _stated(draft)
    if not found or not draft.faces or draft.multistage:
        return model
    keyword = found[0]
    count, point, axis = _circle(draft, keyword)
    faces = [(model.nodes.indices(np.unique(one)), model.nodes.indices(np.unique(two))) for one, two in draft.faces]
    try:
        whole = whole_circle(model, count, axis, point, faces)
    except ModelError as error:
        raise keyword.error(error.what, found=error.found, advice=error.advice) from error
    note = (
        f"assumed: cyclic symmetry: the segment is repeated {count} times, so the modes are those of the whole structure, of "
        "all nodal diameters"
    )
    return whole.changed(ledger=replace(whole.ledger, notes=(*whole.ledger.notes, note)))


def _stated(draft: Draft) -> list[Keyword]:
    return [keyword for _, keyword in draft.deck.model if keyword.name == _NAME]


def _circle(draft: Draft, keyword: Keyword) -> tuple[int, FloatArray, FloatArray]:
    """Number of segments, a point on the axis (m) and its direction."""
    if not keyword.options.get("N"):
        raise keyword.error("the number of segments is missing", expected="N=")
    count = keyword.integer(0, keyword.options["N"])
    rows = [row for row, _ in keyword.rows()]
    if not rows:
        raise keyword.error("the axis of symmetry is missing", expected="two points on it")
    values = keyword.floats(rows[0], 6)
    if not np.linalg.norm(values[3:6] - values[:3]) > 0.0:
        raise keyword.error("the axis of symmetry has zero length", row=rows[0])
    return count, values[:3] * draft.units.length, values[3:6] - values[:3]


def _same(draft: Draft, one: Keyword, other: Keyword) -> bool:
    (m, a, u), (n, b, v) = _circle(draft, one), _circle(draft, other)
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    apart = np.linalg.norm(np.cross(b - a, u))
    return m == n and float(np.linalg.norm(np.cross(u, v))) < 1e-9 and float(apart) <= 1e-9 * (1.0 + abs(a).max())
