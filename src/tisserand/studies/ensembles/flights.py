"""The work of a study of runs: the vehicle with the values of a sample is flown and measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tisserand.errors import TisserandError
from tisserand.multibody.balance_verdict import balance_verdict
from tisserand.statistics.curves import Curve
from tisserand.statistics.history_measures import MEASURES
from tisserand.studies.ensembles.histories import histories_of, outputs_of
from tisserand.studies.ensembles.measured import measures_of
from tisserand.studies.ensembles.shipped_vehicle import ShippedVehicle
from tisserand.studies.ensembles.threads import runs_compiled
from tisserand.studies.flight import flown


@dataclass(frozen=True)
class Flights:
    """A run of the vehicle with the values of a sample.

    histories: those of its outputs too; measures: name and expression of what the user measures; outputs: names of outputs.
    """

    vehicle: ShippedVehicle
    histories: bool = False
    measures: tuple[tuple[str, str], ...] = ()
    outputs: tuple[str, ...] = ()

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
        curves = {name: Curve(run.times, history) for name, history in outputs_of(run).items()}
        told: dict[str, Any] = {"histories": histories_of(run)} if self.histories and run.complete else {}
        if self.measures:
            stated = measures_of(self.measures, self.outputs, tuple(values))
            told["measure"] = {one.name: one.value(curves, values) for one in stated}
        return {
            **told,
            "complete": run.complete,
            **{word: {name: of(curve) for name, curve in curves.items()} for word, of in MEASURES.items()},
            "final_rate": float(np.linalg.norm(run.angular_velocity[-1])),
            "balance": balance_verdict(run).as_dict(),
            "warnings": list(run.warnings),
        }
