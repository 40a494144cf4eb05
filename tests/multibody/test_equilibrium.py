"""Equilibria and steady spins (O2) against closed forms, and flown: a steady state stays where it is."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq, root
from support.flexible import random_appendage

from tisserand.errors import NotConvergedError, VehicleError
from tisserand.multibody import (
    Body,
    MountedAppendage,
    PrescribedMotion,
    Rotor,
    State,
    Vehicle,
    ball,
    controllers,
    hinge,
    linearize,
    loads,
    prismatic,
    profiles,
    simulate,
    steady_state,
    system_modes,
)
from tisserand.multibody.equilibrium import principal_axis

G = 9.81
GROUND = Body("ground", 1.0, inertia=[1, 1, 1])


def pendulum(stiffness: float, rest: float = 0.0, gravity: float = G) -> Vehicle:
    """A bar of 2 kg, center 0.6 m out along x when the angle is zero; positive angles lift it."""
    bar = Body("bar", 2.0, [0.6, 0, 0], [0.01, 0.24, 0.24])
    joint = hinge("h", "ground", "bar", [0, -1, 0], stiffness=stiffness, rest=rest)
    return Vehicle("pendulum", (GROUND, bar), (joint,), base_motion="fixed", gravity=[0, 0, -gravity])


def test_a_sprung_pendulum_sags_to_the_angle_of_its_torque_balance():
    """k q = -m g c cos q."""
    k = 40.0
    found = steady_state(pendulum(k))
    exact = brentq(lambda q: k * q + 2.0 * G * 0.6 * np.cos(q), -1.5, 0.0, xtol=1e-14)
    assert found.state.joints["h"][0] == pytest.approx(exact, abs=1e-10)
    assert found.worst < 1e-8 and found.indifferent == 0 and found.iterations < 10
    model = linearize(pendulum(k), found.state)
    assert_allclose(model.stiffness, [[k - 2.0 * G * 0.6 * np.sin(exact)]], rtol=1e-7)
    assert_allclose(model.residual, 0.0, atol=1e-8)


def test_a_free_pendulum_finds_the_bottom_from_far_away():
    """Without a spring it hangs: q = -90 degrees; the guess is 80 degrees off, where undamped Newton overshoots."""
    found = steady_state(pendulum(0.0), State(joints={"h": -0.15}))
    assert found.state.joints["h"][0] == pytest.approx(-np.pi / 2, abs=1e-9)
    f = system_modes(pendulum(0.0), found.state).frequencies_hz
    assert_allclose(f, np.sqrt(2.0 * G * 0.6 / (0.24 + 2.0 * 0.36)) / (2 * np.pi), rtol=1e-7)


def test_a_slider_on_a_spring_sinks_by_its_weight_over_the_stiffness():
    box = Body("box", 3.0, inertia=[0.1, 0.1, 0.1])
    vehicle = Vehicle(
        "scale", (GROUND, box), (prismatic("s", "ground", "box", [0, 0, 1], stiffness=500.0, rest=0.2),),
        base_motion="fixed", gravity=[0, 0, -G],
    )  # fmt: skip
    assert steady_state(vehicle).state.joints["s"][0] == pytest.approx(0.2 - 3.0 * G / 500.0, abs=1e-12)


def particle_wing(modes: int = 4, frequency: float = 3.0):
    return random_appendage(5, modes, nodes=8, bodies=False, frequency=frequency)


def test_a_wing_under_gravity_bends_by_its_static_solution():
    """Ke eta = P'g on a held base, from the sum over its particles."""
    wing = particle_wing()
    gravity = np.array([0.3, -0.2, -1.0])
    vehicle = Vehicle(
        "shelf", (Body("hub", 10.0, inertia=[1, 1, 1]),), appendages=(MountedAppendage("wing", wing, "hub"),),
        base_motion="fixed", gravity=gravity,
    )  # fmt: skip
    found = steady_state(vehicle)
    exact = np.linalg.solve(wing.stiffness, wing.integrals.translation.T @ gravity)
    assert_allclose(found.state.modal["wing"], exact, rtol=1e-9, atol=1e-13)


def masses_of(wing):
    """Masses of the wing's particles, from the recipe that made it."""
    rng = np.random.default_rng(5)
    rng.uniform(0.2, 0.5, (8, 3))
    return rng.uniform(0.3, 1.5, 8)


