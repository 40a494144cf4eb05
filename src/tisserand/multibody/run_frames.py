"""A trajectory re-expressed in floating frames: Tisserand, Buckens (Eckart), principal axes, Milne's principal axes.

Theory section 4. Origin at the instantaneous mass center of the chosen part (whole vehicle, or named bodies). Attitudes and
rates at an output time follow from the state at that time alone; only the attitude of the Tisserand frame, which is defined by
its rate, is an integral over the output times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import CheckFailedError, ModelError, VehicleError
from tisserand.modes.frames_of_moments import (
    MOVING_FRAMES,
    Axes,
    CentralMoments,
    MovingFrameName,
    Residuals,
    mean_axes,
    milne_axes,
    principal_axes,
    residuals,
    rotations,
    running_products,
    tisserand_rates,
)
from tisserand.multibody.attitude import euler_parameters
from tisserand.multibody.moments import MassMoments, mass_moments
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.vehicle import Vehicle

#: The condition that defines each frame; u is measured from the frame, r is the undeformed place.
CONDITIONS: Mapping[MovingFrameName, str] = {
    "tisserand": "int (r+u) x u' dm = 0",
    "buckens": "int r x u dm = 0",
    "principal": "int (r+u)_j (r+u)_k dm = 0",
    "milne": "int (r_j u_k + r_k u_j) dm = 0",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class FrameMotion:
    """Motion of a floating frame over n times.

    origin (n, 3) m, attitude (n, 4) frame to inertial, rate (n, 3) rad/s inertial axes, inertia (n, 3, 3) and angular_momentum
    (n, 3) about the origin, inertial axes; relative_momentum (n, 3) = H - I rate: zero for the Tisserand frame, int u x u' for
    the Buckens frame.

    Attributes:
        name: of the frame.
        times: (n,), s.
        turn: (n,) rad, angle of the frame against the first of its bodies, less its value at the start.
        residuals: violation of the frame's own condition (places) and of its time derivative (rates), relative, (n,).
        attitude_doubt: rad, estimated error of an integrated attitude (tisserand) by the spacing of the output times; zero for
            attitudes that need no integration.
    """

    name: MovingFrameName
    times: FloatArray
    origin: FloatArray
    attitude: FloatArray
    rate: FloatArray
    inertia: FloatArray
    angular_momentum: FloatArray
    turn: FloatArray
    residuals: Residuals
    attitude_doubt: float = 0.0

    @property
    def relative_momentum(self) -> FloatArray:
        return np.asarray(self.angular_momentum - np.einsum("nab,nb->na", self.inertia, self.rate))

    @property
    def condition(self) -> str:
        """What defines the frame."""
        return CONDITIONS[self.name]

    @property
    def worst_residuals(self) -> tuple[float | None, float]:
        """Largest residual over the run, of places (None where the condition is one on rates) and of rates."""
        places, rates = self.residuals
        return None if places is None else float(places.max(initial=0.0)), float(rates.max(initial=0.0))

    def summary(self) -> dict[str, Any]:
        """Largest values over the run, for JSON and tables.

        Turn (rad) against the first body, relative momentum and angular momentum (N m s), residuals (relative), doubt (rad).
        """
        places, rates = self.worst_residuals
        return {
            "condition": self.condition,
            "place_residual": places,
            "rate_residual": rates,
            "largest_turn": float(self.turn.max(initial=0.0)),
            "largest_rate": float(np.linalg.norm(self.rate, axis=1).max(initial=0.0)),
            "largest_relative_momentum": float(np.linalg.norm(self.relative_momentum, axis=1).max(initial=0.0)),
            "largest_angular_momentum": float(np.linalg.norm(self.angular_momentum, axis=1).max(initial=0.0)),
            "attitude_doubt": self.attitude_doubt,
        }


#: Heads of the table of ``frame_rows``, and what they mean.
FRAME_COLUMNS = (
    "frame", "condition", "residual", "of its rate", "turn (deg)", "w - w_T (deg/s)", "H - I w (N m s)", "doubt (deg)",
)  # fmt: skip


FRAME_CAPTION = (
    "Largest values over the run. residual, of its rate: violation of the condition and of its time derivative, relative to the "
    "second moments of the mass; turn: against the first body, since the start; doubt: estimated error of the attitude where it "
    "is integrated over the output times. The origin of every frame is the mass center."
)


def frame_rows(frames: Mapping[MovingFrameName, FrameMotion]) -> list[list[object]]:
    """One row of largest values per frame, under ``FRAME_COLUMNS``; '-' where a column says nothing."""
    lead = frames.get("tisserand")
    rows: list[list[object]] = []
    for name, motion in frames.items():
        found = motion.summary()
        places = found["place_residual"]
        gap = (
            "-"
            if lead is None or name == "tisserand"
            else f"{np.degrees(np.abs(motion.rate - lead.rate).max(initial=0.0)):.4g}"
        )
        rows.append([
            name, motion.condition, "-" if places is None else f"{places:.1e}", f"{found['rate_residual']:.1e}",
            f"{np.degrees(found['largest_turn']):.4g}", gap, f"{found['largest_relative_momentum']:.4g}",
            f"{np.degrees(motion.attitude_doubt):.1g}" if name == "tisserand" else "-",
        ])  # fmt: skip
    return rows


@checked_arguments
def reexpress(
    run: Trajectory, vehicle: Vehicle | None, frame: MovingFrameName, bodies: Sequence[str] | None = None
) -> FrameMotion:
    """Motion of a floating frame of the whole vehicle or of named (tree) bodies along a trajectory.

    tisserand: rate I^-1 H exactly, attitude integrated from the first body's initial attitude; buckens: polar decomposition
    against the undeformed nominal configuration; principal: eigenvectors followed continuously; milne: products of first degree
    vanish. Rates are exact at every output time, however coarse the output is. Raises ModelError where the frame does not exist.

    Args:
        run: the trajectory.
        vehicle: what was flown; None takes the moments that the run keeps.
        frame: name of the frame.
    """
    if frame not in MOVING_FRAMES:
        raise VehicleError("unknown frame", found=frame, expected=", ".join(MOVING_FRAMES))
    return _motion(run, moments_of_run(run, vehicle, bodies), frame, run.body(bodies[0]) if bodies else 0)


@checked_arguments
def floating_frames(
    run: Trajectory,
    vehicle: Vehicle | None = None,
    frames: Iterable[MovingFrameName] = MOVING_FRAMES,
    bodies: Sequence[str] | None = None,
) -> tuple[dict[MovingFrameName, FrameMotion], dict[MovingFrameName, str]]:
    """The frames that exist along a run, and for each of the others a sentence why it does not.

    Args:
        run: the trajectory.
        vehicle: what was flown; None takes the moments that the run keeps.
        frames: names of frames.
        bodies: tree bodies to follow; None takes the whole vehicle.
    """
    moments = moments_of_run(run, vehicle, bodies)
    first = run.body(bodies[0]) if bodies else 0
    found: dict[MovingFrameName, FrameMotion] = {}
    missing: dict[MovingFrameName, str] = {}
    for name in frames:
        try:
            found[name] = _motion(run, moments, name, first)
        except (ModelError, CheckFailedError) as error:
            missing[name] = error.sentence()
    return found, missing


def moments_of_run(run: Trajectory, vehicle: Vehicle | None, bodies: Sequence[str] | None) -> MassMoments:
    """Mass moments of the whole vehicle or of named bodies."""
    if vehicle is None and bodies is None:
        moments = run.moments
        if moments is None:
            raise VehicleError(
                "the run keeps no mass moments, so its frames are not known",
                advice="state the vehicle that was flown, or simulate it anew",
            )
    else:
        vehicle = run.vehicle if vehicle is None else vehicle
        if vehicle is None:
            raise VehicleError(
                "frames of single bodies need the vehicle that was flown", advice="state its file with --vehicle"
            )
        moments = mass_moments(run, vehicle, bodies)
    if not moments.mass > 0.0:
        raise VehicleError("a floating frame needs mass", found="bodies without mass")
    return moments


def _motion(run: Trajectory, moments: MassMoments, frame: MovingFrameName, first: int) -> FrameMotion:
    c, carrier = moments.central, Axes(run.rotation[:, first], run.rate[:, first])
    axes, doubt = _axes(run.times, c, frame, carrier)
    seen = carrier.attitude.transpose(0, 2, 1) @ axes.attitude
    return FrameMotion(
        name=frame,
        times=run.times,
        origin=moments.center,
        attitude=euler_parameters(axes.attitude),
        rate=axes.rate,
        inertia=c.inertia,
        angular_momentum=c.angular,
        turn=_angle(seen @ seen[0].T),
        residuals=residuals(frame, c, axes.attitude, axes.rate),
        attitude_doubt=doubt,
    )


def _axes(times: FloatArray, c: CentralMoments, frame: MovingFrameName, carrier: Axes) -> tuple[Axes, float]:
    """Attitude and rate of a frame, and the doubt in an integrated attitude, rad."""
    if frame == "buckens":
        return mean_axes(c), 0.0
    if frame == "milne":
        return milne_axes(c), 0.0
    if frame == "principal":
        return principal_axes(c, None, carrier.attitude), 0.0
    rate = tisserand_rates(c)
    try:  # against mean axes the rate is of second degree in the deformation, so little is left to integrate
        base = mean_axes(c)
    except ModelError:
        base = carrier
    slip = np.einsum("nba,nb->na", base.attitude, rate - base.rate)
    turns = _integrated(times, slip)
    gap = turns[::2] @ _integrated(times[::2], slip[::2]).transpose(0, 2, 1)
    start = base.attitude[0].T @ carrier.attitude[0]
    return Axes(base.attitude @ turns @ start, rate), float(_angle(gap).max())


def _integrated(times: FloatArray, rate: FloatArray) -> FloatArray:
    """Q' = w~ Q from the unit matrix, by fourth-order Magnus steps over a spline of w."""
    from scipy.interpolate import CubicSpline

    steps = np.tile(np.eye(3), (len(times), 1, 1))
    if len(times) > 1:
        spline, h = CubicSpline(times, rate), np.diff(times)
        shift = np.sqrt(3.0) / 6.0
        w1, w2 = spline(times[:-1] + (0.5 - shift) * h), spline(times[:-1] + (0.5 + shift) * h)
        steps[1:] = rotations(0.5 * h[:, None] * (w1 + w2) + (np.sqrt(3.0) / 12.0) * h[:, None] ** 2 * np.cross(w2, w1))
    return running_products(steps)


def _angle(R: FloatArray) -> FloatArray:
    """Angle of rotation matrices (n, 3, 3), rad, accurate near zero."""
    skewed = R - R.transpose(0, 2, 1)
    sine = 0.5 * np.sqrt(skewed[:, 2, 1] ** 2 + skewed[:, 0, 2] ** 2 + skewed[:, 1, 0] ** 2)
    return np.asarray(np.arctan2(sine, 0.5 * (np.trace(R, axis1=1, axis2=2) - 1.0)))
