"""Sweeps over a configuration and seeded Monte Carlo, in parallel processes or threads; failures are recorded, not fatal."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tisserand.declarations.introspection import annotations_at, members_of
from tisserand.declarations.paths import words_of_path
from tisserand.errors import FileError, InputError, TisserandError, UnknownKeyError
from tisserand.files import csv_name, write_text
from tisserand.multibody.balance_verdict import balance_verdict
from tisserand.multibody.vehicle_file import VehicleFile
from tisserand.multibody.vehicle_file.linear_case import linear_model, modes_of_case
from tisserand.notebook_html import curves
from tisserand.studies.flight import flown
from tisserand.studies.options import MonteCarloStudy, SweepStudy
from tisserand.studies.study_type import task
from tisserand.studies.threads import outcomes_of_threads, runs_compiled
from tisserand.studies.values import MOST_VALUES, draw_of, keys_of
from tisserand.studies.vehicles import read_vehicle
from tisserand.studies.workers import outcomes
from tisserand.task_result import TaskResult
from tisserand.views.sweep_plot import SweptModes, save_sweep_plot

Progress = Callable[[int, int], None]

#: Samples that a warning names at most.
NAMED = 20


@dataclass(frozen=True)
class Sample:
    """One configuration: its values, and its results or the reason why there are none."""

    values: dict[str, float]
    result: dict[str, Any] | None
    failure: str | None = None


@dataclass(frozen=True)
class SweepResult(TaskResult):
    """All samples in order."""

    task: ClassVar = "sweep"

    keys: tuple[str, ...]
    samples: tuple[Sample, ...]
    paths: tuple[Path, ...] = ()

    @property
    def failures(self) -> int:
        return sum(sample.failure is not None for sample in self.samples)

    @property
    def unbalanced(self) -> tuple[int, ...]:
        """Numbers, from 1, of the simulated samples whose energy or momentum does not balance."""
        found = enumerate(self.samples, start=1)
        return tuple(n for n, s in found if s.result and not s.result.get("balance", {"held": True})["held"])

    @property
    def came_to_nothing(self) -> bool:
        """Whether every sample failed or does not balance."""
        return self.failures + len(self.unbalanced) == len(self.samples)

    @property
    def exit_code(self) -> int:
        return 1 if self.came_to_nothing else 0

    @property
    def stops(self) -> tuple[str, ...]:
        """The first reason, where every sample failed."""
        if not self.samples or self.failures < len(self.samples):
            return ()
        return (f"every sample failed, the first one: {str(self.samples[0].failure).rstrip('.')}",)

    @property
    def warnings(self) -> tuple[str, ...]:
        """One sentence where samples carry doubts, with the first of them; one that names the samples that do not balance."""
        if self.unbalanced:
            named = ", ".join(map(str, self.unbalanced[:NAMED])) + (", ..." if len(self.unbalanced) > NAMED else "")
            return (f"{len(self.unbalanced)} of {len(self.samples)} samples do not balance: {named}",)
        doubtful = [s for s in self.samples if s.result is not None and s.result["warnings"]]
        if not doubtful or "frequencies_hz" not in (doubtful[0].result or {}):
            return ()
        values = ", ".join(f"{key} = {value:.6g}" for key, value in doubtful[0].values.items())
        first = (doubtful[0].result or {})["warnings"][0]
        return (f"{len(doubtful)} of {len(self.samples)} samples, first {values}: {first}",)

    def pictures(self) -> str:
        """The lowest frequencies over the first key, and the plot if one was written."""
        sound = [s for s in self.samples if s.result]
        most = min((len(s.result["frequencies_hz"]) for s in sound if s.result), default=0)
        if len(sound) < 2 or not most:
            return super().pictures()
        values = [[s.values[self.keys[0]], *s.result["frequencies_hz"][:most]] for s in sound if s.result]
        table = np.array(sorted(values))[:, : 1 + min(most, 6)]
        names = [f"mode {i + 1} Hz" for i in range(table.shape[1] - 1)]
        return curves(table[:, 0], table[:, 1:], names) + super().pictures()

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {
            "keys": list(self.keys),
            "samples": [{"values": s.values, "result": s.result, "failure": s.failure} for s in self.samples],
            "failures": self.failures,
            "unbalanced": list(self.unbalanced),
            "paths": [str(path) for path in self.paths],
        }


@dataclass(frozen=True)
class MonteCarloResult(SweepResult):
    """All runs in order."""

    task: ClassVar = "montecarlo"

    def pictures(self) -> str:
        """Peaks have no order to be drawn in."""
        return ""


@task(SweepStudy)
def sweep(study: SweepStudy, progress: Progress | None = None) -> SweepResult:
    """System modes (frequency, damping, poles; A, B, C, D with ``matrices``) for every combination of the keys' values."""
    keys = tuple(word for group in study.over for word in keys_of(group))
    twice = sorted({word for word in keys if keys.count(word) > 1})
    if twice:
        raise InputError("a key is swept twice", found=", ".join(twice))
    combinations = math.prod(len(values) for values in study.over.values())
    if combinations > MOST_VALUES:
        raise InputError("the sweep has too many combinations", found=combinations, expected=f"at most {MOST_VALUES}")
    grid = [
        {word: value for group, value in zip(study.over, combination) for word in keys_of(group)}
        for combination in itertools.product(*study.over.values())
    ]
    _refuse_unknown_keys(study, grid)
    tasks = [(study, values) for values in grid]
    samples = tuple(_gathered(_modes_sample, tasks, grid, study.jobs, progress))
    # shapes only distinguish the curves of the plot; they are not part of the result
    shapes = [s.result.pop("shapes", None) if s.result is not None else None for s in samples]
    paths = []
    if study.output is not None:
        paths.append(write_text(study.output, _modes_csv(keys, samples)))
    if study.plot is not None and any(s.result is not None for s in samples):
        tied = keys_of(next(iter(study.over)))
        paths.append(save_sweep_plot(tied, _swept(tied, samples, shapes), study.plot))
    return SweepResult(keys, samples, tuple(paths))


