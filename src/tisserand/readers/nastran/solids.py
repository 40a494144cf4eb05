"""Solids: CTETRA, CHEXA, CPENTA, CPYRAM and NASTRAN-95's CIHEX3 with PSOLID; node order turned into VTK's."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tisserand.arrays import BoolArray, IntArray
from tisserand.elements.solid_shapes import center_table
from tisserand.model import Anisotropic3D, Isotropic, SolidBlock, SolidSection
from tisserand.model.solid_cells import SOLID_CELLS
from tisserand.readers.nastran.book import SectionBook
from tisserand.readers.nastran.cards import CardTable, Row
from tisserand.readers.nastran.draft import Draft
from tisserand.readers.nastran.solid_plies import one_ply

#: Kinds of every card, those with most nodes first.
_KINDS = {
    card: sorted((kind for kind, cell in SOLID_CELLS.items() if cell.card == card), key=lambda k: -SOLID_CELLS[k].nodes)
    for card in dict.fromkeys(cell.card for cell in SOLID_CELLS.values())
}
#: Node order of the mirror image: lower and upper face change places, or the base is run through the other way.
_MIRRORED = {
    "tet4": (0, 2, 1, 3),
    "tet10": (0, 2, 1, 3, 6, 5, 4, 7, 9, 8),
    "hex8": (4, 5, 6, 7, 0, 1, 2, 3),
    "hex20": (4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11, 16, 17, 18, 19),
    "wedge6": (3, 4, 5, 0, 1, 2),
    "wedge15": (3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8, 12, 13, 14),
    "pyramid5": (0, 3, 2, 1, 4),
    "pyramid13": (0, 3, 2, 1, 4, 8, 7, 6, 5, 9, 12, 11, 10),
}


def read_solids(draft: Draft) -> list[SolidBlock]:
    """One block per kind of solid."""
    if not any(draft.bulk.has(card) for card in _KINDS):
        return []
    known = SectionBook(draft, {"PSOLID": _psolid, "PCOMPS": one_ply})
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
    left = _left_handed(draft, kind, nodes)
    if left.any():
        nodes[left] = nodes[left][:, _MIRRORED[kind]]
        draft.notes.append(
            f"{int(left.sum())} {table.card} are numbered left-handed, which Nastran accepts; the first is {ids[left][0]}"
        )
    rows = np.argsort(ids, kind="stable")
    return SolidBlock(ids[rows], nodes[rows], section[rows], kind)


def _left_handed(draft: Draft, kind: str, nodes: IntArray) -> BoolArray:
    """(m,) True where the cell is turned inside out at its center."""
    if kind not in _MIRRORED:
        return np.zeros(len(nodes), np.bool_)
    gradients = center_table(kind).gradients[0]
    return np.asarray(np.linalg.det(np.einsum("ak,mkb->mab", gradients, draft.nodes.positions[nodes])) < 0.0)


def _psolid(draft: Draft, row: Row, number: int) -> SolidSection:
    """Material, material axes by CORDM, and the integration that IN and ISOP request."""
    material = draft.material(row, 1)
    if not isinstance(material, (Isotropic, Anisotropic3D)):
        raise row.error(1, "solids need MAT1, MAT9 or MAT11", found=row.integer(1))
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
