"""Accelerometers: specific force at a point of a body or at a node of an appendage, evaluated along a finished run.

Motion of nodes: theory section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ModelError
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.vehicle import Vehicle


@dataclass(frozen=True, eq=False)
class Accelerometer:
    """Specific force (acceleration less gravity), m/s², along ``direction`` of the carrying body's axes.

    Either ``body`` and ``point``, or ``appendage`` and ``node`` (id or interface name).
    """

    name: str
    direction: FloatArray
    body: str | None = None
    point: FloatArray | str = "origin"
    appendage: str | None = None
    node: int | str | None = None


def place_of(sensor: Accelerometer, vehicle: Vehicle) -> tuple[str, FloatArray, FloatArray]:
    """Carrying body, undeformed position (3,) in its axes, translation shapes (3, k) in its axes."""
    if sensor.body is not None:
        body = vehicle.body(sensor.body)
        place = body.point(sensor.point) if isinstance(sensor.point, str) else np.asarray(sensor.point, float)
        return sensor.body, place, np.zeros((3, 0))
    assert sensor.appendage is not None
    mounted = vehicle.appendage(sensor.appendage)
    record = mounted.record
    if isinstance(sensor.node, str):
        found = record.interface(sensor.node)
        position, shapes = found.position, found.translation
    else:
        rows = np.flatnonzero(record.nodes.ids == sensor.node)
        if len(rows) == 0:
            raise ModelError("no such node", where=f"appendage {sensor.appendage}", found=sensor.node)
        position, shapes = record.nodes.positions[rows[0]], record.nodes.translation[rows[0]]
    if mounted.moves_at_attachment:  # the floating frame is a body of its own in the histories
        return mounted.name, np.asarray(position), np.asarray(shapes)
    return mounted.body, mounted.origin + mounted.attitude @ position, np.asarray(mounted.attitude @ shapes)


def specific_force(sensor: Accelerometer, run: Trajectory, vehicle: Vehicle) -> FloatArray:
    """(n,) m/s²: a_o + alpha x r + w x (w x r) + 2 w x r' + r'' - g, along the sensor's direction."""
    carrier, place, shapes = place_of(sensor, vehicle)
    k = run.body(carrier)
    R, w, alpha = run.rotation[:, k], run.rate[:, k], run.angular_acceleration[:, k]
    eta = rate = second = np.zeros((len(run), 0))
    if sensor.appendage is not None:
        eta, rate, second = (
            h[sensor.appendage] for h in (run.modal, run.modal_rates, run.modal_accelerations)
        )
    r = np.einsum("nab,nb->na", R, place + eta @ shapes.T)
    velocity = np.einsum("nab,nb->na", R, rate @ shapes.T)
    inner = np.einsum("nab,nb->na", R, second @ shapes.T)
    total = (
        run.origin_acceleration[:, k]
        + np.cross(alpha, r)
        + np.cross(w, np.cross(w, r))
        + 2.0 * np.cross(w, velocity)
        + inner
    )
    along = np.einsum("nab,b->na", R, sensor.direction)
    return np.asarray(np.einsum("na,na->n", total - vehicle.gravity, along))


def with_accelerometers(run: Trajectory, sensors: Sequence[Accelerometer], vehicle: Vehicle) -> Trajectory:
    """The run with the accelerometers among its signals."""
    if not sensors:
        return run
    units = dict(run.settings.get("units", {}))
    units["signals"] = {**units.get("signals", {}), **{s.name: "m/s²" for s in sensors}}
    return run.changed(
        signals={**run.signals, **{s.name: specific_force(s, run, vehicle) for s in sensors}},
        settings={**run.settings, "units": units},
    )
