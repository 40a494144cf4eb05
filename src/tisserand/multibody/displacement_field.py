"""One displacement field for every inertia term of an appendage, so that its mass matrix is a Gram matrix (theory section 8).

    y = r + phi eta + 1/2 psi(eta, eta) ,   Y_k = phi_k + psi_kl eta_l ,   M(eta) = int Z'Z dm with Z = [1, -y~, Y]

Turning bodies move exactly, each by its node. All other second-degree displacement (foreshortening, beam sections, shell
fibers, change of frame) is known by its moments A4 = 1/2 int xh psi' dm, xh = [1; r], and B_m = 1/2 int phi_m.psi dm only;
psi is completed by the field of affine functions and modal shapes with the same moments. With functions z = T'xh that are
orthonormal over the remaining mass (int z z' dm = 1), shapes phi~ without their part in z, and U that makes zeta_j = U_mj phi~_m
orthonormal, the moments are c_kl = 2 T'A4_kl and e_j,kl = U_mj (2 B_m - Lz_m:c)_kl, and y = r + z-part + phi~ q with

    q = eta + 1/2 U e(eta, eta) ,   G = dq/d eta = 1 + U e eta ,   Xi = int z y' dm ,   X_k = int z Y_k' dm
    M = G'Mr G + X_k:X_l ,   int y y' dm = Xi'Xi + Nr(q, q) ,   int y Y_k' dm = Xi'X_k + Nr(q, G_k)

with the constant remainders Nr = N - Lz'Lz, Mr = tr Nr: sums of squares. Since U'Mr U = 1, G'Mr G = (Mr - W'W) +
(W + e eta)'(W + e eta) with W = U'Mr.
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
#: Combinations of shapes whose mass beside the affine functions is below this part of their modal mass are affine themselves.
SHAPELESS = 1e-9
#: Largest part of the second-degree moments that the remaining mass may fail to carry.
LARGEST_RANGE_ERROR = 1e-9


@dataclass(frozen=True, eq=False)
class Moments:
    """Moments of a mass about one point.

    gamma (4, 4) = int xh xh', first (4, 3, k) = int xh phi_k' (Lh), shapes (3, 3, k, k) = N, modal (k, k) = Me = tr N, second
    (4, 3, k, k) = 1/2 int xh psi_kl' (A4), shape_second (k, k, k) = 1/2 int phi_m.psi_kl (B), None where it is
    not known.
    """

    gamma: FloatArray
    first: FloatArray
    shapes: FloatArray
    modal: FloatArray
    second: FloatArray
    shape_second: FloatArray | None = None

    def less(self, other: Moments) -> Moments:
        """The mass without another one that is part of it."""
        B, taken = self.shape_second, other.shape_second
        return Moments(
            self.gamma - other.gamma,
            self.first - other.first,
            self.shapes - other.shapes,
            self.modal - other.modal,
            self.second - other.second,
            None if B is None or taken is None else B - taken,
        )


def moments_of(integrals: ModalIntegrals) -> Moments:
    """The moments that a record's integrals hold."""
    q = integrals
    return Moments(q.moments, q.shape_moments, q.shape_shape, q.modal_mass, q.second_moments, q.second_shapes)


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
    node = m[:, None, None] * bodies.translation + np.einsum("abc,nbk,nc->nak", LEVI_CIVITA, bodies.rotation, s)
    about = np.trace(bodies.second_moments, axis1=1, axis2=2)[:, None, None] * np.eye(3) - bodies.second_moments
    turn = np.einsum("abc,nb,nck->nak", LEVI_CIVITA, s, bodies.translation) + about @ bodies.rotation
    shapes = np.einsum("nam,nakl->mkl", node, psi, optimize=True) + np.einsum(
        "nam,nakl->mkl", turn, twist, optimize=True
    )
    assert own.shape_second is not None
    return replace(own, second=own.second + 0.5 * added, shape_second=own.shape_second + 0.5 * shapes)


