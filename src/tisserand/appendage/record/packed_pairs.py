"""Quadratic forms in modal coordinates, symmetric in (k, l), kept as their k (k + 1) / 2 upper entries, row by row."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray

#: Numbers of a packed nodal field above which a record keeps none (single precision, 120 MB).
LARGEST_FIELD = 30_000_000
#: Numbers of a field of translations and rotations above which it keeps the translations alone (single precision, 16 MB).
LARGEST_WITH_ROTATIONS = 4_000_000
#: Forms unpacked at a time.
_CHUNK = 4096


def packed(forms: FloatArray) -> FloatArray:
    """(..., k, k) to (..., p)."""
    i, j = np.triu_indices(forms.shape[-1])
    return np.asarray(forms[..., i, j])


def unpacked(values: FloatArray, count: int) -> FloatArray:
    """(..., p) to (..., k, k), k = ``count``."""
    i, j = np.triu_indices(count)
    out = np.zeros((*values.shape[:-1], count, count))
    out[..., i, j] = out[..., j, i] = values
    return out


def mixed(values: FloatArray | None, T: FloatArray) -> FloatArray | None:
    """Forms (n, c, p) in coordinates eta_old = T eta_new, T (k, j)."""
    if values is None:
        return None
    k, j = T.shape
    out = np.empty((*values.shape[:-1], j * (j + 1) // 2), np.float32)
    for start in range(0, len(values), _CHUNK):
        part = slice(start, start + _CHUNK)
        out[part] = packed(T.T @ unpacked(values[part], k) @ T)
    return out


def fits(nodes: int, count: int) -> bool:
    """Whether a record keeps a field of that many nodes and modal coordinates."""
    return 3 * nodes * count * (count + 1) // 2 <= LARGEST_FIELD


def kept_rows(field: FloatArray) -> FloatArray:
    """Of a packed field (n, 6, p), the rows that a record keeps: all, or the translations."""
    return field if field.size <= LARGEST_WITH_ROTATIONS else field[:, :3]
