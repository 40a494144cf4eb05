"""Frames of a bent, turning plane body against closed forms, at outputs as coarse as six to a period.

A ladder of particles in a plane, places (x_1, x_2), one shape u_2 = phi(x_1) with amplitude q, free to move: no finite elements.
With X = sum m x_1², D = sum m x_2², A = sum m x_1 phi, B = sum m phi² (mass center at rest in the frame, sum m phi = 0):
tan t_B = q A/(X + D) (Buckens), tan t_M = q A/(X - D) (Milne), tan 2 t_P = 2 q A/(X - D - q² B) (principal),
w_T = w + q' A/(X + D + q² B) (Tisserand); rates of the others are the derivatives of their angles.
"""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation
from support.trees import Flexible

from tisserand.errors import ModelError, VehicleError
from tisserand.multibody import Body, MountedAppendage, State, Vehicle, load_trajectory, save_trajectory, simulate
from tisserand.multibody.run_frames import floating_frames, reexpress

HZ = 0.8
X1 = np.array([-1.5, -0.7, 0.0, 0.4, 1.9])
HALF = 0.35


def ladder():
    """Masses, places and one shape of the ladder; its mass center is the origin and the shape moves no mass center."""
    m = np.tile(np.array([1.0, 0.6, 0.9, 1.4, 0.8]), 2)
    x = np.column_stack([np.tile(X1, 2), np.repeat([HALF, -HALF], 5), np.zeros(10)])
    x = x - m @ x / m.sum()
    phi = x[:, 0] ** 3 - 0.4 * x[:, 0] + 0.3 * x[:, 0] ** 2  # turns against the mean line: A is not zero
    phi = phi - m @ phi / m.sum()
    return m, x, phi / np.sqrt(m @ phi**2)


M, PLACES, PHI = ladder()
X, D, A, B = M @ PLACES[:, 0] ** 2, M @ PLACES[:, 1] ** 2, M @ (PLACES[:, 0] * PHI), M @ PHI**2


def vehicle():
    shapes = np.zeros((10, 3, 1))
    shapes[:, 1, 0] = PHI
    body = Flexible(
        M,
        PLACES,
        shapes,
        np.zeros((10, 3, 1)),
        np.array([[(2 * np.pi * HZ) ** 2]]),
        np.zeros((1, 1)),
        np.zeros(3),
        np.eye(3),
    )
    return Vehicle("ladder", (Body("frame"),), appendages=(MountedAppendage("ladder", body.record, "frame"),))


def flown(samples, periods=3, **start):
    state = State(angular_velocity=[0, 0, 1.3], modal={"ladder": [0.5]}, modal_rates={"ladder": [1.1]}, **start)
    return simulate(vehicle(), periods / HZ, state, samples=samples, rtol=1e-12, atol=1e-14)


def expected(run, frame):
    """Angle against the body axes and rate about z at every output, from q, q' of the run."""
    q, dq, w = run.modal["ladder"][:, 0], run.modal_rates["ladder"][:, 0], run.rate[:, 0, 2]
    if frame == "buckens":
        return np.arctan2(q * A, X + D), w + dq * A * (X + D) / ((X + D) ** 2 + (q * A) ** 2)
    if frame == "milne":
        return np.arctan2(q * A, X - D), w + dq * A * (X - D) / ((X - D) ** 2 + (q * A) ** 2)
    if frame == "principal":
        up, down = 2 * q * A, X - D - q**2 * B
        slope = (2 * dq * A * down + up * 2 * q * dq * B) / (up**2 + down**2)
        return 0.5 * np.arctan2(up, down), w + 0.5 * slope
    return None, w + dq * A / (X + D + q**2 * B)


