"""SuperLU in symmetric mode: always there with scipy.

With diagonal pivots only, L U = L D L', so the signs of U's diagonal are the inertia of the matrix.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array, csr_array
from scipy.sparse.linalg import splu

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import SingularMatrixError
from tisserand.linalg.ordering import node_ordering


class SuperluFactor:
    """LU of a symmetric matrix with diagonal pivots, permuted node by node."""

    name = "SuperLU"

    def __init__(self, matrix: csr_array, order: IntArray | None) -> None:
        self.size = int(matrix.shape[0])
        self._order = order
        if order is not None:
            matrix = matrix[order][:, order]
        spec = "MMD_AT_PLUS_A" if order is None else "NATURAL"
        options = {"SymmetricMode": True, "Equil": False}
        try:
            self._lu = splu(csc_array(matrix), permc_spec=spec, diag_pivot_thresh=0.0, options=options)
        except RuntimeError as error:
            raise SingularMatrixError("a zero pivot stopped the factorisation", found=str(error)) from error
        pivots = self._lu.U.diagonal()
        self.negative_count = int((pivots < 0.0).sum())
        diagonal = np.empty(self.size)
        diagonal[self._lu.perm_c] = np.abs(matrix.diagonal())
        self.smallest_pivot = float((np.abs(pivots) / np.where(diagonal > 0.0, diagonal, 1.0)).min())
        self.memory_bytes = 12 * int(self._lu.nnz)
        self.trusted = bool(np.array_equal(self._lu.perm_r, self._lu.perm_c)) and _accurate(self, matrix)

    def _solve_permuted(self, block: FloatArray) -> FloatArray:
        return np.asarray(
            self._lu.solve(np.ascontiguousarray(block) if block.ndim == 1 else np.asfortranarray(block))
        )

    def solve(self, block: FloatArray) -> FloatArray:
        if self._order is None:
            return self._solve_permuted(block)
        out = np.empty(block.shape, order="F")
        out[self._order] = self._solve_permuted(block[self._order])
        return out

    def renewed(self, matrix: csr_array) -> SuperluFactor:
        self.release()
        return SuperluFactor(matrix, self._order)

    def release(self) -> None:
        self._lu = None


def _accurate(factor: SuperluFactor, permuted: csr_array) -> bool:
    """Whether a solve reproduces its right-hand side, so that no pivot grew beyond use."""
    wanted = np.cos(np.arange(factor.size) * 0.7)
    load = permuted @ wanted
    error = permuted @ factor._solve_permuted(load) - load
    return bool(np.linalg.norm(error) <= 1e-6 * np.linalg.norm(load))


def factorise(matrix: csr_array, groups: IntArray | None = None) -> SuperluFactor:
    """Factorise with SuperLU; large matrices are ordered on the graph of their nodes."""
    order = node_ordering(matrix, groups) if groups is not None and matrix.shape[0] > 6000 else None
    return SuperluFactor(matrix, order)
