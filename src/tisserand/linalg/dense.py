"""A dense symmetric factor: Bunch-Kaufman of the matrix scaled to unit diagonal, with its inertia."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray


def unit_diagonal(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(scaled, size): the matrix over sqrt|a_ii a_jj|, and the sizes sqrt|a_ii| (1 where the diagonal is zero)."""
    size = np.sqrt(np.abs(np.diag(matrix)))
    size = np.where(size > 0.0, size, 1.0)
    return matrix / size / size[:, None], size


class DenseFactor:
    """``P L D L' P'`` of a small symmetric matrix; a factor as ``tisserand.linalg.Factor`` describes it."""

    name = "dense"
    trusted = True

    def __init__(self, matrix: csr_array) -> None:
        self.size = int(matrix.shape[0])
        scaled, self._scale = unit_diagonal(matrix.toarray())
        self._factor, self._order, _ = lapack.dsytrf(scaled, lower=1)
        pivots = _pivots(self._factor, self._order)
        self.negative_count = int((pivots < 0.0).sum())
        self.smallest_pivot = float(np.abs(pivots).min())
        self.memory_bytes = int(self._factor.nbytes)

    def solve(self, block: FloatArray) -> FloatArray:
        """``matrix^-1 block`` for (m,) or (m, p)."""
        columns = np.asarray(block, float).reshape(self.size, -1) / self._scale[:, None]
        answer, _ = lapack.dsytrs(self._factor, self._order, columns, lower=1)
        return np.asarray(answer / self._scale[:, None]).reshape(np.shape(block))

    def renewed(self, matrix: csr_array) -> DenseFactor:
        return DenseFactor(matrix)

    def release(self) -> None:
        self._factor = np.zeros((0, 0))


def _pivots(factor: FloatArray, order: FloatArray) -> FloatArray:
    """Eigenvalues of the block-diagonal D; a negative entry of ``order`` marks a row of a 2 x 2 block."""
    main, off = np.diag(factor), np.append(np.diag(factor, -1), 0.0)
    double = np.flatnonzero(order < 0)[::2]
    a, b, c = main[double], off[double], main[np.minimum(double + 1, len(main) - 1)]
    mean, spread = 0.5 * (a + c), np.hypot(0.5 * (a - c), b)
    return np.concatenate([main[order >= 0], mean - spread, mean + spread])
