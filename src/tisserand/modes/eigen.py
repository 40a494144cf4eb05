"""Eigenpairs of the pencil K - lambda M near a shift, dense for small problems and block Lanczos for large ones.

Both routes work on the inverse ``(K - sigma M)^-1 M``, so that massless dofs (singular M) and free bodies (singular K) need
no special treatment; the shift is negative and just above round-off, so the matrix is positive definite.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.linalg as sla

from tisserand.arrays import BoolArray, FloatArray
from tisserand.errors import ModelError, SingularMatrixError, SolverError
from tisserand.linalg import BackendName, Factor, Pencil, available_backends, factorise
from tisserand.modes.lanczos import lanczos

#: Problems up to this size are solved densely, and larger ones where more than a quarter of all modes is wanted.
DENSE_LIMIT = 400
DENSE_MAXIMUM = 3000
#: A diagonal pivot below this part of its diagonal term is a sign of a singular matrix.
SINGULAR_PIVOT = 1e-13
_ON_AN_EIGENVALUE = "the shift hits an eigenvalue, so its inertia proves nothing"


@dataclass(frozen=True, eq=False)
class Pairs:
    """Eigenvalues ascending (rad²/s²) and mass-normalised vectors (m, k); errors (k,) bound the vectors' shifted residual."""

    values: FloatArray
    vectors: FloatArray
    errors: FloatArray


def stiffness_scale(pencil: Pencil, smooth: FloatArray) -> float:
    """A scale of K against M that round-off obeys, rad²/s².

    The larger of ten times sum K_ii s_i² / s'M s for smooth motions s (about the sum of |K| in them) and the median of
    K_ii / M_ii (reduced models carry no stiffness in their smooth motions).
    """
    stiff, mass = pencil.k.diagonal(), pencil.m.diagonal()
    scales = [0.0]
    inertia = float(np.einsum("ik,ik->", smooth, pencil.m @ smooth))
    if inertia > 0.0:
        scales.append(10.0 * float(np.einsum("i,ik,ik->", np.abs(stiff), smooth, smooth)) / inertia)
    both = (stiff > 0.0) & (mass > 0.0)
    if both.any():
        scales.append(float(np.median(stiff[both] / mass[both])))
    if max(scales) > 0.0:
        return max(scales)
    if not mass.any():
        raise ModelError(
            "the model has no mass where it can move, so it has no modes",
            found="a mass matrix of zeros",
            advice="give the materials density and the sections area",
        )
    raise SolverError("no free dof has both mass and stiffness", advice="give the model density and stiffness")


