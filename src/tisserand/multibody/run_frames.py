"""A trajectory re-expressed in floating frames: Tisserand, Buckens (Eckart), principal axes, Milne's principal axes.

Theory section 4. Origin at the instantaneous mass center of the chosen part (whole vehicle, or named bodies).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import CheckFailedError, VehicleError
from tisserand.multibody.attitude import euler_parameters
from tisserand.multibody.moments import mass_moments
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.vehicle import Vehicle

FrameName = Literal["tisserand", "buckens", "principal", "milne"]


@dataclass(frozen=True, eq=False)
class FrameMotion:
    """Motion of a floating frame over n times.

    origin (n, 3) m, attitude (n, 4) frame to inertial, rate (n, 3) rad/s inertial axes, inertia (n, 3, 3) and angular_momentum
    (n, 3) about the origin, inertial axes; relative_momentum (n, 3) = H - I rate: zero for the Tisserand frame, int u x u' for
    the Buckens frame.
    """

    name: str
    times: FloatArray
    origin: FloatArray
    attitude: FloatArray
    rate: FloatArray
    inertia: FloatArray
    angular_momentum: FloatArray

    @property
    def relative_momentum(self) -> FloatArray:
        return np.asarray(self.angular_momentum - np.einsum("nab,nb->na", self.inertia, self.rate))


def reexpress(run: Trajectory, vehicle: Vehicle, frame: FrameName, bodies: Sequence[str] | None = None) -> FrameMotion:
    """Motion of a floating frame of the whole vehicle or of named (tree) bodies along a trajectory.

    tisserand: rate I^-1 H exactly, attitude integrated from the first body's initial attitude; buckens: polar decomposition
    against the undeformed nominal configuration; principal: eigenvectors followed continuously (milne: without u u').
    Rates of the last three come from splines through the attitudes: keep output times dense.

    Args:
        run: the trajectory.
    """
    if frame not in ("tisserand", "buckens", "principal", "milne"):
        raise VehicleError("unknown frame", found=frame, expected="tisserand, buckens, principal or milne")
    if len(run) < 4:
        raise VehicleError("re-expression needs at least four output times", found=len(run))
    moments = mass_moments(run, vehicle, bodies)
    I, H = moments.central_inertia, moments.central_angular_momentum
    first = run.body(bodies[0]) if bodies else 0
    if frame == "tisserand":
        rate = np.asarray(np.linalg.solve(I, H[:, :, None])[:, :, 0], float)
        R = _integrated(run.times, rate, run.rotation[0, first])
    elif frame == "buckens":
        U, _, Vt = np.linalg.svd(moments.central_reference)
        sign = np.linalg.det(U @ Vt)
        U[:, :, 2] *= sign[:, None]
        R = U @ Vt
        rate = _rates(run.times, R)
    else:
        shown = I if frame == "principal" else mass_moments(run, vehicle, bodies, quadratic=False).central_inertia
        R = _followed(shown, run.rotation[0, first])
        rate = _rates(run.times, R)
    return FrameMotion(frame, run.times, moments.center, euler_parameters(R), rate, I, H)


def _followed(inertia: FloatArray, start: FloatArray) -> FloatArray:
    """Eigenvectors as columns, each nearest to the one before, right-handed."""
    values, vectors = np.linalg.eigh(inertia)
    gap = np.min(np.diff(values, axis=1), axis=1) / values[:, -1]
    if gap.min() < 1e-6:
        raise CheckFailedError(
            "two principal inertias coincide, so the principal frame is undefined",
            found=f"relative gap {gap.min():.1e}",
            advice="use the tisserand or buckens frame",
        )
    out = np.empty_like(vectors)
    previous = start
    for n, V in enumerate(vectors):
        overlap = np.abs(previous.T @ V)
        order, left = np.zeros(3, int), {0, 1, 2}
        for i in np.argsort(-overlap.max(axis=1)):
            order[i] = max(left, key=lambda j: overlap[i, j])
            left.discard(int(order[i]))
        V = V[:, order]
        V = V * np.where(np.einsum("ai,ai->i", previous, V) < 0.0, -1.0, 1.0)
        if np.linalg.det(V) < 0.0:
            V[:, int(np.argmin(np.abs(np.einsum("ai,ai->i", previous, V))))] *= -1.0
        out[n] = previous = V
    return out


def _integrated(times: FloatArray, rate: FloatArray, start: FloatArray) -> FloatArray:
    """R' = w~ R by fourth-order Magnus steps over a spline of w."""
    from scipy.interpolate import CubicSpline
    from scipy.spatial.transform import Rotation

    spline = CubicSpline(times, rate)
    h = np.diff(times)
    shift = np.sqrt(3.0) / 6.0
    w1, w2 = spline(times[:-1] + (0.5 - shift) * h), spline(times[:-1] + (0.5 + shift) * h)
    turn = 0.5 * h[:, None] * (w1 + w2) + (np.sqrt(3.0) / 12.0) * h[:, None] ** 2 * np.cross(w2, w1)
    steps = Rotation.from_rotvec(turn).as_matrix()
    R = np.empty((len(times), 3, 3))
    R[0] = start
    for i, step in enumerate(steps):
        R[i + 1] = step @ R[i]
    return R


def _rates(times: FloatArray, R: FloatArray) -> FloatArray:
    """Inertial rates of attitudes from splines of the direction cosines: w~ = R' R^T."""
    from scipy.interpolate import CubicSpline

    W = CubicSpline(times, R)(times, 1) @ R.transpose(0, 2, 1)
    return np.stack([W[:, 2, 1] - W[:, 1, 2], W[:, 0, 2] - W[:, 2, 0], W[:, 1, 0] - W[:, 0, 1]], axis=-1) * 0.5
