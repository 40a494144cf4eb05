"""Quality of a factor from one solve: whether it reproduces its load, and how close to singular the matrix is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray


def health(solve: Callable[[FloatArray], FloatArray], matrix: csr_array) -> tuple[bool, float]:
    """(accurate, smallest): whether a solve is backward stable, and an estimate of the smallest |eigenvalue|.

    The eigenvalue is that of the matrix scaled to unit diagonal, estimated from the response to a fixed rough load.
    """
    scale = np.sqrt(np.abs(matrix.diagonal()))
    scale = np.where(scale > 0.0, scale, 1.0)
    load = scale * np.cos(1.0 + np.arange(matrix.shape[0]) * 2.399963229728653)
    with np.errstate(all="ignore"):
        answer = solve(load)
        size = float(np.abs(answer * scale).max())
        error = float(np.abs((matrix @ answer - load) / scale).max())
    if not np.isfinite(size) or not np.isfinite(error):
        return False, 0.0
    return error <= 1e-9 * max(size, 1.0), 1.0 / max(size, 1.0)