def _refuse_unknown_keys(study: SweepStudy | MonteCarloStudy, grid: Sequence[Mapping[str, float]]) -> None:
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


def _swept(tied: Sequence[str], samples: Sequence[Sample], shapes: Sequence[Any]) -> list[SweptModes]:
    """The good samples, one sweep of the ``tied`` keys for every combination of the other keys' values."""
    groups: dict[tuple[tuple[str, float], ...], list[tuple[float, Any, Any]]] = {}
    for sample, shape in zip(samples, shapes):
        if sample.result is not None:
            others = tuple((k, v) for k, v in sample.values.items() if k not in tied)
            poles = np.array([complex(*pole) for pole in sample.result["poles"]], complex)
            groups.setdefault(others, []).append((sample.values[tied[0]], poles, shape))
    return [
        SweptModes(
            np.array([value for value, _, _ in members]),
            tuple(poles for _, poles, _ in members),
            tuple(shape for _, _, shape in members),
            ", ".join(f"{key} {value:.6g}" for key, value in others),
        )
        for others, members in groups.items()
    ]


def _modes_sample(task: tuple[SweepStudy, dict[str, float]]) -> dict[str, Any]:
    study, values = task
    case = read_vehicle(study.vehicle, {**study.set, **values})
    modes = modes_of_case(case, closed_loop=study.closed_loop)
    result: dict[str, Any] = {
        "frequencies_hz": modes.frequencies_hz.tolist(),
        "damping_ratios": modes.damping_ratios.tolist(),
        "poles": [[float(p.real), float(p.imag)] for p in modes.eigenvalues],
        "rigid": modes.rigid,
        "warnings": list(modes.doubts),
    }
    if study.plot is not None:
        result["shapes"] = modes.shapes
    if study.matrices:
        model = linear_model(case, closed_loop=study.closed_loop)
        result |= {word: getattr(model, word).tolist() for word in ("A", "B", "C", "D")}
    return result


@task(MonteCarloStudy)
def montecarlo(study: MonteCarloStudy, progress: Progress | None = None) -> MonteCarloResult:
    """Simulate vehicles with values drawn at random; the same seed gives the same samples whatever ``jobs`` is."""
    rng = np.random.default_rng(study.seed)
    keys = tuple(word for group in study.vary for word in keys_of(group))
    grid = []
    for _ in range(study.count):
        drawn = {group: draw_of(text, rng) for group, text in study.vary.items()}
        grid.append({word: drawn[group] for group in study.vary for word in keys_of(group)})
    _refuse_unknown_keys(study, grid)
    tasks = [(study, values) for values in grid]
    shared = study.jobs > 1 and _in_threads(study, grid[0])
    samples = tuple(_gathered(_flight_sample, tasks, grid, study.jobs, progress, shared))
    paths = [] if study.output is None else [write_text(study.output, _flight_csv(keys, samples))]
    return MonteCarloResult(keys, samples, tuple(paths))


