"""Numbers that people read off a history: peak, root mean square, end, settling time, overshoot.

A history is taken as straight between its samples: mean values are those of the lines, and times lie between samples where a line
crosses a level.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tisserand.statistics.curves import Curve

#: Half-width of the band of a settling time, as part of the largest distance from the end.
BAND = 0.02


def peak(x: Curve) -> float:
    """Largest size."""
    return _largest(np.abs(x.values))


def largest(x: Curve) -> float:
    return _largest(x.values)


def least(x: Curve) -> float:
    return -_largest(-x.values)


def final(x: Curve) -> float:
    """Value at the end."""
    return float(x.values[-1]) if len(x.values) else math.nan


def first(x: Curve) -> float:
    return float(x.values[0]) if len(x.values) else math.nan


def span(x: Curve) -> float:
    """From the least to the largest value."""
    return largest(x) - least(x)


def time_of_peak(x: Curve) -> float:
    """When the size is largest first, s."""
    return float(x.times[np.abs(x.values).argmax()]) if len(x.values) else math.nan


def integral(x: Curve) -> float:
    """Integral over time."""
    return float(np.trapezoid(x.values, x.times))


def mean(x: Curve) -> float:
    """Mean over time; a single sample is its own."""
    length = _length(x)
    return integral(x) / length if length > 0.0 else final(x)


def rms(x: Curve) -> float:
    """Root of the mean square over time, of the straight lines: each contributes (a^2 + a b + b^2) / 3."""
    length = _length(x)
    if not length > 0.0:
        return abs(final(x))
    a, b = x.values[:-1], x.values[1:]
    return math.sqrt(max(float(((a * a + a * b + b * b) * np.diff(x.times)).sum()) / (3.0 * length), 0.0))


def time_above(x: Curve, limit: float) -> float:
    """Time that a history spends above a value, s."""
    a, b = x.values[:-1] - limit, x.values[1:] - limit
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where((a > 0.0) & (b > 0.0), 1.0, np.maximum(a, b) / np.abs(b - a))
    part = np.where((a <= 0.0) & (b <= 0.0), 0.0, part)
    return float((part * np.diff(x.times)).sum())


def settling(x: Curve, to: float | None = None, within: float | None = None) -> float:
    """Time from the start after which a history stays ``within`` a distance of ``to``, s; inf if it is outside at the end.

    Without them: within 2 % of its largest distance from its value at the end.
    """
    if not len(x.values):
        return math.nan
    away = x.values - (final(x) if to is None else to)
    band = BAND * float(np.abs(away).max()) if within is None else within
    outside = np.flatnonzero(np.abs(away) > band)
    if not len(outside):
        return 0.0
    last = int(outside[-1])
    if last == len(away) - 1:
        return math.inf
    part = (abs(away[last]) - band) / abs(away[last + 1] - away[last])  # where the line meets the near edge of the band
    return float(x.times[last] + part * (x.times[last + 1] - x.times[last]) - x.times[0])


def overshoot(x: Curve, to: float | None = None) -> float:
    """How far a history passes its value at the end (or ``to``), as a part of the step from its start; NaN without a step."""
    if not len(x.values):
        return math.nan
    end = final(x) if to is None else to
    step = end - first(x)
    return max(_largest((x.values - end) * math.copysign(1.0, step)), 0.0) / abs(step) if step else math.nan


def _largest(values: Any) -> float:
    return float(values.max()) if len(values) else math.nan


def _length(x: Curve) -> float:
    return float(x.times[-1] - x.times[0]) if len(x.times) else 0.0


#: What is measured of every output, by name.
MEASURES: Mapping[str, Callable[[Curve], float]] = {
    "peak": peak, "max": largest, "min": least, "rms": rms, "final": final, "settling": settling, "overshoot": overshoot,
}  # fmt: skip
#: Units of measures that do not have that of their output.
MEASURE_UNITS = {"settling": "s", "overshoot": "-"}
