"""Validity monitor: what is applied faster than the last kept mode is told with its share of energy; slews raise no alarm."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import trapezoid
from support.flexible import random_appendage

from tisserand.multibody import (
    Body,
    MountedAppendage,
    Rotor,
    SampledController,
    Simulation,
    State,
    Vehicle,
    controllers,
    hinge,
    loads,
    profiles,
    signals,
    simulate,
)
from tisserand.multibody.excitation import Excitation, energy_above

TOP = 2.0  # Hz, last kept mode


def vehicle(**more) -> Vehicle:
    wing = random_appendage(3, 3, nodes=6, frequency=TOP)
    hub = Body("hub", 300.0, inertia=[150, 160, 170])
    return Vehicle("sat", (hub,), appendages=(MountedAppendage("wing", wing, "hub"),), **more)


def doubts(run):
    return [w for w in run.warnings if "above the last kept mode" in w]


def pushed(profile, seconds=60.0):
    return doubts(simulate(vehicle(), seconds, loads=[loads.torque("hub", [0, 0, 1e-3], profile)], rtol=1e-6))


def as_excitation(profile):
    return Excitation("x", profile, profile.starts, fastest=profile.highest_frequency_hz)


@pytest.mark.parametrize("length", [0.3, 2.0, 9.0])
def test_the_energy_of_a_pulse_above_a_frequency_is_that_of_its_sinc(length):
    """Fourier: |X|² = sin²(pi f T)/(pi f)²; what lies above f by quadrature of it, the mean left out of both."""
    whole, f = 400.0, TOP
    h = np.linspace(0.0, f, 200_001)
    below = 2.0 * trapezoid((length * np.sinc(h * length)) ** 2, h)
    exact = (length - below) / (length - length**2 / whole)
    found, _ = energy_above(as_excitation(profiles.step(3.0, 20.0, 20.0 + length)), f, 0.0, whole)
    assert found == pytest.approx(exact, rel=0.06)


def test_a_sine_lies_where_it_is():
    for hertz, share in ((0.9 * TOP, 0.0), (1.1 * TOP, 1.0), (40.3 * TOP, 1.0)):
        found, ripple = energy_above(as_excitation(profiles.sine(2.0, hertz)), TOP, 0.0, 100.0)
        assert found == pytest.approx(share, abs=0.01)
        assert ripple == pytest.approx(share * np.sqrt(0.5), abs=0.1)


def test_pulses_shorter_than_a_cell_are_seen():
    """One millisecond at 2 Hz would fall between samples: nearly all its energy lies above."""
    found, ripple = energy_above(as_excitation(profiles.step(1.0, 10.0, 10.001)), TOP, 0.0, 60.0)
    assert found > 0.98
    assert ripple == pytest.approx(np.sqrt(0.001 / 60.0), rel=0.02)


def test_records_too_coarse_or_too_short_are_not_judged():
    fast = Excitation("x", lambda t: np.sign(np.sin(40.0 * t)), np.zeros(0), resolved=1.5 * TOP)
    assert energy_above(fast, TOP, 0.0, 100.0) == (0.0, 0.0)
    assert energy_above(as_excitation(profiles.step(1.0, 0.1, 0.2)), TOP, 0.0, 0.9) == (0.0, 0.0)


@pytest.mark.parametrize(
    "profile",
    [
        profiles.constant(1.0),
        profiles.step(1.0, 5.0),
        profiles.ramp(1.0, 5.0, 20.0),
        profiles.smooth_ramp(1.0, 5.0, 30.0),
        profiles.bang_bang(1.0, 5.0, 40.0),
        profiles.bang_bang(1.0, 5.0, 10.0, coast=20.0),
        profiles.versine(1.0, 5.0, 10.0),
        profiles.table(np.linspace(0, 60, 13), np.sin(np.linspace(0, 3, 13)), "cubic"),
        profiles.table(np.linspace(0, 60, 61), np.sin(np.linspace(0, 6, 61)), "hold"),
    ],
)
def test_slews_and_steps_raise_no_alarm(profile):
    assert pushed(profile) == []


def test_short_pulses_fast_tables_and_chatter_are_told_with_numbers():
    """A pulse of 50 ms, a table that alternates every 0.1 s, bang-bang of 0.2 s: all within a period of the last mode."""
    (said,) = pushed(profiles.step(1.0, 5.0, 5.05))
    exact = 1.0 - 2.0 * trapezoid(0.05 * np.sinc(np.linspace(0, TOP, 2001) * 0.05) ** 2, np.linspace(0, TOP, 2001))
    assert f"{exact:.0%} of the energy of load hub.torque lies above the last kept mode of wing (2 Hz)" in said
    times = np.arange(0.0, 30.0, 0.1)
    assert pushed(profiles.table(times, np.resize([1.0, -1.0], len(times)), "hold"))
    assert pushed(profiles.bang_bang(1.0, 5.0, 0.2))
    assert pushed(profiles.sine(1.0, 1.5 * TOP))


def test_thruster_logic_that_chatters_is_reported_and_a_calm_one_is_not():
    """Sampled commands are seen at every change, however coarse the output times."""
    rate = (signals.body_rate("hub", [0, 0, 1]),)

    def flown(law, period):
        jets = SampledController("jets", rate, (loads.torque("hub", [0, 0, 1e-2], None),), law, period)
        return doubts(simulate(vehicle(), 60.0, controllers=[jets], samples=7, rtol=1e-6))

    (said,) = flown(lambda t, s: [1.0 if round(t / 0.05) % 4 == 0 else 0.0], 0.05)
    assert "command jets/hub.torque" in said
    assert flown(lambda t, s: [1.0 if t < 30.0 else -1.0], 0.05) == []


def test_a_loop_faster_than_the_last_mode_is_reported_and_a_slow_one_is_not():
    """A stiff attitude loop rings above the wing's last mode after a kick; one of 0.03 Hz bandwidth does not."""
    start = State(angular_velocity=[0.0, 0.0, 0.01])
    fast_w, slow_w = 2.0 * np.pi * 3.0 * TOP, 2.0 * np.pi * 0.03
    for w, expected in ((fast_w, 1), (slow_w, 0)):
        loop = controllers.attitude_pd("hub", 200.0 * w * w, 200.0 * 0.02 * w)
        run = simulate(vehicle(), 40.0, start, controllers=[loop], samples=2001, rtol=1e-7)
        said = [s for s in doubts(run) if "command hub attitude" in s]
        assert len(said) == expected, doubts(run)


