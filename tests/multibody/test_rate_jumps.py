"""Prescribed rates that jump act as impulses: closed forms, an independent KKT system, and the balance sheet."""

import numpy as np
import pytest

from tisserand.multibody import Body, PrescribedMotion, Rotor, State, Vehicle, assembled, hinge, simulate, slider
from tisserand.multibody.force_elements import anchor
from tisserand.multibody.loops import point_loop
from tisserand.multibody.profiles import ramp, step

Z = [0, 0, 1]
TIGHT = {"rtol": 1e-10, "samples": 5}


def balanced(run, most=1e-9):
    return max(run.balance.worst().values()) < most


def test_a_panel_that_is_jerked_turns_its_free_hub():
    """(J + j) w + j rate = 0 from the jump on: the hub turns back at once."""
    bodies = [Body("hub", 9.0, inertia=[3, 3, 4.0]), Body("disk", 1.0, inertia=[1, 1, 2.0])]
    vehicle = Vehicle("pair", bodies, [hinge("drive", "hub", "disk", Z, motion=ramp(0.6, 1.0, 2.0))])
    run = simulate(vehicle, 4.0, times=[0.0, 0.5, 1.0, 1.5, 2.5, 4.0], rtol=1e-10)
    assert run.angular_velocity[:, 2] == pytest.approx([0, 0, -0.1, -0.1, -0.1, 0.0], abs=1e-12)
    assert balanced(run, 1e-10)
    assert any("counts as an impulse" in one for one in run.warnings)


def test_a_base_that_is_jerked_leaves_its_pendulum_behind():
    """A bob on a frictionless slider stays where it is in space when the base starts at once; the base takes up nothing of it."""
    bodies = [Body("cart", 2.0, inertia=[1, 1, 1]), Body("bob", 1.0, inertia=[1, 1, 1])]
    moved = PrescribedMotion(translation=(ramp(0.9, 0.5, 3.0), None, None))
    vehicle = Vehicle("cart", bodies, [slider("rail", "cart", "bob", [1, 0, 0])], base_motion=moved)
    run = simulate(vehicle, 2.0, **TIGHT)
    assert run.joints["rail"][:, 0] == pytest.approx(-run.position[:, 0], abs=1e-12)
    assert run.position[-1, 0] == pytest.approx(0.45, abs=1e-12)
    assert run.balance.work[-1] == pytest.approx(0.5 * 2.0 * 0.3**2, rel=1e-9)  # the cart alone
    assert balanced(run)


def four_bar(base_motion, motion=None):
    def rod(name, mass, along):
        v = np.asarray(along, float)
        return Body(
            name, mass, center=v / 2, inertia=mass / 12 * (v @ v * np.eye(3) - np.outer(v, v)) + 1e-9 * np.eye(3)
        )

    bodies = [Body("ground", 6.0, inertia=[2, 2, 3]), rod("crank", 1.0, [0, 1, 0]), rod("coupler", 2.0, [2, 0.5, 0])]
    bodies += [rod("rocker", 1.5, [0, 1.5, 0])]
    joints = [
        hinge("q1", "ground", "crank", Z, motion=motion),
        hinge("q2", "crank", "coupler", Z, parent_point=[0, 1, 0]),
        hinge("q3", "ground", "rocker", Z, parent_point=[2, 0, 0]),
    ]
    pin = point_loop(anchor("coupler", [2, 0.5, 0]), anchor("rocker", [0, 1.5, 0]), name="pin")
    return Vehicle("four-bar", bodies, joints, base_motion=base_motion), pin


