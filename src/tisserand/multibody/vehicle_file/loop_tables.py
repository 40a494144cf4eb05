"""Loops of a vehicle file: places or joints that cannot move independently."""

from __future__ import annotations

from typing import Annotated, Literal

from tisserand.declarations import Declared, Key, option, tagged_by
from tisserand.multibody import loops
from tisserand.multibody.element_law import Anchor
from tisserand.multibody.loads import Load
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file.element_tables import EndTable
from tisserand.multibody.vehicle_file.file_values import Direction, known_joint
from tisserand.multibody.vehicle_file.profile_tables import ProfileValue, profile_of


class _Tied(Declared):
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


class GearLoop(Declared):
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


LoopTable = Annotated[
    PointLoop | LineLoop | PlaneLoop | HingeLoop | WeldLoop | DistanceLoop | GearLoop | Rolling | Skate,
    tagged_by("kind"),
]
