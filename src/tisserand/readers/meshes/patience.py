"""An end to parsers that have none: some of meshio's wait for a line that a cut-off file does not have, for ever."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: Seconds that any file may take, and further seconds per megabyte (the slowest parser takes 3 on an idle core).
LEAST, PER_MEGABYTE = 15.0, 60.0


class OutOfPatience(Exception):
    """Raised inside the parser that took too long."""


@contextmanager
def patience(size: int) -> Iterator[None]:
    """Interrupt Python code of the block that takes longer than a file of ``size`` bytes can need."""
    thread, lock, over = threading.get_ident(), threading.Lock(), False

    def interrupt() -> None:
        with lock:
            if not over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(OutOfPatience))

    timer = threading.Timer(LEAST + PER_MEGABYTE * size / 1e6, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            over = True
        timer.cancel()