@pytest.mark.parametrize("base_motion", ["fixed", "free"])
def test_a_crank_that_starts_at_once_drives_its_loop(base_motion):
    """Energy and momentum balance across both jumps, and the loop moves as its geometry says from the first instant on."""
    vehicle, pin = four_bar(base_motion, ramp(0.8, 0.3, 1.0))
    run = simulate(vehicle, 1.6, loads=[pin], times=[0.0, 0.2, 0.3, 0.6, 1.0, 1.3, 1.6], rtol=1e-10)
    assert balanced(run)
    # just after the jump: knee (0, 1) moves by -0.8 along x, the pin by -1.5 q3' along x, the coupler keeps its length
    assert run.joint_rates["q3"][2, 0] == pytest.approx(0.8 / 1.5, rel=1e-9)
    assert run.joint_rates["q2"][2, 0] == pytest.approx(-0.8, rel=1e-9)  # coupler translates
    assert np.abs(run.joint_rates["q3"][:2]).max() < 1e-12
    energy = run.balance.kinetic
    if base_motion == "fixed":  # crank and rocker turn, the coupler translates
        expected = 0.5 * (1.0 / 3.0 * 0.64 + 2.0 * 0.64 + 1.5 * 2.25 / 3.0 * (0.8 / 1.5) ** 2)
        assert energy[2] == pytest.approx(expected, rel=1e-8)
        assert energy[-1] == pytest.approx(0.0, abs=1e-9)  # one degree of freedom, held again
    else:
        assert np.abs(run.balance.momentum).max() < 1e-10 and np.abs(run.balance.angular_momentum).max() < 1e-10


def test_a_jump_is_the_limit_of_a_steep_ramp():
    """A crank brought to its rate within a millisecond by a smooth pulse of acceleration ends with the same free motion."""
    from tisserand.multibody.profiles import spin_up

    vehicle, pin = four_bar("free", ramp(0.5, 0.2, 5.0))
    smooth, _ = four_bar("free", spin_up(0.1, 0.2 - 5e-5, 1e-4))
    state = State(angular_velocity=[0.0, 0.0, 0.3])
    one, two = (simulate(v, 0.5, assembled(v, state, loads=[pin]), loads=[pin], **TIGHT) for v in (vehicle, smooth))
    assert one.angular_velocity[-1] == pytest.approx(two.angular_velocity[-1], abs=1e-5)
    assert one.position[-1] == pytest.approx(two.position[-1], abs=1e-5)
    assert np.abs(two.angular_velocity[-1] - two.angular_velocity[0]).max() > 1e-3


def test_a_rotor_whose_momentum_jumps_turns_the_body_that_carries_it():
    """The disc that carries it loses what the rotor takes; the hub behind a free hinge feels nothing of it along the axis."""
    bodies = [Body("hub", 9.0, inertia=[3, 3, 4.0]), Body("disk", 1.0, inertia=[1, 1, 2.0])]
    rotor = Rotor("wheel", "disk", Z, mode="momentum", profile=step(0.5, 1.0))
    vehicle = Vehicle("pair", bodies, [hinge("axle", "hub", "disk", Z)], rotors=[rotor])
    start = State(angular_velocity=[0, 0, 0.3], joint_rates={"axle": 0.1})
    run = simulate(vehicle, 2.0, start, rtol=1e-10, times=[0.0, 0.5, 1.0, 2.0])
    assert run.angular_velocity[:, 2] == pytest.approx([0.3] * 4, abs=1e-12)
    assert run.joint_rates["axle"][:, 0] == pytest.approx([0.1, 0.1, -0.15, -0.15], abs=1e-12)
    assert run.balance.work[-1] == pytest.approx(0.5 * 2.0 * (0.15**2 - 0.4**2), rel=1e-10)
    assert balanced(run)


def test_a_jump_of_momentum_out_of_the_axes_is_that_of_the_rotor_with_the_same_speed():
    """On a panel behind a bent hinge, in a tumbling vehicle: h = Js psi' gives the motion of the given speed, and balances."""
    bodies = [Body("hub", 9.0, inertia=[3, 5, 4.0]), Body("disk", 2.0, center=[1, 0.2, 0], inertia=[1, 1.5, 2.0])]
    joint = hinge("axle", "hub", "disk", [1, 2, 0], parent_point=[0.3, 0, 0.5], stiffness=2.0)
    runs = []
    for mode, size in (("momentum", 0.5), ("speed", 5.0)):
        rotor = Rotor("wheel", "disk", [1, 1, 3], 0.1, mode=mode, profile=step(size, 0.5))
        vehicle = Vehicle("pair", bodies, [joint], rotors=[rotor])
        start = State(angular_velocity=[0.1, -0.2, 0.3], joints={"axle": 0.4})
        runs.append(simulate(vehicle, 1.5, start, **TIGHT))
        assert balanced(runs[-1], 1e-8)
    assert runs[0].angular_velocity == pytest.approx(runs[1].angular_velocity, abs=1e-9)
    assert runs[0].joint_rates["axle"] == pytest.approx(runs[1].joint_rates["axle"], abs=1e-9)
