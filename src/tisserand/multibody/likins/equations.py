"""The equations of motion as one linear system for y = [a^0; gamma''; eta''] (TR 32-1576, Eqs 40-44, 54).

Rows of (40) and (41): P' W + [0; tau] = 0 with W^k of :mod:`rotation` and a^k = P_k [a^0; gamma''] + bias_k.
Rows of the appendages (S1 leaves them to its references; they are Lagrange's equations of the kinetic energy
of one flexible body), per mode l, with a_o the acceleration of o_k, Pe = shape, Cre = spin:

    Pe_l.a_o + Cre_l.a + (Me eta'')_l + 2 w.Kx_kl eta'_k - 1/2 w.(dJ/d eta_l) w + (De eta' + Ke eta)_l = Q_l .
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.multibody.likins.configuration import Configuration
from tisserand.multibody.likins.rotation import Biases, biases, coefficients, known_part
from tisserand.multibody.likins.system import AppliedLoads, LikinsState, LikinsSystem
from tisserand.multibody.likins.vectors import turned


@dataclass(frozen=True, eq=False)
class Assembled:
    """mass y = right; rows: 3 of (40), n of (41), K modal. W_known, A, B: the affine form of W^k; bias: its kinematics."""

    mass: FloatArray
    right: FloatArray
    W_known: FloatArray
    A: FloatArray
    B: FloatArray
    bias: Biases

    def W(self, a: FloatArray, eta_dd: FloatArray) -> FloatArray:
        """W^k (n + 1, 3) N m at accelerations a (n + 1, 3), eta'' (K,)."""
        return np.asarray(self.W_known - turned(self.A, a[None]).sum(axis=1) - self.B @ eta_dd)


def assemble(system: LikinsSystem, state: LikinsState, loads: AppliedLoads, at: Configuration) -> Assembled:
    """The linear system: symmetric positive definite for the complete form (S0 Eq 307 when rigid)."""
    bias = biases(system, at)
    W = known_part(system, loads, at, bias)
    A, B = coefficients(system, loads, at)
    P, a_bias = at.rates.partial, at.rates.bias
    bodies, modes, rows = system.tree.bodies, system.modes, 2 + system.tree.bodies

    mass, right = np.zeros((rows + modes, rows + modes)), np.zeros(rows + modes)
    stacked = P.reshape(3 * bodies, rows)
    A_flat = A.transpose(0, 2, 1, 3).reshape(3 * bodies, 3 * bodies)
    mass[:rows, :rows] = stacked.T @ A_flat @ stacked
    right[:rows] = stacked.T @ (W.ravel() - A_flat @ a_bias.ravel())
    right[3:rows] += loads.hinge_torques
    if modes:
        row_a, row_eta, row_right = _modal_rows(system, state, loads, at, bias)
        mass[:rows, rows:] = stacked.T @ B.reshape(3 * bodies, modes)
        mass[rows:, :rows] = row_a @ stacked
        mass[rows:, rows:] = row_eta
        right[rows:] = row_right - row_a @ a_bias.ravel()
    return Assembled(mass, right, W, A, B, bias)


def _modal_rows(
    system: LikinsSystem, state: LikinsState, loads: AppliedLoads, at: Configuration, bias: Biases
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Coefficients of all a^r (K, 3 (n + 1)) and of eta'' (K, K), and the known right-hand side (K,)."""
    M, total = system.barycenters.masses, system.barycenters.total
    bodies = system.tree.bodies
    arms = skew(at.D).transpose(1, 0, 2, 3) + M[:, None, None] / total * skew(at.c)  # [k, r]: D^{rk} + M_r/M c^r
    shape_t = at.modal_shape.transpose(0, 2, 1)
    row_a = -(shape_t[:, None] @ arms).sum(axis=0) + at.modal_spin.transpose(0, 2, 1)  # [r, mode, axis]
    row_eta = -at.modal_shape.sum(axis=0).T @ at.shape.sum(axis=0) / total
    base = turned(at.rates.C0, loads.forces).sum(axis=0) / total
    right = loads.modal - turned_rows(shape_t, base + bias.frame)
    for k, body in enumerate(system.substructures):
        if body.modes == 0:
            continue
        mine, now = system.mode_slots[k], at.deformations[k]
        w = at.rates.C0[k].T @ at.w[k]
        row_eta[mine, mine] += now.modal_mass
        right[mine] += 0.5 * np.tensordot(np.outer(w, w), now.J_slope, axes=2) - 2.0 * w @ now.gyro
        right[mine] -= now.modal_bias + body.stiffness @ state.eta[mine] + body.damping @ state.eta_rates[mine]
    return row_a.transpose(1, 0, 2).reshape(-1, 3 * bodies), row_eta, right


def turned_rows(rows: FloatArray, vectors: FloatArray) -> FloatArray:
    """sum_k rows[k] @ vectors[k]: (n + 1, K, 3) and (n + 1, 3) to (K,)."""
    return np.asarray(np.einsum("kma,ka->m", rows, vectors))
