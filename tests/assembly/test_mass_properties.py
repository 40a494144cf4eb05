"""Mass properties of particles: sums by hand against the 6 x 6 rigid mass matrix, parallel axes and principal axes."""

import numpy as np
import pytest

from tisserand.assembly.massprops import MassProperties, mass_properties_from_rigid

POINTS = np.array([[0.3, -1.0, 2.0], [4.0, 0.5, -0.2], [1.0, 3.0, 0.7], [-2.0, 1.0, 1.5]])
MASSES = np.array([1.0, 2.0, 0.5, 3.0])


def inertia(about):
    """sum m (r.r 1 - r r') about a point, kg m²."""
    arms = POINTS - about
    return sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(MASSES, arms))


def rigid_mass(scale=1.0):
    """sum m [1, -r~; r~, -r~ r~]: the mass matrix of the particles as one body, about the origin."""
    out = np.zeros((6, 6))
    for m, r in zip(scale * MASSES, POINTS):
        motion = np.column_stack([np.eye(3), *(np.cross(unit, r) for unit in np.eye(3))])
        out += m * motion.T @ motion
    return out


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e6])
def test_particles_as_one_body(scale):
    found = mass_properties_from_rigid(rigid_mass(scale))
    center = MASSES @ POINTS / MASSES.sum()
    assert found.mass == pytest.approx(scale * MASSES.sum(), rel=1e-14)
    assert found.center == pytest.approx(center, abs=1e-14)
    assert found.inertia == pytest.approx(scale * inertia(center), rel=1e-12, abs=1e-12 * scale)


@pytest.mark.parametrize("point", [(0.0, 0.0, 0.0), (1.0, -2.0, 5.0)])
def test_parallel_axes(point):
    found = mass_properties_from_rigid(rigid_mass()).inertia_about(point)
    assert found == pytest.approx(inertia(np.array(point)), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_principal_axes_are_right_handed_and_diagonalize(seed):
    """LAPACK returns either hand; of eight bodies some need the turn."""
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    body = MassProperties(1.0, np.zeros(3), turn @ np.diag([1.0, 2.0, 2.5]) @ turn.T)
    moments, axes = body.principal
    assert moments == pytest.approx([1.0, 2.0, 2.5], rel=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0, abs=1e-12)
    assert axes.T @ body.inertia @ axes == pytest.approx(np.diag(moments), abs=1e-12)


def test_nothing_has_no_mass():
    found = mass_properties_from_rigid(np.zeros((6, 6)))
    assert found.mass == 0.0 and not found.inertia.any()
