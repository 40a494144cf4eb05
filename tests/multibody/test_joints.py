"""Joints: massless gimbals, ball against gimbal, frames that do not coincide, prescribed motion, S3's manipulator spacecraft."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from support.manipulator import manipulator

from tisserand.multibody import (
    Body,
    Event,
    PrescribedMotion,
    Rotor,
    SampledController,
    Simulation,
    State,
    Vehicle,
    attitude,
    ball,
    controllers,
    fixed,
    gimbal,
    hinge,
    linearize,
    load_trajectory,
    loads,
    prismatic,
    profiles,
    save_trajectory,
    signals,
    simulate,
    system_modes,
    universal,
)
from tisserand.multibody.inertia import point_inertia

HUB = Body("hub", 40.0, center=[0.1, 0, -0.05], inertia=[[9, 0.5, 0.1], [0.5, 11, -0.3], [0.1, -0.3, 8]])
ARM = Body("arm", 6.0, center=[0, 0.2, 0.1], inertia=[0.9, 1.1, 0.7])
SIDES = dict(parent_point=np.array([0.5, 0.1, 0.2]), child_point=np.array([-0.3, 0, 0.1]))


def rotation(seed):
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    return Q * np.linalg.det(Q)


def test_universal_joint_is_two_hinges_on_a_massless_body():
    """S1 §II: an imaginary massless body between two hinges, built by hand, moves exactly as the universal joint."""
    axes = [[0, 0, 1], [0, 1, 0]]
    one = Vehicle("one", (HUB, ARM), (universal("u", "hub", "arm", axes, stiffness=(3.0, 2.0), **SIDES),))
    two = Vehicle(
        "two",
        (HUB, Body("cross"), ARM),
        (
            hinge("a", "hub", "cross", axes[0], parent_point=SIDES["parent_point"], stiffness=3.0),
            hinge("b", "cross", "arm", axes[1], child_point=SIDES["child_point"], stiffness=2.0),
        ),
    )
    assert one.degrees_of_freedom == two.degrees_of_freedom == 8
    base = dict(angular_velocity=[0.2, 0.1, -0.3])
    x = simulate(one, 5.0, State(joints={"u": [0.2, -0.4]}, joint_rates={"u": [1.0, 0.5]}, **base), rtol=1e-11)
    y = simulate(two, 5.0, State(joints={"a": 0.2, "b": -0.4}, joint_rates={"a": 1.0, "b": 0.5}, **base), rtol=1e-11)
    assert_allclose(x.joints["u"], np.hstack([y.joints["a"], y.joints["b"]]), atol=1e-10)
    assert max(x.balance.worst().values()) < 1e-10


def test_ball_joint_turns_as_a_gimbal_of_three_axes():
    """A quaternion joint and three hinges with two massless bodies describe the same motion away from gimbal lock."""
    one = Vehicle("ball", (HUB, ARM), (ball("j", "hub", "arm", **SIDES),))
    two = Vehicle("gimbal", (HUB, ARM), (gimbal("j", "hub", "arm", np.eye(3), **SIDES),))
    w = np.array([0.4, -0.3, 0.5])
    x = simulate(one, 3.0, State(angular_velocity=[0.1, 0.2, 0.3], joint_rates={"j": w}), rtol=1e-12)
    y = simulate(two, 3.0, State(angular_velocity=[0.1, 0.2, 0.3], joint_rates={"j": w}), rtol=1e-12)
    assert_allclose(x.rotation[:, x.body("arm")], y.rotation[:, y.body("arm")], atol=1e-9)
    assert_allclose(x.joint_force["j"], y.joint_force["j"], atol=1e-8)


def test_nominal_frames_need_not_coincide():
    """Turning the axes of the child body (mass properties and joint frame with it) changes nothing in space."""
    Q, F = rotation(1), rotation(2)
    one = Vehicle(
        "plain",
        (HUB, ARM),
        (hinge("j", "hub", "arm", [0, 0, 1], parent_frame=F, child_frame=F, stiffness=4.0, **SIDES),),
    )
    turned = Body("arm", ARM.mass, Q @ ARM.center, Q @ ARM.inertia @ Q.T)
    sides = dict(parent_point=SIDES["parent_point"], child_point=Q @ SIDES["child_point"])
    two = Vehicle(
        "turned",
        (HUB, turned),
        (hinge("j", "hub", "arm", [0, 0, 1], parent_frame=F, child_frame=Q @ F, stiffness=4.0, **sides),),
    )
    start = State(angular_velocity=[0.1, 0.2, 0.3], joints={"j": 0.3}, joint_rates={"j": 1.0})
    x, y = simulate(one, 4.0, start, rtol=1e-11), simulate(two, 4.0, start, rtol=1e-11)
    assert_allclose(x.joints["j"], y.joints["j"], atol=1e-9)
    k = x.body("arm")
    assert_allclose(x.rotation[:, k], y.rotation[:, k] @ Q, atol=1e-9)
    axis = x.rotation[:, 0] @ F @ [0, 0, 1]
    relative = np.einsum("nba,nbc->nac", x.rotation[:, 0], x.rotation[:, k])
    # theory Eq. (50): the child turns by the right-hand rule about the axis
    sine = 0.5 * np.stack(
        [
            relative[:, 2, 1] - relative[:, 1, 2],
            relative[:, 0, 2] - relative[:, 2, 0],
            relative[:, 1, 0] - relative[:, 0, 1],
        ],
        -1,
    )
    assert_allclose(sine, np.sin(x.joints["j"]) * (F @ [0, 0, 1]), atol=1e-12)
    assert axis.shape == (len(x), 3)


def test_fixed_joint_makes_one_body():
    """Two bodies welded together move as the body with their combined mass properties."""
    two = Vehicle("two", (HUB, ARM), (fixed("w", "hub", "arm", **SIDES),))
    place = SIDES["parent_point"] - SIDES["child_point"] + ARM.center
    m = HUB.mass + ARM.mass
    c = (HUB.mass * HUB.center + ARM.mass * place) / m
    inertia = HUB.inertia + ARM.inertia + point_inertia(HUB.mass, HUB.center - c) + point_inertia(ARM.mass, place - c)
    one = Vehicle("one", (Body("hub", m, c, inertia),))
    start = State(velocity=[1, 0, 0], angular_velocity=[0.3, 0.5, -0.2])
    x, y = simulate(two, 5.0, start, rtol=1e-11), simulate(one, 5.0, start, rtol=1e-11)
    assert_allclose(x.position, y.position, atol=1e-9)
    assert_allclose(x.angular_velocity, y.angular_velocity, atol=1e-10)


def test_slider_oscillates_with_the_reduced_mass():
    """Two masses on a spring along a slider: omega^2 = k (1/m1 + 1/m2)."""
    v = Vehicle(
        "s",
        (Body("a", 3.0, inertia=[1, 1, 1]), Body("b", 2.0, inertia=[1, 1, 1])),
        (prismatic("s", "a", "b", [1, 0, 0], stiffness=7.0),),
    )
    run = simulate(v, 5.0, State(joints={"s": 0.1}), rtol=1e-12)
    assert_allclose(run.joints["s"][:, 0], 0.1 * np.cos(np.sqrt(7 * (1 / 3 + 1 / 2)) * run.times), atol=1e-10)


def test_prescribed_hinge_returns_the_torque_it_needs():
    """K1: the torque returned for gamma(t) drives the free hinge along the same gamma(t)."""
    motion = profiles.smooth_ramp(0.8, 0.5, 3.0)
    driven = Vehicle("d", (HUB, ARM), (hinge("j", "hub", "arm", [0, 1, 0], motion=motion, **SIDES),))
    run = simulate(driven, 5.0, State(angular_velocity=[0.05, 0.1, -0.05]), rtol=1e-12, samples=2001)
    assert max(run.balance.worst().values()) < 1e-9
    assert driven.degrees_of_freedom == 6
    torque = profiles.table(run.times, run.joint_effort["j"][:, 0], "cubic")
    free = Vehicle("f", (HUB, ARM), (hinge("j", "hub", "arm", [0, 1, 0], **SIDES),))
    check = simulate(
        free, 5.0, State(angular_velocity=[0.05, 0.1, -0.05]), loads=[loads.joint_torque("j", torque)], rtol=1e-10
    )
    assert_allclose(check.joints["j"][:, 0], motion(check.times), atol=2e-6)


def test_pendulum_under_gravity_and_the_reaction_of_a_fixed_base():
    """Physical pendulum: period of small swings, and a hanging body's weight at the hinge and the base."""
    m, l, I, g = 2.0, 0.7, 0.3, 9.81
    bob = Body("bob", m, center=[0, 0, -l], inertia=[I, I, I])
    v = Vehicle(
        "p",
        (Body("wall", 1.0, inertia=[1, 1, 1]), bob),
        (hinge("j", "wall", "bob", [1, 0, 0]),),
        base_motion="fixed",
        gravity=[0, 0, -g],
    )
    rest = simulate(v, 0.1, samples=2)
    assert_allclose(rest.joint_force["j"][0], [0, 0, m * g], atol=1e-12)
    assert_allclose(rest.joint_force["wall"][0], [0, 0, (m + 1) * g], atol=1e-12)
    assert system_modes(v).frequencies_hz[0] == pytest.approx(
        np.sqrt(m * g * l / (I + m * l * l)) / (2 * np.pi), rel=1e-9
    )
    swing = simulate(v, 10.0, State(joints={"j": 1.0}), rtol=1e-11)
    assert swing.balance.worst()["energy"] < 1e-10


