"""Rigid nodal bodies that turn by finite angles: the second-degree terms a, A of the modal integrals in the
tree.

A nodal body turned by exp(b~), b = theta eta, is not a linear displacement field. With a and A the kinetic
energy is right to second degree, so quasi-static accelerations err with slope 2; without them with slope 1
(theory of section 2).
"""

from dataclasses import replace

import numpy as np
import pytest
from support.particles import Cloud, ParticleTree, Pose, turn
from support.trees import particle_inertia

from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.multibody.likins.mass_solve import solve
from tisserand.multibody.likins.substructure import Flexible, substructure
from tisserand.multibody.likins.system import AppliedLoads, LikinsState, likins_system


def heavy_nodes(seed, modes=3, count=3, points=6):
    """Nodal bodies of a few particles each: node positions, arms, masses, shapes."""
    rng = np.random.default_rng(seed)
    node = rng.normal(size=(count, 3))
    arms = 0.6 * rng.normal(size=(count, points, 3))
    masses = rng.uniform(0.5, 1.5, size=(count, points))
    return (node, arms, masses, 0.4 * rng.normal(size=(count, 3, modes)), 0.6 * rng.normal(size=(count, 3, modes)))


def two_bodies(seed, factor, with_turn):
    """A rigid hub and a hinged body with turning nodes; returns accelerations wanted and obtained
    (quasi-static)."""
    rng = np.random.default_rng(100 + seed)
    node, arms, masses, phi, theta = heavy_nodes(seed)
    m = masses.sum(axis=1)
    offset = np.einsum("np,npa->na", masses, arms) / m[:, None]
    inertias = np.array([particle_inertia(w, a - c) for w, a, c in zip(masses, arms, offset)])
    integrals = nodal_body_integrals(node, m, offset, inertias, phi, theta)
    if not with_turn:
        integrals = replace(integrals, turn_first=0 * integrals.turn_first, turn_second=0 * integrals.turn_second)
    hub_m, hub_r = rng.uniform(1, 3, 6), rng.normal(size=(6, 3))
    hinge, own, axis = rng.normal(size=3), rng.normal(size=3), np.array([0.6, 0.0, 0.8])
    points = arms.shape[1]
    clouds = [
        Cloud(-1, hub_m, hub_r, np.zeros((6, 3, 0))),
        Cloud(
            0,
            masses.ravel(),
            np.repeat(node, points, axis=0),
            np.repeat(phi, points, axis=0),
            hinge,
            own,
            axis,
            arms=arms.reshape(-1, 3),
            turns=np.repeat(theta, points, axis=0),
        ),
    ]
    oracle = ParticleTree(clouds)
    k = phi.shape[2]
    eta = factor * rng.normal(size=k)
    pose = Pose(
        np.zeros((1, 3)), np.real(turn(rng.normal(size=3)))[None], np.full((1, 1), 0.4), np.zeros((1, 0)), eta[None]
    )
    u, du = rng.normal(size=oracle.speeds), rng.normal(size=oracle.speeds)
    u[7:] *= factor
    du[7:] *= factor
    Q = oracle.needed(pose, u, du)
    hub_c = hub_m @ hub_r / hub_m.sum()
    zero = np.zeros((k, k))
    flexible = Flexible(integrals, zero, zero, np.zeros(3), np.eye(3))
    parts = [
        substructure(float(hub_m.sum()), hub_c, particle_inertia(hub_m, hub_r - hub_c)),
        substructure(0.0, np.zeros(3), np.zeros((3, 3)), [flexible]),
    ]
    stack = lambda x: np.array([np.zeros(3), x])  # noqa: E731
    system = likins_system([-1, 0], parts, stack(axis), stack(hinge), stack(own), np.array([np.eye(3)] * 2))
    state = LikinsState(u[3:6], np.array([0.4]), u[6:7], np.zeros(0), eta, u[7:])
    F = pose.R0[0].T @ Q[:3]
    loads = AppliedLoads(
        np.array([F, np.zeros(3)]),
        np.array([Q[3:6] - np.cross(hub_c, F), np.zeros(3)]),
        Q[7:],
        Q[6:7],
        np.zeros(0),
        np.zeros(0),
        np.zeros(0, bool),
    )
    solution = solve(system, state, loads)
    return du[3:], np.concatenate([solution.a[0], solution.angles, solution.eta])


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("with_turn, slope", [(True, 2.0), (False, 1.0)])
def test_turning_nodal_bodies_need_the_second_degree_terms(seed, with_turn, slope):
    factors = np.array([0.1, 0.03, 0.01, 0.003])
    errors = []
    for factor in factors:
        wanted, got = two_bodies(seed, factor, with_turn)
        errors.append(np.abs(wanted - got).max())
    assert np.polyfit(np.log(factors), np.log(errors), 1)[0] == pytest.approx(slope, abs=0.15)
