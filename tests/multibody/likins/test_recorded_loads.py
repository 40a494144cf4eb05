"""A run of the likins engine records its own hinge loads and accelerations (S1 Eqs 10, 11, 15, 54)."""

from dataclasses import replace

import numpy as np
import pytest
from support.trees import batched, named_state, random_tree, vehicle_loads, vehicle_of

from tisserand.multibody import Body, Rotor, State, Vehicle, ball, hinge, simulate
from tisserand.multibody.loads import force, gravity_gradient, joint_torque
from tisserand.multibody.profiles import smooth_ramp, versine

MOTION = ("rotation", "origin", "origin_velocity", "rate", "origin_acceleration", "angular_acceleration")
INTEGRALS = ("kinetic", "potential", "momentum", "angular_momentum", "center")
WORDS = ("joint_force", "joint_torque_vector", "joint_effort", "modal_accelerations")


def agree(one, two, tolerance=1e-9):
    """Every recorded load and acceleration of two runs, relative to the largest of its kind."""
    for word in WORDS:
        a, b = getattr(one, word), getattr(two, word)
        assert set(a) == set(b)
        size = max((np.abs(x).max(initial=0.0) for x in a.values()), default=0.0)
        for name in a:
            assert a[name].shape == b[name].shape
            assert np.abs(a[name] - b[name]).max(initial=0.0) <= tolerance * max(size, 1.0), (word, name)
    for word in MOTION:
        a, b = getattr(one, word), getattr(two, word)
        assert np.abs(a - b).max() <= tolerance * max(np.abs(a).max(), 1.0), word
    for word in INTEGRALS:
        a, b = getattr(one.balance, word), getattr(two.balance, word)
        assert np.abs(a - b).max() <= tolerance * max(np.abs(a).max(), 1.0), word


def both(vehicle, state, loads=(), duration=0.2, **options):
    return [
        simulate(vehicle, duration, state, loads=loads, samples=4, rtol=1e-12, atol=1e-14, engine=e, **options)
        for e in ("recursive", "likins")
    ]


@pytest.mark.parametrize(
    "case",
    [
        {"modes": 0, "rotors": False},  # rigid
        {"modes": 0, "rotors": True, "aligned": False},
        {"modes": 3, "rotors": True, "aligned": False, "deformation": 0.02},  # flexible with rotors
    ],
    ids=["rigid", "rotors", "flexible"],
)
@pytest.mark.parametrize("weight", [False, True])
def test_recorded_loads_are_those_of_the_recursive_engine(case, weight):
    tree = random_tree(7, bodies=4, **case)
    vehicle, loads = vehicle_of(tree), [*vehicle_loads(tree), gravity_gradient(0.2)]
    if weight:
        vehicle = replace(vehicle, gravity=np.array([0.3, -1.0, -9.0]))
    agree(*both(vehicle, named_state(tree), loads, duration=0.05))


def test_prescribed_and_ball_joints_too():
    bodies = [
        Body(n, 4.0 - i, center=[0.2, 0.1 * i, 0.3], inertia=[0.6, 0.7, 0.8])
        for i, n in enumerate(("hub", "arm", "tip"))
    ]
    swung = hinge(
        "swing", "hub", "arm", [0.0, 0.6, 0.8], parent_point=[0.5, 0.0, 0.0], motion=smooth_ramp(0.4, 0.0, 1.0)
    )
    socket = ball("ball", "arm", "tip", parent_point=[0.0, 0.7, 0.0])
    vehicle = Vehicle("chain", bodies, [swung, socket])
    state = State(angular_velocity=[0.1, 0.3, -0.2], joint_rates={"ball": np.array([0.4, -0.2, 0.5])})
    push = force("tip", [0.0, 1.0, 0.5], versine(2.0, 0.0, 0.4), point=[0.1, 0.2, 0.0])
    agree(*both(vehicle, state, [push], duration=0.3))


@pytest.mark.parametrize(("mode", "inertia"), [("torque", 0.3), ("speed", 0.3), ("momentum", 0.3), ("momentum", 0.0)])
def test_energy_of_rotors_is_counted_alike(mode, inertia):
    """The work account is shared, so that an energy counted otherwise would not balance."""
    profile = None if mode == "torque" else smooth_ramp(2.0, 0.0, 1.0)
    wheel = Rotor("wheel", "hub", [0.0, 0.6, 0.8], spin_inertia=inertia, mode=mode, profile=profile)
    vehicle = Vehicle("spinner", [Body("hub", 4.0, inertia=[1.0, 2.0, 3.0])], rotors=[wheel])
    state = State(angular_velocity=[0.1, 0.2, 0.3], rotor_rates={"wheel": 2.0} if mode == "torque" else {})
    one, two = both(vehicle, state)
    agree(one, two)
    assert max(one.balance.worst().values()) < 1e-9
    assert max(two.balance.worst().values()) < 1e-9


def test_recorded_loads_are_what_the_outboard_particles_need():
    """Newton and Euler: the sums of m a and r x m a over the particles beyond the hinge, less the applied loads."""
    tree = random_tree(41, bodies=5, aligned=False)
    run = simulate(vehicle_of(tree), 1e-3, named_state(tree), loads=vehicle_loads(tree), samples=2, engine="likins")
    oracle = tree.particles()
    forces, _, torques = tree.applied(oracle)
    F, T = oracle.hinge_loads(batched(tree.pose), tree.speeds, tree.expected(), forces, torques)
    for k in range(1, len(tree.bodies)):
        assert run.joint_force[f"j{k}"][0] == pytest.approx(F[k], rel=1e-9, abs=1e-9)
        assert run.joint_torque_vector[f"j{k}"][0] == pytest.approx(T[k], rel=1e-9, abs=1e-9)


def test_nothing_is_taken_from_the_other_engine(monkeypatch):
    """With the loads of the report spoiled on purpose, so is the record."""
    from tisserand.multibody.likins import engine

    own = engine.hinge_loads

    def spoiled(*arguments):
        found = own(*arguments)
        return replace(found, force=2.0 * found.force)

    bodies = [Body(n, 3.0, center=[0.4, 0.1, 0.0], inertia=[0.3, 0.4, 0.5]) for n in ("hub", "arm")]
    two = Vehicle("two", bodies, [hinge("h", "hub", "arm", [0, 0, 1.0])])
    pushed = [joint_torque("h", versine(1.0, 0.0, 1.0))]
    before = simulate(two, 0.1, loads=pushed, samples=3, engine="likins")
    monkeypatch.setattr(engine, "hinge_loads", spoiled)
    after = simulate(two, 0.1, loads=pushed, samples=3, engine="likins")
    assert after.joint_force["h"] == pytest.approx(2.0 * before.joint_force["h"], rel=1e-12)
    assert np.abs(before.joint_force["h"]).max() > 1e-3
