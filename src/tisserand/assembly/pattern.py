"""The sparsity pattern of a model, computed once from its cells and shared by stiffness, mass and damping."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly import _kernels


@dataclass(frozen=True, eq=False)
class Pattern:
    """CSR pattern over the active dofs, numbered node by node.

    dof (n, 6): dof number or -1; node_first (n,): first dof of each node; edge_start, edges: sorted neighbor
    lists of the node graph; edge_column: place of a neighbor's first dof in the node's rows; indptr,
    indices: the CSR pattern.
    """

    dof: IntArray
    node_first: IntArray
    edge_start: IntArray
    edges: IntArray
    edge_column: IntArray
    indptr: IntArray
    indices: IntArray

    @property
    def size(self) -> int:
        return len(self.indptr) - 1

    def empty(self) -> FloatArray:
        """Zero values for every term of the pattern."""
        return np.zeros(len(self.indices))

    def places(self, nodes: IntArray) -> IntArray:
        """(m, k, k) edges of the node graph between the nodes of each element, -1 at ground."""
        out: IntArray = np.empty((*nodes.shape, nodes.shape[1]), np.int32)  # type: ignore[assignment]
        _kernels.locate(nodes, self.edge_start, self.edges, out)
        return out

    def add(self, data: FloatArray, nodes: IntArray, places: IntArray, width: int, matrices: FloatArray) -> None:
        """Scatter element matrices in node axes over components 0 .. width - 1, all of which are active."""
        matrices = np.ascontiguousarray(matrices)
        _kernels.scatter(nodes, places, self.edge_column, width, matrices, self.node_first, self.indptr, data)

    def add_scalars(self, edge_data: FloatArray, places: IntArray, values: FloatArray) -> None:
        """Scatter one value per pair of nodes, the same for the three translations."""
        _kernels.scatter_scalars(places, np.ascontiguousarray(values), edge_data)

    def spread(self, edge_data: FloatArray) -> csr_array:
        """CSR of values per pair of nodes, repeated on the three translations."""
        count = 3 * int(np.count_nonzero(edge_data))
        indptr, indices = np.zeros_like(self.indptr), np.empty(count, self.indices.dtype)
        data = np.empty(count)
        _kernels.spread(self.edge_start, self.edges, edge_data, self.node_first, indptr, indices, data)
        return _sorted_csr(data, indices, indptr)

    def add_terms(self, data: FloatArray, rows: IntArray, columns: IntArray, values: FloatArray) -> None:
        """Scatter single terms at dof numbers (-1 is ground)."""
        _kernels.scatter_terms(
            np.ascontiguousarray(rows), np.ascontiguousarray(columns),
            np.ascontiguousarray(values, np.float64), self.indptr, self.indices, data,
        )  # fmt: skip

    def matrix(self, data: FloatArray) -> csr_array:
        """CSR matrix of the values; exact zeros are left out where they are many (as in a solid's mass)."""
        indptr, indices = self.indptr, self.indices
        filled = int(np.count_nonzero(data))
        if filled < 0.95 * len(data):
            short = np.empty(filled)
            indptr, indices = np.zeros_like(self.indptr), np.empty(filled, self.indices.dtype)
            _kernels.compress(self.indptr, self.indices, data, indptr, indices, short)
            data = short
        return _sorted_csr(data, indices, indptr)


def _sorted_csr(data: FloatArray, indices: IntArray, indptr: IntArray) -> csr_array:
    matrix = csr_array((data, indices, indptr), shape=(len(indptr) - 1, len(indptr) - 1))
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix


def build_pattern(active: BoolArray, cells: list[IntArray]) -> Pattern:
    """Pattern in which all active dofs of nodes that share a cell are coupled.

    active (n, 6); cells: arrays (m, k) of node indices, -1 for ground.
    """
    n = len(active)
    size = active.sum(axis=1)
    node_first = np.concatenate([[0], np.cumsum(size)[:-1]]).astype(np.int64)
    dof = np.full((n, 6), -1, np.int64)
    dof[active] = np.arange(int(size.sum()))
    widths = [np.full(len(block), block.shape[1], np.int64) for block in cells if block.size]
    cell_start = np.concatenate([np.zeros(1, np.int64), *widths]).cumsum()
    cell_nodes = np.concatenate([np.zeros(0, np.int64), *(block.ravel() for block in cells if block.size)])
    first, members = np.zeros(n + 1, np.int64), np.empty(len(cell_nodes), np.int64)
    _kernels.incidence(cell_start, cell_nodes, first, members)
    counts = np.zeros(n, np.int64)
    _kernels.neighbor_counts(cell_start, cell_nodes, first, members, np.full(n, -1, np.int64), counts)
    edge_start = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    edges = np.empty(int(edge_start[-1]), np.int64)
    _kernels.neighbors(cell_start, cell_nodes, first, members, np.full(n, -1, np.int64), edge_start[:-1].copy(), edges)
    width = np.zeros(n, np.int64)
    if len(edges):
        owner = np.repeat(np.arange(n), counts)
        width = np.bincount(owner, weights=size[edges], minlength=n).astype(np.int64)
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.repeat(width, size))])
    kind = np.int32 if indptr[-1] < 2**31 else np.int64
    indptr = indptr.astype(kind)
    indices: IntArray = np.empty(int(indptr[-1]), kind)  # type: ignore[assignment]
    edge_column = np.zeros(len(edges), np.int64)
    _kernels.dof_pattern(edge_start, edges, node_first, size.astype(np.int64), edge_column, indptr, indices)
    return Pattern(dof, node_first, edge_start, edges, edge_column, indptr, indices)
