"""NODAL THICKNESS: thicknesses of shells that are stated at nodes."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword
from tisserand.readers.corner_thickness import STATEMENT, mean_and_bending


def read_nodal_thickness(draft: Draft) -> dict[int, float]:
    """Thickness, m, by global node id; used by sections that say NODAL THICKNESS."""
    found: dict[int, float] = {}
    for context, keyword in draft.deck.model:
        if keyword.name != "NODAL THICKNESS":
            continue
        for row, items in keyword.rows():
            value = keyword.number(row, items[1] if len(items) > 1 else "")
            if not value > 0.0:
                raise keyword.error("a thickness must be above zero", row=row, found=value)
            nodes = draft.nodes_of(context, items[0], keyword, row)
            found.update(dict.fromkeys(nodes.tolist(), value * draft.units.length))
        draft.record("*NODAL THICKNESS", "used")
    return found


def corner_thickness(draft: Draft, keyword: Keyword, nodes: IntArray) -> FloatArray:
    """(m, 2) mean thickness, m, and 12 I / t³ of shells with these node indices (m, 3, 4, 6 or 8)."""
    known = np.array([draft.nodal_thickness.get(int(node), np.nan) for node in draft.node_ids])
    corners = 3 if nodes.shape[1] in (3, 6) else 4
    values = known[nodes]
    bare = np.isnan(values[:, :corners]).any(axis=1)
    if bare.any():
        at = nodes[np.argmax(bare)][np.isnan(values[np.argmax(bare), :corners]).argmax()]
        raise keyword.error(
            "the section asks for thicknesses at nodes, and a node has none",
            found=f"node {int(draft.node_ids[at])}",
            expected="a *NODAL THICKNESS for every corner",
        )
    if (np.ptp(values[:, :corners], axis=1) > 0.0).any():
        draft.record("*NODAL THICKNESS", "approximated", STATEMENT)
    return np.array([mean_and_bending(row[:corners]) for row in values])
