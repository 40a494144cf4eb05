"""Springs, tethers, bushings, joint friction and rotor drag against MuJoCo's tendons and closed forms."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.mujoco_trees import mujoco_accelerations
from support.recursive_calls import evaluate
from support.trees import flat, named_state, random_tree, vehicle_loads, vehicle_of

from tisserand.errors import VehicleError
from tisserand.multibody import Body, BodyFrame, Rotor, State, Vehicle, ball, hinge, linearize, prismatic, simulate
from tisserand.multibody.force_elements import anchor, bushing, joint_friction, node_anchor, rotor_drag, spring, tether

TIGHT = {"rtol": 1e-11, "atol": 1e-13}
K, LENGTH = 50.0, 0.4
SLIDER = Vehicle(
    "two", [Body("a", 2.0, inertia=[1, 1, 1]), Body("b", 3.0, inertia=[1, 1, 1])], [prismatic("s", "a", "b", [1, 0, 0])]
)
OMEGA = np.sqrt(K / (2.0 * 3.0 / 5.0))  # of the reduced mass


def balanced(run, limit):
    return max(run.balance.worst().values()) < limit


@pytest.mark.parametrize("bodies", [2, 5, 13])
@pytest.mark.parametrize("engine", ["recursive", "likins"])
def test_springs_and_dampers_accelerate_like_tendons_of_mujoco(bodies, engine):
    pytest.importorskip("mujoco")
    tree = random_tree(1000 + bodies, bodies=bodies, modes=0, rotors=False, aligned=False)
    rng = np.random.default_rng(bodies)
    ends = [sorted(rng.choice(bodies, 2, replace=False)) for _ in range(4)]
    tendons = [(e, rng.normal(size=(2, 3)), *(float(x) for x in rng.uniform(0.5, 30.0, 3))) for e in ends]
    vehicle, state = vehicle_of(tree), named_state(tree)
    names = [body.name for body in vehicle.bodies]
    elements = [
        spring(anchor(names[e[0]], p[0]), anchor(names[e[1]], p[1]), k, damping=c, length=length, name=f"line{i}")
        for i, (e, p, k, c, length) in enumerate(tendons)
    ]
    expected = mujoco_accelerations(tree, tendons)
    assert np.abs(expected - mujoco_accelerations(tree)).max() > 0.1 * np.abs(expected).max()  # they matter
    loads = [*vehicle_loads(tree), *elements]
    if engine == "recursive":
        got = flat(tree, evaluate(vehicle, state, loads))
    else:
        got = flat(tree, likins_accelerations(vehicle, state, loads))
    assert np.abs(got - expected).max() < 1e-9 * np.abs(expected).max()


def likins_accelerations(vehicle, state, loads):
    """The other engine under the strengths that the elements have at the state."""
    from support.recursive_calls import flat_state

    from tisserand.multibody.engines.likins_engine import LikinsEngine
    from tisserand.multibody.recursive.compile import compile_vehicle

    c = compile_vehicle(vehicle, loads)
    W, U, y = c.workspace(), c.held(), flat_state(c, state)
    assert c.rhs(c.M, c.F, W, U, 0.0, y, np.zeros(c.size)) == 0
    return LikinsEngine(c, loads).solved(0.0, y, W, interaction=False)


def test_a_spring_between_two_bodies_swings_at_the_frequency_of_the_reduced_mass():
    element = spring(anchor("a"), anchor("b"), K, length=LENGTH)
    run = simulate(SLIDER, 2.0, State(joints={"s": 0.5}), loads=[element], **TIGHT)
    expected = LENGTH + 0.1 * np.cos(OMEGA * run.times)
    assert run.joints["s"][:, 0] == pytest.approx(expected, abs=1e-10)
    assert balanced(run, 1e-9)
    assert run.load_strength["spring.first.x"] == pytest.approx(K * (expected - LENGTH), abs=1e-8)
    assert run.load_strength["spring.first.x"] == pytest.approx(run.load_strength["spring.second.x"])


def test_a_tether_pulls_and_never_pushes():
    """Free flight to the end of the cable, half a period of the spring, free flight back at the same speed."""
    element = tether(anchor("a"), anchor("b"), K, LENGTH)
    start = State(joints={"s": 0.2}, joint_rates={"s": 1.0})
    run = simulate(SLIDER, 1.2, start, loads=[element], **TIGHT)
    t, taut, half = run.times, 0.2, np.pi / OMEGA
    swing = LENGTH + np.sin(OMEGA * (t - taut)) / OMEGA
    expected = np.where(t < taut, 0.2 + t, np.where(t < taut + half, swing, LENGTH - (t - taut - half)))
    assert run.joints["s"][:, 0] == pytest.approx(expected, abs=1e-8)
    assert run.load_strength["tether.first.x"].min() >= 0.0 and balanced(run, 1e-8)


def test_friction_slows_a_hinge_evenly_and_its_loss_is_in_the_balance():
    vehicle = Vehicle(
        "door",
        [Body("a", 2.0), Body("b", 3.0, inertia=[1, 1, 2])],
        [hinge("s", "a", "b", [0, 0, 1])],
        base_motion="fixed",
    )
    start = State(joint_rates={"s": 3.0})
    run = simulate(vehicle, 1.0, start, loads=[joint_friction("s", 1.5)], **TIGHT)
    assert run.joint_rates["s"][:, 0] == pytest.approx(3.0 - 0.75 * run.times, abs=1e-9)
    assert balanced(run, 1e-9)
    # Stribeck's curve, smoothed sign and viscous part at one speed
    law = joint_friction("s", 1.5, breakaway=2.5, stribeck_rate=2.0, smoothing_rate=4.0, viscous=0.1)
    slowed = evaluate(vehicle, start, [law]).joints["s"][0]
    assert slowed == pytest.approx(-((1.5 + np.exp(-2.25)) * np.tanh(0.75) + 0.3) / 2.0, rel=1e-12)


def test_drag_of_a_rotor_hands_its_momentum_to_the_body():
    wheel = Rotor("w", "hub", [0, 0, 1], 0.1)
    vehicle = Vehicle("bus", [Body("hub", 10.0, inertia=[1, 1, 2])], rotors=[wheel], bodies_include_rotors=True)
    start = State(rotor_rates={"w": 100.0})
    run = simulate(vehicle, 5.0, start, loads=[rotor_drag("w", 0.02)], **TIGHT)
    relative = 100.0 - 0.02 * run.times * (1.0 / 0.1 + 1.0 / 1.9)  # 0.1 spins, 1.9 is the rest
    assert run.rotor_rates["w"] == pytest.approx(relative, rel=1e-9)
    assert balanced(run, 1e-9)


def frames(run, k, place):
    return run.origin[:, k] + np.einsum("tij,j->ti", run.rotation[:, k], place)


def test_the_work_of_a_bushing_is_its_energy_at_large_turns():
    """Three stiffnesses each along turned axes, turns up to a radian: what the loads did is what the springs store."""
    R = Rotation.from_rotvec([0.3, -0.2, 0.5]).as_matrix()
    a = Body("a", 2.0, inertia=[0.4, 0.5, 0.6], frames=[BodyFrame("seat", [0.1, 0.2, 0.0], R)])
    b = Body("b", 3.0, inertia=[0.6, 0.5, 0.8], frames=[BodyFrame("foot", [-0.2, 0.0, 0.1], R)])
    vehicle = Vehicle("mounted", [a, b], [ball("j", "a", "b", parent_point=[0.2, 0.1, 0.0])])
    k, turning = np.array([40.0, 25.0, 60.0]), np.array([3.0, 5.0, 9.0])
    element = bushing(anchor("a", "seat"), anchor("b", "foot"), k, turning_stiffness=turning)
    half = Rotation.from_rotvec([0.7, -0.5, 0.4]).as_quat()
    start = State(joints={"j": np.roll(half, 1)}, joint_rates={"j": [0.5, -0.3, 0.2]})
    run = simulate(vehicle, 1.0, start, loads=[element], **TIGHT)
    C = run.rotation[:, 0] @ R
    d = np.einsum("tji,tj->ti", C, frames(run, 1, b.frames[0].position) - frames(run, 0, a.frames[0].position))
    b_turn = Rotation.from_matrix(np.einsum("tji,tjk->tik", C, run.rotation[:, 1] @ R)).as_rotvec()
    assert np.abs(b_turn).max() > 0.6
    stored = 0.5 * (d**2 @ k + b_turn**2 @ turning)
    kinetic = run.balance.kinetic
    assert kinetic + stored == pytest.approx(np.full(len(stored), (kinetic + stored)[0]), rel=1e-8)
    assert balanced(run, 1e-8)


@pytest.mark.slow
def test_a_spring_on_a_node_adds_its_stiffness_to_the_modes():
    """k (n . phi)^2 between hub and node, exactly; and the slope of the slider's spring is k."""
    from support.appendages import random_bodies

    from tisserand.multibody import MountedAppendage
    from tisserand.multibody.tree import expand

    model = linearize(SLIDER, State(joints={"s": LENGTH}), loads=[spring(anchor("a"), anchor("b"), K, length=LENGTH)])
    s = model.coordinates.index("s")
    assert model.stiffness[s, s] == pytest.approx(K, rel=1e-12)
    record = random_bodies(0)
    vehicle = Vehicle(
        "craft", [Body("hub", 30.0, inertia=[9, 8, 7])], appendages=[MountedAppendage("wing", record, "hub")]
    )
    i = len(record.nodes) - 1
    block = expand(vehicle).bodies[0].blocks[0]
    phi = block.attitude @ record.nodes.translation[i]
    foot = block.origin + block.attitude @ record.nodes.positions[i] + [0.0, 0.0, -2.0]
    loads = [spring(anchor("hub", foot), node_anchor("wing", int(record.nodes.ids[i])), K, length=2.0)]
    bare, sprung = linearize(vehicle), linearize(vehicle, loads=loads)
    modes = [n for n, name in enumerate(bare.coordinates) if name.startswith("wing.eta")]
    added = (sprung.stiffness - bare.stiffness)[np.ix_(modes, modes)]
    assert added == pytest.approx(K * np.outer(phi[2], phi[2]), abs=1e-10 * K * (phi[2] ** 2).max())


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: spring(anchor("a"), anchor("b"), -1.0), "stiffness must be finite and not negative"),
        (lambda: joint_friction("s", 2.0, breakaway=1.0), "friction at rest is less"),
        (lambda: joint_friction("s", 2.0, smoothing_rate=0.0), "smoothing_rate must be positive"),
        (lambda: spring(anchor("a"), anchor("c"), K), "unknown body"),
        (lambda: spring(anchor("a"), anchor("b", "tip"), K), "unknown point"),
        (lambda: joint_friction("t", 1.0), "unknown or immovable joint"),
        (lambda: rotor_drag("w", 1.0), "unknown rotor"),
    ],
)
def test_elements_that_cannot_act_are_refused(make, words):
    with pytest.raises(VehicleError, match=words):
        simulate(SLIDER, 0.1, loads=[make()])


def test_two_elements_need_two_names():
    with pytest.raises(VehicleError, match="two force elements or loops have the same name"):
        simulate(SLIDER, 0.1, loads=[spring(anchor("a"), anchor("b"), K)] * 2)
