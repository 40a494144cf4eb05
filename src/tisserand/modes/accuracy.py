"""How far a computed eigenvalue can be from a true one, relative to itself.

Two bounds, and no estimate that widens them. What the solver left: with r = K x - lambda M x some eigenvalue lies within
``||(K - sigma M)^-1 r||_M |lambda - sigma|`` of lambda, for any shift sigma (one more step of inverse iteration). Round-off in K x is large
on thin meshes, but it is rough and the inverse makes it small. What the digits of K and M allow: terms that are rounded in their
last place change lambda by the root of the sum of their squares.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray
from tisserand.linalg import Factor, Pencil

#: Largest accepted error of an eigenvalue, relative; the frequency then errs by half of it.
EIGENVALUE_LIMIT = 1e-6


def solver_errors(
    pencil: Pencil, factor: Factor, shift: float, rigid: FloatArray, values: FloatArray, vectors: FloatArray
) -> FloatArray:
    """(k,) bound on |true - value| / |value| of mass-normalised vectors (m, k), by a factor of K - shift M.

    rigid: (m, r) exact motions of zero frequency, mass-orthonormal, in which no error is possible.
    """
    left = pencil.k @ vectors - (pencil.m @ vectors) * values
    image = factor.solve(left)
    weight = pencil.m @ image
    if rigid.shape[1]:
        image = image - rigid @ (rigid.T @ weight)
        weight = pencil.m @ image
    change = np.sqrt(np.maximum(np.einsum("ik,ik->k", image, weight), 0.0))
    change = np.where(np.isfinite(change), change, np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.nan_to_num(change * np.abs(values - shift) / np.abs(values), nan=np.inf, posinf=np.inf))


def data_errors(pencil: Pencil, values: FloatArray, vectors: FloatArray) -> FloatArray:
    """(k,) relative change of the eigenvalues when every term of K and M is rounded in its last place."""
    unit = 0.5 * np.finfo(float).eps
    squares = vectors**2

    def spread(matrix: csr_array) -> FloatArray:
        scale = float(np.abs(matrix.data).max(initial=0.0)) or 1.0  # squares of N/m must not overflow
        square = csr_array(((matrix.data / scale) ** 2, matrix.indices, matrix.indptr), shape=matrix.shape)
        return scale * np.sqrt(np.einsum("ik,ik->k", squares, square @ squares))

    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.nan_to_num(unit * (spread(pencil.k) / np.abs(values) + spread(pencil.m)), nan=np.inf))
