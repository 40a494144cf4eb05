"""The one numba decorator used by every ``_kernels.py`` file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

_compile = numba.njit(cache=True, nogil=True, fastmath=False, error_model="numpy")


def kernel(function: Callable[..., Any]) -> Any:
    """Compile without the interpreter lock, cached on disk; kernels take bare arrays and return status integers.

    numba renews a cached kernel when its own file changes, but not when a kernel that it calls, or a constant that it
    imports, changes in a neighbouring file. The stamp of the cache therefore covers all ``_kernels*.py`` and ``layout.py`` of
    the folder.
    """
    return stamped(_compile(function), function)


def stamped(compiled: Any, function: Callable[..., Any]) -> Any:
    """A cached dispatcher whose stamp covers all kernels of its folder."""
    index: Any = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if hasattr(index, "_source_stamp"):
        index._source_stamp = (index._source_stamp, _folder_stamp(str(Path(function.__code__.co_filename).parent)))
    return compiled


@cache
def _folder_stamp(folder: str) -> str:
    """Digest of the sources that kernels of a folder are made of."""
    digest = hashlib.sha256()
    for path in sorted([*Path(folder).glob("_kernels*.py"), *Path(folder).glob("layout.py")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
