"""Moments and momenta of one appendage along a run from its displacement field, in plain numpy and without an engine.

Place and relative velocity of the mass beside the turning bodies are written in the functions f = (1, r, phi_k) of its points:
y = Ay f, Yd = Av f with the affine completion in the first four, so that every moment is a contraction of int f f' dm. Turning
bodies follow by their rotation matrices, and relative rates from the rate of the rotation vector.

Reference: theory sections 8.1 and 8.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.multibody.displacement_field import DisplacementField
from tisserand.multibody.tree import FlexBlock


@dataclass(frozen=True, eq=False)
class FieldMoments:
    """Moments over n times, about the body's origin in its axes.

    first (n, 3) int y; inertia (n, 3, 3); versus (n, 3, 3) int y r'; momentum (n, 3) int Yd; flow (n, 3, 3) int y Yd';
    versus_rate (n, 3, 3) int Yd r'; kinetic (n,) int Yd.Yd/2, with Yd the
    velocity relative to the frame.
    """

    first: FloatArray
    inertia: FloatArray
    versus: FloatArray
    momentum: FloatArray
    flow: FloatArray
    versus_rate: FloatArray
    kinetic: FloatArray


def field_moments(block: FlexBlock, eta: FloatArray, rate: FloatArray) -> FieldMoments:
    """Moments of an appendage at eta, eta' (n, k): of the complete field, at any inertia level."""
    field = block.field(np.zeros(3))
    whole = _rest(field, eta, rate)
    for i in range(len(field.bodies)):
        whole = tuple(old + new for old, new in zip(whole, body_moments(field, i, eta, rate)))
    yy, yr, yv, vv, first, p, vr = whole
    inertia = np.trace(yy, axis1=1, axis2=2)[:, None, None] * np.eye(3) - yy
    return FieldMoments(first, inertia, yr, p, yv, vr, 0.5 * vv)


def _rest(field: DisplacementField, eta: FloatArray, rate: FloatArray) -> tuple[FloatArray, ...]:
    """int y y', y r', y Yd', Yd.Yd, y, Yd, Yd r' of the mass beside the turning bodies."""
    rest = field.rest
    Gp = field.basis @ field.basis.T
    bent = Gp @ np.einsum("pakl,nk,nl->npa", rest.second, eta, eta, optimize=True)  # 1/2 C(eta, eta)
    slope = 2.0 * Gp @ np.einsum("pakl,nk,nl->npa", rest.second, eta, rate, optimize=True)
    part = field.modal_part
    more = 0.5 * np.einsum("mj,jkl,nk,nl->nm", part.mix, part.second, eta, eta, optimize=True)
    pace = np.einsum("mj,jkl,nk,nl->nm", part.mix, part.second, eta, rate, optimize=True)
    bent = bent - Gp @ np.einsum("pak,nk->npa", rest.first, more)  # the shapes without their affine part
    slope = slope - Gp @ np.einsum("pak,nk->npa", rest.first, pace)
    eta, rate = eta + more, rate + pace
    place = bent + np.concatenate([np.zeros((1, 3)), np.eye(3)])
    L_eta = np.einsum("pak,nk->npa", rest.first, eta)
    L_rate = np.einsum("pak,nk->npa", rest.first, rate)
    N = rest.shapes
    xy = rest.gamma @ place + L_eta  # int xh y'
    xv = rest.gamma @ slope + L_rate
    t = (0, 2, 1)
    yy = place.transpose(t) @ xy + L_eta.transpose(t) @ place + np.einsum("abkl,nk,nl->nab", N, eta, eta, optimize=True)
    yv = (
        place.transpose(t) @ xv + L_eta.transpose(t) @ slope + np.einsum("abkl,nk,nl->nab", N, eta, rate, optimize=True)
    )
    vv = np.einsum("npa,npa->n", slope, xv) + np.einsum("npa,npa->n", L_rate, slope)
    vv = vv + np.einsum("nk,kl,nl->n", rate, rest.modal, rate, optimize=True)
    return yy, xy[:, 1:].transpose(t), yv, vv, xy[:, 0], xv[:, 0], xv[:, 1:].transpose(t)


def body_moments(field: DisplacementField, i: int, eta: FloatArray, rate: FloatArray) -> tuple[FloatArray, ...]:
    """The same of one turning body."""
    b = field.bodies
    psi, twist = (part[i] for part in b.psi(False))
    move = eta @ b.translation[i].T + 0.5 * np.einsum("akl,nk,nl->na", psi, eta, eta, optimize=True)
    pace = rate @ b.translation[i].T + np.einsum("akl,nk,nl->na", psi, eta, rate, optimize=True)
    turn = eta @ b.rotation[i].T + 0.5 * np.einsum("akl,nk,nl->na", twist, eta, eta, optimize=True)
    turning = rate @ b.rotation[i].T + np.einsum("akl,nk,nl->na", twist, eta, rate, optimize=True)
    R, w = finite_turn(turn, turning)
    return rigid_moments(
        float(b.masses[i]), b.offsets[i], b.inertias[i], node=b.positions[i], move=move, pace=pace, R=R, w=w
    )


def rigid_moments(
    m: float,
    d: FloatArray,
    Ic: FloatArray,
    *,
    node: FloatArray,
    move: FloatArray,
    pace: FloatArray,
    R: FloatArray,
    w: FloatArray,
) -> tuple[FloatArray, ...]:
    """int y y', y r', y V', V.V, y, V, V r' of a rigid body on a node at ``node``.

    The node moved by ``move`` at ``pace`` (n, 3) and turned by R (n, 3, 3) at the rate w (n, 3): int rho rho' = R Pi,
    y = x + R rho, V = v + w x R rho.
    """
    Pi = 0.5 * np.trace(Ic) * np.eye(3) - Ic
    x, v = node + move + R @ d, pace + np.cross(w, R @ d)
    turned = R @ Pi
    own = turned @ R.transpose(0, 2, 1)
    spin = own @ skew(w).transpose(0, 2, 1)
    yv = m * np.einsum("na,nb->nab", x, v) + spin
    vv = m * (v * v).sum(axis=1) + np.einsum("nba,nab->n", skew(w), spin)
    yr = m * np.einsum("na,b->nab", x, node + d) + turned
    vr = m * np.einsum("na,b->nab", v, node + d) + skew(w) @ turned
    return m * np.einsum("na,nb->nab", x, x) + own, yr, yv, vv, m * x, m * v, vr


def finite_turn(b: FloatArray, rate: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rotation matrices exp(b~) (n, 3, 3) and their rates (n, 3) for rotation vectors and their rates (n, 3)."""
    t = np.linalg.norm(b, axis=1)
    safe = np.where(t > 1e-4, t, 1.0)
    small = t <= 1e-4
    s = np.where(small, 1.0 - t**2 / 6.0, np.sin(safe) / safe)
    c1 = np.where(small, 0.5 - t**2 / 24.0, 2.0 * (np.sin(0.5 * safe) / safe) ** 2)
    c2 = np.where(small, 1.0 / 6.0 - t**2 / 120.0, (safe - np.sin(safe)) / safe**3)
    tilde = skew(b)
    square = tilde @ tilde
    R = np.eye(3) + s[:, None, None] * tilde + c1[:, None, None] * square
    J = np.eye(3) + c1[:, None, None] * tilde + c2[:, None, None] * square
    return R, np.einsum("nab,nb->na", J, rate)