def test_symmetric_three_body_system():
    """S0 III-A-3, Eqs 259-300: m=2, L=1.5, r=0.5, M=44, I0=12, k=9 give 3.795918 and 1.609756 rad^2/s^2."""
    m, L, r = 2.0, 1.5, 0.5
    rod = [m * L * L / 3, 0.0, m * L * L / 3]
    hub = Body("hub", 44.0 - 2 * m, inertia=[12, 12, 12])
    joints = [
        hinge(
            f"h{s}", "hub", f"rod{s}", [1, 0, 0], parent_point=[0, s * r, 0], child_point=[0, -s * L, 0], stiffness=9.0
        )
        for s in (1, -1)
    ]
    v = Vehicle("three", (hub, Body("rod1", m, inertia=rod), Body("rod-1", m, inertia=rod)), tuple(joints))
    squared = (2 * np.pi * system_modes(v).frequencies_hz) ** 2
    assert squared == pytest.approx([1.609756, 3.795918], abs=1e-6)


def test_manipulator_spacecraft_obeys_the_printed_equation():
    """S3 example 4: u2' = [T2A - T^{A/B} - (I1A - I3A) u1 u3]/I2A at every time, with B hinged at A's mass center along a2."""
    v = manipulator()
    assert v.degrees_of_freedom == 6 + 6
    law = [
        loads.torque("A", [0, 1, 0], profiles.sine(2.0, 0.3)),
        loads.joint_torque("AB", profiles.sine(1.5, 0.5)),
        *(loads.joint_torque("BC", profiles.sine(0.5, 0.2 + 0.1 * i), axis=i) for i in range(3)),
        loads.joint_torque("CD", 0.1),
    ]
    start = State(
        angular_velocity=[0.1, -0.05, 0.2],
        joints={"BC": [0.3, 0.2, -0.4], "CD": 0.5},
        joint_rates={"AB": 0.3, "DE": 0.4},
    )
    run = simulate(v, 5.0, start, loads=law, rtol=1e-10)
    u = run.rate_in_body("A")
    accel = np.einsum("nba,nb->na", run.rotation[:, 0], run.angular_acceleration[:, 0])
    T2A, TAB = run.load_strength["A.torque"], run.load_strength["AB.torque"]
    printed = (T2A - TAB - (120.0 - 100.0) * u[:, 0] * u[:, 2]) / 150.0
    assert np.abs(accel[:, 1] - printed).max() < 1e-12
    assert max(run.balance.worst().values()) < 1e-8


