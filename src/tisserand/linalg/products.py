"""Products of large sparse matrices with blocks of vectors, in threads."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray
from tisserand.linalg._kernels import csr_product
from tisserand.threads import over_rows

#: Below so many multiplications threads cost more than they spare.
_LARGE = 2_000_000


def product(matrix: csr_array, block: FloatArray) -> FloatArray:
    """``matrix @ block`` for (n, p), to the same bits whatever the number of threads."""
    if block.ndim < 2 or matrix.nnz * block.shape[1] < _LARGE:
        return np.asarray(matrix @ block)
    rows = np.ascontiguousarray(block)
    out = np.empty((matrix.shape[0], block.shape[1]))
    over_rows(
        lambda begin, end: csr_product(matrix.indptr, matrix.indices, matrix.data, rows, begin, end, out),
        matrix.shape[0],
    )
    return out
