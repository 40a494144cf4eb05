"""Changes of the modal integrals: reference point, axes, modal coordinates, and rigid motion mixed into the
shapes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.appendage.integrals.directional_sums import integrals_of_sums
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arrays import LEVI_CIVITA, FloatArray, skew, symmetric


def shifted_integrals(integrals: ModalIntegrals, d: FloatArray) -> ModalIntegrals:
    """The same body about O + d (body axes, m): H - d x P, L_ab - d_a P_b, J0 by parallel axes, A_ab - d_a
    a_b."""
    m, c, d = integrals.mass, integrals.center, np.asarray(d, dtype=float)
    turn_linear = turn_zero = None
    if integrals.turn_linear is not None and integrals.turn_zero is not None:
        turn_linear, turn_zero = np.array(integrals.turn_linear), np.array(integrals.turn_zero)
        turn_linear[1:] -= d[:, None, None, None] * turn_linear[0]
        turn_zero[1:] -= d[:, None] * turn_zero[0]
    return replace(
        integrals,
        center=c - d,
        inertia=integrals.inertia + m * (skew(c) @ skew(d) + skew(d) @ skew(c) - skew(d) @ skew(d)),
        rotation=integrals.rotation - skew(d) @ integrals.translation,
        position_shape=integrals.position_shape - np.einsum("a,bk->abk", d, integrals.translation),
        turn_second=integrals.turn_second - np.einsum("a,bkl->abkl", d, integrals.turn_first),
        turn_linear=turn_linear,
        turn_zero=turn_zero,
    )


def turned_integrals(integrals: ModalIntegrals, Q: FloatArray) -> ModalIntegrals:
    """The same body in axes v_new = Q v_old; Q may be a reflection: axial vectors then change sign (det
    Q)."""
    Q = np.asarray(Q, dtype=float)
    sign = float(np.sign(np.linalg.det(Q)))
    turn_linear = turn_zero = None
    if integrals.turn_linear is not None and integrals.turn_zero is not None:
        Q4 = np.eye(4)
        Q4[1:, 1:] = Q
        turn_zero = Q4 @ integrals.turn_zero @ Q.T
        turn_linear = sign * np.einsum("pq,bd,ce,qdek->pbck", Q4, Q, Q, integrals.turn_linear, optimize=True)
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
        turn_linear=turn_linear,
        turn_zero=turn_zero,
    )


def combined_integrals(integrals: ModalIntegrals, T: FloatArray) -> ModalIntegrals:
    """The same body in coordinates eta_old = T eta_new, T (k, j)."""

    def both(array: FloatArray) -> FloatArray:
        return np.asarray(T.T @ array @ T)

    linear = None if integrals.turn_linear is None else integrals.turn_linear @ T
    return replace(
        integrals,
        translation=integrals.translation @ T,
        rotation=integrals.rotation @ T,
        position_shape=integrals.position_shape @ T,
        shape_shape=both(integrals.shape_shape),
        modal_mass=symmetric(both(integrals.modal_mass)),
        turn_first=both(integrals.turn_first),
        turn_second=both(integrals.turn_second),
        turn_linear=linear,
    )


def sums_of_integrals(integrals: ModalIntegrals) -> FloatArray:
    """G (3, 3, 6 + k, 6 + k) over [S_t, S_r, Phi]: the inverse of ``integrals_of_sums``.

    A rigid column is the field f_a = F_ap (1, r)_p with F constant; all products follow from m, c, int r r',
    P, L, N.
    """
    k, m = integrals.count, integrals.mass
    second = 0.5 * np.trace(integrals.inertia) * np.eye(3) - integrals.inertia
    moments = np.block(
        [[np.array([[m]]), m * integrals.center[None]], [m * integrals.center[:, None], second]]
    )
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
    """Integrals of shapes phi - (t + c x r), theta - c with the rigid motion [t; c] (6, k) of each mode about
    O."""
    k = integrals.count
    mix = np.eye(6 + k)
    mix[:6, 6:] = -motion
    G = mix.T @ sums_of_integrals(integrals) @ mix
    plain, _ = integrals_of_sums(G)
    a, A, linear, zero = _turned_moments(integrals, motion[3:])
    return replace(plain, turn_first=a, turn_second=A, turn_linear=linear, turn_zero=zero)


def _turned_moments(
    integrals: ModalIntegrals, c: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray | None, FloatArray | None]:
    """[a; A] for rotations b = (theta - c) eta: F(u, v) = 1/2 sum B (sym(u v') - u.v 1) is bilinear and
    symmetric."""
    T1, T0 = integrals.turn_linear, integrals.turn_zero
    if T1 is None or T0 is None:
        return integrals.turn_first, integrals.turn_second, None, None
    F = np.concatenate([integrals.turn_first[None], integrals.turn_second])
    cross = 0.5 * (
        0.5 * np.einsum("peek,bl->pbkl", T1, c)
        + 0.5 * np.einsum("pebk,el->pbkl", T1, c)
        - np.einsum("pbck,cl->pbkl", T1, c)
    )
    pure = np.einsum("pe,ek,bl->pbkl", T0, c, c)
    pure = 0.5 * (0.5 * (pure + pure.transpose(0, 1, 3, 2)) - np.einsum("pb,ck,cl->pbkl", T0, c, c))
    F = F - cross - cross.transpose(0, 1, 3, 2) + pure
    return F[0], F[1:], T1 - np.einsum("pb,ck->pbck", T0, c), T0