def test_gravity_gradient_libration():
    """Pitch libration of a body in circular orbit: omega = n sqrt(3 (I_roll - I_yaw)/I_pitch) about the rotating vertical."""
    n, I = 0.01, np.array([80.0, 100.0, 60.0])  # axes: x vertical (yaw) smallest works with I_roll = y
    I = np.array([60.0, 90.0, 100.0])
    v = Vehicle("sat", (Body("b", 100.0, inertia=I),))
    tilt = 1e-4
    q = np.array([np.cos(tilt / 2), 0, 0, np.sin(tilt / 2)])
    run = simulate(
        v,
        400.0,
        State(attitude=q, angular_velocity=[0, 0, n]),
        loads=[loads.gravity_gradient(n)],
        rtol=1e-11,
        atol=1e-14,
    )
    angle = 2 * np.arctan2(run.attitude[:, 3], run.attitude[:, 0]) - n * run.times
    angle = np.unwrap(angle)
    expected = tilt * np.cos(n * np.sqrt(3 * (I[1] - I[0]) / I[2]) * run.times)
    assert np.abs(angle - expected).max() < 1e-9


def test_prescribed_base_follows_its_profile():
    """A driven base carries a spring pendulum: steady spin gives the centrifugal equilibrium moment at the hinge."""
    drive = PrescribedMotion(
        axis=[0, 0, 1], angle=profiles.ramp(200.0, 0.0, 100.0), translation=(profiles.sine(0.1, 0.2), None, None)
    )
    v = Vehicle("d", (HUB, ARM), (hinge("j", "hub", "arm", [0, 1, 0], stiffness=50.0, **SIDES),), base_motion=drive)
    run = simulate(v, 5.0, rtol=1e-11)
    assert_allclose(run.angular_velocity, np.tile([0, 0, 2.0], (len(run), 1)), atol=1e-12)
    assert_allclose(run.position[:, 0], 0.1 * np.sin(0.4 * np.pi * run.times), atol=1e-12)
    assert max(run.balance.worst().values()) < 1e-9


