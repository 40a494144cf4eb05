"""Samples on a Dask cluster: on processes that it starts here, at an address, or where a scheduler file says.

The work goes to the scheduler once, as a task of its own, and from worker to worker once each; it can be made again if all who
had it are lost. A sample whose worker is lost is given to another one by the scheduler.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from tisserand.errors import FileError, InputError, SolverError, TisserandError
from tisserand.files import existing_file
from tisserand.studies.ensembles.work import ATTEMPTS, Outcome, Task, Work, lost_worker

#: Samples that wait at the scheduler, for each thread of its workers; all the others wait here.
_WAITING = 4
#: Seconds within which a scheduler answers.
_ANSWER = 30
_log = logging.getLogger(__name__)


def outcomes_of_cluster(work: Work, tasks: Sequence[Task], scheduler: str, jobs: int) -> Iterator[tuple[int, Outcome]]:
    """Number of each task with its result, or with the sentence of its failure, in the order in which they end."""
    with _client(scheduler, jobs) as client:
        from distributed import as_completed

        if not client.nthreads():
            _log.warning(
                "tisserand: note: the Dask scheduler has no workers yet; the study begins when the first one joins"
            )
        shared = client.submit(pickle.loads, pickle.dumps(work), pure=False)
        waiting, numbers = iter(tasks), dict[str, int]()
        results = as_completed()

        def hand_in(most: int) -> None:
            while len(numbers) < most and (task := next(waiting, None)) is not None:
                future = client.submit(_answer, shared, task[1], pure=False, retries=0)
                numbers[future.key] = task[0]
                results.add(future)

        hand_in(_most_waiting(client))
        for future in results:
            number = numbers.pop(future.key)
            outcome = _outcome(future)
            hand_in(_most_waiting(client))
            yield number, outcome


def _most_waiting(client: Any) -> int:
    return max(16, _WAITING * sum(map(int, client.nthreads().values())))


def _outcome(future: Any) -> Outcome:
    from distributed import KilledWorker

    if future.status == "finished":
        return future.result()  # type: ignore[no-any-return]
    if future.status == "error":
        error = future.exception()
        if isinstance(error, KilledWorker):
            return lost_worker(ATTEMPTS)
        raise error
    raise SolverError("the Dask scheduler was lost", found=future.status, advice="continue with --resume")


def _answer(work: Work, values: dict[str, float]) -> Outcome:
    """What a worker computes; package errors travel as sentences."""
    try:
        with threadpool_limits(1):
            return work(values)
    except TisserandError as error:
        return error.sentence()


@contextmanager
def _client(scheduler: str, jobs: int) -> Iterator[Any]:
    """A client of the scheduler that an option names; everything that was started here ends here."""
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise InputError(
            "running on a cluster needs the packages dask and distributed",
            found=f"--scheduler {scheduler}",
            advice="install the extra with: pip install 'tisserand[cluster]'",
        ) from None
    settings = {
        "distributed.scheduler.allowed-failures": ATTEMPTS - 1,
        "distributed.comm.timeouts.connect": f"{_ANSWER}s",
    }
    logging.getLogger("distributed").setLevel(logging.ERROR)
    with dask.config.set(settings):
        if scheduler == "local":
            with (
                LocalCluster(jobs, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR) as cluster,
                Client(cluster) as client,
            ):
                yield client
            return
        place: dict[str, Any] = {"address": scheduler}
        if scheduler.endswith(".json"):
            place = {"scheduler_file": str(_scheduler_file(scheduler))}
        try:
            client = Client(**place, timeout=_ANSWER)
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(
                "the Dask scheduler does not answer",
                found=scheduler,
                expected="local, tcp://host:port, or the file of a scheduler that runs",
                advice=f"start one with: dask scheduler ({type(error).__name__})",
            ) from error
        with client:
            yield client


def _scheduler_file(name: str) -> Path:
    path = existing_file(name)
    if not path.read_bytes().lstrip().startswith(b"{"):
        raise FileError(
            path, "is not the file of a Dask scheduler", expected="the JSON file that a Dask scheduler writes of itself"
        )
    return path
