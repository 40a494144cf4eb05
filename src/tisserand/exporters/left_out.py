"""Parts of a vehicle file that another program does not get: named as losses, or refused where the mechanism would change."""

from __future__ import annotations

import numpy as np

from tisserand.errors import VehicleError
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file import VehicleCase


def left_out(case: VehicleCase) -> list[str]:
    """Sentences about everything in the file that acts or measures."""
    return [
        *named("loads are left out", [load.name for load in case.loads]),
        *named("controllers are left out", [controller.name for controller in case.controllers]),
        *not_measured(case),
        *named("events are left out", [event.name for event in case.events]),
        *without_limits(case.vehicle),
    ]


def not_measured(case: VehicleCase) -> list[str]:
    """The sensors, with those that are evaluated after a run (accelerometers, joint loads, rotations of nodes)."""
    return named("sensors are left out", [sensor.name for sensor in (*case.sensors, *case.measurements)])


def without_limits(vehicle: Vehicle) -> list[str]:
    """The joints that move beyond their limits elsewhere."""
    limited = [joint.name for joint in vehicle.joints if np.isfinite(np.asarray(joint.limits, float)).any()]
    return named("limits of joints are left out", limited)


def named(what: str, names: list[str]) -> list[str]:
    """One sentence with the names, or none."""
    return [f"{what}: {', '.join(names)}"] if names else []


def refuse_loops(case: VehicleCase, program: str) -> None:
    """Without its loops (rods, locks, latches, stops, gears) a vehicle is another mechanism."""
    loops = [load.name for load in case.loads if load.kind == "loop"]
    if loops:
        raise VehicleError(
            f"loops cannot be written for {program}",
            where=str(case.path),
            found=", ".join(loops),
            expected="a tree of bodies; remove [loops], or export fmu2 or fmu3 (linear)",
        )