def test_attitude_pd_on_wheels_and_inner_states():
    """A PD loop through three wheels: second-order response about one axis, (I - J) theta'' = -kp theta - kd theta'."""
    wheels = tuple(Rotor(f"w{i}", "hub", np.eye(3)[i], 0.1) for i in range(3))
    v = Vehicle("s", (Body("hub", 10.0, inertia=[5.1, 6.1, 7.1]),), rotors=wheels, bodies_include_rotors=True)
    loop = controllers.attitude_pd("hub", 0.02, 0.3, rotors=[(f"w{i}", np.eye(3)[i]) for i in range(3)])
    small = 1e-5
    run = simulate(v, 60.0, State(attitude=[1, 0, 0, small / 2]), controllers=[loop], rtol=1e-10, atol=1e-15)
    s = np.roots([7.0, 0.3, 0.02])
    exact = small * np.real((s[1] * np.exp(s[0] * run.times) - s[0] * np.exp(s[1] * run.times)) / (s[1] - s[0]))
    assert np.abs(2 * run.attitude[:, 3] - exact).max() < 1e-5 * small
    assert run.balance.worst()["angular momentum"] < 1e-9
    poles = linearize(v, controllers=[loop]).poles
    assert all(np.abs(poles - p).min() < 1e-8 for p in s)


def test_state_space_block_filters_in_the_loop():
    """A first-order lag between a step and a torque: w(t) of the filtered torque, in closed form."""
    v = Vehicle("s", (Body("hub", 1.0, inertia=[2, 2, 2]),))
    lag = controllers.state_space(
        "lag",
        [signals.value_of(profiles.step(1.0))],
        [loads.torque("hub", [0, 0, 1], None)],
        [[-2.0]],
        B=[[2.0]],
        C=[[1.0]],
        D=[[0.0]],
    )
    run = simulate(v, 3.0, controllers=[lag], rtol=1e-11)
    t = run.times
    assert_allclose(run.angular_velocity[:, 2], (t - (1 - np.exp(-2 * t)) / 2) / 2.0, atol=1e-10)
    assert run.controllers["lag"].shape == (len(run), 1)


def test_sampled_law_holds_and_delays():
    """A law called each 0.5 s, 0.1 s late, commanding its call count: the torque is a staircase."""
    v = Vehicle("s", (Body("hub", 1.0, inertia=[1, 1, 1]),))
    calls = []

    def law(time, values):
        calls.append(time)
        return [float(len(calls))]

    sampled = SampledController(
        "law", (signals.body_rate("hub", [0, 0, 1]),), (loads.torque("hub", [0, 0, 1], None),), law, 0.5, 0.1
    )
    run = simulate(v, 1.7, controllers=[sampled], times=[0.1, 0.6, 1.1, 1.6], rtol=1e-11)
    assert_allclose(calls, [0, 0.5, 1.0, 1.5])
    assert_allclose(run.angular_velocity[:, 2], [0, 0.5, 1.5, 3.0], atol=1e-12)
    calls.clear()
    late = SampledController("law", sampled.inputs, sampled.outputs, law, 0.5, 1.2)  # several commands on their way
    run = simulate(v, 2.5, controllers=[late], times=[1.2, 1.7, 2.2], rtol=1e-11)
    assert_allclose(run.angular_velocity[:, 2], [0, 0.5, 1.5], atol=1e-12)


