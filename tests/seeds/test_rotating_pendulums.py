"""Equilibria and small oscillations of bars on a turning support (S4 13.1, 15.11), against printed figures."""

import numpy as np
import pytest

import tisserand as ts

G, DOWN = 9.81, [0, 0, -9.81]


def turntable(rate: float) -> ts.PrescribedMotion:
    return ts.PrescribedMotion(axis=[0, 0, 1], angle=ts.profiles.ramp(rate * 1e3, 0.0, 1e3))


def test_13_1_bar_on_a_rotating_wire():
    """A bar whose ends slide on a circular wire turning about its vertical diameter: cos q = 9/10, omega = sqrt(19/85) sqrt(g/R).

    With both ends on the wire the bar is a pendulum about the wire's center, its own center at h = 3R/4, length 2 sqrt(R² - h²);
    Omega² = 2 g/R.
    """
    R = 1.7
    h = 0.75 * R
    length2 = 4.0 * (R**2 - h**2)
    bar = ts.Body("bar", 2.3, [0, 0, -h], 2.3 * length2 / 12.0 * np.array([0, 1, 1]))
    wire = ts.Body("wire", 1.0, inertia=[1, 1, 1])
    vehicle = ts.Vehicle(
        "bar on a wire", (wire, bar), (ts.hinge("q", "wire", "bar", [0, 1, 0]),),
        base_motion=turntable(np.sqrt(2.0 * G / R)), gravity=DOWN,
    )  # fmt: skip
    found = ts.steady_state(vehicle, ts.State(joints={"q": 0.6}))
    assert np.cos(found.state.joints["q"][0]) == pytest.approx(0.9, abs=1e-10)
    modes = ts.system_modes(vehicle, found.state)
    omega = 2.0 * np.pi * modes.frequencies_hz
    assert omega == pytest.approx([np.sqrt(19.0 / 85.0 * G / R)], rel=1e-7)
    assert omega / np.sqrt(G / R) == pytest.approx([0.472789], abs=5e-7)


@pytest.mark.parametrize("printed", [(56.18, 226.30), (74.25, 78.34)])
def test_15_11_two_hinged_bars_on_a_turning_shaft(printed):
    """Two equal bars of length L in a vertical plane that turns at Omega² = 3 g/L: angles from the vertical, degrees."""
    L, m = 0.8, 1.3
    bar = {"mass": m, "center": [0, 0, -L / 2], "inertia": m * L**2 / 12.0 * np.array([1, 1, 0])}
    bodies = (ts.Body("shaft", 1.0, inertia=[1, 1, 1]), ts.Body("upper", **bar), ts.Body("lower", **bar))
    joints = (
        ts.hinge("top", "shaft", "upper", [0, -1, 0]),
        ts.hinge("middle", "upper", "lower", [0, -1, 0], parent_point=[0, 0, -L]),
    )
    vehicle = ts.Vehicle("bars", bodies, joints, base_motion=turntable(np.sqrt(3.0 * G / L)), gravity=DOWN)
    guess = np.radians(np.round(printed, -1))
    found = ts.steady_state(vehicle, ts.State(joints={"top": guess[0], "middle": guess[1] - guess[0]}))
    top, middle = (found.state.joints[j][0] for j in ("top", "middle"))
    assert np.degrees([top, top + middle]) == pytest.approx(printed, abs=0.005)
