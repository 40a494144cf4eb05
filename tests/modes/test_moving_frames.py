"""Exact frames of moving bodies against brute-force particle sums (S0 Eqs 43-50, 76-83)."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from tisserand.arrays import skew
from tisserand.errors import ModelError
from tisserand.modes.deformed_frames import (
    MovingBody,
    buckens_frame,
    frame_differences,
    milne_frame,
    momentum_of,
    principal_frame,
    tisserand_frame,
)


def random_body(seed, nodal=True, n=7, bend=0.15):
    """A body deformed by finite amounts, turned and moving at random; nodal bodies as clouds of four particles each.

    Returns the body and the particles (m, x, y, v) that it stands for.
    """
    rng = np.random.default_rng(seed)
    masses = rng.uniform(0.5, 2.0, n)
    x = rng.normal(size=(n, 3)) * [3.0, 2.0, 1.0]
    whole = Rotation.from_rotvec(rng.normal(size=3))
    y = whole.apply(x + bend * rng.normal(size=(n, 3))) + rng.normal(size=3)
    v = np.cross(rng.normal(size=3), y) + bend * rng.normal(size=(n, 3)) + rng.normal(size=3)
    if not nodal:
        return MovingBody(masses, x, y, v), (masses, x, y, v)
    rho = rng.normal(size=(n, 4, 3)) * 0.4
    part = rng.uniform(0.1, 0.5, (n, 4))
    turns = (whole * Rotation.from_rotvec(bend * rng.normal(size=(n, 3)))).as_matrix()
    rates = rng.normal(size=(n, 3))
    total = masses + part.sum(axis=1)
    s = np.einsum("np,npa->na", part, rho)
    Pi = np.einsum("np,npa,npb->nab", part, rho, rho)
    arms = np.einsum("nab,npb->npa", turns, rho)
    m = np.concatenate([masses, part.ravel()])
    X = np.vstack([x, (x[:, None] + rho).reshape(-1, 3)])
    Y = np.vstack([y, (y[:, None] + arms).reshape(-1, 3)])
    V = np.vstack([v, (v[:, None] + np.cross(rates[:, None], arms)).reshape(-1, 3)])
    return MovingBody(total, x, y, v, first_moments=s, second_moments=Pi, turns=turns, rates=rates), (m, X, Y, V)


def centered(particles):
    m, x, y, v = particles
    total = m.sum()
    return m, x - m @ x / total, y - m @ y / total, v - m @ v / total


def sum_cross(m, a, b):
    return np.einsum("n,na->a", m, np.cross(a, b))


@pytest.mark.parametrize("nodal", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_momentum_and_energy_equal_the_particle_sums(seed, nodal):
    body, particles = random_body(seed, nodal)
    m, _, y, v = centered(particles)
    got = momentum_of(body)
    inertia = np.einsum("n,nab->ab", m, -skew(y) @ skew(y))
    assert got.inertia == pytest.approx(inertia, rel=1e-12)
    assert got.angular == pytest.approx(sum_cross(m, y, v), rel=1e-12, abs=1e-12)
    assert got.energy == pytest.approx(0.5 * (m * (particles[3] ** 2).sum(axis=1)).sum(), rel=1e-13)


@pytest.mark.parametrize("nodal", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_tisserand_rate_makes_the_relative_momentum_vanish(seed, nodal):
    """S0 Eqs 44-46: H = I w_T and int rho x (v - w_T x rho) dm = 0 exactly."""
    body, particles = random_body(seed, nodal)
    m, _, y, v = centered(particles)
    frame, state = tisserand_frame(body), momentum_of(body)
    left = sum_cross(m, y, v - np.cross(frame.rate, y))
    assert np.abs(left).max() <= 1e-12 * np.abs(state.angular).max()
    assert state.inertia @ frame.rate == pytest.approx(state.angular, rel=1e-12)


@pytest.mark.parametrize("nodal", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_buckens_frame_zeroes_the_linear_moment_and_closes_the_momentum(seed, nodal):
    """S0 Eqs 47-49: int r x u dm = 0 for finite rotation, and H = I w_B + int u x u' dm exactly."""
    body, particles = random_body(seed, nodal)
    m, x, y, v = centered(particles)
    frame, state = buckens_frame(body), momentum_of(body)
    u = y @ frame.attitude - x
    du = (v - np.cross(frame.rate, y)) @ frame.attitude
    scale = np.abs(state.inertia).max()
    assert np.abs(sum_cross(m, x, u)).max() <= 1e-12 * scale
    assert np.abs(sum_cross(m, x, du)).max() <= 1e-12 * scale
    bend = frame.attitude @ sum_cross(m, u, du)
    assert frame.bend_momentum == pytest.approx(bend, abs=1e-12 * scale)
    assert np.abs(state.angular - state.inertia @ frame.rate - bend).max() <= 1e-12 * scale


