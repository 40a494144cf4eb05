"""Flexible bodies everywhere in the tree: conservation, observer velocity, inertia levels, recovered nodal motion."""

import numpy as np
import pytest
from support.flexible import random_appendage
from support.recovered import NodalBodies, recovered_momenta

from tisserand.multibody import (
    Body,
    Joint,
    MountedAppendage,
    Rotor,
    State,
    Vehicle,
    fixed,
    hinge,
    mass_moments,
    prismatic,
    reexpress,
    simulate,
)

HUB = Body("hub", 50.0, center=[0.1, 0.2, -0.1], inertia=[10, 12, 15])
ARM = Body("arm", 5.0, inertia=[1, 1.2, 0.8])
TURNED = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
TURNED = TURNED * np.linalg.det(TURNED)


def vehicle(appendage, joint=None, **facts) -> Vehicle:
    mounts = (MountedAppendage("wing", appendage, "hub", [0.5, 0.2, 0.1], TURNED, **facts),)
    rotors = (Rotor("wheel", "hub", [0, 1, 1], 0.1),)
    return Vehicle("v", (HUB, ARM) if joint else (HUB,), (joint,) if joint else (), rotors, mounts)


def start(joint=None, size=1.0, **more) -> State:
    rates = {} if joint is None or joint.kind == "fixed" else {"j": [1.0, 0.5, 0.2] if joint.kind == "ball" else 1.0}
    return State(
        velocity=[1, 2, 3],
        angular_velocity=[0.3, -0.2, 0.5],
        modal={"wing": size * np.array([0.02, -0.01, 0.03, 0.01])},
        modal_rates={"wing": size * np.array([0.3, -0.2, 0.1, 0.4])},
        joint_rates=rates,
        rotor_rates={"wheel": 20.0},
        **more,
    )


TIP = dict(parent_interface=("wing", "tip"), child_point=[0.3, 0, 0.1])
JOINTS = {
    "none": None,
    "hinge at the tip": hinge("j", "hub", "arm", [0, 1, 0.5], stiffness=2.0, **TIP),
    "slider at the tip": prismatic("j", "hub", "arm", [1, 2, 0], stiffness=5.0, **TIP),
    "ball at the tip": Joint("j", "ball", "hub", "arm", stiffness=(1.0,), **TIP),
    "fixed at the tip": fixed("j", "hub", "arm", **TIP),
    "hinge on the hub": hinge("j", "hub", "arm", [1, 1, 0], parent_point=[0, 0, 1], child_point=[0, 0.3, 0]),
}


@pytest.mark.parametrize("clamped", [True, False], ids=["clamped", "floating"])
@pytest.mark.parametrize("name", JOINTS)
def test_energy_and_momentum_are_conserved(name, clamped):
    """Full inertia: every connection conserves energy, momentum and angular momentum to integration tolerance."""
    joint = JOINTS[name]
    run = simulate(
        vehicle(random_appendage(1, clamped=clamped), joint), 3.0, start(joint), rtol=1e-11, atol=1e-13, samples=31
    )
    assert max(run.balance.worst().values()) < 1e-10
    v = vehicle(random_appendage(1, clamped=clamped), joint)
    moments = mass_moments(run, v)  # plain numpy from the record's integrals
    assert np.abs(moments.momentum - run.balance.momentum).max() < 1e-9
    assert np.abs(moments.angular_momentum - run.balance.angular_momentum).max() < 1e-9


def test_drift_over_a_hundred_seconds_is_small_and_falls_with_tolerance():
    """Modes below 5 Hz, tolerance 1e-10: drift below 1e-8 over 100 s, and a hundred times looser tolerance drifts more."""
    v = vehicle(random_appendage(3, frequency=4.0), JOINTS["hinge at the tip"])
    drift = []
    for tolerance in (1e-6, 1e-8, 1e-10):
        run = simulate(v, 100.0, start(JOINTS["hinge at the tip"]), rtol=tolerance, atol=tolerance * 1e-2, samples=101)
        drift.append(max(run.balance.worst().values()))
    assert drift[2] < 1e-8
    assert drift[0] > 10 * drift[1] > 100 * drift[2]


def test_a_constant_velocity_changes_nothing():
    """Galileo: adding a constant velocity to everything leaves angles, modes and rates alone (v.(w x P eta) is kept)."""
    joint = JOINTS["hinge at the tip"]
    for clamped in (True, False):
        v = vehicle(random_appendage(2, clamped=clamped), joint)
        one, two = (
            simulate(v, 5.0, start(joint).changed(velocity=w), rtol=1e-12, samples=11)
            for w in ([0, 0, 0], [30, -20, 50])
        )
        for a, b in (
            (one.modal["wing"], two.modal["wing"]),
            (one.angular_velocity, two.angular_velocity),
            (one.joints["j"], two.joints["j"]),
        ):
            assert np.abs(a - b).max() < 1e-9


def accelerations(level, state):
    """Of an appendage whose bodies turn exactly at ``full`` inertia."""
    run = simulate(vehicle(random_appendage(4, exact=True), inertia=level), 1e-3, state, samples=2)
    return np.concatenate([run.angular_acceleration[0].ravel(), run.modal_accelerations["wing"][0]])


