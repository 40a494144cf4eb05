"""External loads on a vehicle as one wrench per body and one generalized force per coordinate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.errors import VehicleError
from tisserand.multibody.likins.build import LikinsModel, spin_inertia
from tisserand.multibody.likins.substructure import deform
from tisserand.multibody.likins.system import AppliedLoads, LikinsState
from tisserand.multibody.tree import FlexBlock


@dataclass(eq=False)
class Wrenches:
    """Loads being collected, per tree body (bodies, 3) in body axes: force, and torque about the ORIGIN of
    the body.

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
        k = self._body(body)
        self.forces[k] += force
        if point is not None:
            self.torques[k] += np.cross(point, force)

    def couple(self, body: str, torque: FloatArray) -> None:
        """A torque (3,) N m on a rigid body, body axes."""
        self.torques[self._body(body)] += torque

    def at_node(
        self,
        appendage: str,
        node_id: int,
        eta: FloatArray,
        force: FloatArray,
        torque: FloatArray | None = None,
    ) -> None:
        """A force and torque (3,) in body axes on a node of an appendage at its modal coordinates eta (m,).

        F += f, torque += (r + u) x f + t, Q_eta += phi' f + theta' G' t: the node turns by exp(b~), b = theta
        eta, with rate G b' in body axes (to second degree G = 1 + b~/2).
        """
        k, start, block = self._block(appendage)
        record, R = block.mount.record, block.attitude
        rows = np.flatnonzero(record.nodes.ids == node_id)
        if len(rows) != 1:
            raise VehicleError("unknown node", where=f"appendage {appendage}", found=node_id)
        nodes, row = record.nodes, int(rows[0])
        phi, theta = R @ nodes.translation[row], R @ nodes.rotation[row]
        where = block.origin + R @ nodes.positions[row] + phi @ eta
        mine = slice(start, start + record.count)
        self.forces[k] += force
        self.torques[k] += np.cross(where, force)
        self.modal[mine] += phi.T @ force
        if torque is not None:
            self.torques[k] += torque
            self.modal[mine] += theta.T @ (turn_tangent(theta @ eta).T @ torque)

    def motor(self, joint: str, torques: FloatArray) -> None:
        """Motor torques of a joint on its child, one per axis, N m (ball: along child joint axes)."""
        numbers = [
            h
            for body, hinges in zip(self.model.tree.bodies, self.model.hinges)
            for h in hinges
            if body.joint == joint
        ]
        if not numbers or len(np.atleast_1d(torques)) != len(numbers):
            raise VehicleError(
                "motor torques need one value per axis", where=f"joint {joint}", expected=len(numbers)
            )
        self.hinges[numbers] += torques

    def rotor(self, name: str, torque: float) -> None:
        """Torque on a rotor, N m."""
        names = [r.name for body in self.model.tree.bodies for r in body.rotors]
        if name not in names:
            raise VehicleError("unknown rotor", found=name, expected=", ".join(names) or "none")
        self.rotors[names.index(name)] += torque

    def _body(self, name: str) -> int:
        if name not in self.model.tree.index:
            raise VehicleError("unknown body", found=name, expected=", ".join(self.model.tree.index))
        return self.model.tree.index[name]

    def _block(self, name: str) -> tuple[int, int, FlexBlock]:
        start = 0
        for k, body in enumerate(self.model.tree.bodies):
            for block in body.blocks:
                if block.name == name:
                    return k, start, block
                start += block.integrals.count
        raise VehicleError("unknown appendage", found=name)


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
        model,
        zero((bodies, 3)),
        zero((bodies, 3)),
        zero(system.modes),
        zero(system.hinges),
        zero(system.rotors),
    )


def applied_loads(
    model: LikinsModel,
    state: LikinsState,
    gravity_0: FloatArray,
    C0: FloatArray,
    time: float,
    wrenches: Wrenches,
) -> AppliedLoads:
    """F^k, T^k about the deformed mass centre, modal forces, hinge torques with springs and dampers (Defs
    25-27).

    gravity_0 (3,) m/s² in {b^0}; C0 (n + 1, 3, 3): C^{0k}.
    """
    system = model.system
    n = system.tree.bodies
    F, T, modal = np.zeros((n, 3)), np.zeros((n, 3)), wrenches.modal.copy()
    for number, k in enumerate(model.body):
        F[k], T[k] = wrenches.forces[number], wrenches.torques[number]
    pulled = bool(np.any(gravity_0))
    for k, part in enumerate(system.substructures):
        if not (pulled or F[k].any()):
            continue
        mine = system.mode_slots[k]
        now = deform(part, state.eta[mine], state.eta_rates[mine], model.first_degree)
        T[k] -= np.cross(system.centers[k] - now.c, F[k])
        g = C0[k].T @ gravity_0
        F[k] = F[k] + part.mass * g
        modal[mine] += now.shape.T @ g
    tau = wrenches.hinges.copy()
    for body, hinges in zip(model.tree.bodies, model.hinges):
        stiffness, damping, rest = body.law
        if body.kind == "hinge":
            h = hinges[0]
            tau[h] -= stiffness * (state.angles[h] - rest) + damping * state.angle_rates[h]
    rotors = [r for body in model.tree.bodies for r in body.rotors]
    driven = np.array([r.mode != "torque" for r in rotors], dtype=bool)
    slopes = np.zeros(len(rotors))
    for i, r in enumerate(rotors):
        if r.profile is not None and r.mode != "torque":
            scale = spin_inertia(r) if r.mode == "momentum" else 1.0
            slopes[i] = float(r.profile.derivatives(time)[1]) / scale
    damping_torque = np.array([r.damping for r in rotors]) * state.rotor_rates
    return AppliedLoads(F, T, modal, tau, wrenches.rotors - damping_torque, slopes, driven)
