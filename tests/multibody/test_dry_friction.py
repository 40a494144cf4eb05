"""Joints that stick by dry friction, at the default tolerances: breakaway, stick and slip, forces that cancel."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from tisserand.multibody import Body, State, Vehicle, free_joint, hinge, loads, prismatic, profiles, simulate
from tisserand.multibody.force_elements import anchor, spring
from tisserand.multibody.latches import end_stop, friction_lock, joint_lock

Z = [0, 0, 1]
MASS, STIFFNESS, PULL, REST, SLIDING = 2.0, 50.0, 0.1, 6.0, 4.0


def pulled(stribeck_rate):
    """A block with friction behind a spring whose other end moves at PULL m/s, 8 s."""
    bodies = [Body("ground", 1.0), Body("block", MASS), Body("hand", 1.0)]
    joints = [
        prismatic("slide", "ground", "block", [1, 0, 0]),
        prismatic("pull", "ground", "hand", [1, 0, 0], motion=profiles.constant_rate(PULL, 0.0)),
    ]
    vehicle = Vehicle("bench", bodies, joints, base_motion="fixed")
    between = spring(anchor("block"), anchor("hand", [1.0, 0, 0]), STIFFNESS, length=1.0)
    rub = friction_lock("slide", SLIDING, breakaway=REST, stribeck_rate=stribeck_rate, name="rub")
    return simulate(vehicle, 8.0, loads=[between, rub], samples=81)


def times_of(run, word):
    return np.array([event.time for event in run.events if word in event.name])


@pytest.mark.parametrize("floating", [False, True])
def test_a_joint_held_by_friction_breaks_away_when_a_slow_torque_exceeds_it(floating):
    """A torque of 0.5 N m/s against a grip of 0.8 N m: 1.6 s, in a few steps; then one disc against the other."""
    one, two = 3.0, 2.0
    bodies = [Body("a", 1.0, inertia=[2, 2, one]), Body("b", 2.0, inertia=[1, 1, two])]
    vehicle = Vehicle("discs", bodies, [hinge("axle", "a", "b", Z)], base_motion="free" if floating else "fixed")
    torque = loads.joint_torque("axle", profiles.ramp(2.0, 0.0, 4.0))
    run = simulate(vehicle, 4.0, loads=[torque, friction_lock("axle", 0.8, name="rub")], samples=41)
    assert run.complete and run.statistics.steps < 100 and not run.warnings
    assert times_of(run, "slips") == pytest.approx([1.6], abs=1e-12) and len(run.events) == 1
    late = np.maximum(run.times - 1.6, 0.0)
    inertia = one * two / (one + two) if floating else two
    assert run.joints["axle"][:, 0] == pytest.approx(0.5 * late**3 / 6.0 / inertia, abs=1e-9)
    assert run.loop_force["rub"][:, 0] == pytest.approx(-np.minimum(0.5 * run.times, 0.8), abs=1e-12)
    assert max(run.balance.worst().values()) < 1e-9


def test_stick_and_slip_have_the_period_of_the_closed_form():
    """Period 2 dF/(k v) + 2/w (pi - atan(dF w/(k v))) where friction falls at once from rest to sliding."""
    run = pulled(1e-7)
    w, fall = np.sqrt(STIFFNESS / MASS), REST - SLIDING
    period = 2 * fall / (STIFFNESS * PULL) + 2 / w * (np.pi - np.arctan(fall * w / (STIFFNESS * PULL)))
    slips = times_of(run, "slips")
    assert slips[0] == pytest.approx(REST / (STIFFNESS * PULL), abs=1e-10) and len(slips) == 5
    assert np.diff(slips) == pytest.approx(period, rel=1e-4)
    assert run.balance.worst()["energy"] < 1e-7 and not run.warnings


def test_stick_and_slip_with_a_stribeck_curve_is_that_of_another_integrator():
    """Slips and sticks of scipy with its own events, the law written out here."""
    rate, run = 0.05, pulled(0.05)

    def slipping(t, y):
        grip = SLIDING + (REST - SLIDING) * np.exp(-((y[1] / rate) ** 2))
        return [y[1], (STIFFNESS * (PULL * t - y[0]) - grip) / MASS]

    def stops(t, y):
        return y[1] + (1.0 if t < begun + 1e-3 else 0.0)  # it starts at rest, too

    stops.terminal, stops.direction = True, -1
    time, x, slips, sticks = 0.0, 0.0, [], []
    while (time := (REST / STIFFNESS + x) / PULL) < 8.0:
        begun = time
        slips.append(time)
        found = solve_ivp(slipping, (time, 9.0), [x, 1e-12], "DOP853", events=stops, rtol=1e-9, atol=1e-12)
        time, x = float(found.t[-1]), float(found.y[0, -1])
        sticks.append(time)
    assert times_of(run, "slips") == pytest.approx(slips, abs=1e-7)
    assert times_of(run, "sticks") == pytest.approx([t for t in sticks if t < 8.0], abs=1e-7)


@pytest.mark.parametrize("lock", [end_stop("j", restitution=0.0), joint_lock("j"), friction_lock("j", 5.0)])
def test_a_motor_that_presses_against_what_holds_its_joint_leaves_a_balanced_run(lock):
    """Everything cancels: round-off is no violation of momentum."""
    bodies = [Body("hub", 10.0, inertia=[2, 2.5, 3]), Body("panel", 2.0, center=[1, 0.2, 0], inertia=[0.1, 0.7, 0.8])]
    joint = hinge("j", "hub", "panel", Z, parent_point=[0.5, 0.1, 0.3], limits=[-0.5, 0.5])
    vehicle = Vehicle("panel", bodies, [joint])
    run = simulate(
        vehicle, 5.0, State(joints={"j": 0.5}), loads=[loads.joint_torque("j", 0.2), lock], samples=11, max_steps=200
    )
    assert run.complete and not run.warnings and np.abs(run.joints["j"] - 0.5).max() < 1e-11


def test_prestressed_cables_at_rest_take_few_steps_and_balance():
    """Three cables of 90 kN: their sum is round-off, which is no motion."""
    vehicle = Vehicle(
        "net", [Body("frame", 1.0), Body("ring", 2.0, inertia=[1, 1, 2])], [free_joint("j", "frame", "ring")],
        base_motion="fixed",
    )  # fmt: skip
    directions = [np.array([np.cos(a), np.sin(a), 0.0]) for a in 0.3 + np.arange(3) * 2 * np.pi / 3]
    cables = [
        spring(anchor("frame", 2.0 * d), anchor("ring", 0.1 * d), 1e5, length=1.0, name=f"cable {i}")
        for i, d in enumerate(directions)
    ]
    run = simulate(vehicle, 0.2, loads=cables, samples=3, max_steps=1000)
    assert run.complete and not run.warnings and np.abs(run.joints["j"][:, :3]).max() < 1e-13
