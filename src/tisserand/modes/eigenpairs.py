"""Eigenpairs, and what is known of their errors.

Bounds from residuals: [Parlett1980].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Pairs:
    """Eigenvalues ascending (rad²/s²) and mass-orthonormal vectors (m, k).

    errors: (k,) proven bounds on the relative errors of these very values, or None where nothing is proven yet.
    """

    values: FloatArray
    vectors: FloatArray
    errors: FloatArray | None = None

    @property
    def bounds(self) -> FloatArray:
        """(k,) proven relative errors, infinite where nothing is proven."""
        return np.full(len(self.values), np.inf) if self.errors is None else self.errors

    def with_more(self, other: Pairs) -> Pairs:
        """Both sets in one, ascending."""
        both = Pairs(
            np.concatenate([self.values, other.values]),
            np.hstack([self.vectors, other.vectors]),
            np.concatenate([self.bounds, other.bounds]),
        )
        return both.chosen(np.argsort(both.values, kind="stable"))

    def chosen(self, which: IntArray | BoolArray | slice) -> Pairs:
        """Some of them, or all in another order."""
        return Pairs(self.values[which], self.vectors[:, which], self.bounds[which])
