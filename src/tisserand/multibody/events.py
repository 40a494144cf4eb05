"""Events: a signal crosses a level.

Located on the dense output of [Hairer1993].
"""

from __future__ import annotations

from dataclasses import dataclass

from tisserand.arguments import checked_arguments
from tisserand.multibody.signals import Signal, joint_angle
from tisserand.multibody.vehicle import Vehicle


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


def limit_events(vehicle: Vehicle, stop: bool) -> list[Event]:
    """One event per declared joint limit."""
    events = []
    for joint in vehicle.joints:
        if joint.kind == "ball":
            continue
        for axis, (low, high) in enumerate(joint.limits):
            if joint.motion[axis] is not None:
                continue
            for level, direction, word in ((low, -1, "lower"), (high, 1, "upper")):
                if abs(level) < float("inf"):
                    name = f"{joint.name} reached its {word} limit of {level:.6g}"
                    events.append(Event(name, joint_angle(joint.name, axis), level, direction, stop))
    return events
