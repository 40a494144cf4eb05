"""Profiles of time: closed forms, derivatives, and where they jump."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, signal

import tisserand as ts
from tisserand.errors import VehicleError
from tisserand.multibody import profiles

SMOOTH = {
    "smooth_ramp": profiles.smooth_ramp(3.0, 1.0, 2.0, 0.5),
    "spin_up": profiles.spin_up(2.0, 0.5, 3.0),
    "versine": profiles.versine(2.0, 1.0, 2.0),
    "sine": profiles.sine(1.5, 0.7, 0.3, -5.0),
    "chirp": profiles.chirp(1.5, 0.2, 0.9, 6.0, -1.0, 0.4),
    "noise": profiles.noise([0.2, 1.0], [0.5, 0.5], 10.0, 3, -5.0),
    "constant_rate": profiles.constant_rate(0.4, 0.1, 2.0),
    "cubic": profiles.table([0.0, 1.0, 2.5, 4.0], [0.0, 1.0, -1.0, 2.0], "cubic"),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_derivatives_are_those_of_the_value(name):
    t = np.linspace(0.113, 3.9, 57)
    h = 1e-5
    profile = SMOOTH[name]
    value, rate, second = profile.derivatives(t)
    assert value == pytest.approx(profile(t))
    assert rate == pytest.approx((profile(t + h) - profile(t - h)) / (2 * h), abs=1e-7)
    slopes = profile.derivatives(t + h)[1] - profile.derivatives(t - h)[1]
    assert second == pytest.approx(slopes / (2 * h), abs=1e-5)


def test_third_derivatives_are_those_of_the_second():
    h, s = 1e-5, np.array([0.2])
    for name in ("smooth_ramp", "chirp", "cubic"):
        pieces = SMOOTH[name].pieces[-2:-1].T
        slope = (profiles._at(pieces, s + h)[2] - profiles._at(pieces, s - h)[2]) / (2 * h)
        assert profiles._third(pieces, s) == pytest.approx(slope, rel=1e-6, abs=1e-6), name


def test_a_ramp_waits_at_its_first_value():
    """It was zero before its start once, so that a speed-driven rotor jumped."""
    ramp = profiles.ramp(20.0, 0.2, 1.0, 5.0)
    assert ramp([-1.0, 0.0, 0.2, 0.7, 1.2, 9.0]) == pytest.approx([5.0, 5.0, 5.0, 12.5, 20.0, 20.0])


def test_jumps_are_found_where_they_are():
    assert profiles.step(2.0, 1.0, 3.0).jumps() == pytest.approx([1.0, 3.0])
    assert profiles.bang_bang(1.0, 0.0, 2.0, 0.5).jumps() == pytest.approx([0.0, 1.0, 1.5, 2.5])
    ramp = profiles.ramp(2.0, 1.0, 2.0, 0.5)
    assert len(ramp.jumps()) == 0 and ramp.jumps(1) == pytest.approx([1.0, 3.0])
    assert profiles.table([0.0, 1.0, 2.0], [0.0, 1.0, 0.0], "hold").jumps() == pytest.approx([1.0, 2.0])
    for name in ("smooth_ramp", "spin_up", "versine"):
        assert len(SMOOTH[name].jumps(1)) == 0, name
    assert len(profiles.constant(3.0).jumps(1)) == 0
    assert SMOOTH["cubic"].jumps() == pytest.approx([]) and 4.0 in SMOOTH["cubic"].jumps(1)


def test_a_chirp_is_that_of_scipy():
    t = np.linspace(0.0, 7.9, 400)
    theirs = signal.chirp(t, 0.5, 8.0, 6.0, phi=-60.0)  # a cosine, degrees
    assert profiles.chirp(2.0, 0.5, 6.0, 8.0, 3.0, np.radians(30.0))(3.0 + t) == pytest.approx(2.0 * theirs, abs=1e-9)
    assert profiles.chirp(2.0, 0.5, 6.0, 8.0)([-0.1, 8.1]) == pytest.approx(0.0)
    assert profiles.chirp(2.0, 6.0, 0.5, 8.0).highest_frequency_hz == pytest.approx(6.0)
    assert profiles.chirp(2.0, 0.5, 6.0, 8.0).highest_frequency_hz == pytest.approx(6.0)


def test_a_sine_ends_and_a_constant_rate_does_not():
    sine = profiles.sine(2.0, 1.0, start=1.0, offset=0.5, end=1.75)
    assert sine([0.9, 1.25, 1.5, 1.76]) == pytest.approx([0.0, 2.5, 0.5, 0.0])
    assert sine.jumps() == pytest.approx([1.0, 1.75])
    spin = profiles.constant_rate(0.3, 1.0, 5.0)
    value, rate, second = spin.derivatives([0.0, 1.0, 1e6])
    assert value == pytest.approx([5.0, 5.0, 5.0 + 0.3 * (1e6 - 1.0)])
    assert rate == pytest.approx([0.0, 0.3, 0.3]) and second == pytest.approx(0.0)


def test_noise_has_the_spectrum_that_was_asked_for():
    f, levels = np.array([2.0, 10.0, 20.0]), np.array([0.01, 0.04, 0.004])
    profile = profiles.noise(f, levels, 200.0, 7, 1.0)
    t = 1.0 + np.arange(200 * 400) / 400.0
    x = profile(t)
    # closed form of the mean square: integral of c f^m over each band
    m = np.diff(np.log(levels)) / np.diff(np.log(f))
    square = float(np.sum(levels[:-1] * f[:-1] * ((f[1:] / f[:-1]) ** (m + 1.0) - 1.0) / (m + 1.0)))
    assert np.mean(x**2) == pytest.approx(square, rel=1e-3)
    hertz, density = signal.welch(x, 400.0, nperseg=8000)
    for at in (4.0, 10.0, 15.0):
        near = np.abs(hertz - at) < 0.5
        asked = np.exp(np.interp(np.log(hertz[near]), np.log(f), np.log(levels)))
        assert (density[near] / asked).mean() == pytest.approx(1.0, rel=0.1), at
    assert density[(hertz > 25.0) | ((hertz > 0.0) & (hertz < 1.5))].max() < 1e-5
    again, other = profiles.noise(f, levels, 200.0, 7, 1.0), profiles.noise(f, levels, 200.0, 8, 1.0)
    assert np.array_equal(profile.pieces, again.pieces) and not np.array_equal(profile.pieces, other.pieces)
    faded = profiles.noise(f, levels, 200.0, 7, 1.0, 5.0)
    assert len(faded.jumps(1)) == 0 and faded(t)[3000:-3000] == pytest.approx(x[3000:-3000], abs=1e-9)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (([1.0], [1.0], 1.0, 0), "at least two"),
        (([1.0, 2.0], [1.0, 0.0], 1.0, 0), "positive levels"),
        (([2.0, 1.0], [1.0, 1.0], 1.0, 0), "increasing"),
        (([0.1, 0.2], [1.0, 1.0], 1.0, 0), "too short"),
        (([1.0, 1e5], [1.0, 1.0], 1e3, 0), "too many periods"),
        (([1.0, 2.0], [1.0, 1.0], 10.0, 0, 0.0, 6.0), "half its duration"),
    ],
)
def test_impossible_noises_are_refused(values, words):
    with pytest.raises(VehicleError, match=words):
        profiles.noise(*values)


def test_integrators_stop_at_kinks_and_at_some_smooth_knots():
    t = np.linspace(0.0, 10.0, 101)
    assert len(profiles.table(t, np.sin(t), "linear").stops(1e-3)) == 101
    smooth = profiles.table(t, np.sin(t), "cubic")
    assert len(smooth.stops(1e-3)) <= 2 + 101 // 8 + 1
    assert len(smooth.stops(1e-9)) > 95
    assert profiles.smooth_ramp(1.0, 2.0, 3.0).stops(1e-6) == pytest.approx([2.0, 5.0])
    # a pulse amid silence: there is a stop within eight knots of it, on both sides
    pulse = np.zeros(101)
    pulse[50] = 1.0
    assert np.abs(profiles.table(t, pulse, "cubic").stops(1e3) - 5.0).min() <= 0.8


@pytest.mark.parametrize(
    "profile",
    [
        profiles.chirp(0.3, 0.1, 3.0, 4.0, 0.5),
        profiles.noise([0.5, 5.0], [0.02, 0.02], 4.0, 11, 0.5),
        profiles.sine(0.3, 2.0, start=0.5, end=3.1),
        profiles.table(np.linspace(0.0, 5.0, 2001), 0.1 * np.sin(np.linspace(0.0, 9.0, 2001) ** 2), "cubic"),
    ],
)
def test_a_rigid_body_turns_by_the_double_integral_of_its_torque(profile):
    vehicle = ts.Vehicle("body", (ts.Body("bus", 10.0, inertia=np.diag([2.0, 3.0, 4.0])),))
    load = ts.loads.torque("bus", [0.0, 0.0, 1.0], profile)
    run = ts.simulate(vehicle, 5.0, loads=[load], samples=11, rtol=1e-10)
    edges = np.union1d(np.linspace(0.0, 5.0, 1001), profile.starts[(profile.starts > 0.0) & (profile.starts < 5.0)])
    impulses = [integrate.fixed_quad(profile, a, b, n=8)[0] for a, b in pairwise(edges)]
    rate = np.concatenate([[0.0], np.cumsum(impulses)]) / 4.0
    assert run.angular_velocity[:, 2] == pytest.approx(rate[np.searchsorted(edges, run.times)], abs=1e-9)