def _in_threads(study: MonteCarloStudy, values: Mapping[str, float]) -> bool:
    """Whether runs share one process; a first sample that cannot be read is recorded with the others."""
    try:
        return runs_compiled(read_vehicle(study.vehicle, {**study.set, **values}))
    except TisserandError:
        return False


def _flight_sample(
    task: tuple[MonteCarloStudy, dict[str, float]], stopped: Callable[[], bool] | None = None
) -> dict[str, Any]:
    study, values = task
    run = flown(read_vehicle(study.vehicle, {**study.set, **values}), stopped=stopped)
    peaks = {name: float(np.abs(v).max(initial=0.0)) for name, v in run.signals.items() if "/" not in name}
    finals = {name: float(v[-1]) for name, v in run.signals.items() if "/" not in name}
    return {
        "complete": run.complete,
        "peak": peaks,
        "final": finals,
        "final_rate": float(np.linalg.norm(run.angular_velocity[-1])),
        "balance": balance_verdict(run).as_dict(),
        "warnings": list(run.warnings),
    }


def _gathered(
    work: Callable[..., dict[str, Any]],
    tasks: Sequence[Any],
    grid: Sequence[dict[str, float]],
    jobs: int,
    progress: Progress | None,
    threads: bool = False,
) -> Iterable[Sample]:
    """Results in the order of the tasks; a package error becomes the failure of its sample; in threads or processes."""
    results: list[Sample | None] = [None] * len(tasks)

    def keep(index: int, call: Callable[[], dict[str, Any]]) -> None:
        try:
            results[index] = Sample(grid[index], call())
        except TisserandError as error:
            results[index] = Sample(grid[index], None, error.sentence())
        if progress is not None:
            progress(sum(r is not None for r in results), len(tasks))

    if jobs <= 1 or len(tasks) <= 1:
        for index, task in enumerate(tasks):
            keep(index, lambda task=task: work(task))  # type: ignore[misc]
    else:
        for index, outcome in (outcomes_of_threads if threads else outcomes)(work, tasks, jobs):
            results[index] = (
                Sample(grid[index], outcome) if isinstance(outcome, dict) else Sample(grid[index], None, outcome)
            )
            if progress is not None:
                progress(sum(r is not None for r in results), len(tasks))
    return [sample for sample in results if sample is not None]


def _modes_csv(keys: tuple[str, ...], samples: Sequence[Sample]) -> str:
    most = max((len(s.result["frequencies_hz"]) for s in samples if s.result), default=0)
    head = [*keys, *(f"mode_{i + 1}_hz" for i in range(most)), *(f"mode_{i + 1}_zeta" for i in range(most)), "failure"]
    lines = [",".join(head)]
    for s in samples:
        f = s.result["frequencies_hz"] if s.result else []
        z = s.result["damping_ratios"] if s.result else []
        row = [f"{v:.10g}" for v in s.values.values()]
        row += [f"{v:.10g}" for v in f] + [""] * (most - len(f)) + [f"{v:.6g}" for v in z] + [""] * (most - len(z))
        lines.append(",".join([*row, _quoted(s.failure)]))
    return "\n".join(lines) + "\n"


def _flight_csv(keys: tuple[str, ...], samples: Sequence[Sample]) -> str:
    signals = sorted({name for s in samples if s.result for name in s.result["peak"]})
    head = [
        *keys,
        "complete",
        *(f"peak {n}" for n in signals),
        *(f"final {n}" for n in signals),
        "final_rate_rad_s",
        "energy_violation",
        "balanced",
        "failure",
    ]
    lines = [",".join(map(csv_name, head))]
    for s in samples:
        row = [f"{v:.10g}" for v in s.values.values()]
        if s.result is None:
            row += [""] * (len(head) - len(keys) - 1)
        else:
            r = s.result
            row += [
                str(r["complete"]).lower(),
                *(f"{r['peak'][n]:.8g}" for n in signals),
                *(f"{r['final'][n]:.8g}" for n in signals),
            ]
            row += [
                f"{r['final_rate']:.8g}",
                f"{r['balance']['worst']['energy']:.3g}",
                str(r["balance"]["held"]).lower(),
            ]
        lines.append(",".join([*row, _quoted(s.failure)]))
    return "\n".join(lines) + "\n"


def _quoted(text: str | None) -> str:
    return "" if text is None else '"' + text.replace('"', "'") + '"'