@pytest.mark.parametrize("spin", [0.5, 3.0])
def test_a_spinning_wing_is_stretched_as_its_particles_are(spin):
    """(Ke - W² sum m phi'phi) eta = W² sum m phi'x over components across the axis; spin given by a driven base."""
    wing, arm = particle_wing(), np.array([0.7, -0.2, 0.1])
    m, axis = masses_of(wing), np.array([0.0, 0.6, 0.8])
    assert m.sum() == pytest.approx(wing.mass)
    across = np.eye(3) - np.outer(axis, axis)
    phi, x = wing.nodes.translation, wing.nodes.positions + arm
    push = spin**2 * np.einsum("n,nak,ab,nb->k", m, phi, across, x)
    soft = spin**2 * np.einsum("n,nak,ab,nbl->kl", m, phi, across, phi)
    exact = np.linalg.solve(wing.stiffness - soft, push)
    driven = PrescribedMotion(axis=axis, angle=profiles.spin_up(spin, 0.0, 1.0))
    mount = MountedAppendage("wing", wing, "hub", arm)
    vehicle = Vehicle("top", (Body("hub", 10.0, inertia=[1, 1, 1]),), appendages=(mount,), base_motion=driven)
    found = steady_state(vehicle, time=2.0)
    assert_allclose(found.state.modal["wing"], exact, rtol=1e-8, atol=1e-12)
    assert np.abs(exact).max() > 1e-3


def hub_with_bars(stiffness: float) -> Vehicle:
    """A free hub with two bars hinged at r = 0.5 m, folded up by 1 rad at rest of their springs."""
    hub = Body("hub", 30.0, inertia=[8, 8, 9])
    bars, joints = [], []
    for name, side in (("left", -1.0), ("right", 1.0)):
        bars.append(Body(name, 2.0, [0.6 * side, 0, 0], [0.0001, 0.24, 0.24]))
        joints.append(
            hinge(
                f"{name}.hinge",
                "hub",
                name,
                [0, -side, 0],
                parent_point=[0.5 * side, 0, 0],
                stiffness=stiffness,
                rest=1.0,
            )
        )
    return Vehicle("mill", (hub, *bars), tuple(joints))


@pytest.mark.parametrize("spin", [0.7, 6.0])
def test_bars_on_a_spinning_hub_rest_between_spring_and_centrifugal_force(spin):
    """k (q - q0) = -W² (m c r sin q + (I_O - I_a) sin q cos q): free vehicle, then flown for 5 s without a change."""
    k = 12.0
    inertia = 0.24 + 2.0 * 0.36 - 0.0001

    def torque(q):
        return k * (q - 1.0) + spin**2 * (2.0 * 0.6 * 0.5 * np.sin(q) + inertia * np.sin(q) * np.cos(q))

    exact = brentq(torque, 0.0, 1.0, xtol=1e-14)
    vehicle = hub_with_bars(k)
    found = steady_state(vehicle, State(angular_velocity=[0, 0, spin], joints={"left.hinge": 0.9, "right.hinge": 0.3}))
    for name in ("left.hinge", "right.hinge"):
        assert found.state.joints[name][0] == pytest.approx(exact, abs=1e-9)
    assert_allclose(found.base_acceleration[3:], 0.0, atol=1e-8)
    assert found.steady
    run = simulate(vehicle, 5.0, found.state, rtol=1e-11)
    assert np.ptp(run.joints["left.hinge"]) < 1e-7
    assert_allclose(run.angular_velocity, np.tile([0, 0, spin], (len(run), 1)), atol=1e-8)
    assert_allclose(run.balance.momentum, 0.0, atol=1e-9)
    assert linearize(vehicle, found.state).residual[3:] == pytest.approx(0.0, abs=1e-7)


def test_a_control_law_with_an_integral_rests_without_error():
    """PI at a loaded hinge: the integral state carries the weight, the error is zero."""
    law = controllers.joint_pid("h", 50.0, 5.0, ki=20.0, reference=0.3)
    found = steady_state(pendulum(0.0), controllers=[law])
    assert found.state.joints["h"][0] == pytest.approx(0.3, abs=1e-10)
    assert 20.0 * found.state.controllers["h loop"][0] == pytest.approx(2.0 * G * 0.6 * np.cos(0.3), rel=1e-9)


