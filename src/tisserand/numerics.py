"""The one numba decorator used by every ``_kernels.py`` file."""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import re
import stat
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

from tisserand.errors import InputError


def compiled_on_disk(function: Callable[..., Any], **options: Any) -> Any:
    """Compile with a cache on disk: beside the sources, in the user's cache, else in a private temporary folder, else without.

    options: those of ``numba.njit``. A cache that is damaged, or a disk that is full, costs the compilation and nothing else.
    """
    _refuse_threads()
    chosen: dict[str, Any] = {"nogil": True, "fastmath": False, "error_model": "numpy", **options}
    try:
        compiled = numba.njit(cache=True, **chosen)(function)
    except RuntimeError:  # numba found no folder to write to: installation read-only, home unwritable
        folder = _private_folder()
        if folder is None:
            return numba.njit(**chosen)(function)
        numba.config.CACHE_DIR = folder
        compiled = numba.njit(cache=True, **chosen)(function)
    return _forgiving(_stamped(compiled, function))


def _refuse_threads() -> None:
    """A number of threads that numba refuses with a traceback wherever it first counts them."""
    found = os.environ.get("NUMBA_NUM_THREADS", "").strip()
    if re.fullmatch(r"[+-]?\d+", found) and int(found[:20]) < 1:
        raise InputError(
            "NUMBA_NUM_THREADS must be positive", found=found, expected="a whole number, 1 or more, or unset"
        )


def _forgiving(compiled: Any) -> Any:
    """A dispatcher that compiles anew where its cache cannot be read, and goes on where it cannot be written."""
    kept: Any = getattr(compiled, "_cache", None)
    for word in ("load_overload", "save_overload"):
        if hasattr(kept, word):
            setattr(kept, word, _or_none(getattr(kept, word)))
    return compiled


def _or_none(step: Callable[..., Any]) -> Callable[..., Any]:
    def tried(*args: Any) -> Any:
        try:
            return step(*args)
        except (
            OSError,
            EOFError,
            ValueError,
            LookupError,
            ImportError,
            AttributeError,
            TypeError,
            pickle.UnpicklingError,
        ):
            return None

    return tried


@cache
def _private_folder() -> str | None:
    """A folder for compiled kernels that only this user can write to, announced once; None if there is none.

    Cached kernels are programs: a folder that another user made or may write to is not used.
    """
    folder = Path(tempfile.gettempdir()) / f"tisserand-kernels-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    note = "tisserand: note: neither the installation nor the user's cache can be written; "
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        facts = folder.lstat()
        ours = not hasattr(os, "getuid") or facts.st_uid == os.getuid()
        if stat.S_ISDIR(facts.st_mode) and ours and not facts.st_mode & 0o077 and os.access(folder, os.W_OK):
            logging.getLogger(__name__).warning("%scompiled code is kept in %s", note, folder)
            return str(folder)
    except OSError:
        pass
    logging.getLogger(__name__).warning("%severy run recompiles (set NUMBA_CACHE_DIR to a writable folder)", note)
    return None


def kernel(function: Callable[..., Any]) -> Any:
    """Compile without the interpreter lock, cached on disk; kernels take bare arrays and return status integers.

    numba renews a cached kernel when its own file changes, but not when a kernel that it calls, or a constant that it
    imports, changes in a neighboring file. The stamp of the cache therefore covers all ``_kernels*.py`` and ``layout.py`` of
    the folder.
    """
    return compiled_on_disk(function)


def _stamped(compiled: Any, function: Callable[..., Any]) -> Any:
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
