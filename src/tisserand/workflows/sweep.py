"""Sweeps over a configuration and seeded Monte Carlo, in parallel local processes; failures are recorded, not fatal."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tisserand.errors import FileError, InputError, TisserandError, UnknownKeyError
from tisserand.files import csv_name, write_text

if TYPE_CHECKING:
    from tisserand.views.sweep_plot import SweptModes

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Sample:
    """One configuration: the values it used, what came out, or the sentence that says why nothing did."""

    values: dict[str, float]
    result: dict[str, Any] | None
    failure: str | None = None


@dataclass(frozen=True)
class SweepResult:
    """All samples in order."""

    keys: tuple[str, ...]
    samples: tuple[Sample, ...]
    paths: tuple[Path, ...] = ()

    @property
    def failures(self) -> int:
        return sum(sample.failure is not None for sample in self.samples)

    @property
    def came_to_nothing(self) -> bool:
        """Whether every sample failed."""
        return self.failures == len(self.samples)

    @property
    def doubtful(self) -> tuple[Sample, ...]:
        """Samples that carry warnings."""
        return tuple(s for s in self.samples if s.result is not None and s.result["warnings"])

    def as_dict(self) -> dict[str, Any]:
        return {
            "keys": list(self.keys),
            "samples": [{"values": s.values, "result": s.result, "failure": s.failure} for s in self.samples],
            "failures": self.failures,
            "paths": [str(path) for path in self.paths],
        }


def values_of(text: str) -> list[float]:
    """``0:180:13`` (from, to, count) or ``0,15,30``."""
    try:
        if ":" in text:
            low, high, count = text.split(":")
            if int(count) < 1:
                raise InputError(
                    "a range needs one value or more", found=repr(text), expected="from:to:count"
                )
            return [float(v) for v in np.linspace(float(low), float(high), int(count))]
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            "not a range of values", found=repr(text), expected="from:to:count or a,b,c"
        ) from None


def keys_of(group: str) -> list[str]:
    """The keys that ``+`` ties together."""
    words = [word.strip() for word in group.split("+")]
    if not all(words):
        raise InputError("a tied key is empty", found=repr(group), expected="KEY or KEY+KEY")
    return words


def draw_of(text: str, rng: np.random.Generator) -> float:
    """``normal:mean:deviation`` or ``uniform:low:high``."""
    kind, *numbers = text.split(":")
    try:
        a, b = (float(n) for n in numbers)
    except ValueError:
        raise InputError(
            "not a distribution", found=repr(text), expected="normal:mean:deviation or uniform:low:high"
        ) from None
    if kind == "normal":
        return float(rng.normal(a, b))
    if kind == "uniform":
        return float(rng.uniform(a, b))
    raise InputError("unknown distribution", found=repr(kind), expected="normal or uniform")


def sweep_modes(
    path: str | Path,
    over: Mapping[str, Sequence[float]],
    *,
    closed_loop: bool = False,
    jobs: int = 1,
    output: str | Path | None = None,
    plot: str | Path | None = None,
    matrices: bool = False,
    progress: Progress | None = None,
) -> SweepResult:
    """System modes (frequency, damping, poles; A, B, C, D with ``matrices``) for every combination of the keys' values.

    Keys joined by ``+`` share their values: ``{"initial.joints_deg.left+initial.joints_deg.right": angles}``.
    """
    keys = tuple(word for group in over for word in keys_of(group))
    twice = sorted({word for word in keys if keys.count(word) > 1})
    if twice:
        raise InputError("a key is swept twice", found=", ".join(twice))
    grid = [
        {word: value for group, value in zip(over, combination) for word in keys_of(group)}
        for combination in itertools.product(*over.values())
    ]
    _refuse_unknown_keys(path, grid)
    tasks = [(str(path), values, closed_loop, matrices, plot is not None) for values in grid]
    samples = tuple(_gathered(_modes_sample, tasks, grid, jobs, progress))
    # shapes only tell the curves of the plot apart; they are no part of the result
    shapes = [s.result.pop("shapes", None) if s.result is not None else None for s in samples]
    paths = []
    if output is not None:
        paths.append(write_text(output, _modes_csv(keys, samples)))
    if plot is not None and any(s.result is not None for s in samples):
        from tisserand.views.sweep_plot import save_sweep_plot

        tied = keys_of(next(iter(over)))
        paths.append(save_sweep_plot(tied, _swept(tied, samples, shapes), plot))
    return SweepResult(keys, samples, tuple(paths))


def _refuse_unknown_keys(path: str | Path, grid: Sequence[Mapping[str, float]]) -> None:
    """A key that means nothing in the file is an error of the sweep, raised before it starts; a bad value is a sample's own."""
    from tisserand.workflows.vehicle_file import read_vehicle

    for key, value in grid[0].items() if grid else ():
        try:
            read_vehicle(path, {key: value})
        except (UnknownKeyError, FileError):
            raise
        except TisserandError as error:
            if isinstance(error.__cause__, FileError):  # a file that the vehicle names is missing
                raise
            continue  # it will be recorded with its sample


