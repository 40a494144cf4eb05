"""PD with gravity compensation (G3): the effort is the slope of the potential; an arm holds its pose where plain PD sags."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import fsolve
from support.flexible import random_appendage

from tisserand.errors import VehicleError
from tisserand.multibody import (
    Body,
    MountedAppendage,
    Rotor,
    State,
    Vehicle,
    ball,
    controllers,
    hinge,
    linearize,
    prismatic,
    profiles,
    signals,
    simulate,
    universal,
)

G, M1, M2, L1, C1, C2 = 9.81, 3.0, 2.0, 0.8, 0.35, 0.25
POSE = {"shoulder": 0.4, "elbow": 0.7}
KP, KD = 300.0, 60.0


def arm() -> Vehicle:
    """Two links in the x-z plane on a fixed base; positive angles lift them (gravity along -z)."""
    bodies = (
        Body("ground", 1.0, inertia=[1, 1, 1]),
        Body("upper", M1, [C1, 0, 0], [0.01, 0.1, 0.1]),
        Body("lower", M2, [C2, 0, 0], [0.01, 0.05, 0.05]),
    )
    joints = (
        hinge("shoulder", "ground", "upper", [0, -1, 0]),
        hinge("elbow", "upper", "lower", [0, -1, 0], parent_point=[L1, 0, 0]),
    )
    return Vehicle("arm", bodies, joints, base_motion="fixed", gravity=[0, 0, -G])


def weight(q: np.ndarray) -> np.ndarray:
    """Gravity torques about both joints, closed form."""
    outer = M2 * C2 * G * np.cos(q[0] + q[1])
    return -np.array([(M1 * C1 + M2 * L1) * G * np.cos(q[0]) + outer, outer])


def loops(gravity: bool, **more):
    return [controllers.joint_pid(j, KP, KD, reference=r, gravity=gravity, **more) for j, r in POSE.items()]


def test_an_arm_sags_under_plain_pd_by_the_closed_form_and_holds_its_pose_with_compensation():
    """Plain PD rests where kp (r - q) carries the weight; with the weight fed forward the error is zero."""
    wanted = np.array(list(POSE.values()))
    start = State(joints={"shoulder": 0.1, "elbow": 0.3})
    sagged = simulate(arm(), 20.0, start, controllers=loops(False), rtol=1e-10)
    resting = fsolve(lambda q: KP * (wanted - q) + weight(q), wanted, xtol=1e-13)
    found = np.array([sagged.joints[j][-1, 0] for j in POSE])
    assert_allclose(found, resting, atol=1e-8)
    assert np.all(wanted - found > 0.005)
    held = simulate(arm(), 20.0, start, controllers=loops(True), rtol=1e-10)
    assert_allclose([held.joints[j][-1, 0] for j in POSE], wanted, atol=1e-8)
    assert held.balance.worst()["energy"] < 1e-7
    assert_allclose([held.load_strength[f"{j} loop/{j}.torque"][-1] for j in POSE], -weight(wanted), rtol=1e-6)


@pytest.mark.slow
def test_both_engines_hold_it_and_the_closed_loop_is_that_of_the_gains():
    """About the pose gravity cancels in the linear model: K = kp 1; the likins engine accelerates alike (free base)."""
    model = linearize(arm(), State(joints=POSE), controllers=loops(True))
    assert_allclose(model.stiffness, KP * np.eye(2), rtol=1e-6, atol=1e-5)
    assert_allclose(model.residual, 0.0, atol=1e-9)
    plain = linearize(arm(), State(joints=POSE), controllers=loops(False))
    assert np.abs(plain.stiffness - KP * np.eye(2)).max() > 5.0
    free = arm().changed(base_motion="free")
    options = dict(controllers=loops(True, limit=400.0), samples=5, rtol=1e-10)
    a, b = (simulate(free, 0.4, State(joints={"elbow": 0.2}), engine=e, **options) for e in ("recursive", "likins"))
    assert_allclose(a.joints["elbow"], b.joints["elbow"], atol=1e-8)


def crane() -> Vehicle:
    """A tree with every kind of axis, a rotor with mass, and an appendage at an angle."""
    bodies = (
        Body("tower", 50.0, inertia=[9, 10, 11]),
        Body("beam", 7.0, [0.4, 0.1, 0.2], [0.5, 0.6, 0.7]),
        Body("trolley", 3.0, [0.05, 0, -0.1], [0.2, 0.2, 0.2]),
        Body("hook", 1.0, [0, 0.1, -0.4], [0.1, 0.1, 0.1]),
        Body("side", 2.0, [0.3, 0, 0], [0.1, 0.1, 0.1]),
    )
    joints = (
        universal("slew", "tower", "beam", [[0, 0, 1], [0, 1, 0]], parent_point=[0, 0, 2.0]),
        prismatic("travel", "beam", "trolley", [1, 0.2, 0], parent_point=[0.2, 0, 0]),
        hinge("swing", "trolley", "hook", [0, 1, 0.3], child_point=[0, 0, 0.2]),
        hinge("other", "tower", "side", [0, 1, 0], parent_point=[0, 1, 0]),
    )
    rotors = (Rotor("wheel", "hook", [0, 0, 1], 0.1, mass=1.5, position=[0.3, 0, 0.1]),)
    wing = MountedAppendage("wing", random_appendage(4), "trolley", [0.1, 0.2, 0.3])
    return Vehicle("crane", bodies, joints, rotors, (wing,), base_motion="fixed", gravity=[0.6, -0.8, -9.0])


@pytest.mark.parametrize(("joint", "axis"), [("slew", 0), ("slew", 1), ("travel", 0), ("swing", 0), ("other", 0)])
def test_the_effort_is_the_slope_of_the_potential(joint, axis):
    """Virtual work: the balancing effort is dV/dq of gravity's potential, rotors and the undeformed wing included."""
    pose = {"slew": [0.4, -0.3], "travel": [0.25], "swing": [0.6], "other": [-0.2]}

    def first(step: float):
        moved = {k: np.array(v) for k, v in pose.items()}
        moved[joint][axis] += step
        return simulate(crane(), 1e-6, State(joints=moved), outputs=[signals.gravity_effort(joint, axis)], times=[0.0])

    h = 1e-3
    V = [first(s * h).balance.potential[0] for s in (-2, -1, 1, 2)]
    slope = (V[0] - 8 * V[1] + 8 * V[2] - V[3]) / (12 * h)
    assert first(0.0).signals[f"{joint}.gravity"][0] == pytest.approx(slope, rel=1e-9, abs=1e-9)
    assert abs(slope) > 1.0


def test_a_ball_has_no_axis_to_compensate():
    vehicle = Vehicle(
        "b", (Body("a", 1.0, inertia=[1, 1, 1]), Body("c", 1.0, inertia=[1, 1, 1])), (ball("j", "a", "c"),)
    )
    with pytest.raises(VehicleError, match="needs a joint axis"):
        simulate(vehicle, 1.0, outputs=[signals.gravity_effort("j")])


def test_a_moving_reference_is_followed_closer_with_compensation():
    """The compensated arm lags by its inertia only; the plain one by the weight as well."""
    lift = profiles.smooth_ramp(0.9, 0.5, 6.0, first=0.4)

    def lag(gravity: bool) -> float:
        laws = [
            controllers.joint_pid("shoulder", KP, KD, reference=lift, gravity=gravity),
            controllers.joint_pid("elbow", KP, KD, reference=0.7, gravity=gravity),
        ]
        run = simulate(arm(), 7.0, State(joints=POSE), controllers=laws)
        return float(np.abs(run.joints["shoulder"][:, 0] - lift(run.times)).max())

    assert lag(True) < 0.1 * lag(False)
