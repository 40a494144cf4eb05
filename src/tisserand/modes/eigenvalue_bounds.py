"""Bounds on the relative error of a computed eigenvalue.

Two measures, and no estimate that widens a limit. What the solver left: with r = K x - lambda M x some eigenvalue lies
within ``||(K - sigma M)^-1 r||_M |lambda - sigma|`` of lambda, for any shift sigma (one more step of inverse iteration).
Round-off in K x is large on thin meshes, but it is rough, and the inverse makes it small; where that is not enough r is formed
with twice the digits. What the digits of K and M allow: terms that are rounded in their last place change lambda by the root of
the sum of their squares. Where that comes near to what the solver may leave, r is formed from the elements, whose digits are not
lost in a sum (``assembly.element_forces``); for bare matrices there is nothing else, so the digits that they determine
are stated.

Bounds from residuals: [Parlett1980].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray
from tisserand.assembly.element_forces import ElementForces
from tisserand.errors import NotConvergedError
from tisserand.linalg import Factor, Pencil
from tisserand.linalg.products import product
from tisserand.modes._kernels import residuals, squared_sums
from tisserand.threads import over_rows

#: Largest accepted error of an eigenvalue as the solution of the pencil, relative; the frequency then errs by half of it.
EIGENVALUE_LIMIT = 1e-6
#: Largest accepted change of an eigenvalue by the last digits of K and M, relative: with fewer than two digits settled (each term
#: may carry several roundings, so a tenth of what that takes) there is no answer. Above EIGENVALUE_LIMIT the digits are stated.
DATA_LIMIT = 1e-3
#: Up to this change the factor of the assembled matrix leads to the modes of the elements: with several roundings per term it is
#: off by a fifth where it is softest, so every step gains most of a digit.
UNSETTLED = 2e-2
#: A bound this far below the limit needs no second look. Nor do digits: a term of an assembled matrix carries several roundings,
#: which have been seen to make ten times what one rounding makes.
SURE = 1e-7


def solver_errors(
    pencil: Pencil, factor: Factor, shift: float, rigid: FloatArray, values: FloatArray, left: FloatArray
) -> FloatArray:
    """(k,) bound on |true - value| / |value| of mass-normalized vectors with residuals ``left`` (m, k), by K - shift M.

    rigid: (m, r) exact motions of zero frequency, mass-orthonormal, in which no error is possible.
    """
    return bounds_of_steps(pencil, factor.solve(left), shift, rigid, values)


def bounds_of_steps(
    pencil: Pencil, image: FloatArray, shift: float, rigid: FloatArray, values: FloatArray
) -> FloatArray:
    """(k,) the same from the steps ``image`` = (K - shift M)^-1 left (m, k)."""
    weight = product(pencil.m, image)
    if rigid.shape[1]:
        image = image - rigid @ (rigid.T @ weight)
        weight = product(pencil.m, image)
    change = np.sqrt(np.maximum(np.einsum("ik,ik->k", image, weight), 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return _or_infinite(change * np.abs(values - shift) / np.abs(values))


def bounds_of_all_below(
    weight: FloatArray, image: FloatArray, pencil: Pencil, shift: float, values: FloatArray
) -> FloatArray:
    """(k,) the same for all k eigenvalues below the shift, whose number the inertia there proves to be complete.

    weight (m, k) = M x. In theta = 1 / (lambda - shift) these are all the negative eigenvalues of the inverse, and their Ritz
    values H = diag(theta) + E. What is left over is R, orthogonal to them, and every other eigenvalue is positive: so
    those of H err by at most norm(R)² / abs(theta) (and terms of fourth order), the square of what one pair alone would allow. E,
    from the same steps, is what the vectors leave to each other.
    """
    theta = 1.0 / (values - shift)
    mixed = -(weight.T @ image) * theta
    if not np.isfinite(mixed).all():
        return np.full(len(values), np.inf)
    left = float(np.sum(np.einsum("ik,ik->k", image, product(pencil.m, image)) * theta**2))
    order, own = np.argsort(theta, kind="stable"), np.abs(theta)
    off = np.empty_like(theta)
    off[order] = np.abs(np.linalg.eigvalsh(np.diag(theta) + 0.5 * (mixed + mixed.T)) - theta[order])
    room = own - left / own.min(initial=np.inf)  # the others are above -left / min|theta|
    with np.errstate(divide="ignore", invalid="ignore"):
        far = off + np.where(room > 0.0, left / room, np.inf)
        return _or_infinite(np.where(far < own, far / (own * (own - far)) / np.abs(values), np.inf))


class Residuals(Protocol):
    """Where residuals with more digits come from: ``(values, vectors) -> (Rayleigh quotients, K x - quotient M x)``.

    safety: what the bound of ``solver_errors`` is multiplied by; plain: whether ordinary residuals are of the same K.
    """

    @property
    def safety(self) -> float: ...

    @property
    def plain(self) -> bool: ...

    def __call__(self, values: FloatArray, vectors: FloatArray) -> tuple[FloatArray, FloatArray]: ...

    def digits(self, values: FloatArray, vectors: FloatArray) -> FloatArray:
        """(k,) relative change of the eigenvalues by the last digits of the terms."""
        ...


@dataclass(frozen=True, eq=False)
class AssembledResiduals:
    """The assembled matrices, with twice the digits."""

    pencil: Pencil
    safety: float = 1.0
    plain: bool = True

    def __call__(self, values: FloatArray, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
        return fine_residuals(self.pencil, values, vectors)

    def digits(self, values: FloatArray, vectors: FloatArray) -> FloatArray:
        return data_errors(self.pencil, values, vectors)


@dataclass(frozen=True, eq=False)
class ElementResiduals:
    """The elements one by one.

    The factor is still that of the assembled matrix, which is off by a few times UNSETTLED at most: bounds by it are doubled.
    size: all dofs of the model.
    """

    elements: ElementForces
    pencil: Pencil
    size: int
    safety: float = 2.0
    plain: bool = False

    def __call__(self, values: FloatArray, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
        force = self.elements.forces(over_all(self.pencil, vectors, self.size))[self.pencil.free]
        return _quotients(self.pencil, values, vectors, force - (self.pencil.m @ vectors) * values)

    def digits(self, values: FloatArray, vectors: FloatArray) -> FloatArray:
        stiff = self.elements.digits(over_all(self.pencil, vectors, self.size))
        with np.errstate(divide="ignore", invalid="ignore"):
            return _or_infinite(stiff / np.abs(values) + rounded(self.pencil.m, vectors))


def over_all(pencil: Pencil, vectors: FloatArray, size: int) -> FloatArray:
    """(size, k) vectors over the free dofs, zero on the others."""
    out = np.zeros((size, vectors.shape[1]))
    out[pencil.free] = vectors
    return out


def fine_residuals(pencil: Pencil, values: FloatArray, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(Rayleigh quotients, K x - value M x): residuals with twice the digits, and the values that they correct."""
    return _quotients(pencil, values, vectors, long_residuals(pencil, values, vectors))


