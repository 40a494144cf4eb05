"""Sobol indices: parts of the variance of a measure that keys cause alone and together with others.

The design of Saltelli et al. (Computer Physics Communications 181, 2010) has N rows of two independent samples A and B, and for
each key i the matrix AB_i: A with the column i of B. First-order index (their equation b) and total index (f, Jansen):

    S_i  = mean(f_B (f_ABi - f_A)) / V        S_Ti = mean((f_A - f_ABi)^2) / (2 V)

V is the variance of f_A and f_B together. f is taken about its mean, which changes no index and makes the estimate less noisy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray

#: Resamples of the rows, for the bounds.
RESAMPLES = 1000
#: Weights that are held at a time.
MOST_NUMBERS = 4_000_000


@dataclass(frozen=True, eq=False)
class SobolIndices:
    """First-order and total indices (k,) of the keys, with bounds (k,) by resampling the rows; rows: those that were complete."""

    first: FloatArray
    first_low: FloatArray
    first_high: FloatArray
    total: FloatArray
    total_low: FloatArray
    total_high: FloatArray
    rows: int


def saltelli_points(u: FloatArray) -> FloatArray:
    """Rows A, B, AB_1 ... AB_k one below the other (N (k + 2), k) from points (N, 2 k) of the unit cube."""
    keys = u.shape[1] // 2
    A, B = u[:, :keys], u[:, keys:]
    mixed = np.repeat(A[None], keys, axis=0)
    mixed[np.arange(keys), :, np.arange(keys)] = B.T
    return np.concatenate([A, B, *mixed])


def sobol_indices(values: FloatArray, keys: int, confidence: float, seed: int = 0) -> SobolIndices | None:
    """Indices from the values (N (k + 2),) of a Saltelli design; rows with a value that is not finite are left out.

    None with fewer than two rows, or where nothing varies.
    """
    f = np.asarray(values, float).reshape(keys + 2, -1)
    f = f[:, np.isfinite(f).all(axis=0)]
    if f.shape[1] < 2 or not np.ptp(f[:2]) > 0.0:
        return None
    f = f - f[:2].mean()  # once more for every resample below
    rng, count = np.random.default_rng(seed), f.shape[1]
    drawn = [
        _indices(f, rng.multinomial(count, np.full(count, 1.0 / count), size) / count)
        for size in _sizes(RESAMPLES, max(1, MOST_NUMBERS // count))
    ]
    ends = [0.5 * (1.0 - confidence), 0.5 * (1.0 + confidence)]
    low, high = np.nanquantile(np.concatenate(drawn, axis=1), ends, axis=1)
    ((first,), (total,)) = _indices(f, np.full((1, count), 1.0 / count))
    return SobolIndices(first, low[0], high[0], total, low[1], high[1], count)


def _sizes(total: int, most: int) -> list[int]:
    return [min(most, total - begin) for begin in range(0, total, most)]


def _indices(f: FloatArray, weights: FloatArray) -> FloatArray:
    """(2, r, k) first-order and total indices with weights (r, N) of the rows, each sum 1."""
    a, b, mixed = f[0], f[1], f[2:]
    mean = 0.5 * weights @ (a + b)
    variance = 0.5 * weights @ (a * a + b * b) - mean**2
    together = weights @ (b * (mixed - a)).T - mean[:, None] * (weights @ (mixed - a).T)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.array([together, 0.5 * weights @ ((a - mixed) ** 2).T]) / variance[:, None])
