"""Bodies, joints, rotors and appendages of a vehicle file."""

from __future__ import annotations

from typing import Any, Literal, cast

import numpy as np

from tisserand.multibody.body_integrals import has_geometric_stiffness
from tisserand.multibody.joints import AXES, Joint, JointKind
from tisserand.multibody.profiles import Profile
from tisserand.multibody.vehicle import Body, BodyFrame, MountedAppendage, PrescribedMotion, Rotor
from tisserand.schema import Table
from tisserand.workflows.vehicle_file.places import at_key, attitude_matrix, one_or_many
from tisserand.workflows.vehicle_file.profiles import profile_at, shaped
from tisserand.workflows.vehicle_file.records import record_at

DEGREE = float(np.radians(1.0))


def inertia_at(table: Table, key: str) -> Any:
    """Three principal values or a 3 x 3 matrix about the mass centre, kg m²; zero if missing."""
    value = table.raw(key, [0.0, 0.0, 0.0])
    if isinstance(value, list) and any(isinstance(row, list) for row in value):
        return table.matrix(key, 3, 3)
    return np.diag(table.vector(key, 3, np.zeros(3)))


def body_of(name: str, table: Table) -> Body:
    points = table.table("points", {})
    named = tuple((p, tuple(points.vector(p, 3).tolist())) for p in points.values)
    with at_key(table):
        return Body(
            name,
            table.number("mass", minimum=0.0),
            table.vector("center", 3, np.zeros(3)),
            inertia_at(table, "inertia"),
            named,  # type: ignore[arg-type]
            tuple(_frame(word, t) for word, t in table.named_tables("frames")),
        )


def _frame(name: str, table: Table) -> BodyFrame:
    return BodyFrame(name, table.vector("position", 3, np.zeros(3)), attitude_matrix(table, "attitude"))


def base_motion_of(table: Table) -> Literal["free", "fixed"] | PrescribedMotion:
    """``motion``: free, fixed, or prescribed by profiles ``x``, ``y``, ``z`` (m) and ``angle_deg`` about ``axis``."""
    kind = table.choice("motion", ("free", "fixed", "prescribed"), "free")
    if kind != "prescribed":
        return cast(Literal["free", "fixed"], kind)
    x, y, z = (profile_at(table, word) if table.has(word) else None for word in "xyz")
    angle = profile_at(table, "angle_deg").scaled(DEGREE) if table.has("angle_deg") else None
    if x is None and y is None and z is None and angle is None:
        raise table.error("motion", "states no motion", expected="a profile for x, y, z or angle_deg")
    return PrescribedMotion((x, y, z), table.vector("axis", 3, np.array([0.0, 0.0, 1.0])), angle)


def joint_of(name: str, table: Table, bodies: dict[str, Body]) -> Joint:
    kind = table.choice("kind", tuple(AXES), "hinge")
    count = AXES[kind]
    sides: dict[str, Any] = {}
    for side in ("parent", "child"):
        body = table.text(side)
        if body not in bodies:
            raise table.unknown(side, body, bodies, "is not a body")
        sides[side] = body
        if table.has(f"{side}_interface"):
            where = table.words(f"{side}_interface")
            if len(where) != 2:
                raise table.error(
                    f"{side}_interface",
                    "needs two names",
                    found=list(where),
                    expected='["appendage", "interface"]',
                )
            sides[f"{side}_interface"] = where
        if table.has(f"{side}_frame"):
            if table.has(f"{side}_point") or table.has(f"{side}_attitude"):
                raise table.error(f"{side}_frame", f"excludes '{side}_point' and '{side}_attitude'")
            with at_key(table, f"{side}_frame"):
                named = bodies[body].frame(table.text(f"{side}_frame"))
            sides[f"{side}_point"], sides[f"{side}_frame"] = named.position, named.attitude
            continue
        place = table.raw(f"{side}_point", [0.0, 0.0, 0.0])
        with at_key(table, f"{side}_point"):
            known = isinstance(place, str)
            sides[f"{side}_point"] = (
                bodies[body].point(place) if known else table.vector(f"{side}_point", 3, np.zeros(3))
            )
        sides[f"{side}_frame"] = attitude_matrix(table, f"{side}_attitude")
    axes = np.zeros((0, 3))
    if count == 1:
        axes = table.vector("axis", 3)[None, :]
    elif count > 1:
        axes = table.matrix("axes", count, 3)
    limits: tuple[Any, ...] = ()
    if table.has("limits_deg") or table.has("limits"):
        word = "limits" if kind == "prismatic" else table.one_of("limits_deg", "limits")
        rows = table.matrix(word, count, 2) if count > 1 else table.vector(word, 2)[None, :]
        limits = tuple(map(tuple, np.radians(rows) if word == "limits_deg" else rows))
    motion = _motions(table, count)
    with at_key(table):
        return Joint(
            name, cast(JointKind, kind), axes=axes,
            stiffness=one_or_many(table, "stiffness"), damping=one_or_many(table, "damping"),
            rest=one_or_many(table, "rest"), limits=limits, motion=motion, **sides,
        )  # fmt: skip


