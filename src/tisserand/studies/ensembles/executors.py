"""One interface for everything that computes samples: this process, threads, processes or a Dask cluster.

An executor is given the work (which it ships to each of its workers once) and numbered samples. It returns every number with
the result of its sample, or with the sentence of its failure, in the order in which they end. Draws and numbers of samples are
settled before, so that executor, order and repetitions change no number. Linear algebra of a sample runs on one thread
everywhere, because sums over several threads differ in their last bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from threadpoolctl import threadpool_limits

from tisserand.errors import TisserandError
from tisserand.studies.ensembles.cluster import outcomes_of_cluster
from tisserand.studies.ensembles.processes import outcomes_of_processes
from tisserand.studies.ensembles.threads import outcomes_of_threads
from tisserand.studies.ensembles.work import Outcome, Task, Work


class Executor(Protocol):
    """What computes samples."""

    def outcomes(self, work: Work, tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome]]:
        """Number of each sample with its result or its sentence, as they end."""
        ...


@dataclass(frozen=True)
class InThisProcess:
    """One sample after the other."""

    def outcomes(self, work: Work, tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome]]:
        for number, values in tasks:
            try:
                yield number, work(values)
            except TisserandError as error:
                yield number, error.sentence()


@dataclass(frozen=True)
class InThreads:
    """Samples side by side in this process, for work that holds no lock of the interpreter."""

    jobs: int

    def outcomes(self, work: Work, tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome]]:
        return outcomes_of_threads(work, tasks, self.jobs)


@dataclass(frozen=True)
class InProcesses:
    """Samples in processes of this machine; a sample whose process dies is given to another one."""

    jobs: int

    def outcomes(self, work: Work, tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome]]:
        return outcomes_of_processes(work, tasks, self.jobs)


@dataclass(frozen=True)
class OnCluster:
    """Samples on the workers of a Dask scheduler."""

    scheduler: str
    jobs: int

    def outcomes(self, work: Work, tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome]]:
        return outcomes_of_cluster(work.shipped(), tasks, self.scheduler, self.jobs)


def executor_for(tasks: int, jobs: int, scheduler: str | None, in_threads: Callable[[], bool]) -> Executor:
    """The executor that the options of a study name; ``in_threads``: whether the work holds no lock of the interpreter."""
    if scheduler is not None:
        return OnCluster(scheduler, jobs)
    if jobs <= 1 or tasks <= 1:
        return InThisProcess()
    return InThreads(jobs) if in_threads() else InProcesses(jobs)


def computed(
    executor: Executor, work: Work, tasks: Sequence[tuple[int, Mapping[str, float]]]
) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """The outcomes of all tasks, with one thread of linear algebra per sample."""
    with threadpool_limits(1):
        yield from executor.outcomes(work, [(number, dict(values)) for number, values in tasks])
