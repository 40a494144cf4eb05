"""Attitude in any representation, from quaternions (n, 4), scalar first, body to inertial.

The dynamics never use these: the representation is chosen after the run (requirement P2).

References: S4 10.1-10.9; [Wiener1962].
"""

from __future__ import annotations

from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.declarations.angle_sets import AngleSet
from tisserand.errors import VehicleError

#: The 24 sets.
ANGLE_SETS: tuple[AngleSet, ...] = get_args(AngleSet)
#: Below this size of the determinant of the three axes the angles have no rates.
LOCKED = 1e-9


@checked_arguments
def direction_cosines(attitude: ArrayLike) -> FloatArray:
    """Rotation matrices R (n, 3, 3), body to inertial; the report's C is the transpose.

    Args:
        attitude: quaternions (..., 4), scalar first.
    """
    q = np.asarray(attitude, float)
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    s, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)],
        [2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)],
        [2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


@checked_arguments
def euler_parameters(rotation: ArrayLike) -> FloatArray:
    """Quaternions (n, 4), scalar first, of rotation matrices (n, 3, 3); continuous in sign along the first axis."""
    from scipy.spatial.transform import Rotation

    R = np.asarray(rotation, float)
    q = Rotation.from_matrix(R.reshape(-1, 3, 3)).as_quat()[:, [3, 0, 1, 2]]
    flips = np.cumprod(np.where(np.einsum("ni,ni->n", q[1:], q[:-1]) < 0.0, -1.0, 1.0))
    q[1:] *= flips[:, None]
    return np.asarray(q.reshape(*R.shape[:-2], 4))


@checked_arguments
def orientation_angles(attitude: ArrayLike, angle_set: str = "body-xyz") -> FloatArray:
    """Three angles (n, 3), rad, of one of ANGLE_SETS; near gimbal lock the third angle is set to zero.

    Args:
        attitude: quaternions (..., 4), scalar first.
        angle_set: such as ``body-xyz`` or ``space-zyx``.
    """
    from scipy.spatial.transform import Rotation

    q = np.atleast_2d(np.asarray(attitude, float))
    import warnings

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Gimbal lock")
        return np.asarray(Rotation.from_quat(q[:, [1, 2, 3, 0]]).as_euler(_sequence(angle_set)))  # type: ignore[call-overload]


@checked_arguments
def from_orientation_angles(angles: ArrayLike, angle_set: str = "body-xyz") -> FloatArray:
    """Quaternions (n, 4), scalar first, of three angles (n, 3).

    Args:
        angle_set: such as ``body-xyz`` or ``space-zyx``.
    """
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_euler(_sequence(angle_set), np.atleast_2d(angles)).as_quat()[:, [3, 0, 1, 2]])


@checked_arguments
def angle_rates(attitude: ArrayLike, angular_velocity: ArrayLike, angle_set: str = "body-xyz") -> FloatArray:
    """Rates (n, 3), rad/s, of three orientation angles; not a number in gimbal lock, where no rates exist.

    Args:
        attitude: quaternions (..., 4), scalar first.
        angular_velocity: (..., 3) rad/s, body axes.
        angle_set: such as ``body-xyz`` or ``space-zyx``.
    """
    axes = _turning_axes(orientation_angles(attitude, angle_set), angle_set)
    w = np.atleast_2d(np.asarray(angular_velocity, float))
    locked = np.abs(np.linalg.det(axes)) < LOCKED
    rates = np.linalg.solve(np.where(locked[:, None, None], np.eye(3), axes), w[..., None])[..., 0]
    return np.where(locked[:, None], np.nan, rates)


@checked_arguments
def from_angle_rates(angles: ArrayLike, rates: ArrayLike, angle_set: str = "body-xyz") -> FloatArray:
    """Angular velocities (n, 3), rad/s, body axes, of three angles (n, 3), rad, and their rates (n, 3), rad/s.

    Args:
        angle_set: such as ``body-xyz`` or ``space-zyx``.
    """
    axes = _turning_axes(np.atleast_2d(np.asarray(angles, float)), angle_set)
    return np.asarray((axes @ np.atleast_2d(np.asarray(rates, float))[..., None])[..., 0])


def _turning_axes(angles: FloatArray, angle_set: str) -> FloatArray:
    """Columns (n, 3, 3): body components of the axes about which the three angles turn.

    Turns a, b, c about body axes i, j, k give R = R_i(a) R_j(b) R_k(c), and the axes R_k'R_j'e_i, R_k'e_j, e_k. Those about
    fixed axes i, j, k are the turns c, b, a about body axes k, j, i.
    """
    from scipy.spatial.transform import Rotation

    _sequence(angle_set)
    kind, letters = angle_set.split("-")
    if kind == "space":
        angles, letters = angles[:, ::-1], letters[::-1]
    e = [np.eye(3)["xyz".index(letter)] for letter in letters]
    second = Rotation.from_rotvec(angles[:, 1:2] * e[1]).inv()
    third = Rotation.from_rotvec(angles[:, 2:3] * e[2]).inv()
    columns = [third.apply(second.apply(e[0])), third.apply(e[1]), np.broadcast_to(e[2], (len(angles), 3))]
    return np.stack(columns[::-1] if kind == "space" else columns, axis=-1)


def _sequence(angle_set: str) -> str:
    if angle_set not in ANGLE_SETS:
        raise VehicleError("unknown set of angles", found=angle_set, expected=", ".join(ANGLE_SETS))
    kind, axes = angle_set.split("-")
    return axes.upper() if kind == "body" else axes


@checked_arguments
def wiener_milenkovic(attitude: ArrayLike) -> FloatArray:
    """Parameters mu = 4 tan(angle/4) axis (n, 3), of the shorter turn: |mu| <= 4, after the rescaling mu* = -16 mu/mu.mu.

    Args:
        attitude: quaternions (..., 4), scalar first.
    """
    q = np.asarray(attitude, float)
    q = np.where(q[..., :1] < 0.0, -q, q)
    return np.asarray(4.0 * q[..., 1:] / (1.0 + q[..., :1]))


@checked_arguments
def from_wiener_milenkovic(parameters: ArrayLike) -> FloatArray:
    """Quaternions (n, 4) of Wiener-Milenkovic parameters (n, 3)."""
    mu = np.asarray(parameters, float)
    t = np.sum(mu * mu, axis=-1, keepdims=True) / 16.0
    return np.concatenate([(1.0 - t) / (1.0 + t), 0.5 * mu / (1.0 + t)], axis=-1)


@checked_arguments
def rotation_vectors(attitude: ArrayLike) -> FloatArray:
    """Rotation vectors (n, 3), rad, at most pi long.

    Args:
        attitude: quaternions (..., 4), scalar first.
    """
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_quat(np.atleast_2d(attitude)[:, [1, 2, 3, 0]]).as_rotvec())
