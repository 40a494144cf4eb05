"""Thrusters that are on or off: one pulse per period, its length in quanta and not below the minimum; the log of firings.

Serves the loads of theory section 3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.allocation import Allocation
from tisserand.multibody.controllers import LinearController, SampledController, sampled
from tisserand.multibody.discrete_law import Discretization
from tisserand.multibody.loads import Load
from tisserand.multibody.trajectory import Trajectory


@checked_arguments
@dataclass(frozen=True, eq=False)
class PulsedController(SampledController):
    """Thrusters fire once per ``period``, so long that their mean is what the law commands.

    A pulse lasts ``command / thrust`` of the period, rounded to whole ``quantum``s; one shorter than ``minimum_on`` is left out.
    If a thruster would need more than the period, all pulses are shortened alike, which keeps their direction.

    Attributes:
        thrust: of each output while it fires, N or N m.
        minimum_on: shortest pulse, s: the minimum impulse is thrust times this.
        quantum: of the time on, s; 0: any.
        doubts: sentences about what the set cannot do.
    """

    _: KW_ONLY
    thrust: tuple[float, ...] = ()
    minimum_on: float = 0.0
    quantum: float = 0.0
    doubts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        where = f"controller {self.name}"
        object.__setattr__(self, "on_off", True)
        if self.hold != "zero":
            raise VehicleError("pulses have no first-order hold", where=where, found=self.hold, expected="zero")
        if len(self.thrust) != len(self.outputs) or not all(t > 0.0 for t in self.thrust):
            raise VehicleError("every thruster needs a positive thrust", where=where, found=list(self.thrust))
        for word in ("minimum_on", "quantum"):
            if not 0.0 <= getattr(self, word) <= self.period:
                raise VehicleError(
                    f"{word} must lie between 0 and the period",
                    where=where,
                    found=getattr(self, word),
                    expected=self.period,
                )

    def times_on(self, commands: FloatArray) -> FloatArray:
        """Length of the pulse of each thruster, s.

        Args:
            commands: mean thrusts (m,); negative ones count as zero.
        """
        on = self.period * np.maximum(commands, 0.0) / np.array(self.thrust)
        longest = float(on.max(initial=0.0))
        if longest > self.period:
            on = on * (self.period / longest)
        if self.quantum:
            on = np.minimum(self.quantum * np.round(on / self.quantum), self.period)
        shortest = self.minimum_on * (1.0 - 1e-9)
        return np.where((on >= shortest) & (on > 0.0), on, 0.0)

    def actions(
        self, time: float, values: FloatArray, law: Callable[[float, FloatArray], ArrayLike]
    ) -> list[tuple[float, Any, FloatArray]]:
        """Valves open together and close one by one.

        Args:
            time: s.
            values: of the inputs.
            law: of this run.
        """
        on = self.times_on(self.commands(time, values, law))
        done: list[tuple[float, Any, FloatArray]] = [
            (self.delay, slice(None), np.where(on > 0.0, np.array(self.thrust), 0.0))
        ]
        for i in np.flatnonzero((on > 0.0) & (on < self.period * (1.0 - 1e-9))):
            done.append((self.delay + float(on[i]), [int(i)], np.zeros(1)))
        return done


class _AllocatedLaw:
    """A law of demands with a deadband on its first inputs, shared among actuators."""

    def __init__(self, law: Any, allocation: Allocation, deadband: float, errors: int) -> None:
        self.law, self.allocation, self.deadband, self.errors = law, allocation, deadband, errors

    def begin(self) -> Callable[[float, FloatArray], FloatArray]:
        law = self.law.begin()

        def shared(time: float, values: FloatArray) -> FloatArray:
            seen = np.array(values)
            near = seen[: self.errors]
            seen[: self.errors] = near - np.clip(near, -self.deadband, self.deadband)
            return self.allocation.commands(law(time, seen))

        return shared

    def __call__(self, time: float, values: FloatArray) -> FloatArray:
        """The commands of the first sample."""
        return self.begin()(time, values)


@checked_arguments
def pulsed(
    controller: LinearController,
    thrusters: Sequence[Load],
    thrust: Sequence[float],
    allocation: Allocation,
    *,
    period: float,
    delay: float = 0.0,
    minimum_on: float = 0.0,
    quantum: float = 0.0,
    deadband: float = 0.0,
    method: Discretization = "zoh",
) -> PulsedController:
    """A law of demands, such as ``attitude_pd`` with ideal torques, by pulses of thrusters.

    Args:
        controller: its outputs are the demands, one per axis of the allocation.
        thrusters: loads that fire; ``loads.force`` with no strength.
        thrust: of each, N.
        allocation: one-sided; ``torque_effect`` gives its table.
        period: one pulse each, s.
        delay: from sample to opening, s.
        minimum_on: shortest pulse, s.
        quantum: of the time on, s.
        deadband: attitude errors within it count as zero, rad.
        method: how the states of the law are made discrete.
    """
    if len(controller.outputs) != allocation.effect.shape[0]:
        raise VehicleError(
            "the law and the allocation differ in the number of axes",
            where=f"controller {controller.name}",
            found=len(controller.outputs),
            expected=allocation.effect.shape[0],
        )
    law = sampled(controller, period, method=method).law
    errors = sum(signal.kind == "attitude" for signal in controller.inputs)
    shared = _AllocatedLaw(law, allocation, deadband, errors)
    return PulsedController(
        controller.name, controller.inputs, tuple(thrusters), shared, period, delay, thrust=tuple(thrust),
        minimum_on=minimum_on, quantum=quantum, doubts=allocation.doubts(f"controller {controller.name}"),
    )  # fmt: skip


@dataclass(frozen=True)
class Firing:
    """A thruster that was on from ``start`` for ``duration`` s with ``strength`` N or N m."""

    thruster: str
    start: float
    duration: float
    strength: float

    @property
    def impulse(self) -> float:
        """N s or N m s."""
        return self.duration * self.strength


@checked_arguments
def firing_log(run: Trajectory) -> tuple[Firing, ...]:
    """Every firing of on-off thrusters in a run, in the order of their start; the last may have been on at its end."""
    logged = run.settings.get("firings", {})
    found = [Firing(name, *map(float, one)) for name, rows in logged.items() for one in rows]
    return tuple(sorted(found, key=lambda one: (one.start, one.thruster)))
