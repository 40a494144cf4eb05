"""PETSc's binary files: big-endian, integers of 32 or 64 bits as PETSc was built, one object after the other.

Bounds from residuals, for which vectors are read back: [Parlett1980].
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray
from tisserand.errors import FileError

MATRIX_ID, VECTOR_ID = 1211216, 1211214
_PIECE = 1 << 22


def write_matrix(path: Path, matrix: csr_array) -> None:
    """A CSR matrix as PETSc's ``MatLoad`` reads it; 64-bit integers where 32 bits cannot count the terms."""
    kind = ">i4" if matrix.nnz < 2**31 else ">i8"
    with path.open("wb") as stream:
        stream.write(np.array([MATRIX_ID, *matrix.shape, matrix.nnz], kind).tobytes())
        stream.write(np.diff(matrix.indptr).astype(kind).tobytes())
        for array, form in ((matrix.indices, kind), (matrix.data, ">f8")):
            for first in range(0, len(array), _PIECE):  # a second copy of a large matrix may not fit
                stream.write(array[first : first + _PIECE].astype(form).tobytes())


def read_matrix(path: Path) -> csr_array:
    """The matrix of such a file."""
    raw = path.read_bytes()
    kind = ">i4" if int.from_bytes(raw[:4], "big") == MATRIX_ID else ">i8"
    wide = int(kind[-1])
    mark, rows, columns, terms = (int(v) for v in np.frombuffer(raw, kind, 4)) if len(raw) >= 4 * wide else (0,) * 4
    if mark != MATRIX_ID or len(raw) != wide * (4 + rows + terms) + 8 * terms:
        raise FileError(path, "is not a complete matrix file of PETSc", found=f"{len(raw)} bytes")
    lengths = np.frombuffer(raw, kind, rows, 4 * wide)
    indices = np.frombuffer(raw, kind, terms, (4 + rows) * wide)
    values = np.frombuffer(raw, ">f8", terms, (4 + rows + terms) * wide)
    pointers = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return csr_array((values.astype(float), indices.astype(np.int64), pointers), shape=(rows, columns))


def read_vectors(path: Path, rows: int, count: int) -> FloatArray:
    """(rows, count) vectors that were written one after the other."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror})", expected=f"{count} vectors of PETSc") from error
    wide = next((w for w in (4, 8) if size == count * (2 * w + 8 * rows)), None)
    if wide is None:
        raise FileError(
            path, "does not hold the vectors of this model", found=f"{size} bytes",
            expected=f"{count * (8 + 8 * rows)}: {count} vectors of {rows} dofs",
        )  # fmt: skip
    out = np.empty((rows, count), order="F")
    with path.open("rb") as stream:
        for column in range(count):
            head = np.frombuffer(stream.read(2 * wide), f">i{wide}")
            if head[0] != VECTOR_ID or head[1] != rows:
                raise FileError(path, f"vector {column + 1} is not one of PETSc", found=str(head.tolist()))
            out[:, column] = np.frombuffer(stream.read(8 * rows), ">f8")
    if not np.isfinite(out).all():
        raise FileError(path, "contains values that are not finite numbers", advice="solve again")
    return out
