"""Loops together with control laws, reaction wheels, orbits and sensors: an independent KKT system, and balance sheets."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from support.kkt import constrained
from support.recursive_calls import flat_state
from support.trees import batched, flat, named_state, random_tree, vehicle_loads, vehicle_of

from tisserand.multibody import (
    Body,
    SensorErrors,
    State,
    Vehicle,
    assembled,
    environment,
    hinge,
    reaction_wheel,
    signals,
    simulate,
)
from tisserand.multibody.controllers import attitude_pd, joint_pid, sampled
from tisserand.multibody.force_elements import anchor
from tisserand.multibody.loads import gravity_gradient
from tisserand.multibody.loops import point_loop
from tisserand.multibody.orbits import Orbit, orbit_attitude
from tisserand.multibody.planet import EARTH
from tisserand.multibody.recursive.compile import compile_vehicle

TREE = random_tree(77, bodies=9, modes=2, aligned=False, depth=1)  # a flexible chain with rotors
RATE, KP, KD, VISCOUS = 0.4, 3.0, 0.8, 0.07


def test_a_loop_under_a_law_a_wheel_and_a_gravity_gradient_is_that_of_the_particles():
    """Accelerations and loop forces: a dense system of particles under the law, the wheel's limit and drag, and the field."""
    oracle, pose = TREE.particles(), batched(TREE.pose)
    first, second = ((k, TREE.bodies[k].positions[i]) for k, i in ((1, 2), (7, 4)))
    start = oracle.particle_start

    def apart(x, R):
        return np.einsum("bji,bj->bi", R[:, 1], x[:, start[7] + 4] - x[:, start[1] + 2])

    loop = point_loop(anchor(f"b{first[0]}", first[1]), anchor(f"b{second[0]}", second[1]), name="pin")
    vehicle, asked = vehicle_of(TREE), float(TREE.rotor_torques[0])
    old, most = vehicle.rotors[0], 0.4 * abs(asked)
    wheel = reaction_wheel(
        old.name, old.body, old.axis, old.spin_inertia, mass=old.mass, position=old.position,
        transverse_inertia=old.transverse_inertia, max_torque=most, viscous=VISCOUS,
    )  # fmt: skip
    vehicle = replace(vehicle, rotors=(wheel.rotor, *vehicle.rotors[1:]))
    loads = [*vehicle_loads(TREE), *wheel.loads, gravity_gradient(RATE), loop]
    c = compile_vehicle(vehicle, loads, [joint_pid("j2", KP, KD, reference=0.3)])
    y, dy, U = flat_state(c, named_state(TREE)), np.zeros(c.size), c.held()
    assert c.rhs(c.M, c.F, c.workspace(), U, 0.0, y, dy) == 0
    u = c.speeds
    named = SimpleNamespace(
        velocity=dy[u : u + 3],
        angular_velocity=dy[u + 3 : u + 6],
        joints={name: dy[places] for name, places in c.joint_u.items()},
        modal={name: dy[c.eta_places(name)[1]] for name in c.eta},
        rotors={name: dy[c.rotor_places(name)[1]] for name in c.rotor},
    )
    n = oracle.hinges
    motors, turning = TREE.motors.copy(), TREE.rotor_torques.copy()
    motors[1] += KP * (0.3 - TREE.pose.gamma[1]) - KD * TREE.speeds[6 + 1]
    turning[0] = np.clip(asked, -most, most) - VISCOUS * TREE.speeds[6 + n]
    driven = replace(TREE, motors=motors, rotor_torques=turning)

    def applied(_):
        forces, generalized, torques = driven.applied(oracle)
        x = np.real(oracle.places(pose)[0][0])
        field = RATE**2 * (3.0 * np.outer([1, 0, 0], [1, 0, 0]) - np.eye(3))
        return forces + oracle.masses[:, None] * (x @ field), generalized, torques

    seen = SimpleNamespace(particles=lambda: oracle, pose=TREE.pose, speeds=TREE.speeds, applied=applied)
    expected, multipliers = constrained(seen, apart)
    got = flat(TREE, named)
    assert np.abs(got - expected).max() < 1e-9 * np.abs(expected).max()
    place = c.loops[0].multipliers
    assert U[place : place + 3] == pytest.approx(multipliers, rel=1e-8, abs=1e-9 * np.abs(multipliers).max())
    bare, _ = constrained(TREE, apart)
    assert np.abs(bare - expected).max() > 0.01 * np.abs(expected).max()  # law, wheel and field matter


def rod(name, mass, along):
    v = np.asarray(along, float)
    return Body(name, mass, center=v / 2, inertia=mass / 12 * (v @ v * np.eye(3) - np.outer(v, v)) + 1e-6 * np.eye(3))


