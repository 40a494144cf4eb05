"""W^k, the rotational equation of substructure k: complete (Eq 33) or of first degree (Eq 42).

All vectors in {b^0}, so that the C^{kr} of the report disappear. Symbols: M_k, M masses; D[k, r] = D^{kr};
c[k] = c^k; w, a angular rate and acceleration; F[k], T[k] external force and moment about c_k; dots on
vectors are inertial, and

    W^k = T^k + sum_r D^{kr} x F^r + c^k x (M_k/M F - F^k)
        + sum_r M_r D^{kr} x c¨^r + M_k c^k x sum_r ( D¨^{rk} + M_r/M c¨^r )          (last term: Eq 33 only)
        - Phi^{kk} a^k - J°^k w^k - w^k x Phi^{kk} w^k + M sum_{r != k} D^{kr} x D¨^{rk}
        - h°^k - w^k x h^k - A^k
    c¨ = c°° + 2 w x c° + a x c + w x (w x c) ,      D¨^{rk} = a^r x D^{rk} + w^r x (w^r x D^{rk})

is affine in the unknown accelerations: W^k = known^k - sum_r A^{kr} a^r - sum_m B^k_m eta''_m.

References: S1 Eqs 33, 42; theory section 16.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.multibody.likins.configuration import Configuration
from tisserand.multibody.likins.system import AppliedLoads, LikinsSystem
from tisserand.multibody.likins.vectors import cross, turned


@dataclass(frozen=True, eq=False)
class Biases:
    """Inertial second derivatives without their parts in a and eta''.

    c (n + 1, 3); D (n + 1, n + 1, 3), [r, k] for D^{rk}; frame (n + 1, 3): of o_k from the mass center of the tree (Eq 54).
    """

    c: FloatArray
    D: FloatArray
    frame: FloatArray


def biases(system: LikinsSystem, at: Configuration) -> Biases:
    """Centripetal and Coriolis parts of c¨^k, D¨^{rk} and of the acceleration of o_k."""
    M, total = system.barycenters.masses, system.barycenters.total
    w = at.w
    safe = np.where(M > 0.0, M, 1.0)[:, None]
    c = 2.0 * cross(w, at.c_rate) + cross(w, cross(w, at.c)) - at.shape_bias / safe
    D = cross(w[:, None], cross(w[:, None], at.D))
    return Biases(c, D, D.sum(axis=0) + M @ c / total)


def barycentric_inertias(system: LikinsSystem, at: Configuration) -> FloatArray:
    """Phi^{kk} = K^k + J^k (n + 1, 3, 3) in {b^0} (Def 38, Eq 47)."""
    C0 = at.rates.C0
    return np.asarray(C0 @ system.barycenters.K @ C0.transpose(0, 2, 1) + at.J)


def known_part(system: LikinsSystem, loads: AppliedLoads, at: Configuration, bias: Biases) -> FloatArray:
    """W^k at a = 0, eta'' = 0, (n + 1, 3) N m; see the module for the terms."""
    M, total = system.barycenters.masses, system.barycenters.total
    D, c, w = at.D, at.c, at.w
    F, T = turned(at.rates.C0, loads.forces), turned(at.rates.C0, loads.torques)

    W = T + cross(D, F[None]).sum(axis=1) + cross(c, M[:, None] / total * F.sum(axis=0) - F)
    W += np.tensordot(M, cross(D, bias.c[None]), axes=(0, 1))
    arm_bias = bias.D.sum(axis=0)
    if not at.first_degree:
        arm_bias = arm_bias + M @ bias.c / total  # the term that Eq 42 drops from Eq 33
    W += M[:, None] * cross(c, arm_bias)
    W -= turned(at.coriolis, w) + cross(w, turned(barycentric_inertias(system, at), w))
    products = cross(D, bias.D.transpose(1, 0, 2))  # D^{kr} x D¨^{rk}
    W += total * (products.sum(axis=1) - np.diagonal(products).T)
    W -= cross(w, at.h) + at.spin_bias  # the rest of A^k, Eq 53, and the rotors
    W -= _rotor_reaction(system, loads, at)
    return np.asarray(W)


def coefficients(system: LikinsSystem, loads: AppliedLoads, at: Configuration) -> tuple[FloatArray, FloatArray]:
    """A (n + 1, n + 1, 3, 3), kg m², and B (n + 1, 3, K) of the affine form; Eq 36 eliminates free rotors."""
    M, total = system.barycenters.masses, system.barycenters.total
    Dt, ct = skew(at.D), skew(at.c)
    Mc = M[:, None, None] * ct
    Dt_reversed = Dt.transpose(1, 0, 2, 3)  # [k, r]: D^{rk}~
    A = Dt @ Mc[None] + Mc[:, None] @ Dt_reversed
    A += total * (Dt @ Dt_reversed)  # Phi^{kr}, Def 39, for r != k
    diagonal = np.arange(len(M))
    own = Dt[diagonal, diagonal]
    A[diagonal, diagonal] += barycentric_inertias(system, at) - total * (own @ own)
    A[diagonal, diagonal] -= _free_rotor_inertia(system, loads, at)
    B = (Dt @ at.shape[None]).sum(axis=1) + at.spin
    if not at.first_degree:
        A += Mc[:, None] @ Mc[None] / total
        B += Mc @ at.shape.sum(axis=0) / total
    return A, B


def _rotor_reaction(system: LikinsSystem, loads: AppliedLoads, at: Configuration) -> FloatArray:
    """h°^k without its part in a^k, (n + 1, 3): b tauR of free rotors, b Js psi'' of driven ones (Eqs 36, 37)."""
    out = np.zeros((system.tree.bodies, 3))
    for k, body in enumerate(system.substructures):
        if not len(body.rotor_inertia):
            continue
        mine = system.rotor_slots[k]
        driven = body.rotor_inertia * loads.rotor_accelerations[mine]
        change = np.where(loads.rotor_driven[mine], driven, loads.rotor_torques[mine])
        out[k] = at.rates.C0[k] @ (change @ body.rotor_axes)
    return out


def _free_rotor_inertia(system: LikinsSystem, loads: AppliedLoads, at: Configuration) -> FloatArray:
    """sum Js b b' of the free rotors, (n + 1, 3, 3): Eq 36 subtracts it from Phi^{kk} once psi'' is eliminated."""
    out = np.zeros((system.tree.bodies, 3, 3))
    for k, body in enumerate(system.substructures):
        if not len(body.rotor_inertia):
            continue
        b = body.rotor_axes @ at.rates.C0[k].T
        weight = np.where(loads.rotor_driven[system.rotor_slots[k]], 0.0, body.rotor_inertia)
        out[k] = (b.T * weight) @ b
    return out
