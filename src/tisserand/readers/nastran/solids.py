"""Solids: CTETRA, CHEXA, CPENTA, CPYRAM and NASTRAN-95's CIHEX3 with PSOLID; node order turned into VTK's."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tisserand.model import Anisotropic3D, Isotropic, SolidBlock, SolidSection
from tisserand.model.solid_cells import SOLID_CELLS
from tisserand.readers.nastran.book import SectionBook
from tisserand.readers.nastran.cards import CardTable, Row
from tisserand.readers.nastran.draft import Draft

#: Kinds of every card, those with most nodes first.
_KINDS = {
    card: sorted((kind for kind, cell in SOLID_CELLS.items() if cell.card == card), key=lambda k: -SOLID_CELLS[k].nodes)
    for card in dict.fromkeys(cell.card for cell in SOLID_CELLS.values())
}


def read_solids(draft: Draft) -> list[SolidBlock]:
    """One block per kind of solid."""
    if not any(draft.bulk.has(card) for card in _KINDS):
        return []
    known = SectionBook(draft, {"PSOLID": _psolid})
    blocks: list[SolidBlock] = []
    for card, kinds in _KINDS.items():
        if not draft.bulk.has(card):
            continue
        most = SOLID_CELLS[kinds[0]].nodes
        table = draft.bulk.table(card, 2 + most)
        stated = np.column_stack([~table.blank(2 + k) for k in range(most)])
        count = stated.sum(axis=1)
        done = np.zeros(len(table), np.bool_)
        for kind in kinds:
            number = SOLID_CELLS[kind].nodes
            rows = (count == number) & stated[:, :number].all(axis=1)
            if rows.any():
                blocks.append(_block(draft, table.select(rows), kind, known))
                done |= rows
        if not done.all():
            row = int(np.argmax(~done))
            raise table.error(
                row,
                None,
                "has some but not all of its midside points",
                found=f"{int(count[row])} points",
                expected=" or ".join(str(SOLID_CELLS[kind].nodes) for kind in kinds),
            )
    return blocks


def _block(draft: Draft, table: CardTable, kind: str, known: SectionBook) -> SolidBlock:
    ids = table.integers(0)
    section = draft.section_indices(table, 1, known)
    nodes = np.column_stack([draft.node_indices(table, 2 + k) for k in SOLID_CELLS[kind].order])
    if draft.nodes.scalar is not None and draft.nodes.scalar[nodes].any():
        raise table.error(
            int(np.argmax(draft.nodes.scalar[nodes].any(axis=1))), 2, "a solid has a scalar point as node"
        )
    rows = np.argsort(ids, kind="stable")
    return SolidBlock(ids[rows], nodes[rows], section[rows], kind)


def _psolid(draft: Draft, row: Row, number: int) -> SolidSection:
    """Material, material axes by CORDM, and the integration that IN and ISOP request."""
    material = draft.material(row, 1)
    if not isinstance(material, (Isotropic, Anisotropic3D)):
        raise row.error(1, "solids need MAT1 or MAT9", found=row.integer(1))
    if row.integer(1) in draft.loose_poisson:
        raise row.error(
            1, "E and G of this material give no physical Poisson's ratio, which a solid needs", found=row.integer(1)
        )
    if row.word(6) not in ("", "SMECH", "STRUCTUR"):
        raise row.error(6, "only structural solids are supported", found=repr(row.word(6)))
    axes = None
    frame = row.integer(2, 0)
    if frame == -1 and isinstance(material, Anisotropic3D):
        raise row.error(2, "material axes that follow the element (CORDM = -1) are not supported")
    if frame > 0:
        system = draft.system(row, 2, frame)
        if system.kind != "rectangular" and isinstance(material, Anisotropic3D):
            raise row.error(2, "curved material axes are not supported", found=f"{system.kind} system {frame}")
        axes = system.axes
    return SolidSection(number, material, axes, _integration(row.word(3), row.word(5)))


def _integration(points: str, scheme: str) -> Literal["full", "reduced", "unlocked"]:
    """Nastran's defaults are bubble functions for linear and reduced integration for parabolic bricks."""
    if scheme in ("FULL", "1"):
        return "full"
    return "unlocked" if points in ("", "BUBBLE", "0") else "reduced"
