"""Tasks in parallel processes that end with their parent, at once, however it ends."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, connection, get_context, parent_process
from typing import Any

from tisserand.errors import SolverError, TisserandError

_ON_DEATH_OF_PARENT = 1  # PR_SET_PDEATHSIG of Linux


def outcomes(
    work: Callable[[Any], dict[str, Any]], tasks: Sequence[Any], jobs: int
) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Number of each task with its result, or with the sentence of its package error, in the order in which they end."""
    others = set(active_children())
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=get_context("spawn"), initializer=_settle)
    try:
        with _interrupts_later():
            futures = {pool.submit(_safely, work, task): index for index, task in enumerate(tasks)}
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BrokenProcessPool as error:
        advice = "it was killed, or memory ran out: run again with fewer jobs"
        raise SolverError("a parallel process ended before its task", advice=advice) from error
    except BaseException:  # an interrupt: nothing waits for the runs in progress
        for child in set(active_children()) - others:
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Processes started in the block never see Ctrl-C, which the terminal sends to all; their parent sees it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _settle() -> None:
    """First act of a process: only its parent ends it, and it does not outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":  # the system itself does it, even while compiled code keeps every thread waiting
        ctypes.CDLL(None).prctl(_ON_DEATH_OF_PARENT, signal.SIGKILL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _safely(work: Callable[[Any], dict[str, Any]], task: Any) -> dict[str, Any] | str:
    """Package errors cross process boundaries as sentences, not as objects."""
    try:
        return work(task)
    except TisserandError as error:
        return error.sentence()
