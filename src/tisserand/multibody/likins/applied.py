"""F^k, T^k and the other loads of the report from wrenches, fields, springs, dampers and rotor laws.

Reference: S1 Defs 25-27.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.likins.build import LikinsModel, spin_inertia
from tisserand.multibody.likins.configuration import Configuration
from tisserand.multibody.likins.state_rows import Placed
from tisserand.multibody.likins.system import AppliedLoads
from tisserand.multibody.likins.vectors import cross
from tisserand.multibody.likins.wrenches import Wrenches
from tisserand.multibody.loads import Load


def applied_loads(
    model: LikinsModel,
    here: Placed,
    at: Configuration,
    position: FloatArray,
    time: float,
    wrenches: Wrenches,
    fields: Sequence[Load] = (),
) -> AppliedLoads:
    """All loads at a state; position (3,) m of the base's origin, inertial axes; fields: gravity-gradient loads."""
    system = here.system
    n = system.tree.bodies
    F, T, modal = np.zeros((n, 3)), np.zeros((n, 3)), wrenches.modal.copy()
    for number, k in enumerate(model.body):
        if wrenches.forces[number].any() or wrenches.torques[number].any():
            F[k] = wrenches.forces[number]
            T[k] = wrenches.torques[number] - cross(system.centers[k] - at.deformations[k].c, F[k])
    if model.vehicle.gravity.any():
        _uniform_gravity(model, here, at, F, modal)
    for field in fields:
        _gravity_gradient(field, here, at, position=position, time=time, F=F, T=T, modal=modal)
    rotors = [r for body in model.tree.bodies for r in body.rotors]
    slopes = np.zeros(len(rotors))
    for i, r in enumerate(rotors):
        if r.profile is not None and r.mode != "torque":
            scale = spin_inertia(r) if r.mode == "momentum" else 1.0
            slopes[i] = float(r.profile.derivatives(time)[1]) / scale
    drag = np.array([r.damping for r in rotors]) * here.state.rotor_rates
    driven = np.array([r.mode != "torque" for r in rotors], dtype=bool)
    torques = wrenches.hinges + hinge_laws(model, here)
    return AppliedLoads(F, T, modal, torques, wrenches.rotors - drag, slopes, driven)


def hinge_laws(model: LikinsModel, here: Placed) -> FloatArray:
    """Torques (n,) of the springs and dampers; a ball joint has one spring on its rotation vector."""
    tau = np.zeros(model.system.hinges)
    for body, hinges in zip(model.tree.bodies, model.hinges):
        stiffness, damping, rest = body.law
        if body.kind == "hinge":
            h = hinges[0]
            tau[h] = -stiffness * (here.state.angles[h] - rest) - damping * here.state.angle_rates[h]
        elif body.kind == "ball":
            chain = list(hinges)
            turn = here.turns.get(hinges[0], np.zeros(3))
            tau[chain] = -stiffness * turn - damping * here.state.angle_rates[chain]
    return tau


def _uniform_gravity(model: LikinsModel, here: Placed, at: Configuration, F: FloatArray, modal: FloatArray) -> None:
    """F^k += M_k g, no moment about c_k, Q_eta += shape' g."""
    g0 = here.R0.T @ model.vehicle.gravity
    F += here.system.barycenters.masses[:, None] * (at.rates.C0.transpose(0, 2, 1) @ g0)
    modal += at.modal_shape.sum(axis=0).T @ g0


def _gravity_gradient(
    field: Load,
    here: Placed,
    at: Configuration,
    *,
    position: FloatArray,
    time: float,
    F: FloatArray,
    T: FloatArray,
    modal: FloatArray,
) -> None:
    """The field n² (3 a a'x - x) on every mass, x from the orbit point, a the local vertical.

    On substructure k: F = M_k n² (3 a a'x_c - x_c), moment about c_k = 3 n² a x J_c a, and, since the
    potential is n² (3/2 a'J a - 1/2 tr J) about o_k besides that of the mass there, Q_eta = shape' field(x_o)
    - its slope.
    """
    system = here.system
    M, total = system.barycenters.masses, system.barycenters.total
    n2, turn = field.rate**2, field.rate * time
    a = here.R0.T @ (np.cos(turn) * field.direction + np.sin(turn) * field.extra)
    o = at.D.sum(axis=0) + M @ at.c / total
    x_o = o - o[0] + system.centers[0] + here.R0.T @ position

    def pull(x: FloatArray) -> FloatArray:
        return np.asarray(n2 * (3.0 * (x @ a)[..., None] * a - x))

    x_c = x_o - at.c
    at_c = at.c
    J_c = at.J - M[:, None, None] * (
        np.sum(at_c * at_c, axis=1)[:, None, None] * np.eye(3) - at_c[:, :, None] * at_c[:, None, :]
    )
    C0t = at.rates.C0.transpose(0, 2, 1)
    F += np.einsum("kab,kb->ka", C0t, M[:, None] * pull(x_c))
    T += np.einsum("kab,kb->ka", C0t, 3.0 * n2 * cross(a, J_c @ a))
    modal += np.einsum("kam,ka->m", at.modal_shape, pull(x_o))
    for k, body in enumerate(system.substructures):
        if body.modes:
            slope, a_k = at.deformations[k].J_slope, at.rates.C0[k].T @ a
            modal[system.mode_slots[k]] += n2 * (
                0.5 * np.trace(slope) - 1.5 * np.tensordot(np.outer(a_k, a_k), slope, axes=2)
            )
