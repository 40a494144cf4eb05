"""Shards of a sweep or a Monte Carlo study put together: the result, table and plot of the whole study."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tisserand.errors import InputError
from tisserand.studies import montecarlo, sweep
from tisserand.studies.ensembles.campaign import sample_of
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
    plan, found = together(read_kept(path) for path in study.samples)
    missing = [number for number in range(plan.count) if number not in found]
    if missing and not study.partial:
        named = ", ".join(str(number + 1) for number in missing[:_NAMED]) + (", ..." if len(missing) > _NAMED else "")
        raise InputError(
            "samples are missing", where=str(study.samples[0]), found=f"{len(found)} of {plan.count}; no {named}",
            expected="the files of all shards", advice="add the other files, resume those that ended early, or use --partial",
        )  # fmt: skip
    samples = [sample_of(*found[number]) for number in sorted(found)]
    whole = study_of(plan, output=study.output, plot=study.plot)
    finish = sweep.written if plan.task == "sweep" else montecarlo.written
    made: SweepResult = finish(whole, plan.keys, samples)
    if study.keep is not None:
        with keeping(study.keep, plan, resume=False) as (keeper, _):
            assert keeper is not None
            for number in sorted(found):
                keeper.keep(number, *found[number])
    return MergeResult(made, (*made.paths, *([study.keep] if study.keep is not None else [])))


def study_of(plan: Plan, **changed: Any) -> Any:
    """The study of a file of samples, with other values for some of its options."""
    kind = SweepStudy if plan.task == "sweep" else MonteCarloStudy
    options: dict[str, Any] = {**plan.options, "vehicle": Path(plan.options["vehicle"])}
    return kind(**{**options, **changed})
