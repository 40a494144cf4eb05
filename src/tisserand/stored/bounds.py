"""Limits for parsers that have none: libraries that trust a damaged count exhaust memory or wait forever for a line."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tisserand.errors import FileError
from tisserand.stored.limits import EXPANSION, memory_limit

#: Seconds of processor time that any file may take, and further seconds per megabyte (the slowest parser takes 3).
LEAST, PER_MEGABYTE = 5.0, 60.0
#: Address space that any file may take, bytes; ``EXPANSION`` times its size comes on top.
ROOM = 384 << 20
#: Seconds between two interruptions of a parser that takes an exception for a sign to try something else.
_AGAIN = 1.0
_memory = threading.RLock()


class OutOfPatience(Exception):
    """Raised inside the parser that took too long."""


@contextmanager
def bounded(path: str | Path, kind: type[FileError] = FileError) -> Iterator[None]:
    """Run a parser of ``path`` within the processor time and memory that a file of its size can need.

    Python code that takes longer is interrupted (``OutOfPatience``); memory beyond the bound is refused by the operating system
    and becomes a ``kind``, unless the parser turned it into an error of its own.
    """
    path = Path(path)
    size = path.stat().st_size
    try:
        with _patience(size), _address_space(size):
            yield
    except MemoryError as error:
        raise kind(
            path,
            "reading it takes more memory than a file of its size can need",
            found=f"more than {_room(size) >> 20} MiB for {size} bytes",
            advice="a count or a number in it is damaged, or its numbers are too far apart: write it again",
        ) from error


def _room(size: int) -> int:
    return min(ROOM + EXPANSION * size, memory_limit())


@contextmanager
def _address_space(size: int) -> Iterator[None]:
    """Lower the soft limit of the process for the block; nothing where the system has no such limit (only Linux keeps it).

    One block at a time: the limit belongs to the whole process.
    """
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        yield
        return
    with _memory:
        before = resource.getrlimit(resource.RLIMIT_AS)
        bound = pages * resource.getpagesize() + _room(size)
        if before[0] != resource.RLIM_INFINITY:
            bound = min(bound, before[0])
        resource.setrlimit(resource.RLIMIT_AS, (bound, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def _patience(size: int) -> Iterator[None]:
    """Interrupt Python code of the block that takes more processor time than a file of ``size`` bytes can need.

    Wall time does not count: on a busy machine a sound file takes longer, which is no sign of damage.
    """
    thread, over = threading.get_ident(), threading.Event()
    lock, limit, started = threading.Lock(), LEAST + PER_MEGABYTE * size / 1e6, time.process_time()

    def watch() -> None:
        wait = max(limit, 0.05)
        while not over.wait(wait):
            with lock:
                late = time.process_time() - started >= limit
                if late and not over.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(OutOfPatience))
            wait = _AGAIN if late else max(limit - (time.process_time() - started), 0.05)

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with lock:
            over.set()
