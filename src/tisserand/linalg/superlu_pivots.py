"""The pivots of a SuperLU factor, read in place.

scipy shows U only by copying the whole factor into new matrices, which doubles the memory for one diagonal. The diagonal of U is
stored inside the supernodes of L; the layout of that store is public in SuperLU, and that of scipy's object is checked
field by field and tried once on a known matrix. If anything differs, SciPy's copy is used instead.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

import numpy as np
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from tisserand.arrays import FloatArray

_SUPERNODAL, _COLUMNS, _DOUBLE = 3, 0, 1


class _Matrix(ctypes.Structure):
    _fields_ = (
        *((word, ctypes.c_int) for word in ("storage", "type", "shape_kind", "rows", "columns")),
        ("store", ctypes.c_void_p),
    )  # fmt: skip


class _Factor(ctypes.Structure):
    _fields_ = (
        ("references", ctypes.c_ssize_t), ("kind", ctypes.c_void_p), ("rows", ctypes.c_ssize_t),
        ("columns", ctypes.c_ssize_t), ("lower", _Matrix), ("upper", _Matrix),
    )  # fmt: skip


class _Supernodes(ctypes.Structure):
    _fields_ = (
        ("terms", ctypes.c_int), ("last", ctypes.c_int),
        *((word, ctypes.c_void_p) for word in ("values", "starts", "row", "row_starts", "owner", "first")),
    )  # fmt: skip


def pivots(factor: Any) -> FloatArray:
    """(m,) diagonal of U of a factor made by ``scipy.sparse.linalg.splu``, as a copy."""
    if _layout_is_known():
        found = _in_place(factor)
        if found is not None:
            return found
    return np.asarray(factor.U.diagonal())


@cache
def _layout_is_known() -> bool:
    """Whether reading in place gives what scipy's own copy shows, on a small indefinite matrix."""
    if sys.implementation.name != "cpython":
        return False
    line = np.arange(1.0, 41.0)
    matrix = (
        np.diag(np.where(line % 3 == 0, -line, line)) + np.diag(np.full(39, 0.3), 1) + np.diag(np.full(39, 0.3), -1)
    )
    matrix[:, 7] += 0.1
    matrix[7, :] += 0.1
    factor = splu(csc_array(matrix), diag_pivot_thresh=0.0, options={"SymmetricMode": True, "Equil": False})
    found = _in_place(factor)
    return found is not None and np.array_equal(found, factor.U.diagonal())


def _array(address: int | None, kind: Any, count: int) -> Any:
    return np.ctypeslib.as_array(ctypes.cast(ctypes.c_void_p(address), ctypes.POINTER(kind)), (count,))


def _in_place(factor: Any) -> FloatArray | None:
    """The diagonal out of L's supernodes, or None where the store is not what is expected."""
    size = int(factor.shape[0])
    seen = _Factor.from_address(id(factor))
    if (seen.rows, seen.columns) != (size, size):
        return None
    for part, storage in ((seen.lower, _SUPERNODAL), (seen.upper, _COLUMNS)):
        if (part.storage, part.type, part.rows, part.columns) != (storage, _DOUBLE, size, size) or not part.store:
            return None
    nodes = _Supernodes.from_address(seen.lower.store)
    if not 0 <= nodes.last < size or not all((nodes.values, nodes.starts, nodes.owner, nodes.first)):
        return None
    starts = _array(nodes.starts, ctypes.c_int, size + 1)
    owner = _array(nodes.owner, ctypes.c_int, size)
    first = _array(nodes.first, ctypes.c_int, nodes.last + 2)
    if starts[0] != 0 or (np.diff(starts) <= 0).any() or owner[0] != 0 or owner[-1] != nodes.last:
        return None
    if first[0] != 0 or first[-1] != size or (np.diff(first) <= 0).any():
        return None
    place = starts[:-1].astype(np.int64) + np.arange(size) - first[owner]
    return np.array(_array(nodes.values, ctypes.c_double, int(starts[-1]))[place])
