"""Profiles of time: closed forms, derivatives, and where they jump."""

import numpy as np
import pytest

from tisserand.multibody import profiles

SMOOTH = {
    "smooth_ramp": profiles.smooth_ramp(3.0, 1.0, 2.0, 0.5),
    "spin_up": profiles.spin_up(2.0, 0.5, 3.0),
    "versine": profiles.versine(2.0, 1.0, 2.0),
    "sine": profiles.sine(1.5, 0.7, 0.3, -5.0),
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
