"""Joints of a vehicle file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from tisserand.declarations import Declared, Key, check, excludes, one_of, option, problem, ruled, tagged_by, when
from tisserand.declarations.common_values import ORIGIN, Vector, many
from tisserand.multibody.joints import Joint
from tisserand.multibody.profiles import Profile
from tisserand.multibody.vehicle import Body
from tisserand.multibody.vehicle_file.file_values import DEGREE, Attitude, Direction, Point, rotation
from tisserand.multibody.vehicle_file.part_tables import known_body
from tisserand.multibody.vehicle_file.profile_tables import AxisShape, ProfileValue, profile_of

Range = tuple[float, float]
#: Angles are stated in degrees or in radians.
_ONE_LIMIT, _ONE_MOTION = (one_of(f"{word}_deg", word, needed=False) for word in ("limits", "motion"))


class _Sides(Declared):
    """What every joint states."""

    parent: str = option(..., "body on the inboard side")
    child: str = option(..., "body on the outboard side")
    parent_point: Point = option(ORIGIN, "place on the parent", unit="m")
    child_point: Point = option(ORIGIN, "place on the child", unit="m")
    parent_attitude: Attitude | None = option(None, "rotation from joint axes to parent axes; default: none")
    child_attitude: Attitude | None = option(None, "rotation from joint axes to child axes; default: none")
    parent_frame: str | None = option(None, "named frame of the parent, instead of point and attitude")
    child_frame: str | None = option(None, "named frame of the child, instead of point and attitude")
    parent_interface: tuple[str, str] | None = option(
        None, "[appendage, interface]: sits on that flexible node of the parent"
    )
    child_interface: tuple[str, str] | None = option(
        None, "[appendage, interface]: sits on that flexible node of the child"
    )

    _frame_or_point = ruled(
        excludes("parent_frame", "parent_point", "parent_attitude"),
        excludes("child_frame", "child_point", "child_attitude"),
    )

    def joint(self, name: str, bodies: Mapping[str, Body], key: Key) -> Joint:
        places: dict[str, Any] = {}
        for side in ("parent", "child"):
            body = getattr(self, side)
            known_body(key, body, bodies, side)
            frame, point = getattr(self, f"{side}_frame"), getattr(self, f"{side}_point")
            if frame is not None:
                with key.at(f"{side}_frame").blamed():
                    named = bodies[body].frame(frame)
                places[f"{side}_point"], places[f"{side}_frame"] = named.position, named.attitude
            else:
                with key.at(f"{side}_point").blamed():
                    places[f"{side}_point"] = bodies[body].point(point) if isinstance(point, str) else point
                places[f"{side}_frame"] = rotation(getattr(self, f"{side}_attitude"))
            places[f"{side}_interface"] = getattr(self, f"{side}_interface")
        return Joint(name, self.kind, self.parent, self.child, **places, **self._own(key))  # type: ignore[attr-defined]

    def _own(self, key: Key) -> dict[str, Any]:
        """What the kind of joint adds: springs, axes, limits, motion."""
        return {}


class _Sprung(_Sides):
    """A joint with springs and dampers; ``_count`` axes share a single number."""

    _count: ClassVar[int] = 1
    stiffness: float | tuple[float] | None = option(None, "spring", unit="N m/rad or N/m", at_least=0.0)
    damping: float | tuple[float] | None = option(None, "damper", unit="N m s/rad or N s/m", at_least=0.0)
    rest: float | tuple[float] | None = option(None, "where the spring is relaxed", unit="rad or m")

    def _own(self, key: Key) -> dict[str, Any]:
        stated = {word: getattr(self, word) for word in ("stiffness", "damping", "rest")}
        return {
            word: value if isinstance(value, tuple) else many(value) * self._count for word, value in stated.items()
        }

    @check
    def _lower_limit_first(self) -> None:
        for word in ("limits", "limits_deg"):
            rows: Any = getattr(self, word, None)
            several = isinstance(rows, tuple) and isinstance(rows[0], tuple)
            for number, (low, high) in enumerate(rows if several else (rows,) if rows else ()):
                if not low < high:
                    where = (word, number) if several else (word,)
                    raise problem(where, "is not a range", found=[low, high], expected="the lower limit first")


class AxisJoint(_Sprung):
    """A joint of one axis: hinge, or prismatic (a slider)."""

    kind: Literal["hinge", "prismatic"] = option("hinge", "kind of joint")
    axis: Direction = option(..., "axis in joint axes")
    limits_deg: Range | None = option(None, "lowest and highest angle of a hinge", unit="deg")
    limits: Range | None = option(None, "lowest and highest coordinate", unit="rad or m")
    motion: ProfileValue | None = option(None, "the joint follows it; its torque is an output", unit="rad or m")
    motion_deg: ProfileValue | None = option(None, "the same for a hinge", unit="deg")

    _one_unit = ruled(
        _ONE_LIMIT,
        _ONE_MOTION,
        when("kind", "prismatic", senseless=("limits_deg", "motion_deg"), because="limits or motion in m"),
    )

    def _own(self, key: Key) -> dict[str, Any]:
        limits = self.limits if self.limits_deg is None else tuple(np.radians(self.limits_deg))
        motion = self.motion if self.motion_deg is None else self.motion_deg
        scale = 1.0 if self.motion_deg is None else DEGREE
        with key.at("motion" if self.motion_deg is None else "motion_deg").blamed():
            followed = () if motion is None else (profile_of(motion, scale),)
        own = {"axes": np.array([self.axis]), "limits": () if limits is None else (limits,), "motion": followed}
        return {**super()._own(key), **own}


class _AxesJoint(_Sprung):
    """A joint of several axes, each carried by the one before."""

    motion: tuple[AxisShape, ...] | None = option(None, "profiles that axes follow, each with its axis", unit="rad")
    motion_deg: tuple[AxisShape, ...] | None = option(None, "the same", unit="deg")

    _one_unit = ruled(_ONE_MOTION)

    def _own(self, key: Key) -> dict[str, Any]:
        stated: Any = self
        limits = stated.limits or tuple(tuple(np.radians(row)) for row in getattr(stated, "limits_deg", None) or ())
        followed: list[Profile | None] = [None] * self._count
        for word, scale in (("motion", 1.0), ("motion_deg", DEGREE)):
            for number, shape in enumerate(getattr(self, word) or ()):
                here = key.at(word, number)
                if shape.axis > self._count:
                    raise here.at("axis").error("does not exist", found=shape.axis, expected=f"1 to {self._count}")
                with here.blamed():
                    followed[shape.axis - 1] = profile_of(shape, scale)
        moved = tuple(followed) if any(item is not None for item in followed) else ()
        return {**super()._own(key), "axes": np.array(stated.axes), "limits": limits, "motion": moved}


_SPRING, _DAMPER = "spring, one number or one per axis", "damper, one number or one per axis"
_REST = "where the springs are relaxed, one number or one per axis"
_LIMITS = "lowest and highest angle, one row per axis"


class UniversalJoint(_AxesJoint):
    """A joint of two axes, the second carried by the first."""

    _count: ClassVar[int] = 2
    kind: Literal["universal"] = option(..., "kind of joint")
    axes: tuple[Direction, Direction] = option(..., "axes in joint axes, one row each")
    stiffness: float | tuple[float, float] | None = option(None, _SPRING, unit="N m/rad", at_least=0.0)  # type: ignore[assignment]
    damping: float | tuple[float, float] | None = option(None, _DAMPER, unit="N m s/rad", at_least=0.0)  # type: ignore[assignment]
    rest: float | tuple[float, float] | None = option(None, _REST, unit="rad")  # type: ignore[assignment]
    limits_deg: tuple[Range, Range] | None = option(None, _LIMITS, unit="deg")
    limits: tuple[Range, Range] | None = option(None, "the same", unit="rad")

    _one_limit = ruled(_ONE_LIMIT)


class GimbalJoint(_AxesJoint):
    """A joint of three axes, each carried by the one before."""

    _count: ClassVar[int] = 3
    kind: Literal["gimbal"] = option(..., "kind of joint")
    axes: tuple[Direction, Direction, Direction] = option(..., "axes in joint axes, one row each")
    stiffness: float | Vector | None = option(None, _SPRING, unit="N m/rad", at_least=0.0)  # type: ignore[assignment]
    damping: float | Vector | None = option(None, _DAMPER, unit="N m s/rad", at_least=0.0)  # type: ignore[assignment]
    rest: float | Vector | None = option(None, _REST, unit="rad")  # type: ignore[assignment]
    limits_deg: tuple[Range, Range, Range] | None = option(None, _LIMITS, unit="deg")
    limits: tuple[Range, Range, Range] | None = option(None, "the same", unit="rad")

    _one_limit = ruled(_ONE_LIMIT)


class CylindricalJoint(_AxesJoint):
    """A joint that slides along one axis (axis 1, in m) and turns about it (axis 2, in rad)."""

    _count: ClassVar[int] = 2
    kind: Literal["cylindrical"] = option(..., "kind of joint")
    axis: Direction = option(..., "axis in joint axes")
    stiffness: tuple[float, float] | None = option(None, "springs", unit="N/m, N m/rad", at_least=0.0)  # type: ignore[assignment]
    damping: tuple[float, float] | None = option(None, "dampers", unit="N s/m, N m s/rad", at_least=0.0)  # type: ignore[assignment]
    rest: tuple[float, float] | None = option(None, "where the springs are relaxed", unit="m, rad")  # type: ignore[assignment]
    limits: tuple[Range, Range] | None = option(None, "lowest and highest displacement and angle", unit="m, rad")

    @property
    def axes(self) -> tuple[Direction]:
        """The one axis."""
        return (self.axis,)

    @check
    def _no_degrees_along(self) -> None:
        for number, shape in enumerate(self.motion_deg or ()):
            if shape.axis == 1:
                where = ("motion_deg", number, "axis")
                raise problem(where, "is a displacement, not an angle", found=1, expected="motion, in m")


class FreeJoint(_Sides):
    """Six degrees of freedom: place along the parent's joint axes and turn of the child."""

    kind: Literal["free"] = option(..., "kind of joint")


class BallJoint(_Sprung):
    """A ball joint; its spring and damper act alike about all axes."""

    kind: Literal["ball"] = option(..., "kind of joint")


class FixedJoint(_Sides):
    """No motion between the two sides."""

    kind: Literal["fixed"] = option(..., "kind of joint")


JointTable = Annotated[
    AxisJoint | UniversalJoint | GimbalJoint | CylindricalJoint | BallJoint | FreeJoint | FixedJoint,
    tagged_by("kind", default="hinge"),
]
