"""The one numba decorator used by every ``_kernels.py`` file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import numba

from tisserand.errors import InputError
from tisserand.kernel_cache import keep_on_disk


def compiled_on_disk(function: Callable[..., Any], **options: Any) -> Any:
    """Compile with a cache on disk: beside the sources, in the user's cache, else in a private temporary folder, else without.

    options: those of ``numba.njit``. A cache that is damaged, or a disk that is full, costs the compilation and nothing else.
    """
    _refuse_threads()
    compiled = numba.njit(**{"nogil": True, "fastmath": False, "error_model": "numpy", **options})(function)
    if hasattr(compiled, "enable_caching"):  # NUMBA_DISABLE_JIT leaves plain Python
        keep_on_disk(compiled, function)
    return compiled


def _refuse_threads() -> None:
    """A number of threads that numba refuses with a traceback wherever it first counts them."""
    found = os.environ.get("NUMBA_NUM_THREADS", "").strip()
    if re.fullmatch(r"[+-]?\d+", found) and int(found[:20]) < 1:
        raise InputError(
            "NUMBA_NUM_THREADS must be positive", found=found, expected="a whole number, 1 or more, or unset"
        )


def kernel(function: Callable[..., Any]) -> Any:
    """Compile without the interpreter lock, cached on disk; kernels take bare arrays and return status integers.

    numba renews a cached kernel when its own file changes, but not when a kernel that it calls, or a constant that it
    imports, changes in another file. The stamp of the cache therefore covers all modules of this package that the
    kernel's file imports, to any depth.
    """
    return compiled_on_disk(function)
