"""Descriptions that cannot move are refused before the first step, in one sentence that names the culprit."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tisserand.errors import VehicleError
from tisserand.multibody import (
    Body,
    Rotor,
    SampledController,
    Simulation,
    State,
    Vehicle,
    ball,
    fixed,
    hinge,
    likins,
    universal,
)
from tisserand.multibody.loads import force, joint_torque
from tisserand.multibody.signals import body_rate, joint_angle

I = np.diag([1.0, 1.2, 0.9])


def body(name, **values):
    return Body(name, values.pop("mass", 2.0), values.pop("center", np.zeros(3)), values.pop("inertia", I))


def chain(*names):
    return [hinge(f"{a}{b}", a, b, [0, 0, 1]) for a, b in pairwise(names)]


def test_two_bodies_with_the_same_name():
    with pytest.raises(VehicleError, match=r"two bodies have the same name.*bus"):
        Vehicle("v", [body("bus"), body("bus")])


def test_two_joints_with_the_same_name():
    joints = [hinge("h", "a", "b", [0, 0, 1]), hinge("h", "a", "c", [0, 0, 1])]
    with pytest.raises(VehicleError, match=r"two joints have the same name.*h"):
        Vehicle("v", [body("a"), body("b"), body("c")], joints)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 6), st.randoms(use_true_random=False))
def test_a_ring_of_any_length_is_a_cycle(count, random):
    """Bodies joined head to tail in a ring, on their own or beside a base, never make a vehicle."""
    names = [f"r{i}" for i in range(count)]
    ring = [hinge(f"h{i}", names[i], names[(i + 1) % count], [0, 0, 1]) for i in range(count)]
    random.shuffle(ring)
    with pytest.raises(VehicleError, match=r"cycle|base"):
        Vehicle("v", [body(n) for n in names], ring)
    with pytest.raises(VehicleError, match=r"cycle"):
        Vehicle("v", [body("base"), *(body(n) for n in names)], ring)


def test_a_closed_loop_is_refused_with_the_joint_that_closes_it():
    joints = [*chain("a", "b", "c"), hinge("closing", "a", "c", [0, 0, 1])]
    with pytest.raises(VehicleError, match=r"joint closing.*two parents"):
        Vehicle("v", [body("a"), body("b"), body("c")], joints)


@pytest.mark.parametrize("axis", [[0, 0, 0], [np.nan, 0, 1], [np.inf, 0, 0], [1e-14, 0, 0]])
def test_a_hinge_axis_needs_a_length(axis):
    with pytest.raises(VehicleError, match=r"joint h.*(zero length|not finite)"):
        hinge("h", "a", "b", axis)


def test_parallel_axes_of_a_universal_joint():
    with pytest.raises(VehicleError, match=r"joint u.*parallel"):
        universal("u", "a", "b", [[0, 0, 1], [0, 0, 2]])


@settings(max_examples=50, deadline=None)
@given(st.floats(0.01, 10.0), st.floats(0.01, 10.0), st.floats(1.01, 5.0), st.integers(0, 2**31))
def test_inertia_must_obey_the_triangle_inequality_in_any_axes(a, b, factor, seed):
    """I3 > I1 + I2 belongs to no mass distribution, whatever the axes it is written in; I3 = I1 + I2 (a
    lamina) does."""
    from scipy.spatial.transform import Rotation

    Q = Rotation.random(random_state=seed).as_matrix()
    with pytest.raises(VehicleError, match=r"body plate.*triangle inequality"):
        body("plate", inertia=Q @ np.diag([a, b, factor * (a + b)]) @ Q.T)
    body("plate", inertia=Q @ np.diag([a, b, a + b]) @ Q.T)


def test_an_inertia_that_is_not_symmetric_or_not_positive():
    with pytest.raises(VehicleError, match=r"body b.*not symmetric"):
        body("b", inertia=[[1, 0.1, 0], [0, 1, 0], [0, 0, 1]])
    with pytest.raises(VehicleError, match=r"body b"):
        body("b", inertia=np.diag([1.0, -0.5, 1.0]))


def test_a_massless_leaf_carries_nothing():
    with pytest.raises(VehicleError, match=r"body tip.*massless.*carries nothing"):
        Vehicle("v", [body("a"), body("b"), Body("tip")], chain("a", "b", "tip"))
    Vehicle("v", [body("a"), Body("between"), body("tip")], chain("a", "between", "tip"))


@pytest.mark.parametrize("mass", [-1.0, np.nan, np.inf])
def test_a_mass_is_finite_and_not_negative(mass):
    with pytest.raises(VehicleError, match=r"body b.*mass"):
        body("b", mass=mass)


def test_joints_and_rotors_must_name_bodies_that_exist():
    with pytest.raises(VehicleError, match=r"joint ab.*unknown body.*b"):
        Vehicle("v", [body("a")], chain("a", "b"))
    with pytest.raises(VehicleError, match=r"rotor w.*unknown body.*x"):
        Vehicle("v", [body("a")], (), [Rotor("w", "x", [0, 0, 1], 1.0)])
    with pytest.raises(VehicleError, match="must be connected to one base body"):
        Vehicle("v", [body("a"), body("lost")])


@pytest.mark.parametrize(
    "piece",
    [
        {"position": [np.nan, 0, 0]},
        {"angular_velocity": [0, np.inf, 0]},
        {"joints": {"ab": np.nan}},
        {"modal": {"wing": [0.0, np.nan]}},
        {"attitude": [0.9, 0.9, 0, 0]},
    ],
)
def test_a_state_is_finite_from_birth(piece):
    with pytest.raises(VehicleError, match=r"state"):
        State(**piece)


@pytest.mark.parametrize(
    "commands, words", [([1.0, 2.0], "wrong number"), ([], "wrong number"), ([np.nan], "not finite")]
)
def test_a_control_law_must_return_what_its_outputs_need(commands, words):
    law = SampledController("loop", (joint_angle("ab"),), (joint_torque("ab", None),), lambda t, v: commands, 0.1)
    with pytest.raises(VehicleError, match=rf"controller loop.*{words}"):
        law.commands(0.0, np.zeros(1))


def test_loads_on_things_that_do_not_exist():
    model = likins.build(Vehicle("v", [body("a"), body("b")], chain("a", "b")))
    for load, name in ((force("x", [1, 0, 0]), "x"), (joint_torque("xy", 1.0), "xy")):
        with pytest.raises(VehicleError, match=name):
            likins.accelerations(model, State(), [load])


def test_a_free_point_mass_has_no_rotation():
    with pytest.raises(VehicleError, match=r"body p.*rotation"):
        Vehicle("v", [Body("p", 1.0)])
    with pytest.raises(VehicleError, match=r"body p.*rotation"):
        Vehicle("v", [body("a"), Body("p", 1.0)], [ball("s", "a", "p")])
    Vehicle("v", [body("a"), Body("p", 1.0)], [fixed("s", "a", "p")])


def test_two_outputs_of_one_name_are_refused():
    """Only one of them could be kept under that name."""
    twice = [body_rate("bus", axis, name="w") for axis in ([1, 0, 0], [0, 1, 0])]
    with pytest.raises(VehicleError, match=r"two outputs have the same name.*w"):
        Simulation(Vehicle("v", [body("bus")]), outputs=twice)


def test_inertias_that_are_rounded_fly_with_a_warning_and_impossible_ones_do_not():
    """The two smaller of 1, 1, 2 (1 + x) fall short of the largest by x/(1 + x): 0.06 % is rounding, 5 % is a mistake."""
    rounded = Vehicle("v", [body("bus", inertia=[1.0, 1.0, 2.0012])])
    run = Simulation(rounded, State(angular_velocity=[0.1, 0.0, 0.2])).run(1.0)
    assert any("body bus" in words and "0.06 %" in words for words in run.warnings)
    with pytest.raises(VehicleError, match="body bus: principal inertias violate the triangle inequality"):
        body("bus", inertia=[1.0, 1.0, 2.1])