def test_external_software_steps_the_simulation():
    v = Vehicle("s", (Body("hub", 1.0, inertia=[2, 2, 2]),))
    simulation = Simulation(
        v, loads=[loads.torque("hub", [0, 0, 1], "motor")], outputs=[signals.body_rate("hub", [0, 0, 1], "gyro")]
    )
    for _ in range(10):
        seen = simulation.step(0.1, {"motor": 4.0})
    assert seen["gyro"] == pytest.approx(2.0, rel=1e-10)
    assert simulation.time == pytest.approx(1.0)


@pytest.mark.parametrize("method", ["dop853", "rk4", "LSODA"])
def test_events_are_located_and_limits_stop_the_run(method):
    """A spring hinge crosses zero at a quarter period; a declared limit ends the run with the partial trajectory and why."""
    heavy = Body("hub", 1.0, inertia=[1, 1, 1])
    v = Vehicle(
        "s",
        (heavy, Body("arm", 1.0, inertia=[1, 1, 1])),
        (hinge("j", "hub", "arm", [0, 0, 1], stiffness=4.0),),
        base_motion="fixed",
    )
    run = simulate(
        v,
        5.0,
        State(joints={"j": 0.1}),
        events=[Event("zero", signals.joint_angle("j"), 0.0)],
        rtol=1e-11,
        method=method,
        step=2e-3,
    )
    assert [e.time for e in run.events] == pytest.approx([np.pi / 4 * (2 * k + 1) for k in range(3)], abs=1e-8)
    limited = v.changed(joints=(hinge("j", "hub", "arm", [0, 0, 1], limits=(-1.0, 0.5)),))
    run = simulate(limited, 5.0, State(joint_rates={"j": 0.25}), method=method)
    assert not run.complete and "upper limit" in run.reason
    assert run.times[-1] == pytest.approx(2.0, abs=1e-9) and run.joints["j"][-1, 0] == pytest.approx(0.5, abs=1e-9)
    assert simulate(limited, 5.0, State(joint_rates={"j": 0.25}), on_limit="record", method=method).complete


@pytest.mark.parametrize("method", ["Radau", "BDF", "LSODA"])
def test_stiff_methods_share_the_interface(method):
    v = Vehicle("s", (HUB, ARM), (hinge("j", "hub", "arm", [0, 0, 1], stiffness=1e3, damping=1e3, **SIDES),))
    start = State(angular_velocity=[0.1, 0.2, 0.3], joints={"j": 0.1})
    run = simulate(v, 1.0, start, method=method, rtol=1e-6, atol=1e-9, samples=11)
    reference = simulate(v, 1.0, start, rtol=1e-10, samples=11)
    assert_allclose(run.joints["j"], reference.joints["j"], atol=1e-5)


def test_trajectory_file_round_trip(tmp_path):
    v = Vehicle("s", (HUB, ARM), (ball("j", "hub", "arm", **SIDES),), (Rotor("w", "hub", [1, 0, 0], 0.1),))
    run = simulate(
        v,
        1.0,
        State(angular_velocity=[0.1, 0.2, 0.3]),
        outputs=[signals.body_rate("arm", [1, 0, 0], "a/b")],
        samples=11,
    )
    back = load_trajectory(save_trajectory(run, tmp_path / "run.h5"))
    assert back.summary() == run.summary()
    assert_allclose(back.joints["j"], run.joints["j"], rtol=0, atol=0)
    assert_allclose(back.signals["a/b"], run.signals["a/b"], rtol=0, atol=0)
    again = simulate(v, 1.0, back.state(), samples=11, start=1.0)
    whole = simulate(v, 2.0, State(angular_velocity=[0.1, 0.2, 0.3]), samples=21, rtol=1e-11)
    assert_allclose(again.angular_velocity[-1], whole.angular_velocity[-1], atol=1e-8)


def test_all_angle_sets_and_parameters_return():
    """24 angle sets, Wiener-Milenkovic, direction cosines: there and back on random attitudes."""
    q = np.random.default_rng(0).normal(size=(20, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    R = attitude.direction_cosines(q)
    assert len(attitude.ANGLE_SETS) == 24
    for name in attitude.ANGLE_SETS:
        again = attitude.from_orientation_angles(attitude.orientation_angles(q, name), name)
        assert_allclose(attitude.direction_cosines(again), R, atol=1e-12)
    mu = attitude.wiener_milenkovic(q)
    assert np.linalg.norm(mu, axis=1).max() <= 4.0 + 1e-12
    assert_allclose(attitude.direction_cosines(attitude.from_wiener_milenkovic(mu)), R, atol=1e-12)
    assert_allclose(attitude.direction_cosines(attitude.euler_parameters(R)), R, atol=1e-12)
