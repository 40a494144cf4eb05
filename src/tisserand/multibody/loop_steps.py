"""Steps of vehicles with loops: every accepted step ends with a projection onto the loops, and so does every output.

Serves theory section 11.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.integrators import Stepper
from tisserand.multibody.loop_projection import Projector
from tisserand.multibody.recursive.endings import DONE, STOPPED, TOO_MANY_EVENTS, TOO_MANY_STEPS
from tisserand.multibody.recursive.stepping import STOPS

#: Methods that can start again from a corrected state after every step.
METHODS = ("dop853", "rk4", "Radau")


@dataclass(eq=False, kw_only=True)
class LoopStepper(Stepper):
    """A stepper whose steps end on the loops.

    history (outputs, loops, 2), if given: receives the largest residual, m, and rate, m/s, of each loop that steps since the
    output before had left.
    """

    single: ClassVar[bool] = True
    history: FloatArray | None = None
    drift: FloatArray = field(default_factory=lambda: np.zeros((0, 2)))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method not in METHODS:
            raise VehicleError(
                "the method cannot keep loops closed",
                where=f"vehicle {self.compiled.vehicle.name}",
                found=self.method,
                expected=", ".join(METHODS),
            )
        self.projector = Projector(self.compiled)
        self.drift = np.zeros((len(self.compiled.loops), 2))
        self.before = np.zeros(0)

    def advance(self, end: float, times: FloatArray, Y: FloatArray, first: int) -> int:
        """As of every stepper; Y is closed too."""
        happened: list[FloatArray] = []
        while True:
            status = self._one(end, times, Y, first)
            happened += [row.copy() for row in self.found[: int(self.stats["events"])]]
            last = max(first, int(np.searchsorted(times, self.time, side="right")))
            failed = self._close(times, Y, first, last)
            if status != STOPPED and not failed:
                failed = self._crossed(happened)
            first, status = last, failed or status
            going = status == TOO_MANY_STEPS and self.stats["steps"] + self.stats["rejected"] < self.max_steps
            if not going and not (status == DONE and self.time < end):
                break
        self.stats["events"] = min(len(happened), len(self.found))
        for i, row in enumerate(happened[: len(self.found)]):
            self.found[i] = row
        return status if len(happened) <= len(self.found) else TOO_MANY_EVENTS

    def _one(self, end: float, times: FloatArray, Y: FloatArray, first: int) -> int:
        """One step, accepted or not; methods of scipy project inside their own steps."""
        if self.method == "rk4":
            if self.stats["steps"] >= self.max_steps:
                return TOO_MANY_STEPS
            target = float(times[first]) if first < len(times) and self.time < times[first] < end else end
            count = max(int(np.ceil((target - self.time) / self.max_step - 1e-9)), 1)
            return super().advance(self.time + (target - self.time) / count if count > 1 else target, times, Y, first)
        return super().advance(end, times, Y, first)

    def _close(self, times: FloatArray, Y: FloatArray, first: int, last: int) -> int:
        """Project the state reached and the outputs of the step; status."""
        self.before = self._event_values()
        status, found = self.projector.close(self.time, self.y, self.U)
        self.drift = np.maximum(self.drift, found)
        for i in range(first, last):
            self.projector.close(times[i], Y[i], self.U.copy(), counted=False)
        if last > first:
            if self.history is not None:
                self.history[first:last] = self.drift
            self.drift = np.zeros_like(self.drift)
        return status

    def _crossed(self, happened: list[FloatArray]) -> int:
        """Add the events that the projection has crossed; status."""
        status = 0
        for e, (a, b) in enumerate(zip(self.before, self._event_values())):
            way = int(self.event_ways[e])
            stops = way >= STOPS // 2
            sign = way - STOPS if stops else way
            if (a < 0.0 <= b and sign >= 0) or (a > 0.0 >= b and sign <= 0):
                happened.append(np.array([e, self.time]))
                status = STOPPED if stops else status
        return status

    def _event_values(self) -> FloatArray:
        if not len(self.event_signals):
            return np.zeros(0)
        return np.asarray(self.signals()[self.event_signals] - self.event_levels)

    def after_step(self, solver: Any) -> None:
        """Project the state of a solver of scipy."""
        y = np.ascontiguousarray(solver.y)
        _, found = self.projector.close(solver.t, y, self.U)
        self.drift = np.maximum(self.drift, found)
        solver.y = y
        solver.f = solver.fun(solver.t, y)
