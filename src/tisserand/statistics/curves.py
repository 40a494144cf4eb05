"""Histories as expressions see them: values over times, with arithmetic where both are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Curve:
    """Values (n,) over increasing times (n,), s. Two curves of one run combine over the times that both have."""

    times: FloatArray
    values: FloatArray

    def cut(self, begin: float, end: float) -> Curve:
        """The samples from a time to another one, both included."""
        inside = (self.times >= begin) & (self.times <= end)
        return Curve(self.times[inside], self.values[inside])

    def __add__(self, other: Any) -> Any:
        return combined(np.add, self, other)

    def __radd__(self, other: Any) -> Any:
        return combined(np.add, other, self)

    def __sub__(self, other: Any) -> Any:
        return combined(np.subtract, self, other)

    def __rsub__(self, other: Any) -> Any:
        return combined(np.subtract, other, self)

    def __mul__(self, other: Any) -> Any:
        return combined(np.multiply, self, other)

    def __rmul__(self, other: Any) -> Any:
        return combined(np.multiply, other, self)

    def __truediv__(self, other: Any) -> Any:
        return combined(np.divide, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return combined(np.divide, other, self)

    def __pow__(self, other: Any) -> Any:
        return combined(np.power, self, other)

    def __rpow__(self, other: Any) -> Any:
        return combined(np.power, other, self)

    def __neg__(self) -> Curve:
        return Curve(self.times, -self.values)

    def __pos__(self) -> Curve:
        return self


def combined(function: Callable[..., Any], *parts: Any) -> Any:
    """A function of curves and numbers, sample by sample; a number if there are only numbers."""
    curves = [part for part in parts if isinstance(part, Curve)]
    with np.errstate(all="ignore"):
        if not curves:
            return float(function(*parts))
        if any(not len(curve.times) for curve in curves):
            return Curve(np.zeros(0), np.zeros(0))
        begin, end = max(curve.times[0] for curve in curves), min(curve.times[-1] for curve in curves)
        same = [part.cut(begin, end) if isinstance(part, Curve) else part for part in parts]
        times = next(part.times for part in same if isinstance(part, Curve))
        return Curve(times, function(*(part.values if isinstance(part, Curve) else part for part in same)))
