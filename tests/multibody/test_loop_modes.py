"""Vibration modes and steady states of vehicles with closed loops, against closed forms."""

import numpy as np
import pytest
from scipy.optimize import brentq

from tisserand.errors import NotConvergedError, VehicleError
from tisserand.multibody import Body, State, Vehicle, hinge, linearize, simulate, slider, steady_state, system_modes
from tisserand.multibody.force_elements import anchor
from tisserand.multibody.loops import gear, point_loop, rolling

Z, G = [0, 0, 1], 9.81
CRANK, COUPLER, SPRING, LENGTH = 1.5, 0.8, 60.0, 0.7


def rod(name, mass, along):
    """A slender rod from its origin to ``along``."""
    along = np.asarray(along, float)
    inertia = mass / 12.0 * (along @ along * np.eye(3) - np.outer(along, along)) + 1e-12 * np.eye(3)
    return Body(name, mass, center=along / 2, inertia=inertia)


def five_bar(**law):
    """Cranks of length a stand at x = 0 and 2 a; couplers meet above the middle at y = 2 a."""
    a = LENGTH
    bodies = [Body("ground", 1.0), rod("left", CRANK, [0, a, 0]), rod("right", CRANK, [0, a, 0])]
    bodies += [rod("up", COUPLER, [a, a, 0]), rod("down", COUPLER, [-a, a, 0])]
    joints = [
        hinge("q1", "ground", "left", Z, stiffness=SPRING, **law),
        hinge("q2", "ground", "right", Z, parent_point=[2 * a, 0, 0], stiffness=SPRING, **law),
        hinge("q3", "left", "up", Z, parent_point=[0, a, 0]),
        hinge("q4", "right", "down", Z, parent_point=[0, a, 0]),
    ]
    pin = point_loop(anchor("up", [a, a, 0]), anchor("down", [-a, a, 0]), name="pin")
    return Vehicle("five-bar", bodies, joints, base_motion="fixed"), pin


def test_a_five_bar_linkage_has_the_two_modes_of_its_symmetry():
    """Cranks in phase carry the couplers along; against each other they lift the pin.

    The kinetic energy of a slender rod is m (v1^2 + v1 v2 + v2^2) / 6; with cranks in phase both couplers translate, against
    each other the pin rises as fast as the knees move, at right angles to them.
    """
    vehicle, pin = five_bar()
    modes = system_modes(vehicle, loads=[pin])
    cranks = 2.0 * CRANK * LENGTH**2 / 3.0
    inertia = np.array([cranks + 2.0 * COUPLER * LENGTH**2, cranks + 4.0 / 3.0 * COUPLER * LENGTH**2])
    assert modes.rigid == 0
    assert 2 * np.pi * modes.frequencies_hz == pytest.approx(np.sqrt(2.0 * SPRING / inertia), rel=1e-9)
    assert modes.damping_ratios == pytest.approx(np.zeros(2), abs=1e-12)
    assert modes.coordinates == ("q1", "q2", "q3", "q4")  # all of them, not only independent ones
    q1, q2, q3, q4 = modes.shapes.real
    assert q2 / q1 == pytest.approx([1.0, -1.0], rel=1e-9)
    assert q3 / q1 == pytest.approx(
        [-1.0, -2.0], rel=1e-9
    )  # translating; turning by -1 against a crank that turns by 1
    assert q4 / q2 == pytest.approx([-1.0, -2.0], rel=1e-9)
    assert modes.participation.sum(axis=0) == pytest.approx(np.ones(2), rel=1e-9)


def test_dampers_act_along_the_loops():
    vehicle, pin = five_bar(damping=0.4)
    modes, still = system_modes(vehicle, loads=[pin]), system_modes(five_bar()[0], loads=[pin])
    assert modes.damping_ratios == pytest.approx(0.4 * np.abs(still.eigenvalues) / (2.0 * SPRING), rel=1e-9)
    assert modes.frequencies_hz == pytest.approx(still.frequencies_hz, rel=1e-9)


def hanging(**law):
    """The three-bar linkage: V = -9 g cos q1, inertia 16 kg m^2 about a hinge."""
    bodies = [Body("ground", 1.0), rod("one", 1.0, [0, -2, 0]), rod("two", 2.0, [0, -2, 0]), rod("rod", 3.0, [1, 0, 0])]
    joints = [
        hinge("q1", "ground", "one", Z, **law),
        hinge("q2", "ground", "two", Z, parent_point=[1, 0, 0]),
        hinge("q3", "one", "rod", Z, parent_point=[0, -2, 0]),
    ]
    pin = point_loop(anchor("rod", [1, 0, 0]), anchor("two", [0, -2, 0]), name="pin")
    return Vehicle("linkage", bodies, joints, base_motion="fixed", gravity=[0, -G, 0]), pin


def test_a_linkage_rests_where_its_spring_carries_its_weight():
    """k (q - q0) + 9 g sin q = 0, and around it w^2 = (k + 9 g cos q) / 16; a run from there stays there."""
    k, rest = 50.0, 1.8
    vehicle, pin = hanging(stiffness=k, rest=rest)
    found = steady_state(vehicle, State(joints={"q1": 0.3}), loads=[pin])  # open: it is assembled first
    angle = brentq(lambda q: k * (q - rest) + 9.0 * G * np.sin(q), 0.0, 2.0, xtol=1e-14)
    assert found.worst < 1e-9 and found.indifferent == 0
    for name, expected in (("q1", angle), ("q2", angle), ("q3", -angle)):
        assert float(np.ravel(found.state.joints[name])[0]) == pytest.approx(expected, abs=1e-10), name
    modes = system_modes(vehicle, found.state, loads=[pin])
    assert 2 * np.pi * modes.frequencies_hz == pytest.approx([np.sqrt((k + 9.0 * G * np.cos(angle)) / 16.0)], rel=1e-9)
    assert modes.doubts == ()
    run = simulate(vehicle, 1.0, found.state, loads=[pin], samples=3)
    assert np.abs(run.joints["q1"] - angle).max() < 1e-9


