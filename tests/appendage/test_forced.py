"""Forced modal response: Duhamel's closed forms, and the flight of the same appendage on a fixed base."""

import numpy as np
import pytest
from support.appendages import random_bodies

from tisserand.appendage import forced_response, natural
from tisserand.errors import InputError
from tisserand.multibody import Body, MountedAppendage, Vehicle, loads, profiles, simulate


def undamped():
    record = natural(random_bodies(0))
    return record.changed(damping=np.zeros_like(record.damping))


@pytest.mark.parametrize("step", [0.37, 0.001])
def test_undamped_step_and_ramp_are_the_textbook_s(step):
    """Step F: F (1 - cos w t)/w²; ramp F t: F (t - sin(w t)/w)/w² (unit modal mass). Exact at any step."""
    record = undamped()
    w, m = 2 * np.pi * record.frequencies_hz, np.diag(record.integrals.modal_mass)
    t = step * np.arange(40)
    force = np.tile([1.0, -2.0, 0.5, 3.0], (40, 1))
    eta, rate = forced_response(record, t, force)
    assert eta == pytest.approx(force / (m * w**2) * (1 - np.cos(np.outer(t, w))), rel=1e-9, abs=1e-12)
    assert rate == pytest.approx(force / (m * w) * np.sin(np.outer(t, w)), rel=1e-9, abs=1e-12)
    eta, _ = forced_response(record, t, force * t[:, None])
    assert eta == pytest.approx(force / (m * w**2) * (t[:, None] - np.sin(np.outer(t, w)) / w), rel=1e-8, abs=1e-12)


def test_free_decay_is_the_closed_form():
    record = natural(random_bodies(0))
    w, m = 2 * np.pi * record.frequencies_hz, np.diag(record.integrals.modal_mass)
    zeta = 0.02
    record = record.changed(damping=np.diag(2 * zeta * w * m))
    t = np.linspace(0.0, 5.0, 101)
    eta, _ = forced_response(record, t, np.zeros((101, 4)), displacement=np.full(4, 0.01))
    d = w * np.sqrt(1 - zeta**2)
    expected = 0.01 * np.exp(-zeta * np.outer(t, w)) * (np.cos(np.outer(t, d)) + zeta * w / d * np.sin(np.outer(t, d)))
    assert eta == pytest.approx(expected, abs=1e-13)


def test_a_small_load_flown_on_a_fixed_base_gives_the_same():
    """The engine's equations are those of the record while its frame is at rest (constant inertia: no terms of second degree)."""
    record = random_bodies(0)  # coupled damping
    vehicle = Vehicle(
        "held", (Body("bus", 10.0, inertia=np.ones(3)),), appendages=(MountedAppendage("a", record, "bus", inertia="constant"),),
        base_motion="fixed",
    )  # fmt: skip
    t = np.linspace(0.0, 3.0, 301)
    push = loads.node_force("a", "tip", [0, 0, 1], profiles.table([0.0, 1.0, 3.0], [0.0, 1.0, -0.5]))
    run = simulate(vehicle, 3.0, loads=[push], times=t, rtol=1e-11, atol=1e-14)
    strength = np.interp(t, [0.0, 1.0, 3.0], [0.0, 1.0, -0.5])
    eta, rate = forced_response(record, t, np.outer(strength, record.interface("tip").translation[2]))
    assert run.modal["a"] == pytest.approx(eta, abs=1e-9 * np.abs(eta).max())
    assert run.modal_rates["a"] == pytest.approx(rate, abs=1e-9 * np.abs(rate).max())


def test_wrong_requests_are_refused():
    record = random_bodies(0)
    t = np.linspace(0.0, 1.0, 5)
    for times, force in ((t, np.zeros((5, 3))), (t**2, np.zeros((5, 4))), (t, np.full((5, 4), np.nan))):
        with pytest.raises(InputError):
            forced_response(record, times, force)


@pytest.mark.parametrize("zeta", [1.0, 1.0 - 1e-12, 1.0 + 1e-9, 1.0 - 1e-5, 1.02, 6.0])
def test_modes_at_near_and_above_critical_damping_follow_the_closed_forms(zeta):
    """Free: x0 c + (v0 + z w x0) s; step: (1 - c - z w s)/w²; c, s = e^(-z w t) times cosh, sinh/r of r t, r² = w²(z² - 1).

    Ramp: the integral of the step, in closed form by parts.
    """
    record = natural(random_bodies(0))
    w, m = 2 * np.pi * record.frequencies_hz, np.diag(record.integrals.modal_mass)
    record = record.changed(damping=np.diag(2 * zeta * w * m))
    t = np.linspace(0.0, 8.0 / w.min(), 41)[:, None]
    r = w * np.sqrt(complex(zeta**2 - 1.0))
    decay = np.exp(-zeta * w * t)
    if zeta == 1.0:
        c, s = decay, decay * t
    else:
        c = (0.5 * (np.exp((r - zeta * w) * t) + np.exp((-r - zeta * w) * t))).real
        s = (
            (decay * t * np.sinc(1j * r * t / np.pi)).real
            if abs(zeta - 1) < 0.1
            else ((np.exp((r - zeta * w) * t) - np.exp((-r - zeta * w) * t)) / (2 * r)).real
        )
    x0, v0 = np.array([0.01, -0.02, 0.0, 0.03]), np.array([0.5, 0.0, -1.0, 2.0])
    eta, _ = forced_response(record, t[:, 0], np.zeros((41, 4)), displacement=x0, rate=v0)
    assert eta == pytest.approx(x0 * c + (v0 + zeta * w * x0) * s, abs=1e-10 * np.abs(eta).max())
    size = np.array([1.0, -2.0, 0.5, 3.0])
    eta, rate = forced_response(record, t[:, 0], np.tile(size, (41, 1)))
    static = size / (m * w**2)
    assert eta == pytest.approx(static * (1.0 - c - zeta * w * s), abs=1e-10 * np.abs(static).max())
    assert rate == pytest.approx(size / m * s, abs=1e-10 * np.abs(rate).max())
    eta, _ = forced_response(record, t[:, 0], size * t)
    ramp = static * (t - 2 * zeta / w * (1.0 - c) + (2 * zeta**2 - 1.0) * s)
    assert eta == pytest.approx(ramp, abs=1e-10 * np.abs(ramp).max())


def test_a_mode_without_stiffness_moves_as_a_free_mass():
    """q'' = f: f t²/2 from rest, and straight motion from a first rate; with a damper, (1 - e^(-d t))/d."""
    record = undamped()
    m = np.diag(record.integrals.modal_mass)
    free = record.changed(stiffness=np.zeros_like(record.stiffness))
    t = np.linspace(0.0, 3.0, 31)[:, None]
    eta, rate = forced_response(free, t[:, 0], np.ones((31, 4)), rate=np.full(4, 0.3))
    assert eta == pytest.approx(0.3 * t + t**2 / (2 * m), rel=1e-11, abs=1e-13)
    assert rate == pytest.approx(0.3 + t / m, rel=1e-11)
    dragged = free.changed(damping=np.diag(0.7 * m))
    eta, _ = forced_response(dragged, t[:, 0], np.zeros((31, 4)), rate=np.full(4, 0.3))
    assert eta == pytest.approx(0.3 * (1 - np.exp(-0.7 * t)) / 0.7 * np.ones(4), rel=1e-11, abs=1e-13)
