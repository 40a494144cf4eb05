"""Derivatives of linear models are exact at any valid state, also where a step beside it would leave the valid range."""

import itertools

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.spatial.transform import Rotation
from support.appendages import random_bodies

from tisserand.errors import VehicleError
from tisserand.multibody import (
    Body,
    MountedAppendage,
    State,
    Vehicle,
    ball,
    controllers,
    gimbal,
    hinge,
    linearize,
    loads,
    profiles,
    signals,
    system_modes,
)
from tisserand.multibody.linear import around

INERTIA = np.diag([2.0, 3.0, 4.0])


def on_gimbal(angles, stiffness=(5.0, 7.0, 11.0)):
    """A body on a gimbal of axes x, y, z; springs at rest where it stands."""
    joint = gimbal("g", "ground", "head", np.eye(3), stiffness=stiffness, rest=angles)
    return Vehicle(
        "head",
        (Body("ground", 1.0, inertia=INERTIA), Body("head", 1.0, inertia=INERTIA)),
        (joint,),
        base_motion="fixed",
    )


@pytest.mark.parametrize("left", [1.0, 1e-2, 1e-3, 1e-4, 1e-5])
def test_a_gimbal_close_to_its_singularity(left):
    """K = diag(k) and M = E'J E with E the body rates per gimbal rate, in closed form; lock is ``left`` rad away, where steps of
    1e-3 rad would pass through it."""
    angles = (0.3, np.pi / 2 - left, -0.4)
    model = linearize(on_gimbal(angles), State(joints={"g": angles}))
    inner, outer = Rotation.from_euler("z", angles[2]), Rotation.from_euler("y", angles[1])
    E = np.column_stack([(outer * inner).inv().apply([1, 0, 0]), inner.inv().apply([0, 1, 0]), [0, 0, 1]])
    M, K = E.T @ INERTIA @ E, np.diag([5.0, 7.0, 11.0])
    assert model.mass == pytest.approx(M, abs=1e-13)
    loss = np.finfo(float).eps * np.linalg.cond(M)
    assert np.abs(model.stiffness - K).max() <= 100.0 * loss * 11.0
    assert np.abs(model.damping).max() == np.abs(model.gyroscopic).max() == 0.0
    found = system_modes(on_gimbal(angles), State(joints={"g": angles}))
    expected = np.sqrt(eigh(K, M, eigvals_only=True)) / (2.0 * np.pi)
    assert len(found.frequencies_hz) == 3
    assert found.frequencies_hz == pytest.approx(expected, rel=max(1e-12, 100.0 * loss))


def test_a_gimbal_in_its_singularity_is_refused_by_name():
    angles = (0.3, np.pi / 2, -0.4)
    with pytest.raises(VehicleError) as caught:
        linearize(on_gimbal(angles), State(joints={"g": angles}))
    words = caught.value.sentence()
    assert "joint g at [0.3, 1.5707" in words and "g.1" in words and "g.3" in words and "200" not in words


def differences(p, columns):
    """Central differences of the engine's own right-hand side, extrapolated twice (Romberg)."""
    size = 2 * p.count + p.c.states

    def central(i, h):
        d = np.zeros(size)
        d[i] = h
        return (p.evaluate(d) - p.evaluate(-d)) / (2.0 * h)

    out = []
    for i in columns:
        rows = [central(i, h) for h in (8e-3, 4e-3, 2e-3)]
        rows = [(4.0 * b - a) / 3.0 for a, b in itertools.pairwise(rows)]
        out.append((16.0 * rows[1] - rows[0]) / 15.0)
    return np.array(out).T


