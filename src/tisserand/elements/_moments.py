"""Mass moments of a rigid piece and the 6 x 6 matrices that follow from them.

The piece moves as u = U + theta x rho. Its mass moments about the reference point are the 4 x 4 matrix
mu = int (1, rho)(1, rho)' dm: mass, first moment s, second moment Pi = int rho rho' dm. The matrix
M^{ab} = int n_a' n_b dm, n_a row a of [1, -rho~], is linear in mu.

Nodal bodies: theory section 2.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.elements.element_data import DIRECTIONS


def _displacement_basis() -> FloatArray:
    """B (4, 3, 6): [1, -rho~] = B_0 + sum_c rho_c B_c."""
    basis = np.zeros((4, 3, 6))
    basis[0, :, :3] = np.eye(3)
    for c in range(3):
        basis[1 + c, :, 3:] = -skew(np.eye(3)[c])
    return basis


_B = _displacement_basis()
#: (6 directions, 4, 4, 6, 6): coefficients of mu in each M^{ab}.
_DIRECTIONAL = np.stack([np.einsum("ci,dj->cdij", _B[:, a], _B[:, b]) for a, b in DIRECTIONS])
_TOTAL = _DIRECTIONAL[:3].sum(axis=0)


def point_moments(mass: FloatArray, arm: FloatArray, inertia: FloatArray | None = None) -> FloatArray:
    """mu (..., 4, 4) of masses (...,) at arms (..., 3) from the reference point.

    inertia (..., 3, 3) about each piece's own mass center, None for particles: Pi_c = 1/2 tr(I) 1 - I.
    """
    mass, arm = np.asarray(mass, float), np.asarray(arm, float)
    one = np.concatenate([np.ones((*arm.shape[:-1], 1)), arm], axis=-1)
    moments = mass[..., None, None] * one[..., :, None] * one[..., None, :]
    if inertia is not None:
        half = 0.5 * np.trace(inertia, axis1=-2, axis2=-1)
        moments[..., 1:, 1:] += half[..., None, None] * np.eye(3) - inertia
    return np.asarray(moments)


def directional_matrices(moments: FloatArray) -> FloatArray:
    """M^{ab} (..., 6, 6, 6) in the order of DIRECTIONS over [U; theta] of the reference point."""
    return np.asarray(np.einsum("...cd,zcdij->...zij", moments, _DIRECTIONAL, optimize=True))


def rigid_matrices(moments: FloatArray) -> FloatArray:
    """M (..., 6, 6) = sum_a M^{aa}."""
    return np.asarray(np.einsum("...cd,cdij->...ij", moments, _TOTAL, optimize=True))
