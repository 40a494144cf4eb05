"""Non-structural mass sets: NSM, NSM1 (per length or area), NSML, NSML1 (a total to spread), NSMADD."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from tisserand.arrays import BoolArray, FloatArray
from tisserand.model import ElementBlock
from tisserand.model.mass_points import element_sizes
from tisserand.readers.nastran.boundary import members_of, missing_set, unions_of
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft

_LINES = {"PBAR", "PBARL", "PBEAM", "PBEAML", "PBCOMP", "PROD", "CONROD", "PTUBE", "PBEND"}
_AREAS = {"PSHELL", "PCOMP", "PCOMPG", "PSHEAR"}


def add_nonstructural(draft: Draft, blocks: list[ElementBlock]) -> list[ElementBlock]:
    """Blocks whose sections carry the selected non-structural mass (NSM in case control)."""
    cards = ("NSM", "NSM1", "NSML", "NSML1")
    rows = list(draft.bulk.rows(*cards))
    unions = unions_of(draft, "NSMADD")
    known = {row.integer(0) for row in rows}
    wanted = draft.selection.number("NSM")
    if wanted is not None and wanted not in known | set(unions):
        missing_set(draft, "NSM", wanted, known | set(unions))
    if not rows:
        return blocks
    if wanted is None:
        for card in {row.card for row in rows} | ({"NSMADD"} if unions else set()):
            draft.unused[card] = "case control selects no NSM set"
        return blocks
    sets = members_of(draft, "NSM", unions, wanted, known) if wanted in unions else {wanted}
    extra = [np.zeros(len(block.ids)) for block in blocks]
    sizes = [element_sizes(draft.nodes, block) for block in blocks]
    for row in rows:
        if row.integer(0) in sets:
            for kind, ids, value, at in _statements(row):
                _spread(
                    draft,
                    row,
                    at,
                    blocks=blocks,
                    sizes=sizes,
                    extra=extra,
                    kind=kind,
                    ids=ids,
                    value=value * draft.mass_factor,
                )
    return [_with_extra(draft, block, added) for block, added in zip(blocks, extra)]


def _statements(row: Row) -> list[tuple[str, list[int | tuple[int, int]] | None, float, int]]:
    """(property kind or ELEMENT, ids or None for ALL, value, field) of one card."""
    kind = row.word(1)
    if row.card in ("NSM", "NSML"):
        return [(kind, [row.integer(at)], row.real(at + 1), at) for at in range(2, len(row.fields), 2) if row.text(at)]
    value = row.real(2)
    if row.word(3) == "ALL":
        return [(kind, None, value, 3)]
    return [(kind, row.identifiers(3), value, 3)]


def _spread(
    draft: Draft,
    row: Row,
    at: int,
    *,
    blocks: list[ElementBlock],
    sizes: list[FloatArray],
    extra: list[FloatArray],
    kind: str,
    ids: list[int | tuple[int, int]] | None,
    value: float,
) -> None:
    chosen = [_chosen(draft, block, kind, ids) for block in blocks]
    count = sum(int(rows.sum()) for rows in chosen)
    if count == 0:
        raise row.error(at, "no element takes this non-structural mass", found=f"{kind} {ids if ids else 'ALL'}")
    if row.card in ("NSML", "NSML1"):
        total = sum(float(size[rows].sum()) for size, rows in zip(sizes, chosen))
        if not total > 0.0:
            raise row.error(at, "the elements have no length or area to spread a mass over")
        for rows, added in zip(chosen, extra):
            added[rows] += value / total
        return
    for block, rows, added in zip(blocks, chosen, extra):
        unit = draft.units.area if block.facts.shape == "surface" else draft.units.length
        added[rows] += value / unit


def _chosen(draft: Draft, block: Any, kind: str, ids: list[int | tuple[int, int]] | None) -> BoolArray:
    """Which elements of a block are meant."""
    none = np.zeros(len(block.ids), np.bool_)
    if block.facts.shape not in ("line", "surface"):
        return none
    if kind == "ELEMENT":
        numbers = block.ids
    elif kind in (_AREAS if block.facts.shape == "surface" else _LINES):
        if kind in ("PROD", "CONROD", "PTUBE") and block.family != "rod":
            return none
        numbers = block.ids if kind == "CONROD" else np.array([s.id for s in draft.sections])[block.section]
    else:
        return none
    if ids is None:
        return ~none
    for item in ids:
        low, high = item if isinstance(item, tuple) else (item, item)
        none |= (numbers >= low) & (numbers <= high)
    return none


def _with_extra(draft: Draft, block: Any, added: FloatArray) -> Any:
    if not added.any():
        return block
    section = np.array(block.section)
    for index, value in sorted({(int(s), float(v)) for s, v in zip(section, added) if v}):
        rows = (block.section == index) & (added == value)
        section[rows] = draft.add(cast(Any, draft.sections[index]).heavier(value))
    return replace(block, section=section)
