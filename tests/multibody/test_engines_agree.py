"""Two engines that share no appendage algebra, and brute-force particle mechanics that decides between
them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.flexible_joints import FlexibleJoints
from support.recursive_calls import evaluate
from support.trees import batched, flat, named_state, particle_inertia, random_tree, vehicle_loads, vehicle_of

from tisserand.appendage.record.reduced_appendage import GEOMETRIC_FAMILIES
from tisserand.multibody import Body, PrescribedMotion, State, Vehicle, ball, fixed, gimbal, hinge, likins, universal
from tisserand.multibody.loads import gravity_gradient, joint_torque, torque
from tisserand.multibody.profiles import sine


def by_likins(vehicle, state, loads=(), time=0.0, form=None):
    return likins.accelerations(likins.build(vehicle, form), state, loads, time)


def difference(tree, one, two):
    """Largest difference of two named results, relative to the largest acceleration."""
    a, b = flat(tree, one), flat(tree, two)
    return np.abs(a - b).max() / np.abs(b).max()


@pytest.mark.parametrize("seed", range(8))
def test_recursive_full_inertia_is_exact_on_random_trees(seed):
    """Trees with appendages, rotors, nodal loads, gravity, massless bodies: particles decide, 1e-11."""
    tree = random_tree(20 + seed, bodies=seed + 1, aligned=seed % 2 == 0, massless=seed > 3)
    expected = tree.expected()
    got = flat(tree, evaluate(vehicle_of(tree), named_state(tree), vehicle_loads(tree)))
    assert np.abs(got - expected).max() < 1e-11 * np.abs(expected).max()


@pytest.mark.parametrize("fixed_base", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_recursive_flexible_joints_are_exact(seed, fixed_base):
    """Hinges on flexible nodes by the exponential map, floating frames, a slider, a fixed base: particles
    decide, 1e-11.

    These the likins engine refuses, so the particles are the only judge.
    """
    system = FlexibleJoints(seed, fixed_base)
    expected = system.expected()
    r = evaluate(system.vehicle, system.state)
    got = named(r)
    assert np.abs(got - expected).max() < 1e-11 * np.abs(expected).max()


def named(r):
    """Accelerations of the vehicle with flexible joints in the order of its oracle."""
    joints = [r.joints[n] for n in ("arm", "slider", "end")]
    modal = [r.modal[n] for n in ("wing", "sail", "boom")]
    return np.concatenate([r.velocity, r.angular_velocity, *joints, [r.rotors["wheel"]], *modal])


def test_recursive_driven_base_is_exact():
    """A base on profiles (translation and turn): everything it carries, flexible joints included, particles
    decide."""
    system = FlexibleJoints(5, fixed_base=True)
    axis = np.array([0.6, 0.0, 0.8])
    slides, angle, time = (sine(0.4, 0.3, 0.2), sine(-0.3, 0.5), None), sine(0.7, 0.25, 0.4), 1.3
    start = system.state
    vehicle = system.vehicle.changed(base_motion=PrescribedMotion(slides, axis, angle))
    at = [[float(x) for x in p.derivatives(time)] if p else [0.0, 0.0, 0.0] for p in slides]
    turned = [float(x) for x in angle.derivatives(time)]
    R0 = system.pose.R0[0] @ Rotation.from_rotvec(axis * turned[0]).as_matrix()
    system.pose = replace(system.pose, X=system.pose.X + [row[0] for row in at], R0=R0[None])
    system.speeds[:3], system.speeds[3:6] = [row[1] for row in at], axis * turned[1]
    expected = system.expected(np.r_[[row[2] for row in at], axis * turned[2]])
    got = named(evaluate(vehicle, start, time=time))
    assert np.abs(got - expected)[6:].max() < 1e-11 * np.abs(expected).max()


def test_stated_masses_may_include_rotors_and_appendages():
    """Bodies stated with locked rotors and undeformed appendages move like bodies stated without them."""
    tree = random_tree(39, bodies=4)
    vehicle, state, loads = vehicle_of(tree), named_state(tree), vehicle_loads(tree)
    bodies = []
    for b, body in zip(tree.bodies, vehicle.bodies):
        m, x = [b.masses], [b.positions]
        for r in b.rotors:
            m, x = [*m, np.full(4, r.mass / 4)], [*x, r.point + r.arms(np.zeros(()))]
        if b.flexible is not None:
            m, x = [*m, b.flexible.masses], [*x, b.flexible.origin + b.flexible.positions @ b.flexible.axes.T]
        m, x = np.concatenate(m), np.vstack(x)
        center = m @ x / m.sum()
        bodies.append(replace(body, mass=m.sum(), center=center, inertia=particle_inertia(m, x - center)))
    whole = vehicle.changed(bodies=bodies, bodies_include_rotors=True, bodies_include_appendages=True)
    assert whole.mass == pytest.approx(vehicle.mass, rel=1e-14)
    for call in (evaluate, by_likins):
        assert difference(tree, call(whole, state, loads), call(vehicle, state, loads)) < 1e-10


@pytest.mark.parametrize("bodies, modes", [(3, 4), (10, 3), (20, 0), (20, 2)])
def test_engines_agree_on_larger_trees(bodies, modes):
    """All-degree likins against full recursive to 1e-10 relative."""
    tree = random_tree(50 + bodies + modes, bodies=bodies, modes=modes, massless=True, aligned=False)
    vehicle, state, loads = vehicle_of(tree), named_state(tree), vehicle_loads(tree)
    assert difference(tree, evaluate(vehicle, state, loads), by_likins(vehicle, state, loads)) < 1e-10


@pytest.mark.parametrize("seed", range(4))
def test_engines_agree_on_joints_of_every_kind(seed):
    """Ball with a spring, universal, gimbal, fixed and hinge joints with random frames, each carrying the
    next; 1e-10."""
    rng = np.random.default_rng(seed)
    names = ["base", "b1", "b2", "b3", "b4", "b5"]
    bodies = []
    for name in names:
        m, x = rng.uniform(1.0, 3.0, 6), rng.normal(size=(6, 3))
        bodies.append(Body(name, m.sum(), m @ x / m.sum(), particle_inertia(m, x - m @ x / m.sum())))

    def sides():
        frames = {
            w: Rotation.random(random_state=rng.integers(1 << 31)).as_matrix() for w in ("parent_frame", "child_frame")
        }
        return frames | {w: rng.normal(size=3) for w in ("parent_point", "child_point")}

    joints = [
        ball("ball", "base", "b1", stiffness=3.0, damping=0.4, **sides()),
        universal("cross", "b1", "b2", rng.normal(size=(2, 3)), stiffness=(2.0, 1.0), damping=(0.1, 0.2), **sides()),
        gimbal("gimbal", "b1", "b3", rng.normal(size=(3, 3)), **sides()),
        fixed("weld", "b3", "b4", **sides()),
        hinge("hinge", "b4", "b5", rng.normal(size=3), stiffness=4.0, **sides()),
    ]
    vehicle = Vehicle("all joints", bodies, joints, gravity=rng.normal(size=3))
    q = rng.normal(size=4)
    state = State(
        position=rng.normal(size=3),
        attitude=np.roll(Rotation.random(random_state=seed).as_quat(), 1),
        velocity=rng.normal(size=3),
        angular_velocity=rng.normal(size=3),
        joints={
            "ball": q / np.linalg.norm(q),
            "cross": rng.normal(size=2),
            "gimbal": 0.5 * rng.normal(size=3),
            "hinge": 0.7,
        },
        joint_rates={
            "ball": rng.normal(size=3),
            "cross": rng.normal(size=2),
            "gimbal": rng.normal(size=3),
            "hinge": -0.4,
        },
    )
    loads = [torque("b5", rng.normal(size=3), inertial=True), joint_torque("gimbal", 0.8, axis=1)]
    one, two = evaluate(vehicle, state, loads), by_likins(vehicle, state, loads)
    size = max(np.abs(x).max() for x in two.joints.values())
    assert np.abs(one.angular_velocity - two.angular_velocity).max() < 1e-10 * size
    assert np.abs(one.velocity - two.velocity).max() < 1e-10 * size
    for name in two.joints:
        assert np.abs(one.joints[name] - two.joints[name]).max() < 1e-10 * size


def test_engines_agree_with_geometric_stiffness_and_turning_nodes():
    """Records with every inertia-load family and second-degree terms: the same kinetic energy in both
    engines."""
    tree = random_tree(31, bodies=4)
    vehicle = vehicle_of(tree)
    rng = np.random.default_rng(0)
    mounts = []
    for mount in vehicle.appendages:
        k = mount.record.count
        families = {}
        for name in GEOMETRIC_FAMILIES:
            B = 0.1 * rng.normal(size=(k, k))
            families[name] = B + B.T
        mounts.append(replace(mount, record=mount.record.changed(geometric_stiffness=families)))
    stiff = vehicle.changed(appendages=mounts)
    state, loads = named_state(tree), vehicle_loads(tree)
    assert difference(tree, evaluate(stiff, state, loads), by_likins(stiff, state, loads)) < 1e-10
    assert difference(tree, by_likins(stiff, state, loads), by_likins(vehicle, state, loads)) > 1e-3


def test_engines_agree_on_driven_rotors_and_prescribed_hinges():
    """Rotors in speed and momentum mode, a hinge on a profile, at a time that is not zero."""
    tree = random_tree(33, bodies=5)
    vehicle, state, loads = vehicle_of(tree), named_state(tree), vehicle_loads(tree)
    rotors = list(vehicle.rotors)
    rotors[0] = replace(rotors[0], mode="speed", profile=sine(30.0, 0.4))
    rotors[1] = replace(rotors[1], mode="momentum", profile=sine(5.0, 0.3, 0.2))
    joints = list(vehicle.joints)
    joints[1] = replace(joints[1], motion=(sine(0.5, 0.2, 0.1),))
    driven = vehicle.changed(rotors=rotors, joints=joints)
    loads = [x for x in loads if x.target not in ("r0", "r1", "j2")]
    one, two = evaluate(driven, state, loads, 0.8), by_likins(driven, state, loads, 0.8)
    assert one.angular_velocity == pytest.approx(two.angular_velocity, rel=1e-10)
    assert one.velocity == pytest.approx(two.velocity, rel=1e-10)
    for name in one.joints:
        assert one.joints[name] == pytest.approx(two.joints[name], rel=1e-9)
    for name in one.modal:
        assert one.modal[name] == pytest.approx(two.modal[name], rel=1e-9)


def test_engines_agree_in_a_gravity_gradient():
    """The field on deformed bodies, both engines and the particles."""
    tree = random_tree(4, bodies=5, loads=False)
    vehicle, state = vehicle_of(tree), named_state(tree)
    field = [gravity_gradient(0.9, [0.6, 0.8, 0.0], [0.0, 0.0, 1.0])]
    assert difference(tree, evaluate(vehicle, state, field, 0.7), by_likins(vehicle, state, field, 0.7)) < 1e-10


def quasi_static(tree, softness, level):
    """A spinning vehicle whose appendages are stiffened by 1/softness, at the modal coordinates where eta'' =
    0.

    The deformation is of the order of ``softness``, its rates vanish, rates of the bodies stay finite.
    """
    vehicle = vehicle_of(tree, inertia=level)
    mounts = [replace(a, record=a.record.changed(stiffness=a.record.stiffness / softness)) for a in vehicle.appendages]
    vehicle = vehicle.changed(appendages=mounts)
    names = [a.name for a in mounts]
    size = mounts[0].record.count
    zero = {n: np.zeros(size) for n in names}
    state = named_state(tree).changed(modal=zero, modal_rates=zero)
    loads = vehicle_loads(tree)
    full = vehicle.changed(appendages=[replace(a, inertia="full") for a in mounts])

    def bend(eta):
        at = state.changed(modal={n: eta[i * size : (i + 1) * size] for i, n in enumerate(names)})
        return at, np.concatenate([by_likins(full, at, loads).modal[n] for n in names])

    eta = np.zeros(size * len(names))
    for _ in range(8):
        value = bend(eta)[1]
        h = 1e-4 * softness
        slope = np.array([(bend(eta + h * e)[1] - value) / h for e in np.eye(len(eta))]).T
        eta = eta - np.linalg.solve(slope, value)
    return vehicle, bend(eta)[0], loads


@pytest.mark.slow
def test_linear_inertia_differs_from_first_degree_by_the_square_of_the_deformation():
    """Eq 42 truncates the equations, ``linear`` the field: what they drop differently is of second degree. A displacement field
    without turning has no second degree, so that ``linear`` and ``full`` are the same there, in both engines."""
    tree = random_tree(36, bodies=4)
    softness = np.array([0.03, 0.01, 0.003])
    between = []
    for s in softness:
        vehicle, state, loads = quasi_static(tree, s, "linear")
        linear = evaluate(vehicle, state, loads)
        between.append(difference(tree, linear, by_likins(vehicle, state, loads, form="first-degree")))
        assert difference(tree, linear, by_likins(vehicle, state, loads)) < 1e-12
        full = vehicle.changed(appendages=[replace(a, inertia="full") for a in vehicle.appendages])
        assert difference(tree, linear, evaluate(full, state, loads)) < 1e-13
    assert np.polyfit(np.log(softness), np.log(between), 1)[0] == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize("level", ["full", "linear", "constant"])
def test_recursive_accelerations_do_not_depend_on_the_speed_of_the_observer(level):
    """Add a constant velocity: nothing else may change (theory section 3; no conservation test shows
    this)."""
    tree = random_tree(37, bodies=5)
    vehicle, state, loads = vehicle_of(tree, inertia=level), named_state(tree), vehicle_loads(tree)
    moving = state.changed(velocity=state.velocity + np.array([300.0, -200.0, 100.0]))
    assert difference(tree, evaluate(vehicle, moving, loads), evaluate(vehicle, state, loads)) < 1e-10


def test_floating_frames_do_not_depend_on_the_speed_of_the_observer():
    system = FlexibleJoints(2)
    state = system.state
    moving = state.changed(velocity=state.velocity + np.array([300.0, -200.0, 100.0]))
    one, two = evaluate(system.vehicle, state), evaluate(system.vehicle, moving)
    for name in one.modal:
        assert one.modal[name] == pytest.approx(two.modal[name], rel=1e-9, abs=1e-9)
    assert one.angular_velocity == pytest.approx(two.angular_velocity, rel=1e-9, abs=1e-9)


def test_momentum_of_the_oracle_is_what_the_vehicle_has():
    """The particle clouds and the vehicle are the same system: kinetic energy and momenta by the likins
    bookkeeping."""
    tree = random_tree(38, bodies=6)
    T, p, h = tree.particles().momenta(batched(tree.pose), tree.speeds)
    book = likins.bookkeeping(likins.build(vehicle_of(tree)), named_state(tree))
    assert book.kinetic == pytest.approx(T, rel=1e-12)
    assert book.linear == pytest.approx(p, rel=1e-11)
    assert book.angular == pytest.approx(h, rel=1e-11)
