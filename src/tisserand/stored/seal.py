"""A digest of everything that an HDF5 file holds: content that changed after it was written is noticed on load.

It covers names, attributes, types, shapes and values, not the layout of the file: a copy that another tool packs anew is the
same content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.errors import RecordError

#: The attribute of the file that holds the digest.
SEAL = "content_sha256"
#: Values are read in pieces of about this many bytes.
_PIECE = 1 << 24


def seal(file: Any) -> None:
    """Write the digest; the last step before a file is closed."""
    file.attrs[SEAL] = content_digest(file)


def broken_seal(file: Any) -> bool:
    """True if the file has a digest and its content has another; files of earlier versions have none."""
    return SEAL in file.attrs and file.attrs[SEAL] != content_digest(file)


def refuse_broken(path: str | Path, broken: bool) -> None:
    """Raise for a file whose content is not what was written."""
    if broken:
        raise RecordError(
            path,
            "its content changed after it was written",
            found=f"values that do not give the digest in its attribute {SEAL}",
            advice="write it again from its source, or delete that attribute if the change was intended",
        )


def content_digest(file: Any) -> str:
    """SHA-256 of names, attributes and values of all groups and data sets, in the order of their names, as hexadecimal digits."""
    digest = hashlib.sha256()
    for piece in _pieces(file, ""):
        digest.update(len(piece).to_bytes(8, "little"))
        digest.update(piece)
    return digest.hexdigest()


def _pieces(item: Any, place: str) -> Iterator[Any]:
    """The content of a group or data set and of all below it, piece by piece."""
    yield place.encode("utf-8", "surrogateescape")
    for name in sorted(item.attrs):
        if place or name != SEAL:
            yield name.encode("utf-8", "surrogateescape")
            yield from _value(item.attrs[name])
    if hasattr(item, "keys"):
        for name in sorted(item):
            yield from _pieces(item[name], f"{place}/{name}")
    elif item.ndim and item.nbytes > _PIECE and item.dtype.kind != "O":
        rows = max(1, _PIECE * len(item) // item.nbytes)
        for start in range(0, len(item), rows):
            yield from _value(item[start : start + rows])
        yield str(item.shape).encode()
    elif hasattr(item, "dtype"):
        yield from _value(item[()])


def _value(value: Any) -> Iterator[Any]:
    """Type and shape, then numbers by their bytes and texts one by one."""
    array = np.asarray(value)
    texts = array.dtype.kind in "OSU"
    yield f"{'text' if texts else array.dtype.str} {array.shape}".encode()
    if not texts:
        yield np.ascontiguousarray(array).tobytes()
        return
    for text in array.reshape(-1).tolist():
        yield text if isinstance(text, bytes) else str(text).encode("utf-8", "surrogateescape")
