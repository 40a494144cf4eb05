"""A body on a ball joint of a held or driven base: accelerations, loads of the joint and reaction of the base.

The reference is Newton and Euler written out for two rigid bodies in NumPy; it shares no code with the engines.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from tisserand.multibody import Body, PrescribedMotion, State, Vehicle, ball, simulate
from tisserand.multibody.loads import force, torque
from tisserand.multibody.profiles import sine

GRAVITY = np.array([0.4, -1.1, -9.0])
STIFFNESS, DAMPING = 3.0, 0.4
AXIS = np.array([0.6, 0.0, 0.8])
SLIDES, ANGLE = ((0.4, 0.3, 0.9), (-0.3, 0.5, 0.4), (0.2, 0.6, -0.7)), (0.7, 0.25, 0.4)  # amplitude, Hz, phase
HUB = Body("hub", 7.0, center=[0.1, -0.2, 0.3], inertia=[[2.0, 0.1, -0.2], [0.1, 1.5, 0.3], [-0.2, 0.3, 1.8]])
TIP = Body("tip", 3.0, center=[0.5, 0.2, -0.4], inertia=[[0.6, 0.05, 0.02], [0.05, 0.7, -0.1], [0.02, -0.1, 0.8]])
AT_HUB, AT_TIP = np.array([0.9, -0.3, 0.2]), np.array([-0.2, 0.1, 0.3])
PUSH, AT_PUSH, TWIST = np.array([1.0, -2.0, 0.7]), np.array([0.3, 0.6, -0.1]), np.array([0.5, 0.2, -0.9])
ATTITUDE, BALL = Rotation.from_rotvec([0.3, -0.5, 0.8]), Rotation.from_rotvec([-0.7, 0.4, 0.6])
RATE = np.array([0.8, -0.5, 1.1])  # of the tip relative to the hub, tip axes


def scalar_first(turn):
    return np.roll(turn.as_quat(), 1)


def base_at_start(driven):
    """Attitude, rate, angular and linear acceleration of the hub at time zero, inertial axes."""
    if not driven:
        return ATTITUDE.as_matrix(), np.zeros(3), np.zeros(3), np.zeros(3)

    def derivative(amplitude, hertz, phase, order):
        return amplitude * (2 * np.pi * hertz) ** order * np.sin(phase + order * np.pi / 2)

    R = (ATTITUDE * Rotation.from_rotvec(AXIS * derivative(*ANGLE, 0))).as_matrix()
    turn = R @ AXIS
    return R, turn * derivative(*ANGLE, 1), turn * derivative(*ANGLE, 2), np.array([derivative(*s, 2) for s in SLIDES])


def newton_euler(driven):
    """Angular acceleration of the tip; force and torque on it at the ball; force and torque on the hub at its origin."""
    R0, w0, alpha0, a0 = base_at_start(driven)
    R = R0 @ BALL.as_matrix()
    w = w0 + R @ RATE

    def carried(a, alpha, w, r):
        return a + np.cross(alpha, r) + np.cross(w, np.cross(w, r))

    spring = -STIFFNESS * R @ BALL.as_rotvec() - DAMPING * R @ RATE
    arm, to_center, to_push = R0 @ AT_HUB, R @ (TIP.center - AT_TIP), R @ (AT_PUSH - AT_TIP)
    pivot = carried(a0, alpha0, w0, arm)
    inertia, push = R @ TIP.inertia @ R.T, R @ PUSH
    outside = spring + R @ TWIST + np.cross(to_push, push)

    def needed(alpha):
        """Moment about the pivot that an angular acceleration of the tip needs beyond the weight."""
        inertial = TIP.mass * (carried(pivot, alpha, w, to_center) - GRAVITY)
        return inertia @ alpha + np.cross(w, inertia @ w) + np.cross(to_center, inertial)

    still = needed(np.zeros(3))
    per_unit = np.column_stack([needed(e) - still for e in np.eye(3)])
    alpha = np.linalg.solve(per_unit, outside - still)
    through = TIP.mass * (carried(pivot, alpha, w, to_center) - GRAVITY) - push
    own, hub = R0 @ HUB.center, R0 @ HUB.inertia @ R0.T
    weightless = HUB.mass * (carried(a0, alpha0, w0, own) - GRAVITY)
    moment = hub @ alpha0 + np.cross(w0, hub @ w0) + np.cross(own, weightless) + spring + np.cross(arm, through)
    return alpha, through, spring, weightless + through, moment


@pytest.mark.parametrize("driven", [False, True], ids=["held", "driven"])
def test_ball_joint_on_a_held_or_driven_base_is_newton_and_euler(driven):
    """Accelerations, loads through the ball and the reaction of the base, 1e-10 of the largest of each."""
    motion = PrescribedMotion(tuple(sine(*s) for s in SLIDES), AXIS, sine(*ANGLE)) if driven else "fixed"
    socket = ball("ball", "hub", "tip", stiffness=STIFFNESS, damping=DAMPING, parent_point=AT_HUB, child_point=AT_TIP)
    vehicle = Vehicle("pendulum", (HUB, TIP), (socket,), base_motion=motion, gravity=GRAVITY)
    state = State(attitude=scalar_first(ATTITUDE), joints={"ball": scalar_first(BALL)}, joint_rates={"ball": RATE})
    run = simulate(vehicle, 1e-3, state, loads=[force("tip", PUSH, point=AT_PUSH), torque("tip", TWIST)], samples=2)
    found = (
        run.angular_acceleration[0, run.bodies.index("tip")],
        run.joint_force["ball"][0],
        run.joint_torque_vector["ball"][0],
        run.joint_force["hub"][0],
        run.joint_torque_vector["hub"][0],
    )
    for one, two in zip(found, newton_euler(driven), strict=True):
        assert np.abs(one - two).max() < 1e-10 * np.abs(two).max()
