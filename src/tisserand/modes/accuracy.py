"""How far a computed eigenvalue can be from a true one, relative to itself.

Two measures, and no estimate that widens a limit. What the solver left: with r = K x - lambda M x some eigenvalue lies
within ``||(K - sigma M)^-1 r||_M |lambda - sigma|`` of lambda, for any shift sigma (one more step of inverse iteration).
Round-off in K x is large on thin meshes, but it is rough, and the inverse makes it small; where that is not enough r is formed
with twice the digits. What the digits of K and M allow: terms that are rounded in their last place change lambda by the root of
the sum of their squares.

Bounds from residuals: [Parlett1980].
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray
from tisserand.linalg import Factor, Pencil
from tisserand.modes._kernels import residuals

#: Largest accepted error of an eigenvalue as the solution of the pencil, relative; the frequency then errs by half of it.
EIGENVALUE_LIMIT = 1e-6
#: Largest accepted change of an eigenvalue by the last digits of K and M, relative; from DATA_NOTED on (1e-6 of the frequency) it
#: is noted.
DATA_LIMIT = 1e-5
DATA_NOTED = 2e-6
#: A bound this far below the limit needs no second look.
SURE = 1e-7


def solver_errors(
    pencil: Pencil, factor: Factor, shift: float, rigid: FloatArray, values: FloatArray, left: FloatArray
) -> FloatArray:
    """(k,) bound on |true - value| / |value| of mass-normalized vectors with residuals ``left`` (m, k), by K - shift M.

    rigid: (m, r) exact motions of zero frequency, mass-orthonormal, in which no error is possible.
    """
    image = factor.solve(left)
    weight = pencil.m @ image
    if rigid.shape[1]:
        image = image - rigid @ (rigid.T @ weight)
        weight = pencil.m @ image
    change = np.sqrt(np.maximum(np.einsum("ik,ik->k", image, weight), 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return _or_infinite(change * np.abs(values - shift) / np.abs(values))


def fine_residuals(pencil: Pencil, values: FloatArray, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(Rayleigh quotients, K x - value M x): residuals with twice the digits, and the values that they correct."""
    left = np.empty(vectors.shape)
    vectors = np.ascontiguousarray(vectors)
    residuals(pencil.indptr, pencil.indices, pencil.stiffness, pencil.mass, values, vectors, left)
    weight = pencil.m @ vectors
    shift = np.einsum("ik,ik->k", vectors, left) / np.einsum("ik,ik->k", vectors, weight)
    return values + shift, left - weight * shift


def data_errors(pencil: Pencil, values: FloatArray, vectors: FloatArray) -> FloatArray:
    """(k,) relative change of the eigenvalues when every term of K and M is rounded in its last place."""
    unit = 0.5 * np.finfo(float).eps
    squares = vectors**2

    def spread(matrix: csr_array) -> FloatArray:
        scale = float(np.abs(matrix.data).max(initial=0.0)) or 1.0  # squares of N/m must not overflow
        square = csr_array(((matrix.data / scale) ** 2, matrix.indices, matrix.indptr), shape=matrix.shape)
        return np.asarray(scale * np.sqrt(np.einsum("ik,ik->k", squares, square @ squares)))

    with np.errstate(divide="ignore", invalid="ignore"):
        return _or_infinite(unit * (spread(pencil.k) / np.abs(values) + spread(pencil.m)))


def _or_infinite(errors: FloatArray) -> FloatArray:
    return np.where(np.isfinite(errors), errors, np.inf)
