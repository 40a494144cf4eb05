"""The work of a Monte Carlo study of modes: system modes of a sample, paired with those of the file by shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tisserand.arrays import ComplexArray
from tisserand.multibody.vehicle_file.linear_case import modes_of_case
from tisserand.statistics.mode_tracking import paired
from tisserand.studies.ensembles.shipped_vehicle import ShippedVehicle


@dataclass(frozen=True, eq=False)
class TrackedModes:
    """Modes of the vehicle with the values of a sample, numbered as those of the file. poles (k,), shapes (n, k): of the file."""

    vehicle: ShippedVehicle
    closed_loop: bool
    poles: ComplexArray
    shapes: ComplexArray

    @classmethod
    def of(cls, vehicle: ShippedVehicle, closed_loop: bool) -> TrackedModes:
        found = modes_of_case(vehicle.read({}), closed_loop=closed_loop)
        return cls(vehicle, closed_loop, found.eigenvalues, found.shapes)

    def shipped(self) -> TrackedModes:
        return replace(self, vehicle=self.vehicle.shipped())

    def __call__(self, values: dict[str, float], stopped: Callable[[], bool] | None = None) -> dict[str, Any]:
        found = modes_of_case(self.vehicle.read(values), closed_loop=self.closed_loop)
        partner, mac = paired(self.poles, self.shapes, found.eigenvalues, found.shapes)
        own = {f"mode {i + 1}": (int(mode), float(mac[i])) for i, mode in enumerate(partner) if mode >= 0}
        return {
            "complete": True,
            "hz": {name: float(found.frequencies_hz[mode]) for name, (mode, _) in own.items()},
            "damping": {name: float(found.damping_ratios[mode]) for name, (mode, _) in own.items()},
            "mac": {name: alike for name, (_, alike) in own.items()},
            "warnings": list(found.doubts),
        }
