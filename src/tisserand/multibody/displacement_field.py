"""One displacement field for every inertia term of an appendage, so that its mass matrix is a Gram matrix (theory section 8).

    y = r + phi eta + 1/2 psi(eta, eta) ,   Y_k = phi_k + psi_kl eta_l ,   M(eta) = int Z'Z dm with Z = [1, -y~, Y]

Turning bodies move exactly, each by its node. All other second-degree displacement (foreshortening, beam sections, shell
fibers, change of frame) is known by its moments A4 = 1/2 int xh psi' dm, xh = [1; r], only; psi is completed by the affine
field psi_kl = C_kl' xh with the same moments. With functions z = T'xh that are orthonormal over the remaining mass
(int z z' dm = 1) its moments are c_kl = 2 T'A4_kl, and Xi = int z y' dm, X_k = int z Y_k' dm give

    M_kl = Mr_kl + X_k:X_l ,   int y y' dm = Xi'Xi + Nr(eta, eta) ,   int y Y_k' dm = Xi'X_k + Nr(eta, k)

with the constant remainders Nr = N - Lz'Lz, Mr = tr Nr: sums of squares.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.record.turning_bodies import TurningBodies, no_bodies
from tisserand.arrays import LEVI_CIVITA, FloatArray, symmetric

#: Principal second moments of the remaining mass below this part of the whole are no direction of its own.
FLAT = 1e-13
#: Largest part of the second-degree moments that the remaining mass may fail to carry.
LARGEST_RANGE_ERROR = 1e-9


@dataclass(frozen=True, eq=False)
class Moments:
    """Moments of a mass about one point.

    gamma (4, 4) = int xh xh', first (4, 3, k) = int xh phi_k' (Lh), shapes (3, 3, k, k) = N, modal (k, k) = Me = tr N, second
    (4, 3, k, k) = 1/2 int xh psi_kl' (A4).
    """

    gamma: FloatArray
    first: FloatArray
    shapes: FloatArray
    modal: FloatArray
    second: FloatArray

    def less(self, other: Moments) -> Moments:
        """The mass without another one that is part of it."""
        return Moments(
            self.gamma - other.gamma,
            self.first - other.first,
            self.shapes - other.shapes,
            self.modal - other.modal,
            self.second - other.second,
        )


def moments_of(integrals: ModalIntegrals) -> Moments:
    """The moments that a record's integrals hold."""
    q = integrals
    return Moments(q.moments, q.shape_moments, q.shape_shape, q.modal_mass, q.second_moments)


def moments_of_bodies(bodies: TurningBodies) -> Moments:
    """Moments of turning bodies: linear field u = phi + theta x rho, second degree 1/2 (b~b~ rho + psi + psi_r x rho)."""
    own = moments_of(
        nodal_body_integrals(
            bodies.positions, bodies.masses, bodies.offsets, bodies.inertias, bodies.translation, bodies.rotation
        )
    )
    psi, twist = bodies.psi(False)
    m, s, x = bodies.masses, bodies.first_moments, bodies.positions
    one = np.concatenate([m[:, None], m[:, None] * x + s], axis=1)  # int xh dm per body
    B = np.concatenate([s[:, None], x[:, :, None] * s[:, None] + bodies.second_moments], axis=1)  # int xh rho' dm
    added = np.einsum("np,nakl->pakl", one, psi, optimize=True)
    added = added + np.einsum("acd,nckl,npd->pakl", LEVI_CIVITA, twist, B, optimize=True)
    return replace(own, second=own.second + 0.5 * added)


