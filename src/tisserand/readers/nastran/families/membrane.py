"""Plane elements as membranes: CPLSTN (plane strain) and CPLSTS (plane stress) with PPLANE."""

from __future__ import annotations

import numpy as np

from tisserand.model import MembraneBlock, MembraneSection
from tisserand.model.laminate import plane_slice
from tisserand.model.ledger import ASSUMED
from tisserand.readers.nastran.book import SectionBook
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft
from tisserand.readers.nastran.line_properties import isotropic

_NODES = (3, 4, 6, 8)
#: Cards that this file reads.
CARDS = (*(f"CPLST{kind}{count}" for kind in "NS" for count in _NODES), "PPLANE")


def read(draft: Draft) -> list[MembraneBlock]:
    """One block per card; across their plane the points have no stiffness and are held as such."""
    blocks: list[MembraneBlock] = []
    for kind in "NS":
        book = SectionBook(draft, {"PPLANE": _strained if kind == "N" else _stressed})
        for count in _NODES:
            table = draft.bulk.table(f"CPLST{kind}{count}", 2 + count)
            if not len(table):
                continue
            nodes = np.column_stack([draft.node_indices(table, 2 + k) for k in range(count)])
            if draft.nodes.scalar is not None and draft.nodes.scalar[nodes].any():
                row = int(np.argmax(draft.nodes.scalar[nodes].any(axis=1)))
                raise table.error(row, 2, "a plane element has a scalar point as corner")
            corners = draft.nodes.positions[nodes[:, :2]]
            section = draft.section_indices(table, 1, book)
            blocks.append(MembraneBlock(table.integers(0), nodes, section, corners[:, 1] - corners[:, 0]))
    if blocks:
        draft.notes.append(
            f"{ASSUMED}plane elements (CPLSTN, CPLSTS): modes in their plane, across which points are held"
        )
    return blocks


def _strained(draft: Draft, row: Row, number: int) -> MembraneSection:
    return _slice(draft, row, number, strain=True)


def _stressed(draft: Draft, row: Row, number: int) -> MembraneSection:
    return _slice(draft, row, number, strain=False)


def _slice(draft: Draft, row: Row, number: int, *, strain: bool) -> MembraneSection:
    thickness = row.real(2, 1.0)
    if not thickness > 0.0:
        raise row.error(2, "the thickness must be positive", found=thickness)
    return plane_slice(
        number,
        isotropic(draft, row, 1),
        thickness * draft.units.length,
        strain=strain,
        nonstructural_mass=row.real(3, 0.0) * draft.mass_factor / draft.units.area,
    )