@pytest.mark.parametrize("samples", [19, 601])
@pytest.mark.parametrize("frame", ["tisserand", "buckens", "principal", "milne"])
def test_attitude_and_rate_at_every_output_are_the_closed_form(frame, samples):
    """Three periods at six outputs a period and at two hundred: the same accuracy, the frame swings by 0.1 rad or more."""
    run = flown(samples)
    motion = reexpress(run, None, frame)
    angle, rate = expected(run, frame)
    assert motion.rate[:, 2] == pytest.approx(rate, rel=1e-11)
    assert np.abs(motion.rate[:, :2]).max() < 1e-12
    if angle is not None:
        assert np.ptp(angle) > 0.1
        R = Rotation.from_quat(np.roll(motion.attitude, -1, axis=1)).as_matrix()
        seen = run.rotation[:, 0].transpose(0, 2, 1) @ R
        got = np.arctan2(seen[:, 1, 0], seen[:, 0, 0])
        assert got == pytest.approx(angle, abs=1e-12)
    places, rates = motion.worst_residuals
    assert rates < 1e-14 and (places is None or places < 1e-14)


def test_tisserand_attitude_is_the_integral_of_its_rate():
    """Against a fine quadrature of the closed-form rate; coarse outputs carry their own estimate of the error."""
    fine, coarse = flown(4801), flown(19)
    angle = CubicSpline(fine.times, expected(fine, "tisserand")[1]).antiderivative()
    for run, limit in ((fine, 1e-8), (coarse, None)):
        motion = reexpress(run, None, "tisserand")
        turn = Rotation.from_rotvec(angle(run.times)[:, None] * [0.0, 0.0, 1.0])
        gap = (Rotation.from_quat(np.roll(motion.attitude, -1, axis=1)) * turn.inv()).magnitude().max()
        assert gap < (motion.attitude_doubt if limit is None else limit)


def test_digits_do_not_depend_on_where_the_vehicle_is():
    """At the radius and speed of an orbit the sums about the inertial origin would lose every digit (m R² = 1e15 kg m²)."""
    run = flown(19, position=[7.0e6, 1.0e5, 0.0], velocity=[0.0, 7500.0, 100.0])
    for frame in ("tisserand", "buckens", "principal", "milne"):
        assert reexpress(run, None, frame).rate[:, 2] == pytest.approx(expected(run, frame)[1], rel=1e-6)


def test_frames_come_from_the_file_alone(tmp_path):
    run = flown(19)
    again = load_trajectory(save_trajectory(run, tmp_path / "run.h5"))
    found, missing = floating_frames(again)
    assert list(found) == ["tisserand", "buckens", "principal", "milne"] and not missing
    for name, motion in found.items():
        assert motion.rate == pytest.approx(reexpress(run, vehicle(), name).rate, rel=1e-13, abs=1e-13)
    with pytest.raises(VehicleError, match="single bodies need the vehicle"):
        reexpress(again, None, "buckens", bodies=["frame"])
    other = Vehicle("ladder", (Body("hub", 1.0, inertia=[1, 1, 1]),))
    with pytest.raises(VehicleError, match="not the one of this run"):
        reexpress(again, other, "buckens")


def test_frames_that_do_not_exist_say_so_and_leave_the_others():
    """A line of particles has no mean axes, no principal axes and no rate about itself."""
    shapes = np.zeros((5, 3, 1))
    shapes[:, 1, 0] = X1**2 - np.mean(X1**2)
    line = np.column_stack([X1 - X1.mean(), 0 * X1, 0 * X1])
    body = Flexible(np.ones(5), line, shapes, 0 * shapes, np.eye(1), np.zeros((1, 1)), np.zeros(3), np.eye(3)).record
    flat = Vehicle(
        "line", (Body("frame", 1e-3, inertia=[1e-6, 1e-6, 1e-6]),), appendages=(MountedAppendage("l", body, "frame"),)
    )
    run = simulate(flat, 0.1, State(modal={"l": [0.0]}), samples=3)
    _, missing = floating_frames(run)
    assert set(missing) >= {"principal", "milne"}
    assert "two principal moments are equal" in missing["principal"]
    with pytest.raises(ModelError, match="not defined"):
        reexpress(run, None, "principal")
