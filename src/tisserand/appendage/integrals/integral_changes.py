"""Modal integrals for another reference point, other axes or coordinates, or rigid motion added to the shapes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.appendage.integrals.directional_sums import integrals_of_sums
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arrays import LEVI_CIVITA, FloatArray, skew, symmetric


def shifted_integrals(integrals: ModalIntegrals, d: FloatArray) -> ModalIntegrals:
    """The same body about O + d (body axes, m): H - d x P, L_ab - d_a P_b, J0 by parallel axes, A_ab - d_a a_b."""
    m, c, d = integrals.mass, integrals.center, np.asarray(d, dtype=float)
    return replace(
        integrals,
        center=c - d,
        inertia=integrals.inertia + m * (skew(c) @ skew(d) + skew(d) @ skew(c) - skew(d) @ skew(d)),
        rotation=integrals.rotation - skew(d) @ integrals.translation,
        position_shape=integrals.position_shape - np.einsum("a,bk->abk", d, integrals.translation),
        turn_second=integrals.turn_second - np.einsum("a,bkl->abkl", d, integrals.turn_first),
    )


def turned_integrals(integrals: ModalIntegrals, Q: FloatArray) -> ModalIntegrals:
    """The same body in axes v_new = Q v_old; if Q is a reflection, axial vectors change sign (det Q)."""
    Q = np.asarray(Q, dtype=float)
    sign = float(np.sign(np.linalg.det(Q)))
    return replace(
        integrals,
        center=Q @ integrals.center,
        inertia=symmetric(Q @ integrals.inertia @ Q.T),
        translation=Q @ integrals.translation,
        rotation=sign * Q @ integrals.rotation,
        position_shape=np.einsum("ac,bd,cdk->abk", Q, Q, integrals.position_shape),
        shape_shape=np.einsum("ac,bd,cdkl->abkl", Q, Q, integrals.shape_shape, optimize=True),
        turn_first=np.einsum("ab,bkl->akl", Q, integrals.turn_first),
        turn_second=np.einsum("ac,bd,cdkl->abkl", Q, Q, integrals.turn_second, optimize=True),
    )


def combined_integrals(integrals: ModalIntegrals, T: FloatArray) -> ModalIntegrals:
    """The same body in coordinates eta_old = T eta_new, T (k, j)."""

    def both(array: FloatArray) -> FloatArray:
        return np.asarray(T.T @ array @ T)

    return replace(
        integrals,
        translation=integrals.translation @ T,
        rotation=integrals.rotation @ T,
        position_shape=integrals.position_shape @ T,
        shape_shape=both(integrals.shape_shape),
        modal_mass=symmetric(both(integrals.modal_mass)),
        turn_first=both(integrals.turn_first),
        turn_second=both(integrals.turn_second),
        turn_shape=mixed_shapes(integrals.turn_shape, T),
    )


def mixed_shapes(values: FloatArray | None, T: FloatArray) -> FloatArray | None:
    """Values (k, k, k) by three modes in coordinates eta_old = T eta_new, T (k, j)."""
    return None if values is None else np.einsum("mn,mkl->nkl", T, T.T @ values @ T)


def sums_of_integrals(integrals: ModalIntegrals) -> FloatArray:
    """G (3, 3, 6 + k, 6 + k) over [S_t, S_r, Phi]: the inverse of ``integrals_of_sums``.

    A rigid column is the field f_a = F_ap (1, r)_p with F constant; all products follow from m, c, int r r',
    P, L, N.
    """
    k, m = integrals.count, integrals.mass
    second = 0.5 * np.trace(integrals.inertia) * np.eye(3) - integrals.inertia
    moments = np.block([[np.array([[m]]), m * integrals.center[None]], [m * integrals.center[:, None], second]])
    F = np.zeros((3, 4, 6))
    F[:, 0, :3] = np.eye(3)
    F[:, 1:, 3:] = LEVI_CIVITA.transpose(0, 2, 1)  # (e_c x r)_a = eps_acb r_b
    with_shapes = np.concatenate([integrals.translation[None], integrals.position_shape])  # (p, b, k)
    G = np.zeros((3, 3, 6 + k, 6 + k))
    G[:, :, :6, :6] = np.einsum("api,pq,bqj->abij", F, moments, F, optimize=True)
    G[:, :, :6, 6:] = np.einsum("api,pbk->abik", F, with_shapes)
    G[:, :, 6:, :6] = G[:, :, :6, 6:].transpose(1, 0, 3, 2)
    G[:, :, 6:, 6:] = integrals.shape_shape
    return G


def without_rigid(integrals: ModalIntegrals, motion: FloatArray) -> ModalIntegrals:
    """The same body seen from a frame that moves by tau = t eta and turns by gam = c eta, [t; c] (6, k) about O.

    Shapes lose t + c x r; the second-degree displacement 1/2 psi loses gam x (phi_new eta) + 1/2 gam x (gam x r) at every mass
    point, so that A4_new = A4 - [Lh_new eta] gam~' - 1/2 Gam[:, 1:] gam~gam~, symmetrized in (k, l).
    """
    k = integrals.count
    mix = np.eye(6 + k)
    mix[:6, 6:] = -motion
    G = mix.T @ sums_of_integrals(integrals) @ mix
    plain, _ = integrals_of_sums(G)
    created = _rigid_moments(plain, motion[3:])
    a, A = integrals.turn_first - created[0], integrals.turn_second - created[1:]
    return replace(plain, turn_first=a, turn_second=A, turn_shape=_shapes_without(integrals, plain, motion))


def _shapes_without(old: ModalIntegrals, new: ModalIntegrals, motion: FloatArray) -> FloatArray | None:
    """B of the new shapes phi - t - c x r on the new 1/2 psi: the old one, less what the change creates."""
    B = old.second_shapes
    if B is None:
        return None
    t, c = motion[:3], motion[3:]
    spin = np.einsum("abc,bckl->akl", LEVI_CIVITA, old.turn_second)  # 1/2 int r x psi
    B = B - np.einsum("am,akl->mkl", t, old.turn_first) - np.einsum("am,akl->mkl", c, spin)
    tilde = skew(c.T).transpose(1, 2, 0)
    turn = np.einsum("abk,abml->mkl", tilde, new.shape_shape, optimize=True)  # phi_m.(c_k x phi_l)
    twice = np.einsum("abk,bcl->ackl", tilde, tilde)
    square = 0.5 * np.einsum("ackl,cam->mkl", twice, new.position_shape, optimize=True)
    return np.asarray(B - symmetric(turn + square))


def _rigid_moments(integrals: ModalIntegrals, c: FloatArray) -> FloatArray:
    """int xh [gam x (phi eta) + 1/2 gam x (gam x r)]' dm (4, 3, k, k) with gam = c eta, symmetric in (k, l)."""
    turn = np.einsum("bck,pcl->pbkl", skew(c.T).transpose(1, 2, 0), integrals.shape_moments, optimize=True)
    twice = np.einsum("abk,bcl->ackl", skew(c.T).transpose(1, 2, 0), skew(c.T).transpose(1, 2, 0))
    square = 0.5 * np.einsum("pc,bckl->pbkl", integrals.moments[:, 1:], twice, optimize=True)
    return symmetric(turn + square)


def without_second_rigid(integrals: ModalIntegrals, translation: FloatArray, rotation: FloatArray) -> ModalIntegrals:
    """Less the second-degree rigid motion psi = t + c x r with t, c (3, k, k): a gauge of the frame, not of the body."""
    G = integrals.moments
    field = G[:, 0, None, None, None] * translation
    field = field + np.einsum("bcd,ckl,pd->pbkl", LEVI_CIVITA, rotation, G[:, 1:], optimize=True)
    B = integrals.second_shapes
    if B is not None:
        B = B - 0.5 * np.einsum("am,akl->mkl", integrals.translation, translation)
        B = B - 0.5 * np.einsum("am,akl->mkl", integrals.rotation, rotation)
    a, A = integrals.turn_first - 0.5 * field[0], integrals.turn_second - 0.5 * field[1:]
    return replace(integrals, turn_first=a, turn_second=A, turn_shape=B)
