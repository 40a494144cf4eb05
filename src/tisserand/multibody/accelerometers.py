"""Accelerometers: specific force at a point of a body or at a node of an appendage, evaluated along a finished run.

Motion of nodes: theory section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.appendage.recovery.nodal_motion import NodalMotion, nodal_motion
from tisserand.arrays import FloatArray
from tisserand.multibody.displaced import DisplacedRows
from tisserand.multibody.force_elements import plain_loads
from tisserand.multibody.loads import Load
from tisserand.multibody.measured_quantity import MeasuredQuantity
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.vehicle import Vehicle


@dataclass(frozen=True, eq=False)
class Accelerometer(MeasuredQuantity):
    """Specific force (acceleration less gravity), m/s², along ``direction`` of the carrying body's axes.

    Either ``body`` and ``point``, or ``appendage`` and ``node`` (id or interface name).
    """

    name: str
    direction: FloatArray
    body: str | None = None
    point: FloatArray | str = "origin"
    appendage: str | None = None
    node: int | str | None = None


def place_of(sensor: Accelerometer, vehicle: Vehicle) -> tuple[str, FloatArray, NodalMotion | None, FloatArray]:
    """Carrying body, undeformed position (3,) in its axes, the node's motion in record axes, (3, 3) from those to the body's."""
    if sensor.body is not None:
        body = vehicle.body(sensor.body)
        place = body.point(sensor.point) if isinstance(sensor.point, str) else np.asarray(sensor.point, float)
        return sensor.body, place, None, np.eye(3)
    assert sensor.appendage is not None and sensor.node is not None
    mounted = vehicle.appendage(sensor.appendage)
    node = nodal_motion(mounted.record, sensor.node, families=mounted.geometric_stiffness)
    if mounted.moves_at_attachment:  # the floating frame is a separate body in the histories
        return mounted.name, np.asarray(node.position), node, np.eye(3)
    return mounted.body, mounted.origin + mounted.attitude @ node.position, node, mounted.attitude


def specific_force(
    sensor: Accelerometer, run: Trajectory | DisplacedRows, vehicle: Vehicle, loads: Sequence[Load] = ()
) -> FloatArray:
    """(n,) m/s²: a_o + alpha x r + w x (w x r) + 2 w x r' + r'' - g, along the sensor's direction.

    The motion of the node is the one that forces and joints on it see, to second degree. g is the uniform gravity and, at the
    place of the sensor, the gravity gradients among the ``loads``.
    """
    carrier, place, node, axes = place_of(sensor, vehicle)
    k = run.body(carrier)
    R, w, alpha = run.rotation[:, k], run.rate[:, k], run.angular_acceleration[:, k]
    moved = moving = gaining = np.zeros((len(run), 3))
    if node is not None and sensor.appendage is not None:
        eta, rate, second = (h[sensor.appendage] for h in (run.modal, run.modal_rates, run.modal_accelerations))
        moved, moving, gaining = (
            u @ axes.T for u in (node.displacement(eta), node.velocity(eta, rate), node.acceleration(eta, rate, second))
        )
    r = np.einsum("nab,nb->na", R, place + moved)
    velocity = np.einsum("nab,nb->na", R, moving)
    inner = np.einsum("nab,nb->na", R, gaining)
    total = (
        run.origin_acceleration[:, k]
        + np.cross(alpha, r)
        + np.cross(w, np.cross(w, r))
        + 2.0 * np.cross(w, velocity)
        + inner
    )
    for load in plain_loads(loads):
        if load.kind == "gradient":
            total = total - gradient_field(load, run.times, run.origin[:, k] + r)
    held = carrier if sensor.appendage is None else vehicle.appendage(sensor.appendage).body
    along = np.einsum(
        "nab,b->na", run.rotation[:, run.body(held)], sensor.direction
    )  # not of a frame that floats on it
    return np.asarray(np.einsum("na,na->n", total - vehicle.gravity, along))


def gradient_field(load: Load, times: FloatArray, places: FloatArray) -> FloatArray:
    """n² (3 a a'x - x) (n, 3), m/s², inertial axes: a gravity gradient at times (n,) and places x (n, 3) from the orbit point.

    That of a planet is its gravity at x.

    load: the gravity gradient, with its orbit rate n and the vertical's plane.
    """
    if load.environment is not None:
        return np.asarray(load.environment.planet.gravity(places))
    turn = load.rate * np.asarray(times)[:, None]
    a = np.cos(turn) * load.direction + np.sin(turn) * load.extra
    return np.asarray(load.rate**2 * (3.0 * np.sum(a * places, axis=1, keepdims=True) * a - places))
