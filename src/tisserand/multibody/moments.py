"""Mass moments and momenta along a trajectory, from the record's integrals in plain numpy, independent of the engine.

References: theory sections 2 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arrays import FloatArray
from tisserand.multibody.field_moments import FieldMoments, field_moments
from tisserand.multibody.tree import Tree, TreeBody, expand
from tisserand.multibody.vehicle import Vehicle

if TYPE_CHECKING:
    from tisserand.multibody.trajectory import Trajectory


@dataclass(frozen=True, eq=False)
class MassMoments:
    """Moments over n times, about the inertial origin, inertial axes: mass; first (n, 3); second (n, 3, 3) = int y y' dm.

    momentum, angular_momentum (n, 3); versus_reference (n, 3, 3) = int y r' dm and reference_first (3,) = int r dm, with r the
    undeformed place of each particle in the nominal configuration; kinetic (n,) J, with rotors driven by momentum counted by
    their coupling only (their spin inertia need not be known).
    """

    mass: float
    first: FloatArray
    second: FloatArray
    momentum: FloatArray
    angular_momentum: FloatArray
    versus_reference: FloatArray
    reference_first: FloatArray
    kinetic: FloatArray

    @property
    def center(self) -> FloatArray:
        return np.asarray(self.first / self.mass)

    @property
    def central_inertia(self) -> FloatArray:
        """Inertia about the mass center, (n, 3, 3)."""
        c = self.center
        E = self.second - self.mass * np.einsum("na,nb->nab", c, c)
        return np.asarray(np.trace(E, axis1=1, axis2=2)[:, None, None] * np.eye(3) - E)

    @property
    def central_angular_momentum(self) -> FloatArray:
        return np.asarray(self.angular_momentum - np.cross(self.center, self.momentum))

    @property
    def central_reference(self) -> FloatArray:
        """B = int (y - c)(r - c0)' dm, (n, 3, 3): what a polar decomposition turns into the Buckens frame."""
        return np.asarray(self.versus_reference - np.einsum("na,b->nab", self.first, self.reference_first) / self.mass)


def mass_moments(
    run: Trajectory,
    vehicle: Vehicle,
    bodies: Sequence[str] | None = None,
    *,
    quadratic: bool = True,
    without: Sequence[str] = (),
) -> MassMoments:
    """Moments of the whole vehicle, or of named tree bodies; ``quadratic`` False drops u u' from the second moments (Milne).

    ``without``: names of mounted appendages that are left out.

    Args:
        run: the trajectory.
    """
    tree = expand(vehicle)
    nominal = _nominal(tree)
    n = len(run)
    mass, first, second, p, H = 0.0, np.zeros((n, 3)), np.zeros((n, 3, 3)), np.zeros((n, 3)), np.zeros((n, 3))
    versus, start, kinetic = np.zeros((n, 3, 3)), np.zeros(3), np.zeros(n)
    for k, body in enumerate(tree.bodies):
        if bodies is not None and body.name not in bodies:
            continue
        R, x = run.rotation[:, k], run.origin[:, k]
        v = np.einsum("nba,nb->na", R, run.origin_velocity[:, k])
        w = np.einsum("nba,nb->na", R, run.rate[:, k])
        R0, x0 = nominal[k]
        m, S, E, f, h, S0, E0, energy = _body_moments(run, body, v, w, quadratic, without)
        kinetic += energy
        Sw = np.einsum("nab,nb->na", R, S)
        mass, first = mass + m, first + m * x + Sw
        second += (
            np.einsum("nab,nbc,ndc->nad", R, E, R)
            + np.einsum("na,nb->nab", x, Sw)
            + np.einsum("na,nb->nab", Sw, x)
            + m * np.einsum("na,nb->nab", x, x)
        )
        fw = np.einsum("nab,nb->na", R, f)
        p += fw
        H += np.einsum("nab,nb->na", R, h) + np.cross(x, fw)
        Sr = R0 @ S0
        versus += (
            R @ E0 @ R0.T
            + np.einsum("na,b->nab", Sw, x0)
            + np.einsum("na,b->nab", x, Sr)
            + m * np.einsum("na,b->nab", x, x0)
        )
        start += m * x0 + Sr
    return MassMoments(mass, first, second, p, H, versus, start, kinetic)


def _body_moments(  # type: ignore[no-untyped-def]
    run: Trajectory, body: TreeBody, v: FloatArray, w: FloatArray, quadratic: bool, without: Sequence[str]
):
    """Mass, first and second moment, momentum and angular momentum about the origin, reference moments; body axes."""
    n = len(v)
    m = body.mass
    S = np.tile(body.first, (n, 1))
    J = np.tile(body.inertia, (n, 1, 1))
    E0 = np.tile(0.5 * np.trace(body.inertia) * np.eye(3) - body.inertia, (n, 1, 1))
    S0 = body.first.copy()
    f, h, inner = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n)
    for block in body.blocks:
        if block.name in without:
            continue
        i = block.integrals
        eta, rate = run.modal[block.name], run.modal_rates[block.name]
        m, S0 = m + i.mass, S0 + i.mass * i.center
        own = field_moments(block, eta, rate) if quadratic else _milne_moments(i, eta, rate)
        S, J, E0 = S + own.first, J + own.inertia, E0 + own.versus
        f, h, inner = f + own.momentum, h + own.spin, inner + own.kinetic
    for rotor in body.rotors:
        if rotor.mode == "momentum":
            assert rotor.profile is not None
            h = h + rotor.profile(run.times)[:, None] * rotor.axis
        else:
            spin = run.rotor_rates[rotor.name].reshape(n)
            h = h + rotor.spin_inertia * spin[:, None] * rotor.axis
            inner = inner + 0.5 * rotor.spin_inertia * spin**2
    relative = inner + np.einsum("na,na->n", v, f) + np.einsum("na,na->n", w, h)
    p = m * v + np.cross(w, S) + f
    h = h + np.cross(S, v) + np.einsum("nab,nb->na", J, w)
    E = 0.5 * np.trace(J, axis1=1, axis2=2)[:, None, None] * np.eye(3) - J
    rigid = 0.5 * m * (v * v).sum(axis=1) + np.einsum("na,na->n", v, np.cross(w, S))
    energy = rigid + 0.5 * np.einsum("na,nab,nb->n", w, J, w) + relative
    return m, S, E, p, h, S0, E0, energy


def _milne_moments(i: ModalIntegrals, eta: FloatArray, rate: FloatArray) -> FieldMoments:
    """The linear field without u u' in its second moments."""
    S0 = 0.5 * np.trace(i.inertia) * np.eye(3) - i.inertia
    return FieldMoments(
        i.mass * i.center + eta @ i.translation.T,
        i.inertia + np.einsum("abk,nk->nab", i.inertia_first, eta),
        S0 + np.einsum("bak,nk->nab", i.position_shape, eta),
        rate @ i.translation.T,
        rate @ i.rotation.T,
        0.5 * np.einsum("nk,kl,nl->n", rate, i.modal_mass, rate, optimize=True),
    )


def _nominal(tree: Tree) -> list[tuple[FloatArray, FloatArray]]:
    """Attitude and origin of every tree body with all coordinates zero and no deformation."""
    poses: list[tuple[FloatArray, FloatArray]] = [(np.eye(3), np.zeros(3))]
    for body in tree.bodies[1:]:
        R, x = poses[body.parent]
        Rk = R @ body.parent_frame @ body.child_frame.T
        poses.append((Rk, x + R @ body.parent_point - Rk @ body.child_point))
    return poses