@dataclass(frozen=True, eq=False)
class DisplacementField:
    """The complete field of one appendage in the axes and about the point of its integrals, k modes.

    rest: moments of the mass beside the bodies; bodies: what turns exactly; basis T (4, 4): z = T'xh, zero columns where the
    remaining mass has no extent; range_error: relative part of the second-degree moments that the affine field cannot carry.
    """

    rest: Moments
    bodies: TurningBodies
    basis: FloatArray
    range_error: float

    @property
    def count(self) -> int:
        return int(self.rest.first.shape[2])

    @property
    def turns(self) -> bool:
        """Whether the field is of second degree."""
        return bool(len(self.bodies)) or bool(self.rest.second.any())

    @property
    def root_mass(self) -> float:
        """sqrt(m) of the remaining mass: int y dm = sqrt(m) Xi[0]."""
        return float(np.sqrt(max(self.rest.gamma[0, 0], 0.0))) if self.basis[0, 0] else 0.0

    @property
    def place(self) -> FloatArray:
        """int z r' dm (4, 3): Xi at rest."""
        return np.asarray(self.basis.T @ self.rest.gamma[:, 1:])

    @property
    def first(self) -> FloatArray:
        """int z phi_k' dm (4, 3, k)."""
        return np.asarray(np.einsum("pq,pak->qak", self.basis, self.rest.first))

    @property
    def second(self) -> FloatArray:
        """c (4, 3, k, k) = int z psi_kl' dm."""
        return np.asarray(2.0 * np.einsum("pq,pakl->qakl", self.basis, self.rest.second, optimize=True))

    @property
    def remainder(self) -> FloatArray:
        """Nr (3, 3, k, k): what the affine functions do not hold of N."""
        L = self.first
        return np.asarray(self.rest.shapes - np.einsum("pak,pbl->abkl", L, L, optimize=True))

    @property
    def modal_remainder(self) -> FloatArray:
        """Mr (k, k): what they do not hold of Me."""
        L = self.first
        return np.asarray(self.rest.modal - np.einsum("pak,pal->kl", L, L, optimize=True))


def displacement_field(integrals: ModalIntegrals, bodies: TurningBodies) -> DisplacementField:
    """The field of an appendage; ``bodies`` carry the psi that acts in ``second_translation`` and ``second_rotation``."""
    whole = moments_of(integrals)
    rest = whole.less(moments_of_bodies(bodies)) if len(bodies) else whole
    rest = replace(rest, second=_without_noise(rest.second, whole.second))
    basis = orthonormal_basis(rest.gamma, whole.gamma)
    carried = np.einsum("pq,qr,sr,sakl->pakl", rest.gamma, basis, basis, rest.second, optimize=True)
    size = np.sqrt(np.maximum(np.diag(whole.gamma), 0.0))
    gap = np.abs(rest.second - carried).max(axis=(1, 2, 3), initial=0.0)
    scale = max(float((np.abs(whole.second).max(axis=(1, 2, 3), initial=0.0)).max()), 1e-300)
    error = float(gap.max(initial=0.0)) / scale if size.any() else 0.0
    return DisplacementField(rest, bodies, basis, error)


def _without_noise(rest: FloatArray, whole: FloatArray) -> FloatArray:
    """Second moments that are round-off of the subtraction are zero, so that a mass that only turns stays affine-free."""
    floor = 1e-13 * np.abs(whole).max(axis=(1, 2, 3), keepdims=True, initial=0.0)
    return np.zeros_like(rest) if (np.abs(rest) <= floor).all() else rest


def orthonormal_basis(gamma: FloatArray, whole: FloatArray) -> FloatArray:
    """T (4, 4) with T'gamma T = 1 on its non-zero columns: 1/sqrt(m), then principal axes about the mass center."""
    T = np.zeros((4, 4))
    m, total = float(gamma[0, 0]), float(whole[0, 0])
    if not m > FLAT * total:
        return T
    T[0, 0] = 1.0 / np.sqrt(m)
    c = gamma[0, 1:] / m
    central = symmetric(gamma[1:, 1:] - m * np.outer(c, c))
    extent = np.trace(whole[1:, 1:]) - total * float(np.sum((whole[0, 1:] / total) ** 2))
    values, axes = np.linalg.eigh(central)
    for i in range(3):
        if values[i] > FLAT * extent:
            T[1:, 1 + i] = axes[:, i] / np.sqrt(values[i])
            T[0, 1 + i] = -float(c @ T[1:, 1 + i])
    return T


def acting_bodies(record: ReducedAppendage, families: bool) -> TurningBodies:
    """The record's turning bodies with the psi that applies.

    None if families act whose foreshortening at the bodies is unknown: the affine field then completes everything.
    """
    if not len(record.bodies):
        return record.bodies
    if families and record.bodies.family_translation is None:
        return no_bodies(record.count)
    psi, twist = record.bodies.psi(families)
    return replace(
        record.bodies, second_translation=psi, second_rotation=twist, family_translation=None, family_rotation=None
    )
