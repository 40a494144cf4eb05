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
from tisserand.views.spread import History, save_spread, spread_of


@task(MonteCarloStudy)
def montecarlo(study: MonteCarloStudy, progress: Progress | None = None) -> MonteCarloResult:
    """Simulate vehicles with values drawn at random; the same seed gives the same samples on any executor."""
    keys = tuple(word for group in study.vary for word in keys_of(group))
    grid, redrawn = values_of_samples(study)
    refuse_unknown_keys(study, grid)
    work = Flights(ShippedVehicle(study.vehicle, study.set), study.plot is not None)
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
    # histories are for the envelopes; they are not part of the result
    kept = [s.result.pop("histories", None) if s.result is not None else None for s in samples]
    paths = [write_text(study.output, flight_csv(keys, samples))] if study.output is not None and samples else []
    if study.plot is not None and study.shard is None and samples:
        table = [[*s.values.values(), *_outcome(s)] for s in samples]
        spread = spread_of([History.of(one) for one in kept if one is not None])
        paths.append(save_spread(study.vehicle.stem, spread, [*keys, "complete", "balanced"], table, study.plot))
    return MonteCarloResult(keys, tuple(samples), tuple(paths))


def _outcome(sample: Sample) -> tuple[str, str]:
    """Whether a run is complete and balanced, in words."""
    if sample.result is None:
        return "failed", str(sample.failure)
    return "yes" if sample.result["complete"] else "no", "yes" if sample.result["balance"]["held"] else "no"


@dataclass(frozen=True)
class Flights:
    """The work of a Monte Carlo study, or of a sweep of runs: a run of the vehicle with the values of a sample.

    histories: those of its sensors too, for envelopes.
    """

    vehicle: ShippedVehicle
    histories: bool = False

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
        told = {"histories": History.of_run(run).as_dict()} if self.histories and run.complete else {}
        return {
            **told,
            "complete": run.complete,
            "peak": peaks,
            "final": finals,
            "final_rate": float(np.linalg.norm(run.angular_velocity[-1])),
            "balance": balance_verdict(run).as_dict(),
            "warnings": list(run.warnings),
        }
