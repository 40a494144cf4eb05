"""Samples of a Monte Carlo study flown again with all histories: the worst ones, or by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tisserand.errors import FileError, InputError
from tisserand.files import existing_folder
from tisserand.multibody.balance_verdict import balance_verdict
from tisserand.multibody.trajectory import Trajectory
from tisserand.statistics.curves import Curve
from tisserand.statistics.history_measures import MEASURES
from tisserand.studies.ensembles.campaign import Progress, plan_of, sample_of
from tisserand.studies.ensembles.histories import outputs_of
from tisserand.studies.ensembles.kept_samples import Plan, read_kept, together
from tisserand.studies.ensembles.measured import columns_of, limits_of
from tisserand.studies.ensembles.samples import Sample
from tisserand.studies.flight import fly
from tisserand.studies.merge import study_of
from tisserand.studies.options import MonteCarloStudy, RerunStudy
from tisserand.studies.study_type import task
from tisserand.studies.vehicles import read_vehicle
from tisserand.task_result import TaskResult


@dataclass(frozen=True, eq=False)
class Rerun:
    """A sample that was flown again: its number, values, the measure that chose it (NaN if it was named), run and file."""

    number: int
    values: dict[str, float]
    measured: float
    trajectory: Trajectory
    path: Path


@dataclass(frozen=True, eq=False)
class RerunResult(TaskResult):
    """Runs of the chosen samples, worst first; by: the measure that chose them, or none."""

    task: ClassVar = "rerun"

    by: str
    runs: tuple[Rerun, ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(one.path for one in self.runs)

    @property
    def exit_code(self) -> int:
        """1: a run does not balance."""
        return 0 if all(balance_verdict(one.trajectory).held for one in self.runs) else 1

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {
            "by": self.by,
            "runs": [
                {
                    "sample": one.number, "values": one.values, "measured": one.measured,
                    "complete": one.trajectory.complete, "path": str(one.path),
                }
                for one in self.runs
            ],
        }  # fmt: skip


@task(RerunStudy)
def rerun(study: RerunStudy, progress: Progress | None = None) -> RerunResult:
    """Fly samples of a study again and write each run; its measures must be those of the study, bit by bit."""
    plan, found = together(map(read_kept, study.samples))
    file = study.samples[0]
    if plan.task != "montecarlo" or plan.options.get("modes"):
        raise FileError(file, "holds no runs", expected="the samples of a Monte Carlo study of runs")
    whole: MonteCarloStudy = study_of(plan)
    _refuse_changed(plan, whole, file)
    samples = {number + 1: sample_of(*found[number], number) for number in sorted(found)}
    by, chosen = ("", _named(study.sample, samples, file)) if study.sample else _worst(study, whole, samples, file)
    folder = study.output or file.parent
    if study.output is None:
        existing_folder(folder / "run.h5")
    else:
        folder.mkdir(parents=True, exist_ok=True)
    runs: list[Rerun] = []
    for number, measured in chosen:
        sample = samples[number]
        path = folder / f"{file.stem}-sample-{number}.h5"
        run = fly(read_vehicle(whole.vehicle, {**whole.set, **sample.values}), path)
        _refuse_other(run, sample, file)
        runs.append(Rerun(number, sample.values, measured, run, path))
        if progress is not None:
            progress(len(runs), len(chosen))
    return RerunResult(by, tuple(runs))


def _refuse_changed(plan: Plan, whole: MonteCarloStudy, file: Path) -> None:
    """Refuse if a file of the vehicle is not what it was: the sample would not be the one of the study."""
    now = {
        plan_of(whole.model_copy(update={"plot": plot}), plan.keys, plan.count, {}).identity for plot in (None, file)
    }
    if plan.identity not in now:
        raise FileError(
            file,
            "the vehicle or one of its files has changed since",
            expected="the files of the study",
            found=str(whole.vehicle),
        )


def _named(numbers: Sequence[int], samples: dict[int, Sample], file: Path) -> list[tuple[int, float]]:
    for number in numbers:
        if number not in samples:
            raise FileError(
                file, "has no such sample", found=number, expected=f"a number of its {len(samples)} samples"
            )
        if samples[number].result is None:
            raise FileError(file, f"sample {number} failed", found=str(samples[number].failure))
    return [(number, float("nan")) for number in numbers]


def _worst(
    study: RerunStudy, whole: MonteCarloStudy, samples: dict[int, Sample], file: Path
) -> tuple[str, list[tuple[int, float]]]:
    """The measure that decides, and number and value of the worst samples, worst first."""
    table = columns_of(list(samples.values()))
    if not table:
        raise FileError(file, "holds no complete run")
    limits = limits_of(whole.limit, tuple(table))
    by = study.by or (limits[0].measure if limits else next(iter(table)) if len(table) == 1 else "")
    if by not in table:
        raise InputError(
            "by: is not a measure of the study" if by else "the study has no limit that decides what is worst",
            found=repr(by) if by else None, expected=", ".join(table), advice="name a measure with --by",
        )  # fmt: skip
    values = table[by]
    limit = next((one for one in limits if one.measure == by), None)
    badness = np.abs(values) if limit is None else -limit.margin(values)
    order = np.argsort(np.where(np.isnan(badness), -np.inf, badness), kind="stable")[::-1]
    numbers = list(samples)
    chosen = [i for i in order.tolist() if not np.isnan(values[i])][: study.worst]
    return by, [(numbers[i], float(values[i])) for i in chosen]


def _refuse_other(run: Trajectory, sample: Sample, file: Path) -> None:
    """Refuse a run that is not that of the study; other processors round differently, by far less than this."""
    told = (sample.result or {})["peak"]
    for name, values in outputs_of(run).items():
        again = MEASURES["peak"](Curve(run.times, values))
        if not abs(again - told[name]) <= 1e-6 * max(abs(told[name]), 1e-300):
            raise FileError(
                file, f"sample {sample.number} flies otherwise now", found=f"peak of {name} {again:.9g}",
                expected=f"{told[name]:.9g}", advice="the program has changed since: run the study again",
            )  # fmt: skip
