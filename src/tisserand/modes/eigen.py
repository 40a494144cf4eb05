"""Eigenpairs of the pencil K - lambda M near a shift, dense for small problems and block Lanczos for large ones.

Both routes work on the inverse ``(K - sigma M)^-1 M``, so that massless dofs (singular M) and free bodies (singular K) need
no special treatment; the shift is negative and not far below the lowest mode, so the matrix is positive definite.

References: [Grimes1994], [Parlett1980].
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.errors import SingularMatrixError, SolverError
from tisserand.linalg import BackendName, Factor, Pencil, available_backends, factorize
from tisserand.linalg.dense import DenseFactor
from tisserand.linalg.factor import analyze
from tisserand.linalg.products import product
from tisserand.modes.dense_pencil import dense_pairs, indefinite_mass, projected
from tisserand.modes.eigenpairs import Pairs
from tisserand.modes.eigenvalue_bounds import (
    EIGENVALUE_LIMIT,
    SURE,
    UNSETTLED,
    AssembledResiduals,
    Residuals,
    bounds_of_all_below,
    bounds_of_steps,
    solver_errors,
)
from tisserand.modes.guess import stiffness_noise
from tisserand.modes.lanczos import CONVERGED, block_width, lanczos
from tisserand.modes.orientation import clusters
from tisserand.threads import beside

#: Problems up to this size are solved densely, and larger ones where more than a quarter of all modes is wanted.
DENSE_LIMIT = 400
DENSE_MAXIMUM = 3000
#: A diagonal pivot below this part of its diagonal term is a sign of a singular matrix.
SINGULAR_PIVOT = 1e-13
#: One shift serves modes up to this many times further away than the nearest; beyond, the iteration moves up.
REACH = 1e7
#: From this many free dofs on a factor costs more than a look at where the lowest mode lies.
LARGE = 20_000
#: Shift below a large supported structure, of its scale: a hundred times what round-off makes of a motion without stiffness.
_CLOSE = 1e-11
#: Steps of inverse iteration for pairs whose bound is too wide; pairs nearer together than this share a shift.
_REFINEMENTS = 8
_SAME_SHIFT = 1e-2
#: Where the last digits of K and M change an eigenvalue by more, residuals need more digits than K x has.
_ROUNDED = 1e-11
_ON_AN_EIGENVALUE = "the shift coincides with an eigenvalue, so its inertia is undefined"


class Eigenproblem:
    """The pencil with its rigid motions known; holds at most one factor at a time."""

    def __init__(
        self, pencil: Pencil, rigid: FloatArray, scale: float, wanted: int, backend: BackendName | None, seed: int
    ) -> None:
        self.pencil, self.rigid, self.scale, self.seed = pencil, rigid, scale, seed
        size = pencil.size
        self.dense = backend is None and (size <= DENSE_LIMIT or (4 * wanted > size and size <= DENSE_MAXIMUM))
        self._backend = backend
        self._factor: Factor | None = None
        self._ahead: Future[Factor | None] | None = None
        self._shift: float | None = None
        self._all: Pairs | None = None
        self._safe: float | None = None
        self._looked = self.dense or size < LARGE
        self.name = "dense" if self.dense else ""
        self.solves = 0
        self._residuals: Residuals = AssembledResiduals(pencil)
        #: A shift above the wanted modes whose factor both iterates and counts; None to start below the spectrum.
        self.upper: float | None = None

    @property
    def backend(self) -> BackendName:
        """The factorization that a large problem will use."""
        return self._backend or available_backends()[0]

    def take_out(self, rigid: FloatArray) -> None:
        """Replace the rigid motions (m, r), mass-orthonormal; earlier results are discarded."""
        self.rigid, self._all = rigid, None

    def analyze_ahead(self) -> None:
        """Order and analyze the pattern in another thread, where there is one, while a shift is looked for."""
        if not self.dense and self._factor is None and self.backend == "pardiso":
            self._ahead = beside(lambda: analyze(self.pencil.k, backend=self._backend, groups=self.pencil.groups))

    # -- inertia -------------------------------------------------------------------------------------------------
    def count_below(self, shift: float) -> int:
        """Number of eigenvalues below the shift (rigid motions included), by Sylvester's law of inertia."""
        factor = self._factor_at(shift)
        if not factor.trusted or (self.dense and factor.smallest_pivot < SINGULAR_PIVOT):
            raise SingularMatrixError(_ON_AN_EIGENVALUE, found=f"{shift:.6g} rad²/s²")
        return factor.negative_count

    def _factor_at(self, shift: float) -> Factor:
        if self._factor is not None and self._shift == shift:
            return self._factor
        matrix = self.pencil.shifted(shift)
        if self.dense:
            self._factor = DenseFactor(matrix)
        elif self._factor is None and self._ahead is not None and (ready := self._ahead.result()) is not None:
            self._ahead, self._factor = None, ready.renewed(matrix)
        elif self._factor is None:
            pencil = self.pencil
            self._factor = factorize(matrix, backend=self._backend, groups=pencil.groups, positions=pencil.positions)
        else:
            self._factor = self._factor.renewed(matrix)
        self._shift, self.name = shift, self._factor.name
        return self._factor

    def try_upper(self, shift: float) -> bool:
        """Factorize at a shift inside the spectrum; whether its inertia can be trusted and it will be used."""
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

        return self.nearest(shift, 2 * wanted + 20, stop=stop, below=True, width=block_width(wanted)), counted

    def safe_shift(self) -> float:
        """A negative shift just above round-off, where the pencil is positive definite; raises if it is unstable."""
        if self._safe is not None:
            return self._safe
        if not self._looked and not self.rigid.shape[1] and self._close():
            return -_CLOSE * self.scale
        for shift in (*(-part * self.scale for part in (1e-8, 1e-6, 1e-4)), -stiffness_noise(self.pencil, self.scale)):
            definite, singular = self._definite_at(shift)
            if singular:
                raise SingularMatrixError("dofs without mass have no stiffness")
            if definite:
                self._safe = shift
                return shift
        raise self.unstable(self.count_below(shift), shift)

    def _close(self) -> bool:
        """Try a shift next to zero, where most supported structures are definite: it spares the way up from further below."""
        try:
            definite, singular = self._definite_at(-_CLOSE * self.scale)
        except SingularMatrixError:
            definite, singular, self._factor, self._shift = False, True, None, None
        if definite and not singular:
            self._safe, self._looked = -_CLOSE * self.scale, True
        return self._looked

    def _look(self) -> None:
        """Move the safe shift next to the lowest mode of a large structure, found roughly, before everything is iterated."""
        shift, factor = self.safe_shift(), self._factor_at(self.safe_shift())
        if self._looked:
            return
        self._looked = True
        apart = self.rigid if self.rigid.shape[1] else None
        ritz = lanczos(
            lambda _, loads: factor.solve(loads), self.pencil.m, 1, deflate=apart, tolerance=1e-2, seed=self.seed
        )
        self.solves += ritz.solves
        lowest = shift + 1.0 / float(ritz.theta[0]) if ritz.theta[:1].any() else 0.0
        if lowest > _CLOSE * self.scale:
            self.approach(lowest)

    def _definite_at(self, shift: float) -> tuple[bool, bool]:
        """(positive definite, singular to working precision) at a shift."""
        factor = self._factor_at(shift)
        if factor.smallest_pivot < SINGULAR_PIVOT:
            return False, True
        return factor.negative_count == 0, False

    def approach(self, lowest: float) -> bool:
        """Move the safe shift up to the lowest mode, which lies much nearer to zero; whether that could be done."""
        held = self.safe_shift()
        shift = -max(lowest, -1e-4 * held)
        if shift < 0.03 * held:
            return False
        try:
            definite, _ = self._definite_at(shift)
        except SingularMatrixError:
            self._factor = self._shift = None
            return False
        if definite:
            self._safe, self._all = shift, None
        return definite

    def unstable(self, negative: int, shift: float) -> SolverError:
        """The error of a structure with negative eigenvalues."""
        return SolverError(
            "the stiffness matrix has negative eigenvalues: the structure is unstable in this state",
            found=f"{negative} below {shift:.4g} rad²/s²",
            advice="check springs of negative stiffness, or reduce the compressive prestress",
        )

    # -- eigenpairs ------------------------------------------------------------------------------------------------
    def lowest(self, count: int) -> Pairs:
        """At least ``count`` lowest pairs where there are so many (all of them on the dense route), rigid motions left out.

        Copies of a repeated value may be missing: the inertia shows it, and ``more`` finds them.
        """
        if not self._looked:
            self._look()
        pairs = self.nearest(self.safe_shift(), count)
        # where there are fewer, the next ones lie beyond the reach of the shift, or nowhere
        while not self.dense and len(pairs.values) < count:
            found = self.more(pairs, count - len(pairs.values))
            if len(found.values) == len(pairs.values):
                break
            pairs = found
        return pairs

    def more(self, known: Pairs, count: int) -> Pairs:
        """The known pairs and at least ``count`` more near the safe shift, mass-orthogonal to them, where there are so many."""
        if len(known.values) + self.rigid.shape[1] >= self.pencil.size:
            return known
        return known.with_more(self.nearest(self.safe_shift(), count, known=known))

    def nearest(
        self,
        shift: float,
        count: int,
        stop: Callable[[FloatArray, BoolArray], bool] | None = None,
        below: bool = False,
        known: Pairs | None = None,
        width: int | None = None,
    ) -> Pairs:
        """At least ``count`` pairs nearest to the shift (all of them on the dense route), rigid motions left out.

        ``stop(values, converged)`` may end the iteration earlier, and so does the end of the shift's reach; ``below`` keeps the
        pairs below the shift only; ``known`` pairs are left out; width: right-hand sides at a time.
        """
        if self.dense:
            if self._all is None:
                self._all = Pairs(*dense_pairs(self.pencil, self.rigid, self.safe_shift()))
            return self._all
        factor = self._factor_at(shift)
        mass = self.pencil.m
        apart = self.rigid if known is None else np.hstack([self.rigid, known.vectors])

        def judge(theta: FloatArray, good: BoolArray) -> bool:
            if stop is not None and stop(shift + 1.0 / np.where(theta == 0.0, 1e-300, theta), good):
                return True
            near = np.abs(theta) * REACH >= np.abs(theta).max(initial=0.0)
            return not near.all() and bool(near.sum() < count and good[near].all())

        if width is None:
            width = block_width(count) if known is None else max(block_width(count), min(count, 32))

        def real(theta: FloatArray, errors: FloatArray) -> BoolArray:
            within = (np.abs(theta) * REACH >= np.abs(theta).max(initial=0.0)) & (errors <= CONVERGED)
            return np.asarray(within & (theta < 0.0)) if below else within

        try:
            ritz = lanczos(
                lambda _, loads: factor.solve(loads), mass, count, deflate=apart if apart.shape[1] else None, block=width,
                seed=self.seed, stop=judge, chosen=real,
            )  # fmt: skip
        except np.linalg.LinAlgError as error:
            raise indefinite_mass("motions without mass in the iteration") from error
        self.solves += ritz.solves
        pairs = self._polished(shift, ritz.theta, ritz.vectors, factor, apart)
        pairs, errors = self._judged(pairs, pairs.bounds, False, False)  # while the factor is here
        pairs, errors = self._judged(pairs, errors, True, False)
        return Pairs(pairs.values, pairs.vectors, errors).chosen(np.argsort(pairs.values, kind="stable"))

    def _polished(
        self, shift: float, theta: FloatArray, vectors: FloatArray, factor: Factor, apart: FloatArray
    ) -> Pairs:
        """One step of inverse iteration (exact on massless dofs), and the pencil solved in the span of the images.

        With the residual r = K x - lambda M x and d = (K - sigma M)^-1 r the image is x - d, and d also bounds the error of
        lambda (``solver_errors``); what the last projection moves is added to the bound. Where the last digits of K and M show in
        lambda, r and the final value are formed with twice the digits. If round-off in r still makes the bound too wide, the
        image is that of M x itself.
        """
        mass, values = self.pencil.m, shift + 1.0 / theta
        weight = product(mass, vectors)
        left = product(self.pencil.k, vectors)
        left -= weight * values
        fine = self._residuals.digits(values, vectors) > _ROUNDED
        if fine.any():
            values[fine], left[:, fine] = self._residuals(values[fine], vectors[:, fine])
        change = factor.solve(left)
        del left  # of large models every such array counts
        errors = bounds_of_steps(self.pencil, change, shift, self.rigid, values)
        if factor.trusted and factor.negative_count == self.rigid.shape[1] + len(theta) and (theta < 0.0).all():
            errors = np.minimum(errors, bounds_of_all_below(weight, change, self.pencil, shift, values))
        weight *= values - shift
        load = weight
        sharp = bool((errors <= EIGENVALUE_LIMIT).all())
        image = np.subtract(vectors, change, out=change) if sharp else factor.solve(load)
        if apart.shape[1]:  # in exact arithmetic nothing is removed, so K image below is not touched
            image = image - apart @ (apart.T @ product(mass, image))
        near, turn = projected(image.T @ load, image.T @ product(mass, image), bool((theta > 0.0).all()))
        order, before = np.argsort(near, kind="stable"), np.argsort(values, kind="stable")
        polished, shapes, fine = shift + near[order], np.asarray(image @ turn[:, order]), fine[before]
        if fine.any():
            polished[fine] = self._residuals(polished[fine], shapes[:, fine])[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            moved = np.abs(polished - values[before]) / np.abs(values[before])
        errors = errors[before] + np.where(np.isfinite(moved), moved, np.inf)
        return Pairs(polished, shapes, errors if sharp else None)

    # -- proof -----------------------------------------------------------------------------------------------------
    def certified(
        self, pairs: Pairs, zero: BoolArray, elements: Callable[[], Residuals | None] = lambda: None
    ) -> tuple[Pairs, FloatArray, FloatArray]:
        """The pairs, refined where in doubt, with bounds (k,) and digits (k,) of their eigenvalues.

        Bounds: relative errors; digits: relative changes by the last digits of what they come from; both 0 for strain-free ones.
        Where the assembled matrices have lost too many digits the pairs are refined once more, with residuals of ``elements``.
        """
        pairs, worst = self._refined(pairs, np.where(zero, 0.0, pairs.bounds), zero)
        digits = self._digits(pairs, zero)
        if digits.max(initial=0.0) > SURE and digits.max() <= UNSETTLED and (exact := elements()) is not None:
            self._residuals = exact
            pairs, worst = self._refined(pairs, np.where(zero, 0.0, np.inf), zero)
            digits = self._digits(pairs, zero)
        elastic = np.flatnonzero(~zero)
        order = np.arange(len(zero))
        # what was put right may have changed places
        order[elastic] = elastic[np.argsort(pairs.values[elastic], kind="stable")]
        return Pairs(pairs.values[order], pairs.vectors[:, order]), worst[order], digits[order]

    def _digits(self, pairs: Pairs, zero: BoolArray) -> FloatArray:
        return np.where(zero, 0.0, self._residuals.digits(pairs.values, pairs.vectors))

    def _refined(self, pairs: Pairs, worst: FloatArray, zero: BoolArray) -> tuple[Pairs, FloatArray]:
        """The pairs, refined where in doubt, and their error bounds (k,), of which ``worst`` are known.

        Tried in turn: the current factor, residuals with more digits, the factor of the safe shift, and inverse iteration with
        these residuals.
        """
        for fine, near in ((False, False), (True, False), (True, True)):
            if (worst > SURE).any() and (fine or self._residuals.plain):
                pairs, worst = self._judged(pairs, worst, fine, near)
        for _ in range(_REFINEMENTS):
            if not (worst > EIGENVALUE_LIMIT).any():
                break
            try:
                better = self._inverse_iteration(pairs, np.flatnonzero(worst > EIGENVALUE_LIMIT))
            except SingularMatrixError:
                break
            better, bounds = self._judged(better, np.where(zero, 0.0, np.inf), True, True)
            if not bounds.max(initial=0.0) < worst.max(initial=0.0):
                break
            pairs, worst = better, bounds
        return pairs, self._judged_beside(pairs, worst)

    def _judged_beside(self, pairs: Pairs, worst: FloatArray) -> FloatArray:
        """Bounds of pairs still in doubt, from factors next to them: seen from below, only round-off in soft motions remains."""
        doubtful = np.flatnonzero(worst > EIGENVALUE_LIMIT)
        worst = worst.copy()
        for run in clusters(pairs.values[doubtful], _SAME_SHIFT):
            group = doubtful[run]
            some, shift = pairs.vectors[:, group], float(pairs.values[group[0]]) * (1.0 - 0.1 * _SAME_SHIFT)
            values, left = self._residuals(pairs.values[group], some)
            try:
                factor = self._factor_at(shift)
            except SingularMatrixError:
                self._factor = self._shift = None
                continue
            found = self._residuals.safety * solver_errors(self.pencil, factor, shift, self.rigid, values, left)
            worst[group] = np.minimum(worst[group], found)
        return worst

    def _judged(self, pairs: Pairs, worst: FloatArray, fine: bool, near: bool) -> tuple[Pairs, FloatArray]:
        """Bounds where not yet sure; fine: from residuals with more digits; near: by the factor of the safe shift."""
        doubtful = np.flatnonzero(worst > SURE)
        if not len(doubtful):
            return pairs, worst
        shift = self.safe_shift() if near or self._shift is None else self._shift
        factor = self._factor_at(shift)
        values, some = pairs.values.copy(), pairs.vectors[:, doubtful]
        if fine:
            values[doubtful], left = self._residuals(values[doubtful], some)
        else:
            left = product(self.pencil.k, some) - product(self.pencil.m, some) * values[doubtful]
        worst = worst.copy()
        found = self._residuals.safety * solver_errors(self.pencil, factor, shift, self.rigid, values[doubtful], left)
        worst[doubtful] = np.minimum(worst[doubtful], found)
        return Pairs(values, pairs.vectors), worst

    def _inverse_iteration(self, pairs: Pairs, doubtful: IntArray) -> Pairs:
        """One step (K - s M)^-1 M x ~ x - (K - s M)^-1 r of the doubtful pairs, then the pencil solved in the span of all.

        The residuals r are computed with extra precision; the shifts s lie beside the pairs.
        """
        shift, mass = self.safe_shift(), self.pencil.m
        values, left = self._residuals(pairs.values, pairs.vectors)
        image = pairs.vectors.copy()
        for run in clusters(values[doubtful], _SAME_SHIFT):
            group = doubtful[run]
            factor = self._factor_at(float(values[group[0]]) * (1.0 - 0.1 * _SAME_SHIFT))
            image[:, group] -= factor.solve(left[:, group])
        image /= np.sqrt(np.einsum("ik,ik->k", image, product(mass, image)))
        if self.rigid.shape[1]:
            image = image - self.rigid @ (self.rigid.T @ product(mass, image))
        values, left = self._residuals(values, image)
        gram = image.T @ product(mass, image)
        near, turn = projected(image.T @ left + gram * (values - shift), gram, True)
        order = np.argsort(near, kind="stable")
        return Pairs(shift + near[order], np.asarray(image @ turn[:, order]))