@pytest.mark.parametrize("name", ["buckens", "principal", "milne", "tisserand"])
@pytest.mark.parametrize("seed", range(4))
def test_kinetic_energy_is_the_same_in_every_frame(seed, name):
    """S0 Eqs 76-83: T = 1/2 m vc^2 + 1/2 w.I w + w.int rho x rho' dm + 1/2 int u'.u' dm."""
    body, _ = random_body(seed)
    makers = {
        "buckens": buckens_frame,
        "principal": principal_frame,
        "milne": milne_frame,
        "tisserand": tisserand_frame,
    }
    frame, state = makers[name](body), momentum_of(body)
    w = frame.rate
    energy = 0.5 * state.mass * state.velocity @ state.velocity + 0.5 * w @ state.inertia @ w
    energy += w @ frame.relative_momentum + frame.relative_energy
    assert energy == pytest.approx(state.energy, rel=1e-12)
    assert state.inertia @ w + frame.relative_momentum == pytest.approx(state.angular, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("maker", [buckens_frame, principal_frame, milne_frame])
def test_rates_are_the_time_derivative_of_the_attitude(maker):
    """Finite differences of the attitude along a straight motion of every particle."""
    body, (m, x, y, v) = random_body(3, nodal=False)
    h = 1e-5
    frame = maker(body)
    before, after = (maker(MovingBody(m, x, y + t * v, v)) for t in (-h, h))
    if maker is principal_frame:
        before, after = (principal_frame(MovingBody(m, x, y + t * v, v), frame.attitude) for t in (-h, h))
    turn = (after.attitude - before.attitude) / (2 * h) @ frame.attitude.T
    rate = np.array([turn[2, 1], turn[0, 2], turn[1, 0]])
    assert rate == pytest.approx(frame.rate, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("seed", range(4))
def test_principal_frame_diagonalizes_the_deformed_inertia(seed):
    body, _ = random_body(seed)
    frame, state = principal_frame(body), momentum_of(body)
    inertia = frame.attitude.T @ state.inertia @ frame.attitude
    assert np.abs(inertia - np.diag(np.diag(inertia))).max() <= 1e-12 * inertia.max()
    assert np.linalg.det(frame.attitude) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(4))
def test_milne_frame_zeroes_first_degree_products(seed):
    """S0 after Eq 50d: int (r_j u_k + r_k u_j) dm = 0, j != k, in principal axes of the undeformed body."""
    body, particles = random_body(seed)
    m, x, y, _ = centered(particles)
    frame = milne_frame(body)
    _, axes = np.linalg.eigh(np.einsum("n,nab->ab", m, -skew(x) @ skew(x)))
    r, u = x @ axes, (y @ frame.attitude - x) @ axes
    products = np.einsum("n,na,nb->ab", m, r, u)
    products = products + products.T
    assert np.abs(products - np.diag(np.diag(products))).max() <= 1e-11 * np.abs(m @ x**2).max()


def test_principal_axes_are_continuous_through_large_turns():
    """Following the axes through a full turn brings them back, never swapping two of them."""
    _, (m, x, _, v) = random_body(1, nodal=False)
    previous = principal_frame(MovingBody(m, x, x, v)).attitude
    start = previous
    for angle in np.linspace(0.0, 2 * np.pi, 90):
        y = Rotation.from_rotvec([0.3 * angle, 0.8 * angle, np.sqrt(1 - 0.73) * angle]).apply(x)
        now = principal_frame(MovingBody(m, x, y, v), previous).attitude
        assert np.trace(now.T @ previous) > 2.98
        previous = now
    assert previous == pytest.approx(start, abs=1e-9)


def test_equal_inertias_and_collinear_bodies_are_refused():
    m = np.ones(4)
    square = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]])
    with pytest.raises(ModelError, match="not defined"):
        principal_frame(MovingBody(m, square, square, 0 * square))
    with pytest.raises(ModelError, match="not defined"):
        milne_frame(MovingBody(m, square, square, 0 * square))
    line = np.array([[1.0, 0, 0], [2, 0, 0], [4, 0, 0], [7, 0, 0]])
    with pytest.raises(ModelError, match="collinear"):
        buckens_frame(MovingBody(m, line, line, 0 * line))
    with pytest.raises(ModelError, match="collinear"):
        tisserand_frame(MovingBody(m, line, line, 0 * line))


def test_buckens_and_tisserand_rates_differ_at_second_order():
    """Requirement B8: w_T - w_B = I^-1 int u x u' dm falls with the square of the deformation, and is not zero."""
    sizes = np.array([1e-1, 1e-2, 1e-3])
    gaps = []
    for size in sizes:
        rng = np.random.default_rng(5)
        m, x = rng.uniform(1, 2, 6), rng.normal(size=(6, 3))
        u, du = size * rng.normal(size=(6, 3)), size * rng.normal(size=(6, 3))
        gaps.append(np.linalg.norm(frame_differences(MovingBody(m, x, x + u, du))["buckens"]["rate"]))
    assert gaps[0] > 1e-4
    assert np.polyfit(np.log(sizes), np.log(gaps), 1)[0] == pytest.approx(2.0, abs=0.1)
