"""The equations of motion of the tree: W^k complete (Eq 33) or of first degree (Eq 42), with the modal
equations.

Symbols (all vectors in {b^0}): D[k, r] = D^{kr}; c, cdd = c^k and its inertial second derivative; a, w =
angular acceleration and rate; y = [a^0; gamma''; eta''] the unknowns. W^k is affine in y: W^k = W_known -
sum_r A^{kr} a^r - sum_r B^{kr} eta''_r. (40), (41) are the rows P' W + [0; tau] = 0 with a^k = P_k [a^0;
gamma''] + bias_k; rotors are eliminated by Eq 36.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.multibody.likins.kinematics import Rates, rates
from tisserand.multibody.likins.substructure import Deformation, deform, modal_shape
from tisserand.multibody.likins.system import AppliedLoads, LikinsState, LikinsSystem


@dataclass(frozen=True, eq=False)
class Configuration:
    """Everything of a state that does not depend on loads, in {b^0}.

    rates; deformations per body in {b^k}; D (n + 1, n + 1, 3); c, c_rate (n + 1, 3) (rate as seen in {b^k});
    shape, spin: P and relative angular momentum per unit eta' of each body, (3, K) columns of that body only;
    modal_shape, modal_spin likewise for the modal equations; J, J_rate (n + 1, 3, 3) about o_k; h (n + 1, 3)
    rotor momenta (Eq 37).
    """

    rates: Rates
    deformations: tuple[Deformation, ...]
    D: FloatArray
    c: FloatArray
    c_rate: FloatArray
    shape: FloatArray
    spin: FloatArray
    modal_shape: FloatArray
    modal_spin: FloatArray
    shape_bias: FloatArray
    spin_bias: FloatArray
    J: FloatArray
    J_rate: FloatArray
    h: FloatArray
    first_degree: bool


def configure(system: LikinsSystem, state: LikinsState, first_degree: bool) -> Configuration:
    """Evaluate Eqs 43-53 at a state."""
    motion = rates(system.tree, system.axes, system.nominal, state.w0, state.angles, state.angle_rates)
    C0 = motion.C0
    bodies, modes = system.tree.bodies, system.modes
    shape, spin = np.zeros((bodies, 3, modes)), np.zeros((bodies, 3, modes))
    modal_s, modal_r = np.zeros((bodies, 3, modes)), np.zeros((bodies, 3, modes))
    deformations, h = [], np.zeros((bodies, 3))
    for k, body in enumerate(system.substructures):
        mine = system.mode_slots[k]
        eta = state.eta[mine]
        now = deform(body, eta, state.eta_rates[mine], first_degree)
        deformations.append(now)
        shape[k][:, mine], spin[k][:, mine] = C0[k] @ now.shape, C0[k] @ now.spin
        in_body_shape, in_body_spin = modal_shape(body, eta)
        modal_s[k][:, mine], modal_r[k][:, mine] = C0[k] @ in_body_shape, C0[k] @ in_body_spin
        h[k] = (body.rotor_inertia * state.rotor_rates[system.rotor_slots[k]]) @ body.rotor_axes

    def in_basis(vectors: list[FloatArray]) -> FloatArray:
        return np.asarray(np.einsum("kab,kb->ka", C0, np.array(vectors)))

    def in_basis_matrix(matrices: list[FloatArray]) -> FloatArray:
        return np.asarray(C0 @ np.array(matrices) @ C0.transpose(0, 2, 1))

    return Configuration(
        motion,
        tuple(deformations),
        np.einsum("kab,krb->kra", C0, system.barycentres.D),
        in_basis([d.c for d in deformations]),
        in_basis([d.c_rate for d in deformations]),
        shape,
        spin,
        modal_s,
        modal_r,
        in_basis([d.shape_bias for d in deformations]),
        in_basis([d.spin_bias for d in deformations]),
        in_basis_matrix([d.J for d in deformations]),
        in_basis_matrix([d.J_rate for d in deformations]),
        np.einsum("kab,kb->ka", C0, h),
        first_degree,
    )


@dataclass(frozen=True, eq=False)
class Assembled:
    """mass y = right (rows: 3 of (40), n of (41), modal); W_known (n + 1, 3), A (n + 1, n + 1, 3, 3), B (n +
    1, 3, K) of W^k."""

    mass: FloatArray
    right: FloatArray
    W_known: FloatArray
    A: FloatArray
    B: FloatArray
    c_bias: FloatArray
    frame_bias: FloatArray


def assemble(system: LikinsSystem, state: LikinsState, loads: AppliedLoads, at: Configuration) -> Assembled:
    """The linear system for y = [a^0; gamma''; eta'']: symmetric positive definite for the complete form."""
    M, total = system.barycentres.masses, system.barycentres.total
    w, P = at.rates.w, at.rates.partial
    F = np.einsum("kab,kb->ka", at.rates.C0, loads.forces)
    T = np.einsum("kab,kb->ka", at.rates.C0, loads.torques)
    D, c = at.D, at.c
    Dt, ct = skew(D), skew(c)
    n = system.tree.bodies
    resultant = F.sum(axis=0)

    # inertial second derivatives without their parts in a and eta''
    safe = np.where(M > 0.0, M, 1.0)[:, None]
    c_bias = 2.0 * np.cross(w, at.c_rate) + np.cross(w, np.cross(w, c)) - at.shape_bias / safe
    D_bias = np.cross(w[:, None], np.cross(w[:, None], D))  # (w^r)~(w^r)~ D^{rk}, indexed [r, k]
    frame_bias = (
        D_bias.sum(axis=0) + M @ c_bias / total
    )  # of o_k relative to the mass centre of the tree, Eq 54

    # W^k: known part
    W = T + np.cross(D, F[None]).sum(axis=1) + np.cross(c, M[:, None] / total * resultant - F)
    W += np.einsum("r,kra->ka", M, np.cross(D, c_bias[None]))
    W += M[:, None] * np.cross(c, D_bias.sum(axis=0))
    if not at.first_degree:
        W += M[:, None] * np.cross(c, M @ c_bias / total)  # the term that Eq 42 drops from Eq 33
    Phi = at.rates.C0 @ system.barycentres.K @ at.rates.C0.transpose(0, 2, 1) + at.J  # Phi^{kk}, Def 38
    W -= np.einsum("kab,kb->ka", at.J_rate, w) + np.cross(w, np.einsum("kab,kb->ka", Phi, w))
    cross_terms = np.cross(D, D_bias.transpose(1, 0, 2))
    cross_terms[np.arange(n), np.arange(n)] = 0.0
    W += total * cross_terms.sum(axis=1)
    momentum = np.einsum("kam,m->ka", at.spin, state.eta_rates)
    W -= np.cross(w, at.h + momentum) + at.spin_bias
    W -= _rotor_reaction(system, loads, at)

    # W^k: coefficients of a^r and of eta''
    A = np.einsum("r,krab,rbc->krac", M, Dt, ct, optimize=True)
    A += np.einsum("k,kab,rkbc->krac", M, ct, Dt, optimize=True)
    coupling = total * np.einsum("krab,rkbc->krac", Dt, Dt)  # Phi^{kr}, Def 39
    coupling[np.arange(n), np.arange(n)] = Phi - _free_rotor_inertia(system, loads, at)
    A += coupling
    B = np.einsum("krab,rbm->kam", Dt, at.shape) + at.spin
    if not at.first_degree:
        A += np.einsum("k,r,kab,rbc->krac", M, M, ct, ct, optimize=True) / total
        B += np.einsum("k,kab,bm->kam", M, ct, at.shape.sum(axis=0)) / total

    # modal rows: Pe.a_o + Cre.a + Me eta'' = ...
    arms = Dt.transpose(1, 0, 2, 3) + (M[:, None, None] / total * ct)[None]  # [k, r]: D^{rk} + (M_r/M) c^r
    modal_a = -np.einsum("kam,krab->rmb", at.modal_shape, arms, optimize=True)
    modal_a += at.modal_spin.transpose(0, 2, 1)
    modal_eta = -np.einsum("kam,al->ml", at.modal_shape, at.shape.sum(axis=0)) / total
    modal_right = loads.modal.copy()
    modal_right -= np.einsum("kam,ka->m", at.modal_shape, resultant / total + frame_bias)
    for k, body in enumerate(system.substructures):
        mine = system.mode_slots[k]
        if body.modes == 0:
            continue
        eta, rate = state.eta[mine], state.eta_rates[mine]
        w_k = at.rates.C0[k].T @ w[k]
        modal_eta[mine, mine] += body.modal_mass
        modal_right[mine] += 0.5 * np.einsum("a,abm,b->m", w_k, at.deformations[k].J_slope, w_k)
        modal_right[mine] -= 2.0 * w_k @ at.deformations[k].gyro
        modal_right[mine] -= body.stiffness @ eta + body.damping @ rate

    rows, width = 3 + n - 1, 3 + n - 1 + system.modes
    mass = np.empty((width, width))
    AP = np.einsum("krab,rbj->kaj", A, P, optimize=True)
    mass[:rows, :rows] = np.einsum("kai,kaj->ij", P, AP)
    mass[:rows, rows:] = np.einsum("kai,kam->im", P, B)
    mass[rows:, :rows] = np.einsum("rmb,rbj->mj", modal_a, P)
    mass[rows:, rows:] = modal_eta
    bias = at.rates.bias
    W_biased = W - np.einsum("krab,rb->ka", A, bias)
    right = np.empty(width)
    right[:rows] = np.einsum("kai,ka->i", P, W_biased)
    right[3:rows] += loads.hinge_torques
    right[rows:] = modal_right - np.einsum("rmb,rb->m", modal_a, bias)
    return Assembled(mass, right, W, A, B, c_bias, frame_bias)


def _rotor_reaction(system: LikinsSystem, loads: AppliedLoads, at: Configuration) -> FloatArray:
    """h'^k without its part in a^k, (n + 1, 3): sum of b tauR for free rotors, b Js psi'' for driven ones
    (Eqs 36, 37)."""
    out = np.zeros((system.tree.bodies, 3))
    for k, body in enumerate(system.substructures):
        mine = system.rotor_slots[k]
        free = ~loads.rotor_driven[mine]
        change = np.where(
            free, loads.rotor_torques[mine], body.rotor_inertia * loads.rotor_accelerations[mine]
        )
        out[k] = at.rates.C0[k] @ (change @ body.rotor_axes)
    return out


def _free_rotor_inertia(system: LikinsSystem, loads: AppliedLoads, at: Configuration) -> FloatArray:
    """sum Js b b' of the rotors that turn freely, (n + 1, 3, 3): what Eq 36 takes off Phi^{kk} once psi'' is
    eliminated."""
    out = np.zeros((system.tree.bodies, 3, 3))
    for k, body in enumerate(system.substructures):
        mine = system.rotor_slots[k]
        b = body.rotor_axes @ at.rates.C0[k].T
        weight = np.where(loads.rotor_driven[mine], 0.0, body.rotor_inertia)
        out[k] = np.einsum("q,qa,qb->ab", weight, b, b)
    return out