def _swept(tied: Sequence[str], samples: Sequence[Sample], shapes: Sequence[Any]) -> list[SweptModes]:
    """The good samples, one sweep of the ``tied`` keys for every combination of the other keys' values."""
    from tisserand.views.sweep_plot import SweptModes

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


def _modes_sample(task: tuple[str, dict[str, float], bool, bool, bool]) -> dict[str, Any]:
    from tisserand.workflows.linear import linear_model, modes_of_case
    from tisserand.workflows.vehicle_file import read_vehicle

    path, values, closed_loop, matrices, shapes = task
    case = read_vehicle(path, dict(values))
    modes = modes_of_case(case, closed_loop=closed_loop)
    result: dict[str, Any] = {
        "frequencies_hz": modes.frequencies_hz.tolist(),
        "damping_ratios": modes.damping_ratios.tolist(),
        "poles": [[float(p.real), float(p.imag)] for p in modes.eigenvalues],
        "rigid": modes.rigid,
        "warnings": list(modes.doubts),
    }
    if shapes:
        result["shapes"] = modes.shapes
    if matrices:
        model = linear_model(case, open_loop=not closed_loop)
        result |= {word: getattr(model, word).tolist() for word in ("A", "B", "C", "D")}
    return result


def monte_carlo(
    path: str | Path,
    vary: dict[str, str],
    *,
    count: int,
    seed: int = 0,
    jobs: int = 1,
    output: str | Path | None = None,
    progress: Progress | None = None,
) -> SweepResult:
    """Fly ``count`` vehicles with values drawn from ``vary``; the same seed gives the same samples whatever ``jobs`` is.

    Keys joined by ``+`` share one draw.
    """
    rng = np.random.default_rng(seed)
    keys = tuple(word for group in vary for word in keys_of(group))
    grid = []
    for _ in range(count):
        drawn = {group: draw_of(text, rng) for group, text in vary.items()}
        grid.append({word: drawn[group] for group in vary for word in keys_of(group)})
    _refuse_unknown_keys(path, grid)
    samples = tuple(_gathered(_flight_sample, [(str(path), values) for values in grid], grid, jobs, progress))
    paths = [] if output is None else [write_text(output, _flight_csv(keys, samples))]
    return SweepResult(keys, samples, tuple(paths))


def _flight_sample(task: tuple[str, dict[str, float]]) -> dict[str, Any]:
    from tisserand.workflows.simulate import fly
    from tisserand.workflows.vehicle_file import read_vehicle

    path, values = task
    run = fly(read_vehicle(path, dict(values)))
    peaks = {name: float(np.abs(v).max(initial=0.0)) for name, v in run.signals.items() if "/" not in name}
    finals = {name: float(v[-1]) for name, v in run.signals.items() if "/" not in name}
    return {
        "complete": run.complete,
        "peak": peaks,
        "final": finals,
        "final_rate": float(np.linalg.norm(run.angular_velocity[-1])),
        "balance": run.balance.worst(),
        "warnings": list(run.warnings),
    }


def _gathered(
    work: Callable[[Any], dict[str, Any]],
    tasks: Sequence[Any],
    grid: Sequence[dict[str, float]],
    jobs: int,
    progress: Progress | None,
) -> Iterable[Sample]:
    """Results in the order of the tasks; an error of ours becomes the sample's failure."""
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
        with ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=get_context("spawn")) as pool:
            futures = {pool.submit(_safely, work, task): index for index, task in enumerate(tasks)}
            for future in as_completed(futures):
                outcome = future.result()
                index = futures[future]
                results[index] = (
                    Sample(grid[index], outcome)
                    if isinstance(outcome, dict)
                    else Sample(grid[index], None, outcome)
                )
                if progress is not None:
                    progress(sum(r is not None for r in results), len(tasks))
    return [sample for sample in results if sample is not None]


def _safely(work: Callable[[Any], dict[str, Any]], task: Any) -> dict[str, Any] | str:
    """Errors of ours do not travel between processes as objects, their sentences do."""
    try:
        return work(task)
    except TisserandError as error:
        return error.sentence()


def _modes_csv(keys: tuple[str, ...], samples: Sequence[Sample]) -> str:
    most = max((len(s.result["frequencies_hz"]) for s in samples if s.result), default=0)
    head = [
        *keys,
        *(f"mode_{i + 1}_hz" for i in range(most)),
        *(f"mode_{i + 1}_zeta" for i in range(most)),
        "failure",
    ]
    lines = [",".join(head)]
    for s in samples:
        f = s.result["frequencies_hz"] if s.result else []
        z = s.result["damping_ratios"] if s.result else []
        row = [f"{v:.10g}" for v in s.values.values()]
        row += (
            [f"{v:.10g}" for v in f]
            + [""] * (most - len(f))
            + [f"{v:.6g}" for v in z]
            + [""] * (most - len(z))
        )
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
            row += [f"{r['final_rate']:.8g}", f"{r['balance']['energy']:.3g}"]
        lines.append(",".join([*row, _quoted(s.failure)]))
    return "\n".join(lines) + "\n"


def _quoted(text: str | None) -> str:
    return "" if text is None else '"' + text.replace('"', "'") + '"'