def craft():
    """Free base with a ball on a spring turned far, a hinge, and an appendage with offset bodies."""
    bodies = (
        Body("bus", 20.0, inertia=[5.0, 6.0, 7.0]),
        Body("arm", 3.0, center=[0.1, 0.2, 0.3], inertia=[0.5, 0.6, 0.7]),
        Body("tip", 2.0, center=[0.0, 0.3, 0.1], inertia=[0.2, 0.3, 0.4]),
    )
    joints = (
        ball("b", "bus", "arm", stiffness=9.0, damping=0.3, parent_point=[0.5, 0.0, 0.0]),
        hinge("h", "arm", "tip", [0.0, 0.0, 1.0], parent_point=[0.0, 1.0, 0.0], stiffness=2.0, rest=0.3),
    )
    return Vehicle("craft", bodies, joints, appendages=(MountedAppendage("a", random_bodies(3), "tip"),))


@pytest.mark.parametrize("turn", [[0.3, -0.2, 0.4], [1.5, 1.0, -2.0], [0.0, 0.0, 0.0]])
@pytest.mark.parametrize("scale", [1.0, -1.0])
def test_every_derivative_is_the_limit_of_differences(turn, scale):
    """Moving, turned, deformed state with loads, a law and sensors of every kind; both signs of the ball's quaternion."""
    q = scale * np.roll(Rotation.from_rotvec(turn).as_quat(), 1)
    state = State(
        velocity=[0.1, 0.2, -0.3],
        angular_velocity=[0.3, -0.4, 0.2],
        joints={"b": q, "h": 0.7},
        joint_rates={"b": [0.2, 0.1, -0.5], "h": -0.6},
        modal={"a": [0.1, -0.05, 0.2, 0.02]},
        modal_rates={"a": [0.3, 0.2, -0.1, 0.4]},
    )
    acting = [
        loads.force("tip", [1.0, 2.0, -1.0], profiles.constant(3.0), point=[0.2, 0.1, 0.0]),
        loads.torque("arm", [0.0, 1.0, 1.0], profiles.constant(2.0)),
        loads.gravity_gradient(0.5),
    ]
    laws = [controllers.attitude_pd("bus", (3.0, 2.0, 1.0), (1.0, 0.5, 0.2)), controllers.joint_pid("h", 2.0, 1.0, 0.5)]
    seen = [signals.attitude_error("tip", (0, 1, 0)), signals.body_rate("arm", (1, 0, 0))]
    p = around(craft(), state, acting, laws, seen)
    columns = np.arange(2 * p.count + p.c.states)
    exact, near = p.slopes(columns), differences(p, columns)
    size = np.abs(exact).max(axis=1, keepdims=True) + np.abs(p.evaluate(np.zeros(len(columns))))[:, None] + 1e-3
    assert np.abs((exact - near) / size).max() < 1e-8


def test_a_joint_at_its_stop_has_the_linear_model_of_one_without_stops():
    free, stopped = (
        Vehicle(
            "v",
            (
                Body("bus", 20.0, inertia=[5.0, 6.0, 7.0]),
                Body("arm", 2.0, center=[0.0, 1.0, 0.0], inertia=[0.4, 0.1, 0.4]),
            ),
            (hinge("h", "bus", "arm", [0.0, 0.0, 1.0], stiffness=3.0, limits=limits),),
        )
        for limits in (None, (-0.5, 0.5))
    )
    at_stop = State(joints={"h": 0.5})
    one, two = linearize(free, at_stop), linearize(stopped, at_stop)
    assert np.array_equal(one.A, two.A)


def test_a_saturated_command_acts_as_a_constant_one():
    """A law at its limit holds its command: its loop is open in the linear model, not closed with an average gain."""
    vehicle = on_gimbal((0.0, 0.0, 0.0))
    law = controllers.joint_pid("g", 2.0, 1.0, axis=1, reference=profiles.constant(100.0), limit=1.0)
    held = loads.joint_torque("g", profiles.constant(1.0), axis=1)
    assert pytest.approx(linearize(vehicle, loads=[held]).A, abs=1e-14) == linearize(vehicle, controllers=[law]).A
    loose = controllers.joint_pid("g", 2.0, 1.0, axis=1, reference=profiles.constant(0.1), limit=1.0)
    near = linearize(vehicle, controllers=[loose])
    assert near.stiffness[1, 1] == pytest.approx(9.0, abs=1e-12) and near.notes == ()
