"""Shards of a sweep or a Monte Carlo study put together: the result, table and plot of the whole study."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from tisserand.errors import FileError, InputError
from tisserand.studies import montecarlo, sweep
from tisserand.studies.ensembles.campaign import SAID, sample_of
from tisserand.studies.ensembles.histories import HistoryStore
from tisserand.studies.ensembles.kept_samples import Plan, keeping, read_kept, together
from tisserand.studies.ensembles.samples import Sample, SweepResult
from tisserand.studies.options import MergeStudy, MonteCarloStudy, SweepStudy
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult

#: Missing samples that a message names at most.
_NAMED = 5


@dataclass(frozen=True, eq=False)
class MergeResult(TaskResult):
    """The result of the whole study (``whole``), as its own task would have returned it."""

    task: ClassVar = "merge"

    whole: SweepResult
    paths: tuple[Path, ...] = ()

    @property
    def samples(self) -> tuple[Sample, ...]:
        return self.whole.samples

    @property
    def exit_code(self) -> int:
        return self.whole.exit_code

    @property
    def stops(self) -> tuple[str, ...]:
        return self.whole.stops

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.whole.warnings

    def pictures(self) -> str:
        """Those of the whole study."""
        return self.whole.pictures()

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the study that was put together."""
        return {**self.whole.as_dict(), "paths": [str(path) for path in self.paths]}


@task(MergeStudy)
def merge(study: MergeStudy) -> MergeResult:
    """The result of a whole study from the files of its shards."""
    store = HistoryStore()
    try:
        return _merged(study, store)
    finally:
        store.close()


def _merged(study: MergeStudy, store: HistoryStore) -> MergeResult:
    plan, found = together(read_kept(path, store.add) for path in study.samples)
    missing = [number for number in range(plan.count) if number not in found]
    if missing and not study.partial:
        named = ", ".join(str(number + 1) for number in missing[:_NAMED]) + (", ..." if len(missing) > _NAMED else "")
        raise InputError(
            "samples are missing", where=str(study.samples[0]), found=f"{len(found)} of {plan.count}; no {named}",
            expected="the files of all shards", advice="add the other files, resume those that ended early, or use --partial",
        )  # fmt: skip
    samples = [sample_of(*found[number], number) for number in sorted(found)]
    made = _swept(study, plan, samples) if plan.task == "sweep" else _flown(study, plan, samples, store)
    if study.keep is not None:
        with keeping(study.keep, plan, resume=False) as (keeper, _):
            assert keeper is not None
            held = set(store.numbers)
            for number in sorted(found):
                values, outcome = found[number]
                if number in held and isinstance(outcome, dict):
                    outcome = {"histories": store.data(number), **outcome}
                keeper.keep(number, values, outcome)
    return MergeResult(made, (*made.paths, *([study.keep] if study.keep is not None else [])))


def _swept(study: MergeStudy, plan: Plan, samples: list[Sample]) -> SweepResult:
    """The result of a sweep; what only runs have is refused."""
    for word in ("limit", "percentiles", "confidence", "histories", "report"):
        if word in study.model_fields_set:
            raise InputError(f"{word}: goes with a Monte Carlo study, not with a sweep", where=str(study.samples[0]))
    if study.output is not None and study.output.suffix.lower() != ".csv":
        raise FileError(study.output, "the table of a sweep is written as CSV", expected=".csv")
    copies = [replace(s, result=None if s.result is None else dict(s.result)) for s in samples]
    return sweep.written(study_of(plan, output=study.output, plot=study.plot), plan.keys, copies)


def _flown(study: MergeStudy, plan: Plan, samples: list[Sample], store: HistoryStore) -> SweepResult:
    """The result of a Monte Carlo study, with the limits and percentiles of the study or those stated now."""
    files = {word: getattr(study, word) for word in ("output", "histories", "plot", "report")}
    said = {word: getattr(study, word) for word in ("limit", *SAID) if word in study.model_fields_set}
    whole = study_of(plan, **files, **said)
    return montecarlo.written(whole, plan.keys, samples, store, plan.units, plan.count)


def study_of(plan: Plan, **changed: Any) -> Any:
    """The study of a file of samples, with other values for some of its options."""
    kind = SweepStudy if plan.task == "sweep" else MonteCarloStudy
    options: dict[str, Any] = {**plan.options, "vehicle": Path(plan.options["vehicle"])}
    return kind(**{**options, **changed})