def _motions(table: Table, count: int) -> tuple[Profile | None, ...]:
    """``motion`` (rad, m) or ``motion_deg``: a profile for a joint of one axis, or a list of tables with ``axis``."""
    found: list[Profile | None] = [None] * count
    for key, scale in (("motion", 1.0), ("motion_deg", DEGREE)):
        if not table.has(key):
            continue
        if not isinstance(table.raw(key), list):
            if count != 1:
                raise table.error(
                    key, "needs a list of tables with 'axis'", expected=f"a joint of {count} axes"
                )
            found[0] = profile_at(table, key).scaled(scale)
            continue
        for facts in table.list_of_tables(key):
            axis = facts.integer("axis", minimum=1) - 1
            if axis >= count:
                raise facts.error("axis", "does not exist", found=axis + 1, expected=f"1 to {count}")
            with at_key(facts):
                found[axis] = shaped(facts).scaled(scale)
    return tuple(found) if any(f is not None for f in found) else ()


def rotor_of(name: str, table: Table, bodies: dict[str, Body]) -> Rotor:
    body = table.text("body")
    if body not in bodies:
        raise table.unknown("body", body, bodies, "is not a body")
    mode = table.choice("mode", ("torque", "speed", "momentum"), "torque")
    profile = profile_at(table, "profile") if table.has("profile") else None
    with at_key(table):
        return Rotor(
            name, body, table.vector("axis", 3), table.number("spin_inertia", 0.0, minimum=0.0),
            cast(Literal["torque", "speed", "momentum"], mode), profile,
            table.number("mass", 0.0, minimum=0.0), table.vector("position", 3, np.zeros(3)),
            table.maybe_number("transverse_inertia", minimum=0.0), table.number("damping", 0.0, minimum=0.0),
        )  # fmt: skip


def appendage_of(name: str, table: Table, bodies: dict[str, Body]) -> MountedAppendage:
    body = table.text("body")
    if body not in bodies:
        raise table.unknown("body", body, bodies, "is not a body")
    record = record_at(table)
    if table.has("modes"):
        wanted = table.integer("modes", minimum=0)
        if wanted > record.count:
            raise table.error(
                "modes",
                "asks for more modes than the record holds",
                found=wanted,
                expected=f"at most {record.count}",
            )
        from tisserand.appendage import keep_modes

        record = keep_modes(record, range(wanted))
    if table.flag("geometric_stiffness", False) and not has_geometric_stiffness(record):
        raise table.error(
            "geometric_stiffness", "the record has no geometric-stiffness families", found=f"appendage {record.name}",
            expected="a record with ax ... wzx, or false",
            advice="make the record with `tisserand modes --geometric` (analysis.geometric = true in a case)",
        )  # fmt: skip
    place = table.raw("position", [0.0, 0.0, 0.0])
    with at_key(table, "position"):
        position = (
            bodies[body].point(place) if isinstance(place, str) else table.vector("position", 3, np.zeros(3))
        )
    with at_key(table):
        return MountedAppendage(
            name, record, body, position, attitude_matrix(table, "attitude"),
            table.maybe_choice("inertia", ("constant", "linear", "full")),  # type: ignore[arg-type]
            table.flag("geometric_stiffness", True),
        )  # fmt: skip
