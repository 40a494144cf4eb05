"""MUMPS through python-mumps, where that is installed: symmetric indefinite LDL' with threshold pivoting and inertia.

Only the upper triangle is handed over; the number of negative pivots is INFOG(12) of MUMPS.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array, triu

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import SingularMatrixError, SolverError
from tisserand.linalg.health import health


class MumpsFactor:
    """A MUMPS instance holding one factor of the matrix scaled to unit diagonal."""

    name = "MUMPS"

    def __init__(self, matrix: csr_array) -> None:
        import mumps

        self.size = int(matrix.shape[0])
        self._error: type[Exception] = mumps.MUMPSError
        self._context: Any = mumps.Context()
        self._factorize(matrix, again=False)

    def _factorize(self, matrix: csr_array, *, again: bool) -> None:
        diagonal = np.abs(matrix.diagonal())
        self._scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
        upper = coo_array(triu(matrix, format="coo"))
        rows, columns = upper.coords
        upper.data = upper.data * self._scale[rows] * self._scale[columns]
        try:
            self._context.set_matrix(upper, symmetric=True)
            self._context.factor(pivot_tol=0.01, reuse_analysis=again)
        except self._error as error:
            kind = SingularMatrixError if int(self._instance.infog[1]) == -10 else SolverError
            raise kind("MUMPS failed", found=str(error)) from error
        self.negative_count = int(self._instance.infog[12])
        self.memory_bytes = 2**20 * int(self._instance.infog[22])
        accurate, self.smallest_pivot = health(self.solve, matrix)
        self.trusted = accurate

    @property
    def _instance(self) -> Any:
        return self._context.mumps_instance

    def solve(self, block: FloatArray) -> FloatArray:
        scale = self._scale if block.ndim == 1 else self._scale[:, None]
        found = np.asarray(self._context.solve(np.asfortranarray(block * scale), overwrite_b=True))
        return found.reshape(block.shape) * scale

    def renewed(self, matrix: csr_array) -> MumpsFactor:
        self._factorize(matrix, again=True)
        return self

    def release(self) -> None:
        self._context = None


def factorize(matrix: csr_array, groups: IntArray | None = None, positions: FloatArray | None = None) -> MumpsFactor:
    """Factorize with MUMPS; it finds its own ordering."""
    return MumpsFactor(matrix)
