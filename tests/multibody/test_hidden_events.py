"""Events that come and go within one step, for every method; and more of them than a stretch of a run records."""

import numpy as np
import pytest

from tisserand.errors import IntegrationError
from tisserand.multibody import Body, Event, State, Vehicle, loads, prismatic, profiles, signals, simulate
from tisserand.multibody.whole_steps import hidden_place

LEVEL = 0.9998


def oscillator():
    bodies = [Body("a", 1.0), Body("b", 1.0)]
    return Vehicle("v", bodies, [prismatic("s", "a", "b", [1, 0, 0], stiffness=1.0)], base_motion="fixed")


@pytest.mark.parametrize("method", ["dop853", "esdirk", "rk4", "Radau", "BDF", "LSODA"])
def test_both_crossings_near_every_peak_are_found(method):
    """x = sin t lies above the level for 0.04 s near each of five peaks, a small part of most steps."""
    half, peaks = np.arccos(LEVEL), 0.5 * np.pi + 2.0 * np.pi * np.arange(5)
    watched = [Event("top", signals.joint_angle("s"), LEVEL), Event("up", signals.joint_angle("s"), LEVEL, 1)]
    options = {"method": method, "rtol": 1e-6, "step": 0.2, "samples": 3}
    run = simulate(oscillator(), 30.0, State(joint_rates={"s": 1.0}), events=watched, **options)
    top, up = ([event.time for event in run.events if event.name == name] for name in ("top", "up"))
    assert top == pytest.approx(np.sort([*(peaks - half), *(peaks + half)]), abs=half)
    assert up == pytest.approx(peaks - half, abs=half)
    end = Event("end", signals.joint_angle("s"), LEVEL, -1, stop=True)
    stopped = simulate(oscillator(), 30.0, State(joint_rates={"s": 1.0}), events=[end], **options)
    assert stopped.events[-1].time == pytest.approx(peaks[0] + half, abs=half) and not stopped.complete
    assert stopped.joints["s"][-1, 0] <= 1.0


def test_a_signal_that_stays_short_of_its_level_gives_no_event():
    short = Event("short", signals.joint_angle("s"), 1.0002)
    for method in ("dop853", "esdirk", "rk4", "Radau"):
        run = simulate(oscillator(), 30.0, State(joint_rates={"s": 1.0}), events=[short], method=method, rtol=1e-6)
        assert not run.events


def test_the_hidden_place_of_a_parabola_lies_between_its_zeros():
    def event(t, y):
        return float(y[0])

    def at(depth):
        return lambda t: np.array([(t - 0.93) ** 2 - depth])

    assert abs(hidden_place([event], 0.0, 1.0, at(1e-4)) - 0.93) < 0.01
    assert np.isnan(hidden_place([event], 0.0, 1.0, at(-1e-4))) and np.isnan(hidden_place([], 0.0, 1.0, at(1e-4)))


@pytest.mark.parametrize("method", ["dop853", "esdirk", "rk4"])
def test_more_events_than_are_recorded_are_an_error_that_names_them(method):
    buzz = profiles.sine(1.0, 2000.0)
    free = Vehicle("v", [Body("a", 1.0, inertia=[1, 1, 1])])
    watched = [Event("rare", signals.value_of(0.1)), Event("buzz", signals.value_of(buzz, name="buzz"))]
    with pytest.raises(
        IntegrationError, match=r"more events than one stretch .* 1000 of them buzz; let the event stop"
    ):
        simulate(
            free,
            0.3,
            loads=[loads.force("a", [1, 0, 0], buzz)],
            events=watched,
            method=method,
            samples=2,
            step=1e-4,
            rtol=1e-4,
        )
