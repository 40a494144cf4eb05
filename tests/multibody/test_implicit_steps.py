"""The implicit method: its numbers, its order, closed forms, and runs against the explicit one (theory section 13)."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from support.flexible import random_appendage

from tisserand.errors import VehicleError
from tisserand.multibody import (
    Body,
    Event,
    MountedAppendage,
    Rotor,
    State,
    Vehicle,
    ball,
    controllers,
    force_elements,
    hinge,
    loads,
    profiles,
    signals,
    simulate,
)
from tisserand.multibody.recursive.esdirk_table import EMBEDDED, A

B = A[5]


def sums(weights, *more):
    """Exact sum over the stages of a product of weights."""
    return sum(np.prod([w, *(one[i] for one in more)]) for i, w in enumerate(weights))


def through(values):
    """A times the values of the stages."""
    return [sum(a * values[j] for j, a in enumerate(row)) for row in A]


def test_the_table_has_order_four_and_its_embedded_method_three():
    """Order conditions up to four (eight trees), exact in fractions; gamma on the diagonal, the last stage is the step."""
    one = [1] * 6
    c = through(one)
    cc = [x * x for x in c]
    conditions = [
        (sums(B), "1"), (sums(B, c), "1/2"), (sums(B, cc), "1/3"), (sums(B, through(c)), "1/6"), (sums(B, cc, c), "1/4"),
        (sums(B, c, through(c)), "1/8"), (sums(B, through(cc)), "1/12"), (sums(B, through(through(c))), "1/24"),
    ]  # fmt: skip
    assert [str(value) for value, _ in conditions] == [wanted for _, wanted in conditions]
    embedded = [sums(EMBEDDED), sums(EMBEDDED, c), sums(EMBEDDED, cc), sums(EMBEDDED, through(c))]
    assert [str(value) for value in embedded] == ["1", "1/2", "1/3", "1/6"]
    assert all(row[-1] == row[i] == A[1][1] for i, row in enumerate(A) if i)
    assert c[5] == 1


def test_nothing_of_an_infinitely_stiff_mode_is_left_after_a_step():
    full = np.array([[*map(float, row), *[0.0] * (6 - len(row))] for row in A])
    for z in (-1e9, 1e9j):
        left = 1.0 + z * full[5] @ np.linalg.solve(np.eye(6) - z * full, np.ones(6))
        assert abs(left) < 1e-7
    for angle in np.linspace(0.5 * np.pi, np.pi, 40):  # A-stable: nothing grows in the left half plane
        for size in np.geomspace(1e-2, 1e3, 60):
            z = size * np.exp(1j * angle)
            assert abs(1.0 + z * full[5] @ np.linalg.solve(np.eye(6) - z * full, np.ones(6))) <= 1.0 + 1e-12


def wing(seed: int, hertz, ratio: float = 0.005, **more):
    """A random appendage of particles with stated frequencies."""
    made = random_appendage(seed, len(hertz), nodes=8, **more)
    rate = 2.0 * np.pi * np.asarray(hertz, float)
    return replace(made, stiffness=np.diag(rate**2), damping=np.diag(2.0 * ratio * rate))


def test_the_error_of_a_mode_falls_with_the_fourth_power_of_the_number_of_steps():
    """A damped mode on a held hub swings freely: closed form."""
    ratio, rate = 0.05, 2.0 * np.pi
    hub = Vehicle(
        "hub",
        (Body("hub", 10.0, inertia=[1, 1, 1]),),
        appendages=(MountedAppendage("w", wing(1, [1.0], ratio, bodies=False), "hub", inertia="constant"),),
        base_motion="fixed",
    )
    times = np.linspace(0.0, 4.0, 3)
    turning = rate * np.sqrt(1.0 - ratio**2)
    exact = np.exp(-ratio * rate * times) * (np.cos(turning * times) + ratio * rate / turning * np.sin(turning * times))
    steps, errors = [], []
    for rtol in (1e-4, 1e-6, 1e-8):
        run = simulate(hub, 4.0, State(modal={"w": [1e-3]}), times=times, method="esdirk", rtol=rtol)
        steps.append(run.statistics.steps)
        errors.append(np.abs(run.modal["w"][:, 0] / 1e-3 - exact).max())
    slopes = np.diff(np.log(errors)) / np.diff(np.log(steps))
    assert np.all(slopes < -3.6) and np.all(slopes > -4.6)
    assert np.all(errors < 10.0 * np.array([1e-4, 1e-6, 1e-8]) * steps)


def test_a_stiff_control_law_bounds_the_step():
    """A pole of p 1/s that the iteration does not know allows steps of 4/p at most (gamma = 1/4), as documented."""
    pole = 2e3
    two = (Body("base", 1.0, inertia=[1, 1, 1]), Body("arm", 1.0, inertia=[1.0, 1.0, 2.0]))
    vehicle = Vehicle("v", two, (hinge("h", "base", "arm", [0, 0, 1]),), base_motion="fixed")
    law = [controllers.joint_pid("h", 2.0, 2.0 * pole)]
    run = simulate(vehicle, 0.5, State(joints={"h": [0.1]}), controllers=law, method="esdirk", rtol=1e-4, samples=3)
    assert run.complete and run.statistics.steps > 0.5 * pole / 4.0


def test_a_stiff_spring_in_a_hinge_follows_a_slow_torque_in_long_steps():
    """100 Hz spring, torque of 0.05 Hz: the turn is torque over stiffness, late by the damping, and steps span many periods."""
    inertia, natural, slow = 2.0, 2.0 * np.pi * 100.0, 2.0 * np.pi * 0.05
    joint = hinge("h", "base", "arm", [0, 0, 1], stiffness=inertia * natural**2, damping=0.2 * inertia * natural)
    two = (Body("base", 1.0, inertia=[1, 1, 1]), Body("arm", 1.0, inertia=[1.0, 1.0, inertia]))
    vehicle = Vehicle("v", two, (joint,), base_motion="fixed")
    push = [loads.joint_torque("h", profiles.sine(1.0, 0.05))]
    still = 1.0 / (inertia * natural**2)
    lag = 0.2 * slow / natural
    at = State(joints={"h": [-still * np.sin(lag)]}, joint_rates={"h": [still * slow * np.cos(lag)]})
    run = simulate(vehicle, 40.0, at, loads=push, method="esdirk", rtol=1e-6, samples=81)
    assert_allclose(run.joints["h"][:, 0], still * np.sin(slow * run.times - lag), atol=2e-5 * still)
    assert run.statistics.steps < 4000 / 5  # of 4000 periods of the spring


def busy() -> tuple[Vehicle, State, list]:
    """Two wings (one with bodies that turn, one that carries a body on its tip), a ball, a sprung hinge, a wheel, a tether."""
    bodies = (
        Body("hub", 200.0, inertia=[80.0, 90.0, 100.0]),
        Body("drive", 5.0, inertia=[1.0, 1.2, 1.0]),
        Body("ball", 3.0, [0.1, 0.0, 0.2], [0.5, 0.6, 0.7]),
        Body("tip", 1.0, inertia=[0.1, 0.1, 0.1]),
    )
    joints = (
        hinge("h", "hub", "drive", [0, 1, 0], parent_point=[0.5, 0, 0], stiffness=40.0, damping=1.0),
        ball("b", "hub", "ball", parent_point=[-0.5, 0, 0], stiffness=8.0, damping=0.3),
        hinge("t", "drive", "tip", [1, 0, 0], parent_interface=("north", "tip"), stiffness=2.0, damping=0.1),
    )
    north = MountedAppendage("north", wing(3, [1.0, 7.0, 60.0], exact=True), "drive")
    south = MountedAppendage("south", wing(4, [1.5, 11.0, 90.0]), "hub", [0.2, -1.0, 0.0])
    vehicle = Vehicle("busy", bodies, joints, (Rotor("w", "hub", [0, 0, 1], 0.05),), (north, south))
    state = State(angular_velocity=[0.02, -0.01, 0.03], joints={"h": [0.05]}, rotor_rates={"w": 100.0})
    acting = [
        loads.torque("hub", [0, 0, 1], profiles.versine(2.0, 0.5, 3.0)),
        loads.rotor_torque("w", profiles.smooth_ramp(0.2, 1.0, 2.0)),
        force_elements.spring(
            force_elements.anchor("ball"), force_elements.anchor("hub", [-0.5, 0.3, 0.0]), 30.0, damping=1.0, length=0.4
        ),
    ]
    return vehicle, state, acting


@pytest.mark.parametrize("rtol", [1e-5, 1e-7])
def test_several_flexible_bodies_agree_with_the_explicit_method(rtol):
    """Masses that change with eta, a body on a flexible tip, ball and hinge springs, a wheel and a force element."""
    vehicle, state, acting = busy()
    exact = simulate(vehicle, 5.0, state, loads=acting, rtol=1e-10, samples=26)
    run = simulate(vehicle, 5.0, state, loads=acting, method="esdirk", rtol=rtol, samples=26)
    assert run.complete and run.settings["method"] == "esdirk"
    allowed = rtol * run.statistics.steps  # errors of one tolerance per step at most add up
    for word in ("north", "south"):
        assert np.abs(run.modal[word] - exact.modal[word]).max() < allowed * np.abs(exact.modal[word]).max()
    for word in ("h", "b", "t"):
        assert np.abs(run.joints[word] - exact.joints[word]).max() < allowed
    assert np.abs(run.angular_velocity - exact.angular_velocity).max() < allowed * np.abs(exact.angular_velocity).max()
    assert run.warnings == exact.warnings


def test_energy_that_the_method_takes_from_a_fast_mode_is_told_apart():
    """Undamped modes of 1 and 50 Hz swing on a free hub; loose steps damp the fast one, and the sheet says how much."""
    made = Vehicle(
        "hub",
        (Body("hub", 50.0, inertia=[20, 25, 30]),),
        appendages=(MountedAppendage("w", wing(5, [1.0, 50.0], 0.0), "hub", [0.3, 0, 0]),),
    )
    run = simulate(made, 5.0, State(modal={"w": [1e-2, 2e-4]}), method="esdirk", rtol=1e-3, samples=51)
    sheet = run.balance
    taken = float(sheet.loss[-1])
    assert taken > 0.1 * sheet.energy[0]  # the fast mode's part
    assert sheet.energy[0] - sheet.energy[-1] == pytest.approx(taken, rel=1e-3)  # at the end of a step
    assert (
        sheet.worst()["energy"] < 0.1 * taken / sheet.energy[0]
    )  # between, modes that swing in a step are interpolated
    assert not np.any(simulate(made, 0.1, State(modal={"w": [1e-2, 2e-4]}), samples=3).balance.loss)


def test_events_stop_the_run_at_the_same_time_as_with_the_explicit_method():
    vehicle, state, acting = busy()
    watched = [Event("turned", signals.joint_angle("h"), 0.0, direction=-1, stop=True)]
    ends = [
        simulate(vehicle, 5.0, state, loads=acting, events=watched, method=method, rtol=1e-8, samples=11)
        for method in ("dop853", "esdirk")
    ]
    assert [run.complete for run in ends] == [False, False]
    assert ends[1].events[0].time == pytest.approx(ends[0].events[0].time, abs=1e-6)
    assert abs(ends[1].joints["h"][-1, 0]) < 1e-9


def long_run(duration: float, push: profiles.Profile) -> tuple[int, int, float]:
    """Evaluations of both methods at 1e-6 and the largest difference of the hinge's rate over its peak."""
    made = Vehicle(
        "craft",
        (Body("hub", 200.0, inertia=[80.0, 90.0, 100.0]), Body("drive", 5.0, inertia=[1.0, 1.0, 1.0])),
        (hinge("h", "hub", "drive", [0, 1, 0], parent_point=[0.5, 0, 0]),),
        appendages=(MountedAppendage("wing", wing(3, np.geomspace(1.0, 200.0, 10), bodies=False), "drive"),),
    )
    runs = [
        simulate(made, duration, loads=[loads.joint_torque("h", push)], method=method, rtol=1e-6, samples=201)
        for method in ("dop853", "esdirk")
    ]
    rates = [run.joint_rates["h"] for run in runs]
    return (
        runs[0].statistics.calls,
        runs[1].statistics.calls,
        float(np.abs(rates[1] - rates[0]).max() / np.abs(rates[0]).max()),
    )


def test_modes_up_to_200_hz_do_not_bound_the_step():
    explicit, implicit, error = long_run(60.0, profiles.sine(0.11, 1.0 / 60.0))
    assert implicit * 20 < explicit
    assert error < 1e-5


@pytest.mark.slow
def test_ten_minutes_with_modes_up_to_200_hz():
    """Theory section 13: a smooth torque, and one with steps that make modes ring."""
    smooth = long_run(600.0, profiles.sine(1.1e-3, 1.0 / 600.0))
    assert smooth[1] * 100 < smooth[0] and smooth[2] < 1e-6
    steps = long_run(600.0, profiles.bang_bang(7e-4, 0.0, 600.0))
    assert steps[1] * 20 < steps[0] and steps[2] < 1e-5


def test_the_reference_engine_has_no_implicit_method():
    with pytest.raises(VehicleError, match="no linearly implicit method"):
        simulate(Vehicle("b", (Body("b", 1.0, inertia=[1, 1, 1]),)), 1.0, engine="likins", method="esdirk")
