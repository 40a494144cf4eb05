"""Values that files of several kinds state: vectors, rows, one or many."""

from __future__ import annotations

from typing import Any

import numpy as np

from tisserand.arrays import FloatArray

Vector = tuple[float, float, float]
Rows3 = tuple[Vector, Vector, Vector]
ORIGIN: Vector = (0.0, 0.0, 0.0)


def many(value: Any) -> tuple[Any, ...]:
    """One thing or several as a tuple; empty for None."""
    return () if value is None else value if isinstance(value, tuple) else (value,)


def inertia_matrix(inertia: Vector | Rows3) -> FloatArray:
    """Inertia (3, 3) of principal values or rows."""
    values = np.array(inertia, float)
    return np.diag(values) if values.ndim == 1 else values
