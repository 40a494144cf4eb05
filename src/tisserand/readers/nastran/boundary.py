"""Supports and requests: SPC SPC1 SPCADD, SUPORT, ASET/BSET/CSET/QSET/OMIT, EIGR/EIGRL, GRDPNT."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.errors import ReadError
from tisserand.model import Analysis, Constraint, Equation, Interpolation, Supports
from tisserand.model.ledger import ASSUMED
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft

#: How a user chooses a set in place of the one that case control selects.
_CHOICE = {"SPC": "--spc N (spc=N in Python)", "MPC": "mpc=N of read_model in Python"}


def selected_sets(draft: Draft, key: str, cards: tuple[str, ...], union: str, asked: int | None) -> set[int] | None:
    """Ids of the sets that apply: those named in case control (or ``asked``), with SPCADD/MPCADD resolved; None if none.

    Without case control the only set applies; several are ambiguous.
    """
    rows = list(draft.bulk.rows(*cards))
    unions = unions_of(draft, union)
    present = {row.integer(0) for row in rows}
    wanted = asked if asked is not None else draft.selection.number(key)
    if wanted is None:
        if draft.controlled or not rows:
            for card in {row.card for row in rows}:
                draft.unused[card] = f"case control selects no {key} set"
            if rows:
                sets = ", ".join(str(number) for number in sorted(present | set(unions))[:8])
                draft.notes.append(
                    f"{ASSUMED}case control selects no {key} set, so none holds; the deck has {sets} "
                    f"(choose one with {_CHOICE[key]})"
                )
            return None
        candidates = sorted(unions) or sorted(present)
        if len(candidates) > 1:
            raise rows[0].error(
                0,
                f"the file has no case control and several {key} sets",
                found=candidates[:10],
                advice=f"choose one with {_CHOICE[key]}",
            )
        wanted = candidates[0]
        draft.notes.append(f"{ASSUMED}no case control, so {key} set {wanted}, the only one, holds")
    if wanted in unions:
        chosen = members_of(draft, key, unions, wanted, present)
    else:
        chosen = {wanted} & present
        if not chosen:
            missing_set(draft, key, wanted, present | set(unions))
    for card in {row.card for row in rows} - {row.card for row in rows if row.integer(0) in chosen}:
        draft.unused[card] = f"not in the selected {key} set {wanted}"
    return chosen


def unions_of(draft: Draft, card: str) -> dict[int, list[Row]]:
    """Cards of every union by its number; several cards of one number make one union."""
    found: dict[int, list[Row]] = {}
    for row in draft.bulk.rows(card):
        found.setdefault(row.integer(0), []).append(row)
    return found


def members_of(draft: Draft, key: str, unions: dict[int, list[Row]], wanted: int, present: set[int]) -> set[int]:
    """Sets that union ``wanted`` (SPCADD, MPCADD, NSMADD) names; a set of the same number does not apply beside it.

    Members that do not exist are assumed to be empty, as Simcenter Nastran and OptiStruct run such decks; a union whose members
    are all missing is treated as a selected set that does not exist.
    """
    chosen, missing = set[int](), list[int]()
    for row, item in [(card, item) for card in unions[wanted] for item in card.identifiers(1)]:
        first, last = item if isinstance(item, tuple) else (item, item)
        if first == last and first in unions and first not in present:
            raise row.error(1, f"a union of {key} sets names another union", found=first, expected=f"ids of {key} sets")
        found = {number for number in present if first <= number <= last}
        missing += [] if found else [first]
        chosen |= found
    row = unions[wanted][0]
    if missing and not chosen:
        missing_set(draft, key, missing[0], present, row)
    elif missing:
        named = ", ".join(map(str, missing[:8]))
        draft.notes.append(f"{ASSUMED}{row.card} {wanted} names {key} {named}, which does not exist: the others apply")
    if wanted in present:
        draft.notes.append(
            f"{ASSUMED}{row.card} {wanted} and a set of the same number: the union alone applies, as in Nastran"
        )
    return chosen


def missing_set(draft: Draft, key: str, wanted: int, known: set[int], union: Row | None = None) -> None:
    """A selected set without cards is an error where other sets of its kind (``known``) exist, else a note.

    Nastran runs decks that select a set and have no such card at all; sets of parts are in their bulk data. ``union``: the
    card that names the set.
    """
    says = "case control selects" if union is None else f"{union.card} {union.integer(0)} names"
    if draft.bulk.part or draft.bulk.counts().get("SEBULK"):
        draft.notes.append(f"{says} {key} {wanted}, which this part does not have")
        return
    if not known:
        draft.notes.append(f"{ASSUMED}{says} {key} {wanted}, which does not exist: nothing comes of it")
        return
    expected = f"one of {', '.join(map(str, sorted(known)[:20]))}"
    if union is not None:
        raise union.error(None, f"none of the {key} sets of the union exists", found=wanted, expected=expected)
    raise ReadError(
        draft.bulk.source.path,
        None,
        f"the selected {key} set does not exist",
        found=f"{key} {wanted}",
        expected=expected,
    )


def read_supports(draft: Draft, permanent: BoolArray, sets: set[int] | None) -> Supports:
    """Selected SPC and SPC1 together with the PS fields of grid points."""
    fixed = permanent.copy()
    chosen = sets or set()
    for row in draft.bulk.rows("SPC"):
        if row.integer(0) in chosen:
            for at in (1, 4):
                if row.text(at):
                    fixed[draft.node(row, at), row.components(at + 1, "0")] = True
                    if row.real(at + 2, 0.0) != 0.0:
                        draft.approximations["SPC"] = "an enforced displacement is held at zero"
    for row in draft.bulk.rows("SPC1"):
        if row.integer(0) in chosen:
            nodes = draft.node_list(row, 2)
            fixed[nodes[:, None], np.array(row.components(1, "0"))[None, :]] = True
    nodes = np.flatnonzero(fixed.any(axis=1))
    return Supports(nodes, fixed[nodes])


def enforced(draft: Draft, sets: set[int] | None) -> tuple[IntArray, FloatArray]:
    """Components (q, 2) that the selected SPC move, and by how much (q,) m or rad."""
    rows: list[tuple[int, int]] = []
    values: list[float] = []
    for row in draft.bulk.rows("SPC"):
        for at in (1, 4):
            if row.integer(0) in (sets or set()) and row.text(at) and (value := row.real(at + 2, 0.0)):
                node = draft.node(row, at)
                for component in row.components(at + 1, "0"):
                    rows.append((node, component))
                    values.append(value * (draft.units.length if component < 3 else 1.0))
    return np.array(rows, np.int64).reshape(-1, 2), np.array(values)


def read_analysis(draft: Draft, supports: Supports, ties: Iterable[Constraint]) -> Analysis:
    """Eigenvalue request, boundary sets, reference components."""
    count, low, high = _eigenvalues(draft)
    modal = _set_rows(draft, ("QSET",), ("QSET1",))
    boundary = _set_rows(
        draft, ("ASET", "BSET", "CSET", "BNDFIX", "BNDFREE"), ("ASET1", "BSET1", "CSET1", "BNDFIX1", "BNDFREE1")
    )
    loose = _set_rows(draft, ("CSET", "BNDFREE"), ("CSET1", "BNDFREE1"))
    for card in ("RVDOF", "RVDOF1"):
        if draft.bulk.has(card) and len(modal):
            draft.approximations[card] = "residual vectors of these dofs are not added to the modes of the reduction"
    omitted = _set_rows(draft, ("OMIT",), ("OMIT1",))
    if len(omitted) and not len(boundary):
        boundary = _complement(draft, omitted, supports, ties)
    boundary = _without(boundary, modal)
    reference = _set_rows(draft, ("SUPORT",), ())
    wanted = draft.selection.number("SUPORT1")
    known = {row.integer(0) for row in draft.bulk.rows("SUPORT1")}
    if wanted is not None and wanted not in known:
        missing_set(draft, "SUPORT1", wanted, known)
    for row in draft.bulk.rows("SUPORT1"):
        if row.integer(0) == wanted:
            reference = np.concatenate([reference, _pairs(draft, row, 1)])
    center = None
    if "GRDPNT" in draft.parameters:
        text = draft.parameters["GRDPNT"][0]
        number = int(text) if text.isdigit() and len(text) < 18 else 0
        if number > 0:
            at = int(draft.find(np.array([number]))[0])
            center = at if at >= 0 else None
    return Analysis(
        count, low, high, boundary, len(np.unique(modal, axis=0)), reference, center,
        free_interface=_without(loose, modal),
    )  # fmt: skip


def _eigenvalues(draft: Draft) -> tuple[int | None, float | None, float | None]:
    """Number and range of modes of the selected EIGR/EIGRL (the only one when nothing is selected)."""
    rows = list(draft.bulk.rows("EIGRL", "EIGR"))
    wanted = draft.selection.number("METHOD")
    chosen = [row for row in rows if row.integer(0) == wanted] if wanted is not None else rows
    if wanted is not None and not chosen and not draft.bulk.part:
        draft.notes.append(
            f"{ASSUMED}case control selects METHOD {wanted}, but there is no EIGRL or EIGR {wanted}: the number of modes is ours"
        )
    if len(chosen) != 1 and wanted is None:
        return None, None, None
    if not chosen:
        return None, None, None
    row = chosen[0]
    at = (1, 2, 3) if row.card == "EIGRL" else (2, 3, 5)
    if row.card == "EIGRL" and "=" in row.word(8):
        return None, None, None
    low = row.real(at[0]) if row.text(at[0]) else None
    high = row.real(at[1]) if row.text(at[1]) else None
    count = row.integer(at[2]) if row.text(at[2]) else None
    if count is not None and count <= 0:
        count = None
    if low is not None and low > 0.0:
        draft.notes.append(
            f"{ASSUMED}{row.card} {row.integer(0)} asks for modes above {low:g} Hz; lower ones are given too, and counted, since "
            f"a record needs them (leave them out with --fmin {low:g})"
        )
    return count, low, high if high is None or high > 0.0 else None


def _pairs(draft: Draft, row: Row, start: int) -> IntArray:
    """(node, component) rows of a card that lists id, components, id, components."""
    out: list[tuple[int, int]] = []
    for at in range(start, len(row.fields), 2):
        if row.text(at):
            node = draft.node(row, at)
            out.extend((node, c) for c in row.components(at + 1, "0"))
    return np.array(out, np.int64).reshape(-1, 2)


def _set_rows(draft: Draft, by_pair: tuple[str, ...], by_list: tuple[str, ...]) -> IntArray:
    """(node, component) rows of ASET-like cards: pairs, or components followed by points."""
    found: list[IntArray] = [_pairs(draft, row, 0) for row in draft.bulk.rows(*by_pair)]
    for row in draft.bulk.rows(*by_list):
        nodes = draft.node_list(row, 1)
        own = np.array(row.components(0, "0"))
        found.append(np.stack([np.repeat(nodes, len(own)), np.tile(own, len(nodes))], axis=1))
    if not found:
        return np.zeros((0, 2), np.int64)
    return np.unique(np.concatenate(found), axis=0)


def _without(rows: IntArray, removed: IntArray) -> IntArray:
    gone = {tuple(row) for row in removed.tolist()}
    return np.array([row for row in rows.tolist() if tuple(row) not in gone], np.int64).reshape(-1, 2)


def _complement(draft: Draft, omitted: IntArray, supports: Supports, ties: Iterable[Constraint]) -> IntArray:
    """Every component of every node that is not omitted, supported or dependent."""
    free = np.ones((len(draft.nodes), 6), np.bool_)
    if draft.nodes.scalar is not None:
        free[draft.nodes.scalar, 1:] = False
    free[omitted[:, 0], omitted[:, 1]] = False
    free[supports.nodes] &= ~supports.fixed
    for tie in ties:
        rows = _dependent(tie)
        free[rows[:, 0], rows[:, 1]] = False
    return np.argwhere(free).astype(np.int64)


def _dependent(tie: Constraint) -> IntArray:
    if isinstance(tie, Equation):
        return tie.terms[:1]
    if isinstance(tie, Interpolation):
        if tie.dependent is not None:
            return tie.dependent
        return np.stack([np.full(len(tie.components), tie.reference), tie.components], axis=1)
    return tie.dependent
