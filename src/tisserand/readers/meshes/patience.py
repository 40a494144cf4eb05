"""An end to parsers that have none: some of meshio's wait for a line that a cut-off file does not have, for ever."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

#: Seconds of processor time that any file may take, and further seconds per megabyte (the slowest parser takes 3).
LEAST, PER_MEGABYTE = 5.0, 60.0


class OutOfPatience(Exception):
    """Raised inside the parser that took too long."""


@contextmanager
def patience(size: int) -> Iterator[None]:
    """Interrupt Python code of the block that takes more processor time than a file of ``size`` bytes can need.

    The time of day does not count: on a busy machine a sound file waits, and must not be called damaged for it.
    """
    thread, over = threading.get_ident(), threading.Event()
    lock, limit, started = threading.Lock(), LEAST + PER_MEGABYTE * size / 1e6, time.process_time()

    def watch() -> None:
        while not over.wait(max(limit - (time.process_time() - started), 0.05)):
            with lock:
                if not over.is_set() and time.process_time() - started >= limit:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(OutOfPatience))
                    return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with lock:
            over.set()
