"""A robot arm of two hinges and a slider that carries an awkward load (S4 14.14, 15.19), against the printed answers.

A turns about the vertical e1; B turns about a2 at P, L_P along a3; C slides along b3; D is welded to C. Mass centers: A* at L_A
a3 from the axis point, B* at L_B b3 from P, C* at the slide's b3 from B*, D* at p from C*. The data line is restored: all five
answers confirm it.
"""

import numpy as np
import pytest

import tisserand as ts

G = 9.81
POSE = {"shoulder": np.radians(10.0), "elbow": np.radians(30.0), "slide": 0.1}
RATES = {"shoulder": 0.1, "elbow": 0.2, "slide": 0.3}


def arm(free=("shoulder", "elbow", "slide"), gravity: float = G) -> ts.Vehicle:
    """The arm with the joints that are not free held at their pose."""
    held = {j: None if j in free else ts.profiles.constant(POSE[j]) for j in POSE}
    load = [[2, 0.6, -1.1], [0.6, 2.5, 0.75], [-1.1, 0.75, 1.3]]
    bodies = (
        ts.Body("ground", 1.0, inertia=[1, 1, 1]),
        ts.Body("A", 87.0, [0, 0, 0.3], [11, 11, 11]),  # only the moment about a1 matters
        ts.Body("B", 63.0, [0, 0, 0.5], [7, 6, 2]),
        ts.Body("C", 42.0, inertia=[5, 4, 1]),
        ts.Body("D", 50.0, inertia=load),
    )
    joints = (
        ts.hinge("shoulder", "ground", "A", [1, 0, 0], motion=held["shoulder"]),
        ts.hinge("elbow", "A", "B", [0, 1, 0], parent_point=[0, 0, 1.1], motion=held["elbow"]),
        ts.prismatic("slide", "B", "C", [0, 0, 1], parent_point=[0, 0, 0.5], motion=held["slide"]),
        ts.fixed("grip", "C", "D", parent_point=[0.2, 0.4, 0.6]),
    )
    return ts.Vehicle("arm", bodies, joints, base_motion="fixed", gravity=[-gravity, 0, 0])


def test_14_14_integrals_of_the_free_arm():
    """K + V = 666.00 N m and H1 = 52.643 N m s at the start, and after any time of free motion.

    The potential is zero in the horizontal plane of A's axis point, which is the ground's origin.
    """
    run = ts.simulate(arm(), 2.0, ts.State(joints=POSE, joint_rates=RATES), samples=21)
    energy, spin = run.balance.energy, run.balance.angular_momentum[:, 0]
    assert energy[0] == pytest.approx(666.00, abs=0.005)
    assert spin[0] == pytest.approx(52.643, abs=0.0005)
    assert energy == pytest.approx(energy[0], rel=1e-9)
    assert spin == pytest.approx(spin[0], rel=1e-9)
    assert any("body D" in w and "rounding" in w for w in run.warnings)  # no body has its printed inertia
    assert abs(run.joints["elbow"][-1, 0] - POSE["elbow"]) > 0.5  # it moved


PRINTED_INERTIA = {"shoulder": 503.61, "elbow": 117.37, "slide": 92.0}


@pytest.mark.parametrize("joint", POSE)
def test_14_14_inertia_that_each_motor_moves(joint):
    """I = 503.61 kg m² about the vertical, J = 117.37 kg m² about the elbow, M = 92 kg on the slider, the other joints held."""
    model = ts.linearize(arm(free=(joint,), gravity=0.0), ts.State(joints={joint: POSE[joint]}))
    assert model.mass == pytest.approx(np.array([[PRINTED_INERTIA[joint]]]), abs=0.005)


@pytest.mark.parametrize(
    ("joint", "damping", "stiffness", "period"),
    [("shoulder", 464, 306, 10.0), ("elbow", 108, 71, 10.0), ("elbow", 216, 285, 5.0), ("slide", 85, 56, 10.0)],
)
def test_15_19_gains_leave_one_hundredth_after_one_period(joint, damping, stiffness, period):
    """Each motor carries the weight and adds -k q - c q'; with the printed gains one damped period takes T and leaves 1/100.

    Logarithmic decrement ln 100 = 4.60517, damping ratio 0.591155. Half a unit of the smallest gains (c = 85, k = 56) is 0.6 and
    0.9 %, which is 1.1 % of the ratio c/(2 sqrt(k M)), 1.0 % of the period and 1.7 % of the decrement.
    """
    law = ts.controllers.joint_pid(joint, stiffness, damping, reference=POSE[joint], gravity=True)
    poles = ts.linearize(arm(free=(joint,)), ts.State(joints={joint: POSE[joint]}), controllers=[law]).poles
    p = poles[np.argmax(poles.imag)]
    assert 2.0 * np.pi / p.imag == pytest.approx(period, rel=0.010)
    assert -2.0 * np.pi * p.real / p.imag == pytest.approx(4.60517, rel=0.017)
    assert -p.real / abs(p) == pytest.approx(0.591155, rel=0.011)