WHEELS = [
    reaction_wheel(f"w{'xyz'[i]}", "hub", np.eye(3)[i], 0.02, max_torque=0.05, coulomb=1e-4, viscous=1e-5)
    for i in range(3)
]
WHEEL_LOADS = [load for wheel in WHEELS for load in wheel.loads]
PIN = point_loop(anchor("coupler", [1.0, 0.25, 0.0]), anchor("rocker", [0.0, 0.75, 0.0]), name="pin")


def craft():
    """A four-bar linkage on a free hub with three wheels; the crank has a spring."""
    bodies = [Body("hub", 60.0, inertia=[9, 10, 11]), rod("crank", 1.0, [0, 0.5, 0])]
    bodies += [rod("coupler", 2.0, [1, 0.25, 0]), rod("rocker", 1.5, [0, 0.75, 0])]
    z = [0, 0, 1]
    joints = [
        hinge("q1", "hub", "crank", z, stiffness=0.3),
        hinge("q2", "crank", "coupler", z, parent_point=[0, 0.5, 0]),
        hinge("q3", "hub", "rocker", z, parent_point=[1, 0, 0]),
    ]
    return Vehicle("craft", bodies, joints, rotors=[wheel.rotor for wheel in WHEELS])


AXES = [(f"w{'xyz'[i]}", np.eye(3)[i]) for i in range(3)]
PD = attitude_pd("hub", 2.0, 6.0, rotors=AXES, limit=0.2)


def closed(vehicle, state):
    """The state with its loop closed and everything at rest against the hub."""
    return state.changed(joints=assembled(vehicle, State(joints={"q1": 0.2}), loads=[PIN]).joints)


@pytest.mark.parametrize("law", ["continuous", "sampled", "crank"])
def test_energy_and_momentum_balance_under_control(law):
    """Wheels saturate and drag; laws are continuous, sampled and late, or drive the loop itself."""
    vehicle = craft()
    laws = {
        "continuous": [PD],
        "sampled": [sampled(PD, 0.05, 0.02)],
        "crank": [joint_pid("q1", 4.0, 2.0, 1.0, reference=0.5, limit=0.6)],
    }[law]
    gyro = signals.sensor(
        signals.body_rate("hub", [0, 0, 1], name="gyro"), SensorErrors(period=0.03, sigma=1e-4, seed=3)
    )
    state = closed(vehicle, State(angular_velocity=[0.02, -0.03, 0.05], rotor_rates={"wx": 30.0}))
    run = simulate(
        vehicle, 1.5, state, loads=[PIN, *WHEEL_LOADS], controllers=laws, outputs=[gyro, signals.loop_force("pin", 0, "pull")],
        samples=7, rtol=1e-10,
    )  # fmt: skip
    assert run.complete and max(run.balance.worst().values()) < 1e-8
    for kept in (run.balance.momentum, run.balance.angular_momentum):  # everything is internal
        assert np.abs(kept - kept[0]).max() < 1e-9 * np.abs(kept).max()
    assert np.abs(run.balance.work).max() > 1e-4 and np.abs(run.loop_force["pin"]).max() > 1e-3
    assert run.signals["pull"] == pytest.approx(
        run.loop_force["pin"][:, 0], abs=1e-9
    )  # a sensor of the loop reads its force
    error = run.signals["gyro"] - run.signals["gyro.true"]
    assert 0.0 < np.abs(error).max() < 0.05


@pytest.mark.parametrize("field", ["gradient", "planet"])
def test_energy_and_momentum_balance_in_orbit(field):
    """A gravity gradient about the orbit point, and a planet with J2 at its distance; both turn the vehicle."""
    vehicle = craft()
    if field == "gradient":
        pull, state = gravity_gradient(0.05), State(angular_velocity=[0.0, 0.01, 0.05], position=[0.3, -0.2, 0.1])
    else:
        position, velocity = Orbit(semi_major_axis=6.9e6, eccentricity=0.01, inclination=0.7).state(EARTH)
        attitude, rate = orbit_attitude(position, velocity)
        pull = environment.gravity(EARTH)
        state = State(
            position=position, velocity=velocity, attitude=attitude, angular_velocity=rate + 0.02 * np.eye(3)[2]
        )
    run = simulate(
        vehicle, 3.0, closed(vehicle, state), loads=[PIN, pull, *WHEEL_LOADS], controllers=[PD], samples=4, rtol=1e-10
    )
    assert run.complete and max(run.balance.worst().values()) < 1e-8
    assert np.abs(run.balance.impulse).max() > 1e-3
    assert max(np.abs(drift[:, 0]).max() for drift in run.loop_drift.values()) < 1e-6
