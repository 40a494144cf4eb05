"""Events: a signal crosses a level.

Located on the dense output of [Hairer1993].
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import IntegrationError, VehicleError
from tisserand.multibody.joints import Joint
from tisserand.multibody.signals import Signal, joint_angle
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle

#: A joint that stopped at its limit may lie this far beyond it, rad or m.
_LOCATED = 1e-6
#: A joint that leaves an end stop or starts at a limit is this far inside, rad or m, so that the next crossing is seen.
INSIDE = 1e-12


@checked_arguments
@dataclass(frozen=True, eq=False)
class Event:
    """``signal`` crosses ``level``: direction +1 rising, -1 falling, 0 both; ``stop`` ends the run there.

    Attributes:
        name: of the event.
    """

    name: str
    signal: Signal
    level: float = 0.0
    direction: int = 0
    stop: bool = False


def limit_events(vehicle: Vehicle, stop: bool, stopped: Collection[tuple[str, int]] = ()) -> list[Event]:
    """One event per declared joint limit but those of joints and axes ``stopped`` by end stops."""
    events = []
    for joint in vehicle.joints:
        for axis, (low, high) in enumerate(joint.limits):
            if joint.motion[axis] is not None or (joint.name, axis) in stopped:
                continue
            for level, direction, word in ((low, -1, "lower"), (high, 1, "upper")):
                if abs(level) < float("inf"):
                    name = f"{joint.name} reached its {word} limit of {coordinate_words(joint, level, axis)}"
                    events.append(Event(name, joint_angle(joint.name, axis), level, direction, stop))
    return events


def coordinate_words(joint: Joint, value: float, axis: int) -> str:
    """A coordinate of a joint with its unit: m, or degrees and rad."""
    return f"{value:.6g} m" if joint.steps[axis] == "prismatic" else f"{np.degrees(value):.6g} deg ({value:.6g} rad)"


def barely_inside(vehicle: Vehicle, places: Mapping[str, Sequence[int]], y: FloatArray) -> None:
    """Set joints that start at a limit as far inside it as makes its crossing an event (in place).

    Args:
        vehicle: of the run.
        places: of every joint's coordinates in the state.
        y: the state.
    """
    for joint in vehicle.joints:
        for axis, (limits, motion) in enumerate(zip(joint.limits, joint.motion)):
            for level, outward in zip(limits, (-1.0, 1.0)):
                at = places[joint.name][axis] if motion is None and np.isfinite(level) else None
                if at is not None and -INSIDE < outward * (y[at] - level) <= _LOCATED:
                    y[at] = level - outward * INSIDE


def refuse_outside(vehicle: Vehicle, state: State) -> None:
    """Refuse an initial state in which a joint lies outside its limits; axes with prescribed motion are not watched."""
    for joint in vehicle.joints:
        if joint.kind in ("ball", "fixed"):
            continue
        given = np.atleast_1d(state.joints.get(joint.name, np.zeros(len(joint.limits))))
        for axis, (value, (low, high), motion) in enumerate(zip(given, joint.limits, joint.motion)):
            if motion is None and not low - _LOCATED <= value <= high + _LOCATED:
                raise VehicleError(
                    f"joint {joint.name} starts outside its limits",
                    where="state",
                    found=coordinate_words(joint, float(value), axis),
                    expected=f"{coordinate_words(joint, low, axis)} to {coordinate_words(joint, high, axis)}",
                    advice="change the initial value, or widen the limits",
                )


def refuse_flood(events: Sequence[Event], found: FloatArray, time: float) -> None:
    """Raise for a stretch of a run with more events than it can record, and name the most frequent.

    Args:
        events: that are watched for.
        found: (n, 2) number and time, s, of those recorded.
        time: reached, s.
    """
    numbers, counts = np.unique(found[:, 0].astype(int), return_counts=True)
    most = int(np.argmax(counts))
    raise IntegrationError(
        "more events than one stretch of a run records",
        where=f"t = {time:.9g} s",
        found=f"{len(found)} since t = {found[:, 1].min():.9g} s, {counts[most]} of them {events[numbers[most]].name}",
        advice="let the event stop the run, watch a smoother signal, or state a shorter segment",
    )
