"""Loads of a vehicle file."""

from __future__ import annotations

import numpy as np

from tisserand.multibody import loads
from tisserand.multibody.loads import Load
from tisserand.multibody.profiles import Profile
from tisserand.multibody.vehicle import Vehicle
from tisserand.schema import Table
from tisserand.workflows.vehicle_file.places import appendage_node, at_key, direction, point, unit_vector
from tisserand.workflows.vehicle_file.profiles import profile_at

KINDS = (
    "force",
    "torque",
    "thruster",
    "joint_torque",
    "rotor_torque",
    "node_force",
    "node_torque",
    "gravity_gradient",
    "magnetic",
)


def load_of(name: str, table: Table, vehicle: Vehicle, *, driven: bool = False) -> Load:
    """One load; its direction only points, whatever its length.

    ``driven`` loads belong to a controller and have no strength of their own.
    """
    kind = table.choice("kind", KINDS)
    with at_key(table):
        if kind == "gravity_gradient":
            vertical = table.vector("vertical", 3, np.array([1.0, 0.0, 0.0]))
            along = table.vector("along", 3, np.array([0.0, 1.0, 0.0]))
            return loads.gravity_gradient(table.number("orbit_rate", above=0.0), vertical, along, name)
        strength = None if driven else profile_at(table, "strength", *((1.0,) if kind == "magnetic" else ()))
        if kind == "joint_torque":
            return loads.joint_torque(
                table.text("joint"), strength, table.integer("axis", 1, minimum=1) - 1, name
            )
        if kind == "rotor_torque":
            return loads.rotor_torque(table.text("rotor"), strength, name)
        if kind == "magnetic":
            return _magnetic(name, table, vehicle, strength)
        inertial = table.flag("inertial", False)
        if inertial and table.has("frame"):
            raise table.error(
                "frame", "excludes 'inertial'", expected="body axes, a named frame, or inertial axes"
            )
        if kind in ("node_force", "node_torque"):
            make = loads.node_force if kind == "node_force" else loads.node_torque
            appendage, node = appendage_node(table, vehicle)
            return make(appendage, node, unit_vector(table, "direction"), strength, inertial=inertial, name=name)
        body = table.text("body")
        if kind == "torque":
            return loads.torque(body, direction(table, vehicle), strength, inertial=inertial, name=name)
        where = point(table, "point") if table.has("point") or not table.has("frame") else table.text("frame")
        along = direction(table, vehicle)
        return loads.force(body, along, strength, point=where, inertial=inertial, name=name)


def _magnetic(name: str, table: Table, vehicle: Vehicle, strength: Profile | None) -> Load:
    """``dipole`` A m² in body axes, ``field`` T in inertial axes (with ``orbit_rate``: the field at the magnetic equator)."""
    dipole, field = table.vector("dipole", 3), table.vector("field", 3)
    if not table.has("orbit_rate"):
        for key in ("vertical", "along"):
            if table.has(key):
                raise table.error(key, "needs 'orbit_rate'", expected="an orbit rate in rad/s, or a constant field")
        return loads.magnetic_torque(table.text("body"), dipole, field, strength, name=name)
    return loads.magnetic_torque(
        table.text("body"), dipole, field, strength, orbit_rate=table.number("orbit_rate", above=0.0),
        vertical=table.vector("vertical", 3, np.array([1.0, 0.0, 0.0])),
        along=table.vector("along", 3, np.array([0.0, 1.0, 0.0])), name=name,
    )  # fmt: skip
