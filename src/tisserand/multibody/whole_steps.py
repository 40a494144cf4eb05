"""Steps of scipy's methods as its event search sees them: in two parts where an event happens there and back.

``solve_ivp`` compares events at the ends of steps. A step that hides two crossings is shown up to the place between them first,
then to its end; the solver itself does not notice. Serves theory section 12.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray

#: Where a step is sampled, parts of it; a parabola may be wrong by this part of the spread of its samples.
PARTS, DOUBT = np.linspace(0.0, 1.0, 5), 0.1

Function = Callable[[float, FloatArray], float]


def hidden_place(functions: Sequence[Function], begin: float, end: float, at: Callable[[float], FloatArray]) -> float:
    """Time in a step at which an event is on its other side, though not at its ends; NaN where none is.

    Args:
        functions: events, zero where they happen.
        begin: of the step, s.
        end: of the step, s.
        at: dense output: the state at a time within the step.
    """
    from scipy.optimize import minimize_scalar

    if not functions:
        return np.nan
    times = begin + (end - begin) * PARTS
    states = [at(float(t)) for t in times]
    for function in functions:
        values = np.array([function(float(t), y) for t, y in zip(times, states)])
        if not values[0] * values[-1] > 0.0:
            continue
        values *= np.sign(values[0])
        k = int(np.argmin(values))
        if values[k] < 0.0:
            return float(times[k])
        k = min(max(k, 1), len(PARTS) - 2)
        near = slice(k - 1, k + 2)
        bend, slope, level = np.polyfit(PARTS[near], values[near], 2)
        if bend <= 0.0 or not PARTS[k - 1] < -slope / (2.0 * bend) < PARTS[k + 1]:
            continue
        low, least = level - slope**2 / (4.0 * bend), values[near].min()
        if low > least - low + DOUBT * np.ptp(values[near]):
            continue
        side = float(np.sign(function(float(times[0]), states[0])))
        found: Any = minimize_scalar(
            partial(_toward, side, function, at), bounds=(times[k - 1], times[k + 1]), method="bounded"
        )
        if found.fun < 0.0:
            return float(found.x)
    return np.nan


def _toward(side: float, function: Function, at: Callable[[float], FloatArray], time: float) -> float:
    """Value of an event at a time, positive where it has the sign of the ends of the step."""
    return side * function(time, at(time))


def counted(base: Any, stats: Any, most: int, after: Callable[[Any], None], functions: Sequence[Function]) -> Any:
    """A method of scipy with steps that are counted, corrected by ``after``, and shown in two parts where they hide an event.

    Args:
        base: the method.
        stats: its ``steps`` are counted there.
        most: steps after which it fails.
        after: called with the solver after every step.
        functions: events.
    """

    class Counted(base):  # type: ignore[misc]
        t: float
        y: FloatArray
        status: str
        _rest: tuple[float, FloatArray, str] | None = None
        _dense: Any = None

        def step(self) -> str | None:
            if self._rest is not None:
                self.t_old, (self.t, self.y, self.status), self._rest = self.t, self._rest, None
                return None
            if stats["steps"] >= most:
                self.status = "failed"
                return "too many steps"
            stats["steps"] += 1
            self._dense = None
            message = super().step()
            after(self)
            if functions and self.status != "failed":
                self._dense = super().dense_output()
                place = hidden_place(functions, self.t_old, self.t, self._dense)
                if self.t_old < place < self.t:
                    self._rest = self.t, self.y, self.status
                    self.t, self.y, self.status = place, self._dense(place), "running"
            return message  # type: ignore[no-any-return]

        def dense_output(self) -> Any:
            return super().dense_output() if self._dense is None else self._dense

    return Counted
