"""Small values of a vehicle file: vectors, directions, inertias, attitudes, places."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, Field, WithJsonSchema

from tisserand.arrays import FloatArray
from tisserand.declarations import Declared, Key, expecting, option, problem, stating
from tisserand.declarations.angle_sets import AngleSet
from tisserand.declarations.common_values import Rows3, Vector
from tisserand.multibody.attitude import from_orientation_angles
from tisserand.multibody.vehicle import Vehicle

DEGREE = float(np.radians(1.0))

Rows = tuple[tuple[float, ...], ...]
Numbers = float | Annotated[tuple[float, ...], Field(min_length=1)]


def _pointing(value: Vector) -> Vector:
    if max(map(abs, value)) < 1e-12:
        raise problem("", "has zero length", found=list(value), expected="a direction [x, y, z]")
    return value


_NIL = {"exclusiveMinimum": -1e-12, "exclusiveMaximum": 1e-12}
#: A direction of any length but zero.
Direction = Annotated[
    Vector,
    AfterValidator(_pointing),
    WithJsonSchema(
        {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3, "contains": {"not": _NIL}}
    ),
]

#: Inertia about the mass center.
Inertia = Annotated[Vector | Rows3, expecting("3 principal values, or 3 rows of 3 numbers", "is not an inertia")]

#: A place of a body.
Point = Annotated[Vector | str, expecting("3 coordinates, or the name of a point", "is not a place")]

#: A place of an appendage.
Node = Annotated[int | str, expecting("a node id, or the name of an interface", "is not a node")]


class AxisAngle(Declared):
    """A turn about an axis."""

    axis: Direction = option(..., "axis of the turn")
    angle_deg: float = option(..., "angle of the turn", unit="deg")


class OrientationAngles(Declared):
    """Three successive turns."""

    angles_deg: Vector = option(..., "the three angles", unit="deg")
    angle_set: AngleSet = option(
        "body-xyz", "axes of the turns: of the turning body (body-...) or fixed ones (space-...)"
    )


#: Length of a quaternion of rounded numbers, less one.
_ROUNDED = 0.01


def _proper(value: Any) -> Any:
    if isinstance(value, tuple) and len(value) == 4 and max(map(abs, value)) < 1e-12:
        raise problem("", "is a zero quaternion", expected="four numbers, scalar first")
    if isinstance(value, tuple) and len(value) == 4 and abs((size := float(np.linalg.norm(value))) - 1.0) > _ROUNDED:
        raise problem(
            "",
            f"is a quaternion of length {size:.4g}",
            found=list(value),
            expected=f"length 1, scalar first; {[round(x / size, 9) for x in value]} if this direction is meant",
        )
    if isinstance(value, tuple) and len(value) == 3:
        matrix = np.array(value)
        if np.abs(matrix.T @ matrix - np.eye(3)).max() > 1e-6 or np.linalg.det(matrix) < 0.0:
            raise problem("", "is not a proper rotation matrix", found=[list(row) for row in value])
    return value


#: What turns the axes of a part into the axes of what carries it.
Attitude = Annotated[
    Annotated[tuple[float, float, float, float], stating({"contains": {"not": _NIL}})]
    | Rows3
    | AxisAngle
    | OrientationAngles,
    AfterValidator(_proper),
    expecting(
        "a quaternion (scalar first), 3 rows of 3 numbers, { axis, angle_deg }, or { angles_deg, angle_set }",
        "is not an attitude",
    ),
]


def quaternion(attitude: Any) -> FloatArray:
    """Scalar-first unit quaternion (4,) of an attitude; None means no turn."""
    if attitude is None:
        return np.array([1.0, 0.0, 0.0, 0.0])
    if isinstance(attitude, AxisAngle):
        half, axis = 0.5 * DEGREE * attitude.angle_deg, unit(attitude.axis)
        return np.array([np.cos(half), *(np.sin(half) * axis)])
    if isinstance(attitude, OrientationAngles):
        return np.asarray(from_orientation_angles(np.radians(attitude.angles_deg), attitude.angle_set)[0])
    if len(attitude) == 3:
        from scipy.spatial.transform import Rotation

        return np.asarray(np.roll(Rotation.from_matrix(np.array(attitude)).as_quat(), 1))
    return np.asarray(np.asarray(attitude) / np.linalg.norm(attitude))


def rotation(attitude: Any) -> FloatArray:
    """Rotation matrix (3, 3) of an attitude; None means no turn."""
    from scipy.spatial.transform import Rotation

    w, x, y, z = quaternion(attitude)
    return np.asarray(Rotation.from_quat([x, y, z, w]).as_matrix())


def unit(direction: Vector) -> FloatArray:
    """A direction (3,), one long."""
    return np.asarray(np.asarray(direction) / np.linalg.norm(direction))


def in_body_axes(key: Key, direction: Vector, frame: str | None, body: str, vehicle: Vehicle) -> FloatArray:
    """A direction (3,), one long, in the axes of ``body``; stated in those axes or in the axes of its named ``frame``."""
    stated = unit(direction)
    if frame is None:
        return stated
    with key.at("frame").blamed():
        return np.asarray(vehicle.body(body).frame(frame).attitude @ stated)


def known_joint(key: Key, joint: str, vehicle: Vehicle, axis: int = 1) -> str:
    """A joint of the vehicle that has this axis."""
    known = {item.name: item for item in vehicle.joints}
    if joint not in known:
        raise key.at("joint").unknown(joint, known, "is not a joint")
    most = known[joint].speeds
    if axis > most:
        expected = f"1 to {most}" if most else "a joint that moves"
        raise key.at("axis").error(f"is not an axis of joint {joint}", found=axis, expected=expected)
    return joint


def known_rotor(key: Key, rotor: str, vehicle: Vehicle) -> str:
    """A rotor of the vehicle; ``key`` is that of its name."""
    known = [item.name for item in vehicle.rotors]
    if rotor not in known:
        raise key.unknown(rotor, known, "is not a rotor")
    return rotor


def known_node(key: Key, appendage: str, node: int | str, vehicle: Vehicle) -> tuple[str, int | str]:
    """An appendage and one of its nodes, both known to the vehicle."""
    known = {mount.name: mount.record for mount in vehicle.appendages}
    if appendage not in known:
        raise key.at("appendage").unknown(appendage, known, "is not an appendage")
    record = known[appendage]
    if isinstance(node, str):
        faces = [face.name for face in record.interfaces]
        if node not in faces:
            raise key.at("node").unknown(node, faces, f"is not an interface of appendage {appendage}")
        return appendage, node
    ids = record.nodes.ids
    if not np.any(ids == node):
        expected = f"one of {len(ids)} ids from {ids.min()} to {ids.max()}" if len(ids) else "no nodes are known"
        raise key.at("node").error(f"is not a node of appendage {appendage}", found=node, expected=expected)
    return appendage, node
