"""Non-structural mass sets: NSM, NSM1 (per length or area), NSML, NSML1 (a total to spread), NSMADD."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.arrays import BoolArray, FloatArray
from tisserand.model import (
    BeamBlock,
    BeamSection,
    ElementBlock,
    RodBlock,
    RodSection,
    Section,
    ShellBlock,
    ShellSection,
)
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft

_LINES = {"PBAR", "PBARL", "PBEAM", "PBEAML", "PBCOMP", "PROD", "CONROD", "PTUBE", "PBEND"}
_AREAS = {"PSHELL", "PCOMP", "PCOMPG", "PSHEAR"}


def add_nonstructural(draft: Draft, blocks: list[ElementBlock]) -> list[ElementBlock]:
    """Blocks whose sections carry the selected non-structural mass (NSM in case control)."""
    cards = ("NSM", "NSM1", "NSML", "NSML1")
    rows = list(draft.bulk.rows(*cards))
    if not rows:
        return blocks
    wanted = draft.selection.number("NSM")
    if wanted is None:
        for card in {row.card for row in rows} | ({"NSMADD"} if draft.bulk.has("NSMADD") else set()):
            draft.unused[card] = "case control selects no NSM set"
        return blocks
    sets = {wanted}
    for row in draft.bulk.rows("NSMADD"):
        if row.integer(0) == wanted:
            sets |= {item for item in row.identifiers(1) if isinstance(item, int)}
    extra = [np.zeros(len(block.ids)) for block in blocks]
    sizes = [_sizes(draft, block) for block in blocks]
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
        unit = draft.units.area if isinstance(block, ShellBlock) else draft.units.length
        added[rows] += value / unit


def _chosen(draft: Draft, block: ElementBlock, kind: str, ids: list[int | tuple[int, int]] | None) -> BoolArray:
    """Which elements of a block are meant."""
    none = np.zeros(len(block.ids), np.bool_)
    if not isinstance(block, (RodBlock, BeamBlock, ShellBlock)):
        return none
    if kind == "ELEMENT":
        numbers = block.ids
    elif (kind in _AREAS) == isinstance(block, ShellBlock) and kind in _AREAS | _LINES:
        if kind in ("PROD", "CONROD", "PTUBE") and not isinstance(block, RodBlock):
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


def _sizes(draft: Draft, block: ElementBlock) -> FloatArray:
    """Length or area of every element, m or m²."""
    x = draft.nodes.positions
    if isinstance(block, (RodBlock, BeamBlock)):
        ends = x[block.nodes] + (block.offsets if isinstance(block, BeamBlock) else 0.0)
        return np.asarray(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1))
    if isinstance(block, ShellBlock):
        p = x[block.nodes]
        cross = (
            np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
            if p.shape[1] == 3
            else np.cross(p[:, 2] - p[:, 0], p[:, 3] - p[:, 1])
        )
        return np.asarray(0.5 * np.linalg.norm(cross, axis=1))
    return np.zeros(len(block.ids))


def _with_extra(draft: Draft, block: ElementBlock, added: FloatArray) -> ElementBlock:
    if not added.any() or not isinstance(block, (RodBlock, BeamBlock, ShellBlock)):
        return block
    section = np.array(block.section)
    for index, value in sorted({(int(s), float(v)) for s, v in zip(section, added) if v}):
        rows = (block.section == index) & (added == value)
        section[rows] = draft.add(heavier(draft.sections[index], value))
    return replace(block, section=section)


def heavier(section: Section, extra: float) -> Section:
    """The same section with more non-structural mass, kg/m or kg/m²."""
    if isinstance(section, RodSection):
        return replace(section, nonstructural_mass=section.nonstructural_mass + extra)
    if isinstance(section, BeamSection):
        ends = [
            replace(end, nonstructural_mass=end.nonstructural_mass + extra) if end else None
            for end in (section.end_a, section.end_b)
        ]
        return replace(section, end_a=ends[0], end_b=ends[1])  # type: ignore[arg-type]
    if isinstance(section, ShellSection):
        middle = section.bottom + section.thickness / 2.0
        return replace(
            section,
            areal_mass=section.areal_mass + extra,
            areal_first_moment=section.areal_first_moment + extra * middle,
            areal_inertia=section.areal_inertia + extra * (middle**2 + section.thickness**2 / 12.0),
        )
    return section
