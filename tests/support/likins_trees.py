"""Random trees in the terms of TR 32-1576: constants, state and loads of the ``likins`` equations."""

from __future__ import annotations

import numpy as np

from support.particles import turning_partials
from support.trees import RandomTree
from tisserand.arrays import skew
from tisserand.multibody.likins.substructure import Flexible, substructure
from tisserand.multibody.likins.system import AppliedLoads, LikinsState, LikinsSystem, likins_system


def system_of(tree: RandomTree) -> LikinsSystem:
    bodies = []
    for b in tree.bodies:
        arms = np.vstack([b.positions, *(r.point + r.arms(np.zeros(())) for r in b.rotors)])
        masses = np.concatenate([b.masses, *(np.full(4, r.mass / 4) for r in b.rotors)])
        center = masses @ arms / masses.sum() if masses.sum() else np.zeros(3)
        tilde = skew(arms - center)
        inertia = -np.einsum("n,nab,nbc->ac", masses, tilde, tilde)
        f = b.flexible
        bodies.append(
            substructure(
                float(masses.sum()),
                center,
                inertia,
                () if f is None else (Flexible(f.record.integrals, f.stiffness, f.damping, f.origin, f.axes),),
                np.array([r.inertia for r in b.rotors]),
                np.array([r.axis for r in b.rotors]).reshape(-1, 3),
            )
        )
    stack = lambda word: np.array([getattr(b, word) for b in tree.bodies])  # noqa: E731
    return likins_system(
        [b.parent for b in tree.bodies],
        bodies,
        stack("axis"),
        stack("point_parent"),
        stack("point_self"),
        stack("align"),
    )


def state_of(tree: RandomTree) -> LikinsState:
    n, q = len(tree.bodies) - 1, len(tree.pose.psi)
    u = tree.speeds
    return LikinsState(u[3:6], tree.pose.gamma, u[6 : 6 + n], u[6 + n : 6 + n + q], tree.pose.eta, u[6 + n + q :])


def loads_of(tree: RandomTree, system: LikinsSystem) -> AppliedLoads:
    """F^k, T^k about the deformed mass center, and modal forces of gravity, body loads and nodal loads."""
    oracle = tree.particles()
    from support.trees import batched

    _, R, _ = oracle.places(batched(tree.pose))
    R = np.real(R[0])
    state = state_of(tree)
    F, T, modal = tree.forces.copy(), tree.torques.copy(), np.zeros(system.modes)
    for k, (b, body) in enumerate(zip(tree.bodies, system.substructures)):
        mine = system.mode_slots[k]
        eta = state.eta[mine]
        mass_center = system.centers[k] + (body.P @ eta / body.mass if body.mass else np.zeros(3))
        T[k] += np.cross(-mass_center, tree.forces[k])
        g = R[k].T @ tree.gravity
        F[k] += body.mass * g
        modal[mine] += body.P.T @ g
        if b.flexible is not None:
            f = b.flexible
            phi, theta = f.axes @ f.shapes[0], f.axes @ f.rotations[0]
            where = f.origin + f.axes @ f.positions[0] + phi @ eta
            F[k] += tree.node_forces[k]
            T[k] += np.cross(where - mass_center, tree.node_forces[k]) + tree.node_torques[k]
            modal[mine] += phi.T @ tree.node_forces[k] + turning_partials(theta, eta).T @ tree.node_torques[k]
    tau = tree.motors - tree.springs * state.angles - tree.dampers * state.angle_rates
    q = system.rotors
    return AppliedLoads(F, T, modal, tau, tree.rotor_torques, np.zeros(q), np.zeros(q, bool))
