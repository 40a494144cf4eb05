"""Ctrl-C that is never lost: Python drops what is raised in a destructor or in the callback of a weak reference."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

#: Seconds after which an interrupt that was dropped comes again.
_AGAIN = 0.01


@contextmanager
def no_interrupt_lost() -> Iterator[None]:
    """Within it, an interrupt that is dropped comes again; one that something swallowed ends the work when that returns."""
    asked = threading.Event()
    timers: list[threading.Timer] = []
    tell = sys.unraisablehook

    def note(number: int, frame: FrameType | None) -> None:
        asked.set()
        signal.default_int_handler(number, frame)

    def dropped(what: Any) -> None:
        if not (isinstance(what.exc_type, type) and issubclass(what.exc_type, KeyboardInterrupt)):
            tell(what)
            return
        asked.set()
        timers.append(threading.Timer(_AGAIN, _thread.interrupt_main))
        timers[-1].daemon = True
        timers[-1].start()

    ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    sys.unraisablehook = dropped
    if ours:
        signal.signal(signal.SIGINT, note)
    try:
        yield
        if asked.is_set():
            raise KeyboardInterrupt
    finally:
        for timer in timers:
            timer.cancel()
            timer.join()
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.unraisablehook = tell
