"""Compressed sparse parts from a file: SciPy does not check them, so every index is checked first."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
from scipy.sparse import csc_array, csr_array

from tisserand.errors import FileError
from tisserand.stored.limits import refuse_oversize

#: Rows or columns of a matrix; beyond it row pointers alone take gigabytes.
MOST_DOFS = 100_000_000


def checked_sparse(
    path: str | Path,
    name: str,
    data: Any,
    indices: Any,
    pointers: Any,
    shape: Any,
    layout: Literal["csr", "csc"] = "csr",
) -> csr_array | csc_array:
    """A CSR or CSC matrix of a file, after proof that its parts fit one another and ``shape`` (rows, columns)."""

    def wrong(what: str, **facts: object) -> FileError:
        return FileError(path, f"the sparse matrix {name!r} is damaged: {what}", **facts)

    values, inner, starts = (np.asarray(part) for part in (data, indices, pointers))
    stated = np.asarray(shape).ravel()
    sizes = stated.dtype.kind in "iuf" and bool(np.isfinite(stated).all()) and bool((stated == np.floor(stated)).all())
    size = tuple(int(n) for n in stated) if sizes else ()
    if len(size) != 2 or min(size) < 0 or max(size) > MOST_DOFS:
        raise wrong("its shape is not a pair of sizes", found=str(shape), expected=f"two numbers up to {MOST_DOFS}")
    refuse_oversize(Path(path), f"the rows of {name!r}", 8 * max(size))
    if values.ndim != 1 or inner.ndim != 1 or starts.ndim != 1 or values.dtype.kind not in "biufc":
        raise wrong("data, indices and pointers must be lists of numbers")
    for word, part in (("indices", inner), ("pointers (indptr)", starts)):
        if part.size and (part.dtype.kind not in "iuf" or (part != np.floor(part)).any()):
            raise wrong(f"its {word} must be whole numbers")
    major, minor = size if layout == "csr" else size[::-1]
    if len(starts) != major + 1:
        raise wrong("the number of pointers is not that of its rows", found=len(starts), expected=major + 1)
    if starts[0] != 0 or starts[-1] != len(inner) or (starts[1:] < starts[:-1]).any():
        raise wrong(
            "pointers must rise from 0 to the number of terms",
            found=", ".join(str(n) for n in starts[:4]) + (" ..." if len(starts) > 4 else ""),
            expected=f"0 to {len(inner)}",
        )
    if len(values) != len(inner):
        raise wrong("values and indices differ in number", found=f"{len(values)} and {len(inner)}")
    if len(inner) and (inner.min() < 0 or inner.max() >= minor):
        raise wrong("an index lies outside", found=f"{inner.min()} to {inner.max()}", expected=f"0 to {minor - 1}")
    kind = csr_array if layout == "csr" else csc_array
    matrix = kind((values, inner.astype(np.int64), starts.astype(np.int64)), shape=size)
    matrix.sum_duplicates()
    return matrix
