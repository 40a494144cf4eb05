"""What makes loops hold and let go during a run: times, events, impacts, sticking and slipping.

Serves theory section 12.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.events import INSIDE, Event, refuse_flood
from tisserand.multibody.integrators import Stepper
from tisserand.multibody.loads import Load
from tisserand.multibody.loop_projection import NEARLY, Projector, redundancy_words, redundant_rows, refuse_open
from tisserand.multibody.loop_steps import LoopStepper
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.endings import STOPPED, TOO_MANY_EVENTS
from tisserand.multibody.recursive.kernels import loop_kernels
from tisserand.multibody.recursive.loop_endings import APART
from tisserand.multibody.recursive.loop_rows import LOST
from tisserand.multibody.recursive.stepping import STOPS
from tisserand.multibody.signals import joint_angle, joint_rate, loop_force
from tisserand.multibody.trajectory_parts import EventRecord
from tisserand.multibody.vehicle import Vehicle


@dataclass(frozen=True, eq=False)
class Watch:
    """An event that switches a loop: number of the loop, what it stands for, and the event itself."""

    loop: int
    what: str
    event: Event


def switch_events(vehicle: Vehicle, loads: Sequence[Load]) -> list[Watch]:
    """The crossings to watch for, all of which interrupt the integration."""
    watched: list[Watch] = []
    for i, load in enumerate(load for load in loads if load.loop is not None):
        loop = load.loop
        assert loop is not None
        for word, when in (("begin", loop.begin), ("end", loop.end)):
            if isinstance(when, Event):
                watched.append(Watch(i, word, replace(when, stop=True)))
        if loop.kind == "stop":
            low, high = vehicle.joint(loop.joints[0]).limits[loop.axes[0]]
            angle = joint_angle(loop.joints[0], loop.axes[0], f"{load.name}.angle")
            force = loop_force(load.name, 0, f"{load.name}.push")
            watched += [
                Watch(i, "lower", Event(load.name, angle, low, -1, True)),
                Watch(i, "upper", Event(load.name, angle, high, 1, True)),
                Watch(i, "leave", Event(load.name, force, 0.0, 0, True)),
            ]
        if loop.kind == "friction":
            rate = joint_rate(loop.joints[0], loop.axes[0], f"{load.name}.rate")
            force = loop_force(load.name, 0, f"{load.name}.grip")
            watched += [
                Watch(i, "rest", Event(load.name, rate, 0.0, 0, True)),
                Watch(i, "slip up", Event(load.name, force, -loop.friction[1], -1, True)),
                Watch(i, "slip down", Event(load.name, force, loop.friction[1], 1, True)),
            ]
    return watched


def stopped_axes(vehicle: Vehicle, loads: Sequence[Load]) -> set[tuple[str, int]]:
    """Joints and axes with end stops, all of which must have limits."""
    found = {(x.element.target, x.element.axis) for x in loads if x.element and x.element.kind == "end_stop"}
    found |= {(x.loop.joints[0], x.loop.axes[0]) for x in loads if x.loop and x.loop.kind == "stop"}
    for name, axis in found:
        limits = vehicle.joint(name).limits
        if axis >= len(limits) or not np.isfinite(limits[axis]).any():
            raise VehicleError(
                "an end stop needs a joint with limits", where=f"joint {name}", advice="give the joint limits"
            )
    return found


def held_by_others(compiled: CompiledVehicle, U: FloatArray, i: int) -> bool:
    """Whether a lock or a stop holds the joint axis of a loop, so that friction there has nothing to do."""
    loop = compiled.loops[i].loop
    return any(
        k != i
        and one.loop.kind in ("lock", "stop")
        and (one.loop.joints[0], one.loop.axes[0]) == (loop.joints[0], loop.axes[0])
        and U[one.on] != 0.0
        for k, one in enumerate(compiled.loops)
    )


def first_levels(compiled: CompiledVehicle, y: FloatArray, U: FloatArray) -> None:
    """Locks hold where joints stand; joints with friction stick at rest and slip where they move (U, in place).

    Friction of a joint that something else holds does neither: it is off, at the level 0.
    """
    for i, one in enumerate(compiled.loops):
        loop = one.loop
        if not loop.joints:
            continue
        q, u = (places[loop.joints[0]][loop.axes[0]] for places in (compiled.joint_q, compiled.joint_u))
        if loop.level is None or loop.kind == "friction":
            U[one.level] = y[q]
        if loop.kind == "friction" and held_by_others(compiled, U, i):
            U[one.on], U[one.level] = 0.0, 0.0
        elif loop.kind == "friction" and y[u] != 0.0:
            U[one.on], U[one.level] = 0.0, np.sign(y[u])


def closed_start(compiled: CompiledVehicle, y: FloatArray, U: FloatArray, start: float) -> tuple[str, ...]:
    """Close the loops of a first state exactly (in place); it must be nearly closed. What is doubtful, in words."""
    if not compiled.loops:
        return ()
    first_levels(compiled, y, U)
    projector = Projector(compiled)
    refuse_open(projector, start, y, U)
    projector.close(start, y, U, counted=False)
    return tuple(redundancy_words(redundant_rows(projector, start, y, U)))


def noted(
    happened: list[EventRecord], events: Sequence[Event], stepper: Stepper, switches: Switches | None, status: int
) -> bool:
    """Note the events of a stretch and switch what they switch; whether the run goes on although one stopped it."""
    switched = False
    found = stepper.found[: int(stepper.stats["events"])]
    if status == TOO_MANY_EVENTS:
        refuse_flood(events, found, stepper.time)
    for i, when in found[np.argsort(found[:, 1], kind="stable")]:
        if status == STOPPED and when > stepper.time:  # of the part of the step that is taken back
            continue
        if switches is None or i < switches.first:
            happened.append(EventRecord(events[int(i)].name, float(when)))
        elif status == STOPPED and when == stepper.time and not switched:
            happened += switches.crossed(int(i))
            switched = True
    if switches is not None and (switched or not status):
        happened += switches.due()
    return switched


class Switches:
    """The switches of one run.

    Args:
        stepper: of the run.
        watched: its events, as of ``switch_events``.
        first: number of the first of them among the events of the stepper.
    """

    def __init__(self, stepper: LoopStepper, watched: Sequence[Watch], first: int) -> None:
        self.stepper, self.watched, self.first = stepper, list(watched), first
        self.c, self.projector = stepper.compiled, Projector(stepper.compiled)
        self.lost = self.c.driven_place(LOST)
        self.times = sorted(
            {t for one in self.c.loops for t in (one.loop.begin, one.loop.end) if isinstance(t, float | int)}
        )
        self.done: set[tuple[int, str]] = set()
        self.failure = ""
        for i in range(len(self.c.loops)):
            self._arm(i)

    def start(self) -> list[EventRecord]:
        """Joints with friction stick or slip; what is due at the start is switched."""
        for i, one in enumerate(self.c.loops):
            if one.loop.kind == "friction" and self.stepper.U[one.on] != 0.0:
                self._stick(i)
            self._arm(i)
        return self.due()

    def _place(self, i: int) -> int:
        loop = self.c.loops[i].loop
        return self.c.joint_q[loop.joints[0]][loop.axes[0]]

    def _rate(self, i: int) -> float:
        loop = self.c.loops[i].loop
        return float(self.stepper.y[self.c.joint_u[loop.joints[0]][loop.axes[0]]])

    def _arm(self, i: int) -> None:
        """Only what can happen next is watched: a level of NaN is never crossed."""
        on, kind = self.stepper.U[self.c.loops[i].on] != 0.0, self.c.loops[i].loop.kind
        for k, watch in enumerate(self.watched):
            if watch.loop != i:
                continue
            what = watch.what
            live = {"begin": not on, "end": on, "leave": on, "rest": not on, "slip up": on, "slip down": on}.get(
                what, not on
            )
            live = live and (i, what) not in self.done
            e, way = self.first + k, watch.event.direction
            if kind == "friction" and what == "rest":
                way = -int(np.sign(self.stepper.U[self.c.loops[i].level]))
                live = live and way != 0
            self.stepper.event_levels[e] = watch.event.level if live else np.nan
            self.stepper.event_ways[e] = way + STOPS

    def due(self) -> list[EventRecord]:
        """Switch what is due by time; what happened."""
        now, words = self.stepper.time, list[str]()
        for i, one in enumerate(self.c.loops):
            for what in ("begin", "end"):
                when = getattr(one.loop, what)
                if isinstance(when, float | int) and when <= now and (i, what) not in self.done:
                    words.append(self._switch(i, what))
        self._settle()
        return [EventRecord(one, now) for one in words]

    def crossed(self, event: int) -> list[EventRecord]:
        """Switch what an event of the stepper switches; what happened."""
        words = self._answer(event)
        self._settle()
        return [EventRecord(words, self.stepper.time)]

    def _settle(self) -> None:
        """Friction rests where something else holds its joint, and sticks or slips again when that lets go."""
        U = self.stepper.U
        for i, one in enumerate(self.c.loops):
            if one.loop.kind != "friction":
                continue
            resting = U[one.on] == 0.0 and U[one.level] == 0.0
            held = held_by_others(self.c, U, i)
            if held and not resting:
                U[one.on], U[one.level] = 0.0, 0.0
            elif resting and not held:
                self._stick(i) if self._rate(i) == 0.0 else self._slip(i, float(np.sign(self._rate(i))))
            else:
                continue
            self._again(i)

    def _answer(self, event: int) -> str:
        watch = self.watched[event - self.first]
        what, i = watch.what, watch.loop
        if what in ("begin", "end"):
            return self._switch(i, what)
        if what in ("lower", "upper"):
            return self._hit(i, watch.event.level)
        if what == "leave":
            return self._let_go(i, "is left")
        if what == "rest":
            self._stick(i)
        else:
            self._slip(i, 1.0 if what == "slip up" else -1.0)
        self._again(i)
        stuck = self.stepper.U[self.c.loops[i].on] != 0.0
        return f"{self.c.loops[i].name}: the joint {'sticks' if stuck else 'slips'}"

    def _again(self, i: int) -> None:
        """Start the integrator anew."""
        self.stepper.step_size = 0.0
        self._arm(i)

    def _switch(self, i: int, what: str) -> str:
        self.done.add((i, what))
        one, y, U = self.c.loops[i], self.stepper.y, self.stepper.U
        if what == "end":
            return self._let_go(i, "lets go")
        if one.loop.level is None:
            U[one.level] = y[self._place(i)]
        U[one.on] = 1.0
        gap = float(self.projector.residuals(self.stepper.time, y, U)[i, 0])
        if gap > NEARLY * one.size * 1e3:
            U[one.on] = 0.0
            self.failure = f"{one.name} should begin to hold, but is open by {gap:.3g} m"
            return self.failure
        before = float(U[self.lost])
        self._strike(i, 0.0)
        self._again(i)
        return f"{one.name} holds, {U[self.lost] - before:.6g} J lost"

    def _let_go(self, i: int, words: str) -> str:
        one, s = self.c.loops[i], self.stepper
        s.U[one.on] = 0.0
        if one.loop.kind == "stop":
            s.y[self._place(i)] -= INSIDE * (-1.0 if s.U[one.level] == self._limits(i)[0] else 1.0)
        self._again(i)
        return f"{self.c.loops[i].name} {words}"

    def _strike(self, i: int, restitution: float) -> FloatArray:
        """An impact of a loop that holds; its impulses."""
        c, s = self.c, self.stepper
        given = (c.inner_M, c.F, self.projector.W, s.U, float(s.time), s.y, self.projector.buffers)
        status = loop_kernels().impact(*given, i, restitution, self.lost)
        if status:
            self.failure = f"the impact of {c.loops[i].name} contradicts other loops or a prescribed motion"
        elif self.projector.close(s.time, s.y, s.U)[0] == APART:
            self.failure = f"{c.loops[i].name} cannot be closed"
        place = c.loops[i].multipliers
        return np.array(s.U[place : place + c.loops[i].rows])

    def _hit(self, i: int, level: float) -> str:
        """A joint at its end stop: it rebounds, or stays."""
        one, s = self.c.loops[i], self.stepper
        s.U[one.on], s.U[one.level] = 1.0, level
        before = float(s.U[self.lost])
        e = one.loop.restitution if one.loop.restitution * abs(self._rate(i)) > one.loop.settle_rate else 0.0
        given = (self.c.inner_M, self.c.F, self.projector.W, s.U, float(s.time), s.y, self.projector.buffers)
        if loop_kernels().impact(*given, i, e, self.lost):
            self.failure = f"the impact of {one.name} contradicts other loops or a prescribed motion"
        outward = -1.0 if level == self._limits(i)[0] else 1.0
        if e > 0.0 or not self._force(i) * outward < 0.0:
            s.U[one.on] = 0.0
            s.y[self._place(i)] = level - INSIDE * outward
        self._again(i)
        return f"{one.name}: the joint {'rebounds' if e > 0.0 else 'rests'}, {s.U[self.lost] - before:.6g} J lost"

    def _limits(self, i: int) -> tuple[float, float]:
        loop = self.c.loops[i].loop
        low, high = self.c.vehicle.joint(loop.joints[0]).limits[loop.axes[0]]
        return float(low), float(high)

    def _force(self, i: int) -> float:
        """Force of the first row of a loop at the present state."""
        self.stepper.rhs(self.stepper.time, self.stepper.y)
        return float(self.stepper.U[self.c.loops[i].multipliers])

    def _stick(self, i: int) -> None:
        """A joint with friction at rest: it sticks if that takes less than its grip."""
        one, s = self.c.loops[i], self.stepper
        s.U[one.on], s.U[one.level] = 1.0, s.y[self._place(i)]
        grip = self._force(i)
        if abs(grip) > one.loop.friction[1]:
            self._slip(i, -float(np.sign(grip)))

    def _slip(self, i: int, direction: float) -> None:
        one = self.c.loops[i]
        self.stepper.U[one.on], self.stepper.U[one.level] = 0.0, direction
