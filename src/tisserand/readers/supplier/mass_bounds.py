"""Nodal masses consistent with shapes and a mass summary: bounds of linear functions over all admissible distributions.

Unknown are the mass m_i >= 0 of each node and, where rotations are known, its second moments p_i = (p_x, p_y, p_z) >= 0 about the
node: 4 n numbers. The mass summary and the orthogonality of the modes are linear in them (10 + k (k + 1) / 2 equations), so are
all modal integrals: the least and largest value of each is a linear program (scipy's HiGHS). Symbols as in
:mod:`tisserand.appendage.integrals.from_nodal_bodies`, with first moments and products of inertia of the nodes taken as zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from tisserand.arrays import LEVI_CIVITA, FloatArray
from tisserand.readers.supplier.supplier_modes import MassSummary

#: The equations must hold to this part of their scale, or nodal masses cannot explain the data.
LARGEST_MISMATCH = 0.02
#: Modes whose orthogonality is used; more would only narrow the bounds.
MOST_MODES = 24
#: Slack that is always allowed: printed digits.
_DIGITS = 1e-5


@dataclass(frozen=True, eq=False)
class NodalMasses:
    """All nodal masses that fit the data: rows @ x within ``slack`` of ``right``, x >= 0.

    x (v,): masses (n,), then second moments (n, 3) by node where rotations are known; mismatch: smallest possible violation,
    relative to the scale of each equation; weights: (e, v) rows, right (e,), both divided by those scales.
    """

    weights: FloatArray
    right: FloatArray
    nodes: int
    mismatch: float
    start: FloatArray

    @property
    def possible(self) -> bool:
        """Whether any distribution explains the data."""
        return self.mismatch <= LARGEST_MISMATCH

    def bounds(self, function: FloatArray) -> tuple[float, float, list[FloatArray]]:
        """Least and largest value of ``function @ x`` and the distributions that reach them; infinite where unbounded."""
        slack = max(1.05 * self.mismatch, _DIGITS)
        upper = np.concatenate([self.right + slack, slack - self.right])
        both = np.vstack([self.weights, -self.weights])
        values, reached = [], []
        scale = float(np.abs(function).max(initial=0.0))
        for sign in (1.0, -1.0):
            if scale == 0.0:
                values.append(0.0)
                continue
            found: Any = scipy.optimize.linprog(
                sign * function / scale, A_ub=both, b_ub=upper, bounds=(0.0, None), method="highs"
            )
            if found.status == 0:
                values.append(sign * float(found.fun) * scale)
                reached.append(np.asarray(found.x))
            else:
                values.append(-sign * np.inf)
        return values[0], values[1], reached


def nodal_masses(
    positions: FloatArray,
    translation: FloatArray,
    rotation: FloatArray | None,
    modal_mass: FloatArray,
    summary: MassSummary | None,
    reach: float = 0.0,
) -> NodalMasses:
    """All nodal masses that fit modal masses (k,), orthogonality and, where it is known, the mass summary about the origin O.

    positions (n, 3) m from O; translation, rotation (n, 3, k); rotation None: nodes have no second moments; reach: largest
    distance of a node from the point that the file's mass table refers to, m: first and second moments have its digits.
    """
    n = len(positions)
    rows, right, scale = [], [], []
    if summary is not None:
        mass = summary.mass
        J = summary.matrix[3:, 3:]
        R2 = 0.5 * np.trace(J) * np.eye(3) - J
        reach = max(
            reach, float(np.sqrt(max(np.trace(R2), 0.0) / mass)), float(np.abs(positions).max(initial=0.0)), 1e-300
        )
        first = summary.mass * summary.center
        rows.append(_row(np.ones(n), None, rotation))
        right.append(mass)
        scale.append(mass)
        for a in range(3):
            rows.append(_row(positions[:, a], None, rotation))
            right.append(first[a])
            scale.append(mass * reach)
        for a in range(3):
            for b in range(a, 3):
                own = np.zeros((n, 3))
                own[:, a] = float(a == b)
                rows.append(_row(positions[:, a] * positions[:, b], own, rotation))
                right.append(R2[a, b])
                scale.append(mass * reach**2)
    size = np.sqrt(modal_mass)
    count = min(len(modal_mass), MOST_MODES)
    for k in range(count):
        for l in range(k, count):
            masses = np.einsum("na,na->n", translation[:, :, k], translation[:, :, l])
            rows.append(_row(masses, _turning(rotation, k, l), rotation))
            right.append(modal_mass[k] if k == l else 0.0)
            scale.append(size[k] * size[l])
    scales = np.array(scale)
    weights, target = np.array(rows) / scales[:, None], np.array(right) / scales
    mismatch, start = _smallest_mismatch(weights, target)
    return NodalMasses(weights, target, n, mismatch, start)


def _turning(rotation: FloatArray | None, k: int, l: int) -> FloatArray | None:
    """(n, 3): coefficient of p_a in tr(theta_k~ Pi theta_l~') = sum_a p_a (theta_k.theta_l - theta_k,a theta_l,a)."""
    if rotation is None:
        return None
    product = rotation[:, :, k] * rotation[:, :, l]
    return np.asarray(product.sum(axis=1, keepdims=True) - product)


def _row(masses: FloatArray, moments: FloatArray | None, rotation: FloatArray | None) -> FloatArray:
    if rotation is None:
        return np.asarray(masses, float)
    own = np.zeros((len(masses), 3)) if moments is None else moments
    return np.concatenate([masses, own.ravel()])


def _smallest_mismatch(weights: FloatArray, right: FloatArray) -> tuple[float, FloatArray]:
    """Least t with |weights x - right| <= t for some x >= 0, and that x: one linear program."""
    e, v = weights.shape
    column = -np.ones((e, 1))
    both = np.vstack([np.hstack([weights, column]), np.hstack([-weights, column])])
    found: Any = scipy.optimize.linprog(
        np.r_[np.zeros(v), 1.0], A_ub=both, b_ub=np.concatenate([right, -right]), bounds=(0.0, None), method="highs"
    )
    if found.status != 0:
        return np.inf, np.zeros(v)
    return float(found.fun), np.asarray(found.x[:v])


def participation_functions(
    positions: FloatArray, translation: FloatArray, rotation: FloatArray | None
) -> dict[str, FloatArray]:
    """Weights of x for P (3, k, v), H (3, k, v) and L (3, 3, k, v), about O.

    L_ab,k = sum m x_a phi_b + p_a theta~_ba; P_b = sum m phi_b; H_a = eps_abc L_bc.
    """
    n, _, k = translation.shape
    v = n if rotation is None else 4 * n
    P = np.zeros((3, k, v))
    P[:, :, :n] = translation.transpose(1, 2, 0)
    L = np.zeros((3, 3, k, v))
    L[..., :n] = np.einsum("na,nbk->abkn", positions, translation)
    if rotation is not None:
        tilde = np.einsum("bca,nck->nbak", LEVI_CIVITA, rotation)  # (theta~)_ba = eps_bca theta_c
        for a in range(3):
            L[a, :, :, n + a :: 3] = tilde[:, :, a].transpose(1, 2, 0)
    H = np.einsum("abc,bckv->akv", LEVI_CIVITA, L)
    return {"P": P, "H": H, "L": L}


def pair_function(translation: FloatArray, rotation: FloatArray | None, a: int, b: int, k: int, l: int) -> FloatArray:
    """Weights (v,) of x for N_ab,kl = sum m phi_ak phi_bl + (theta_k~ Pi theta_l~')_ab."""
    masses = translation[:, a, k] * translation[:, b, l]
    if rotation is None:
        return np.asarray(masses)
    left = np.einsum("ce,nc->ne", LEVI_CIVITA[a], rotation[:, :, k])
    right = np.einsum("ce,nc->ne", LEVI_CIVITA[b], rotation[:, :, l])
    return np.concatenate([masses, (left * right).ravel()])
