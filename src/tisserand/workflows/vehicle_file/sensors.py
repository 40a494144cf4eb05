"""Sensors of a vehicle file: named signals that are recorded and fed to controllers."""

from __future__ import annotations

import numpy as np

from tisserand.multibody import signals
from tisserand.multibody.signals import Signal
from tisserand.multibody.vehicle import Vehicle
from tisserand.schema import Table
from tisserand.workflows.vehicle_file.places import (
    appendage_node,
    at_key,
    attitude_quaternion,
    direction,
    point,
    unit_vector,
)
from tisserand.workflows.vehicle_file.profiles import profile_at

KINDS = (
    "attitude",
    "rate",
    "position",
    "velocity",
    "joint_angle",
    "joint_rate",
    "deflection",
    "deflection_rate",
    "rotor_rate",
    "profile",
)


def sensor_of(name: str, table: Table, vehicle: Vehicle) -> Signal:
    """One sensor; ``direction`` is in body axes or in those of a named ``frame``.

    For position and velocity it is in inertial axes, for deflections in the appendage's axes.
    """
    kind = table.choice("kind", KINDS)
    with at_key(table):
        if kind in ("joint_angle", "joint_rate"):
            make = signals.joint_angle if kind == "joint_angle" else signals.joint_rate
            return make(table.text("joint"), table.integer("axis", 1, minimum=1) - 1, name)
        if kind == "rotor_rate":
            return signals.rotor_rate(table.text("rotor"), table.flag("inertial", False), name)
        if kind == "profile":
            return signals.value_of(profile_at(table, "profile"), name=name)
        if kind in ("deflection", "deflection_rate"):
            appendage, node = appendage_node(table, vehicle)
            along = unit_vector(table, "direction")
            return signals.node_deflection(appendage, node, along, kind.endswith("rate"), name)
        body = table.text("body")
        if kind == "rate":
            return signals.body_rate(body, direction(table, vehicle), name)
        if kind == "attitude":
            slew = (
                profile_at(table, "slew_deg").scaled(float(np.radians(1.0)))
                if table.has("slew_deg")
                else None
            )
            axis = table.vector("slew_axis", 3, np.array([0.0, 0.0, 1.0]))
            return signals.attitude_error(
                body, direction(table, vehicle), attitude_quaternion(table, "reference"), axis, slew, name
            )
        make_point = signals.position if kind == "position" else signals.velocity
        return make_point(body, unit_vector(table, "direction"), point(table, "point"), name)
