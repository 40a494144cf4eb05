"""Joints of a vehicle file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from tisserand.declarations import Declared, Key, check, option, problem, tagged_by
from tisserand.declarations.common_values import ORIGIN, Vector, many
from tisserand.multibody.joints import AXES, Joint
from tisserand.multibody.profiles import Profile
from tisserand.multibody.vehicle import Body
from tisserand.multibody.vehicle_file.file_values import DEGREE, Attitude, Numbers, Point, rotation
from tisserand.multibody.vehicle_file.part_tables import known_body
from tisserand.multibody.vehicle_file.profile_tables import AxisShape, ProfileValue, profile_of

Range = tuple[float, float]


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
    stiffness: Numbers | None = option(None, "spring, one number or one per axis", unit="N m/rad or N/m")
    damping: Numbers | None = option(None, "damper, one number or one per axis", unit="N m s/rad or N s/m")
    rest: Numbers | None = option(None, "where the spring is relaxed", unit="rad or m")

    @check
    def _frame_or_point(self) -> None:
        for side in ("parent", "child"):
            if (
                getattr(self, f"{side}_frame") is not None
                and {f"{side}_point", f"{side}_attitude"} & self.model_fields_set
            ):
                raise problem(f"{side}_frame", f"excludes '{side}_point' and '{side}_attitude'")

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
        return Joint(
            name, self.kind, self.parent, self.child, stiffness=many(self.stiffness),  # type: ignore[attr-defined]
            damping=many(self.damping), rest=many(self.rest), **places, **self._own(key),
        )  # fmt: skip

    def _own(self, key: Key) -> dict[str, Any]:
        """What the kind of joint adds: axes, limits, motion."""
        return {}


class AxisJoint(_Sides):
    """A joint of one axis: hinge, or prismatic (a slider)."""

    kind: Literal["hinge", "prismatic"] = option("hinge", "kind of joint")
    axis: Vector = option(..., "axis in joint axes")
    limits_deg: Range | None = option(None, "lowest and highest angle of a hinge", unit="deg")
    limits: Range | None = option(None, "lowest and highest coordinate", unit="rad or m")
    motion: ProfileValue | None = option(None, "the joint follows it; its torque is an output", unit="rad or m")
    motion_deg: ProfileValue | None = option(None, "the same for a hinge", unit="deg")

    @check
    def _one_unit(self) -> None:
        _one_unit(self)
        if self.kind == "prismatic" and self.limits_deg is not None:
            raise problem("limits_deg", "applies to angles, but a slider has none", expected="limits, in m")
        if self.kind == "prismatic" and self.motion_deg is not None:
            raise problem("motion_deg", "applies to angles, but a slider has none", expected="motion, in m")

    def _own(self, key: Key) -> dict[str, Any]:
        limits = self.limits if self.limits_deg is None else tuple(np.radians(self.limits_deg))
        motion = self.motion if self.motion_deg is None else self.motion_deg
        scale = 1.0 if self.motion_deg is None else DEGREE
        with key.at("motion" if self.motion_deg is None else "motion_deg").blamed():
            followed = () if motion is None else (profile_of(motion, scale),)
        return {"axes": np.array([self.axis]), "limits": () if limits is None else (limits,), "motion": followed}


class AxesJoint(_Sides):
    """A joint of two axes (universal) or three (gimbal), each carried by the one before."""

    kind: Literal["universal", "gimbal"] = option(..., "kind of joint")
    axes: tuple[Vector, ...] = option(..., "axes in joint axes, one row each")
    limits_deg: tuple[Range, ...] | None = option(None, "lowest and highest angle, one row per axis", unit="deg")
    limits: tuple[Range, ...] | None = option(None, "the same", unit="rad")
    motion: tuple[AxisShape, ...] | None = option(None, "profiles that axes follow, each with its axis", unit="rad")
    motion_deg: tuple[AxisShape, ...] | None = option(None, "the same", unit="deg")

    @check
    def _one_row_per_axis(self) -> None:
        _one_unit(self)
        count = AXES[self.kind]
        for word in ("axes", "limits", "limits_deg"):
            rows = getattr(self, word)
            if rows is not None and len(rows) != count:
                found = f"{len(rows)} rows"
                raise problem(word, f"needs one row for each axis of a {self.kind} joint", found=found, expected=count)

    def _own(self, key: Key) -> dict[str, Any]:
        limits = self.limits if self.limits_deg is None else tuple(tuple(np.radians(row)) for row in self.limits_deg)
        count = AXES[self.kind]
        followed: list[Profile | None] = [None] * count
        for word, scale in (("motion", 1.0), ("motion_deg", DEGREE)):
            for number, shape in enumerate(getattr(self, word) or ()):
                here = key.at(word, number)
                if shape.axis > count:
                    raise here.at("axis").error("does not exist", found=shape.axis, expected=f"1 to {count}")
                with here.blamed():
                    followed[shape.axis - 1] = profile_of(shape, scale)
        moved = tuple(followed) if any(item is not None for item in followed) else ()
        return {"axes": np.array(self.axes), "limits": limits or (), "motion": moved}


class PlainJoint(_Sides):
    """A joint without axes: ball, or fixed."""

    kind: Literal["ball", "fixed"] = option(..., "kind of joint")


JointTable = Annotated[AxisJoint | AxesJoint | PlainJoint, tagged_by("kind", default="hinge")]


def _one_unit(joint: AxisJoint | AxesJoint) -> None:
    for word in ("limits", "motion"):
        if getattr(joint, word) is not None and getattr(joint, f"{word}_deg") is not None:
            raise problem(word, f"excludes '{word}_deg'", expected=f"either {word}_deg or {word}")
