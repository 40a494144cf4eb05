"""Values of a Monte Carlo study: points of a design in the unit cube, correlated, and put through the quantiles of their laws.

All values are settled before the first run, from the seed alone. Sample i of the design ``random`` does not depend on the number
of runs. Laws are inverted (u in (0, 1) to a value), so that every design serves every law; correlations are those of normal
scores (a Gaussian copula), so that each key keeps its own law.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri, ndtri_exp
from scipy.stats import qmc

from tisserand.arrays import FloatArray
from tisserand.errors import InputError
from tisserand.statistics.sobol_indices import saltelli_points
from tisserand.studies.values import parts_of_law

#: Corners of laws without ends lie so many deviations from the center.
CORNER = 3.0
#: Corners of a design.
MOST_CORNERS = 4096
#: How often a sample is drawn again because it violates a requirement.
MOST_DRAWS = 1000
_SOBOL_BITS = 30
_REDRAWN = 1


def quantile(law: str, u: FloatArray) -> FloatArray:
    """Values of a law at the probabilities u in (0, 1); a relation to the file's value (``*``, ``+``) is not applied.

    normal x = m + s z(u), between its ends where it is truncated; lognormal x = m exp(s z(u)) with median m; triangular by its
    two parabolas; integer and table: equal steps.
    """
    _, kind, p = parts_of_law(law)
    if kind == "normal" and len(p) == 4:
        mean, deviation, low, high = p
        if deviation == 0.0:
            return np.full_like(u, mean)
        return np.asarray(
            np.clip(mean + deviation * _truncated((low - mean) / deviation, (high - mean) / deviation, u), low, high)
        )
    if kind == "normal":
        return np.asarray(p[0] + p[1] * ndtri(u))
    if kind == "lognormal":
        return np.asarray(p[0] * np.exp(p[1] * ndtri(u)))
    if kind == "uniform":
        return np.asarray(p[0] + (p[1] - p[0]) * u)
    if kind == "triangular":
        low, mode, high = p
        if high == low:
            return np.full_like(u, low)
        rise = (mode - low) / (high - low)
        up = low + np.sqrt(u * (high - low) * (mode - low))
        down = high - np.sqrt((1.0 - u) * (high - low) * (high - mode))
        return np.where(u < rise, up, down)
    if kind == "integer":
        return np.asarray(np.minimum(np.floor(p[0] + u * (p[1] - p[0] + 1.0)), p[1]))
    return np.asarray(np.take(np.asarray(p), np.minimum((u * len(p)).astype(int), len(p) - 1)))


def _truncated(low: float, high: float, u: FloatArray) -> FloatArray:
    """Quantiles of a standard normal law between two ends, in the lower tail by logarithms; beyond the mean it is mirrored."""
    if low > 0.0:
        return -_truncated(-high, -low, 1.0 - u)
    if high > 0.0:
        below, above = ndtr(low), ndtr(high)
        return np.asarray(ndtri(below + u * (above - below)))
    below, above = log_ndtr(low), log_ndtr(high)
    return np.asarray(ndtri_exp(above + np.log(u + (1.0 - u) * np.exp(below - above))))


def ends(law: str) -> tuple[float, float]:
    """The two values of a law that a corner takes: its ends, or its quantiles at -3 and 3 deviations where it has none."""
    _, kind, p = parts_of_law(law)
    if kind == "table":
        return min(p), max(p)
    if kind in ("uniform", "integer", "triangular") or len(p) == 4:
        first, *_, last = p[2:] if kind == "normal" else p
        return first, last
    low, high = quantile(law, ndtr(np.array([-CORNER, CORNER])))
    return float(low), float(high)


def points(design: str, count: int, keys: int, seed: int) -> FloatArray:
    """(count, keys) points in the open unit cube."""
    rng = np.random.default_rng(seed)
    if design == "latin":
        cells = np.stack([rng.permutation(count) for _ in range(keys)], axis=1)
        return np.asarray(_inside((cells + rng.random((count, keys))) / count))
    if design == "sobol":
        if keys > qmc.Sobol.MAXDIM:
            raise InputError("a Sobol design has too many keys", found=keys, expected=f"at most {qmc.Sobol.MAXDIM}")
        net = qmc.Sobol(keys, scramble=False, bits=_SOBOL_BITS).random_base2(max(math.ceil(math.log2(count)), 0))[
            :count
        ]
        shift = rng.integers(0, 2**_SOBOL_BITS, keys, dtype=np.uint64)  # a digital shift keeps the net a net
        digits = (net * 2**_SOBOL_BITS).astype(np.uint64) ^ shift
        return np.asarray((digits + 0.5) / 2**_SOBOL_BITS)
    return _inside(rng.random((count, keys)))


def _inside(u: FloatArray) -> FloatArray:
    """Zero, which has no quantile, becomes the least number of the generator."""
    return np.asarray(np.maximum(u, 2.0**-54))


def correlated(u: FloatArray, groups: Sequence[str], correlations: Mapping[str, float]) -> FloatArray:
    """The points with normal scores correlated as ``{"KEY,KEY": r}`` states."""
    if not correlations:
        return u
    R = np.eye(len(groups))
    for pair, r in correlations.items():
        words = [word.strip() for word in pair.split(",")]
        if len(words) != 2 or words[0] == words[1] or any(word not in groups for word in words):
            raise InputError(
                "correlate: does not name two varied keys",
                found=repr(pair),
                expected=f"KEY,KEY=R of {', '.join(groups)}",
            )
        if not -1.0 < r < 1.0:
            raise InputError(
                "correlate: is not a correlation", found=f"{pair} = {r:g}", expected="a number between -1 and 1"
            )
        i, j = map(groups.index, words)
        R[i, j] = R[j, i] = r
    try:
        L = np.linalg.cholesky(R)
    except np.linalg.LinAlgError:
        least = float(np.linalg.eigvalsh(R)[0])
        raise InputError(
            "correlate: the correlations contradict each other", found=f"an eigenvalue {least:.3g} of their matrix",
            expected="a positive definite matrix",
        ) from None  # fmt: skip
    return np.asarray(_inside(ndtr(ndtri(u) @ L.T)))


def drawn(
    laws: Mapping[str, str],
    design: str,
    count: int,
    seed: int,
    correlations: Mapping[str, float],
    accepted: Callable[[FloatArray], bool] | None = None,
    saltelli: bool = False,
) -> tuple[FloatArray, int]:
    """(count, keys) values of all samples, and how many were drawn again because ``accepted`` refused them.

    saltelli: the rows of a design for Sobol indices instead, count (keys + 2) of them.
    """
    groups, texts = list(laws), list(laws.values())
    if design == "corners":
        return _corners(texts), 0

    def values(u: FloatArray) -> FloatArray:
        u = correlated(u, groups, correlations)
        return np.stack([quantile(law, column) for law, column in zip(texts, u.T)], axis=1)

    if saltelli:
        return values(saltelli_points(points(design, count, 2 * len(groups), seed))), 0
    table, again = values(points(design, count, len(groups), seed)), 0
    for i in range(count if accepted is not None else 0):
        assert accepted is not None
        stream = np.random.default_rng([seed, _REDRAWN, i])  # its own, so that no sample depends on another
        tries = 0
        while not accepted(table[i]):
            if design != "random":
                raise InputError(
                    "a point of the design violates a requirement", found=f"sample {i + 1}",
                    expected="a design whose points can be replaced", advice="use --design random, or narrower laws",
                )  # fmt: skip
            tries += 1
            if tries > MOST_DRAWS:
                raise InputError(
                    "the requirements exclude nearly all draws", found=f"{MOST_DRAWS} draws of sample {i + 1} in vain",
                    advice="widen the requirements, or narrow the laws",
                )  # fmt: skip
            table[i] = values(_inside(stream.random((1, len(groups)))))[0]
        again += tries
    return table, again


def _corners(laws: Sequence[str]) -> FloatArray:
    if 2 ** len(laws) > MOST_CORNERS:
        raise InputError(
            "a design of corners has too many keys", found=f"2^{len(laws)} corners", expected=f"at most {MOST_CORNERS}"
        )
    return np.array(list(itertools.product(*map(ends, laws))))
