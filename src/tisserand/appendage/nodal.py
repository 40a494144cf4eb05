"""Exact modal integrals of rigid nodal bodies, with the second-degree rotation terms.

Symbols: x node position from O, m mass, s = int rho dm first moment about the node, Pi = int rho rho' dm about the node,
phi, theta nodal translation and rotation shapes, t = theta x s.
"""

from __future__ import annotations

import numpy as np

from tisserand.appendage.integrals import ModalIntegrals
from tisserand.arrays import LEVI_CIVITA, FloatArray, skew


def nodal_body_integrals(
    positions: FloatArray,
    masses: FloatArray,
    offsets: FloatArray,
    inertias: FloatArray,
    translation: FloatArray,
    rotation: FloatArray,
) -> ModalIntegrals:
    """Integrals of n nodal bodies, k modes.

    positions (n, 3) from O; masses (n,); offsets (n, 3) node to mass centre; inertias (n, 3, 3) about each mass centre;
    translation, rotation (n, 3, k). Exact for the linear field u = phi + theta x rho; the terms a, A add the second-degree
    part of the finite rotation, 1/2 b~b~ rho with b = theta eta.
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
    second = (
        np.einsum("n,na,nb->ab", m, x, x) + np.einsum("na,nb->ab", x, s) + np.einsum("na,nb->ab", s, x) + Pi.sum(axis=0)
    )
    J0 = np.trace(second) * np.eye(3) - second
    P = np.einsum("n,nak->ak", m, phi) + t.sum(axis=0)
    L = (
        np.einsum("n,na,nbk->abk", m, x, phi)
        + np.einsum("na,nbk->abk", x, t)
        + np.einsum("na,nbk->abk", s, phi)
        + np.einsum("nac,nbck->abk", Pi, tilde)
    )
    N = (
        np.einsum("n,nak,nbl->abkl", m, phi, phi)
        + np.einsum("nak,nbl->abkl", phi, t)
        + np.einsum("nak,nbl->abkl", t, phi)
        + np.einsum("nack,ncd,nbdl->abkl", tilde, Pi, tilde, optimize=True)
    )
    H = np.einsum("abc,bck->ak", E, L)
    # b~b~ for b = theta eta: quadratic form (b b' - b.b 1), symmetrised in (k, l)
    outer = np.einsum("nak,nbl->nabkl", theta, theta)
    square = 0.5 * (outer + outer.transpose(0, 1, 2, 4, 3)) - np.eye(3)[None, :, :, None, None] * np.einsum(
        "nck,ncl->nkl", theta, theta
    )[:, None, None]
    a = 0.5 * np.einsum("nabkl,nb->akl", square, s)
    A = 0.5 * (
        np.einsum("na,nbckl,nc->abkl", x, square, s, optimize=True) + np.einsum("nac,ncbkl->abkl", Pi, square, optimize=True)
    )
    center = first / mass if mass > 0.0 else np.zeros(3)
    return ModalIntegrals(mass, center, J0, P, H, L, N, np.trace(N), a, A)
