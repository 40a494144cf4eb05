"""Material constants at the temperature that the deck states: *INITIAL CONDITIONS, TYPE=TEMPERATURE, zero where it has none."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword


def uniform_temperature(draft: Draft) -> float | None:
    """Temperature of every node of an element, deck units; None where it differs from node to node."""
    values = np.zeros(len(draft.node_ids))
    for context, keyword in draft.deck.model:
        if keyword.name == "INITIAL CONDITIONS" and keyword.options.get("TYPE", "").upper() == "TEMPERATURE":
            if id(keyword) not in draft.taken:
                draft.taken.add(id(keyword))
                draft.record("*INITIAL CONDITIONS", "used", "temperature of the material constants")
            for row, items in keyword.rows():
                nodes = draft.index(draft.nodes_of(context, items[0], keyword, row))
                values[nodes] = keyword.number(row, items[1] if len(items) > 1 else "")
    used = [draft.index(np.unique(group.nodes)) for group in draft.groups]
    at = values[np.concatenate(used)] if used else values[:0]
    if not len(at):
        return 0.0
    return float(at[0]) if np.ptp(at) == 0.0 else None


def constants_at(draft: Draft, keyword: Keyword, count: int) -> FloatArray:
    """``count`` constants of an ELASTIC or DENSITY block at the deck's temperature: linear within the table, constant beyond."""
    lines = -(-(count + 1) // 8)
    rows = [row for row, _ in keyword.rows()]
    if len(rows) < 2 * lines:
        first = -(-count // 8)
        values = np.concatenate([keyword.floats(row, 8)[:8] for row in rows[: max(first, 1)]])
        return _padded(values, count)
    table = []
    for start in range(0, len(rows) - lines + 1, lines):
        values = np.concatenate([keyword.floats(row, 8)[:8] for row in rows[start : start + lines]])
        table.append(_padded(values, count + 1))
    known = np.array(sorted(table, key=lambda line: line[count]))
    wanted = uniform_temperature(draft)
    if wanted is None:
        reason = (
            "depends on temperature, and the temperatures of the elements differ: the first constants would be used"
        )
        draft.record(f"*{keyword.name}", "dropped", f"{reason} (line {keyword.line})")
        return np.asarray(table[0][:count])
    draft.note(f"*{keyword.name} (line {keyword.line}) is taken at a temperature of {wanted:g}")
    return np.array([np.interp(wanted, known[:, count], known[:, k]) for k in range(count)])


def _padded(values: FloatArray, count: int) -> FloatArray:
    return np.asarray(np.append(values, np.zeros(max(count - len(values), 0)))[:count])
