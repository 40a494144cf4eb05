"""Compare a file with the record it was written from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


def worst(pairs: Iterable[tuple[Any, Any]]) -> float:
    """Largest difference of any pair relative to the largest value meant in it; infinite for wrong shapes or NaN."""
    found = 0.0
    for got, meant in pairs:
        a, b = np.asarray(got, float), np.asarray(meant, float)
        if a.shape != b.shape or not np.isfinite(a).all():
            return float("inf")
        if b.size:
            found = max(found, float(np.abs(a - b).max()) / max(float(np.abs(b).max()), 1e-300))
    return found
