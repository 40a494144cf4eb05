"""The pencil K - sigma M over the free dofs: one union pattern, so that every shift reuses one symbolic analysis."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.errors import ModelError
from tisserand.linalg._kernels import copy_without_zeros, merged_counts, merged_fill, without_zeros
from tisserand.threads import over_rows

#: Row pointers and columns as the factorization libraries want them.
Indices = NDArray[np.int32]
#: Below this many stored terms numpy is quick enough and nothing is compiled.
_COMPILE_ABOVE = 400_000


@dataclass(frozen=True, eq=False, repr=False)
class Pencil:
    """K and M restricted to the free dofs on one CSR pattern (both triangles, sorted columns).

    free: (m,) dof numbers kept; groups: (m,) number of the node that owns each kept dof, used to order node by node;
    positions: (nodes, 3) of the nodes so numbered, m, where they are known.
    """

    free: IntArray
    indptr: Indices
    indices: Indices
    stiffness: FloatArray
    mass: FloatArray
    groups: IntArray
    positions: FloatArray | None = None

    @property
    def size(self) -> int:
        return len(self.free)

    def _matrix(self, values: FloatArray) -> csr_array:
        matrix = csr_array((values, self.indices, self.indptr), shape=(self.size, self.size))
        matrix.has_sorted_indices = True
        return matrix

    @property
    def k(self) -> csr_array:
        """Stiffness over the free dofs."""
        return self._matrix(self.stiffness)

    @cached_property
    def m(self) -> csr_array:
        """Mass over the free dofs, without the terms that only the stiffness has."""
        if len(self.mass) <= _COMPILE_ABOVE:
            matrix = self._matrix(self.mass).copy()
            matrix.eliminate_zeros()
            return matrix
        start = np.empty(self.size + 1, np.int32)
        without_zeros(self.indptr, self.mass, start)
        if start[-1] == len(self.mass):
            return self._matrix(self.mass)
        columns, values = np.empty(start[-1], np.int32), np.empty(start[-1])
        copy_without_zeros(self.indptr, self.indices, self.mass, start, columns, values)
        matrix = csr_array((values, columns, start), shape=(self.size, self.size))
        matrix.has_sorted_indices = True
        return matrix

    def shifted(self, shift: float) -> csr_array:
        """``K - shift M``; the pattern is the same for every shift."""
        return self._matrix(self.stiffness - shift * self.mass)


def pencil_of(
    stiffness: csr_array,
    mass: csr_array,
    free: BoolArray | None = None,
    groups: IntArray | None = None,
    positions: FloatArray | None = None,
) -> Pencil:
    """The pencil over the dofs where ``free`` is True (all when None)."""
    size = stiffness.shape[0]
    keep = np.ones(size, np.bool_) if free is None else np.asarray(free, np.bool_)
    numbers = np.flatnonzero(keep)
    if not len(numbers):
        raise ModelError("no free dof is left", advice="remove supports: nothing can move")
    place = np.full(size, -1, np.int64)
    place[numbers] = np.arange(len(numbers))
    for word, matrix in (("stiffness", stiffness), ("mass", mass)):
        if not np.isfinite(matrix.data).all():
            raise ModelError(f"the {word} matrix contains values that are not finite numbers")
    a, b = _sorted(stiffness), _sorted(mass)
    merge = _merged_compiled if a.nnz + b.nnz > _COMPILE_ABOVE else _merged_numpy
    indptr, indices, k, m = merge(place, len(numbers), a, b)
    owners = np.arange(size) if groups is None else np.asarray(groups)
    return Pencil(numbers, indptr, indices, k, m, owners[numbers], None if groups is None else positions)


def _sorted(matrix: csr_array) -> csr_array:
    out = csr_array(matrix)
    if not out.has_canonical_format:
        out = out.copy()
        out.sum_duplicates()
    return out


def _merged_numpy(
    place: IntArray, size: int, a: csr_array, b: csr_array
) -> tuple[Indices, Indices, FloatArray, FloatArray]:
    keys, values = [], []
    for matrix in (a, b):
        rows = place[np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))]
        cols = place[matrix.indices]
        kept = (rows >= 0) & (cols >= 0)
        keys.append(rows[kept] * size + cols[kept])
        values.append(matrix.data[kept])
    union = np.unique(np.concatenate(keys))
    out = []
    for key, value in zip(keys, values):
        data = np.zeros(len(union))
        data[np.searchsorted(union, key)] = value
        out.append(data)
    indptr = np.searchsorted(union, np.arange(size + 1) * size)
    return indptr.astype(np.int32), (union % size).astype(np.int32), out[0], out[1]


def _merged_compiled(
    place: IntArray, size: int, a: csr_array, b: csr_array
) -> tuple[Indices, Indices, FloatArray, FloatArray]:
    a_ptr, a_col, b_ptr, b_col = (np.asarray(x, np.int32) for x in (a.indptr, a.indices, b.indptr, b.indices))
    counts = np.zeros(size, np.int64)
    over_rows(lambda begin, end: merged_counts(place, a_ptr, a_col, b_ptr, b_col, begin, end, counts), len(place))
    indptr = np.zeros(size + 1, np.int32)
    np.cumsum(counts, out=indptr[1:])
    nnz = int(indptr[-1])
    cols, k, m = np.empty(nnz, np.int32), np.empty(nnz), np.empty(nnz)
    a_val, b_val = np.asarray(a.data, np.float64), np.asarray(b.data, np.float64)
    parts = (place, a_ptr, a_col, a_val, b_ptr, b_col, b_val, indptr)
    over_rows(lambda begin, end: merged_fill(*parts, begin, end, cols, k, m), len(place))
    return indptr, cols, k, m
