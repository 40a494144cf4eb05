"""External loads on a vehicle as one wrench per body and one generalized force per coordinate.

References: S1 Defs 25-28; theory section 16.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.errors import VehicleError
from tisserand.multibody.likins.build import LikinsModel
from tisserand.multibody.loads import Load, magnetic_field
from tisserand.multibody.profiles import Profile
from tisserand.multibody.state import State
from tisserand.multibody.tree import FlexBlock, FlexNode, psi_of_interface, psi_of_node


@dataclass(eq=False)
class Wrenches:
    """Loads per tree body (bodies, 3) in body axes: force, and torque about the ORIGIN of the body.

    modal (K,): generalized forces on modal coordinates; hinges (n,): motor torques along the hinges of the
    report's tree (springs and dampers come from the vehicle); rotors (q,): torques on rotors.
    """

    model: LikinsModel
    forces: FloatArray
    torques: FloatArray
    modal: FloatArray
    hinges: FloatArray
    rotors: FloatArray

    def at_point(self, body: str, force: FloatArray, point: FloatArray | None = None) -> None:
        """A force (3,) N on a point (3,) m of a body, both in body axes; the origin if no point is given."""
        k = self.body(body)
        self.forces[k] += force
        if point is not None:
            self.torques[k] += np.cross(point, force)

    def couple(self, body: str, torque: FloatArray) -> None:
        """A torque (3,) N m on a rigid body, body axes."""
        self.torques[self.body(body)] += torque

    def at_node(
        self,
        appendage: str,
        node: int | str,
        eta: FloatArray,
        force: FloatArray | None = None,
        torque: FloatArray | None = None,
    ) -> None:
        """A force and a torque (3,) in body axes on a node (id or interface) at modal coordinates eta (m,).

        F += f, torque += (r + u) x f + t, Q_eta += phi' f + theta' G' t: the node turns by exp(b~), b = theta
        eta, with rate G b' in body axes (to second degree G = 1 + b~/2).
        """
        k, start, block = self.block(appendage)
        place = _node_of(block, node)
        mine = slice(start, start + block.integrals.count)
        bend = place.translation_second @ eta
        if force is not None:
            where = place.position + place.translation @ eta + bend @ eta
            self.forces[k] += force
            self.torques[k] += np.cross(where, force)
            self.modal[mine] += (place.translation + 2.0 * bend).T @ force
        if torque is not None:
            twist = place.rotation_second @ eta
            b, slope = place.rotation @ eta + twist @ eta, place.rotation + 2.0 * twist
            self.torques[k] += torque
            self.modal[mine] += slope.T @ (turn_tangent(b).T @ torque)

    def motor(self, joint: str, torque: float, axis: int = 0) -> None:
        """Motor torque about an axis of a joint, on its child, N m."""
        parts = [
            (body, hinges) for body, hinges in zip(self.model.tree.bodies, self.model.hinges) if body.joint == joint
        ]
        chain = [(body, hinge) for body, hinges in parts for hinge in (hinges if body.kind == "ball" else hinges[:1])]
        if not chain:
            known = ", ".join(j.name for j in self.model.vehicle.joints) or "none"
            raise VehicleError("unknown joint", found=joint, expected=known)
        if any(body.kind not in ("hinge", "ball") for body, _ in chain) or not 0 <= axis < len(chain):
            raise VehicleError(
                "a motor torque needs an axis of the joint", where=f"joint {joint}", found=f"axis {axis}"
            )
        self.hinges[chain[axis][1]] += torque

    def rotor(self, name: str, torque: float) -> None:
        """Torque on a rotor, N m."""
        names = [r.name for body in self.model.tree.bodies for r in body.rotors]
        if name not in names:
            raise VehicleError("unknown rotor", found=name, expected=", ".join(names) or "none")
        self.rotors[names.index(name)] += torque

    def body(self, name: str) -> int:
        if name not in self.model.tree.index:
            raise VehicleError("unknown body", found=name, expected=", ".join(self.model.tree.index))
        return self.model.tree.index[name]

    def block(self, name: str) -> tuple[int, int, FlexBlock]:
        start = 0
        for k, body in enumerate(self.model.tree.bodies):
            for block in body.blocks:
                if block.name == name:
                    return k, start, block
                start += block.integrals.count
        raise VehicleError("unknown appendage", found=name)


def _node_of(block: FlexBlock, node: int | str) -> FlexNode:
    """A node in body axes, to second degree."""
    record, R = block.mount.record, block.attitude
    if isinstance(node, str):
        face = record.interface(node)
        place, phi, theta = face.position, face.translation, face.rotation
        second = psi_of_interface(block.mount, node)
    else:
        rows = np.flatnonzero(record.nodes.ids == node)
        if len(rows) != 1:
            raise VehicleError("unknown node", where=f"appendage {block.name}", found=node)
        row = int(rows[0])
        place, phi, theta = (record.nodes.positions[row], record.nodes.translation[row], record.nodes.rotation[row])
        second = psi_of_node(block.mount, row)
    bend, twist = (np.einsum("ai,ikl->akl", R, part) for part in (second[:3], second[3:]))
    return FlexNode(0, block.origin + R @ place, R @ phi, R @ theta, bend, twist)


def turn_tangent(b: FloatArray) -> FloatArray:
    """G (3, 3): exp(b~) turns with the rate G b', in the axes that b is written in."""
    s = float(np.linalg.norm(b))
    tilde = skew(b)
    if s < 1e-4:
        first, second = 0.5 - s * s / 24.0, 1.0 / 6.0 - s * s / 120.0
    else:
        first, second = (1.0 - np.cos(s)) / s**2, (s - np.sin(s)) / s**3
    return np.asarray(np.eye(3) + first * tilde + second * (tilde @ tilde))


