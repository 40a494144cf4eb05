"""Linear models in orbiting axes against closed forms that share no code with the package (theory section 10)."""

from __future__ import annotations

import numpy as np
import pytest

import tisserand as ts
from tisserand.multibody import loads
from tisserand.multibody.linear import linearize
from tisserand.multibody.vehicle_modes import system_modes

RATE = 0.01


def spun(*args: float) -> ts.State:
    return ts.State(angular_velocity=[0.0, 0.0, RATE])


def librations(Jx: float, Jy: float, Jz: float) -> np.ndarray:
    """Pitch w² = 3 n² (Jy - Jx)/Jz; roll-yaw from the biquadratic of Hughes with x along the vertical, z the normal; rad/s."""
    pitch = np.sqrt(3.0 * (Jy - Jx) / Jz)
    ky, kr = (Jz - Jy) / Jx, (Jz - Jx) / Jy  # yaw about the vertical x, roll about the track y
    b = 1.0 + 3.0 * kr + kr * ky
    c = 4.0 * kr * ky
    roots = np.roots([1.0, -b, c])
    return RATE * np.sort(np.concatenate([[pitch], np.sqrt(roots)]))


@pytest.mark.parametrize("inertia", [(60.0, 90.0, 100.0), (20.0, 45.0, 50.0), (30.0, 70.0, 80.0)])
def test_librations_and_hill_poles_of_a_rigid_body(inertia):
    """Attitude: three libration frequencies; translation: in-plane {0, 0, ±i n}, across ±i n (Hill's equations)."""
    craft = ts.Vehicle("gg", [ts.Body("b", mass=100.0, inertia=list(inertia))])
    field = [loads.gravity_gradient(RATE)]
    model = linearize(craft, spun(), loads=field)
    assert model.axes == "orbit"
    swinging = np.sort(model.poles.imag[model.poles.imag > 1e-6 * RATE])
    expected = np.sort([*librations(*inertia), RATE, RATE])
    np.testing.assert_allclose(swinging, expected, rtol=1e-7)
    assert np.abs(model.poles.real).max() < 1e-6 * RATE  # the double zero is defective: its round-off is a square root
    modes = system_modes(craft, spun(), loads=field)
    np.testing.assert_allclose(np.sort(2.0 * np.pi * modes.frequencies_hz), expected, rtol=1e-6)
    assert len(modes.real_poles) == 0 and modes.doubts == ()


def test_orbit_of_another_orientation_gives_the_same_poles():
    """The orbit plane and the epoch are a choice of axes: poles do not change."""
    craft = ts.Vehicle("gg", [ts.Body("b", mass=100.0, inertia=[60.0, 90.0, 100.0])])
    plain = linearize(craft, spun(), loads=[loads.gravity_gradient(RATE)])
    # vertical along y, traveling toward -x: the same body must be turned by 90 degrees about z
    quarter = [np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]
    state = ts.State(attitude=quarter, angular_velocity=[0.0, 0.0, RATE])
    turned = linearize(craft, state, loads=[loads.gravity_gradient(RATE, vertical=(0, 1, 0), along=(-1, 0, 0))])
    np.testing.assert_allclose(np.sort(turned.poles.imag), np.sort(plain.poles.imag), atol=1e-8 * RATE)


def test_linear_model_follows_the_nonlinear_run():
    """A small displacement flown for a third of an orbit stays on the linear solution expm(A t) in orbiting axes."""
    from scipy.linalg import expm

    craft = ts.Vehicle("gg", [ts.Body("b", mass=100.0, inertia=[60.0, 90.0, 100.0])])
    field = [loads.gravity_gradient(RATE)]
    model = linearize(craft, spun(), loads=field)
    size, t = 1e-4, 200.0
    x0 = np.zeros(12)
    x0[0] = size  # 0.1 mm up, at rest in orbiting axes: the inertial velocity is n z x r
    run = ts.simulate(
        craft, duration=t, loads=field, rtol=1e-11, atol=1e-15,
        initial=ts.State(position=[size, 0, 0], velocity=[0.0, RATE * size, 0.0], angular_velocity=[0.0, 0.0, RATE]),
    )  # fmt: skip
    x = expm(model.A * t) @ x0
    c, s = np.cos(RATE * t), np.sin(RATE * t)
    place = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) @ run.position[-1]
    np.testing.assert_allclose(place, x[:3], atol=1e-6 * size)


def test_a_dipole_in_a_constant_field_is_a_spring():
    """K = m B perpendicular to the field: w = sqrt(m B / J), and the field is kept by every linear analysis."""
    craft = ts.Vehicle("mag", [ts.Body("b", mass=10.0, inertia=[2.0, 2.0, 2.0])])
    field = [loads.magnetic_torque("b", [1.0, 0.0, 0.0], [1e-4, 0.0, 0.0])]
    wanted = np.sqrt(1e-4 / 2.0)
    modes = system_modes(craft, loads=field)
    np.testing.assert_allclose(2.0 * np.pi * modes.frequencies_hz, [wanted, wanted], rtol=1e-9)
    model = linearize(craft, loads=field)
    assert model.inputs == ("b.magnetic",)
    np.testing.assert_allclose(np.sort(model.poles.imag)[-2:], [wanted, wanted], rtol=1e-9)


def test_fields_that_vary_along_the_orbit_are_frozen_aloud():
    craft = ts.Vehicle("mag", [ts.Body("b", mass=10.0, inertia=[2.0, 2.0, 2.0])])
    tilted = loads.magnetic_torque("b", [1.0, 0.0, 0.0], [0.0, 1e-5, 3e-5], orbit_rate=RATE)
    model = linearize(craft, spun(), loads=[tilted])
    assert any("varies along the orbit" in note for note in model.notes)
    along = loads.magnetic_torque("b", [0.0, 0.0, 1.0], [0.0, 0.0, 3e-5], orbit_rate=RATE)
    assert linearize(craft, spun(), loads=[along]).notes == ()
    still = linearize(craft, ts.State(), loads=[loads.gravity_gradient(RATE)])
    assert any("relative to the orbiting axes" in note for note in still.notes)


def test_two_orbits_are_refused():
    craft = ts.Vehicle("mag", [ts.Body("b", mass=10.0, inertia=[2.0, 2.0, 2.0])])
    other = loads.magnetic_torque("b", [1, 0, 0], [0, 0, 1e-5], orbit_rate=0.02)
    with pytest.raises(ts.TisserandError, match="different orbits"):
        linearize(craft, loads=[loads.gravity_gradient(0.01), other])
