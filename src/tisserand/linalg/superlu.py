"""SuperLU in symmetric mode, always available through SciPy.

With diagonal pivots only, L U = L D L', so the signs of U's diagonal are the inertia of the matrix. Minimum degree on the
graph of dofs is used: measured on solid meshes it fills as little as on the graph of nodes, and less than dissection.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csc_array, csr_array
from scipy.sparse.linalg import splu

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import SingularMatrixError
from tisserand.linalg.health import health
from tisserand.linalg.superlu_pivots import pivots


class SuperluFactor:
    """LU of a symmetric matrix with diagonal pivots."""

    name = "SuperLU"

    def __init__(self, matrix: csr_array) -> None:
        self.size = int(matrix.shape[0])
        # a symmetric matrix is its own transpose: the rows of CSR are the columns of CSC
        columns = csc_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
        options = {"SymmetricMode": True, "Equil": False}
        try:
            self._lu: Any = splu(columns, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
        except RuntimeError as error:
            raise SingularMatrixError("a zero pivot stopped the factorization", found=str(error)) from error
        self.memory_bytes = 12 * int(self._lu.nnz)
        accurate, self.smallest_pivot = health(self.solve, matrix)
        self.trusted = accurate and bool(np.array_equal(self._lu.perm_r, self._lu.perm_c))

    @cached_property
    def negative_count(self) -> int:
        """Negative pivots."""
        return int((pivots(self._lu) < 0.0).sum())

    def solve(self, block: FloatArray) -> FloatArray:
        return np.asarray(self._lu.solve(np.asfortranarray(block, dtype=np.float64)))

    def renewed(self, matrix: csr_array) -> SuperluFactor:
        self.release()
        return SuperluFactor(matrix)

    def release(self) -> None:
        self._lu = None


def factorize(matrix: csr_array, groups: IntArray | None = None, positions: FloatArray | None = None) -> SuperluFactor:
    """Factorize with SuperLU; groups and positions are not needed."""
    return SuperluFactor(matrix)
