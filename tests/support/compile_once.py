"""Processes that start together on empty caches compile each kernel once: who comes second waits for the first one's file."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # no such locks: each process compiles for itself
    fcntl = None  # type: ignore[assignment]

#: Longest wait, s: a process that was killed gives its locks back, one that hangs must not hold the others.
PATIENCE = 600.0


def install(folder: Path) -> None:
    """Lock files in ``folder`` around every compilation of a kernel that is kept on disk; call before kernels are imported."""
    from numba.core.caching import Cache

    load, save, held = Cache.load_overload, Cache.save_overload, {}

    def key_of(cache: Any, signature: Any) -> str:
        return hashlib.sha256(f"{cache._cache_file._index_path} {signature}".encode()).hexdigest()[:32]

    def load_or_lock(cache: Any, signature: Any, context: Any) -> Any:
        found, key = load(cache, signature, context), key_of(cache, signature)
        if found is not None or key in held or fcntl is None:
            return found
        file, patience = open(folder / key, "w"), time.monotonic() + PATIENCE  # noqa: SIM115  closed by save_and_unlock
        while time.monotonic() < patience:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                time.sleep(0.05)
        found = load(cache, signature, context)
        if found is None:
            held[key] = file  # ours to compile
        else:
            file.close()
        return found

    def save_and_unlock(cache: Any, signature: Any, data: Any) -> None:
        try:
            save(cache, signature, data)
        finally:
            if file := held.pop(key_of(cache, signature), None):
                file.close()

    Cache.load_overload, Cache.save_overload = load_or_lock, save_and_unlock