def long_residuals(pencil: Pencil, values: FloatArray, vectors: FloatArray) -> FloatArray:
    """(m, k) K x - value M x with twice the digits, of these very values."""
    left = np.empty(vectors.shape)
    vectors = np.ascontiguousarray(vectors)
    parts = (pencil.indptr, pencil.indices, pencil.stiffness, pencil.mass, values, vectors)
    over_rows(lambda begin, end: residuals(*parts, begin, end, left, *np.empty((2, len(values)))), pencil.size)
    return left


def _quotients(
    pencil: Pencil, values: FloatArray, vectors: FloatArray, left: FloatArray
) -> tuple[FloatArray, FloatArray]:
    weight = product(pencil.m, vectors)
    shift = np.einsum("ik,ik->k", vectors, left) / np.einsum("ik,ik->k", vectors, weight)
    return values + shift, left - weight * shift


def data_errors(pencil: Pencil, values: FloatArray, vectors: FloatArray) -> FloatArray:
    """(k,) relative change of the eigenvalues when every term of K and M is rounded in its last place."""
    scales = [_largest(terms) for terms in (pencil.stiffness, pencil.mass)]
    squares = np.ascontiguousarray(vectors) ** 2
    parts = (pencil.indptr, pencil.indices, pencil.stiffness, pencil.mass, *scales, squares)
    found: dict[int, FloatArray] = {}

    def add(begin: int, end: int) -> None:
        found[begin] = np.zeros((2, len(values)))
        squared_sums(*parts, begin, end, *found[begin])

    over_rows(add, pencil.size)
    stiff, mass = (
        0.5
        * np.finfo(float).eps
        * np.array(scales)[:, None]
        * np.sqrt(np.sum([found[begin] for begin in sorted(found)], axis=0))
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        return _or_infinite(stiff / np.abs(values) + mass)


def rounded(matrix: csr_array, vectors: FloatArray) -> FloatArray:
    """(k,) change of x'A x when every term is rounded in its last place."""
    squares = vectors**2
    scale = _largest(matrix.data)
    terms = matrix.data / scale  # squares of N/m must not overflow
    square = csr_array((np.square(terms, out=terms), matrix.indices, matrix.indptr), shape=matrix.shape)
    sums = np.einsum("ik,ik->k", squares, square @ squares)
    return np.asarray(0.5 * np.finfo(float).eps * scale * np.sqrt(sums))


def _largest(terms: FloatArray) -> float:
    """Size of the largest term, one where all are zero."""
    return max(float(terms.max(initial=0.0)), -float(terms.min(initial=0.0))) or 1.0


def unsettled(pencil: Pencil, values: FloatArray, vectors: FloatArray) -> NotConvergedError:
    """The error for frequencies that the last digits of the matrices do not settle."""
    found = data_errors(pencil, values, vectors)
    return uncertain(values, found, UNSETTLED, "by the last digits of the matrices")


def uncertain(values: FloatArray, errors: FloatArray, limit: float, cause: str) -> NotConvergedError:
    """The error that names the frequency known worst, what it may be off by, and why."""
    place = int(np.argmax(errors))
    hertz = float(np.sqrt(max(float(values[place]), 0.0)) / (2.0 * np.pi))
    return NotConvergedError(
        f"the frequency {hertz:.6g} Hz cannot be computed accurately enough",
        found=f"its eigenvalue may be off by {errors[place]:.2g} of itself, {cause}",
        expected=f"at most {limit:g}",
        advice="parts this stiff, or meshed this finely, mask it by round-off: make the stiff part rigid (RBE2) or coarser, "
        "or leave out what is too soft to matter",
    )


def _or_infinite(errors: FloatArray) -> FloatArray:
    return np.where(np.isfinite(errors), errors, np.inf)