def test_a_compass_finds_north_and_a_ball_hangs_down():
    """The attitude of a free base as unknown; a ball joint under gravity with its quaternion."""
    needle = Vehicle("needle", (Body("bus", 3.0, inertia=[1, 2, 3]),))
    half = 0.5 * np.array([1.2, 0.3])
    start = State(attitude=[np.cos(half[0]), 0, 0, np.sin(half[0])])
    found = steady_state(needle, start, loads=[loads.magnetic_torque("bus", [4.0, 0, 0], [0.2, 0, 0])], attitude=True)
    w, x, y, z = found.state.attitude
    assert_allclose([2 * (x * y + w * z), 2 * (x * z - w * y)], 0.0, atol=1e-9)
    assert found.indifferent == 1  # the turn about the field
    bob = Body("bob", 2.0, [0, 0, -0.5], [0.1, 0.1, 0.1])
    hung = Vehicle("hung", (GROUND, bob), (ball("b", "ground", "bob"),), base_motion="fixed", gravity=[0, 0, -G])
    tilted = State(joints={"b": [np.cos(0.3), np.sin(0.3), 0, 0]})
    q = np.asarray(steady_state(hung, tilted).state.joints["b"])
    assert np.hypot(q[1], q[2]) < 1e-9


def test_a_gyro_keeps_its_rotor_speed_and_inputs_are_held():
    """Rotor rates stay as given; a named input holds a hinge against its spring: q = tau/k."""
    bodies = (GROUND, Body("arm", 1.0, [0.2, 0, 0], [0.1, 0.1, 0.1]))
    vehicle = Vehicle(
        "gyro", bodies, (hinge("h", "ground", "arm", [0, 0, 1], stiffness=5.0),), (Rotor("w", "arm", [1, 0, 0], 0.01),),
        base_motion="fixed",
    )  # fmt: skip
    found = steady_state(
        vehicle, State(rotor_rates={"w": 300.0}), loads=[loads.joint_torque("h", "motor")], inputs={"motor": 2.0}
    )
    assert found.state.joints["h"][0] == pytest.approx(0.4, abs=1e-11)
    assert found.state.rotor_rates["w"][0] == 300.0


def test_a_force_that_nothing_holds_is_refused():
    """A hinge with a constant torque and no spring turns for ever."""
    vehicle = pendulum(0.0, gravity=0.0)
    with pytest.raises(NotConvergedError, match=r"no equilibrium.*of h left"):
        steady_state(vehicle, loads=[loads.joint_torque("h", 1.0)])
    assert steady_state(vehicle, State(joints={"h": 0.4})).indifferent == 1
    # also next to stiff modes, however small the torque
    wing = MountedAppendage("wing", particle_wing(frequency=1000.0), "bar", [0.1, 0.2, 0.3])
    with pytest.raises(NotConvergedError):
        steady_state(vehicle.changed(appendages=(wing,)), loads=[loads.joint_torque("h", 1e-6)])
    # a torque beyond the largest weight moment has no balance either
    with pytest.raises(NotConvergedError):
        steady_state(pendulum(0.0), loads=[loads.joint_torque("h", 1.2 * 2.0 * G * 0.6)])


def test_a_spin_that_the_base_does_not_keep_is_reported():
    """Euler: about an axis that is no principal one a rigid body has alpha = -I^-1 (w x I w)."""
    w, inertia = np.array([0.3, 0.0, 0.4]), np.array([2.0, 3.0, 4.0])
    found = steady_state(Vehicle("stone", (Body("b", 1.0, inertia=inertia),)), State(angular_velocity=w))
    assert not found.steady
    assert_allclose(found.base_acceleration[3:], -np.cross(w, inertia * w) / inertia, atol=1e-14)


def test_bad_questions_are_refused():
    with pytest.raises(VehicleError, match="free base"):
        steady_state(pendulum(1.0), attitude=True)
    with pytest.raises(VehicleError, match="unknown input"):
        steady_state(pendulum(1.0), inputs={"nothing": 1.0})
    with pytest.raises(VehicleError, match="not constant"):
        steady_state(hub_with_bars(1.0), State(angular_velocity=[0, 0, 1]), attitude=True)


