"""Mass moments and momenta along a trajectory, from the record's integrals in plain numpy, independent of the engine.

Places and velocities are taken from the origin of the base at every time, so that a vehicle far from the inertial origin (in
orbit) keeps its digits. References: theory sections 2 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, skew
from tisserand.errors import VehicleError
from tisserand.modes.frames_of_moments import CentralMoments, axial
from tisserand.multibody.field_moments import field_moments
from tisserand.multibody.gathered_rows import ROWS, gathered_rows
from tisserand.multibody.tree import Tree, TreeBody, expand
from tisserand.multibody.vehicle import Vehicle

if TYPE_CHECKING:
    from tisserand.multibody.trajectory import Trajectory


@dataclass(frozen=True, eq=False, kw_only=True)
class MassMoments:
    """Moments over n times in inertial axes, about the origin of the base.

    z = y - point: mass kg; point, pace (n, 3): origin of the base and its velocity; offset (n, 3) = int z dm; second (n,
    3, 3) = int z z' dm; flow (n, 3, 3) = int z dz/dt' dm; drift (n, 3) = int dz/dt dm;
    spin (n, 3): angular momentum of rotors in their bodies; versus, versus_rate (n, 3, 3) = int z r' dm, int dz/dt r' dm, and
    reference_first (3,) = int r dm, reference_second (3, 3) = int r r' dm, with r the undeformed place of each particle in the
    nominal configuration; inner (n,) J: kinetic energy relative to the point, with rotors driven by momentum counted by their
    coupling only (their spin inertia need not be known).
    """

    mass: float
    point: FloatArray
    pace: FloatArray
    offset: FloatArray
    second: FloatArray
    flow: FloatArray
    drift: FloatArray
    spin: FloatArray
    versus: FloatArray
    versus_rate: FloatArray
    reference_first: FloatArray
    reference_second: FloatArray
    inner: FloatArray

    @property
    def first(self) -> FloatArray:
        """int y dm (n, 3) about the inertial origin."""
        return np.asarray(self.mass * self.point + self.offset)

    @property
    def center(self) -> FloatArray:
        return np.asarray(self.point + self.offset / self.mass)

    @property
    def momentum(self) -> FloatArray:
        return np.asarray(self.mass * self.pace + self.drift)

    @property
    def angular_momentum(self) -> FloatArray:
        """About the inertial origin, (n, 3)."""
        return np.asarray(
            axial(self.flow) + self.spin + np.cross(self.offset, self.pace) + np.cross(self.point, self.momentum)
        )

    @property
    def kinetic(self) -> FloatArray:
        """Kinetic energy (n,), J."""
        moving = 0.5 * self.mass * (self.pace**2).sum(axis=1) + (self.pace * self.drift).sum(axis=1)
        return np.asarray(self.inner + moving)

    @property
    def central(self) -> CentralMoments:
        """Moments about the mass centers, of the present and of the reference configuration."""

        def outer(a: FloatArray, b: FloatArray) -> FloatArray:
            return np.asarray(np.einsum("...a,...b->...ab", a, b) / self.mass)

        r = np.broadcast_to(self.reference_first, self.offset.shape)
        return CentralMoments(
            self.second - outer(self.offset, self.offset),
            self.flow - outer(self.offset, self.drift),
            self.versus - outer(self.offset, r),
            self.versus_rate - outer(self.drift, r),
            self.reference_second - outer(self.reference_first, self.reference_first),
            self.spin,
        )

    def sampled(self, rows: Any) -> MassMoments:
        """The same at some of the times.

        Args:
            rows: numbers of output times.
        """
        return replace(self, **{word: getattr(self, word)[rows] for word in HISTORIES})


#: Shape of every field of MassMoments at one time.
MOMENT_SHAPES: dict[str, tuple[int, ...]] = {
    "mass": (), "point": (3,), "pace": (3,), "offset": (3,), "second": (3, 3), "flow": (3, 3), "drift": (3,), "spin": (3,),
    "versus": (3, 3), "versus_rate": (3, 3), "reference_first": (3,), "reference_second": (3, 3), "inner": (),
}  # fmt: skip
#: Fields that are histories; the others are constants of the vehicle.
HISTORIES = tuple(word for word in MOMENT_SHAPES if word not in ("mass", "reference_first", "reference_second"))


@checked_arguments
def mass_moments(
    run: Trajectory, vehicle: Vehicle, bodies: Sequence[str] | None = None, *, without: Sequence[str] = ()
) -> MassMoments:
    """Moments of the whole vehicle, or of named tree bodies.

    ``without``: names of mounted appendages that are left out.

    Args:
        run: the trajectory.
    """
    tree = expand(vehicle)
    _refuse_other(run, tree, bodies)
    n = len(run)
    if n <= ROWS:
        return _moments_of_tree(run, tree, bodies, without)
    constants: dict[str, Any] = {}

    def piece(rows: slice) -> dict[str, Any]:
        made = _moments_of_tree(run.sampled(rows), tree, bodies, without)
        constants.update({word: getattr(made, word) for word in MOMENT_SHAPES if word not in HISTORIES})
        return {word: getattr(made, word) for word in HISTORIES}

    parts = [slice(start, min(start + ROWS, n)) for start in range(0, n, ROWS)]
    return MassMoments(**gathered_rows(n, ((part, piece(part)) for part in parts)), **constants)


def _moments_of_tree(run: Trajectory, tree: Tree, bodies: Sequence[str] | None, without: Sequence[str]) -> MassMoments:
    """``mass_moments`` of one piece of a run."""
    nominal = _nominal(tree)
    n = len(run)
    mass, start, start2 = 0.0, np.zeros(3), np.zeros((3, 3))
    offset, drift, spin, inner = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n)
    second, flow, versus, versus_rate = (np.zeros((n, 3, 3)) for _ in range(4))
    for k, body in enumerate(tree.bodies):
        if bodies is not None and body.name not in bodies:
            continue
        R, x = run.rotation[:, k], run.origin[:, k] - run.origin[:, 0]
        v = np.einsum("nba,nb->na", R, run.origin_velocity[:, k] - run.origin_velocity[:, 0])
        w = np.einsum("nba,nb->na", R, run.rate[:, k])
        R0, x0 = nominal[k]
        b, moving = _own_moments(run, body, without), skew(w)
        m, Rt = b.mass, R.transpose(0, 2, 1)
        p = m * v + np.cross(w, b.first) + b.momentum
        S, pw, S0 = np.einsum("nab,nb->na", R, b.first), np.einsum("nab,nb->na", R, p), R0 @ b.reference_first
        sx = np.einsum("na,nb->nab", S, x)
        mass, offset, drift = mass + m, offset + m * x + S, drift + pw
        second += R @ b.second @ Rt + sx + sx.transpose(0, 2, 1) + m * np.einsum("na,nb->nab", x, x)
        own = np.einsum("na,nb->nab", b.first, v) - b.second @ moving + b.flow  # int s (v + w x s + Yd)' dm
        flow += R @ own @ Rt + np.einsum("na,nb->nab", x, pw)
        spin += np.einsum("nab,nb->na", R, b.spin)
        versus += R @ b.versus @ R0.T + np.einsum("na,b->nab", S + m * x, x0) + np.einsum("na,b->nab", x, S0)
        own = np.einsum("na,b->nab", v, b.reference_first) + moving @ b.versus + b.versus_rate
        versus_rate += R @ own @ R0.T + np.einsum("na,b->nab", pw, x0)
        start, s0x = start + m * x0 + S0, np.outer(S0, x0)
        start2 += R0 @ b.reference_second @ R0.T + s0x + s0x.T + m * np.outer(x0, x0)
        h = np.cross(b.first, v) + np.einsum("nab,nb->na", b.inertia, w) + 2.0 * (axial(b.flow) + b.spin)
        inner += b.kinetic + 0.5 * ((v * (p + b.momentum)).sum(axis=1) + (w * h).sum(axis=1))
    return MassMoments(
        mass=mass,
        point=run.origin[:, 0],
        pace=run.origin_velocity[:, 0],
        offset=offset,
        second=second,
        flow=flow,
        drift=drift,
        spin=spin,
        versus=versus,
        versus_rate=versus_rate,
        reference_first=start,
        reference_second=start2,
        inner=inner,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class _OwnMoments:
    """Moments of one tree body about its origin in its axes: as FieldMoments, with rotors and the reference configuration."""

    mass: float
    first: FloatArray
    second: FloatArray
    inertia: FloatArray
    versus: FloatArray
    momentum: FloatArray
    flow: FloatArray
    versus_rate: FloatArray
    spin: FloatArray
    kinetic: FloatArray
    reference_first: FloatArray
    reference_second: FloatArray


def _own_moments(run: Trajectory, body: TreeBody, without: Sequence[str]) -> _OwnMoments:
    n = len(run)
    m, S0, J0 = body.mass, body.first.copy(), body.inertia.copy()
    S, J = np.tile(body.first, (n, 1)), np.tile(body.inertia, (n, 1, 1))
    E0 = np.tile(_second(body.inertia), (n, 1, 1))
    f, flow, rate, spin, kinetic = (
        np.zeros((n, 3)),
        np.zeros((n, 3, 3)),
        np.zeros((n, 3, 3)),
        np.zeros((n, 3)),
        np.zeros(n),
    )
    for block in body.blocks:
        if block.name in without:
            continue
        i = block.integrals
        own = field_moments(block, run.modal[block.name], run.modal_rates[block.name])
        m, S0, J0 = m + i.mass, S0 + i.mass * i.center, J0 + i.inertia
        S, J, E0 = S + own.first, J + own.inertia, E0 + own.versus
        f, flow, rate, kinetic = f + own.momentum, flow + own.flow, rate + own.versus_rate, kinetic + own.kinetic
    for rotor in body.rotors:
        if rotor.mode == "momentum":
            assert rotor.profile is not None
            spin = spin + rotor.profile(run.times)[:, None] * rotor.axis
        else:
            pace = run.rotor_rates[rotor.name].reshape(n)
            spin = spin + rotor.spin_inertia * pace[:, None] * rotor.axis
            kinetic = kinetic + 0.5 * rotor.spin_inertia * pace**2
    return _OwnMoments(
        mass=m,
        first=S,
        second=_second(J),
        inertia=J,
        versus=E0,
        momentum=f,
        flow=flow,
        versus_rate=rate,
        spin=spin,
        kinetic=kinetic,
        reference_first=S0,
        reference_second=_second(J0),
    )


def _second(inertia: FloatArray) -> FloatArray:
    """int y y' dm of an inertia, over the last two axes."""
    return np.asarray(0.5 * np.trace(inertia, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - inertia)


def _refuse_other(run: Trajectory, tree: Tree, bodies: Sequence[str] | None) -> None:
    """Refuse names that are not bodies, and a vehicle other than the one simulated."""
    names = tuple(body.name for body in tree.bodies)
    if names != run.bodies:
        raise VehicleError(
            "the vehicle is not the one of this run", found=f"bodies {', '.join(names)}", expected=", ".join(run.bodies)
        )
    for block in (block for body in tree.bodies for block in body.blocks):
        flown, modes = run.modal[block.name].shape[1] if block.name in run.modal else 0, len(block.integrals.modal_mass)
        if flown != modes:
            raise VehicleError(
                f"the vehicle is not the one of this run: {block.name} has other modes",
                found=f"{modes} modes",
                expected=f"{flown}",
            )
    for name in bodies or ():
        run.body(name)


def _nominal(tree: Tree) -> list[tuple[FloatArray, FloatArray]]:
    """Attitude and origin of every tree body with all coordinates zero and no deformation."""
    poses: list[tuple[FloatArray, FloatArray]] = [(np.eye(3), np.zeros(3))]
    for body in tree.bodies[1:]:
        R, x = poses[body.parent]
        Rk = R @ body.parent_frame @ body.child_frame.T
        poses.append((Rk, x + R @ body.parent_point - Rk @ body.child_point))
    return poses
