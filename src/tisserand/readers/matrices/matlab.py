"""MATLAB files of versions 4 to 7, read without compiled code, so that a damaged file gives an error, not a crash.

Numeric arrays, full and sparse, of the top level; texts, cells and structures hold no matrices and are skipped.
Layout: The MathWorks, "MAT-File Format"; version 5 elements in chapter 1, version 4 in its appendix.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.errors import FileError
from tisserand.stored import checked_sparse, parsing, refuse_oversize

#: Version 5 data types that are numbers.
_NUMBERS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_MATRIX, _COMPRESSED = 14, 15
_SPARSE_CLASS, _NUMERIC_CLASSES = 5, range(6, 16)
_COMPLEX = 0x08
#: Version 4 precisions.
_OLD_NUMBERS = ("f8", "f4", "i4", "i2", "u2", "u1")


def read_mat(path: Path) -> dict[str, Any] | None:
    """Arrays by name; None for version 7.3, which is an HDF5 file."""
    raw = path.read_bytes()
    with parsing(path, "is not a MATLAB file that can be read"):
        if 0 in raw[:4]:
            return dict(_version_4(path, raw))
        order = {b"IM": "<", b"MI": ">"}.get(raw[126:128])
        if len(raw) < 128 or order is None:
            raise ValueError("it has no header")
        (version,) = struct.unpack(f"{order}H", raw[124:126])
        if version >> 8 == 2:
            return None
        if version >> 8 != 1:
            raise ValueError(f"version {version >> 8} is not known")
        return dict(_version_5(path, memoryview(raw)[128:], order))


def _version_5(path: Path, data: memoryview, order: str) -> Iterator[tuple[str, Any]]:
    expanded = 0
    for kind, content in _elements(data, order):
        if kind == _COMPRESSED:
            refuse_oversize(path, "compressed data", expanded + (size := _stated_size(content, order)))
            expanded += size
            inner = zlib.decompressobj().decompress(content, size + 8)
            kind, content = next(_elements(memoryview(inner), order))
        if kind == _MATRIX and (found := _matrix(path, content, order)) is not None:
            yield found


def _stated_size(compressed: memoryview, order: str) -> int:
    """Bytes of the one element inside, from its own tag; reading further waits for the check of this number."""
    head = zlib.decompressobj().decompress(compressed, 8)
    return int(struct.unpack(f"{order}II", head)[1])


def _elements(data: memoryview, order: str) -> Iterator[tuple[int, memoryview]]:
    """Type and content of each element; small ones keep up to four bytes in their tag."""
    at = 0
    while at + 8 <= len(data):
        first, size = struct.unpack(f"{order}II", data[at : at + 8])
        if first >> 16:
            kind, size, start, step = first & 0xFFFF, first >> 16, at + 4, 8
            if size > 4:
                raise ValueError(f"a small element of {size} bytes")
        else:
            kind, start, step = first, at + 8, 8 + size + (-size % 8 if first != _COMPRESSED else 0)
        if start + size > len(data):
            raise ValueError(f"an element of {size} bytes ends after the file does")
        yield kind, data[start : start + size]
        at += step


def _matrix(path: Path, data: memoryview, order: str) -> tuple[str, Any] | None:
    parts = list(_elements(data, order))
    if len(parts) < 3:
        return None
    flags, shape = _numbers(*parts[0], order), _numbers(*parts[1], order)
    name = bytes(parts[2][1]).decode("latin-1")
    number, values = int(flags[0]) & 0xFF, parts[3:]
    wanted = 2 if int(flags[0]) >> 8 & _COMPLEX else 1
    if number == _SPARSE_CLASS and len(values) >= 2 + wanted:
        indices, pointers, data_parts = _numbers(*values[0], order), _numbers(*values[1], order), values[2:]
        terms = int(pointers[-1]) if len(pointers) else 0  # room beyond the last term may be kept
        full = _joined(data_parts, wanted, order)
        return name, checked_sparse(path, name, full[: max(terms, 0)], indices[: max(terms, 0)], pointers, shape, "csc")
    if number in _NUMERIC_CLASSES and len(values) >= wanted:
        return name, _joined(values, wanted, order).reshape(tuple(int(n) for n in shape), order="F")
    return None


def _joined(parts: list[tuple[int, memoryview]], count: int, order: str) -> Any:
    real = _numbers(*parts[0], order)
    return real if count == 1 else real + 1j * _numbers(*parts[1], order)


def _numbers(kind: int, content: memoryview, order: str) -> Any:
    if kind not in _NUMBERS:
        raise ValueError(f"data type {kind} where numbers are expected")
    values = np.frombuffer(content, dtype=np.dtype(order + _NUMBERS[kind]))
    return values.astype(values.dtype.newbyteorder("="))


def _version_4(path: Path, raw: bytes) -> Iterator[tuple[str, Any]]:
    at = 0
    while at < len(raw):
        order = "<" if 0 <= struct.unpack_from("<i", raw, at)[0] < 5000 else ">"
        kind, rows, columns, imaginary, length = struct.unpack_from(f"{order}5i", raw, at)
        machine, precision, form = kind // 1000, kind // 10 % 10, kind % 10
        if machine not in (0, 1) or precision >= len(_OLD_NUMBERS) or kind // 100 % 10 or min(rows, columns) < 0:
            raise ValueError(f"matrix header {kind} at byte {at}")
        if not 1 <= length <= 256 or at + 20 + length > len(raw):
            raise ValueError(f"a name of {length} bytes at byte {at}")
        name = raw[at + 20 : at + 20 + length].rstrip(b"\0").decode("latin-1")
        dtype = np.dtype(order + _OLD_NUMBERS[precision])
        count, at = rows * columns, at + 20 + length
        if at + count * dtype.itemsize * (2 if imaginary else 1) > len(raw):
            raise ValueError(f"{name} ends after the file does")
        values = np.frombuffer(raw, dtype, count, at).astype(dtype.newbyteorder("="))
        at += count * dtype.itemsize
        if imaginary:
            values = values + 1j * np.frombuffer(raw, dtype, count, at)
            at += count * dtype.itemsize
        table = values.reshape((rows, columns), order="F")
        if form == 0:
            yield name, table
        elif form == 2:
            yield name, _old_sparse(path, name, table)


def _old_sparse(path: Path, name: str, table: Any) -> Any:
    """Version 4 keeps (row, column, value) per line and the size in the last one."""
    if table.shape[0] < 1 or table.shape[1] not in (3, 4) or not np.isfinite(table).all():
        raise ValueError(f"{name} is not a sparse table")
    shape = table[-1, :2].real.astype(np.int64)
    rows, columns = table[:-1, 0].real.astype(np.int64) - 1, table[:-1, 1].real.astype(np.int64) - 1
    if len(rows) and (columns.min() < 0 or columns.max() >= shape[1]):
        raise FileError(
            path, f"the sparse matrix {name!r} is damaged: a column lies outside", found=int(columns.max()) + 1
        )
    refuse_oversize(path, name, 8 * int(shape.max(initial=0)))
    values = table[:-1, 2] if table.shape[1] == 3 else table[:-1, 2] + 1j * table[:-1, 3]
    by_column = np.argsort(columns, kind="stable")
    pointers = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=int(shape[1])))])
    return checked_sparse(path, name, values[by_column], rows[by_column], pointers, shape, "csc")
