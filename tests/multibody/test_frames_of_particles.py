"""Floating frames of a whole vehicle along a run against sums over its particles (theory, section 4)."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.particles import Pose
from support.trees import batched, named_state, random_tree, vehicle_of

from tisserand.multibody import simulate
from tisserand.multibody.run_frames import reexpress

TREE = random_tree(12, bodies=4, rotors=False, loads=False)
VEHICLE = vehicle_of(TREE)


@pytest.fixture(scope="module")
def run():
    return simulate(VEHICLE, 0.02, named_state(TREE), samples=9, rtol=1e-11, atol=1e-13)


def particles():
    """Masses, central positions and velocities at the start, and central nominal positions (no angle, no
    deformation)."""
    oracle = TREE.particles()
    pose = batched(TREE.pose)
    x = np.real(oracle.places(pose)[0][0])
    v = oracle.partials(pose)[0] @ TREE.speeds
    zero = {"gamma": np.zeros_like(TREE.pose.gamma), "eta": np.zeros_like(TREE.pose.eta)}
    nominal = batched(replace(TREE.pose, X=np.zeros(3), R0=np.eye(3), **zero))
    r = np.real(oracle.places(Pose(nominal.X, nominal.R0, nominal.gamma, nominal.psi, nominal.eta))[0][0])
    m = oracle.masses
    central = lambda a: a - m @ a / m.sum()  # noqa: E731
    return m, central(x), central(v), central(r), m @ x / m.sum()


def test_tisserand_rate_is_momentum_over_deformed_inertia(run):
    """w_T = I^-1 H with I and H of the particles about their mass center: no relative momentum is left."""
    m, y, v, _, center = particles()
    second = np.einsum("n,na,nb->ab", m, y, y)
    inertia = np.trace(second) * np.eye(3) - second
    H = (m[:, None] * np.cross(y, v)).sum(axis=0)
    motion = reexpress(run, VEHICLE, "tisserand")
    assert motion.inertia[0] == pytest.approx(inertia, rel=1e-10, abs=1e-8)
    assert motion.angular_momentum[0] == pytest.approx(H, rel=1e-10)
    assert motion.rate[0] == pytest.approx(np.linalg.solve(inertia, H), rel=1e-10)
    assert motion.origin[0] == pytest.approx(center, rel=1e-10)
    assert np.abs(motion.relative_momentum).max() < 1e-9 * np.abs(H).max()


def test_buckens_attitude_is_the_polar_decomposition_of_the_particles(run):
    """B = sum m y r' = U S V', R = U diag(1, 1, det) V' (Eckart frame)."""
    m, y, _, r, _ = particles()
    U, _, Vt = np.linalg.svd(np.einsum("n,na,nb->ab", m, y, r))
    R = U @ np.diag([1.0, 1.0, np.linalg.det(U @ Vt)]) @ Vt
    got = Rotation.from_quat(np.roll(reexpress(run, VEHICLE, "buckens").attitude[0], -1)).as_matrix()
    assert np.abs(got - R).max() < 1e-9


def test_principal_axes_make_the_inertia_of_the_particles_diagonal(run):
    m, y, _, _, _ = particles()
    second = np.einsum("n,na,nb->ab", m, y, y)
    R = Rotation.from_quat(np.roll(reexpress(run, VEHICLE, "principal").attitude[0], -1)).as_matrix()
    diagonal = R.T @ (np.trace(second) * np.eye(3) - second) @ R
    assert np.abs(diagonal - np.diag(np.diag(diagonal))).max() < 1e-9 * np.abs(diagonal).max()
