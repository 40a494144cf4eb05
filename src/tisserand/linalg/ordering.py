"""The graph of nodes, a third to a sixth as large as that of the dofs, on which fill-reducing orderings are found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import IntArray
from tisserand.linalg._kernels import group_neighbors


@dataclass(frozen=True, eq=False)
class NodeGraph:
    """Which groups of dofs (nodes) a matrix joins.

    start (n + 1,), edges: neighbors of every node, itself left out; first (n + 1,), dofs (m,): the dofs of every node;
    numbers (n,): the group numbers as given.
    """

    start: IntArray
    edges: IntArray
    first: IntArray
    dofs: IntArray
    numbers: IntArray

    @property
    def size(self) -> int:
        return len(self.numbers)

    def dof_order(self, node_order: IntArray) -> IntArray:
        """Dof order (new position to old number) that follows a node order."""
        width = np.diff(self.first)[node_order]
        shift = self.first[node_order] - (np.cumsum(width) - width)
        return np.asarray(self.dofs[np.repeat(shift, width) + np.arange(len(self.dofs))])


def node_graph(matrix: csr_array, groups: IntArray) -> NodeGraph:
    """The graph of the groups (m,) of dofs of a symmetric matrix."""
    numbers, member = np.unique(groups, return_inverse=True)
    member, count = member.reshape(-1), len(numbers)
    dofs = np.argsort(member, kind="stable")
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(member, minlength=count))])
    start, none = np.zeros(count + 1, np.int64), np.zeros(0, np.int64)
    parts = (matrix.indptr, matrix.indices, member, first, dofs)
    group_neighbors(*parts, False, np.full(count, -1, np.int64), start, none)
    start = np.cumsum(start)
    edges = np.empty(int(start[-1]), np.int64)
    group_neighbors(*parts, True, np.full(count, -1, np.int64), start, edges)
    return NodeGraph(start, edges, first, dofs, numbers)