def spinning_particles(wing, arm, rate, start):
    """(coordinates, w) of a hub of 10 kg with particles: K eta = grad ½ w'I w, w x I w = 0, by root finding on the sums alone."""
    m, hub_inertia = masses_of(wing), np.diag([1.0, 1.5, 2.0])
    phi, x = wing.nodes.translation, wing.nodes.positions + arm

    def inertia_and_push(eta, w):
        r = x + phi @ eta
        center = m @ r / (10.0 + m.sum())
        s, hub = r - center, -center
        inertia = hub_inertia + 10.0 * (hub @ hub * np.eye(3) - np.outer(hub, hub))
        inertia = inertia + np.einsum("n,ni,ni->", m, s, s) * np.eye(3) - np.einsum("n,ni,nj->ij", m, s, s)
        outward = (w @ w) * s - np.outer(s @ w, w)  # the center adds nothing: sum of m s over all is zero
        return inertia, np.einsum("n,nak,na->k", m, phi, outward)

    def equations(unknown):
        eta, w = unknown[:-3], unknown[-3:]
        inertia, push = inertia_and_push(eta, w)
        torque = np.cross(w, inertia @ w)
        return np.concatenate([wing.stiffness @ eta - push, torque + w * (w @ w - rate**2)])

    found = root(equations, np.concatenate([np.zeros(phi.shape[2]), start]), tol=1e-13)
    assert np.abs(equations(found.x)).max() < 1e-9
    inertia, _ = inertia_and_push(found.x[:-3], found.x[-3:])
    return found.x[:-3], found.x[-3:], inertia


@pytest.mark.parametrize("which", [0, 2], ids=["minor", "major"])
@pytest.mark.parametrize("rate", [0.3, 2.0])
def test_the_axis_of_a_steady_spin_turns_with_the_vehicle_that_it_deforms(rate, which):
    """Free hub with an asymmetric wing of particles: coordinates and axis by root finding over particles, then flown."""
    wing, arm = particle_wing(), np.array([0.7, -0.2, 0.1])
    mount = MountedAppendage("wing", wing, "hub", arm)
    hub = Body("hub", 10.0, inertia=[1.0, 1.5, 2.0])
    vehicle = Vehicle("top", (hub,), appendages=(mount,))
    name = ("minor", "intermediate", "major")[which]
    stated = rate * principal_axis(vehicle, State(), name)
    eta, w, inertia = spinning_particles(wing, arm, rate, stated)
    turned = np.linalg.norm(np.cross(stated, w)) / rate**2
    assert turned > 1e-6  # far above the comparison below: the axis of the undeformed vehicle is not steady
    assert not steady_state(vehicle, State(angular_velocity=stated)).steady
    found = steady_state(vehicle, State(angular_velocity=stated), spin_axis=True)
    assert found.steady
    assert_allclose(found.state.angular_velocity, w, atol=1e-9 * rate)
    assert_allclose(found.state.modal["wing"], eta, atol=1e-9 * np.abs(eta).max())
    _, axes = np.linalg.eigh(inertia)
    assert abs(axes[:, which] @ w) == pytest.approx(rate, rel=1e-9)
    run = simulate(vehicle, 2.0, found.state, rtol=1e-11)
    assert_allclose(run.angular_velocity, np.tile(w, (len(run), 1)), atol=1e-7 * rate)


def test_only_a_free_spin_has_an_axis_to_seek():
    with pytest.raises(VehicleError, match="axis to seek"):
        steady_state(pendulum(1.0), spin_axis=True)
    with pytest.raises(VehicleError, match="axis to seek"):
        steady_state(hub_with_bars(1.0), spin_axis=True)


@pytest.mark.parametrize("which", ["minor", "intermediate", "major"])
@pytest.mark.parametrize("wheel", [0.0, 5.0])
def test_a_gyrostat_with_a_hinge_finds_its_axis_too(wheel, which):
    """A running wheel and a sprung hinge under the wing: flown, the rate in base axes does not change (Euler)."""
    arm = Body("arm", 2.0, [0.3, 0.0, 0.1], [0.1, 0.2, 0.2])
    vehicle = Vehicle(
        "gyrostat",
        (Body("hub", 10.0, inertia=[1.0, 1.5, 2.0]), arm),
        (hinge("h", "hub", "arm", [0, 1, 0], parent_point=[0, 0.4, 0], stiffness=30.0),),
        (Rotor("w", "hub", [1, 0, 0], 0.05),),
        appendages=(MountedAppendage("wing", particle_wing(), "arm", [0.2, -0.2, 0.1]),),
    )
    start = State(angular_velocity=principal_axis(vehicle, State(), which), rotor_rates={"w": wheel})
    found = steady_state(vehicle, start, spin_axis=True)
    assert found.steady and np.linalg.norm(found.state.angular_velocity) == pytest.approx(1.0, rel=1e-12)
    run = simulate(vehicle, 1.0, found.state, rtol=1e-11)
    assert np.ptp(run.angular_velocity, axis=0).max() < 1e-9 and np.ptp(run.joints["h"]) < 1e-9
    assert np.linalg.norm(np.cross(found.state.angular_velocity, start.angular_velocity)) > 1e-4
