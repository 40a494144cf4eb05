"""Motors on the axes of ball and gimbal joints."""

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import tisserand as ts

BODIES = (
    ts.Body("a", 30.0, [0.1, 0.0, -0.2], np.diag([4.0, 5.0, 6.0])),
    ts.Body("b", 8.0, [0.3, 0.1, 0.2], np.diag([0.5, 0.8, 0.9])),
)
AT, OUT = np.array([0.5, -0.2, 0.3]), np.array([-0.1, 0.2, 0.0])
FRAME = Rotation.from_rotvec([0.3, -0.5, 0.2]).as_matrix()
TORQUES = np.array([1.3, -0.7, 2.1])
TURN = Rotation.from_rotvec([0.4, 0.9, -0.3])
RATE = np.array([0.5, -0.4, 0.8])


def vehicle(kind="ball", **laws):
    joint = ts.Joint(
        "j", kind, "a", "b", parent_point=AT, child_point=OUT, parent_frame=np.eye(3), child_frame=FRAME, **laws
    )  # fmt: skip
    return ts.Vehicle("pair", BODIES, (joint,))


def start():
    x, y, z, w = TURN.as_quat()
    return ts.State(
        joints={"j": [w, x, y, z]}, joint_rates={"j": RATE}, angular_velocity=[0.1, 0.2, -0.3], velocity=[0.1, 0.0, 0.2]
    )


def motors():
    return [ts.loads.joint_torque("j", t, i, f"motor {i}") for i, t in enumerate(TORQUES)]


def test_ball_motors_against_mujoco():
    """Accelerations of a free base and a ball joint whose child side has axes of its own."""

    def text(values):
        return " ".join(repr(float(v)) for v in np.ravel(values))

    def inertial(body):
        I = body.inertia
        return f'<inertial pos="{text(body.center)}" mass="{body.mass}" diaginertia="{text(np.diag(I))}"/>'

    # at zero coordinates the joint axes of both sides coincide: R_ab = FRAME'
    q = np.roll(Rotation.from_matrix(FRAME.T).as_quat(), 1)
    child = f'<body name="b" pos="{text(AT - FRAME.T @ OUT)}" quat="{text(q)}"><joint name="j" type="ball" pos="{text(OUT)}"/>'
    xml = (
        '<mujoco><compiler inertiafromgeom="false" balanceinertia="false"/><option gravity="0 0 0"/><worldbody><body name="a">'
        f"<freejoint/>{inertial(BODIES[0])}{child}{inertial(BODIES[1])}</body></body></worldbody></mujoco>"
    )
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    x, y, z, w = (Rotation.from_matrix(FRAME) * TURN * Rotation.from_matrix(FRAME.T)).as_quat()  # in child body axes
    data.qpos[:7], data.qpos[7:11] = [0, 0, 0, 1, 0, 0, 0], [w, x, y, z]
    data.qvel[:3], data.qvel[3:6], data.qvel[6:9] = [0.1, 0.0, 0.2], [0.1, 0.2, -0.3], FRAME @ RATE
    data.qfrc_applied[6:9] = FRAME @ TORQUES
    mujoco.mj_forward(model, data)
    simulation = ts.Simulation(vehicle(), start(), loads=motors())
    run = simulation.run(1e-3, [0.0, 1e-3])
    dy = simulation.stepper.rhs(0.0, ts.Simulation(vehicle(), start(), loads=motors()).stepper.y)
    u = simulation.compiled.speeds
    assert dy[u : u + 6] == pytest.approx(data.qacc[:6], abs=1e-9)
    assert dy[simulation.compiled.joint_u["j"]] == pytest.approx(FRAME.T @ data.qacc[6:9], abs=1e-9)
    assert run.joint_effort["j"][0] == pytest.approx(TORQUES, abs=1e-9)


def test_work_and_momentum_of_ball_motors_balance_with_spring_and_damper():
    made = vehicle(stiffness=[3.0], damping=[0.4])
    run = ts.simulate(made, 5.0, start(), loads=motors(), rtol=1e-11)
    worst = run.balance.worst()
    assert max(worst.values()) < 1e-9
    assert np.abs(run.balance.angular_momentum - run.balance.angular_momentum[0]).max() < 1e-9


def test_ball_motors_on_both_engines():
    ours, theirs = (
        ts.simulate(vehicle(), 0.1, start(), loads=motors(), engine=e, samples=3, rtol=1e-10)
        for e in ("recursive", "likins")
    )
    assert ours.joint_rates["j"] == pytest.approx(theirs.joint_rates["j"], abs=1e-8)
    assert ours.joint_effort["j"] == pytest.approx(theirs.joint_effort["j"], abs=1e-8)


def test_motors_on_each_axis_of_a_gimbal():
    """At zero angles and rates the motors of a gimbal on a held base are one torque about its three axes."""
    joint = ts.gimbal("j", "a", "b", axes=np.eye(3), parent_point=AT, child_point=OUT)
    held = ts.Vehicle("held", BODIES, (joint,), base_motion="fixed")
    runs = []
    for loads in (motors(), [ts.loads.torque("b", TORQUES, 1.0)]):
        simulation = ts.Simulation(held, loads=loads)
        runs.append(simulation.stepper.rhs(0.0, simulation.stepper.y)[simulation.compiled.joint_u["j"]])
    assert runs[0] == pytest.approx(runs[1], abs=1e-12)


def test_a_law_that_takes_a_quaternion_for_an_angle_is_warned_about():
    law = ts.controllers.joint_pid("j", 1.0, 1.0, axis=1)
    run = ts.simulate(vehicle(), 0.1, start(), controllers=[law])
    assert any("coordinates of ball joint j are components of its quaternion" in w for w in run.warnings)
