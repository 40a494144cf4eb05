"""The tree of fronts of a multifrontal factorization: which dofs each eliminates, and which it passes on.

Reference: [Duff1983].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray, IntArray
from tisserand.linalg.dissection import dissected
from tisserand.linalg.ordering import NodeGraph, node_graph


@dataclass(frozen=True, eq=False)
class FrontTree:
    """Fronts in the order of elimination, children before parents.

    order (m,): new position to old dof; place (m,): the inverse; begin (t + 1,): first position that each front eliminates;
    borders: (b,) positions that each passes on, ascending; children: front numbers.
    """

    order: IntArray
    place: IntArray
    begin: IntArray
    borders: tuple[IntArray, ...]
    children: tuple[tuple[int, ...], ...]

    @property
    def terms(self) -> int:
        """Stored terms of the factor."""
        widths = np.diff(self.begin)
        return int(sum(int(w) * (int(w) + len(b)) for w, b in zip(widths, self.borders)))


def front_tree(matrix: csr_array, groups: IntArray | None, positions: FloatArray | None) -> FrontTree:
    """The fronts of a symmetric matrix; groups (m,): node of each row; positions (nodes, 3), m, where they are known."""
    graph = node_graph(matrix, np.arange(matrix.shape[0]) if groups is None else groups)
    known = positions is not None and groups is not None
    owner = dissected(graph, positions[graph.numbers] if known and positions is not None else None)
    used, member = np.unique(owner, return_inverse=True)
    parents = _parents(used)
    rank = np.empty(len(used), np.int64)
    post = _post_order(parents)
    rank[post] = np.arange(len(post))
    node_order = np.argsort(rank[member], kind="stable")
    starts = np.searchsorted(rank[member][node_order], np.arange(len(used) + 1))
    children: list[list[int]] = [[] for _ in post]
    for old, parent in enumerate(parents):
        if parent >= 0:
            children[rank[parent]].append(int(rank[old]))
    order = graph.dof_order(node_order)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    width = np.diff(graph.first)[node_order]
    dof_start = np.concatenate([np.zeros(1, np.int64), np.cumsum(width)])
    borders = _borders(graph, node_order, starts, children)
    spread = tuple(_dofs(nodes, dof_start, width) for nodes in borders)
    return FrontTree(order, place, dof_start[starts], spread, tuple(tuple(sorted(c)) for c in children))


def _parents(used: IntArray) -> IntArray:
    """(p,) place of the nearest part above each that owns nodes, -1 for none."""
    place = {int(number): i for i, number in enumerate(used)}
    out = np.full(len(used), -1, np.int64)
    for i, number in enumerate(used.tolist()):
        while number > 0 and out[i] < 0:
            number = (number - 1) // 2
            out[i] = place.get(number, -1)
    return out


def _post_order(parents: IntArray) -> IntArray:
    """Every part after those below it, which lie together."""
    below: dict[int, list[int]] = {}
    for part, parent in enumerate(parents.tolist()):
        below.setdefault(parent, []).append(part)
    out: list[int] = []
    stack = list(below.get(-1, []))
    while stack:  # parents first, then reversed
        part = stack.pop()
        out.append(part)
        stack.extend(below.get(part, []))
    return np.array(out[::-1], np.int64)


def _borders(graph: NodeGraph, node_order: IntArray, starts: IntArray, children: list[list[int]]) -> list[IntArray]:
    """Positions of the nodes beyond a front that it or one below it is joined to."""
    place = np.empty(graph.size, np.int64)
    place[node_order] = np.arange(graph.size)
    joined = place[graph.edges]
    out: list[IntArray] = []
    for front, below in enumerate(children):
        nodes = node_order[starts[front] : starts[front + 1]]
        near = [joined[graph.start[node] : graph.start[node + 1]] for node in nodes] + [out[child] for child in below]
        every = np.concatenate(near)
        out.append(np.unique(every[every >= starts[front + 1]]))
    return out


def _dofs(nodes: IntArray, dof_start: IntArray, width: IntArray) -> IntArray:
    wide = width[nodes]
    return np.repeat(dof_start[nodes] - (np.cumsum(wide) - wide), wide) + np.arange(int(wide.sum()))
