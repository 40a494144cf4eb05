"""BOUNDARY as supports, FREQUENCY as the analysis requested, TRANSFORM as node axes."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import BoolArray, FloatArray
from tisserand.model import Analysis, Preload, Supports
from tisserand.model.ledger import LOCAL_RESULTS
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.materials import Orientation, axes_from_points
from tisserand.readers.abaqus.scan import Keyword, is_id

_TYPES = {
    "ENCASTRE": "123456", "PINNED": "123", "XSYMM": "156", "YSYMM": "246", "ZSYMM": "345",
    "XASYMM": "234", "YASYMM": "135", "ZASYMM": "126",
}  # fmt: skip
#: Words of Abaqus that name several components at once.
SUPPORT_WORDS = frozenset(_TYPES)


def read_supports(draft: Draft, rotation_nodes: dict[int, int], last: int | None) -> Supports:
    """Components held by BOUNDARY in the model and in the steps up to that of index ``last`` (None: all)."""
    held = np.zeros((len(draft.node_ids), 6), np.bool_)
    for context, keyword in draft.deck.model:
        if keyword.name == "BOUNDARY" and _of_frequencies(draft, keyword):
            _hold(draft, context, keyword, held)
    for step in draft.deck.steps if last is None else draft.deck.steps[: last + 1]:
        for keyword in step:
            if keyword.name == "BOUNDARY" and _of_frequencies(draft, keyword):
                if keyword.options.get("OP", "MOD").upper() == "NEW":
                    held[:] = False
                _hold(draft, Context(), keyword, held)
    for turning, reference in rotation_nodes.items():  # CalculiX: translations of the ROT NODE are rotations
        stated = held[turning, :3].copy()
        held[turning] = False
        held[reference, 3:] |= stated
    held[list(draft.plane_nodes), 2] = True
    rows = np.flatnonzero(held.any(axis=1))
    return Supports(rows, held[rows])


def _of_frequencies(draft: Draft, keyword: Keyword) -> bool:
    """False for LOAD CASE=2, which holds the buckling modes of a *BUCKLE step alone."""
    if keyword.options.get("LOAD CASE", "1").strip() != "2":
        return True
    draft.record("*BOUNDARY, LOAD CASE=2", "skipped", "holds buckling modes alone")
    return False


def _hold(draft: Draft, context: Context, keyword: Keyword, held: BoolArray) -> None:
    known = set(draft.node_ids.tolist())
    for row, items in keyword.rows():
        if is_id(items[0]) and int(items[0]) + context.offset not in known:
            draft.note(f"*BOUNDARY (line {keyword.numbers[row]}) names node {items[0]}, which does not exist")
            continue
        nodes = draft.index(draft.nodes_of(context, items[0], keyword, row))
        word = items[1].upper() if len(items) > 1 else ""
        if word in _TYPES:
            for digit in _TYPES[word]:
                held[nodes, int(digit) - 1] = True
            continue
        if not word:
            raise keyword.error("a boundary has no degree of freedom", row=row, found=keyword.data[row].strip())
        first = keyword.integer(row, word)
        last = keyword.integer(row, items[2]) if len(items) > 2 and items[2] else first
        if first > 6 or first == last == 0:
            draft.record("*BOUNDARY", "skipped", "holds temperatures, pressures or electric dofs")
            continue
        if not 1 <= first <= last or last > 7:  # 7 is the warping of open beam sections
            raise keyword.error(
                "degrees of freedom are out of order or out of range",
                row=row,
                found=keyword.data[row].strip(),
                expected="1 to 6",
            )
        if len(items) > 3 and keyword.number(row, items[3]) != 0.0:
            draft.note("a prescribed displacement that is not zero is used as a support")
        held[nodes, first - 1 : min(last, 6)] = True
    draft.record("*BOUNDARY", "used")


def read_analysis(draft: Draft, chosen: int | None, preload: Preload | None) -> Analysis:
    """Count and range of the chosen FREQUENCY step."""
    _record_output_axes(draft, chosen)
    for keyword in draft.deck.steps[chosen] if chosen is not None else ():
        if keyword.name == "FREQUENCY":
            draft.record("*FREQUENCY", "used")
            rows = [row for row, _ in keyword.rows()]
            values = keyword.floats(rows[0], 3) if rows else np.zeros(3)
            count = int(values[0]) if values[0] >= 1.0 else None
            low, high = (float(value) or None for value in values[1:3])
            return Analysis(count=count, fmin_hz=low, fmax_hz=high, preload=preload)
    return Analysis()


def _record_output_axes(draft: Draft, chosen: int | None) -> None:
    """Whether results are written in the axes of TRANSFORM: the last NODE FILE up to the chosen step counts."""
    steps = draft.deck.steps[: 0 if chosen is None else chosen + 1]
    asked = [keyword for step in steps for keyword in step if keyword.name == "NODE FILE"]
    if draft.axes is not None and asked and asked[-1].options.get("GLOBAL", "").upper() == "NO":
        draft.record(LOCAL_RESULTS, "used", "shapes of a result file are in the axes of *TRANSFORM")


def node_axes(draft: Draft) -> FloatArray | None:
    """Axes (n, 3, 3) of every node, rows in global axes, from TRANSFORM; None when there is none."""
    axes: FloatArray | None = None
    for context, keyword in draft.deck.model:
        if keyword.name != "TRANSFORM":
            continue
        kind = keyword.options.get("TYPE", "R").upper()[:1]
        rows = [row for row, _ in keyword.rows()]
        if kind not in ("R", "C") or not rows:
            raise keyword.error("unsupported kind of transform", found=kind, expected="R or C with six numbers")
        a, b = keyword.floats(rows[0], 6)[:6].reshape(2, 3)
        own = axes_from_points(keyword, a, b, np.zeros(3), cylindrical=kind == "C") @ context.rotation.T
        origin = (context.rotation @ (a if kind == "C" else np.zeros(3)) + context.shift) * draft.units.length
        nodes = draft.index(draft.nodes_of(context, keyword.option("NSET"), keyword))
        if axes is None:
            axes = np.broadcast_to(np.eye(3), (len(draft.node_ids), 3, 3)).copy()
        axes[nodes] = Orientation(kind == "C", origin, own, 0, 0.0).axes_at(draft.positions[nodes])
        draft.record("*TRANSFORM", "used")
    return axes
