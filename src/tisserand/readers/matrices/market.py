"""Matrix Market files (NIST, "The Matrix Market Exchange Formats"): coordinate and array, every entry counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.sparse import coo_array

from tisserand.arrays import FloatArray
from tisserand.errors import FileError, ReadError
from tisserand.files import text_of
from tisserand.stored import refuse_oversize
from tisserand.stored.sparse import MOST_DOFS

_FIELDS = ("real", "double", "integer", "pattern")
_SYMMETRIES = ("general", "symmetric", "skew-symmetric")


def read_market_matrix(path: Path) -> FloatArray | coo_array:
    """A real matrix: dense from an array file, sparse from a coordinate file."""
    lines = text_of(path).splitlines()
    words = lines[0].lower().split() if lines else []
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise ReadError(path, 1, "is not a Matrix Market header", found=repr(lines[0][:60] if lines else ""),
                        expected="%%MatrixMarket matrix, then format, field and symmetry")  # fmt: skip
    form, field, symmetry = words[2:]
    for word, known in ((form, ("coordinate", "array")), (field, _FIELDS), (symmetry, _SYMMETRIES)):
        if word not in known:
            raise ReadError(
                path, 1, "this kind of Matrix Market file is not read", found=word, expected=" or ".join(known)
            )
    start = next((n for n, line in enumerate(lines) if n and line.strip() and not line.startswith("%")), len(lines))
    sizes = _sizes(path, start + 1, lines[start] if start < len(lines) else "", 3 if form == "coordinate" else 2)
    body = " ".join(line for line in lines[start + 1 :] if not line.startswith("%")).split()
    if form == "array":
        return _dense(path, sizes, symmetry, _values(path, body, _array_length(sizes, symmetry)))
    return _sparse(path, sizes, symmetry, _table(path, body, sizes[2], 2 if field == "pattern" else 3))


def _sizes(path: Path, line: int, text: str, count: int) -> list[int]:
    words = text.split()
    if len(words) != count or not all(word.isascii() and word.isdigit() and len(word) < 12 for word in words):
        raise ReadError(path, line, "the size line is wrong", found=repr(text[:60]), expected=f"{count} whole numbers")
    sizes = [int(word) for word in words]
    if max(sizes[:2]) > MOST_DOFS:
        raise ReadError(
            path, line, "the matrix is too large", found=max(sizes[:2]), expected=f"at most {MOST_DOFS} rows"
        )
    refuse_oversize(path, "the size line", 8 * max(sizes))
    return sizes


def _array_length(sizes: list[int], symmetry: str) -> int:
    rows, columns = sizes
    full = {"general": rows * columns, "symmetric": rows * (rows + 1) // 2, "skew-symmetric": rows * (rows - 1) // 2}
    return full[symmetry]


def _values(path: Path, words: list[str], count: int) -> FloatArray:
    """Exactly ``count`` numbers; fewer means that the file was cut off."""
    if len(words) != count:
        raise FileError(
            path,
            "the Matrix Market file does not hold the numbers that its size line states",
            found=len(words),
            expected=count,
            advice="write it again; it may have been cut off",
        )
    try:
        return np.array(words, dtype=float)
    except ValueError as error:
        wrong = next(word for word in words if not _is_number(word))
        raise FileError(path, "the Matrix Market file holds what is not a number", found=repr(wrong[:40])) from error


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _table(path: Path, words: list[str], count: int, width: int) -> FloatArray:
    return _values(path, words, count * width).reshape(count, width)


def _dense(path: Path, sizes: list[int], symmetry: str, values: FloatArray) -> FloatArray:
    rows, columns = sizes
    if symmetry == "general":
        return values.reshape((rows, columns), order="F")
    if rows != columns:
        raise FileError(path, "a symmetric matrix must be square", found=f"{rows} x {columns}")
    refuse_oversize(path, "the full matrix", 8 * rows * columns)
    matrix = np.zeros((rows, columns))
    column, row = np.triu_indices(rows, 0 if symmetry == "symmetric" else 1)  # column by column, from the diagonal down
    matrix[row, column] = values
    matrix[column, row] = values if symmetry == "symmetric" else -values
    return matrix


def _sparse(path: Path, sizes: list[int], symmetry: str, table: FloatArray) -> coo_array:
    places = table[:, :2]
    if table.size and not (np.isfinite(places).all() and (places == np.floor(places)).all()):
        raise FileError(path, "row and column numbers must be whole numbers")
    if table.size and (places.min() < 1 or (places > sizes[:2]).any()):
        raise FileError(path, "a row or column number lies outside the matrix", expected=f"1 to {max(sizes[:2])}")
    rows, columns = (places[:, i].astype(np.int64) - 1 for i in (0, 1))
    values = table[:, 2] if table.shape[1] == 3 else np.ones(len(table))
    if symmetry != "general":
        off = rows != columns
        sign = 1.0 if symmetry == "symmetric" else -1.0
        rows, columns = np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]])
        values = np.concatenate([values, sign * values[off]])
    return coo_array((values, (rows, columns)), shape=tuple(sizes[:2]))
