"""Limits that a measure of every run should keep: ``rate.peak < 0.01``, or of an expression: ``rms(after(rate, 10)) < 1e-4``."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import InputError
from tisserand.statistics.exceedance import Probability, probability

_LIMIT = re.compile(r"(?P<left>[^<>]+?)(?P<sense><=|>=|<|>)(?P<right>[^<>=]+)", re.DOTALL)


@dataclass(frozen=True)
class Limit:
    """What a run should keep. text: as it was written; measure: name of what is limited; above: whether it must stay above."""

    text: str
    measure: str
    value: float
    above: bool = False

    def kept(self, values: FloatArray) -> FloatArray:
        """Whether each value keeps the limit; a value on the limit does."""
        return np.asarray(values >= self.value if self.above else values <= self.value)

    def margin(self, values: FloatArray) -> FloatArray:
        """Distance to the limit, negative beyond it."""
        return np.asarray(values - self.value if self.above else self.value - values)


@dataclass(frozen=True)
class Exceedance:
    """A limit, and the probability that a run does not keep it."""

    limit: Limit
    exceeded: Probability


def limit_of(text: str) -> Limit:
    """``NAME < NUMBER`` or ``NAME > NUMBER``; names may stand in braces."""
    match = _LIMIT.fullmatch(text.strip())
    try:
        if match is None:
            raise ValueError
        value = float(match["right"])
    except ValueError:
        raise InputError(
            "limit: is not a comparison with a number", found=repr(text[:80]), expected="such as 'rate.peak < 0.01'"
        ) from None
    if not np.isfinite(value):
        raise InputError("limit: is not finite", found=repr(text[:80]), expected="a comparison with a finite number")
    name = match["left"].strip()
    whole = re.fullmatch(r"\{([^{}]+)\}((\.\w+)?)", name)
    return Limit(text.strip(), whole[1].strip() + whole[2] if whole else name, value, match["sense"].startswith(">"))


def exceedance(limit: Limit, values: FloatArray, confidence: float) -> Exceedance:
    """How often a limit is not kept by values (n,); those that are not defined (NaN) are left out."""
    good = values[~np.isnan(values)]
    return Exceedance(limit, probability(int(np.logical_not(limit.kept(good)).sum()), len(good), confidence))
