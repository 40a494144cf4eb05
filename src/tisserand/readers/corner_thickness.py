"""Shells whose thickness differs from corner to corner: what of it a section of one thickness keeps."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray

STATEMENT = "corner thicknesses: each element has the mean of t (mass, membrane, shear) and of t³ (bending)"


def mean_and_bending(corners: FloatArray) -> tuple[float, float]:
    """Mean thickness, and 12 I / t³ of that mean, for thicknesses (3,) or (4,) at the corners."""
    mean = float(corners.mean())
    return mean, mean_cube(corners) / mean**3 if corners.max() > corners.min() else 1.0


def mean_cube(corners: FloatArray) -> float:
    """Mean of t³ over a parallelogram (t bilinear) or a triangle (t linear)."""
    if len(corners) == 4:
        near, far = 0.5 * (1.0 - 1.0 / np.sqrt(3.0)), 0.5 * (1.0 + 1.0 / np.sqrt(3.0))
        places = [(x, y) for x in (near, far) for y in (near, far)]
        shares = [np.array([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y]) for x, y in places]
        return float(np.mean([(share @ corners) ** 3 for share in shares]))
    a, b, c = corners
    return float((a**3 + b**3 + c**3 + (a + b) * (b + c) * (c + a) - a * b * c) / 10.0)
