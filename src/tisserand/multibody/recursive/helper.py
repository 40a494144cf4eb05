"""Decorators of the engine: entries with a fixed signature, and helpers that only kernels call.

Serves theory section 5.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

from tisserand.numerics import compiled_on_disk, kernel

#: No Python entry and no file of its own, so that a cold start compiles less.
helper = numba.njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)


def typed_helper(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """A helper compiled for one signature only: integer literals in calls would otherwise make a new version each.

    It is compiled at import, so it is kept on disk like an entry.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        compiled = compiled_on_disk(function, no_cfunc_wrapper=True)
        if hasattr(compiled, "compile"):
            compiled.compile(signature)
            compiled.disable_compile()
        return compiled

    return decorate


def entry(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """A cached kernel compiled once for one signature, at import; other kernels may receive it as a function."""

    def decorate(function: Callable[..., Any]) -> Any:
        compiled = kernel(function)
        if hasattr(compiled, "compile"):  # NUMBA_DISABLE_JIT leaves plain Python, which counts operations
            compiled.compile(signature)
            compiled.disable_compile()
        return compiled

    return decorate
