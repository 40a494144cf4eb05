"""Products of stacks of 3-vectors.

Serves theory section 16.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """a x b over the last axis, (..., 3), with broadcasting; much faster than ``numpy.cross`` on small stacks."""
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    b0, b1, b2 = b[..., 0], b[..., 1], b[..., 2]
    first = a1 * b2 - a2 * b1
    out = np.empty((*np.shape(first), 3))
    out[..., 0] = first
    out[..., 1] = a2 * b0 - a0 * b2
    out[..., 2] = a0 * b1 - a1 * b0
    return out


def turned(matrices: FloatArray, vectors: FloatArray) -> FloatArray:
    """matrices (..., 3, 3) times vectors (..., 3)."""
    return np.asarray((matrices @ vectors[..., None])[..., 0])
