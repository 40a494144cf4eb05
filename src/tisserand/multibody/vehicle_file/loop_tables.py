"""Loops, locks, latches and stops of a vehicle file: places or joints that cannot move independently."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from tisserand.declarations import Declared, Key, one_of, option, ruled, tagged_by
from tisserand.multibody import latches, loops
from tisserand.multibody.element_law import Anchor
from tisserand.multibody.events import Event
from tisserand.multibody.loads import Load
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file.element_tables import EndTable
from tisserand.multibody.vehicle_file.file_values import DEGREE, Direction, known_joint
from tisserand.multibody.vehicle_file.profile_tables import ProfileValue, profile_of


class _Held(Declared):
    begin: float | str | None = option(None, "time (s) or name of an event from which it holds; default: the start")
    end: float | str | None = option(None, "time (s) or name of an event at which it lets go; default: never")


class _Tied(_Held):
    first: EndTable = option(..., "the end that carries the axes")
    second: EndTable = option(..., "the other end")

    def ends(self, vehicle: Vehicle, key: Key) -> tuple[Anchor, Anchor]:
        return self.first.anchor(vehicle, key.at("first")), self.second.anchor(vehicle, key.at("second"))


class PointLoop(_Tied):
    """Two places coincide."""

    kind: Literal["point"] = option(..., "kind of loop")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        return loops.point_loop(*self.ends(vehicle, key), name=name)


class LineLoop(_Tied):
    """The second place stays on a line through the first."""

    kind: Literal["line"] = option(..., "kind of loop")
    direction: Direction = option(..., "of the line, in axes of the first end")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        return loops.line_loop(*self.ends(vehicle, key), self.direction, name=name)


class PlaneLoop(_Tied):
    """The second place stays in a plane through the first."""

    kind: Literal["plane"] = option(..., "kind of loop")
    normal: Direction = option(..., "of the plane, in axes of the first end")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        return loops.plane_loop(*self.ends(vehicle, key), self.normal, name=name)


class HingeLoop(_Tied):
    """Two places coincide, and an axis is common to both ends."""

    kind: Literal["hinge"] = option(..., "kind of loop")
    axis: Direction = option(..., "in axes of either end")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        return loops.hinge_loop(*self.ends(vehicle, key), self.axis, name=name)


class WeldLoop(_Tied):
    """Places and axes of both ends coincide."""

    kind: Literal["weld"] = option(..., "kind of loop")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        return loops.weld_loop(*self.ends(vehicle, key), name=name)


class DistanceLoop(_Tied):
    """A massless rod between two places."""

    kind: Literal["distance"] = option(..., "kind of loop")
    length: ProfileValue = option(..., "of the rod", unit="m")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        ends = self.ends(vehicle, key)
        with key.at("length").blamed():
            length = float(self.length) if isinstance(self.length, (int, float)) else profile_of(self.length)
            return loops.distance_loop(*ends, length, name=name)


class GearLoop(_Held):
    """Two joint axes move in proportion: q of 'joint' less ratio times q of 'driver' is 'level'."""

    kind: Literal["gear"] = option(..., "kind of loop")
    joint: str = option(..., "the joint that is driven")
    axis: int = option(1, "axis of a joint with several: 1, 2 or 3", at_least=1)
    driver: str = option(..., "the joint that drives it")
    driver_axis: int = option(1, "axis of a joint with several: 1, 2 or 3", at_least=1)
    ratio: float = option(..., "motion of the joint per motion of the driver", unit="rad/rad or m/rad")
    level: ProfileValue = option(0.0, "difference that is kept", unit="rad or m")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        joint = known_joint(key, self.joint, vehicle, self.axis)
        known = {item.name: item for item in vehicle.joints}
        if self.driver not in known:
            raise key.at("driver").unknown(self.driver, known, "is not a joint")
        with key.blamed():
            level = float(self.level) if isinstance(self.level, (int, float)) else profile_of(self.level)
            return loops.gear(
                joint, self.driver, self.ratio, first_axis=self.axis - 1, second_axis=self.driver_axis - 1, level=level,
                name=name,
            )  # fmt: skip


class Rolling(_Tied):
    """A sphere about the second end rolls on a plane through the first."""

    kind: Literal["rolling"] = option(..., "kind of loop")
    normal: Direction = option(..., "of the plane, toward the sphere, in axes of the first end")
    radius: float = option(..., "of the sphere", unit="m", above=0.0)

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        return loops.rolling(*self.ends(vehicle, key), self.normal, self.radius, name=name)


class Skate(_Tied):
    """The second place does not move sideways against the body of the first."""

    kind: Literal["skate"] = option(..., "kind of loop")
    across: Direction = option(..., "across the blade, in axes of the second end")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        return loops.skate(*self.ends(vehicle, key), self.across, name=name)


class _AtJoint(Declared):
    joint: str = option(..., "the joint")
    axis: int = option(1, "axis of a joint with several: 1, 2 or 3", at_least=1)


class Lock(_AtJoint, _Held):
    """A joint axis that is held."""

    kind: Literal["lock"] = option(..., "kind of loop")
    level: float | None = option(None, "coordinate that is held; default: where the joint stands then", unit="rad or m")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        joint = known_joint(key, self.joint, vehicle, self.axis)
        return latches.joint_lock(joint, axis=self.axis - 1, level=self.level, name=name)


class Latch(_AtJoint):
    """A latch that locks a joint where it passes an angle."""

    kind: Literal["latch"] = option(..., "kind of loop")
    angle: float | None = option(None, "angle of a hinge, or coordinate of a slider", unit="rad or m")
    angle_deg: float | None = option(None, "the same for angles", unit="deg")
    direction: Literal["both", "rising", "falling"] = option("both", "which way it latches")

    _one_angle = ruled(one_of("angle", "angle_deg"))

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        joint = known_joint(key, self.joint, vehicle, self.axis)
        angle = self.angle if self.angle_deg is None else DEGREE * self.angle_deg
        assert angle is not None
        way = {"both": 0, "rising": 1, "falling": -1}[self.direction]
        return latches.latch(joint, angle, axis=self.axis - 1, direction=way, name=name)


class EndStop(_AtJoint):
    """End stops at the limits of a joint: with restitution, or a spring and damper that push."""

    kind: Literal["end_stop"] = option(..., "kind of loop")
    restitution: float | None = option(None, "part of the speed that is returned", at_least=0.0, at_most=1.0)
    stiffness: float | None = option(None, "of a soft stop, instead", unit="N m/rad or N/m", at_least=0.0)
    damping: float = option(0.0, "of a soft stop", unit="N m s/rad or N s/m", at_least=0.0)
    settle_rate: float = option(1e-3, "a slower joint stays at a rigid stop", unit="rad/s or m/s", above=0.0)

    _one_kind = ruled(one_of("restitution", "stiffness"))

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        joint = known_joint(key, self.joint, vehicle, self.axis)
        with key.blamed():
            return latches.end_stop(
                joint, restitution=self.restitution, stiffness=self.stiffness, damping=self.damping,
                settle_rate=self.settle_rate, axis=self.axis - 1, name=name,
            )  # fmt: skip


class FrictionLock(_AtJoint):
    """Dry friction at a joint axis that sticks up to a level, and slips beyond it."""

    kind: Literal["friction_lock"] = option(..., "kind of loop")
    coulomb: float = option(..., "level when sliding", unit="N m or N", above=0.0)
    breakaway: float | None = option(None, "level at rest; default: the same", unit="N m or N", above=0.0)
    stribeck_rate: float = option(1.0, "rate at which the level has fallen by 63 %", unit="rad/s or m/s", above=0.0)

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        joint = known_joint(key, self.joint, vehicle, self.axis)
        with key.blamed():
            return latches.friction_lock(
                joint, self.coulomb, breakaway=self.breakaway, stribeck_rate=self.stribeck_rate, axis=self.axis - 1,
                name=name,
            )  # fmt: skip


def switched_by(load: Load, table: Declared, events: Sequence[Event], key: Key) -> Load:
    """The loop with the times and events of its table; unknown events are refused."""
    when: dict[str, float | Event] = {}
    known = {event.name: event for event in events}
    for word in ("begin", "end"):
        stated = getattr(table, word, None)
        if isinstance(stated, str) and stated not in known:
            raise key.at(word).unknown(stated, known, "is not an event")
        if stated is not None:
            when[word] = known[stated] if isinstance(stated, str) else stated
    return latches.switched(load, **when) if when else load


LoopTable = Annotated[
    PointLoop
    | LineLoop
    | PlaneLoop
    | HingeLoop
    | WeldLoop
    | DistanceLoop
    | GearLoop
    | Rolling
    | Skate
    | Lock
    | Latch
    | EndStop
    | FrictionLock,
    tagged_by("kind"),
]
