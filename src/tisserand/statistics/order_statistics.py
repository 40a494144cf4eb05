"""Percentiles of an unknown law and their bounds, from ordered values alone (Wilks 1941; David and Nagaraja 2003, 7.1).

Of n independent values the number below the p-quantile is binomial (n, p), whatever the law. The l-th and u-th smallest values
therefore enclose it with the probability P(l <= K < u), K ~ B(n, p).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, betaincinv

from tisserand.arguments import checked_arguments
from tisserand.errors import InputError

#: Runs that a study can have.
MOST_RUNS = 100_000_000


@dataclass(frozen=True)
class Percentile:
    """A percentile of a measure.

    level: part of all runs at or below it; value: estimate, of the unit of the measure; low, high: bounds that enclose it
    with the stated confidence, -inf or inf where there are too few runs for one.
    """

    level: float
    value: float
    low: float
    high: float


def percentile(values: ArrayLike, level: float, confidence: float) -> Percentile:
    """A percentile of independent values, with two-sided bounds."""
    x = np.sort(np.asarray(values, float))
    if not len(x):
        return Percentile(level, math.nan, -math.inf, math.inf)
    low, high = bounding_ranks(len(x), level, confidence)
    return Percentile(
        level,
        _between(x, level),
        float(x[low - 1]) if low >= 1 else -math.inf,
        float(x[high - 1]) if high <= len(x) else math.inf,
    )


def _between(x: np.ndarray, level: float) -> float:
    """The quantile between two of the sorted values, as numpy's default; an infinite neighbor counts only where it is reached."""
    place = level * (len(x) - 1)
    below = min(int(place), len(x) - 1)
    part = place - below
    return float(x[below] if part == 0.0 or x[below] == x[below + 1] else (1.0 - part) * x[below] + part * x[below + 1])


def bounding_ranks(count: int, level: float, confidence: float) -> tuple[int, int]:
    """Ranks (from 1) of the values that enclose a quantile; 0 or count + 1 where there is no such value.

    Each side is wrong with at most half of 1 - confidence: P(K < l) and P(K >= u) are at most that, K ~ B(n, p).
    """
    wrong = 0.5 * (1.0 - confidence)
    below = bdtr(np.arange(count + 1.0), count, level)  # P(K <= k), k = 0 ... n
    low = int(np.searchsorted(below, wrong, side="right"))  # P(K <= l - 1) <= wrong
    high = int(np.searchsorted(below, 1.0 - wrong, side="left")) + 1  # P(K <= u - 1) >= 1 - wrong
    return low, min(high, count + 1)


@checked_arguments
def runs_needed(coverage: float, confidence: float, order: int = 1) -> int:
    """Runs after which the ``order``-th largest value is above a part ``coverage`` of all runs, with that ``confidence`` (Wilks).

    For the largest value 1 - coverage^n >= confidence: 59 runs for 95 % at 95 %, 93 with the second largest, 852 for 99.73 % at
    90 %.
    """
    _refuse_parts(coverage, confidence)
    if order < 1:
        raise InputError("order: must be at least 1", found=order, expected="1 for the largest value, 2 for the second")

    def enough(n: int) -> bool:
        return n >= order and float(bdtr(order - 1.0, n, 1.0 - coverage)) <= 1.0 - confidence

    few, many = 0, order
    while not enough(many):
        if many > MOST_RUNS:
            raise InputError("the coverage needs too many runs", found=coverage, expected=f"at most {MOST_RUNS} runs")
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if enough(middle) else (middle, many)
    return many


def covered_part(runs: int, confidence: float, order: int = 1) -> float:
    """The part of all runs that the ``order``-th largest of so many is above, with that confidence; 0 with too few runs."""
    return 1.0 - float(betaincinv(order, runs - order + 1, confidence)) if runs >= order else 0.0


def _refuse_parts(coverage: float, confidence: float) -> None:
    for word, value in (("coverage", coverage), ("confidence", confidence)):
        if not 0.0 < value < 1.0:
            raise InputError(f"{word}: is not a part", found=value, expected="a number between 0 and 1, such as 0.9973")
