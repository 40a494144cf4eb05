"""Bad vehicles, states and control laws: clear errors before the first step."""

import numpy as np
import pytest
from support.flexible import random_appendage

from tisserand.errors import VehicleError
from tisserand.multibody import (
    Body,
    MountedAppendage,
    Rotor,
    SampledController,
    State,
    Vehicle,
    hinge,
    loads,
    profiles,
    signals,
    simulate,
    universal,
)

A, B, C = (Body(n, 1.0, inertia=[1, 1, 1]) for n in "abc")
GOOD = Vehicle("good", (A, B), (hinge("j", "a", "b", [0, 0, 1]),))

VEHICLES = {
    "same name": lambda: Vehicle("v", (A, A)),
    "cycle": lambda: Vehicle(
        "v",
        (A, B, C),
        (hinge("1", "a", "b", [1, 0, 0]), hinge("2", "b", "c", [1, 0, 0]), hinge("3", "c", "b", [1, 0, 0])),
    ),
    "ring": lambda: Vehicle("v", (A, B), (hinge("1", "a", "b", [1, 0, 0]), hinge("2", "b", "a", [1, 0, 0]))),
    "loose body": lambda: Vehicle("v", (A, B)),
    "unknown body": lambda: Vehicle("v", (A,), (hinge("1", "a", "x", [1, 0, 0]),)),
    "zero axis": lambda: hinge("j", "a", "b", [0, 0, 0]),
    "parallel axes": lambda: universal("j", "a", "b", [[1, 0, 0], [2, 0, 0]]),
    "triangle inequality": lambda: Body("a", 1.0, inertia=[1, 1, 3]),
    "not symmetric": lambda: Body("a", 1.0, inertia=[[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]),
    "negative mass": lambda: Body("a", -1.0),
    "massless with inertia": lambda: Body("a", 0.0, inertia=[1, 1, 1]),
    "massless leaf": lambda: Vehicle("v", (A, Body("empty")), (hinge("j", "a", "empty", [0, 0, 1]),)),
    "no mass at all": lambda: Vehicle("v", (Body("a"),)),
    "improper frame": lambda: hinge("j", "a", "b", [0, 0, 1], parent_frame=-np.eye(3)),
    "rotor without inertia": lambda: Rotor("r", "a", [1, 0, 0]),
    "rotor on nothing": lambda: Vehicle("v", (A,), rotors=(Rotor("r", "x", [1, 0, 0], 1.0),)),
    "limits upside down": lambda: hinge("j", "a", "b", [0, 0, 1], limits=(1.0, -1.0)),
    "unknown interface": lambda: Vehicle(
        "v",
        (A, B),
        (hinge("j", "a", "b", [0, 0, 1], parent_interface=("w", "nose")),),
        appendages=(MountedAppendage("w", random_appendage(1), "a"),),
    ),
    "level beyond the record": lambda: MountedAppendage(
        "w", random_appendage(1).changed(inertia_level="linear"), "a", inertia="full"
    ),
    "profile backwards": lambda: profiles.table([1, 0], [0, 1]),
}


@pytest.mark.parametrize("name", VEHICLES)
def test_bad_vehicles_are_refused(name):
    with pytest.raises(VehicleError) as caught:
        VEHICLES[name]()
    assert len(str(caught.value)) > 20


STATES = {
    "NaN state": dict(initial=lambda: State(angular_velocity=[np.nan, 0, 0])),
    "NaN joint": dict(initial=lambda: State(joints={"j": np.nan})),
    "unknown joint": dict(initial=lambda: State(joints={"x": 1.0})),
    "wrong size": dict(initial=lambda: State(joints={"j": [1.0, 2.0]})),
    "quaternion": dict(initial=lambda: State(attitude=[1, 1, 0, 0])),
    "unknown method": dict(method="euler"),
    "duration": dict(duration=-1.0),
    "load on nothing": dict(loads=[loads.torque("x", [0, 0, 1], 1.0)]),
    "load without strength": dict(loads=[loads.torque("a", [0, 0, 1], None)]),
    "output of nothing": dict(outputs=[signals.joint_angle("x")]),
}


@pytest.mark.parametrize("name", STATES)
def test_bad_runs_are_refused_before_the_first_step(name):
    facts = dict(STATES[name])
    with pytest.raises(VehicleError):
        make = facts.pop("initial", None)
        simulate(GOOD, facts.pop("duration", 1.0), make() if make else None, **facts)


@pytest.mark.parametrize("answer", [[1.0, 2.0], [], [np.nan]])
def test_a_control_law_with_a_wrong_answer_is_named(answer):
    law = SampledController(
        "pilot", (signals.joint_angle("j"),), (loads.joint_torque("j", None),), lambda t, s: answer, 0.1
    )
    with pytest.raises(VehicleError, match="pilot"):
        simulate(GOOD, 1.0, controllers=[law])


@pytest.mark.parametrize(
    ("engine", "method", "most"),
    [*(("recursive", method, 50) for method in ("dop853", "rk4", "Radau", "BDF", "LSODA")), ("likins", "dop853", 4)],
)
def test_a_run_that_must_stop_returns_what_it_has(engine, method, most):
    """A torque that grows for long exhausts the step budget of every method: partial trajectory, reason, finite values."""
    ramp = [loads.joint_torque("j", profiles.ramp(1e5, 0.0, 100.0))]
    times = np.concatenate([np.geomspace(1e-9, 1.0, 40), [100.0]])
    run = simulate(GOOD, 100.0, loads=ramp, max_steps=most, engine=engine, method=method, times=times)
    assert not run.complete and "max_steps" in run.reason
    assert run.statistics.steps <= most and 0 < run.times[-1] < 100
    reached = np.abs(run.joint_rates["j"][:, 0])
    assert np.isfinite(run.joints["j"]).all() and (np.diff(reached) > 0).all(), "rows of the part that was not run"


def test_a_step_that_no_run_can_finish_is_refused_before_it_starts():
    with pytest.raises(VehicleError, match=r"step.*too short for the duration.*max_steps"):
        simulate(GOOD, 1.0, method="rk4", step=1e-60)
