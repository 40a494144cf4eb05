"""CGAP with PGAP in a linear analysis: springs with the stiffness of the initial gap, closed or open."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.readers.nastran.bush_axes import Bush, bush_axes
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft

#: Share of the closed stiffness that an open gap has where KB is blank.
OPEN = 1e-14


def read_gaps(draft: Draft) -> list[Bush]:
    """Closed gaps (no initial opening) have KA along and KT across; open ones have KB along."""
    known = {row.integer(0): row for row in draft.bulk.rows("PGAP")}
    found: list[Bush] = []
    closed = 0
    for row in draft.bulk.rows("CGAP"):
        number = row.integer(0)
        prop = row.integer(1, number)
        if prop not in known:
            raise row.error(1, "the property does not exist", found=prop)
        a, b = draft.node(row, 2), draft.node(row, 3)
        stiffness, touches = _stiffness(known[prop])
        closed += touches
        axes = bush_axes(draft, row, a, b, stiffness)
        middle = draft.nodes.positions[[a, b]].mean(axis=0)
        found.append((number, (a, b), stiffness * draft.units.linear_stiffness, np.zeros(6), axes, middle))
    if found:
        words = f"linear, as at first: {closed} closed (KA, KT), {len(found) - closed} open (KB)"
        draft.approximations["CGAP"] = words
    return found


def _stiffness(row: Row) -> tuple[FloatArray, bool]:
    opening, along = row.real(1, 0.0), row.real(3)
    if along <= 0.0:
        raise row.error(3, "the stiffness of a closed gap must be positive", found=along)
    values = np.zeros(6)
    if opening > 0.0:
        values[0] = row.real(4, 0.0) or OPEN * along
    else:
        values[0] = along
        values[1:3] = row.real(5, row.real(6, 0.0) * along)
    return values, opening <= 0.0
