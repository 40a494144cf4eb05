"""Nested dissection of a graph: parts are halved across their longest side, and the nodes of the cut are ordered last.

Positions of the nodes give straight cuts; where they are unknown, distances in the graph from a few nodes far apart serve as
coordinates.

Reference: [George1973].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.linalg._kernels import graph_distances
from tisserand.linalg.ordering import NodeGraph

#: Parts of so many dofs are not halved any more.
LEAF = 64
#: Halvings after which a part stays as it is, however large (many nodes at one place).
_DEEPEST = 40
_LANDMARKS = 4


def dissected(graph: NodeGraph, places: FloatArray | None = None) -> IntArray:
    """(n,) number of the part that owns each node: part p is cut into 2 p + 1 and 2 p + 2, whose cut it keeps itself.

    places: (n, 3) positions, m.
    """
    count = graph.size
    x = _distances(graph) if places is None else places
    weight = np.diff(graph.first).astype(float)
    part, owner = np.zeros(count, np.int64), np.full(count, -1, np.int64)
    tail, head = np.repeat(np.arange(count), np.diff(graph.start)), graph.edges
    active = np.arange(count)
    for depth in range(_DEEPEST + 1):
        _, member = np.unique(part[active], return_inverse=True)
        small = np.bincount(member, weight[active])[member] <= LEAF
        if depth == _DEEPEST:
            small[:] = True
        owner[active[small]] = part[active[small]]
        active = active[~small]
        if not len(active):
            break
        _, member = np.unique(part[active], return_inverse=True)
        upper = _upper_half(x[active], member)
        side = np.full(count, -1, np.int8)
        side[active] = upper
        inside = (part[tail] == part[head]) & (side[tail] >= 0) & (side[head] >= 0)
        tail, head = tail[inside], head[inside]
        touched = np.zeros(count, np.bool_)
        touched[tail[side[tail] != side[head]]] = True
        edge, heavy = touched[active], weight[active]
        above, below = (np.bincount(member, heavy * (edge & half)) for half in (upper, ~upper))
        cut = edge & (upper == (above < below)[member])
        owner[active[cut]] = part[active[cut]]
        part[active] = 2 * part[active] + 1 + upper
        active = active[~cut]
    return owner


def _upper_half(x: FloatArray, member: IntArray) -> np.ndarray:
    """(a,) whether a node lies beyond the median of its part along the longest side; nodes of one plane stay together."""
    parts = int(member.max()) + 1
    sizes = np.bincount(member, minlength=parts)
    first = np.cumsum(sizes) - sizes
    y = x[np.argsort(member, kind="stable")]
    axis = (np.maximum.reduceat(y, first) - np.minimum.reduceat(y, first)).argmax(axis=1)
    along = x[np.arange(len(x)), axis[member]]
    ranked = along[np.lexsort((along, member))]
    middle, top = ranked[first + (sizes - 1) // 2][member], ranked[first + sizes - 1][member]
    return np.asarray(np.where(middle < top, along > middle, along >= middle))


def _distances(graph: NodeGraph) -> FloatArray:
    """(n, 2) differences of the distances from pairs of nodes far apart, in edges; other parts of the graph lie beyond all."""
    found, nearest = [], np.full(graph.size, graph.size, np.int64)
    source = 0
    for number in range(_LANDMARKS + 1):
        distance = np.full(graph.size, -1, np.int64)
        graph_distances(graph.start, graph.edges, source, np.empty(graph.size, np.int64), distance)
        distance[distance < 0] = graph.size
        if number:  # the first one only serves to find the far end
            found.append(distance)
            nearest = np.minimum(nearest, distance)
        source = int(np.argmax(nearest if number else distance))
    return np.stack([found[0] - found[1], found[2] - found[3]], axis=1).astype(float)
