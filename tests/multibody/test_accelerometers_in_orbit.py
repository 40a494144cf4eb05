"""Accelerometers in the field of an orbit: specific force is acceleration less gravity at the place of the sensor."""

import numpy as np
import pytest
from support.beams import clamped_beam

import tisserand as ts
from tisserand.multibody.accelerometers import Accelerometer
from tisserand.multibody.equilibrium import steady_state
from tisserand.multibody.linear import linearize

RATE, ARM = 0.01, 2.0
#: Arms along the vertical, the track and the normal, carried around with the orbit: -3 n² L, 0, n² L (Hill's equations).
EXPECTED = RATE**2 * ARM * np.array([-3.0, 0.0, 1.0])
FIELD = ts.loads.gravity_gradient(RATE)
SENSORS = [Accelerometer(f"acc {a}", np.eye(3)[i], body="bus", point=ARM * np.eye(3)[i]) for i, a in enumerate("xyz")]


def bus(**facts):
    return ts.Vehicle("v", (ts.Body("bus", 10.0, inertia=[50.0, 80.0, 95.0]),), **facts)


def test_a_body_that_turns_with_the_orbit_feels_the_gradient():
    """Arms of 2 m: to 1e-6 of n² L at all times of a sixth of an orbit, and the axes of the body follow the vertical."""
    run = ts.simulate(
        bus(), 100.0, ts.State(angular_velocity=[0, 0, RATE]), loads=[FIELD], outputs=SENSORS, samples=11, rtol=1e-11
    )
    readings = np.array([run.signals[s.name] for s in SENSORS])
    np.testing.assert_allclose(readings, EXPECTED[:, None].repeat(11, axis=1), atol=1e-6 * RATE**2 * ARM)


def test_linear_models_feel_it_too():
    """Displaced, a free body falls with the field there and feels no more than before; turned by b about the normal, a sensor
    at an angle p from the vertical reads -3 n² L cos²(p + b), so its slope is 3 n² L sin 2p.
    """
    arm = ARM * np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0)
    skew = Accelerometer("skew", arm / ARM, body="bus", point=arm)
    state = ts.State(angular_velocity=[0, 0, RATE])
    model = linearize(bus(), state, loads=[FIELD], outputs=[*SENSORS, skew])
    rows = {name: model.C[:, i] for i, name in enumerate(model.coordinates)}
    for axis in "xyz":
        assert np.abs(rows[f"base.{axis}"]).max() < 1e-10 * RATE**2
    turned = rows["base.turn.z"]
    assert np.abs(turned[:3]).max() < 1e-10 * RATE**2 * ARM
    assert turned[3] == pytest.approx(3.0 * RATE**2 * ARM, rel=1e-9)


def test_a_node_feels_the_gradient_where_it_is():
    """A stiff vertical boom held in equilibrium: its tip, at 1 m + 3 m, reads -3 n² times its distance from the mass center."""
    beam = clamped_beam(3.0, 4e6, 0.5, 4, "y", geometric=False)
    mount = ts.MountedAppendage("boom", beam, "bus", [1.0, 0.0, 0.0])
    made = bus(appendages=(mount,))
    tip = Accelerometer("tip", np.array([1.0, 0.0, 0.0]), appendage="boom", node="tip")
    state = steady_state(made, ts.State(angular_velocity=[0, 0, RATE]), loads=[FIELD]).state
    run = ts.simulate(made, 1e-3, state, loads=[FIELD], outputs=[tip], samples=2)
    center = made.appendages[0].record.integrals.mass * (1.0 + 1.5) / made.mass  # the boom is uniform
    assert run.signals["tip"][0] == pytest.approx(-3.0 * RATE**2 * (4.0 - center), rel=1e-5)
