"""Multifrontal LDL' of a sparse symmetric matrix, always available: fronts are dense, so LAPACK does the work.

Pivots are taken inside a front: by Cholesky where its pivots are definite, else by Bunch and Kaufman's rule, whose blocks
show the inertia. Figures: docs/performance.md.

References: [Duff1983], [BunchKaufman1977].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import ldl
from scipy.linalg.blas import dgemm, dsyrk, dtrsm
from scipy.linalg.lapack import dpotrf
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray, IntArray
from tisserand.linalg._kernels import extend_front, scatter_front
from tisserand.linalg.front_tree import front_tree
from tisserand.linalg.health import health

#: A pivot of the matrix with unit diagonal below this is perturbed, and counted.
_SMALL = 1e-13


@dataclass(frozen=True, eq=False)
class _Front:
    """Triangle (p, p) and rows below it (b, p) of one front, with its diagonal D where the triangle has a unit one.

    pivots (p,): order of the pivots; inverse, beside (p,): diagonal and off-diagonal terms of D^-1, whose blocks are 1 or 2 wide.
    """

    triangle: FloatArray
    below: FloatArray
    pivots: IntArray | None = None
    inverse: FloatArray | None = None
    beside: FloatArray | None = None

    def by_diagonal(self, rows: FloatArray) -> FloatArray:
        """D^-1 rows for (p, k)."""
        assert self.inverse is not None and self.beside is not None
        out = self.inverse[:, None] * rows
        out[:-1] += self.beside[:-1, None] * rows[1:]
        out[1:] += self.beside[:-1, None] * rows[:-1]
        return out


class MultifrontalFactor:
    """LDL' of a symmetric matrix; the tree of fronts is reused for matrices of the same pattern."""

    name = "multifrontal"

    def __init__(self, matrix: csr_array, groups: IntArray | None, positions: FloatArray | None = None) -> None:
        self.size = int(matrix.shape[0])
        self._tree = front_tree(matrix, groups, positions)
        self._fronts: list[_Front] = []
        self._factorize(matrix)

    def _factorize(self, matrix: csr_array) -> None:
        diagonal = np.abs(matrix.diagonal())
        self._scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
        self._fronts, self.negative_count, self._perturbed = [], 0, 0
        tree, local = self._tree, np.zeros(self.size, np.int64)
        updates: dict[int, FloatArray] = {}
        for number, border in enumerate(tree.borders):
            begin, end = int(tree.begin[number]), int(tree.begin[number + 1])
            pivots, below = (np.zeros((rows, end - begin), order="F") for rows in (end - begin, len(border)))
            corner = np.zeros((len(border), len(border)), order="F")
            scatter_front(
                begin, end, tree.order, tree.place, matrix.indptr, matrix.indices, matrix.data, self._scale, border, local,
                pivots, below,
            )  # fmt: skip
            if tree.children[number]:
                rows = np.concatenate([np.arange(begin, end), border])
                for child in tree.children[number]:
                    where = np.searchsorted(rows, tree.borders[child])
                    extend_front(updates.pop(child), where, pivots, below, corner)
            front, updates[number] = self._eliminated(pivots, below, corner)
            self._fronts.append(front)
        self.memory_bytes = 8 * tree.terms
        accurate, self.smallest_pivot = health(self.solve, matrix)
        self.trusted = accurate and not self._perturbed

    def _eliminated(self, pivots: FloatArray, below: FloatArray, corner: FloatArray) -> tuple[_Front, FloatArray]:
        """The factor of a front (lower triangles), and what is left for its parent."""
        triangle, failed = dpotrf(pivots, lower=1, clean=0)
        if not failed and float(np.diag(triangle).min()) ** 2 > _SMALL:
            if len(below):
                below = dtrsm(1.0, triangle, below, side=1, lower=1, trans_a=1, overwrite_b=1)
                corner = dsyrk(-1.0, below, beta=1.0, c=corner, lower=1, overwrite_c=1)
            return _Front(triangle, below), corner
        outer, blocks, order = ldl(pivots, lower=True)
        triangle = np.asfortranarray(outer[order])
        inverse, beside = self._inverse_of(np.diag(blocks).copy(), np.append(np.diag(blocks, -1), 0.0))
        front = _Front(triangle, below, order, inverse, beside)
        if len(below):
            left = dtrsm(1.0, triangle, np.asfortranarray(below[:, order]), side=1, lower=1, trans_a=1, diag=1)
            front = _Front(triangle, np.asfortranarray(front.by_diagonal(left.T).T), order, inverse, beside)
            corner = dgemm(-1.0, front.below, left, beta=1.0, c=corner, trans_b=1, overwrite_c=1)
        return front, corner

    def _inverse_of(self, own: FloatArray, off: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Diagonal and off-diagonal terms of D^-1; counts negative eigenvalues and perturbs what is almost zero."""
        first = off != 0.0
        second = np.append(False, first[:-1])
        single = ~first & ~second
        tiny = single & (np.abs(own) < _SMALL)
        own[tiny] = np.copysign(_SMALL, own[tiny])
        self._perturbed += int(tiny.sum())
        inverse, beside = np.zeros_like(own), np.zeros_like(own)
        inverse[single] = 1.0 / own[single]
        at = np.flatnonzero(first)
        a, b, c = own[at], off[at], own[at + 1]
        size = np.maximum(np.abs(b), np.maximum(np.abs(a), np.abs(c)))
        determinant = (a / size) * (c / size) - (b / size) ** 2
        self._perturbed += int((size < _SMALL).sum())
        self.negative_count += int((own[single] < 0.0).sum())
        self.negative_count += int(np.where(determinant < 0.0, 1, np.where(a + c < 0.0, 2, 0)).sum())
        under = determinant * size**2
        inverse[at], inverse[at + 1], beside[at] = c / under, a / under, -b / under
        return inverse, beside

    def solve(self, block: FloatArray) -> FloatArray:
        scale, tree = self._scale[:, None], self._tree
        x = np.ascontiguousarray((np.asarray(block, np.float64).reshape(self.size, -1) * scale)[tree.order])
        places = list(zip(tree.begin[:-1].tolist(), tree.begin[1:].tolist(), tree.borders, self._fronts))
        for begin, end, border, front in places:
            rows = x[begin:end] if front.pivots is None else x[begin:end][front.pivots]
            unit = int(front.pivots is not None)
            rows = dtrsm(1.0, front.triangle, rows.T, side=1, lower=1, trans_a=1, diag=unit).T
            if len(border):
                x[border] -= front.below @ rows
            x[begin:end] = front.by_diagonal(rows) if unit else rows
        for begin, end, border, front in reversed(places):
            rows = x[begin:end]
            if len(border):
                rows = rows - front.below.T @ x[border]
            unit = int(front.pivots is not None)
            rows = dtrsm(1.0, front.triangle, rows.T, side=1, lower=1, trans_a=0, diag=unit).T
            if front.pivots is None:
                x[begin:end] = rows
            else:
                x[begin + front.pivots] = rows
        out = np.empty_like(x)
        out[tree.order] = x
        out *= scale
        return out.reshape(block.shape)

    def renewed(self, matrix: csr_array) -> MultifrontalFactor:
        self._factorize(matrix)
        return self

    def release(self) -> None:
        self._fronts = []


def factorize(
    matrix: csr_array, groups: IntArray | None = None, positions: FloatArray | None = None
) -> MultifrontalFactor:
    """Factorize by fronts."""
    return MultifrontalFactor(matrix, groups, positions)
