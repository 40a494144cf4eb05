"""Probability that a limit is exceeded, with its exact interval (Clopper and Pearson 1934)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import betaincinv


@dataclass(frozen=True)
class Probability:
    """A part of all runs. count: how many of ``runs`` it was; low, high: interval with the stated confidence."""

    count: int
    runs: int
    low: float
    high: float

    @property
    def value(self) -> float:
        return self.count / self.runs if self.runs else math.nan


def probability(count: int, runs: int, confidence: float) -> Probability:
    """``count`` of ``runs`` independent runs, as a probability; each end is wrong with at most half of 1 - confidence."""
    wrong = 0.5 * (1.0 - confidence)
    low = float(betaincinv(count, runs - count + 1, wrong)) if count > 0 else 0.0
    high = float(betaincinv(count + 1, runs - count, 1.0 - wrong)) if count < runs else 1.0
    return Probability(count, runs, low, high)