def spinner(stiffness):
    """Two arms with tip masses on a free hub turn about x and -x axes, geared; only one has a spring."""
    tip = {"center": [0, 1.2, 0], "inertia": [1e-9, 1e-9, 1e-9]}
    bodies = [Body("hub", 10.0, inertia=[3, 3, 4]), Body("a", 0.5, **tip), Body("b", 0.5, **tip)]
    half_turn = np.diag([-1.0, -1.0, 1.0])
    joints = [
        hinge("qa", "hub", "a", [1, 0, 0], parent_point=[0, 0.4, 0], stiffness=stiffness, rest=0.6),
        hinge("qb", "hub", "b", [1, 0, 0], parent_point=[0, -0.4, 0], parent_frame=half_turn),
    ]
    return Vehicle("spinner", bodies, joints), gear("qa", "qb", 1.0, name="cable")


def test_a_spinning_pair_of_geared_arms_flattens_against_its_spring():
    """k (q0 - q) = 2 m w^2 (R + l cos q) l sin q: the arm without a spring pulls through the gear."""
    w, k = 1.7, 3.0
    vehicle, cable = spinner(k)
    state = State(angular_velocity=[0, 0, w], joints={"qa": 0.5, "qb": 0.5})
    found = steady_state(vehicle, state, loads=[cable])
    angle = brentq(lambda q: k * (0.6 - q) - w * w * (0.4 + 1.2 * np.cos(q)) * 1.2 * np.sin(q), 0.0, 0.6, xtol=1e-14)
    for name in ("qa", "qb"):
        assert float(np.ravel(found.state.joints[name])[0]) == pytest.approx(angle, abs=1e-10)
    assert found.steady and found.worst < 1e-9
    assert found.state.angular_velocity == pytest.approx([0, 0, w])
    assert found.state.attitude == pytest.approx([1, 0, 0, 0], abs=1e-15)
    run = simulate(vehicle, 2.0, found.state, loads=[cable], samples=5, rtol=1e-11)
    assert np.abs(run.joints["qa"] - angle).max() < 1e-8


def test_a_geared_pair_on_a_free_hub_has_one_mode_and_six_rigid_motions():
    """Poles of the reflected inertia with the hub; the same as those of ``linearize``."""
    bodies = [
        Body("hub", 5.0, inertia=[9, 9, 4]),
        Body("w1", 1.0, inertia=[1, 1, 2]),
        Body("w2", 1.0, inertia=[2, 2, 3]),
    ]
    vehicle = Vehicle("gears", bodies, [hinge("a", "hub", "w1", Z), hinge("b", "hub", "w2", Z, stiffness=40.0)])
    mesh = gear("a", "b", -2.5)
    modes = system_modes(vehicle, loads=[mesh])
    M = np.array([[9.0, 3.0 - 5.0], [3.0 - 5.0, 3.0 + 2.0 * 6.25]])
    assert modes.rigid == 6
    assert np.abs(modes.eigenvalues) == pytest.approx([np.sqrt(40.0 * np.linalg.inv(M)[1, 1])], rel=1e-9)
    assert np.abs(modes.eigenvalues).max() == pytest.approx(
        np.abs(linearize(vehicle, loads=[mesh]).poles).max(), rel=1e-9
    )


def test_what_has_no_modes_is_refused():
    ball = Body("ball", 1.0, inertia=[0.1, 0.1, 0.1])
    vehicle = Vehicle("table", [Body("table", 9.0, inertia=[1, 1, 1]), ball], [hinge("h", "table", "ball", [1, 0, 0])])
    contact = rolling(anchor("table", [0, 0, -0.5]), anchor("ball"), Z, 0.5)
    with pytest.raises(VehicleError, match="rolling contact has no linear model"):
        system_modes(vehicle, loads=[contact])
    unheld, pin = hanging()
    standing = Vehicle("standing", unheld.bodies, unheld.joints, base_motion="fixed", gravity=[0, 0, 0])
    assert steady_state(standing, loads=[pin]).indifferent == 1  # nothing holds it anywhere
    with pytest.raises(VehicleError, match="do not move"):
        system_modes(standing, State(joint_rates={"q1": 1.0, "q2": 1.0, "q3": -1.0}), loads=[pin])
    pushed = Vehicle("pushed", *_pushed(), base_motion="fixed", gravity=[0, 0, -G])
    with pytest.raises(NotConvergedError, match="no equilibrium"):
        steady_state(pushed, loads=[gear("a", "b", 1.0)])


def _pushed():
    """Two sliders along gravity, geared together, that nothing holds."""
    bodies = [Body("ground", 1.0), Body("one", 1.0, inertia=[1, 1, 1]), Body("two", 1.0, inertia=[1, 1, 1])]
    return bodies, [slider("a", "ground", "one", Z), slider("b", "ground", "two", Z)]