class Eigenproblem:
    """The pencil with its rigid motions known; holds at most one factor at a time."""

    def __init__(
        self,
        pencil: Pencil,
        rigid: FloatArray,
        scale: float,
        wanted: int,
        backend: BackendName | None,
        seed: int,
    ) -> None:
        self.pencil, self.rigid, self.scale, self.seed = pencil, rigid, scale, seed
        size = pencil.size
        self.dense = backend is None and (
            size <= DENSE_LIMIT or (4 * wanted > size and size <= DENSE_MAXIMUM)
        )
        self._backend = backend
        self._factor: Factor | None = None
        self._shift: float | None = None
        self._all: Pairs | None = None
        self._safe: float | None = None
        self.name = "dense" if self.dense else ""
        self.solves = 0
        #: A shift above the wanted modes whose factor both iterates and counts; None to start below the spectrum.
        self.upper: float | None = None

    @property
    def backend(self) -> BackendName:
        """The factorisation that a large problem will use."""
        return self._backend or available_backends()[0]

    def take_out(self, rigid: FloatArray) -> None:
        """Replace the rigid motions (m, r), mass-orthonormal; what was found before is forgotten."""
        self.rigid, self._all = rigid, None

    # -- inertia -------------------------------------------------------------------------------------------------
    def count_below(self, shift: float) -> int:
        """Number of eigenvalues below the shift (rigid motions included), by Sylvester's law of inertia."""
        matrix = self.pencil.shifted(shift)
        if self.dense:
            negative, singular = _dense_inertia(matrix.toarray())
            if singular:
                raise SingularMatrixError(_ON_AN_EIGENVALUE, found=f"{shift:.6g} rad²/s²")
            return negative
        factor = self._factor_at(shift)
        if not factor.trusted:
            raise SingularMatrixError(_ON_AN_EIGENVALUE, found=f"{shift:.6g} rad²/s²")
        return factor.negative_count

    def _factor_at(self, shift: float) -> Factor:
        if self._factor is not None and self._shift == shift:
            return self._factor
        matrix = self.pencil.shifted(shift)
        if self._factor is None:
            self._factor = factorise(matrix, backend=self._backend, groups=self.pencil.groups)
        else:
            self._factor = self._factor.renewed(matrix)
        self._shift, self.name = shift, self._factor.name
        return self._factor

    def try_upper(self, shift: float) -> bool:
        """Factorise at a shift inside the spectrum; whether its inertia can be trusted and it will be used."""
        try:
            factor = self._factor_at(shift)
        except SingularMatrixError:
            self._factor = self._shift = None
            return False
        if factor.trusted and factor.smallest_pivot >= SINGULAR_PIVOT:
            self.upper = shift
        return self.upper is not None

    def all_below(self, shift: float) -> tuple[Pairs, int]:
        """Every pair below the shift (rigid motions left out) and the inertia there, from one factor."""
        counted = self.count_below(shift)
        wanted = counted - self.rigid.shape[1]

        def stop(values: FloatArray, good: BoolArray) -> bool:
            return bool((good & (values < shift)).sum() >= wanted)

        return self.nearest(shift, 2 * wanted + 20, stop=stop, below=True), counted

    def safe_shift(self) -> float:
        """A negative shift just above round-off, where the pencil is positive definite; raises if it is unstable."""
        if self._safe is not None:
            return self._safe
        for part in (1e-8, 1e-6, 1e-4):
            shift = -part * self.scale
            if self.dense:
                negative, singular = _dense_inertia(self.pencil.shifted(shift).toarray())
            else:
                factor = self._factor_at(shift)
                singular = factor.smallest_pivot < SINGULAR_PIVOT
                negative = 0 if singular else factor.negative_count
            if singular:
                raise SingularMatrixError("dofs without mass move without stiffness")
            if negative == 0:
                self._safe = shift
                return shift
        raise self.unstable(negative, shift)

    def unstable(self, negative: int, shift: float) -> SolverError:
        """The error of a structure with negative eigenvalues."""
        return SolverError(
            "the stiffness matrix has negative eigenvalues: the structure is unstable in this state",
            found=f"{negative} below {shift:.4g} rad²/s²",
            advice="check springs of negative stiffness, or reduce the compressive prestress",
        )

    # -- eigenpairs ------------------------------------------------------------------------------------------------
    def nearest(
        self,
        shift: float,
        count: int,
        stop: Callable[[FloatArray, BoolArray], bool] | None = None,
        below: bool = False,
    ) -> Pairs:
        """At least ``count`` pairs nearest to the shift (all of them on the dense route), rigid motions left out.

        ``stop(values, converged)`` may end the iteration earlier; ``below`` keeps the pairs below the shift only.
        """
        if self.dense:
            if self._all is None:
                self._all = _dense_pairs(self.pencil, self.rigid, self.safe_shift())
            return self._all
        factor = self._factor_at(shift)
        mass = self.pencil.m
        deflate = self.rigid if self.rigid.shape[1] else None

        def judge(theta: FloatArray, good: BoolArray) -> bool:
            return stop is not None and stop(shift + 1.0 / np.where(theta == 0.0, 1e-300, theta), good)

        try:
            ritz = lanczos(
                lambda _, loads: factor.solve(loads), mass, count, deflate=deflate, block=_block_width(count),
                seed=self.seed, stop=judge if stop else None,
            )  # fmt: skip
        except np.linalg.LinAlgError as error:
            raise indefinite_mass(0.0) from error
        self.solves += ritz.solves
        real = np.abs(ritz.theta) > 1e-13 * np.abs(ritz.theta).max(initial=0.0)
        if below:
            real &= ritz.theta < 0.0
        return self._polished(shift, ritz.theta[real], ritz.vectors[:, real], factor)

    def _polished(self, shift: float, theta: FloatArray, vectors: FloatArray, factor: Factor) -> Pairs:
        """One more product with the inverse: exact on massless dofs, and an independent error per pair."""
        mass = self.pencil.m
        load = np.asarray(mass @ vectors) / theta
        image = factor.solve(load)
        if self.rigid.shape[1]:  # in exact arithmetic nothing is removed, so K image below is not touched
            image = image - self.rigid @ (self.rigid.T @ (mass @ image))
        weight = np.asarray(mass @ image)
        # ||image - vector||_M from Gram terms would cancel; the difference itself is weighed
        change = image - vectors
        errors = np.sqrt(np.maximum(np.einsum("ik,ik->k", change, weight - load * theta), 0.0))
        gram, stiff = (
            image.T @ weight,
            image.T @ (load + shift * weight),
        )  # K image = (K - shift M) image + shift M image
        values, turn = _projected(stiff, gram)
        return Pairs(values, np.asarray(image @ turn), errors[np.argsort(shift + 1.0 / theta, kind="stable")])


def _block_width(count: int) -> int:
    return 4 if count < 12 else 6 if count < 40 else 8


