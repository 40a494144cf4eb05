"""Axisymmetric bodies turned by a constant body-fixed torque, against printed tables (S4 10.9 and 17.4)."""

import numpy as np
import pytest

import tisserand as ts


def tilt(run: ts.Trajectory, axis: int) -> np.ndarray:
    """Angle between a body axis and its first direction, degrees."""
    R = ts.attitude.direction_cosines(run.attitude)
    return np.degrees(np.arccos(np.clip(R[:, axis, axis], -1.0, 1.0)))


def test_table_10_9_spin_up_in_wiener_milenkovic_parameters():
    """J/I = 0.5, M/(J w²) = 0.1: turning about a transverse axis at w, torque M about the axis of symmetry.

    Columns: w t; three parameters (those of 3.5 and later already rescaled in the table); nutation angle. Printed to two decimals
    and to whole degrees.
    """
    table = {
        3.0: (3.72, -0.59, 0.31, 169),
        3.5: (-3.20, 0.71, -0.19, 157),
        6.5: (0.48, 0.10, 1.12, 26),
        10.0: (-0.39, 2.56, 1.09, 120),
    }
    w, J = 0.4, 3.0
    body = ts.Vehicle("top", (ts.Body("top", 5.0, inertia=[2 * J, 2 * J, J]),))
    run = ts.simulate(
        body, 10.0 / w, ts.State(angular_velocity=[w, 0, 0]), loads=[ts.loads.torque("top", [0, 0, 1], 0.1 * J * w**2)],
        times=[0.0, *(wt / w for wt in table)],
    )  # fmt: skip
    mu = ts.attitude.wiener_milenkovic(run.attitude)[1:]
    printed = np.array(list(table.values()))
    assert mu == pytest.approx(printed[:, :3], abs=0.005)
    assert tilt(run, 2)[1:] == pytest.approx(printed[:, 3], abs=0.5)


@pytest.mark.parametrize("engine", ["recursive", "likins"])
def test_problem_17_4_symmetry_axis_under_a_transverse_torque(engine):
    """I = 60, J = 40 kg m², rates (1, 1, 1.5) rad/s, 1.5 N m about a transverse body axis: tilt after 1 to 10 s."""
    printed = [77.5, 108.0, 46.7, 37.3, 105.2, 82.9, 3.6, 76.1, 108.3, 51.2]
    body = ts.Vehicle("top", (ts.Body("top", 20.0, inertia=[60, 60, 40]),))
    run = ts.simulate(
        body, 10.0, ts.State(angular_velocity=[1, 1, 1.5]), loads=[ts.loads.torque("top", [1, 0, 0], 1.5)],
        times=np.arange(11.0), engine=engine,
    )  # fmt: skip
    assert tilt(run, 2)[1:] == pytest.approx(printed, abs=0.05)