def test_prescribed_motion_is_judged_by_its_acceleration():
    """A drive that scans at 3 Hz by a table; a smooth turn of 20 s is no doubt."""

    def turned(motion):
        wing = random_appendage(3, 3, nodes=6, frequency=TOP)
        bodies = (Body("hub", 300.0, inertia=[150, 160, 170]), Body("drive", 2.0, inertia=[0.1, 0.1, 0.1]))
        joints = (hinge("drive", "hub", "drive", [0, 1, 0], motion=motion),)
        scan = Vehicle("sat", bodies, joints, appendages=(MountedAppendage("wing", wing, "drive"),))
        return doubts(simulate(scan, 30.0, rtol=1e-6))

    assert turned(profiles.smooth_ramp(0.5, 2.0, 20.0)) == []
    times = np.linspace(0.0, 30.0, 30 * 24 + 1)
    wave = 1e-4 * np.sin(2.0 * np.pi * 3.0 * times)
    (said,) = turned(profiles.table(times, wave, "cubic"))
    assert "the motion of joint drive" in said


def test_inputs_of_external_software_are_seen():
    sat = vehicle(rotors=(Rotor("w", "hub", [0, 0, 1], 0.1),))
    simulation = Simulation(sat, loads=[loads.rotor_torque("w", "motor")], rtol=1e-6)
    for i in range(100):
        simulation.step(0.1, {"motor": 0.01 * (-1) ** i})
    times, held = simulation.held_history()
    assert_allclose(times, 0.1 * np.arange(100), atol=1e-9)
    assert_allclose(held[:, 0], 0.01 * (-1.0) ** np.arange(100))
