"""Vehicles through the likins engine: random trees, joints of every kind, fields, prescribed motion,
refusals."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.trees import batched, flat, named_state, random_tree, vehicle_loads, vehicle_of

from tisserand.errors import VehicleError
from tisserand.multibody import Body, State, Vehicle, ball, fixed, gimbal, hinge, prismatic, universal
from tisserand.multibody.likins import accelerations, bookkeeping, build, run
from tisserand.multibody.loads import gravity_gradient, joint_torque, torque
from tisserand.multibody.profiles import Profile


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_vehicle_with_appendages_rotors_and_loads_moves_like_its_particles(seed):
    """Vehicle, named state and named loads against brute force, with energy and momenta."""
    tree = random_tree(seed, bodies=seed + 1, aligned=seed % 2 == 0, massless=seed > 3)
    model, state, oracle = build(vehicle_of(tree)), named_state(tree), tree.particles()
    expected = tree.expected()
    got = flat(tree, accelerations(model, state, vehicle_loads(tree)))
    assert np.abs(got - expected).max() < 1e-11 * np.abs(expected).max()
    T, p, h = oracle.momenta(batched(tree.pose), tree.speeds)
    book = bookkeeping(model, state)
    assert book.kinetic == pytest.approx(T, rel=1e-12)
    assert np.abs(book.linear - p).max() < 1e-12 * np.abs(p).max()
    assert np.abs(book.angular - h).max() < 1e-12 * np.abs(h).max()


def test_gravity_gradient_field_is_the_sum_over_particles():
    """Field n² (3 a a'x - x) on every particle, deformation included, against its resultants on the
    substructures."""
    tree = random_tree(4, bodies=5, loads=False)
    oracle = tree.particles()
    x = np.real(oracle.places(batched(tree.pose))[0][0])
    rate, time = 0.9, 0.7
    a, b = np.array([0.6, 0.8, 0.0]), np.array([0.0, 0.0, 1.0])
    up = np.cos(rate * time) * a + np.sin(rate * time) * b
    forces, generalized, torques = tree.applied(oracle)
    forces = forces + oracle.masses[:, None] * rate**2 * (3.0 * (x @ up)[:, None] * up - x)
    expected = oracle.accelerations(batched(tree.pose), tree.speeds, forces, generalized, torques)
    got = accelerations(build(vehicle_of(tree)), named_state(tree), [gravity_gradient(rate, a, b)], time)
    assert np.abs(flat(tree, got) - expected).max() < 1e-11 * np.abs(expected).max()


@pytest.mark.parametrize("prescribed", [1, 3])
def test_prescribed_hinge_returns_the_torque_that_the_motor_would_give(prescribed):
    """K1: drive a hinge along the motion that a motor produces; the same accelerations and the motor's torque
    come out."""
    tree = random_tree(5, bodies=5)
    vehicle, state, loads = vehicle_of(tree), named_state(tree), vehicle_loads(tree)
    free = accelerations(build(vehicle), state, loads)
    name = f"j{prescribed}"
    angle, rate = float(state.joints[name][0]), float(state.joint_rates[name][0])
    motion = Profile([0.0], [[angle, rate, 0.5 * float(free.joints[name][0]), 0.0, 0.0, 0.0, 0.0]])
    joints = [replace(j, motion=(motion,)) if j.name == name else j for j in vehicle.joints]
    driven = accelerations(build(vehicle.changed(joints=joints)), state, [x for x in loads if x.target != name])
    assert flat(tree, driven) == pytest.approx(flat(tree, free), rel=1e-10, abs=1e-11)
    assert driven.joint_drives[name] == pytest.approx(free.joint_drives[name], rel=1e-9)
    spring = -tree.springs[prescribed - 1] * angle - tree.dampers[prescribed - 1] * rate
    assert float(free.joint_drives[name][0]) == pytest.approx(spring + tree.motors[prescribed - 1], rel=1e-9)


HUB = Body("hub", 30.0, [0.1, -0.2, 0.05], np.diag([9.0, 8.0, 7.0]))
ARM = Body("arm", 4.0, [0.5, 0.1, -0.3], np.diag([0.7, 1.1, 0.9]))
FRAMES = {
    "parent_point": np.array([0.8, 0.1, -0.2]),
    "child_point": np.array([-0.4, 0.2, 0.1]),
    "parent_frame": Rotation.from_rotvec([0.3, -0.5, 0.2]).as_matrix(),
    "child_frame": Rotation.from_rotvec([-0.7, 0.1, 0.4]).as_matrix(),
}
SPIN = {"velocity": [0.1, 0.2, -0.1], "angular_velocity": [0.4, -0.3, 0.6]}
AXES = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.2]])


def test_universal_joint_is_an_imaginary_body_between_two_hinges():
    """F7: a Hooke joint equals a hand-made massless body; it adds two degrees of freedom and nothing else (6
    + n)."""
    direct = Vehicle("direct", [HUB, ARM], [universal("u", "hub", "arm", AXES, stiffness=(3.0, 2.0), **FRAMES)])
    inner = {"parent_point": FRAMES["parent_point"], "parent_frame": FRAMES["parent_frame"]}
    outer = {"child_point": FRAMES["child_point"], "child_frame": FRAMES["child_frame"]}
    by_hand = Vehicle(
        "by hand",
        [HUB, Body("cross"), ARM],
        [
            hinge("u1", "hub", "cross", AXES[0], stiffness=3.0, **inner),
            hinge("u2", "cross", "arm", AXES[1], stiffness=2.0, **outer),
        ],
    )
    assert direct.degrees_of_freedom == by_hand.degrees_of_freedom == 8
    one = accelerations(build(direct), State(joints={"u": [0.4, -0.9]}, joint_rates={"u": [1.0, 0.5]}, **SPIN))
    two = accelerations(
        build(by_hand), State(joints={"u1": 0.4, "u2": -0.9}, joint_rates={"u1": 1.0, "u2": 0.5}, **SPIN)
    )
    assert one.joints["u"] == pytest.approx([two.joints["u1"][0], two.joints["u2"][0]], rel=1e-12)
    assert one.angular_velocity == pytest.approx(two.angular_velocity, rel=1e-12)
    assert one.joint_forces["u"] == pytest.approx(two.joint_forces["u2"], rel=1e-10)
    assert two.joint_forces["u1"] == pytest.approx(two.joint_forces["u2"], rel=1e-10)  # nothing stays in the cross


def test_ball_joint_by_quaternion_moves_like_two_imaginary_bodies():
    """The same motion with a quaternion and with three hinge angles (requirement 11 of the examples)."""
    sides = FRAMES
    order = np.eye(3)
    angles, rates = np.array([0.5, -0.4, 0.8]), np.array([0.3, 0.6, -0.2])

    def turn(q):
        return (
            Rotation.from_rotvec(order[0] * q[0])
            * Rotation.from_rotvec(order[1] * q[1])
            * Rotation.from_rotvec(order[2] * q[2])
        )

    third, second = Rotation.from_rotvec(order[2] * angles[2]), Rotation.from_rotvec(order[1] * angles[1])
    relative = rates[2] * order[2] + third.inv().apply(rates[1] * order[1] + second.inv().apply(rates[0] * order[0]))
    x, y, z, s = turn(angles).as_quat()
    by_ball = Vehicle("ball", [HUB, ARM], [ball("b", "hub", "arm", **sides)])
    by_axes = Vehicle("axes", [HUB, ARM], [gimbal("b", "hub", "arm", order, **sides)])
    times = [0.0, 0.5, 1.5]
    one = run(build(by_ball), State(joints={"b": [s, x, y, z]}, joint_rates={"b": relative}, **SPIN), times)
    two = run(build(by_axes), State(joints={"b": angles}, joint_rates={"b": rates}, **SPIN), times)
    for p, q in zip(one.states, two.states):
        assert p.angular_velocity == pytest.approx(q.angular_velocity, abs=1e-9)
        assert p.position == pytest.approx(q.position, abs=1e-9)
        attitude = Rotation.from_quat(np.roll(p.joints["b"], -1))
        assert (attitude.inv() * turn(np.asarray(q.joints["b"]))).magnitude() < 1e-8


def test_ball_joint_with_a_spring_conserves_energy_and_momentum():
    vehicle = Vehicle("ball", [HUB, ARM], [ball("b", "hub", "arm", stiffness=5.0, **FRAMES)])
    result = run(build(vehicle), State(joint_rates={"b": [2.0, -1.0, 1.5]}, **SPIN), np.linspace(0, 2, 5), rtol=1e-11)
    books = [bookkeeping(build(vehicle), s) for s in result.states]
    energy = [b.kinetic + b.potential for b in books]
    assert np.ptp(energy) < 1e-8 * energy[0]
    assert np.ptp([b.angular for b in books], axis=0).max() < 1e-8
    assert max(b.potential for b in books) > 0.05 * energy[0]


def test_fixed_joint_welds_two_bodies_into_one():
    """A fixed joint against the body with the summed mass properties, turned into the hub's axes."""
    welded = Vehicle("welded", [HUB, ARM], [fixed("f", "hub", "arm", **FRAMES)])
    R = FRAMES["parent_frame"] @ FRAMES["child_frame"].T
    origin = FRAMES["parent_point"] - R @ FRAMES["child_point"]
    c2 = origin + R @ ARM.center
    mass = HUB.mass + ARM.mass
    center = (HUB.mass * HUB.center + ARM.mass * c2) / mass
    point = lambda m, d: m * (d @ d * np.eye(3) - np.outer(d, d))  # noqa: E731
    inertia = HUB.inertia + point(HUB.mass, HUB.center - center) + R @ ARM.inertia @ R.T + point(ARM.mass, c2 - center)
    single = Vehicle("single", [Body("hub", mass, center, inertia)])
    loads = [torque("hub", [1.0, 2.0, 3.0])]
    one, two = (accelerations(build(v), State(**SPIN), loads) for v in (welded, single))
    assert one.angular_velocity == pytest.approx(two.angular_velocity, rel=1e-12)
    assert one.velocity == pytest.approx(two.velocity, rel=1e-11)
    assert welded.degrees_of_freedom == 6


def test_what_the_report_cannot_express_is_refused_by_name():
    slide = Vehicle("v", [HUB, ARM], [prismatic("s", "hub", "arm", [1, 0, 0])])
    with pytest.raises(VehicleError, match=r"joint s.*line hinges only.*prismatic.*recursive"):
        build(slide)
    with pytest.raises(VehicleError, match=r"free base.*fixed base.*recursive"):
        build(Vehicle("v", [HUB], base_motion="fixed"))
    tree = random_tree(1, bodies=2)
    vehicle = vehicle_of(tree)
    on_node = replace(vehicle.joints[0], parent_interface=("a0", "root"))
    with pytest.raises(VehicleError, match=r"joint j1.*rigid bodies.*flexible node"):
        build(vehicle.changed(joints=[on_node]))
    floating = replace(vehicle.appendages[0], record=_floating(vehicle.appendages[0].record))
    with pytest.raises(VehicleError, match=r"a0.*mean-axis"):
        build(vehicle.changed(appendages=[floating]))
    with pytest.raises(VehicleError, match=r"a0.*constant"):
        build(vehicle_of(tree, inertia="constant"))


def _floating(record):
    face = record.interfaces[0]
    moved = replace(face, translation=np.ones_like(face.translation))
    return record.changed(interfaces=(moved,))


def test_manipulator_spacecraft_obeys_its_printed_equation():
    """S3 Table 2: u2' = [T2A - T^{A/B} - (I1A - I3A) u1 u3]/I2A at every output time, B hinged on A* about
    a2; 9 dof."""
    I1, I2, I3 = 50.0, 40.0, 65.0
    A = Body("A", 200.0, np.zeros(3), np.diag([I1, I2, I3]))
    others = [Body(n, m, [0.3, 0.1, 0.0], np.diag([0.5, 0.8, 0.9]) * m / 10) for n, m in zip("BCDE", (20, 12, 8, 5))]
    out, own = np.array([0.9, 0.2, 0.1]), np.array([-0.4, 0.0, 0.1])
    vehicle = Vehicle(
        "manipulator",
        [A, *others],
        [
            hinge("AB", "A", "B", [0, 1, 0], child_point=[0.0, -0.3, 0.0]),
            hinge("BC", "B", "C", [1, 0, 0.3], parent_point=out, child_point=own),
            hinge("CD", "C", "D", [0, 0.2, 1], parent_point=out, child_point=own),
            ball("DE", "D", "E", parent_point=out, child_point=own),
        ],
    )
    assert vehicle.degrees_of_freedom - 3 == 9  # translation is ignorable without external force
    motor, external = 1.7, 0.6
    loads = [joint_torque("AB", motor), torque("A", [0.4, external, -0.2]), joint_torque("BC", 0.5)]
    model = build(vehicle)
    start = State(
        angular_velocity=[0.3, -0.2, 0.4],
        joints={"AB": 0.3, "BC": -0.5},
        joint_rates={"AB": 0.8, "CD": -0.6, "DE": [0.3, 0.2, -0.5]},
    )
    result = run(model, start, np.linspace(0.0, 2.0, 5), loads)
    for time, state in zip(result.times, result.states):
        u1, _, u3 = state.angular_velocity
        got = accelerations(model, state, loads, time).angular_velocity[1]
        assert got == pytest.approx((external - motor - (I1 - I3) * u1 * u3) / I2, rel=1e-11)
