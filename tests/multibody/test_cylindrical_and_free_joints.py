"""Cylindrical joints and joints of six degrees of freedom: MuJoCo, bodies that do not touch, closed forms, files, refusals."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation
from support.recursive_calls import evaluate

from tisserand import read_vehicle
from tisserand.errors import CaseError, VehicleError
from tisserand.multibody import (
    Body,
    State,
    Vehicle,
    cylindrical,
    free_joint,
    likins,
    loads,
    profiles,
    signals,
    simulate,
    system_modes,
)

HUB = Body("hub", 40.0, center=[0.1, 0, -0.05], inertia=[[9, 0.5, 0.1], [0.5, 11, -0.3], [0.1, -0.3, 8]])
ARM = Body("arm", 6.0, center=[0.05, 0.2, 0.1], inertia=[0.9, 1.1, 0.7])
TIP = Body("tip", 3.0, center=[0.1, -0.1, 0.05], inertia=[[0.4, 0.02, 0], [0.02, 0.5, 0.01], [0, 0.01, 0.3]])
AXIS = np.array([0.6, 0.0, 0.8])


def turn(seed):
    return Rotation.random(random_state=seed).as_matrix()


def quaternion(matrix):
    """Scalar first."""
    return np.roll(Rotation.from_matrix(matrix).as_quat(), 1)


def words(values):
    return " ".join(repr(float(v)) for v in np.ravel(values))


ARM_SIDES = dict(parent_point=[0.5, 0.1, 0.2], child_point=[-0.3, 0, 0.1], parent_frame=turn(1), child_frame=turn(2))
TIP_SIDES = dict(parent_point=[0.2, -0.1, 0.4], child_point=[0.1, 0.3, 0.0], parent_frame=turn(3), child_frame=turn(4))


def vehicle(**facts):
    joints = (cylindrical("c", "hub", "arm", AXIS, **facts, **ARM_SIDES), free_joint("f", "arm", "tip", **TIP_SIDES))
    return Vehicle("v", (HUB, ARM, TIP), joints, gravity=[0.1, -0.2, -1.5])


def body_in_mujoco(body, sides, joints, inside=""):
    """A body with its joints; joint axes and points are stated in its own axes at rest."""
    align = sides["parent_frame"] @ sides["child_frame"].T
    place = sides["parent_point"] - align @ sides["child_point"]
    stated = "".join(
        f'<joint type="{kind}" pos="{words(sides["child_point"])}" axis="{words(sides["child_frame"] @ axis)}" '
        f'stiffness="{k!r}" damping="{d!r}"/>'
        for kind, axis, k, d in joints
    )
    I = body.inertia
    inertia = words([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])
    return (
        f'<body pos="{words(place)}" quat="{words(quaternion(align))}">{stated}'
        f'<inertial pos="{words(body.center)}" mass="{body.mass!r}" fullinertia="{inertia}"/>{inside}</body>'
    )


def test_accelerations_are_those_of_mujoco():
    """Springs, dampers and motors on both axes of a cylindrical joint, a force on the free body, turned frames on all sides."""
    mujoco = pytest.importorskip("mujoco")
    k, d, motors = (30.0, 7.0), (1.2, 0.4), (2.5, -0.8)
    tip = body_in_mujoco(
        TIP, TIP_SIDES, [*(("slide", e, 0.0, 0.0) for e in np.eye(3)), ("ball", np.eye(3)[2], 0.0, 0.0)]
    )
    arm = body_in_mujoco(ARM, ARM_SIDES, [("slide", AXIS, k[0], d[0]), ("hinge", AXIS, k[1], d[1])], tip)
    I = HUB.inertia
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><compiler autolimits="false" inertiafromgeom="false" balanceinertia="false" angle="radian"/>'
        '<option gravity="0.1 -0.2 -1.5"><flag contact="disable" constraint="disable"/></option><worldbody><body><freejoint/>'
        f'<inertial pos="{words(HUB.center)}" mass="{HUB.mass!r}" '
        f'fullinertia="{words([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])}"/>{arm}</body></worldbody></mujoco>'
    )
    rng = np.random.default_rng(5)
    C = TIP_SIDES["child_frame"]
    slide, place, turned = np.array([0.2, 0.7]), rng.normal(size=3), turn(6)
    rates, moving, spin = (
        rng.normal(size=2),
        rng.normal(size=3),
        rng.normal(size=3),
    )  # spin: joint axes of the child side
    base, velocity, omega = turn(7), rng.normal(size=3), rng.normal(size=3)
    data = mujoco.MjData(model)
    data.qpos[:] = [0.3, -0.2, 0.1, *quaternion(base), *slide, *place, *quaternion(C @ turned @ C.T)]
    data.qvel[:] = [*velocity, *omega, *rates, *moving, *(C @ spin)]
    data.qfrc_applied[6:8] = motors
    mujoco.mj_forward(model, data)
    state = State(
        position=[0.3, -0.2, 0.1], attitude=quaternion(base), velocity=velocity, angular_velocity=omega,
        joints={"c": slide, "f": [*place, *quaternion(turned)]}, joint_rates={"c": rates, "f": [*moving, *spin]},
    )  # fmt: skip
    pushes = [loads.joint_torque("c", profiles.constant(one), i) for i, one in enumerate(motors)]
    got = evaluate(vehicle(stiffness=k, damping=d), state, pushes)
    found = [*got.velocity, *got.angular_velocity, *got.joints["c"], *got.joints["f"][:3], *(C @ got.joints["f"][3:])]
    assert_allclose(found, data.qacc, atol=1e-10 * np.abs(data.qacc).max())


def test_bodies_on_a_free_joint_do_not_feel_each_other():
    """The tip moves as if it flew alone, and the joint carries nothing."""
    both = Vehicle("both", (HUB, TIP), (free_joint("f", "hub", "tip", **TIP_SIDES),))
    state = State(
        angular_velocity=[0.2, 0.1, -0.3],
        joints={"f": [0.4, -0.1, 0.3, *quaternion(turn(8))]},
        joint_rates={"f": [0.1, 0.2, -0.1, 0.5, -0.4, 0.3]},
    )
    times = np.linspace(0.0, 3.0, 7)
    run = simulate(both, 3.0, state, times=times, rtol=1e-12, atol=1e-14)
    k = run.body("tip")
    R, w = run.rotation[0, k], run.rate[0, k]
    start = State(
        position=run.origin[0, k], attitude=quaternion(R), velocity=run.origin_velocity[0, k], angular_velocity=R.T @ w
    )
    alone = simulate(Vehicle("alone", (TIP,)), 3.0, start, times=times, rtol=1e-12, atol=1e-14)
    assert_allclose(run.rotation[:, k], alone.rotation[:, 0], atol=1e-10)
    assert_allclose(run.origin[:, k], alone.origin[:, 0], atol=1e-10)
    assert np.abs(run.joint_force["f"]).max() < 1e-11
    assert np.abs(run.joint_torque_vector["f"]).max() < 1e-11


def sprung(**facts):
    """A balanced body on the axis of a cylindrical joint on a held base."""
    disk = Body("disk", 2.0, inertia=[0.3, 0.3, 0.5])
    joint = cylindrical("c", "hub", "disk", [0, 0, 1], stiffness=(50.0, 8.0), **facts)
    return Vehicle("sprung", (HUB, disk), (joint,), base_motion="fixed")


def test_a_balanced_disk_slides_and_turns_at_its_own_frequencies():
    times = np.linspace(0.0, 2.0, 11)
    run = simulate(sprung(), 2.0, State(joints={"c": [0.1, 0.4]}), times=times, rtol=1e-12, atol=1e-14)
    slide, turning = np.sqrt(50.0 / 2.0), np.sqrt(8.0 / 0.5)
    expected = np.column_stack([0.1 * np.cos(slide * times), 0.4 * np.cos(turning * times)])
    assert_allclose(run.joints["c"], expected, atol=1e-10)
    assert_allclose(run.joint_effort["c"], -expected * [50.0, 8.0], atol=1e-8)
    assert run.settings["units"]["joints"]["c"] == "m, rad"
    assert run.settings["units"]["joint_effort"]["c"] == "N, N m"
    found = system_modes(sprung())
    assert_allclose(np.sort(found.frequencies_hz), np.sort([slide, turning]) / (2 * np.pi), rtol=1e-12)


def test_limits_are_watched_in_their_units():
    limited = sprung(limits=[(-0.05, 0.05), (-1.0, 1.0)])
    with pytest.raises(VehicleError, match="starts outside its limits") as refused:
        simulate(limited, 1.0, State(joints={"c": [0.1, 0.0]}))
    assert "0.1 m" in str(refused.value)
    with pytest.raises(VehicleError, match="starts outside its limits") as refused:
        simulate(limited, 1.0, State(joints={"c": [0.0, 1.5]}))
    assert "rad" in str(refused.value)


FILE = """
name = "pair"
[bodies.hub]
mass = 40.0
inertia = [9.0, 11.0, 8.0]
[bodies.arm]
mass = 6.0
inertia = [0.9, 1.1, 0.7]
[bodies.tip]
mass = 3.0
inertia = [0.4, 0.5, 0.3]
[joints.c]
kind = "cylindrical"
parent = "hub"
child = "arm"
axis = [0.0, 0.0, 1.0]
stiffness = [50.0, 8.0]
limits = [[-0.5, 0.5], [-1.0, 1.0]]
[joints.f]
kind = "free"
parent = "arm"
child = "tip"
parent_point = [0.0, 0.0, 1.0]
[simulation]
duration = 1.0
"""


def test_vehicle_files_state_both(tmp_path):
    path = tmp_path / "pair.toml"
    path.write_text(FILE)
    made = read_vehicle(path).vehicle
    one, other = made.joint("c"), made.joint("f")
    assert (one.kind, one.coordinates, one.speeds, one.stiffness) == ("cylindrical", 2, 2, (50.0, 8.0))
    assert one.limits == ((-0.5, 0.5), (-1.0, 1.0))
    assert (other.kind, other.coordinates, other.speeds) == ("free", 7, 6)
    assert made.degrees_of_freedom == 14
    path.write_text(FILE.replace("limits =", 'motion_deg = [{ axis = 1, shape = "constant", value = 3.0 }]\nlimits ='))
    with pytest.raises(CaseError, match="is a displacement, not an angle"):
        read_vehicle(path)
    path.write_text(FILE + "[initial]\njoints_deg = { c = [1.0, 2.0] }\n")
    with pytest.raises(CaseError, match="is not an angle alone"):
        read_vehicle(path)


def test_what_does_not_apply_is_refused_by_name():
    with pytest.raises(VehicleError, match="slides and turns on one axis"):
        cylindrical("c", "hub", "arm", [[0, 0, 1], [0, 1, 0]])
    with pytest.raises(VehicleError, match="found a cylindrical joint"):
        likins.build(vehicle())
    with pytest.raises(VehicleError, match="gravity compensation needs a joint axis"):
        simulate(vehicle(), 0.1, outputs=[signals.gravity_effort("f", 4)])
