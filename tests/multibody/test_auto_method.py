"""``auto`` sees stiffness: which method it takes, what that saves, and that the results stay within tolerance."""

import math
from dataclasses import replace

import numpy as np
import pytest
from support.flexible import random_appendage

from tisserand.multibody import (
    Body,
    MountedAppendage,
    Rotor,
    Simulation,
    State,
    Vehicle,
    controllers,
    hinge,
    loads,
    loops,
    profiles,
    simulate,
)
from tisserand.multibody.auto_method import AutoMethod

RTOL = 1e-6


def both(vehicle, duration, state=None, **acting):
    """A run of ``auto`` and one of DOP853 a thousand times as accurate."""
    given = {"samples": 51, **acting}
    return (
        simulate(vehicle, duration, state, rtol=RTOL, **given),
        simulate(vehicle, duration, state, method="dop853", rtol=1e-3 * RTOL, **given),
    )


def distance(run, exact, word, name):
    """Largest difference of a history over its peak."""
    a, b = getattr(run, word)[name], getattr(exact, word)[name]
    return float(np.abs(a - b).max() / np.abs(b).max())


def test_nothing_changes_where_nothing_can_be_stiff():
    bodies = (Body("a", 10.0, inertia=[5, 6, 7]), Body("b", 2.0, [0.3, 0, 0], [1, 1, 1]))
    vehicle = Vehicle("v", bodies, (hinge("h", "a", "b", [0, 0, 1], parent_point=[1, 0, 0]),))
    state = State(angular_velocity=[0.1, 0.2, 0.3], joint_rates={"h": [1.0]})
    auto, explicit = (simulate(vehicle, 5.0, state, method=method, samples=11) for method in ("auto", "dop853"))
    assert np.array_equal(auto.joints["h"], explicit.joints["h"]) and auto.statistics.calls == explicit.statistics.calls
    assert auto.settings["auto"] == "dop853 from 0 s" and "auto" not in explicit.settings
    assert Simulation(vehicle, state).stepper.look == math.inf


def test_a_stiff_damper_in_a_joint_is_taken_implicitly():
    bodies = (Body("a", 10.0, inertia=[5, 5, 5]), Body("b", 2.0, inertia=[1, 1, 1]))
    vehicle = Vehicle("v", bodies, (hinge("h", "a", "b", [0, 0, 1], damping=2e4, stiffness=10.0),))
    run, exact = both(vehicle, 4.0, loads=[loads.joint_torque("h", profiles.sine(1.0, 0.1))])
    assert run.statistics.method == run.settings["method"] == "dop853 and esdirk"
    assert run.settings["auto"].startswith("dop853 from 0 s, esdirk from 0.0")
    assert run.statistics.calls * 20 < exact.statistics.calls
    assert distance(run, exact, "joints", "h") < RTOL * run.statistics.steps


def test_a_stiff_control_loop_is_taken_by_radau():
    """Its stiffness is not that of modes or joints."""
    wheels = tuple(Rotor(name, "a", axis, 0.1) for name, axis in zip("xyz", np.eye(3)))
    vehicle = Vehicle("v", (Body("a", 10.0, inertia=[5, 5, 5]),), rotors=wheels)
    loop = controllers.attitude_pd(
        "a", kp=2e4, kd=2e4, slew=profiles.smooth_ramp(0.5, 0.2, 5.0), rotors=list(zip("xyz", np.eye(3)))
    )
    run, exact = both(vehicle, 6.0, controllers=[loop])
    assert run.statistics.method == "dop853 and Radau"
    assert run.statistics.calls * 20 < exact.statistics.calls
    assert distance(run, exact, "rotor_rates", "z") < RTOL * run.statistics.steps


def test_modes_that_ring_stay_explicit():
    """An undamped wing of 20 Hz swings all the time: the trial costs little and is given up."""
    wing = random_appendage(2, 3, nodes=6, frequency=20.0)
    vehicle = Vehicle("v", (Body("a", 50.0, inertia=[20, 25, 30]),), appendages=(MountedAppendage("w", wing, "a"),))
    run, exact = both(vehicle, 40.0, State(modal={"w": [1e-3, 1e-3, 1e-3]}))
    assert run.settings["auto"].split(", ")[-1].startswith("dop853")
    only = simulate(vehicle, 40.0, State(modal={"w": [1e-3] * 3}), method="dop853", rtol=RTOL, samples=51)
    assert run.statistics.calls < 1.25 * only.statistics.calls
    assert distance(run, exact, "modal", "w") < RTOL * run.statistics.steps


def test_steps_of_flight_software_choose_too():
    """A run in steps of 10 ms with fast damped modes goes on implicitly, and ends where the whole run ends."""
    wing = random_appendage(2, 2, nodes=6, frequency=200.0)
    wing = replace(wing, damping=0.2 * np.sqrt(wing.stiffness))
    vehicle = Vehicle("v", (Body("a", 50.0, inertia=[20, 25, 30]),), appendages=(MountedAppendage("w", wing, "a"),))
    push = [loads.torque("a", [0, 0, 1], profiles.versine(1.0, 0.0, 4.0))]
    stepped = Simulation(vehicle, loads=push, rtol=RTOL)
    for _ in range(200):
        stepped.step(0.02)
    assert stepped.method == "dop853 and esdirk"
    exact = simulate(vehicle, 4.0, loads=push, method="dop853", rtol=1e-9, samples=3)
    assert stepped.state.angular_velocity[2] == pytest.approx(exact.angular_velocity[-1, 2], rel=1e-5)


def test_looks_come_in_time_in_a_run_of_one_stretch(monkeypatch):
    """The first look is after 300 steps at the bound of stability, the second twice as long after it."""
    wing = random_appendage(2, 3, nodes=6, frequency=20.0)
    vehicle = Vehicle("v", (Body("a", 50.0, inertia=[20, 25, 30]),), appendages=(MountedAppendage("w", wing, "a"),))
    looks, decide = [], AutoMethod._decide
    monkeypatch.setattr(AutoMethod, "_decide", lambda auto, s: (looks.append(s.time), decide(auto, s)))
    simulation = Simulation(vehicle, State(modal={"w": [1e-3, 1e-3, 1e-3]}), rtol=1e-8)
    first = simulation.stepper.look
    simulation.run(3.5 * first, samples=2)
    assert simulation.method == "dop853" and looks == pytest.approx([first, 3.0 * first])


def test_stiff_vehicles_with_closed_loops_are_taken_implicitly():
    """Two geared hinges with dampers of 1e5 N m s: explicit steps took 4e5 evaluations for this."""
    bodies = (Body("g", 1.0), Body("a", 1.0, inertia=[1, 1, 1]), Body("b", 1.0, inertia=[1, 1, 1]))
    joints = [hinge(name, "g", body, [0, 0, 1], stiffness=1.0, damping=1e5) for name, body in (("h", "a"), ("k", "b"))]
    vehicle = Vehicle("v", bodies, joints, base_motion="fixed")
    push, w = loads.joint_torque("h", profiles.sine(1.0, 0.5)), np.pi
    run = simulate(vehicle, 2.0, loads=[loops.gear("h", "k", -1.0), push], rtol=RTOL, samples=21)
    assert run.statistics.method == "dop853 and Radau" and run.statistics.calls < 10_000
    assert run.joints["h"][:, 0] == pytest.approx(
        (1.0 - np.cos(w * run.times)) / (2e5 * w), abs=3e-10
    )  # inertia and springs: 1e-10
    assert np.abs(run.joints["h"] + run.joints["k"]).max() < 1e-12
