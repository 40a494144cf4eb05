"""Decorators of the engine: entries with a fixed signature, and helpers that only kernels call.

Serves theory section 5.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

from tisserand.multibody.recursive.translator.entry import shell
from tisserand.numerics import kernel

_BARE = {"nogil": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
#: Part of the kernel that calls it: no Python entry and no file of its own, so that a cold start compiles less, and no call, so
#: that tables and records cost nothing to pass.
helper = numba.njit(forceinline=True, **_BARE)
#: The same for what several kernels call at several places: a call is left where the compiler finds it cheaper.
shared_helper = numba.njit(**_BARE)


#: Kernels and the complex signatures they are compiled for when derivatives are first requested, callees first.
COMPLEX_VERSIONS: list[tuple[Any, Any]] = []


def translated_entry(signature: Any, *complexes: Any) -> Callable[[Callable[..., Any]], Any]:
    """An entry whose kernel is translated as a whole (``translator``), not helper by helper: a tenth of the time to compile."""

    def decorate(function: Callable[..., Any]) -> Any:
        if numba.config.DISABLE_JIT:
            return function
        return _compiled(kernel(shell(function, signature.return_type)), signature, complexes)

    return decorate


def _compiled(kernel_: Any, signature: Any, complexes: tuple[Any, ...]) -> Any:
    if hasattr(kernel_, "compile"):  # NUMBA_DISABLE_JIT leaves plain Python, which counts operations
        kernel_.compile(signature)
        kernel_.disable_compile()
        COMPLEX_VERSIONS.extend((kernel_, signature) for signature in complexes)
    return kernel_


def compile_complex_versions() -> None:
    """Compile, or take from the cache on disk, every kernel that has a complex version; nothing the second time."""
    for kernel_, signature in COMPLEX_VERSIONS:
        if signature.args not in kernel_.overloads:
            kernel_.disable_compile(False)
            kernel_.compile(signature)
            kernel_.disable_compile()
