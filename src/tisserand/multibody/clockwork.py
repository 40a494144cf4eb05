"""What happens at samples: sensors are read, laws are called, and what they say arrives after its delay.

Serves the loads of theory section 3.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.controllers import SampledController
from tisserand.multibody.recursive.engine_model import POSE
from tisserand.multibody.recursive.wiring import Wiring
from tisserand.multibody.sensor_errors import ErrorStream
from tisserand.multibody.signals import Signal


@dataclass(eq=False)
class _Ticking:
    """Due at start + count period."""

    start: float
    period: float
    count: int = 0

    @property
    def due(self) -> float:
        return self.start + self.count * self.period


@dataclass(eq=False)
class _Sensor(_Ticking):
    """truth: number of the true signal, or -1 of a measurement."""

    signal: Signal | None = None
    truth: int = -1
    place: int = 0
    stream: ErrorStream | None = None


@dataclass(eq=False, kw_only=True)
class _Law(_Ticking):
    """law: with the states of this run."""

    controller: SampledController | None = None
    inputs: Any = None
    places: Any = None
    law: Any = None
    before: Any = None

    def held(self, sent: float, after: float, outputs: Any, commands: FloatArray) -> tuple[float, Any, FloatArray]:
        """When, where and what a command sent at a time sets: itself, or for a first-order hold value, slope and time."""
        assert self.controller is not None
        when = sent + after
        if self.controller.hold == "zero":
            return when, self.places[outputs], commands
        slope = np.zeros_like(commands) if self.before is None else (commands - self.before) / self.period
        self.before = commands
        return when, self.places, np.concatenate([commands, slope, np.full_like(commands, when)])


class Clockwork:
    """Sampled sensors and laws of one run.

    Args:
        wiring: of the vehicle.
        start: time of the first samples, s.
        read: all signals at the present state.
        measure: a measurement (accelerometer, joint load, node rotation) at the present state.
        U: held inputs, changed in place.
    """

    def __init__(
        self,
        wiring: Wiring,
        start: float,
        *,
        read: Callable[[], FloatArray],
        measure: Callable[[Any], float],
        U: FloatArray,
    ) -> None:
        self._read, self._measure, self._U = read, measure, U
        self._under_way: list[tuple[float, Any, Any]] = []
        self._valves: dict[int, tuple[str, list[tuple[float, float]]]] = {}
        for c, _, places in wiring.sampled:
            names = (f"{c.name}/{load.name}" for load in c.outputs)
            self._valves |= {POSE + place: (name, []) for place, name in zip(places, names) if c.on_off}
        self._sensors = [
            _Sensor(
                start, s.errors.period, signal=s, truth=truth, place=POSE + wiring.held.index(name),
                stream=ErrorStream(s.errors, s.name),
            )
            for s, truth, name in wiring.readings
            if s.errors is not None
        ]  # fmt: skip
        self._laws = [
            _Law(
                start, c.period, controller=c, inputs=inputs, places=POSE + np.array(places, np.int64), law=c.begun(),
            )
            for c, inputs, places in wiring.sampled
        ]  # fmt: skip

    def upcoming(self) -> list[float]:
        """Times of the next samples and arrivals, s."""
        return [*(one.due for one in (*self._sensors, *self._laws)), *(entry[0] for entry in self._under_way)]

    def tick(self, time: float) -> bool:
        """Do what is due; whether something arrived."""
        late = time + 1e-12 * max(1.0, abs(time))
        if not any(due <= late for due in self.upcoming()):
            return False
        arrived = self._sample_sensors(time, late)
        arrived |= self._arrive(late)
        called = [one for one in self._laws if one.due <= late]
        values = self._read() if called else np.zeros(0)
        for one in called:
            assert one.controller is not None
            one.count += 1
            for after, outputs, commands in one.controller.actions(time, values[one.inputs], one.law):
                self._under_way.append(one.held(time, after, outputs, commands))
        return self._arrive(late) or arrived

    def _sample_sensors(self, time: float, late: float) -> bool:
        """Read the sensors that are due; a sensor shows its first reading at once, as of a state that lasted before the start."""
        due = [one for one in self._sensors if one.due <= late]
        values = self._read() if any(one.truth >= 0 for one in due) else np.zeros(0)
        first = False
        for one in due:
            assert one.signal is not None and one.signal.errors is not None and one.stream is not None
            truth = float(values[one.truth]) if one.truth >= 0 else self._measure(one.signal.measures)
            reading = one.stream.reading(truth)
            if not one.count:
                self._U[one.place] = reading
                first = True
            one.count += 1
            self._under_way.append((time + one.signal.errors.latency, one.place, reading))
        return first

    def _arrive(self, late: float) -> bool:
        """Let everything arrive whose time has come, in the order in which it was sent."""
        due = [entry for entry in self._under_way if entry[0] <= late]
        self._under_way = [entry for entry in self._under_way if entry[0] > late]
        for when, places, values in due:
            self._U[places] = values
            if self._valves:
                self._log(when, np.atleast_1d(places))
        return bool(due)

    def _log(self, when: float, places: Any) -> None:
        """Remember valves that changed."""
        for place in places.tolist():
            if place in self._valves:
                changes = self._valves[place][1]
                if float(self._U[place]) != (changes[-1][1] if changes else 0.0):
                    changes.append((when, float(self._U[place])))

    def firings(self, now: float) -> dict[str, list[list[float]]]:
        """Start, duration and strength of every firing so far, by thruster; one that is on counts until ``now``."""
        logged = {}
        for name, changes in self._valves.values():
            ends = [when for when, _ in changes[1:]] + [now]
            logged[name] = [[when, end - when, value] for (when, value), end in zip(changes, ends) if value]
        return logged
