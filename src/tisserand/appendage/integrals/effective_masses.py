"""Effective masses and the mass that modes can and cannot reach.

Symbols: A = Phi' M S (k, 6) coupling to rigid motion about O, Me modal mass. Effective masses of mode k are
A_k² / Me_kk; for coordinates that are not mass-orthogonal each one gets what it adds to those before it
(Cholesky), so that the running sum is always diag(A' Me^-1 A) of the modes so far.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.sparse.linalg import cg

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, symmetric, without_roundoff
from tisserand.modes.modal_basis import ModalBasis

#: Part of a shape's modal mass that is round-off of what the shapes before it hold.
_MASSLESS = 1e-12


def participation(integrals: ModalIntegrals) -> FloatArray:
    """(k, 6) Y with Y'Y = A' Me^-1 A: columns T1..R3 about O, kg^0.5 and kg^0.5 m.

    A shape that adds no mass to those before it carries no momentum either.
    """
    k, size = integrals.count, integrals.sizes
    if k == 0:
        return np.zeros((0, 6))
    scaled = symmetric(integrals.modal_mass / np.outer(size, size))
    if np.linalg.eigvalsh(scaled)[0] <= _MASSLESS:
        scaled = scaled + _MASSLESS * np.eye(k)
    return np.asarray(solve_triangular(cholesky(scaled), integrals.coupling.T / size[:, None], trans="T"))


@checked_arguments
def effective_masses(integrals: ModalIntegrals) -> FloatArray:
    """(k, 6) effective mass (kg) and inertia (kg m²) of each mode about O.

    Args:
        integrals: of the record.
    """
    return np.asarray(participation(integrals) ** 2)


def reachable_rigid_mass(basis: ModalBasis, S: FloatArray) -> tuple[FloatArray, FloatArray, bool]:
    """Rigid mass that all modes together reach, rigid mass of the free dofs, and whether the first is exact.

    S (d, 6) about O.

    With f the free dofs and s the held ones, all modes give q' M_ff^-1 q, q = M_ff S_f + M_fs S_s. It equals
    S_f' M_ff S_f where held and free dofs share no mass (lumped mass); consistent mass needs a solve.
    """
    mass, fixed = basis.model.mass, basis.fixed
    free_S, held_S = np.where(fixed[:, None], 0.0, S), np.where(fixed[:, None], S, 0.0)
    free = symmetric(free_S.T @ (mass @ free_S))
    shared = np.where(fixed[:, None], 0.0, mass @ held_S)
    if not np.any(np.abs(shared) > 1e-14 * np.abs(mass @ free_S).max(initial=0.0)):
        return free, free, True
    diagonal = mass.diagonal()
    inside = np.flatnonzero(~fixed & (diagonal > 0.0))
    block: Any = mass[inside][:, inside]
    precondition = _jacobi(diagonal[inside])
    x = np.zeros_like(shared)
    exact = True
    for column in range(6):
        if np.any(shared[inside, column]):
            solution, status = cg(block, shared[inside, column], rtol=1e-14, maxiter=2000, M=precondition)
            x[inside, column] = solution
            left = np.linalg.norm(block @ solution - shared[inside, column])
            exact = exact and bool(left <= 1e-11 * np.linalg.norm(shared[inside, column])) and status >= 0
    moved = free_S + x
    return symmetric(moved.T @ (mass @ moved)), free, exact


def _jacobi(diagonal: FloatArray) -> Any:
    from scipy.sparse import diags_array

    return diags_array(1.0 / diagonal)


def shown_effective_masses(effective: FloatArray, rigid_mass: FloatArray) -> FloatArray:
    """Effective masses (..., 6) as tables print them: round-off against the body's mass and largest moment of inertia is 0."""
    rigid = np.abs(np.diag(rigid_mass) if np.ndim(rigid_mass) == 2 else np.asarray(rigid_mass))
    return without_roundoff(effective, np.repeat([rigid[:3].max(), rigid[3:].max()], 3))
