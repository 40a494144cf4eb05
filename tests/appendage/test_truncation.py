"""Truncation of the 13-member truss (S4 9.9):
predicted error against the directly simulated one.
"""

import numpy as np
import pytest
from scipy.linalg import expm

import tisserand as ts
from tisserand.appendage import predict_release
from tisserand.assembly import assemble
from tisserand.modes import solve_modes

L, MASS, STIFFNESS = 2.0, 1.5, 40.0  # member length, mass of a member of length L, k = EA / L


def truss():
    """Eight nodes, four held; members of length L have mass m, diagonals sqrt(2) m, masses by halves."""
    top = [(0, 0, 0), (L, 0, 0), (L, L, 0), (0, L, 0)]
    points = {str(i + 1): p for i, p in enumerate([*top, *((x, y, -L) for x, y, _ in top)])}
    area = 1e-4
    material = ts.isotropic(STIFFNESS * L / area, 0.25, MASS / (area * L))
    members = [(a, b) for a, b in ["12", "23", "34", "41", "15", "26", "37", "48", "13", "16", "18", "36", "38"]]
    model = ts.truss(points, members, area, material)
    for foot in "5678":
        model = model.with_support(foot, "123")
    return assemble(model, mass="particles")


@pytest.fixture(scope="module")
def released():
    model = truss()
    basis = solve_modes(model, count=12)
    u0 = np.zeros(model.size)
    u0[(model.dofs.component == 0) & ~basis.fixed] = L / 10.0
    return model, basis, u0


def simulated(model, fixed, u0, times):
    """Response of the full truss by the exponential of its first-order matrix (no modes)."""
    free = np.flatnonzero(~fixed)
    M = model.mass.toarray()[np.ix_(free, free)]
    K = model.stiffness.toarray()[np.ix_(free, free)]
    n = len(free)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), np.zeros((n, n))]])
    step = expm(A * (times[1] - times[0]))
    states = [np.concatenate([u0[free], np.zeros(n)])]
    for _ in times[1:]:
        states.append(step @ states[-1])
    return np.array(states)[:, :n], M, free


def test_the_eigenvalues_are_the_published_ones(released):
    _, basis, _ = released
    published = [
        0.0373322, 0.0668532, 0.0668532, 0.244379, 0.488054, 0.495117,
        0.666667, 0.666667, 0.973587, 0.973587, 0.986458, 1.16287,
    ]  # fmt: skip
    assert basis.eigenvalues * MASS / STIFFNESS == pytest.approx(published, rel=3e-6)


@pytest.mark.parametrize("count", [1, 3, 12])
def test_predicted_truncation_error_matches_the_simulated_difference(released, count):
    """Release of all four free nodes from (L/10, 0, 0): rms error over a long time within a factor of 1.5."""
    model, basis, u0 = released
    prediction = predict_release(basis, u0, range(count))
    slowest = 1.0 / basis.frequencies_hz[0]
    times = np.linspace(0.0, 60.0 * slowest, 6001)
    full, M, free = simulated(model, basis.fixed, u0, times)
    Phi = basis.shapes[free][:, :count]
    eta0 = np.linalg.solve(Phi.T @ M @ Phi, Phi.T @ M @ u0[free])
    w = np.sqrt(basis.eigenvalues[:count])
    truncated = np.cos(np.outer(times, w)) * eta0 @ Phi.T
    weight = np.diag(M)
    difference = np.sqrt(((full - truncated) ** 2 @ weight).mean() / ((full**2) @ weight).mean())
    if count == 12:
        assert difference < 1e-6 and prediction.relative < 1e-7
        return
    assert 1 / 1.5 < prediction.relative / difference < 1.5
    per_dof = np.sqrt(((full - truncated) ** 2).mean(axis=0))
    assert np.abs(prediction.dof_rms[free] - per_dof).max() < 0.5 * per_dof.max()
    assert 0.0 < prediction.energy_lost < 1.0


def test_more_modes_never_predict_a_larger_error(released):
    _, basis, u0 = released
    errors = [predict_release(basis, u0, range(n)).relative for n in range(13)]
    assert errors[0] == pytest.approx(1.0) and (np.diff(errors) <= 1e-12).all()
