"""Threads for compiled and array work, as many as ``OMP_NUM_THREADS`` grants to other programs too."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")
_NAME = "tisserand-pool"


@cache
def thread_count() -> int:
    """Threads to use: ``OMP_NUM_THREADS`` where it is set, and not more than the cores of this process."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    named = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return min(int(named), cores) if named.isdigit() and int(named) > 0 else cores


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(thread_count(), thread_name_prefix=_NAME)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not pass a fork, their pool would wait for ever


def _alone() -> bool:
    """Whether work stays in this thread: there is no other, or this is one of the pool, which must not wait for others of it."""
    return thread_count() < 2 or threading.current_thread().name.startswith(_NAME)


def over_rows(work: Callable[[int, int], object], rows: int) -> None:
    """Call ``work(begin, end)`` for parts of so many rows, at the same time; it must release the interpreter lock."""
    count = min(thread_count(), rows)
    if count < 2 or _alone():
        work(0, rows)
        return
    ends = [rows * part // count for part in range(count + 1)]
    others = [_pool().submit(work, begin, end) for begin, end in pairwise(ends[1:])]
    work(0, ends[1])
    for other in others:
        other.result()


def in_order(tasks: Iterable[Callable[[], T]]) -> Iterator[T]:
    """Results of the tasks in their order, a few of them computed ahead; one by one where there is one thread."""
    if _alone():
        for task in tasks:
            yield task()
        return
    waiting: deque[Future[T]] = deque()
    try:
        for task in tasks:
            waiting.append(_pool().submit(task))
            if len(waiting) > thread_count():
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def beside(task: Callable[[], T]) -> Future[T] | None:
    """Start a task in another thread; None where there is only one."""
    return None if _alone() else _pool().submit(task)
