"""Sweeps over a configuration; failures are recorded, not fatal."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tisserand.errors import InputError
from tisserand.files import write_text
from tisserand.multibody.vehicle_file.linear_case import linear_model, modes_of_case
from tisserand.studies.ensembles.branch_numbers import numbered_by_shape
from tisserand.studies.ensembles.campaign import Progress, gathered, refuse_unknown_keys
from tisserand.studies.ensembles.flights import Flights
from tisserand.studies.ensembles.samples import ModeCrossing, MonteCarloResult, Sample, SweepResult
from tisserand.studies.ensembles.shipped_vehicle import ShippedVehicle
from tisserand.studies.ensembles.tables import flight_csv, modes_csv
from tisserand.studies.options import SweepStudy
from tisserand.studies.study_type import task
from tisserand.studies.values import MOST_VALUES, keys_of
from tisserand.views.sweep_plot import SweptModes, save_sweep_plot

__all__ = ["MonteCarloResult", "Sample", "SweepResult", "sweep"]


@task(SweepStudy)
def sweep(study: SweepStudy, progress: Progress | None = None) -> SweepResult:
    """System modes (frequency, damping, poles; A, B, C, D with ``matrices``) for every combination of the keys' values.

    With ``runs``, the peaks and ends of a run for each; the numbers are those of single runs.
    """
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
    refuse_unknown_keys(study, grid)
    flights = Flights(ShippedVehicle(study.vehicle, study.set))
    samples = gathered(
        study,
        flights if study.runs else SystemModes.of(study),
        grid,
        progress,
        in_threads=lambda: study.runs and flights.in_threads(grid[0]),
        interrupted=lambda done: written(study, keys, done),
    )
    return written(study, keys, samples)


def written(study: SweepStudy, keys: tuple[str, ...], samples: Sequence[Sample]) -> SweepResult:
    """The result of a sweep, with the files that its study asks for."""
    # shapes only distinguish the curves of the plot; they are not part of the result
    shapes = [s.result.pop("shapes", None) if s.result is not None else None for s in samples]
    tied, paths = keys_of(next(iter(study.over))), []
    swept = _swept(tied, samples, shapes) if study.plot is not None and study.shard is None else []
    crossed: tuple[ModeCrossing, ...] = ()
    if study.track:
        samples, crossed = numbered_by_shape(keys, tied, samples, shapes)
    if study.output is not None and samples:
        paths.append(write_text(study.output, (flight_csv if study.runs else modes_csv)(keys, samples)))
    if study.plot is not None and swept:
        paths.append(save_sweep_plot(tied, swept, study.plot))
    return SweepResult(keys, tuple(samples), tuple(paths), crossed)


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
            None if any(shape is None for _, _, shape in members) else tuple(shape for _, _, shape in members),
            ", ".join(f"{key} {value:.6g}" for key, value in others),
        )
        for others, members in groups.items()
    ]


@dataclass(frozen=True)
class SystemModes:
    """The work of a sweep: modes of the vehicle with the values of a sample.

    shapes: whether they are wanted, to tell the curves of a plot apart; matrices: A, B, C, D too.
    """

    vehicle: ShippedVehicle
    closed_loop: bool
    matrices: bool
    shapes: bool

    @classmethod
    def of(cls, study: SweepStudy) -> SystemModes:
        shapes = study.track or study.plot is not None or study.shard is not None  # what 'merge' may draw
        return cls(ShippedVehicle(study.vehicle, study.set), study.closed_loop, study.matrices, shapes)

    def shipped(self) -> SystemModes:
        return replace(self, vehicle=self.vehicle.shipped())

    def __call__(self, values: dict[str, float], stopped: Callable[[], bool] | None = None) -> dict[str, Any]:
        case = self.vehicle.read(values)
        modes = modes_of_case(case, closed_loop=self.closed_loop)
        result: dict[str, Any] = {
            "frequencies_hz": modes.frequencies_hz.tolist(),
            "damping_ratios": modes.damping_ratios.tolist(),
            "poles": [[float(p.real), float(p.imag)] for p in modes.eigenvalues],
            "rigid": modes.rigid,
            "warnings": list(modes.doubts),
        }
        if self.shapes:
            result["shapes"] = modes.shapes
        if self.matrices:
            model = linear_model(case, closed_loop=self.closed_loop)
            result |= {word: getattr(model, word).tolist() for word in ("A", "B", "C", "D")}
        return result
