"""Shear panels: CSHEAR with PSHEAR."""

from __future__ import annotations

import numpy as np

from tisserand.model import ShearPanelBlock, ShearPanelSection
from tisserand.readers.nastran.book import SectionBook
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft
from tisserand.readers.nastran.line_properties import isotropic, nonnegative

#: Cards that this file reads.
CARDS = ("CSHEAR", "PSHEAR")


def read(draft: Draft) -> list[ShearPanelBlock]:
    """All shear panels as one block."""
    table = draft.bulk.table("CSHEAR", 6)
    if not len(table):
        return []
    ids = table.integers(0)
    nodes = np.column_stack([draft.node_indices(table, 2 + k) for k in range(4)])
    if draft.nodes.scalar is not None and draft.nodes.scalar[nodes].any():
        row = int(np.argmax(draft.nodes.scalar[nodes].any(axis=1)))
        raise table.error(row, 2, "a shear panel has a scalar point as corner")
    section = draft.section_indices(table, 1, SectionBook(draft, {"PSHEAR": _pshear}))
    order = np.argsort(ids, kind="stable")
    return [ShearPanelBlock(ids[order], nodes[order], section[order])]


def _pshear(draft: Draft, row: Row, number: int) -> ShearPanelSection:
    thickness = row.real(2)
    if not thickness > 0.0:
        raise row.error(2, "the thickness must be positive", found=thickness)
    return ShearPanelSection(
        number,
        isotropic(draft, row, 1),
        thickness * draft.units.length,
        row.real(3, 0.0) * draft.mass_factor / draft.units.area,
        (nonnegative(row, 4, 0.0), nonnegative(row, 5, 0.0)),
    )