def _rayleigh_ritz(pencil: Pencil, vectors: FloatArray, errors: FloatArray, guess: FloatArray) -> Pairs:
    """Mass-orthonormal vectors that diagonalise K in their span, ascending."""
    order = np.argsort(guess, kind="stable")
    vectors, errors = vectors[:, order], errors[order]
    gram = vectors.T @ (pencil.m @ vectors)
    stiff = vectors.T @ (pencil.k @ vectors)
    values, turn = _projected(stiff, gram)
    return Pairs(values, np.asarray(vectors @ turn), errors)


def _projected(stiff: FloatArray, gram: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eigenpairs of the pencil in the span of the vectors found; their masses must be positive."""
    try:
        values, turn = sla.eigh(0.5 * (stiff + stiff.T), 0.5 * (gram + gram.T))
    except np.linalg.LinAlgError as error:
        raise indefinite_mass(float(np.linalg.eigvalsh(0.5 * (gram + gram.T))[0])) from error
    return np.asarray(values), np.asarray(turn)


def indefinite_mass(lowest: float) -> SolverError:
    """The error of a mass matrix that gives some motion no or negative kinetic energy."""
    return SolverError(
        "the mass matrix is indefinite: some motion has negative kinetic energy",
        found=f"a modal mass of {lowest:.3g} among unit ones",
        expected="none below zero",
        advice="write the mass matrix with all its digits, remove negative masses, or drop the dofs that carry them",
    )


def _dense_inertia(matrix: FloatArray) -> tuple[int, bool]:
    """(negative eigenvalues, whether singular) from a Bunch-Kaufman factor of the diagonally scaled matrix."""
    size = np.sqrt(np.abs(np.diag(matrix)))
    size = np.where(size > 0.0, size, 1.0)
    _, blocks, _ = sla.ldl(matrix / np.outer(size, size))
    main, off = np.diag(blocks), np.append(np.diag(blocks, -1), 0.0)
    starts = off != 0.0
    single = ~starts & ~np.concatenate([[False], starts[:-1]])
    pair = np.flatnonzero(starts)
    a, b, c = main[pair], off[pair], main[np.minimum(pair + 1, len(main) - 1)]
    mean, spread = 0.5 * (a + c), np.hypot(0.5 * (a - c), b)
    pivots = np.concatenate([main[single], mean - spread, mean + spread])
    return int((pivots < 0.0).sum()), bool(np.abs(pivots).min() < SINGULAR_PIVOT)


def _dense_pairs(pencil: Pencil, rigid: FloatArray, shift: float) -> Pairs:
    """Every finite eigenpair: eigenvalues of L^-1 M L^-T with K - shift M = L L'."""
    K, M = pencil.k.toarray(), pencil.m.toarray()
    A = K - shift * M
    size = np.sqrt(np.abs(np.diag(A)))
    size = np.where(size > 0.0, size, 1.0)
    try:
        L = np.linalg.cholesky(A / np.outer(size, size))
    except np.linalg.LinAlgError as error:
        raise SingularMatrixError("dofs without mass move without stiffness") from error
    if np.diag(L).min() ** 2 < SINGULAR_PIVOT:
        raise SingularMatrixError("dofs without mass move without stiffness")
    half = sla.solve_triangular(L, M / np.outer(size, size), lower=True)
    B = sla.solve_triangular(L, half.T, lower=True)
    B = 0.5 * (B + B.T)
    if rigid.shape[1]:
        Q, _ = np.linalg.qr(L.T @ (rigid * size[:, None]))
        B = B - Q @ (Q.T @ B)
        B = B - (B @ Q) @ Q.T
        B = 0.5 * (B + B.T)
    theta, Y = np.linalg.eigh(B)
    keep = theta > 1e-13 * max(float(theta.max(initial=0.0)), 1e-300)
    theta, Y = theta[keep][::-1], Y[:, keep][:, ::-1]
    X = sla.solve_triangular(L, Y, lower=True, trans="T") / size[:, None]
    if rigid.shape[1]:
        X = X - rigid @ (rigid.T @ (M @ X))
    sound = int((theta > 1e-9 * theta.max(initial=0.0)).sum())
    for count in dict.fromkeys((len(theta), sound)):  # a mass singular but for its last digits: what they do not reach
        shapes, values = X[:, :count] / np.sqrt(theta[:count]), shift + 1.0 / theta[:count]
        if count > sound and np.linalg.eigvalsh(shapes.T @ (M @ shapes)).min(initial=1.0) <= 0.1:
            continue
        pairs = _rayleigh_ritz(pencil, shapes, np.full(count, np.nan), values)
        low = pairs.vectors[:, :sound]
        force = K @ low
        misfit = np.linalg.norm(force - (M @ low) * pairs.values[:sound], axis=0)
        if (misfit <= 1e-8 * np.linalg.norm(force, axis=0)).all():  # no mixing with shapes of a frequency beyond all digits
            break
    return pairs