def test_linear_inertia_errs_with_the_square_of_the_deformation():
    """``linear`` keeps every term of first degree about finite spin: its error against ``full`` is of second degree."""
    errors = [
        np.abs(accelerations("full", s) - accelerations("linear", s)).max()
        for s in (start(size=1e-2), start(size=1e-3))
    ]
    assert np.log10(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


def test_constant_inertia_loses_the_centrifugal_force():
    """``constant`` drops dJ/d eta: without deformation its modal error is 1/2 w.J1 w, the square of the spin."""
    errors = []
    for spin in (0.1, 0.01):
        state = State(angular_velocity=spin * np.array([0.6, 0.0, 0.8]))
        errors.append(np.abs(accelerations("full", state) - accelerations("constant", state)).max())
    assert np.log10(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.01)


def test_momenta_recovered_from_particles_agree():
    """Particles on the nodes: sums over recovered node motion against the balance sheet, no modal integrals between."""
    rng = np.random.default_rng(5)
    wing = random_appendage(5, bodies=False)
    massless = Vehicle(
        "w",
        (Body("hub"),),
        appendages=(MountedAppendage("wing", wing.changed(attachment=None), "hub", [0.1, 0.2, 0.3], TURNED),),
    )
    state = State(
        velocity=[1, 2, 3],
        angular_velocity=[0.3, -0.2, 0.5],
        modal={"wing": rng.normal(size=4) * 0.1},
        modal_rates={"wing": rng.normal(size=4)},
    )
    run = simulate(massless, 2.0, state, rtol=1e-11, samples=21)
    masses = np.random.default_rng(5)
    masses.uniform(0.2, 0.5, (6, 3))
    nodal = NodalBodies(masses.uniform(0.3, 1.5, 6), np.zeros((6, 3)), np.zeros((6, 3, 3)))
    found = recovered_momenta(run, massless, {"wing": nodal})
    assert np.abs(found["momentum"] - run.balance.momentum).max() < 1e-10
    assert np.abs(found["angular_momentum"] - run.balance.angular_momentum).max() < 1e-10
    assert np.abs(found["kinetic"] - run.balance.kinetic).max() < 1e-10


def test_floating_frame_agrees_with_the_same_structure_clamped():
    """The same motion in a frame that floats on its mount and in the clamped frame: small motions agree to second degree."""
    clamped = random_appendage(6, bodies=False)
    nodes = clamped.nodes
    rng = np.random.default_rng(1)
    # shapes seen from a frame that moves against the root: phi - (t + r x ...) per mode
    shift, turn = rng.normal(size=(3, 4)) * 0.2, rng.normal(size=(3, 4)) * 0.2
    phi = nodes.translation - shift - np.cross(turn.T[None], nodes.positions[:, None, :]).transpose(0, 2, 1)
    theta = nodes.rotation - turn
    from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
    from tisserand.appendage.record.node_table import Interface, NodeTable

    masses = np.random.default_rng(6)
    masses.uniform(0.2, 0.5, (6, 3))
    m = masses.uniform(0.3, 1.5, 6)
    zero = np.zeros((6, 3))
    integrals = nodal_body_integrals(nodes.positions, m, zero, np.zeros((6, 3, 3)), phi, theta)
    face = Interface("root", 1, nodes.positions[0], np.eye(3), phi[0], theta[0])
    floating = clamped.changed(
        integrals=integrals, nodes=NodeTable(nodes.ids, nodes.positions, phi, theta), interfaces=(face,)
    )
    errors = []
    for size in (1e-3, 1e-4):
        states = [
            State(
                angular_velocity=size * np.array([3, -2, 5]),
                modal={"wing": size * np.array([1, -1, 2, 0.5])},
                modal_rates={"wing": size * np.array([3, 1, -2, 4])},
            )
            for _ in range(2)
        ]
        runs = [
            simulate(vehicle(w), 1.0, s, rtol=1e-12, atol=1e-15, samples=5) for w, s in zip((clamped, floating), states)
        ]
        errors.append(np.abs(runs[0].modal["wing"] - runs[1].modal["wing"]).max())
    assert errors[0] < 1e-3 and errors[1] < 0.02 * errors[0]


def test_tisserand_rate_carries_all_angular_momentum():
    """H = I w_T exactly; the Buckens frame leaves int u x u', second order in the deformation (S0 Eqs 46, 48)."""
    body = Vehicle(
        "b",
        (Body("hub", 5.0, inertia=[1, 1.5, 2]),),
        appendages=(MountedAppendage("wing", random_appendage(7, bodies=False), "hub"),),
    )
    left = []
    for size in (1e-2, 1e-3):
        state = State(
            angular_velocity=[0.1, 0.2, 0.3],
            modal={"wing": size * np.ones(4)},
            modal_rates={"wing": size * np.array([5, -4, 3, 2])},
        )
        run = simulate(body, 1.0, state, rtol=1e-11, samples=1001)
        assert np.abs(reexpress(run, body, "tisserand").relative_momentum).max() < 1e-12
        left.append(np.abs(reexpress(run, body, "buckens").relative_momentum).max())
    assert left[1] < 0.02 * left[0]


def test_principal_frame_diagonalizes_and_refuses_equal_inertias():
    from tisserand.errors import ModelError
    from tisserand.multibody import attitude

    body = Vehicle(
        "b",
        (Body("hub", 5.0, inertia=[1, 1.5, 2]),),
        appendages=(MountedAppendage("wing", random_appendage(7), "hub"),),
    )
    run = simulate(body, 1.0, State(modal={"wing": [0.05, 0, 0.02, 0]}), samples=101)
    frame = reexpress(run, body, "principal")
    R = attitude.direction_cosines(frame.attitude)
    inside = np.einsum("nba,nbc,ncd->nad", R, frame.inertia, R)
    assert np.abs(inside - np.einsum("naa->na", inside)[:, :, None] * np.eye(3)).max() < 1e-10
    round_body = Vehicle("r", (Body("hub", 5.0, inertia=[1, 1, 2]),))
    with pytest.raises(ModelError, match="two principal moments are equal"):
        reexpress(simulate(round_body, 1.0), round_body, "principal")
