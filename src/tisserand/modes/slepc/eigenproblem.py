"""An eigenproblem that SLEPc solves elsewhere: the same questions as :class:`tisserand.modes.eigen.Eigenproblem`, no factor here.

References: [Grimes1994], [Parlett1980].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tisserand.arrays import BoolArray, FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import FileError, InputError, MissedModesError, SolverError
from tisserand.linalg import Pencil
from tisserand.modes.eigen import Eigenproblem
from tisserand.modes.eigenpairs import Pairs
from tisserand.modes.eigenvalue_bounds import Residuals
from tisserand.modes.guess import stiffness_noise
from tisserand.modes.request import Allowed, Apart, Request, Spectrum, cut, refuse_mechanisms, squared
from tisserand.modes.slepc.job import Wanted, write_job
from tisserand.modes.slepc.run import command, job_folder, run_job
from tisserand.modes.slepc.sharpening import sharpened
from tisserand.modes.slepc.solution import Solution, read_solution

#: Shifts below everything, of the scale of K against M.
_BELOW = (1e-8, 1e-6, 1e-4)
#: Where to count first if nothing is known, of the same scale.
_START = 1e-6
#: No mode lies above so many times the largest sum of a row of K over its mass.
_ABOVE_ALL = 100.0


@dataclass(frozen=True)
class Elsewhere:
    """Where SLEPc solves: on ``ranks`` of this machine, or it has solved in the folder ``solution``; writes: a job for later."""

    ranks: int = 2
    solution: Path | None = None
    writes: bool = False

    def __post_init__(self) -> None:
        if self.ranks < 1:
            raise InputError("the number of ranks must be positive", found=self.ranks)

    def solve(self, pencil: Pencil, wanted: Wanted) -> Solution:
        """Write, run, read back."""
        if self.solution is not None:
            return read_solution(self.solution, pencil)
        words = command(self.ranks)  # what is missing is told before anything is written
        with job_folder() as folder:
            write_job(folder, pencil, wanted)
            run_job(folder, words)
            return read_solution(folder, pencil)


class RemoteEigenproblem(Eigenproblem):
    """The pencil with its rigid motions known; everything below an upper shift is solved at once."""

    def __init__(
        self, pencil: Pencil, rigid: FloatArray, scale: float, request: Request, where: Elsewhere, guess: float | None
    ) -> None:
        super().__init__(pencil, rigid, scale, request.count or 20, "superlu", 0)
        self.dense, self.name, self.request, self.where = False, "SLEPc", request, where
        self._guess, self._extra = guess, 0
        self._found: Solution | None = None
        self._pairs: Pairs | None = None

    def wanted(self) -> Wanted:
        """The request as the script takes it."""
        request, low = self.request, bool(self.request.fmin_hz)
        shifts = (
            (squared(request.fmin_hz or 0.0),)
            if low
            else (*(-part * self.scale for part in _BELOW), -stiffness_noise(self.pencil, self.scale))
        )
        K, mass = self.pencil.k, self.pencil.m.diagonal()
        heavy = mass > 0.0
        rows = np.asarray(abs(K).sum(axis=1)).ravel()
        ceiling = max(_ABOVE_ALL * float((rows[heavy] / mass[heavy]).max(initial=0.0)), self.scale)
        start = self._guess or _START * self.scale
        return Wanted(
            rigid=self.rigid.shape[1], band=low, lower=shifts, guess=max(start, 2.0 * shifts[0]), ceiling=ceiling,
            count=None if request.count is None and request.fmax_hz is not None else (request.count or 20) + self._extra,
            upper=None if request.fmax_hz is None else squared(request.fmax_hz),
        )  # fmt: skip

    @property
    def found(self) -> Solution:
        """The solution, computed when it is first asked for."""
        if self._found is None:
            self._found = self.where.solve(self.pencil, self.wanted())
            self.name = self._found.name
        return self._found

    def take_out(self, rigid: FloatArray) -> None:
        """Replace the rigid motions; the solution holds them as pairs and stays."""
        self.rigid, self._pairs = rigid, None

    def safe_shift(self) -> float:
        """The shift below everything at which the script counted nothing."""
        return self.found.bottom

    def nearest(self, *_: object, **__: object) -> Pairs:
        """All pairs, rigid motions left out."""
        return self.pairs

    @property
    def pairs(self) -> Pairs:
        """All pairs between the shifts, checked and sharpened, rigid motions left out."""
        if self._pairs is None:
            found = self.found
            if len(found.values) != found.counted - found.below:
                raise MissedModesError(
                    f"{abs(found.counted - found.below - len(found.values))} modes were missed by SLEPc",
                    found=f"{len(found.values)} pairs", expected=f"{found.counted - found.below} by the inertia of K - sigma M",
                    advice="request a few modes more or fewer (--count), so that no cluster is cut",
                )  # fmt: skip
            if found.below and found.below < self.rigid.shape[1]:
                raise SolverError(
                    "the lower end of the band lies among the rigid motions", advice="state a higher --fmin"
                )
            self._pairs = sharpened(self.pencil, self.rigid, found)
        return self._pairs

    def count_below(self, shift: float) -> int:
        """Eigenvalues below a shift between those that were counted: all of them are known."""
        found = self.found
        if shift == found.top:
            return found.counted
        rigid = 0 if found.below else self.rigid.shape[1]
        return found.below + rigid + int((self.pairs.values < shift).sum())

    def spectrum(self, zero_test: Apart, model: AssembledModel, allowed: Allowed) -> Spectrum:
        """The modes requested, with the count that proves them complete."""
        request, rigid = self.request, self.rigid.shape[1]
        while True:
            found = self.found
            self._refuse_higher(found)
            if found.below:
                pairs, zero = self.pairs, np.zeros(len(self.pairs.values), np.bool_)
            else:
                pairs, zero = zero_test(self.pairs)
            negative = int((pairs.values < 0.0)[~zero].sum())
            if negative:
                raise self.unstable(negative, 0.0)
            if zero.any():
                refuse_mechanisms(self, pairs, zero, model, allowed)
            first, last = self._window(pairs, int(zero.sum()))
            if last <= len(pairs.values):
                break
            if self.where.solution is not None:
                raise FileError(
                    self.where.solution, "the solution has too few modes", found=f"{len(pairs.values) - int(zero.sum())}",
                    expected=f"{request.count}", advice="solve it again there with a larger --count, or state fewer here",
                )  # fmt: skip
            self._extra, self._found, self._pairs = last - (request.count or 20), None, None
        return Spectrum(
            pairs=pairs, zero=zero, shift=found.top, counted=found.counted,
            below=found.below - rigid if found.below else 0, window=(first, last), notes=cut(pairs.values, last),
        )  # fmt: skip

    def _refuse_higher(self, found: Solution) -> None:
        """A solution of a band does not hold what lies below it."""
        lowest = squared(self.request.fmin_hz or 0.0)
        if found.below and lowest < found.bottom * (1.0 - 1e-5):
            hertz = np.sqrt(found.bottom) / (2.0 * np.pi)
            raise FileError(
                self.where.solution or "", "the solution begins higher than the modes requested", found=f"{hertz:.6g} Hz",
                expected=f"{self.request.fmin_hz or 0.0:g} Hz", advice=f"state --fmin {hertz:.6g} here, or solve without --fmin",
            )  # fmt: skip

    def _window(self, pairs: Pairs, mechanisms: int) -> tuple[int, int]:
        """(first, last) of the pairs requested; last beyond their number where more have to be solved."""
        request, values, found = self.request, pairs.values, self.found
        first = int((values < squared(request.fmin_hz)).sum()) if request.fmin_hz else 0
        if request.fmax_hz is None:
            count = request.count or found.count
            return first, len(values) if count is None else first + count + (0 if first or found.below else mechanisms)
        top = squared(request.fmax_hz)
        inside = int((values <= top).sum())
        if request.count is not None and first + request.count <= inside:
            return first, first + request.count
        if found.top < top:
            return first, len(values) + max(1, (request.count or 0) - inside + first)
        return first, inside if request.count is None else min(inside, first + request.count)

    def certified(
        self, pairs: Pairs, zero: BoolArray, elements: Callable[[], Residuals | None] = lambda: None
    ) -> tuple[Pairs, FloatArray, FloatArray]:
        """The pairs with bounds and digits; no factor could refine them, so what is in doubt is refused by the proof."""
        del elements
        return Pairs(pairs.values, pairs.vectors), np.where(zero, 0.0, pairs.bounds), self._digits(pairs, zero)


def job_of(problem: RemoteEigenproblem, folder: Path, title: str) -> list[Path]:
    """Write the problem for a cluster instead of solving it."""
    return write_job(folder, problem.pencil, problem.wanted(), title)
