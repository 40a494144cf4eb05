"""NumPy archives, member by member: no pickle, and no array larger than the bytes behind it."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from tisserand.errors import FileError
from tisserand.stored.damage import parsing
from tisserand.stored.limits import refuse_oversize

_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def read_npz(path: str | Path) -> dict[str, np.ndarray]:
    """All arrays of a ``.npz`` file by name."""
    path = Path(path)
    with parsing(path, "is not a NumPy archive that can be read"), zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        refuse_oversize(path, "the archive", sum(member.file_size for member in members))
        return {member.filename.removesuffix(".npy"): _array(path, archive, member) for member in members}


def _array(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    if member.compress_type not in _PLAIN:
        raise FileError(path, f"member {member.filename!r} is compressed in another way than deflate")
    with archive.open(member) as stream:
        version = npy.read_magic(stream)
        if version not in ((1, 0), (2, 0), (3, 0)):
            raise ValueError(f"{member.filename} is of NPY version {version}")
        # header of version 3 differs from 2 in its encoding only
        header: Any = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, by_columns, dtype = header(stream)
        if dtype.hasobject:
            raise ValueError(f"{member.filename} holds Python objects, not numbers")
        count = 1
        for length in shape:
            if not isinstance(length, int) or length < 0:
                raise ValueError(f"{member.filename} states the shape {shape}")
            count *= length
        if count * dtype.itemsize > member.file_size:
            raise ValueError(f"{member.filename} ends before its array does")
        raw = stream.read()
        array = np.frombuffer(raw, dtype=dtype, count=count) if dtype.itemsize else np.zeros(count, dtype)
        return array.reshape(shape, order="F" if by_columns else "C")
