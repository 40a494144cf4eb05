"""CHOLMOD through scikit-sparse, where that is installed: simplicial LDL' whose D shows the inertia.

Pivots are taken on the diagonal as they come, so an indefinite factor may grow; a solve is checked and the count is trusted
only where it is accurate.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csc_matrix, csr_array

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import SingularMatrixError
from tisserand.linalg.health import health


class CholmodFactor:
    """LDL' with a fill-reducing order; analysis is reused for matrices of the same pattern."""

    name = "CHOLMOD"

    def __init__(self, matrix: csr_array) -> None:
        from sksparse import cholmod

        self.size = int(matrix.shape[0])
        self._error: type[Exception] = cholmod.CholmodError
        self._factor: Any = cholmod.analyze(_columns(matrix), mode="simplicial")
        self._factorize(matrix)

    def _factorize(self, matrix: csr_array) -> None:
        try:
            self._factor.cholesky_inplace(_columns(matrix))
            pivots = np.asarray(self._factor.D())
        except self._error as error:
            raise SingularMatrixError("a zero pivot stopped the factorization", found=str(error)) from error
        self.negative_count = int((pivots < 0.0).sum())
        self.memory_bytes = 16 * int(self._factor.LD().nnz)
        accurate, self.smallest_pivot = health(self.solve, matrix)
        self.trusted = accurate and bool((pivots != 0.0).all())

    def solve(self, block: FloatArray) -> FloatArray:
        return np.asarray(self._factor.solve_A(np.asfortranarray(block, dtype=np.float64)))

    def renewed(self, matrix: csr_array) -> CholmodFactor:
        self._factorize(matrix)
        return self

    def release(self) -> None:
        self._factor = None


def _columns(matrix: csr_array) -> csc_matrix:
    """The symmetric matrix by columns (its rows), in the class that scikit-sparse takes."""
    return csc_matrix((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)


def factorize(matrix: csr_array, groups: IntArray | None = None, positions: FloatArray | None = None) -> CholmodFactor:
    """Factorize with CHOLMOD; it finds its own ordering."""
    return CholmodFactor(matrix)
