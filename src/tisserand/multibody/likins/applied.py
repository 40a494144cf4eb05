"""F^k, T^k and the other loads of the report from wrenches, fields, springs, dampers and rotor laws.

Reference: S1 Defs 25-27.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tisserand.arrays import LEVI_CIVITA, FloatArray
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
    """A field of gravity g with the gradient G (symmetric, without trace) on every mass.

    That of a circular orbit is n² (3 a a' - 1) x, x from the orbit point, a the local vertical; that of a planet is taken at
    the mass center of each substructure. On substructure k: F = M_k g(x_c), moment about c_k = the axial vector of G J_c,
    and, since the potential is G : J/2 about o_k besides that of the mass there, Q_eta = shape' g(x_o) - G : dJ/2.
    """
    system = here.system
    M, total = system.barycenters.masses, system.barycenters.total
    o = at.D.sum(axis=0) + M @ at.c / total
    x_o = o - o[0] + system.centers[0] + here.R0.T @ position
    at_c = at.c
    g_c, G = _field_at(field, here.R0, x_o - at_c, time)
    g_o = g_c + np.einsum("kab,kb->ka", G, at_c)
    J_c = at.J - M[:, None, None] * (
        np.sum(at_c * at_c, axis=1)[:, None, None] * np.eye(3) - at_c[:, :, None] * at_c[:, None, :]
    )
    C0t = at.rates.C0.transpose(0, 2, 1)
    F += np.einsum("kab,kb->ka", C0t, M[:, None] * g_c)
    T += np.einsum("kab,kb->ka", C0t, -np.einsum("abc,kbc->ka", LEVI_CIVITA, J_c @ G))
    modal += np.einsum("kam,ka->m", at.modal_shape, g_o)
    for k, body in enumerate(system.substructures):
        if body.modes:
            C0 = at.rates.C0[k]
            modal[system.mode_slots[k]] -= 0.5 * np.tensordot(C0.T @ G[k] @ C0, at.deformations[k].J_slope, axes=2)


def _field_at(field: Load, R0: FloatArray, x: FloatArray, time: float) -> tuple[FloatArray, FloatArray]:
    """Gravity (k, 3) and its gradient (k, 3, 3) at places x (k, 3), all in base axes."""
    if field.environment is not None:
        planet, places = field.environment.planet, x @ R0.T
        return planet.gravity(places) @ R0, R0.T @ planet.gravity_gradient(places) @ R0
    turn = field.rate * time
    a = R0.T @ (np.cos(turn) * field.direction + np.sin(turn) * field.extra)
    G = field.rate**2 * (3.0 * np.outer(a, a) - np.eye(3))
    return x @ G, np.broadcast_to(G, (len(x), 3, 3))
