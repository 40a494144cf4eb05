"""Attitude in any representation, from quaternions (n, 4), scalar first, body to inertial.

The dynamics never use these: the representation is chosen after the run (requirement P2).

References: S4 10.1-10.9; [Wiener1962].
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError

_AXES = "xyz"
_THREE = tuple("".join(p) for p in permutations(_AXES))
_TWO = tuple(a + b + a for a in _AXES for b in _AXES if b != a)

#: The 24 sets: ``body-...`` axes of the turning body, ``space-...`` fixed axes.
ANGLE_SETS = tuple(f"{kind}-{axes}" for kind in ("body", "space") for axes in (*_THREE, *_TWO))


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
