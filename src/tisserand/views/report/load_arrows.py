"""Where loads act on a drawn vehicle, and the joints whose loads can be shown: data of the arrows of a replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tisserand.multibody.controllers import Controller
from tisserand.multibody.loads import Load
from tisserand.multibody.vehicle import Vehicle

#: Loads that are arrows at a point of a body; the others are fields or act between parts.
FORCES, TORQUES = ("force", "node_force"), ("torque", "node_torque")


def load_places(
    vehicle: Vehicle, loads: Sequence[Load] = (), controllers: Sequence[Controller] = ()
) -> list[dict[str, Any]]:
    """Name, body, point (m, body axes) and direction of every load that can be drawn as an arrow."""
    named = [(load.name, load) for load in loads]
    named += [(f"{law.name}/{load.name}", load) for law in controllers for load in law.outputs]
    return [place for name, load in named if (place := _place(vehicle, name, load)) is not None]


def _place(vehicle: Vehicle, name: str, load: Load) -> dict[str, Any] | None:
    if load.kind not in (*FORCES, *TORQUES):
        return None
    if load.kind.startswith("node"):
        mounted = vehicle.appendage(load.target)
        body, point = mounted.body, mounted.origin + mounted.attitude @ _node(mounted.record, load.node)
    else:
        body = load.target
        point = vehicle.body(body).point(load.point) if isinstance(load.point, str) else np.asarray(load.point)
    return {
        "name": name,
        "body": body,
        "point": [float(v) for v in point],
        "direction": [float(v) for v in load.direction],
        "inertial": bool(load.inertial),
        "torque": load.kind in TORQUES,
    }


def _node(record: Any, node: int | str | None) -> Any:
    """Position of a node or named point from the record's reference point, m."""
    for interface in record.interfaces:
        if interface.name == node:
            return interface.position
    rows = np.flatnonzero(record.nodes.ids == node)
    return record.nodes.positions[rows[0]] if len(rows) else np.zeros(3)


def joint_places(vehicle: Vehicle) -> list[dict[str, Any]]:
    """Name, child body and point (m, child axes) of every joint."""
    return [
        {"name": joint.name, "body": joint.child, "point": [float(v) for v in joint.child_point]}
        for joint in vehicle.joints
        if any(joint.child == body.name for body in vehicle.bodies)
    ]
