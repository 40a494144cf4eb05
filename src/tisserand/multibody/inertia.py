"""Inertia matrices: which ones a mass distribution can have, and that of a point; rigid bodies of theory section 5."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arrays import FloatArray, frozen, skew
from tisserand.errors import VehicleError

#: Inertias may break the triangle inequality by this fraction of the largest: what rounding to three digits leaves.
ROUNDED_INERTIA = 1e-3


def triangle_excess(inertia: FloatArray) -> float:
    """By which fraction of the largest principal inertia the two smaller fall short of it (negative: they do not)."""
    I1, I2, I3 = np.linalg.eigvalsh(inertia)
    return float((I3 - I1 - I2) / I3) if I3 > 0.0 else 0.0


def checked_inertia(inertia: ArrayLike, mass: float, where: str) -> FloatArray:
    """The inertia (3, 3) of principal values or of a matrix, kg m²; refused where no mass distribution can have it."""
    raw = np.asarray(inertia, float)
    if raw.shape == (3,):
        raw = np.diag(raw)
    if raw.shape != (3, 3) or not np.isfinite(raw).all():
        raise VehicleError("inertia must be 3 principal values or a finite 3 x 3 matrix", where=where, found=raw.shape)
    scale = max(float(np.abs(raw).max()), 1e-300)
    if np.abs(raw - raw.T).max() > 1e-9 * scale:
        raise VehicleError("the inertia matrix is not symmetric", where=where, found=raw.tolist())
    I1, I2, I3 = scale * np.linalg.eigvalsh(0.5 * (raw / scale + raw.T / scale))
    if -1e-12 * scale > I1 or I1 + I2 < I3 * (1.0 - ROUNDED_INERTIA) - 1e-15:
        raise VehicleError(
            "principal inertias violate the triangle inequality (no mass distribution can have them)",
            where=where,
            found=[float(f"{x:.6g}") for x in (I1, I2, I3)],
            expected="the two smaller add up to at least the largest",
            advice="inertia is about the mass center; check signs of products of inertia",
        )
    if mass == 0.0 and I3 > 0.0:
        raise VehicleError("a massless body cannot have inertia", where=where, found=raw.tolist(), expected="zero")
    return frozen(0.5 * raw + 0.5 * raw.T, shape=(3, 3))


def point_inertia(mass: float, offset: ArrayLike) -> FloatArray:
    """Inertia of a point mass about a point at ``offset`` from it, (3, 3) kg m²."""
    d = skew(offset)
    return np.asarray(-mass * d @ d)
