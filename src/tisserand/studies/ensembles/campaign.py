"""The course of a study of many samples: keys checked, samples computed by an executor, kept as they end, and gathered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tisserand.declarations.introspection import annotations_at, members_of
from tisserand.declarations.paths import words_of_path
from tisserand.errors import FileError, InputError, TisserandError, UnknownKeyError
from tisserand.multibody.vehicle_file import VehicleFile
from tisserand.studies.ensembles.executors import computed, executor_for
from tisserand.studies.ensembles.kept_samples import Plan, Sink, identity_of, keeping, without_histories
from tisserand.studies.ensembles.samples import Sample
from tisserand.studies.ensembles.shipped_vehicle import ShippedVehicle
from tisserand.studies.ensembles.work import Outcome, Work
from tisserand.studies.idle_options import refuse_idle
from tisserand.studies.options import MonteCarloStudy, SweepStudy
from tisserand.studies.values import part_of
from tisserand.studies.vehicles import read_vehicle

Progress = Callable[[int, int], None]
#: Options that change no number.
WHO_AND_WHERE = frozenset(
    {"jobs", "scheduler", "shard", "keep", "resume", "output", "style", "histories", "plot", "report"}
)
#: Options that change no sample, only what is said of them.
SAID = frozenset({"percentiles", "confidence"})


def gathered(
    study: SweepStudy | MonteCarloStudy,
    work: Work,
    grid: Sequence[dict[str, float]],
    progress: Progress | None,
    *,
    in_threads: Callable[[], bool] = lambda: False,
    sink: Sink | None = None,
    units: Mapping[str, str] | None = None,
    interrupted: Callable[[Sequence[Sample]], object] = lambda samples: None,
) -> tuple[Sample, ...]:
    """The samples of a study, or of its shard, in order; what is kept already is not computed again.

    in_threads: whether the work holds no lock of the interpreter; sink: takes the histories of runs as they end; units: of their
    outputs; interrupted: called with the samples that are done when Ctrl-C ends the study.
    """
    if study.scheduler not in (None, "local"):
        refuse_idle(study, ("jobs",), "a scheduler that runs elsewhere: its workers decide")
    ours = _numbers(len(grid), study.shard)
    done: dict[int, Sample] = {}
    plan = plan_of(study, tuple(grid[0]), len(grid), units or {})
    with keeping(study.keep, plan, study.resume, sink) as (keeper, held):
        done |= {number: sample_of(held[number][0], held[number][1], number) for number in ours if number in held}
        tasks = [(number, grid[number]) for number in ours if number not in done]
        if progress is not None and done:
            progress(len(done), len(ours))
        executor = executor_for(len(tasks), study.jobs, study.scheduler, in_threads)
        try:
            for number, outcome in computed(executor, work, tasks) if tasks else ():
                done[number] = sample_of(grid[number], without_histories(number, outcome, sink), number)
                if keeper is not None:
                    keeper.keep(number, grid[number], outcome)
                if progress is not None:
                    progress(len(done), len(ours))
        except KeyboardInterrupt:
            interrupted([done[number] for number in ours if number in done])
            raise
    return tuple(done[number] for number in ours)


def _numbers(count: int, shard: str | None) -> range:
    """The samples of a study, or those of its shard: every N-th, so that costs that grow along a sweep are shared."""
    part, of = part_of(shard) if shard is not None else (1, 1)
    return range(part - 1, count, of)


def sample_of(values: dict[str, float], outcome: Outcome, number: int) -> Sample:
    """A sample, ``number`` from 0, with its result, or with its failure."""
    if isinstance(outcome, str):
        return Sample(values, None, outcome, number + 1)
    return Sample(values, outcome, None, number + 1)


def plan_of(study: SweepStudy | MonteCarloStudy, keys: tuple[str, ...], count: int, units: Mapping[str, str]) -> Plan:
    """The study as files of samples state it."""
    stated: dict[str, Any] = study.model_dump(mode="json", exclude_unset=True)
    stated["vehicle"] = str(study.vehicle.resolve())
    settling = {name: value for name, value in stated.items() if name not in {*WHO_AND_WHERE, *SAID, "vehicle"}}
    kept_for = ("plot", "report", "histories", *(("shard",) if study.task == "sweep" else ()))
    settling["shapes"] = any(getattr(study, word, None) is not None for word in kept_for)
    files = ShippedVehicle(study.vehicle, {}).digest()
    kept = {name: value for name, value in stated.items() if name not in WHO_AND_WHERE}
    return Plan(study.task, kept, keys, count, identity_of(study.task, settling, files), units)


def refuse_unknown_keys(study: SweepStudy | MonteCarloStudy, grid: Sequence[Mapping[str, float]]) -> None:
    """Refuse a mistake of ``set`` or of the file, and a key that means nothing there, before a sweep starts.

    A bad value of a swept key is its sample's own.
    """
    stated, first = _mistake(study, {}), _mistake(study, grid[0])
    if stated is not None and first is not None and stated.sentence() == first.sentence():  # no value mends it
        raise first
    for key, value in grid[0].items():
        kinds = {member for item in annotations_at(VehicleFile, words_of_path(key)) for member in members_of(item)}
        if kinds and not kinds & {int, float, Any}:
            raise InputError(
                f"{key}: is not a number", where=str(study.vehicle), expected="a key whose value is a number"
            )
        error = _mistake(study, {key: value})
        if isinstance(error, UnknownKeyError | FileError) or (error and isinstance(error.__cause__, FileError)):
            raise error  # a missing file has its cause; everything else is recorded with its sample


def _mistake(study: SweepStudy | MonteCarloStudy, values: Mapping[str, float]) -> TisserandError | None:
    try:
        read_vehicle(study.vehicle, {**study.set, **values})
    except TisserandError as error:
        return error
    return None
