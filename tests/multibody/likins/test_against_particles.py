"""The barycentric equations against brute-force particle mechanics (nothing but particle positions is written
down there)."""

from dataclasses import replace

import numpy as np
import pytest
from support.likins_trees import loads_of, state_of, system_of
from support.trees import batched, random_tree

from tisserand.multibody.likins.mass_solve import hinge_loads, solve
from tisserand.multibody.likins.momenta import momenta
from tisserand.multibody.likins.system import AppliedLoads

CASES = [
    dict(seed=0, bodies=1),
    dict(seed=1, bodies=2),
    dict(seed=2, bodies=4, aligned=False),
    dict(seed=3, bodies=6),
    dict(seed=4, bodies=6, massless=True),
    dict(seed=5, bodies=9, modes=5, aligned=False),
    dict(seed=6, bodies=12, modes=0),
    dict(seed=7, bodies=8, rotors=False, depth=1),
]


def vector(solution):
    return np.concatenate([solution.a[0], solution.angles, solution.rotors, solution.eta])


def solved(tree, first_degree=False):
    system = system_of(tree)
    state, loads = state_of(tree), loads_of(tree, system)
    solution = solve(system, state, loads, first_degree)
    arm, w = -system.centers[0], state.w0
    base = solution.o[0] + np.cross(solution.a[0], arm) + np.cross(w, np.cross(w, arm))
    got = np.concatenate([tree.pose.R0 @ base, vector(solution)])
    return system, loads, solution, got


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"seed{c['seed']}-{c['bodies']}bodies")
def test_complete_equations_are_exact(case):
    """Eq 33 with all degrees kept: every acceleration of a loaded random tree to 1e-10 (measured 5e-14 or
    better)."""
    tree = random_tree(**case)
    expected = tree.expected()
    *_, got = solved(tree)
    assert np.abs(got - expected).max() < 1e-11 * np.abs(expected).max()


@pytest.mark.parametrize("case", CASES[1:], ids=lambda c: f"seed{c['seed']}-{c['bodies']}bodies")
def test_hinge_forces_and_torques_are_those_the_outboard_particles_need(case):
    """Eqs 11 and 15: f and T at a hinge equal the sum of m a - f over everything outboard; axial part =
    applied torque."""
    tree = random_tree(**case)
    system, loads, solution, _ = solved(tree)
    oracle = tree.particles()
    forces, _, torques = tree.applied(oracle)
    F, T = oracle.hinge_loads(batched(tree.pose), tree.speeds, tree.expected(), forces, torques)
    inside = hinge_loads(system, loads, solution)
    R = tree.pose.R0
    assert np.abs(inside.force @ R.T - F[1:]).max() < 1e-11 * np.abs(F).max()
    assert np.abs(inside.torque @ R.T - T[1:]).max() < 1e-11 * np.abs(T).max()
    assert np.abs(inside.axial - loads.hinge_torques).max() < 1e-11 * np.abs(T).max()
    assert np.abs(np.einsum("sa,sa->s", inside.constraint, solution.at.rates.g[1:])).max() < 1e-11 * np.abs(T).max()


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"seed{c['seed']}-{c['bodies']}bodies")
def test_energy_and_momenta_are_the_sums_over_particles(case):
    """T, angular momentum about the mass center, by König's theorem over substructures, against sums over
    particles."""
    tree = random_tree(**case)
    oracle = tree.particles()
    T, p, h = oracle.momenta(batched(tree.pose), tree.speeds)
    total = oracle.masses.sum()
    x = np.real(oracle.places(batched(tree.pose))[0][0])
    X = oracle.masses @ x / total
    result = momenta(system_of(tree), state_of(tree))
    assert result.kinetic + 0.5 * p @ p / total == pytest.approx(T, rel=1e-12)
    assert np.abs(tree.pose.R0 @ result.angular + np.cross(X, p) - h).max() < 1e-12 * np.abs(h).max()


def quasi_static(tree, factor, accelerations):
    """Deformation, its rate and its acceleration times ``factor``; loads that produce exactly this motion.

    Rigid motion stays finite. Returns the tree, the wanted accelerations and the loads in the terms of the
    report.
    """
    speeds, wanted = tree.speeds.copy(), accelerations.copy()
    flexible = slice(len(speeds) - len(tree.pose.eta), None)
    speeds[flexible] *= factor
    wanted[flexible] *= factor
    small = replace(tree, pose=replace(tree.pose, eta=factor * tree.pose.eta), speeds=speeds)
    system, state, oracle = system_of(small), state_of(small), small.particles()
    Q = oracle.needed(batched(small.pose), speeds, wanted)
    n, q = oracle.hinges, oracle.rotors
    F, T = np.zeros((n + 1, 3)), np.zeros((n + 1, 3))
    body, eta = system.substructures[0], state.eta[system.mode_slots[0]]
    F[0] = small.pose.R0.T @ Q[:3]
    T[0] = Q[3:6] - np.cross(system.centers[0] + body.P @ eta / body.mass, F[0])
    modal = Q[6 + n + q :].copy()
    for slots, part in zip(system.mode_slots, system.substructures):
        modal[slots] += part.stiffness @ state.eta[slots] + part.damping @ state.eta_rates[slots]
    loads = AppliedLoads(F, T, modal, Q[6 : 6 + n], Q[6 + n : 6 + n + q], np.zeros(q), np.zeros(q, bool))
    return small, wanted, system, state, loads


@pytest.mark.parametrize("seed", [2, 3, 8])
def test_first_degree_equations_err_by_the_square_of_the_deformation(seed):
    """Eq 42 drops second-degree terms and nothing else: the error against particles falls with slope 2.

    Small are eta, eta' and eta''; rates and accelerations of the bodies are finite.
    """
    tree = random_tree(seed, bodies=5)
    accelerations = np.random.default_rng(seed).normal(size=len(tree.speeds))
    factors = np.array([0.1, 0.03, 0.01, 0.003])
    errors, complete = [], []
    for factor in factors:
        _, wanted, system, state, loads = quasi_static(tree, factor, accelerations)
        errors.append(np.abs(vector(solve(system, state, loads, first_degree=True)) - wanted[3:]).max())
        complete.append(np.abs(vector(solve(system, state, loads)) - wanted[3:]).max())
    slope = np.polyfit(np.log(factors), np.log(errors), 1)[0]
    assert slope == pytest.approx(2.0, abs=0.1)
    assert errors[0] > 1e-4 and max(complete) < 1e-10


def test_an_observer_in_uniform_motion_sees_the_same_accelerations():
    """Adding a constant velocity changes nothing: the oracle itself is Galilean invariant."""
    tree = random_tree(3, bodies=5)
    moved = replace(tree, speeds=tree.speeds + np.r_[[100.0, -50.0, 30.0], np.zeros(len(tree.speeds) - 3)])
    assert np.abs(tree.expected() - moved.expected()).max() < 1e-8 * np.abs(tree.expected()).max()