def no_wrenches(model: LikinsModel) -> Wrenches:
    """An empty collection for a vehicle."""
    bodies, system = len(model.tree.bodies), model.system
    zero = np.zeros
    return Wrenches(
        model, zero((bodies, 3)), zero((bodies, 3)), zero(system.modes), zero(system.hinges), zero(system.rotors)
    )


def push(
    model: LikinsModel,
    loads: Sequence[Load],
    strengths: Sequence[float],
    state: State,
    R: FloatArray,
    time: float = 0.0,
    places: FloatArray | None = None,
) -> Wrenches:
    """Wrenches of the vehicle's loads with their present strengths; R (bodies of the tree, 3, 3): body to inertial.

    places (bodies, 3): their origins in inertial axes, m, for fields that depend on them.

    Fields that act on every mass are left to :mod:`applied`.
    """
    out = no_wrenches(model)
    for load, strength in zip(loads, strengths):
        if load.kind == "gradient":
            continue
        if load.kind == "joint":
            out.motor(load.target, strength, load.axis)
        elif load.kind == "rotor":
            out.rotor(load.target, strength)
        elif load.kind == "magnetic":
            k = out.body(load.target)
            field = R[k].T @ magnetic_field(load, time, places[k] if places is not None else None)
            out.couple(load.target, np.cross(strength * load.direction, field))
        elif load.kind in ("node_force", "node_torque"):
            k, _, block = out.block(load.target)
            vector = strength * (R[k].T @ load.direction if load.inertial else load.direction)
            eta = np.asarray(state.modal.get(load.target, np.zeros(block.integrals.count)), float)
            pair = (vector, None) if load.kind == "node_force" else (None, vector)
            out.at_node(load.target, load.node if load.node is not None else 0, eta, *pair)
        else:
            k = out.body(load.target)
            stated = load.direction if not load.axes_of else R[out.body(load.axes_of)] @ load.direction
            vector = strength * (R[k].T @ stated if load.inertial or load.axes_of else stated)
            if load.kind == "force":
                named = isinstance(load.point, str)
                point = model.vehicle.body(load.target).point(str(load.point)) if named else np.asarray(load.point)
                out.at_point(load.target, vector, point)
            else:
                out.couple(load.target, vector)
    return out


def strengths_of(loads: Sequence[Load], time: float, inputs: Mapping[str, float]) -> list[float]:
    """Strength of every load: its profile at the time, or the input of its name."""
    out = []
    for load in loads:
        if isinstance(load.source, Profile):
            out.append(float(load.source(time)))
            continue
        name = load.name if load.source is None else load.source
        if name not in inputs:
            raise VehicleError(
                "a load has no strength",
                where=f"load {load.name}",
                found=f"no input {name!r}",
                expected=", ".join(inputs) or "a profile or an input",
            )
        out.append(float(inputs[name]))
    return out
