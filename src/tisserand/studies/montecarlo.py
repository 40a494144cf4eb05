"""Seeded Monte Carlo: flights of vehicles with drawn values; failures are recorded, not fatal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tisserand.errors import TisserandError
from tisserand.files import write_text
from tisserand.multibody.balance_verdict import balance_verdict
from tisserand.studies.ensembles.campaign import Progress, gathered, refuse_unknown_keys
from tisserand.studies.ensembles.sample_values import values_of_samples
from tisserand.studies.ensembles.samples import MonteCarloResult, Sample
from tisserand.studies.ensembles.shipped_vehicle import ShippedVehicle
from tisserand.studies.ensembles.tables import flight_csv
from tisserand.studies.ensembles.threads import runs_compiled
from tisserand.studies.flight import flown
from tisserand.studies.options import MonteCarloStudy
from tisserand.studies.study_type import task
from tisserand.studies.values import keys_of


@task(MonteCarloStudy)
def montecarlo(study: MonteCarloStudy, progress: Progress | None = None) -> MonteCarloResult:
    """Simulate vehicles with values drawn at random; the same seed gives the same samples on any executor."""
    keys = tuple(word for group in study.vary for word in keys_of(group))
    grid, redrawn = values_of_samples(study)
    refuse_unknown_keys(study, grid)
    work = Flights(ShippedVehicle(study.vehicle, study.set))
    samples = gathered(
        study,
        work,
        grid,
        progress,
        in_threads=lambda: work.in_threads(grid[0]),
        interrupted=lambda done: written(study, keys, done),
    )
    return replace(written(study, keys, samples), redrawn=redrawn)


def written(study: MonteCarloStudy, keys: tuple[str, ...], samples: Sequence[Sample]) -> MonteCarloResult:
    """The result of a study, with the files that it asks for."""
    paths = [write_text(study.output, flight_csv(keys, samples))] if study.output is not None and samples else []
    return MonteCarloResult(keys, tuple(samples), tuple(paths))


@dataclass(frozen=True)
class Flights:
    """The work of a Monte Carlo study, or of a sweep of runs: a run of the vehicle with the values of a sample."""

    vehicle: ShippedVehicle

    def in_threads(self, values: Mapping[str, float]) -> bool:
        """Whether runs share one process; a first sample that cannot be read is recorded with the others."""
        try:
            return runs_compiled(self.vehicle.read(values))
        except TisserandError:
            return False

    def shipped(self) -> Flights:
        return replace(self, vehicle=self.vehicle.shipped())

    def __call__(self, values: dict[str, float], stopped: Callable[[], bool] | None = None) -> dict[str, Any]:
        run = flown(self.vehicle.read(values), stopped=stopped)
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
