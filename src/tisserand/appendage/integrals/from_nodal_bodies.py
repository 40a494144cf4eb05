"""Exact modal integrals of rigid nodal bodies, with the second-degree rotation terms.

Symbols: x node position from O, m mass, s = int rho dm first moment about the node, Pi = int rho rho' dm
about the node, phi, theta nodal translation and rotation shapes, t = theta x s.
"""

from __future__ import annotations

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arguments import checked_arguments
from tisserand.arrays import LEVI_CIVITA, FloatArray, skew


@checked_arguments
def nodal_body_integrals(
    positions: FloatArray,
    masses: FloatArray,
    offsets: FloatArray,
    inertias: FloatArray,
    translation: FloatArray,
    rotation: FloatArray,
) -> ModalIntegrals:
    """Integrals of n nodal bodies, k modes.

    positions (n, 3) from O; masses (n,); offsets (n, 3) node to mass center; inertias (n, 3, 3) about each
    mass center; translation, rotation (n, 3, k). Exact for the linear field u = phi + theta x rho; the terms
    a, A add the second-degree part of the finite rotation, 1/2 b~b~ rho with b = theta eta.
    """
    x, m = np.asarray(positions, float), np.asarray(masses, float)
    phi, theta = np.asarray(translation, float), np.asarray(rotation, float)
    d = np.asarray(offsets, float)
    s = m[:, None] * d
    about_node = np.asarray(inertias, float) - m[:, None, None] * skew(d) @ skew(d)
    Pi = 0.5 * np.trace(about_node, axis1=1, axis2=2)[:, None, None] * np.eye(3) - about_node
    E = LEVI_CIVITA
    tilde = np.einsum("acb,nck->nabk", E, theta)  # theta~ per mode: (theta~ y)_a = eps_acb theta_c y_b
    t = np.einsum("nabk,nb->nak", tilde, s)

    mass = float(m.sum())
    first = m @ x + s.sum(axis=0)
    mixed = np.einsum("na,nb->ab", x, s)
    second = np.einsum("n,na,nb->ab", m, x, x) + mixed + mixed.T + Pi.sum(axis=0)
    J0 = np.trace(second) * np.eye(3) - second
    P = np.einsum("n,nak->ak", m, phi) + t.sum(axis=0)
    L = (
        np.einsum("n,na,nbk->abk", m, x, phi)
        + np.einsum("na,nbk->abk", x, t)
        + np.einsum("na,nbk->abk", s, phi)
        + np.einsum("nac,nbck->abk", Pi, tilde)
    )
    H = np.einsum("abc,bck->ak", E, L)
    N = _pairs(m[:, None, None] * phi + t, phi) + _pairs(phi, t) + _pairs_of_rows(tilde, Pi)
    a, A = second_degree(x, s, Pi, theta)
    center = first / mass if mass > 0.0 else np.zeros(3)
    return ModalIntegrals(
        mass=mass,
        center=center,
        inertia=J0,
        translation=P,
        rotation=H,
        position_shape=L,
        shape_shape=N,
        modal_mass=np.trace(N),
        turn_first=a,
        turn_second=A,
        turn_shape=second_shapes(s, Pi, phi, theta),
    )


def _pairs(left: FloatArray, right: FloatArray) -> FloatArray:
    """sum_n left_na,k right_nb,l: two (n, 3, k) to (3, 3, k, k), by matrix products."""
    return np.array([[left[:, a].T @ right[:, b] for b in range(3)] for a in range(3)])


def _pairs_of_rows(tilde: FloatArray, Pi: FloatArray) -> FloatArray:
    """sum_n (theta~_k Pi theta~_l')_ab with tilde (n, 3, 3, k)."""
    n, k = tilde.shape[0], tilde.shape[3]
    weighted = np.einsum("nack,ncd->nadk", tilde, Pi)
    left = [np.ascontiguousarray(weighted[:, a]).reshape(3 * n, k) for a in range(3)]
    right = [np.ascontiguousarray(tilde[:, b]).reshape(3 * n, k) for b in range(3)]
    return np.array([[left[a].T @ right[b] for b in range(3)] for a in range(3)])


def second_degree(x: FloatArray, s: FloatArray, Pi: FloatArray, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """a, A of the finite rotation.

    With B = [s'; x s' + Pi] (4, 3): [a; A] = 1/2 sum B b~b~, and b~b~ = b b' - b.b 1 symmetrized in (k, l).
    x, s (n, 3); Pi (n, 3, 3); theta (n, 3, k).
    """
    n, _, k = theta.shape
    B = np.concatenate([s[:, None], x[:, :, None] * s[:, None] + Pi], axis=1)
    flat = np.ascontiguousarray(theta).reshape(3 * n, k)
    along = np.einsum("npe,nek->npk", B, theta)
    outer = np.array([[along[:, p].T @ theta[:, b] for b in range(3)] for p in range(4)])
    outer = 0.5 * (outer + outer.transpose(0, 1, 3, 2))
    dots = np.array([[flat.T @ (np.repeat(B[:, p, b], 3)[:, None] * flat) for b in range(3)] for p in range(4)])
    both = 0.5 * (outer - dots)
    return both[0], both[1:]


def second_shapes(s: FloatArray, Pi: FloatArray, phi: FloatArray, theta: FloatArray) -> FloatArray:
    """B (k, k, k) = 1/2 int (phi_m + theta_m x rho).(b_k~b_l~ rho) dm, symmetric in (k, l).

    With Z_m = sym(phi_m s' + theta_m~ Pi): B_m = 1/2 sum theta' (Z_m - tr Z_m 1) theta, over n pieces.
    s (n, 3); Pi (n, 3, 3); phi, theta (n, 3, k).
    """
    n, _, k = theta.shape
    flat = np.ascontiguousarray(theta).reshape(3 * n, k)
    out = np.empty((k, k, k))
    for m in range(k):
        Z = phi[:, :, m, None] * s[:, None] + skew(theta[:, :, m]) @ Pi
        Z = 0.5 * (Z + Z.transpose(0, 2, 1)) - np.trace(Z, axis1=1, axis2=2)[:, None, None] * np.eye(3)
        out[m] = 0.5 * flat.T @ (Z @ theta).reshape(3 * n, k)
    return 0.5 * (out + out.transpose(0, 2, 1))
