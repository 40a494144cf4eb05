"""Jitter budget of a vehicle: wheels over their speed, lines, steps and noise, to lines of sight."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tisserand.arrays import ComplexArray, FloatArray
from tisserand.errors import InputError
from tisserand.files import csv_name, write_text
from tisserand.multibody.frequency_response import frequencies
from tisserand.multibody.vehicle_file.linear_case import linear_model
from tisserand.responses.jitter import (
    JitterBudget,
    Sight,
    Waterfall,
    exposure_weight,
    jitter_budget,
    sight_of,
    waterfall,
)
from tisserand.responses.jitter_file import JitterFile, WheelTable, read_jitter
from tisserand.responses.jitter_shares import Paths, mode_shares, path_shares
from tisserand.studies.options import JitterStudy
from tisserand.studies.study_type import task
from tisserand.studies.vehicles import read_vehicle
from tisserand.task_result import TaskResult
from tisserand.views.jitter import save_jitter_picture
from tisserand.views.report.response_charts import jitter_page


@dataclass(frozen=True, eq=False, kw_only=True)
class JitterResult(TaskResult):
    """The budget at the speeds given or worst, the waterfalls of all wheels, and the main modes of every line of sight.

    speeds_hz: of every wheel; modes: per line of sight the source, line (Hz) and largest pole pairs (Hz, damping ratio, share);
    paths_rms: per line of sight, source and sensor the root mean square of that path alone, rad;
    notes: what the modes do not cover.
    """

    task: ClassVar = "jitter"

    budget: JitterBudget
    waterfalls: tuple[Waterfall, ...]
    speeds_hz: dict[str, float]
    limits: dict[str, float]
    exposure: float | None
    modes: dict[str, tuple[str, float, list[tuple[float, float, float]]]]
    separation: float | None = None
    paths_rms: Paths = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()

    @property
    def totals(self) -> FloatArray:
        """(l,) root mean square, rad: jitter within the exposure if one is stated."""
        return self.budget.rms(self.exposure)

    @property
    def metrics(self) -> dict[str, FloatArray]:
        """(l,) rad: root mean square of everything, and what an exposure sees as jitter, as displacement and as drift."""
        out = {"all": self.budget.rms()}
        if self.exposure is not None:
            out |= {kind: self.budget.rms(self.exposure, kind) for kind in ("jitter", "displacement")}
            if self.separation is not None:
                out["drift"] = self.budget.rms(self.exposure, "drift", self.separation)
        return out

    @property
    def passed(self) -> bool:
        """Whether every line of sight with a limit is within it."""
        names = self.budget.names
        return all(self.totals[names.index(name)] <= limit for name, limit in self.limits.items())

    @property
    def exit_code(self) -> int:
        return 0 if self.passed else 1

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        parts = {name: np.sqrt(value) for name, value in self.budget.weighted(self.exposure).items()}
        return {
            "lines_of_sight": list(self.budget.names),
            "rms": self.totals,
            "metrics": self.metrics,
            "rms_by_path": self.paths_rms,
            "sources": parts,
            "limits": self.limits,
            "passed": self.passed,
            "exposure": self.exposure,
            "separation": self.separation,
            "wheel_speeds_rpm": {name: 60.0 * speed for name, speed in self.speeds_hz.items()},
            "modes": {
                name: {"source": source, "hz": hz, "pairs": [list(p) for p in pairs]}
                for name, (source, hz, pairs) in self.modes.items()
            },
            "notes": list(self.notes),
            "paths": [str(path) for path in self.paths],
        }


@task(JitterStudy)
def jitter(study: JitterStudy) -> JitterResult:
    """Jitter of the lines of sight of a vehicle by source, with the waterfall of every wheel."""
    file = read_jitter(study.budget)
    case = read_vehicle(file.vehicle, study.set)
    model = linear_model(case, closed_loop=file.closed_loop)
    sight = sight_of(model, file.sight)
    for name in file.limits:
        if name not in sight.names:
            raise InputError("limits: unknown line of sight", found=repr(name), expected=", ".join(sight.names))
    falls = tuple(
        waterfall(sight, table.wheel(name), _speeds(table, model.poles)) for name, table in file.wheels.items()
    )
    exposure = file.exposure if study.exposure is None else study.exposure
    speeds = {fall.wheel.name: _speed(file, fall, sight, exposure) for fall in falls}
    noises = file.densities()
    grid = None
    if noises:
        low, high = min(n.density.hz[0] for n in noises), max(n.density.hz[-1] for n in noises)
        grid = frequencies(model.poles, float(low), float(high), 4000)
    budget = jitter_budget(
        sight, wheels=[(fall.wheel, speeds[fall.wheel.name]) for fall in falls], lines=file.fixed_lines(), noises=noises,
        noise_hz=grid,
    )  # fmt: skip
    inputs = {name: table.input for name, table in file.wheels.items()}
    inputs |= {item.name: item.input for item in file.fixed_lines()}
    result = JitterResult(
        budget=budget, waterfalls=falls, speeds_hz=speeds, limits=dict(file.limits), exposure=exposure,
        modes=_main_modes(inputs, sight, budget, exposure), separation=_separation(file, exposure),
        paths_rms=path_shares(sight, budget, inputs, {noise.name: noise for noise in noises}),
        notes=_uncovered(budget, model.poles),
    )  # fmt: skip
    paths: list[Path] = []
    if study.output is not None:
        paths.append(write_text(study.output, _csv(result)))
    if study.plot is not None:
        page = study.plot.suffix.lower() == ".html"
        paths.append(write_text(study.plot, jitter_page(result)) if page else save_jitter_picture(result, study.plot))
    return JitterResult(**{**vars(result), "paths": tuple(paths)})


def _uncovered(budget: JitterBudget, poles: ComplexArray) -> tuple[str, ...]:
    """Sources above the highest mode of the vehicle."""
    top = float(np.abs(poles.imag).max(initial=0.0)) / (2.0 * np.pi)
    highest = {name: max(hz for n, hz in zip(budget.sources, budget.hz) if n == name) for name in budget.sources}
    highest |= {name: budget.noise_hz[budget.noise[i].any(axis=1)].max() for i, name in enumerate(budget.noise_sources)}
    above = [f"{name} ({hz:.4g} Hz)" for name, hz in highest.items() if hz > top > 0.0]
    if not above:
        return ()
    return (
        f"sources reach above the highest mode of the vehicle at {top:.4g} Hz, where modes that were left out do not answer: "
        f"{', '.join(above)}; keep more modes of its appendages",
    )


def _separation(file: JitterFile, exposure: float | None) -> float | None:
    """Time between two exposures; refused if the exposure of the command is longer."""
    if file.separation is not None and exposure is not None and exposure > file.separation:
        raise InputError(
            "exposure: is longer than the separation of two exposures", found=exposure, expected=file.separation
        )
    return file.separation


def _speeds(table: WheelTable, poles: ComplexArray) -> FloatArray:
    """Speeds of a waterfall, Hz: an even grid, and those at which a harmonic meets a mode or its half-power points."""
    grid = table.range_hz
    hz, width = np.abs(poles.imag) / (2.0 * np.pi), np.abs(poles.real) / (2.0 * np.pi)
    met = [(hz + side * width) / number for number, _ in table.harmonics if number > 0.0 for side in (-1.0, 0.0, 1.0)]
    every = np.unique(np.concatenate([grid, *met]))
    return np.asarray(every[(every >= grid[0]) & (every <= grid[-1])])


def _speed(file: JitterFile, fall: Waterfall, sight: Sight, exposure: float | None) -> float:
    """Speed of a wheel in the budget, Hz: as stated, or where the worst line of sight over its limit is largest.

    With an exposure (s) that is the worst jitter within it, as the limits judge.
    """
    stated = file.wheels[fall.wheel.name].speed
    if stated is not None:
        return stated / 60.0
    scale = np.array([file.limits.get(name, 1.0) for name in sight.names])
    return float(fall.speeds_hz[(fall.within(exposure) / scale).max(axis=1).argmax()])


def _main_modes(
    inputs: dict[str, str], sight: Sight, budget: JitterBudget, exposure: float | None
) -> dict[str, tuple[str, float, list[tuple[float, float, float]]]]:
    """Per line of sight its largest line (within the exposure, if there is one), and the pole pairs that carry it."""
    out = {}
    for row, name in enumerate(sight.names):
        if not len(budget.hz):
            continue
        worst = int((exposure_weight(budget.hz, exposure) * budget.variance[:, row]).argmax())
        source, hz = budget.sources[worst], float(budget.hz[worst])
        out[name] = (source, hz, mode_shares(sight, hz, inputs[source], row)[:3])
    return out


def _csv(result: JitterResult) -> str:
    budget = result.budget
    lines = [",".join(["source", "frequency_hz", *(csv_name(f"{name} rms rad") for name in budget.names)])]
    for source, hz, variance in zip(budget.sources, budget.hz, budget.variance):
        lines.append(",".join([csv_name(source), f"{hz:.8g}", *(f"{v:.8g}" for v in np.sqrt(variance))]))
    for i, source in enumerate(budget.noise_sources):
        area = np.trapezoid(budget.noise[i], budget.noise_hz, axis=0)
        lines.append(",".join([csv_name(source), "", *(f"{v:.8g}" for v in np.sqrt(area))]))
    lines.append(",".join(["total", "", *(f"{v:.8g}" for v in budget.rms())]))
    return "\n".join(lines) + "\n"
