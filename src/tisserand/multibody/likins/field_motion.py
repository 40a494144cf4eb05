"""Integrals of one second-degree displacement field at (eta, eta'), about o_k in {b^k} (theory section 8).

y place, Y = dy/d eta partial velocities, Yd = Y eta' relative velocity, psi(eta', eta') its bias; all sums are over the mass.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from tisserand.arrays import LEVI_CIVITA, FloatArray, skew
from tisserand.multibody.displacement_field import DisplacementField


@dataclass(eq=False, kw_only=True)
class FieldMotion:
    """Sums over the mass of an appendage with m modes.

    first (3,) int y; shape (3, m) int Y; shape_bias (3,) int psi(eta', eta'); drift (3,): int Yd as Coriolis forces use it;
    J (3, 3); slope (3, 3, m) dJ/d eta; spin (3, m) int y x Y; spin_bias (3,) int y x psi(eta', eta'); coriolis (3, 3): the
    torque 2 int y x (w x Yd) is coriolis @ w; gyro (3, m) int Yd x Y; modal_mass (m, m) int Y'Y; modal_bias (m,)
    int Y'psi(eta', eta').
    """

    first: FloatArray
    shape: FloatArray
    shape_bias: FloatArray
    drift: FloatArray
    J: FloatArray
    slope: FloatArray
    spin: FloatArray
    spin_bias: FloatArray
    coriolis: FloatArray
    gyro: FloatArray
    modal_mass: FloatArray
    modal_bias: FloatArray

    def __add__(self, other: FieldMotion) -> FieldMotion:
        return FieldMotion(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})


def field_motion(field: DisplacementField, eta: FloatArray, rate: FloatArray) -> FieldMotion:
    """The whole appendage."""
    motion = _completed(field, eta, rate)
    for i in range(len(field.bodies)):
        motion = motion + _body(field, i, eta, rate)
    return motion


def _completed(field: DisplacementField, eta: FloatArray, rate: FloatArray) -> FieldMotion:
    """The completion, in the functions xh = [1; r] and the pseudo-inverse of their moments, and in the shapes beside them."""
    rest, Gp, one = field.rest, field.basis @ field.basis.T, np.eye(3)
    L, A4 = rest.first, rest.second
    remain = rest.shapes - np.einsum("pak,pq,qbl->abkl", L, Gp, L, optimize=True)
    bend = np.einsum("pakl,l->pak", A4, eta)
    X = L + 2.0 * bend
    Xi = rest.gamma[:, 1:] + L @ eta + bend @ eta
    D = 2.0 * np.einsum("pakl,k,l->pa", A4, rate, rate)
    Xd = X @ rate
    part = field.modal_part
    turned = part.second @ eta
    G = np.eye(field.count) + part.mix @ turned  # dq/d eta
    q, q_rate = eta + 0.5 * part.mix @ (turned @ eta), G @ rate
    q_bias = part.mix @ ((part.second @ rate) @ rate)
    N = np.einsum("abkl,k->abl", remain, q)
    S = Xi.T @ Gp @ Xi + N @ q
    Q = np.einsum("pa,pq,qbk->abk", Xi, Gp, X, optimize=True) + N @ G
    R = np.einsum("pa,pq,qbk->abk", Xd, Gp, X, optimize=True) + np.einsum("abkl,k->abl", remain, q_rate) @ G
    Qd, pushed = Q @ rate, Xi.T @ Gp @ D + N @ q_bias
    modal = rest.modal - np.einsum("pak,pq,qal->kl", L, Gp, L, optimize=True)
    return FieldMotion(
        first=Xi[0],
        shape=X[0],
        shape_bias=D[0],
        drift=Xd[0],
        J=np.trace(S) * one - S,
        slope=2.0 * np.trace(Q) * one[:, :, None] - Q - Q.transpose(1, 0, 2),
        spin=np.einsum("cab,abk->ck", LEVI_CIVITA, Q),
        spin_bias=np.einsum("cab,ab->c", LEVI_CIVITA, pushed),
        coriolis=2.0 * (np.trace(Qd) * one - Qd.T),
        gyro=np.einsum("cab,abk->ck", LEVI_CIVITA, R),
        modal_mass=G.T @ modal @ G + np.einsum("pak,pq,qal->kl", X, Gp, X, optimize=True),
        modal_bias=np.einsum("pak,pq,qa->k", X, Gp, D, optimize=True) + G.T @ modal @ q_bias,
    )


def _body(field: DisplacementField, i: int, eta: FloatArray, rate: FloatArray) -> FieldMotion:
    """One turning body: center at x, relative velocity v, turn b with relative rate r, inertia I about its center."""
    bodies, one = field.bodies, np.eye(3)
    psi, twist = (part[i] for part in bodies.psi(False))
    m, d, Ic = float(bodies.masses[i]), bodies.offsets[i], bodies.inertias[i]
    phi, theta = bodies.translation[i] + psi @ eta, bodies.rotation[i] + twist @ eta
    u = bodies.translation[i] @ eta + 0.5 * (psi @ eta) @ eta
    b = bodies.rotation[i] @ eta + 0.5 * (twist @ eta) @ eta
    b_rate, b_bias = theta @ rate, (twist @ rate) @ rate
    Rd, J, g = _turn(b, b_rate)
    W = J @ theta
    g = g + J @ b_bias
    arm, I = Rd @ d, Rd @ Ic @ Rd.T
    V = phi - skew(arm) @ W
    v, r = V @ rate, W @ rate
    a = (psi @ rate) @ rate + np.cross(g, arm) + np.cross(r, np.cross(r, arm))
    tq = I @ g + np.cross(r, I @ r)
    x = bodies.positions[i] + u + arm
    IW = I @ W
    K = m * np.einsum("a,bk->abk", x, V) - np.einsum("abk,bc->ack", skew(W.T).transpose(1, 2, 0), I)
    K = 0.5 * (K + K.transpose(1, 0, 2)) - m * one[:, :, None] * (x @ V)
    gyro = m * np.cross(v, V, axisb=0).T + 0.5 * (skew(r) @ IW + I @ (-skew(r) @ W) + np.cross(I @ r, W, axisb=0).T)
    turn = 2.0 * m * (float(x @ v) * one - np.outer(v, x)) - I @ skew(r) + skew(r) @ I - skew(I @ r)
    return FieldMotion(
        first=m * x,
        shape=m * V,
        shape_bias=m * a,
        drift=m * v,
        J=I - m * skew(x) @ skew(x),
        slope=-2.0 * K,
        spin=m * skew(x) @ V + IW,
        spin_bias=m * np.cross(x, a) + tq,
        coriolis=turn,
        gyro=gyro,
        modal_mass=m * V.T @ V + W.T @ IW,
        modal_bias=m * V.T @ a + W.T @ tq,
    )


def _turn(b: FloatArray, rate: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """exp(b~), the tangent Jl with relative rate Jl b', and the part of its rate without b''."""
    tilde, t2 = skew(b), float(b @ b)
    t = np.sqrt(t2)
    if t < 0.1:
        c1 = 0.5 - t2 / 24.0 + t2**2 / 720.0 - t2**3 / 40320.0 + t2**4 / 3628800.0
        c2 = 1.0 / 6.0 - t2 / 120.0 + t2**2 / 5040.0 - t2**3 / 362880.0 + t2**4 / 39916800.0
        d1 = -1.0 / 12.0 + t2 / 180.0 - t2**2 / 6720.0 + t2**3 / 453600.0
        d2 = -1.0 / 60.0 + t2 / 1260.0 - t2**2 / 60480.0 + t2**3 / 4989600.0
    else:
        c1, c2 = (1.0 - np.cos(t)) / t2, (t - np.sin(t)) / (t * t2)
        d1, d2 = (np.sin(t) / t - 2.0 * c1) / t2, (c1 - 3.0 * c2) / t2
    R = np.eye(3) + (1.0 - c2 * t2) * tilde + c1 * tilde @ tilde
    J = np.eye(3) + c1 * tilde + c2 * tilde @ tilde
    across = np.cross(b, rate)
    g = float(b @ rate) * (d1 * across + d2 * np.cross(b, across)) + c2 * np.cross(rate, across)
    return R, J, np.asarray(g)


def undeformed(field: DisplacementField) -> tuple[FloatArray, FloatArray]:
    """First moment (3,) and inertia (3, 3) at rest."""
    S = field.rest.gamma[1:, 1:]
    first, J = np.array(field.rest.gamma[0, 1:]), np.trace(S) * np.eye(3) - S
    b = field.bodies
    for m, x, Ic in zip(b.masses, b.positions + b.offsets, b.inertias):
        first, J = first + m * x, J + Ic - m * skew(x) @ skew(x)
    return first, J
