"""Samples in parallel processes that end with their parent, at once, however it ends; a process that dies costs nothing."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from typing import Any

from threadpoolctl import threadpool_limits

from tisserand.errors import SolverError, TisserandError
from tisserand.studies.ensembles.work import ATTEMPTS, Outcome, Task, Work, lost_worker

_ON_DEATH_OF_PARENT = 1  # PR_SET_PDEATHSIG of Linux


@dataclass
class _Worker:
    """A process with its end of a pipe, and the task that it has; ready once it has imported all that it needs."""

    process: Any
    pipe: connection.Connection
    task: Task | None = None
    ready: bool = False

    def give(self, task: Task | None) -> None:
        self.task = task
        with suppress(OSError):  # one that has died is noticed when it is read
            self.pipe.send(task)


def outcomes_of_processes(work: Work, tasks: Sequence[Task], jobs: int) -> Iterator[tuple[int, Outcome]]:
    """Number of each task with its result, or with the sentence of its failure, in the order in which they end.

    The task of a process that dies goes to a new one; after ``ATTEMPTS`` deaths they are the failure of the sample.
    """
    waiting, deaths, crew = deque(tasks), Counter[int](), list[_Worker]()
    left, never_ready = len(tasks), 0
    try:
        while left:
            while len(crew) < min(jobs, left):
                crew.append(_started(work))
            for worker in crew:
                if worker.ready and worker.task is None and waiting:
                    worker.give(waiting.popleft())
            for pipe in connection.wait([worker.pipe for worker in crew]):
                worker = next(one for one in crew if one.pipe is pipe)
                task = worker.task
                try:
                    kind, answer = worker.pipe.recv()
                except (EOFError, OSError):
                    crew.remove(worker)
                    worker.process.join()
                    if task is None:
                        never_ready += not worker.ready
                        _refuse_endless_starts(never_ready, worker.process.exitcode)
                        continue
                    deaths[task[0]] += 1
                    if deaths[task[0]] < ATTEMPTS:
                        waiting.appendleft(task)
                        continue
                    kind, answer = "failure", lost_worker(ATTEMPTS)
                if kind == "ready":
                    worker.ready = True
                    continue
                if kind == "error":  # a mistake of ours, not of the sample
                    raise answer
                assert task is not None
                worker.task, left = None, left - 1
                yield task[0], answer
        for worker in crew:
            worker.give(None)
        for worker in crew:
            worker.process.join()
    finally:  # after an interrupt nothing waits for the runs in progress
        for worker in crew:
            worker.process.terminate()
            worker.process.join()
            worker.pipe.close()


def _refuse_endless_starts(times: int, code: int | None) -> None:
    if times >= ATTEMPTS:
        raise SolverError(
            "parallel processes end before their first task",
            found=f"exit code {code}",
            advice="they were killed, or memory ran out: run again with fewer jobs",
        )


def _started(work: Work) -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, work), daemon=True)
    with _interrupts_later():
        process.start()
    theirs.close()
    return _Worker(process, ours)


def _serve(pipe: connection.Connection, work: Work) -> None:
    """The life of a process: tasks in, outcomes out, until None or the end of the pipe."""
    _settle()
    threadpool_limits(1)
    with suppress(EOFError, OSError):
        pipe.send(("ready", None))
        while (task := pipe.recv()) is not None:
            pipe.send(_answer(work, task))


def _answer(work: Work, task: Task) -> tuple[str, Any]:
    """Package errors cross process boundaries as sentences; anything else is raised again by the parent."""
    try:
        return "result", work(task[1])
    except TisserandError as error:
        return "failure", error.sentence()
    except Exception as error:
        return "error", error


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
