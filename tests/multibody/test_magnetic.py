"""Magnetic torque m x B (I3): pendulum frequency, energy -m.B, a dipole field along an orbit, both engines."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipk

from tisserand.errors import VehicleError
from tisserand.multibody import (
    Body,
    SampledController,
    State,
    Vehicle,
    hinge,
    linearize,
    loads,
    profiles,
    signals,
    simulate,
    system_modes,
)
from tisserand.multibody.loads import magnetic_field

INERTIA = np.array([2.0, 3.0, 4.0])
SATELLITE = Vehicle("compass", (Body("bus", 10.0, inertia=INERTIA),))
DIPOLE, FIELD = np.array([5.0, 0.0, 0.0]), np.array([0.4, 0.0, 0.0])  # A m², T: m B = 2 N m


def test_a_compass_swings_at_the_square_root_of_moment_times_field_over_inertia():
    """Small turns about z and y: omega = sqrt(m B/I)."""
    modes = system_modes(SATELLITE, loads=[loads.magnetic_torque("bus", DIPOLE, FIELD)])
    expected = np.sort(np.sqrt(2.0 / INERTIA[1:])) / (2.0 * np.pi)
    assert_allclose(modes.frequencies_hz, expected, rtol=1e-7)
    assert modes.rigid == 4


def test_a_large_swing_has_the_period_of_the_elliptic_integral_and_keeps_its_energy():
    """Pendulum: T = 4 sqrt(I/(m B)) K(sin(a/2)); T - m.B is constant, and the work account is the rise of m.B."""
    amplitude = 1.2
    half = np.array([np.cos(amplitude / 2), 0, 0, np.sin(amplitude / 2)])
    period = 4.0 * np.sqrt(INERTIA[2] / 2.0) * ellipk(np.sin(amplitude / 2) ** 2)
    run = simulate(
        SATELLITE, period, State(attitude=half), loads=[loads.magnetic_torque("bus", DIPOLE, FIELD)], rtol=1e-11
    )
    assert_allclose(run.attitude[-1], half, atol=1e-8)
    potential = -np.einsum("tij,j,i->t", run.rotation[:, 0], DIPOLE, FIELD)
    energy = run.balance.kinetic + potential
    assert np.ptp(energy) < 1e-9 * np.ptp(potential)
    assert_allclose(run.balance.work, potential[0] - potential, atol=1e-9)
    assert run.balance.worst()["energy"] < 1e-9
    assert run.balance.worst()["angular momentum"] < 1e-9


def test_the_dipole_field_of_an_orbit_is_that_of_a_dipole():
    """B = mu0/(4 pi R^3) (3 (d.r) r - d): north at the equator, twice as strong and downward over the north pole."""
    north = np.array([0.0, 0.0, 3e-5])
    polar = loads.magnetic_torque("bus", DIPOLE, north, orbit_rate=0.1, vertical=[1, 0, 0], along=[0, 0, 1])
    assert_allclose(magnetic_field(polar, 0.0), north)
    assert_allclose(magnetic_field(polar, np.pi / 0.2), -2.0 * north, atol=1e-18)
    # from the scalar potential of a dipole at 45 degrees of latitude, by differences
    d, R = -north, np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0)

    def potential(x):
        return d @ x / np.linalg.norm(x) ** 3

    gradient = [(potential(R + h) - potential(R - h)) / 2e-5 for h in 1e-5 * np.eye(3)]
    assert_allclose(magnetic_field(polar, np.pi / 0.4), -np.array(gradient), rtol=1e-8, atol=1e-14)


@pytest.mark.parametrize("orbit", [{}, {"orbit_rate": 0.7, "vertical": [0.1, 1, 0.2], "along": [0, 0.3, 1]}])
def test_both_engines_and_the_cross_product_agree(orbit):
    """Angular acceleration of one body = I^-1 (m x B - w x I w) at every time; likins runs the same."""
    load = loads.magnetic_torque("bus", [0.5, -0.2, 0.9], [0.3, 0.1, -0.4], profiles.sine(2.0, 0.4, 0.3), **orbit)
    start = State(angular_velocity=[0.3, -0.1, 0.2])
    runs = [simulate(SATELLITE, 2.0, start, loads=[load], samples=21, engine=e) for e in ("recursive", "likins")]
    assert_allclose(runs[0].attitude, runs[1].attitude, atol=1e-8)
    run = runs[0]
    for i, t in enumerate(run.times):
        B = run.rotation[i, 0].T @ magnetic_field(load, t)
        w = run.angular_velocity[i]
        expected = (np.cross(load.source(t) * load.direction, B) - np.cross(w, INERTIA * w)) / INERTIA
        assert_allclose(run.rotation[i, 0].T @ run.angular_acceleration[i, 0], expected, atol=1e-12)


def test_a_torquer_under_a_control_law_detumbles():
    """B-dot: a dipole against the change of the field only takes energy out; the torque is across the field always."""
    field = np.array([0.0, 0.0, 0.02])
    coils = tuple(loads.magnetic_torque("bus", axis, field, None, name=f"coil{i}") for i, axis in enumerate(np.eye(3)))
    gyros = tuple(signals.body_rate("bus", axis, f"w{i}") for i, axis in enumerate(np.eye(3)))
    errors = [signals.attitude_error("bus", axis, name=f"e{i}") for i, axis in enumerate(np.eye(3))]

    def law(time, s):
        w, e = s[:3], s[3:]
        angle = 2.0 * np.arcsin(min(np.linalg.norm(e) / 2.0, 1.0))
        axis = e / np.linalg.norm(e) if np.linalg.norm(e) > 0 else np.zeros(3)
        B = field * np.cos(angle) + np.cross(field, axis) * np.sin(angle) + axis * (axis @ field) * (1 - np.cos(angle))
        return 1e3 * np.cross(w, B)  # m = -k dB/dt in body axes, dB/dt = -w x B

    laws = [SampledController("b-dot", (*gyros, *errors), coils, law, 0.02)]
    run = simulate(SATELLITE, 20.0, State(angular_velocity=[0.1, 0.08, 0.05]), controllers=laws)
    assert run.balance.kinetic[-1] < 0.5 * run.balance.kinetic[0]
    assert run.balance.worst()["energy"] < 1e-8
    assert_allclose(run.balance.angular_momentum[:, 2], run.balance.angular_momentum[0, 2], rtol=1e-9)


def test_the_load_acts_on_its_own_body_in_a_tree():
    """A magnet hinged about z on a fixed base: hinge stiffness m B."""
    vehicle = Vehicle(
        "needle",
        (Body("case", 1.0, inertia=[1, 1, 1]), Body("needle", 0.1, inertia=[0.01, 0.02, 0.02])),
        (hinge("pivot", "case", "needle", [0, 0, 1]),),
        base_motion="fixed",
    )
    model = linearize(vehicle, loads=[loads.magnetic_torque("needle", [0, 3.0, 0], [0, 0.5, 0])])
    assert_allclose(model.stiffness, [[1.5]], rtol=1e-9)


def test_directions_that_span_no_orbit_are_refused():
    with pytest.raises(VehicleError, match="do not define an orbit plane"):
        loads.magnetic_torque("bus", DIPOLE, FIELD, orbit_rate=0.1, vertical=[1, 0, 0], along=[2, 0, 0])
    with pytest.raises(VehicleError, match="not finite"):
        loads.magnetic_torque("bus", [np.nan, 0, 0], FIELD)
