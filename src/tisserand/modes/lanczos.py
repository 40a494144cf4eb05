"""Block Lanczos with thick restarts on the shifted inverse, in the mass inner product.

The operator is ``A = (K - sigma M)^-1 M``, symmetric for the (semi-)inner product of M. Its largest eigenvalues in size,
``theta = 1 / (lambda - sigma)``, belong to the modes nearest to the shift. Four to eight right-hand sides go through
the factor at once. Every new block is orthogonalized against the two before it, with which alone it has much in common, and then
against all, whose products with M are not kept; the start is seeded.

Reference: [Grimes1994].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg.blas import dgemm
from scipy.sparse import csr_array

from tisserand.arrays import BoolArray, FloatArray
from tisserand.errors import NotConvergedError
from tisserand.linalg.products import product

#: Largest ||A x - theta x||_M / |theta| of a pair that counts as found.
CONVERGED = 1e-9
#: A kinetic energy below this part of the sum of its absolute terms is round-off.
_MASS_ROUNDING = 1e3 * np.finfo(float).eps
#: Unit columns whose Gram matrix has no eigenvalue below this are made orthonormal at once, with all digits but two.
_APART = 1e-2
#: Unit columns orthogonalized twice have no larger share of the basis, unless they are round-off.
_NOTHING_LEFT = 1e-10
#: Columns that keep this share of their length when the basis is taken out of them are orthogonal to it to the last digits.
_KEPT = 0.5
#: The operator: (V, M V) to A V.
Apply = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class RitzSet:
    """Ritz pairs ordered by |theta| descending.

    vectors (m, k) are mass-orthonormal; errors (k,) = ||A x - theta x||_M / |theta|; solves: right-hand sides used.
    """

    theta: FloatArray
    vectors: FloatArray
    errors: FloatArray
    solves: int


def lanczos(
    apply: Apply,
    mass: csr_array,
    count: int,
    *,
    deflate: FloatArray | None = None,
    block: int = 4,
    tolerance: float = CONVERGED,
    seed: int = 0,
    start: FloatArray | None = None,
    max_restarts: int = 60,
    stop: Callable[[FloatArray, BoolArray], bool] | None = None,
    chosen: Callable[[FloatArray, FloatArray], BoolArray] | None = None,
) -> RitzSet:
    """The ``count`` eigenpairs of ``A`` largest in size (fewer if the mass has a smaller rank), mass-orthogonal to ``deflate``.

    ``stop(theta, converged)`` may end the search before ``count`` pairs have converged; ``chosen(theta, errors)`` tells which of
    those found are returned (all when None).
    """
    size = mass.shape[0]
    rank_limit = size - (0 if deflate is None else deflate.shape[1])
    block = max(1, min(block, rank_limit))
    space = int(min(rank_limit, max(2 * count + 4 * block, count + 12 * block)))
    if space < rank_limit:
        space = max(block, space // block * block)
    rng = np.random.default_rng(seed)
    state = _Basis(apply, mass, deflate, space + 2 * block)  # uneven blocks may pass the space before a restart
    seeded = state.random(rng, block)
    if start is not None:
        seeded[:, : min(block, start.shape[1])] = start[:, :block]
    state.begin(seeded)
    for _ in range(max_restarts):
        look, before = (0 if stop is not None else count + block), (0, 0)
        while state.used < space and not state.exhausted:
            state.grow(rng)
            if state.used < min(look, space):
                continue
            theta, _, errors = state.ritz()
            if _finished(theta, errors, count, tolerance, stop):
                break
            now = state.used, int((errors[:count] <= tolerance).sum())
            look, before = _next_look(before, now, None if stop is not None else count, block), now
        theta, turn, errors = state.ritz()
        if _finished(theta, errors, count, tolerance, stop) or state.exhausted:
            kept = np.arange(len(theta)) < count + block
            if chosen is not None:
                kept &= chosen(theta, errors)
            return RitzSet(theta[kept], state.combined(turn[:, kept]), errors[kept], state.solves)
        keep = max(1, min(state.used - block, count + max(block, (space - count) // 3)))
        state.restart(theta[:keep], turn[:, :keep])
    raise NotConvergedError(
        "the block Lanczos iteration did not converge",
        found=_left(int((errors[:count] <= tolerance).sum()), count) + f" after {state.solves} solves",
        advice="request fewer modes or a narrower band",
    )


def block_width(count: int) -> int:
    """Right-hand sides at a time for so many pairs: wide blocks go through a factor faster, narrow ones converge in fewer."""
    return 4 if count < 12 else 8 if count < 40 else 12


def _next_look(before: tuple[int, int], now: tuple[int, int], count: int | None, block: int) -> int:
    """Columns at which to look for convergence again, from (columns, pairs found) at the last two looks.

    Each look costs the cube of the columns. Where ``count`` pairs end the search, half of the way there by the last pace; where
    something else ends it (None), a twentieth more.
    """
    (used, good), further = now, now[0] // 20
    if count is not None and good > before[1] > 0:
        further = int(0.5 * (count - good) * (used - before[0]) / (good - before[1]))
    return used + max(block, min(further, used // 8))


def _left(good: int, count: int) -> str:
    return f"{good} of {count} modes" if good < count else f"all {count} modes, and not yet the end of the range"


def _finished(
    theta: FloatArray,
    errors: FloatArray,
    count: int,
    tolerance: float,
    stop: Callable[[FloatArray, BoolArray], bool] | None,
) -> bool:
    good = errors <= tolerance
    if stop is not None and stop(theta, good):
        return True
    return len(theta) >= count and bool(good[:count].all())


class _Basis:
    """The growing mass-orthonormal basis V and the projected operator T = V'M A V."""

    def __init__(self, apply: Apply, mass: csr_array, deflate: FloatArray | None, capacity: int) -> None:
        size = mass.shape[0]
        self._rank = size - (0 if deflate is None else deflate.shape[1])
        self._apply, self._mass = apply, mass
        self._rows = np.asarray(np.abs(mass).sum(axis=1)).ravel()
        self._v = np.zeros((size, capacity), order="F")
        self._t = np.zeros((capacity, capacity))
        self._deflate = deflate
        self._mass_deflate = None if deflate is None else np.asfortranarray(mass @ deflate)
        self.used = 0  # columns whose images are known
        self.held = 0  # columns in V, the last block waits to be multiplied
        self._mass_waiting = np.zeros((size, 0), order="F")
        #: First of the columns with which the image of the waiting block has more than round-off in common, and M times
        #: those that do not wait; after a restart these are all.
        self._near, self._mass_near = 0, self._mass_waiting
        self._restarted = False
        self.solves = 0
        self.exhausted = False
        self._ritz: tuple[FloatArray, FloatArray, FloatArray] | None = None
        self._tail = np.zeros((0, 0))

    def random(self, rng: np.random.Generator, width: int) -> FloatArray:
        """Seeded columns in which every mode has about the same share, however light what it moves."""
        mass = self._mass.diagonal()
        size = np.sqrt(np.where(mass > 0.0, mass, 1.0))
        return self._project_out(np.asarray(rng.standard_normal((len(size), width)) / size[:, None]))

    def begin(self, block: FloatArray) -> None:
        image = self._apply(
            block, np.asfortranarray(product(self._mass, block))
        )  # into the range of A: massless dofs follow the others
        self.solves += block.shape[1]
        image, mass_image, _ = self._orthonormal(self._project_out(image))
        self._append(image, mass_image)

    def _project_out(self, image: FloatArray) -> FloatArray:
        if self._deflate is not None and self._mass_deflate is not None:
            image -= self._deflate @ (self._mass_deflate.T @ image)
        return image

    def _append(self, block: FloatArray, mass_block: FloatArray) -> None:
        width = block.shape[1]
        self._v[:, self.held : self.held + width] = block
        self._mass_waiting = mass_block
        self.held += width

    def grow(self, rng: np.random.Generator) -> None:
        """Multiply the waiting block by A, orthogonalize, extend T, and queue the remainder as the next block."""
        a, b = self.used, self.held
        self._ritz = None
        image = np.asfortranarray(self._project_out(self._apply(self._v[:, a:b], self._mass_waiting)))
        self.solves += b - a
        image, coefficients = self._beside(image)
        image, part, before = self._against(image)
        coefficients += part
        self._t[:b, a:b] = coefficients
        self._t[a:b, :b] = coefficients.T
        self._t[a:b, a:b] = 0.5 * (coefficients[a:b] + coefficients[a:b].T)
        self.used = b
        scale = float(np.abs(np.diag(self._t[:b, :b])).max(initial=0.0))
        block, mass_block, tail = self._orthonormal(image, floor=1e-14 * max(scale, 1e-300), before=before)
        self._tail = tail
        if b >= self._rank:  # nothing can be left but round-off
            self._tail = np.zeros((0, b - a))
            self.exhausted = True
            return
        self._near, self._mass_near, self._restarted = a, self._mass_waiting, False
        if block.shape[1] == 0:
            random = self.random(rng, b - a)
            fresh = np.asfortranarray(
                self._project_out(self._apply(random, np.asfortranarray(product(self._mass, random))))
            )
            size = float(np.sqrt(max(np.einsum("ij,ij->", fresh, product(self._mass, fresh)), 0.0)))
            for _ in range(2):
                fresh = self._against(fresh)[0]
            block, mass_block, _ = self._orthonormal(fresh, floor=1e-10 * max(size, 1e-300))
            self._tail = np.zeros((block.shape[1], b - a))
            if block.shape[1] == 0:
                self.exhausted = True
                return
        self._append(block, mass_block)

    def _beside(self, image: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The image without its components along the columns that it has much in common with, and these V'M image (n, p)."""
        part = np.zeros((self.held, image.shape[1]))
        if self._restarted:
            part[:] = self._v[:, : self.held].T @ product(self._mass, image)
            return self._without(image, part), part
        middle = self._near + self._mass_near.shape[1]
        part[self._near : middle] = self._mass_near.T @ image
        part[middle:] = self._mass_waiting.T @ image
        return self._without(image, part, self._near), part

    def _against(self, image: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The image without its components along all of V, these V'M image (n, p), and its mass norms (p,) before."""
        mass_image = product(self._mass, image)
        before = np.sqrt(np.maximum(np.einsum("ij,ij->j", image, mass_image), 0.0))
        part = np.asarray(self._v[:, : self.held].T @ mass_image)
        return self._project_out(self._without(image, part)), part, before

    def _without(self, image: FloatArray, part: FloatArray, first: int = 0) -> FloatArray:
        """``image - V part`` over the columns from ``first`` on, in the place of the image (stored by columns)."""
        if not part[first:].size:  # BLAS takes no empty matrices
            return image
        return np.asarray(dgemm(-1.0, self._v[:, first : self.held], part[first:], 1.0, image, overwrite_c=1))

    def _orthonormal(
        self, block: FloatArray, floor: float = 0.0, before: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Mass-orthonormal columns Q, M Q, and R with block = Q R.

        Columns of mass norm below ``floor``, or whose mass is only round-off, are dropped; before: (p,) their mass norms before
        the basis was last taken out of them.
        """
        mass_block = product(self._mass, block)
        gram = block.T @ mass_block
        norms = np.sqrt(np.maximum(np.diag(gram), 0.0))
        live = (norms > max(floor, 1e-150)) & self._heavy(block, norms**2)
        if not live.any():
            return block[:, :0], block[:, :0], np.zeros((0, block.shape[1]))
        scale = norms[live]
        values, turn = np.linalg.eigh(0.5 * (gram + gram.T)[np.ix_(live, live)] / np.outer(scale, scale))
        if live.all() and values[0] > _APART:
            sizes = np.sqrt(values)
            change = turn / sizes / scale[:, None]
            q, mass_q = _columns(block, change), _columns(mass_block, change)
            settled = before is not None and bool((norms >= _KEPT * before).all())
            if settled or self._nothing_along(q, mass_q):  # else what is left is round-off of what was removed
                return self._unit(q, mass_q, sizes[:, None] * turn.T * scale, 1)
        good = values > 1e-12  # directions that the unit columns share to six digits carry nothing new
        sizes = np.sqrt(values[good])
        q = _columns(block[:, live], turn[:, good] / sizes / scale[:, None])
        r = np.zeros((int(good.sum()), block.shape[1]))
        r[:, live] = sizes[:, None] * turn[:, good].T * scale
        # orthogonal again after the scaling
        q = self._against(q)[0] if self.held else self._project_out(q)
        gram = q.T @ product(self._mass, q)
        left, turn = np.linalg.eigh(0.5 * (gram + gram.T))
        if left.min(initial=1.0) < 0.1 or not self._heavy(q, np.diag(gram)).all():  # some columns were nothing new
            turn = turn[:, left > 0.1]
            q, r = _columns(q, turn), turn.T @ r
            heavy = self._heavy(q, np.einsum("ij,ij->j", q, product(self._mass, q)))
            q, r = q[:, heavy], r[heavy]
        return self._unit(q, np.asfortranarray(product(self._mass, q)), r, 2)

    def _nothing_along(self, q: FloatArray, mass_q: FloatArray) -> bool:
        """Whether unit columns have less of the basis in them than round-off of a removed part would leave."""
        parts = [self._v[:, : self.held].T @ mass_q]
        if self._mass_deflate is not None:
            parts.append(self._mass_deflate.T @ q)
        return all(np.abs(part).max(initial=0.0) < _NOTHING_LEFT for part in parts)

    @staticmethod
    def _unit(
        q: FloatArray, mass_q: FloatArray, r: FloatArray, times: int
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Nearly orthonormal columns made so to the last digits, so many times over."""
        for _ in range(times):
            gram = q.T @ mass_q
            triangle = np.linalg.cholesky(0.5 * (gram + gram.T)).T
            inverse = np.linalg.inv(triangle)
            q, mass_q, r = _columns(q, inverse), _columns(mass_q, inverse), triangle @ r
        return q, mass_q, r

    def _heavy(self, block: FloatArray, energies: FloatArray) -> BoolArray:
        """(p,) whether the kinetic energy of each column, x'M x, is more than round-off of the mass matrix can make of it.

        That is a part of |x|'|M||x|, which the row sums of |M| times x² exceed: mostly these are enough.
        """
        sure = energies > _MASS_ROUNDING * np.einsum("i,ij,ij->j", self._rows, block, block)
        if sure.all():
            return np.asarray(sure)
        size = np.abs(block)
        return np.asarray(energies > _MASS_ROUNDING * np.einsum("ij,ij->j", size, np.abs(self._mass) @ size))

    def ritz(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(theta, turn, errors) of the projected operator, ordered by |theta| descending."""
        if self._ritz is not None:
            return self._ritz
        n = self.used
        theta, turn = np.linalg.eigh(self._t[:n, :n])
        order = np.argsort(-np.abs(theta), kind="stable")
        theta, turn = theta[order], turn[:, order]
        width = self._tail.shape[1]
        rest = np.linalg.norm(self._tail @ turn[n - width :], axis=0) if self._tail.size else np.zeros(n)
        self._ritz = theta, turn, rest / np.maximum(np.abs(theta), 1e-300)
        return self._ritz

    def combined(self, turn: FloatArray) -> FloatArray:
        """Vectors of the basis, (m, k)."""
        return np.asarray(self._v[:, : self.used] @ turn)

    def restart(self, theta: FloatArray, turn: FloatArray) -> None:
        """Keep the given Ritz vectors and the waiting block."""
        n, k = self.used, len(theta)
        tail = self._v[:, n : self.held].copy()
        self._v[:, :k] = self._v[:, :n] @ turn
        self._v[:, k : k + tail.shape[1]] = tail
        self._t[:] = 0.0
        self._t[np.arange(k), np.arange(k)] = theta
        self.used, self.held = k, k + tail.shape[1]
        self._restarted, self._ritz = True, None


def _columns(block: FloatArray, change: FloatArray) -> FloatArray:
    """``block @ change``, stored by columns as the factors want it."""
    return np.asarray((change.T @ block.T).T)
