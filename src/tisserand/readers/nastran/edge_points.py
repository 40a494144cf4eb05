"""Solids that leave out some midside points: the edge there is straight, and its middle follows the two ends.

A parabolic element whose edge has no midside point interpolates linearly along it. The same element with all points, whose middle
moves as the mean of the ends, has exactly these shape functions.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.arrays import BoolArray
from tisserand.model import Equation, Nodes
from tisserand.readers.nastran.cards import Bulk, Row

#: Ends of the edge of every midside point, in the order of the card (corners count from 0).
_EDGES: dict[str, tuple[int, tuple[tuple[int, int], ...]]] = {
    "CHEXA": (8, ((0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 5), (2, 6), (3, 7), (4, 5), (5, 6), (6, 7), (7, 4))),
    "CPENTA": (6, ((0, 1), (1, 2), (2, 0), (0, 3), (1, 4), (2, 5), (3, 4), (4, 5), (5, 3))),
    "CPYRAM": (5, ((0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4))),
    "CTETRA": (4, ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))),
}


def complete_edges(
    bulk: Bulk, nodes: Nodes, fixed: BoolArray, notes: list[str]
) -> tuple[Nodes, BoolArray, tuple[Equation, ...]]:
    """Fill in midside points that cards leave out: nodes with the points added, permanent supports, ties of the points."""
    middle: dict[tuple[int, int], int] = {}
    spare = int(nodes.ids.max())
    for card, (corners, edges) in _EDGES.items():
        if not bulk.has(card) or not _some_left_out(bulk, card, corners, len(edges)):
            continue
        rows = [_filled(row, corners, edges, middle, spare) for row in bulk.rows(card)]
        bulk.batches.pop(card, None)
        bulk.singles[card] = rows
    if not middle:
        return nodes, fixed, ()
    ends = nodes.indices(np.array(list(middle)).ravel()).reshape(-1, 2)
    count, first = len(ends), len(nodes)
    notes.append(f"{count} edges without a midside point: the middle follows the ends (nodes {spare + 1} and up)")
    axes = np.broadcast_to(np.eye(3), (len(nodes), 3, 3)) if nodes.axes is None else nodes.axes
    ties = tuple(_tie(first + k, pair, axes) for k, pair in enumerate(ends.tolist()))
    more = replace(
        nodes,
        ids=np.concatenate([nodes.ids, spare + 1 + np.arange(count)]),
        positions=np.concatenate([nodes.positions, nodes.positions[ends].mean(axis=1)]),
        axes=None if nodes.axes is None else np.concatenate([nodes.axes, np.broadcast_to(np.eye(3), (count, 3, 3))]),
        scalar=None if nodes.scalar is None else np.concatenate([nodes.scalar, np.zeros(count, np.bool_)]),
    )
    held = np.zeros((count, 6), np.bool_)
    held[:, 3:] = True
    return more, np.concatenate([fixed, held]), tuple(equation for three in ties for equation in three)


def _some_left_out(bulk: Bulk, card: str, corners: int, edges: int) -> bool:
    table = bulk.table(card, 2 + corners + edges)
    stated = np.column_stack([~table.blank(2 + corners + k) for k in range(edges)])
    return bool((stated.any(axis=1) & ~stated.all(axis=1)).any())


def _filled(
    row: Row, corners: int, edges: tuple[tuple[int, int], ...], middle: dict[tuple[int, int], int], spare: int
) -> Row:
    stated = [bool(row.text(2 + corners + k)) for k in range(len(edges))]
    if not any(stated) or all(stated):
        return row
    fields = [row.text(k) for k in range(2 + corners + len(edges))]
    for k, (a, b) in enumerate(edges):
        if not stated[k]:
            ends = tuple(sorted((row.integer(2 + a), row.integer(2 + b))))
            number = middle.setdefault((ends[0], ends[1]), spare + 1 + len(middle))
            fields[2 + corners + k] = str(number).encode()
    return Row(row.card, fields, row.line, row.source)


def _tie(node: int, ends: list[int], axes: np.ndarray) -> list[Equation]:
    """Three equations: the middle, in basic axes, is the mean of the ends."""
    out = []
    for c in range(3):
        terms, values = [(node, c)], [1.0]
        for end in ends:
            for k in range(3):
                if axes[end, k, c] != 0.0:
                    terms.append((end, k))
                    values.append(-0.5 * float(axes[end, k, c]))
        out.append(Equation(node + 1, np.array(terms), np.array(values), "EDGE"))
    return out
