"""A digest of everything that an HDF5 file holds: content that changed after it was written is noticed on load.

It covers names, attributes, types, shapes and values, not the layout of the file: a copy that another tool packs anew is the
same content.
"""

from __future__ import annotations

import hashlib
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
    _add(digest, file, "")
    return digest.hexdigest()


def _add(digest: Any, item: Any, place: str) -> None:
    """Add a group or data set and all below it."""
    _add_bytes(digest, place.encode("utf-8", "surrogateescape"))
    for name in sorted(item.attrs):
        if place or name != SEAL:
            _add_bytes(digest, name.encode("utf-8", "surrogateescape"))
            _add_value(digest, item.attrs[name])
    if hasattr(item, "keys"):
        for name in sorted(item):
            _add(digest, item[name], f"{place}/{name}")
    elif item.ndim and item.nbytes > _PIECE and item.dtype.kind != "O":
        _add_bytes(digest, f"{item.dtype.str} {item.shape}".encode())
        digest.update(item.nbytes.to_bytes(8, "little"))
        rows = max(1, _PIECE * len(item) // item.nbytes)
        for start in range(0, len(item), rows):
            digest.update(np.ascontiguousarray(item[start : start + rows]).tobytes())
    else:
        _add_value(digest, item[()])


def _add_value(digest: Any, value: Any) -> None:
    """Add type and shape, then numbers by their bytes and texts one by one."""
    array = np.asarray(value)
    texts = array.dtype.kind in "OSU"
    _add_bytes(digest, f"{'text' if texts else array.dtype.str} {array.shape}".encode())
    if not texts:
        _add_bytes(digest, np.ascontiguousarray(array).tobytes())
        return
    for text in array.reshape(-1).tolist():
        _add_bytes(digest, text if isinstance(text, bytes) else str(text).encode("utf-8", "surrogateescape"))


def _add_bytes(digest: Any, content: bytes) -> None:
    """Add bytes after their number, so that no two sequences of parts give the same stream."""
    digest.update(len(content).to_bytes(8, "little"))
    digest.update(content)
