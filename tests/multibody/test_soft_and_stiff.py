"""System modes of damped and spinning vehicles: soft springs beside stiff modes are not taken for rigid motion."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from support.flexible import random_appendage

from tisserand.multibody import Body, MountedAppendage, Rotor, State, Vehicle, hinge, linearize, system_modes

SOFT_HZ, STIFF_HZ = 0.001, 1000.0
INERTIA = np.array([1.0, 2.0, 3.0])
SPRING = INERTIA[2] * (2.0 * np.pi * SOFT_HZ) ** 2


def vehicle(damping: float, base: str = "fixed", **more) -> Vehicle:
    """A wing with modes up to 1 kHz on the hub, and a panel about its own mass center on a spring of 0.001 Hz."""
    wing = random_appendage(2, 4, nodes=6, frequency=STIFF_HZ)
    wing = wing.changed(damping=2.0 * damping * np.sqrt(wing.stiffness))
    bodies = (Body("hub", 50.0, inertia=[20, 25, 30]), Body("panel", 5.0, inertia=INERTIA))
    joint = hinge("h", "hub", "panel", [0, 0, 1], parent_point=[0.4, 0, 0], stiffness=SPRING)
    return Vehicle(
        "v",
        bodies,
        (joint,),
        appendages=(MountedAppendage("w", wing, "hub", [0.1, 0.2, 0.3]),),
        base_motion=base,
        **more,
    )


@pytest.mark.parametrize("damping", [0.0, 0.01])
def test_a_soft_hinge_beside_stiff_modes_keeps_its_frequency(damping):
    """On a held hub everything is uncoupled: sqrt(k/I), the wing's own frequencies, its damping; ratio of 1 to a million."""
    modes = system_modes(vehicle(damping))
    own = np.sort(random_appendage(2, 4, nodes=6, frequency=STIFF_HZ).frequencies_hz)
    assert_allclose(modes.frequencies_hz, [SOFT_HZ, *own], rtol=1e-6)
    assert_allclose(modes.damping_ratios, [0.0, *[damping] * 4], atol=1e-6)
    assert modes.rigid == 0 and len(modes.real_poles) == 0


@pytest.mark.parametrize("damping", [0.0, 0.01])
def test_a_free_hub_has_six_rigid_motions_and_the_soft_hinge(damping):
    """The wing is rigid at that pace: frequency of the two bodies joined by the spring, from their rigid linear model."""
    modes = system_modes(vehicle(damping, "free"))
    rigid = linearize(vehicle(damping, "free"))
    M = rigid.mass
    seven = [i for i, name in enumerate(rigid.coordinates) if not name.startswith("w.")]
    effective = 1.0 / np.linalg.inv(M[np.ix_(seven, seven)])[6, 6]
    assert rigid.coordinates[6] == "h"
    assert modes.frequencies_hz[0] == pytest.approx(np.sqrt(SPRING / effective) / (2.0 * np.pi), rel=1e-6)
    assert modes.rigid == 6 and len(modes.frequencies_hz) == 5


def test_free_rotors_and_hinges_are_rigid_and_a_damped_one_is_a_real_pole():
    """A free rotor adds a zero pair; with bearing drag d its rate decays with d (1/Js + 1/I) on a free body."""
    body = Body("b", 2.0, inertia=INERTIA)
    free = Vehicle("g", (body,), rotors=(Rotor("w", "b", [0, 0, 1], 0.1),))
    assert system_modes(free).rigid == 7
    dragged = Vehicle("g", (body,), rotors=(Rotor("w", "b", [0, 0, 1], 0.1, damping=0.02),))
    # inertia of the body holds no rotor: the rotor's spin inertia is its own
    found = system_modes(dragged).real_poles
    about = INERTIA[2]
    assert len(found) == 1 and found[0] == pytest.approx(-0.02 * (1.0 / 0.1 + 1.0 / about), rel=1e-6)


def test_a_spinning_body_nutates_and_its_attitude_turns_with_the_spin():
    """Spin W about an axis of symmetry: nutation W (I3 - I1)/I1 in body axes, and the spin itself; four zero pairs."""
    W, I1, I3 = 0.8, 2.0, 3.0
    top = Vehicle("top", (Body("b", 2.0, inertia=[I1, I1, I3]),))
    modes = system_modes(top, State(angular_velocity=[0, 0, W]))
    expected = np.sort([W * (I3 - I1) / I1, W]) / (2.0 * np.pi)
    assert_allclose(modes.frequencies_hz, expected, rtol=1e-7)
    assert modes.rigid == 4 and len(modes.real_poles) == 0


def test_a_spin_about_the_middle_axis_diverges():
    """Euler: growth W sqrt((I2 - I1)(I3 - I2)/(I1 I3)), a pair of real poles rather than a rigid motion."""
    W = 0.5
    body = Vehicle("book", (Body("b", 2.0, inertia=INERTIA),))
    growth = W * np.sqrt((2.0 - 1.0) * (3.0 - 2.0) / (1.0 * 3.0))
    found = system_modes(body, State(angular_velocity=[0, W, 0])).real_poles
    assert_allclose(found, [-growth, growth], rtol=1e-7)


def test_an_inverted_pendulum_is_unstable_not_rigid():
    """sqrt(m g c / I) as a pair of real poles."""
    ground = Body("ground", 1.0, inertia=[1, 1, 1])
    bar = Body("bar", 2.0, [0, 0, 0.6], [0.24, 0.24, 0.01])
    up = Vehicle(
        "up", (ground, bar), (hinge("h", "ground", "bar", [0, 1, 0]),), base_motion="fixed", gravity=[0, 0, -9.81]
    )
    growth = np.sqrt(2.0 * 9.81 * 0.6 / (0.24 + 2.0 * 0.36))
    found = system_modes(up)
    assert_allclose(found.real_poles, [-growth, growth], rtol=1e-7)
    assert found.rigid == 0 and len(found.frequencies_hz) == 0
