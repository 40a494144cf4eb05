"""Measures that users write: ``late = rms(after(rate, 10))`` gives one number of a run.

Names are outputs of the run (histories) and keys that the study varies (numbers).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from tisserand.errors import InputError
from tisserand.statistics import history_measures as of_history
from tisserand.statistics.curves import Curve, combined
from tisserand.statistics.expressions import Expression, Function, parsed


def _reduced(name: str, function: Callable[..., float], most: int = 1) -> Function:
    def run(x: Any, *others: Any) -> float:
        if not isinstance(x, Curve) or any(isinstance(other, Curve) for other in others):
            raise InputError(f"{name} takes a history first, and numbers after it")
        return function(x, *others)

    return Function(run, 1, most)


def _mapped(function: Callable[..., Any], most: int = 1) -> Function:
    return Function(lambda *parts: combined(function, *parts), 1, most)


def _windowed(name: str, cut: Callable[..., Curve], numbers: int) -> Function:
    def run(x: Any, *times: Any) -> Curve:
        if not isinstance(x, Curve) or any(isinstance(time, Curve) for time in times):
            raise InputError(f"{name} takes a history first, and times after it")
        return cut(x, *times)

    return Function(run, 1 + numbers, 1 + numbers)


def _either(name: str, of_one: Callable[[Curve], float], of_many: Callable[..., Any]) -> Function:
    """``max`` and ``min``: of one history a number, of several the history of the largest or least."""

    def run(*parts: Any) -> Any:
        if len(parts) > 1:
            return combined(lambda *values: reduce(of_many, values), *parts)
        if not isinstance(parts[0], Curve):
            raise InputError(f"{name} takes a history, or several numbers or histories")
        return of_one(parts[0])

    return Function(run, 1, 20)


def _slope(x: Curve) -> Curve:
    """Rate of change; that of central differences inside."""
    return Curve(x.times, np.gradient(x.values, x.times)) if len(x.times) > 1 else Curve(x.times, 0.0 * x.values)


FUNCTIONS: Mapping[str, Function] = {
    "peak": _reduced("peak", of_history.peak),
    "rms": _reduced("rms", of_history.rms),
    "mean": _reduced("mean", of_history.mean),
    "first": _reduced("first", of_history.first),
    "final": _reduced("final", of_history.final),
    "span": _reduced("span", of_history.span),
    "integral": _reduced("integral", of_history.integral),
    "time_of_peak": _reduced("time_of_peak", of_history.time_of_peak),
    "time_above": Function(_reduced("time_above", of_history.time_above, 2).of, 2, 2),
    "settling": _reduced("settling", of_history.settling, 3),
    "overshoot": _reduced("overshoot", of_history.overshoot, 2),
    "max": _either("max", of_history.largest, np.maximum),
    "min": _either("min", of_history.least, np.minimum),
    "after": _windowed("after", lambda x, t: x.cut(t, math.inf), 1),
    "before": _windowed("before", lambda x, t: x.cut(-math.inf, t), 1),
    "between": _windowed("between", lambda x, a, b: x.cut(a, b), 2),
    "slope": _windowed("slope", _slope, 0),
    "abs": _mapped(np.abs),
    "sqrt": _mapped(np.sqrt),
    "exp": _mapped(np.exp),
    "log": _mapped(np.log),
    "sin": _mapped(np.sin),
    "cos": _mapped(np.cos),
    "hypot": _mapped(lambda *x: np.sqrt(reduce(np.add, (np.square(v) for v in x))), 20),
    "degrees": _mapped(np.degrees),
    "radians": _mapped(np.radians),
}


@dataclass(frozen=True)
class Measure:
    """A number of every run: its name, and the expression that gives it."""

    name: str
    expression: Expression

    def value(self, outputs: Mapping[str, Curve], keys: Mapping[str, float]) -> float:
        """The number for one run; NaN where it is not defined."""
        found = self.expression.value({**keys, **outputs})
        return math.nan if isinstance(found, Curve | complex) else float(found)


def measure(name: str, text: str, outputs: Sequence[str], keys: Sequence[str]) -> Measure:
    """A measure, after checking that its names are known and that it is a number."""
    made = Measure(name, parsed(text, FUNCTIONS, comparisons=False))
    known = {*outputs, *keys}
    for word in made.expression.names:
        if word not in known:
            raise InputError(
                f"measure {name}: unknown name {word!r}", found=repr(text[:80]),
                expected=f"an output ({', '.join(outputs) or 'the vehicle has none'}) or a varied key ({', '.join(keys)})",
            )  # fmt: skip
    sample = Curve(np.arange(3.0), np.arange(1.0, 4.0))
    try:
        found = made.expression.value({**dict.fromkeys(keys, 1.0), **dict.fromkeys(outputs, sample)})
    except InputError as error:
        raise InputError(f"measure {name}: {error.what}", found=repr(text[:80])) from None
    if isinstance(found, Curve):
        raise InputError(
            f"measure {name}: is a history, not a number", found=repr(text[:80]),
            expected="one of peak, rms, mean, max, min, final, settling, overshoot, ... around it",
        )  # fmt: skip
    return made
