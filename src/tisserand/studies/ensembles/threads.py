"""Runs in parallel threads: compiled steps hold no lock of the interpreter, so every core integrates."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Any

from tisserand.errors import TisserandError
from tisserand.multibody.controllers import SampledController
from tisserand.studies.ensembles.work import Outcome, Task, Work

if TYPE_CHECKING:
    from tisserand.multibody.vehicle_file import VehicleCase

#: Methods whose steps are compiled, all of them or (``auto``) nearly all.
COMPILED = frozenset({"auto", "dop853", "esdirk", "rk4"})


def runs_compiled(case: VehicleCase) -> bool:
    """Whether Python takes no part in the steps of a run: no law in Python, no method of scipy, not the reference engine."""
    laws = any(isinstance(controller, SampledController) for controller in case.controllers)
    return case.run.engine == "recursive" and case.run.method in COMPILED and not laws


def outcomes_of_threads(work: Work, tasks: Sequence[Task], jobs: int) -> Iterator[tuple[int, Outcome]]:
    """Number of each task with its result, or with the sentence of its package error, in the order in which they end.

    ``work`` receives values and a function that tells whether to stop: after an interrupt no run goes on beyond its segment.
    """
    stop = threading.Event()

    def safely(values: Any) -> Outcome:
        try:
            return work(values, stop.is_set)
        except TisserandError as error:
            return error.sentence()

    pool = ThreadPoolExecutor(min(jobs, len(tasks)))
    try:
        futures = {pool.submit(safely, values): number for number, values in tasks}
        for future in as_completed(futures):
            yield futures.pop(future), future.result()
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