@dataclass(frozen=True, eq=False)
class ModalPart:
    """The part of psi in j orthonormal combinations of the modal shapes.

    mix U (k, j), first W = U'Mr (j, k), second e (j, k, k).
    """

    mix: FloatArray
    first: FloatArray
    second: FloatArray

    def __len__(self) -> int:
        return len(self.second)


@dataclass(frozen=True, eq=False)
class DisplacementField:
    """The complete field of one appendage in the axes and about the point of its integrals, k modes.

    rest: moments of the mass beside the bodies; bodies: what turns exactly; basis T (4, 4): z = T'xh, zero columns where the
    remaining mass has no extent; range_error: relative part of the second-degree moments that the affine field cannot carry;
    modal_part: psi in the shapes beside it.
    """

    rest: Moments
    bodies: TurningBodies
    basis: FloatArray
    range_error: float
    modal_part: ModalPart

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

    @property
    def constant_mass(self) -> FloatArray:
        """Mr - W'W (k, k): the part of the modal mass that does not change."""
        W = self.modal_part.first
        return np.asarray(self.modal_remainder - W.T @ W)


def displacement_field(integrals: ModalIntegrals, bodies: TurningBodies) -> DisplacementField:
    """The field of an appendage; ``bodies`` carry the psi that acts in ``second_translation`` and ``second_rotation``."""
    whole = moments_of(integrals)
    rest = whole.less(moments_of_bodies(bodies)) if len(bodies) else whole
    rest = replace(rest, second=_without_noise(rest.second, whole.second))
    basis = orthonormal_basis(rest.gamma, whole.gamma)
    carried = np.einsum("pq,qr,sr,sakl->pakl", rest.gamma, basis, basis, rest.second, optimize=True)
    reach = np.sqrt(np.maximum([whole.gamma[0, 0], *3 * [np.trace(whole.gamma[1:, 1:])]], 1e-300))
    gap, size = (
        np.abs(part).max(axis=(1, 2, 3), initial=0.0) / reach for part in (rest.second - carried, whole.second)
    )
    error = float(gap.max()) / max(float(size.max()), 1e-300)
    alone = DisplacementField(rest, bodies, basis, error, _no_part(rest.first.shape[2]))
    return replace(alone, modal_part=_modal_part(alone, whole, integrals.sizes))


def _no_part(k: int) -> ModalPart:
    return ModalPart(np.zeros((k, 0)), np.zeros((0, k)), np.zeros((0, k, k)))


def _modal_part(field: DisplacementField, whole: Moments, size: FloatArray) -> ModalPart:
    """psi in the shapes: orthonormal ones first, of them the fewest combinations that hold it."""
    k, B = field.count, field.rest.shape_second
    if B is None or k == 0 or (not field.rest.second.any() and not B.any()):
        return _no_part(k)
    second = 2.0 * B - np.einsum("pam,pakl->mkl", field.first, field.second, optimize=True)
    values, axes = np.linalg.eigh(field.modal_remainder / np.outer(size, size))
    own = values > SHAPELESS
    U = axes[:, own] / size[:, None] / np.sqrt(values[own])
    e = np.einsum("mj,mkl->jkl", U, second)
    scaled = (e / np.outer(size, size)).reshape(len(e), k * k)
    left, sizes, _ = np.linalg.svd(scaled, full_matrices=False)
    held = (
        np.abs(whole.shape_second / np.einsum("m,k,l->mkl", size, size, size)).max()
        if whole.shape_second is not None
        else 0.0
    )
    used = left[:, sizes > 1e-12 * max(float(sizes.max(initial=0.0)), float(held))]
    U, e = U @ used, np.einsum("ji,jkl->ikl", used, e)
    return ModalPart(U, U.T @ field.modal_remainder, 0.5 * (e + e.transpose(0, 2, 1)))


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
