"""Sensitivity by regression: how much of a measure's spread moves with each key (Saltelli et al. 2008, 1.2.5).

Keys x and measure y are put on their own scales, z = (x - mean) / deviation, and y is fitted by least squares. The result is the
set of standardized regression coefficients; in a linear model with independent keys their squares add up to one. On ranks it
follows every monotonic dependence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit
from scipy.stats import rankdata

from tisserand.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Regression:
    """Standardized coefficients (k,) of the keys and their bounds; ranked: those of ranks; fit: part of the variance explained.

    A key that does not vary has the coefficient 0.
    """

    coefficients: FloatArray
    low: FloatArray
    high: FloatArray
    ranked: FloatArray
    fit: float
    ranked_fit: float


def regression(keys: FloatArray, values: FloatArray, confidence: float) -> Regression | None:
    """Coefficients of keys (n, k) for values (n,); None where there are too few runs, or nothing varies.

    Bounds are those of normal errors, with Student's t of n - k - 1.
    """
    good = np.isfinite(values)
    x, y = np.asarray(keys, float)[good], np.asarray(values, float)[good]
    free = len(y) - x.shape[1] - 1
    if free < 1 or not np.ptp(y) > 0.0 or not (np.ptp(x, axis=0) > 0.0).any():
        return None
    plain, error, fit = _fitted(x, y)
    ranked, _, ranked_fit = _fitted(rankdata(x, axis=0), rankdata(y))
    reach = float(stdtrit(free, 0.5 * (1.0 + confidence))) * error
    return Regression(plain, plain - reach, plain + reach, ranked, fit, ranked_fit)


def _fitted(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Coefficients (k,) on unit scales, their standard errors (k,), and the part of the variance that they explain."""
    moving = np.ptp(x, axis=0) > 0.0
    z = (x[:, moving] - x[:, moving].mean(axis=0)) / x[:, moving].std(axis=0)
    w = (y - y.mean()) / y.std()
    found, *_ = np.linalg.lstsq(z, w, rcond=None)
    left = w - z @ found
    spread = float(left @ left) / (len(y) - x.shape[1] - 1)
    error = np.sqrt(spread * np.diag(np.linalg.pinv(z.T @ z)))
    whole, errors = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    whole[moving], errors[moving] = found, error
    fit = 1.0 - float(left @ left) / float(w @ w)
    return whole, errors, 0.0 if math.isnan(fit) else fit
