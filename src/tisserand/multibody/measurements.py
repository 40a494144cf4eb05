"""Outputs that need accelerations or joint loads: evaluated from the states of a run, or of a linear model, not inside the step.

Motion of nodes: theory section 3; loads in joints: S1 Eqs 11, 15.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tisserand.appendage.recovery.nodal_motion import nodal_motion
from tisserand.arrays import FloatArray, GivenArray, third_axis
from tisserand.errors import VehicleError
from tisserand.multibody.accelerometers import Accelerometer, specific_force
from tisserand.multibody.displaced import DisplacedRows
from tisserand.multibody.loads import Load
from tisserand.multibody.measured_quantity import MeasuredQuantity
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.vehicle import Vehicle


@dataclass(frozen=True, eq=False)
class JointLoad(MeasuredQuantity):
    """Force (N) or torque (N m) on the child at a joint, along ``direction`` of the child body's axes."""

    name: str
    joint: str
    direction: FloatArray
    quantity: Literal["force", "torque"] = "force"


@dataclass(frozen=True, eq=False)
class NodeRotation(MeasuredQuantity):
    """Elastic rotation of a node (id or interface name) along ``direction`` of the appendage's axes, rad."""

    name: str
    appendage: str
    node: int | str
    direction: GivenArray = field(default_factory=third_axis)


Measurement = Accelerometer | JointLoad | NodeRotation


def joint_load(run: Trajectory | DisplacedRows, vehicle: Vehicle, sensor: JointLoad) -> FloatArray:
    """(n,) the load on the child along a direction of its axes."""
    histories = run.joint_force if sensor.quantity == "force" else run.joint_torque_vector
    if sensor.joint not in histories:
        raise VehicleError(
            "unknown joint", where=f"sensor {sensor.name}", found=sensor.joint, expected=", ".join(histories) or "none"
        )
    R_NB = run.rotation[:, run.body(vehicle.joint(sensor.joint).child)]
    return np.asarray(np.einsum("na,nab,b->n", histories[sensor.joint], R_NB, np.asarray(sensor.direction, float)))


def node_rotation(run: Trajectory | DisplacedRows, vehicle: Vehicle, sensor: NodeRotation) -> FloatArray:
    """(n,) rotation vector b = theta eta + 1/2 psi_r(eta, eta) of the node, along a direction."""
    mounted = vehicle.appendage(sensor.appendage)
    if not isinstance(sensor.node, str) and sensor.node not in mounted.record.nodes.ids:
        raise VehicleError("no such node", where=f"appendage {sensor.appendage}", found=sensor.node)
    node = nodal_motion(mounted.record, sensor.node, families=mounted.geometric_stiffness)
    return np.asarray(node.rotation_vector(run.modal[sensor.appendage]) @ np.asarray(sensor.direction, float))


def measured(
    sensor: Measurement, run: Trajectory | DisplacedRows, vehicle: Vehicle, loads: Sequence[Load] = ()
) -> FloatArray:
    """(n,) one value per row of the run; fields among the loads are gravity to accelerometers."""
    if isinstance(sensor, Accelerometer):
        return specific_force(sensor, run, vehicle, loads)
    if isinstance(sensor, JointLoad):
        return joint_load(run, vehicle, sensor)
    return node_rotation(run, vehicle, sensor)


def unit_of(sensor: Measurement) -> str:
    """SI unit of a measurement."""
    if isinstance(sensor, Accelerometer):
        return "m/s²"
    if isinstance(sensor, JointLoad):
        return "N" if sensor.quantity == "force" else "N m"
    return "rad"


def with_measurements(
    run: Trajectory, sensors: Sequence[Measurement], vehicle: Vehicle, loads: Sequence[Load] = ()
) -> Trajectory:
    """The run with the measurements among its signals."""
    if not sensors:
        return run
    units = dict(run.settings.get("units", {}))
    units["signals"] = {**units.get("signals", {}), **{s.name: unit_of(s) for s in sensors}}
    return run.changed(
        signals={**run.signals, **{s.name: measured(s, run, vehicle, loads) for s in sensors}},
        settings={**run.settings, "units": units},
    )
