"""Small readings shared by all parts of a vehicle file: attitudes, errors with their key path."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import CaseError, InputError
from tisserand.multibody.vehicle import Vehicle
from tisserand.schema import Table

#: Tables of the parts that errors of a vehicle name ("joint array_drive").
PARTS = {"body": "bodies", "joint": "joints", "rotor": "rotors", "appendage": "appendages"}


@contextmanager
def at_key(table: Table, key: str = "") -> Iterator[None]:
    """Errors about the vehicle get the file and key path they come from."""
    try:
        yield
    except CaseError:
        raise
    except InputError as error:
        word, _, name = (error.where or "").partition(" ")
        path = table.path_of(key) if key else table.key
        if not path and word in PARTS:  # a check of the whole vehicle that blames one part
            path = table.table(PARTS[word]).path_of(name)
        raise CaseError(
            table.file, path, error.what, found=error.found, expected=error.expected, advice=error.advice
        ) from error


def attitude_quaternion(table: Table, key: str) -> FloatArray:
    """Scalar-first quaternion (4,): four numbers, a 3 x 3 matrix, or ``{axis = [x, y, z], angle_deg = a}``; one if missing."""
    if not table.has(key):
        return np.array([1.0, 0.0, 0.0, 0.0])
    value = table.raw(key)
    if isinstance(value, dict):
        turn = table.table(key)
        axis, angle = turn.vector("axis", 3), np.radians(turn.number("angle_deg"))
        length = float(np.linalg.norm(axis))
        if length < 1e-12:
            raise turn.error("axis", "has zero length", found=axis.tolist())
        return np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis / length)])
    if isinstance(value, list) and len(value) == 3:
        from scipy.spatial.transform import Rotation

        matrix = table.matrix(key, 3, 3)
        if np.abs(matrix.T @ matrix - np.eye(3)).max() > 1e-6 or np.linalg.det(matrix) < 0.0:
            raise table.error(key, "is not a proper rotation matrix", found=value)
        return np.asarray(np.roll(Rotation.from_matrix(matrix).as_quat(), 1))
    quaternion = table.vector(key, 4)
    size = float(np.linalg.norm(quaternion))
    if size < 1e-12:
        raise table.error(key, "is a zero quaternion", expected="four numbers, scalar first")
    return np.asarray(quaternion / size)


def attitude_matrix(table: Table, key: str) -> FloatArray:
    """The same as a rotation matrix (3, 3)."""
    from scipy.spatial.transform import Rotation

    w, x, y, z = attitude_quaternion(table, key)
    return np.asarray(Rotation.from_quat([x, y, z, w]).as_matrix())


def point(table: Table, key: str) -> FloatArray | str:
    """Three coordinates or the name of a point; the body's origin if missing."""
    value = table.raw(key, "origin")
    return value if isinstance(value, str) else table.vector(key, 3)


def unit_vector(table: Table, key: str) -> FloatArray:
    """A direction (3,) of any length but zero, made one long."""
    stated = table.vector(key, 3)
    length = float(np.linalg.norm(stated))
    if length < 1e-12:
        raise table.error(key, "has zero length", found=stated.tolist(), expected="a direction [x, y, z]")
    return np.asarray(stated / length)


def appendage_node(table: Table, vehicle: Vehicle) -> tuple[str, int | str]:
    """``appendage`` and ``node`` (an id, or the name of an interface), both known to the vehicle."""
    name, node = table.text("appendage"), table.raw("node")
    known = {mount.name: mount.record for mount in vehicle.appendages}
    if name not in known:
        raise table.unknown("appendage", name, known, "is not an appendage")
    record = known[name]
    if isinstance(node, str):
        faces = [face.name for face in record.interfaces]
        if node not in faces:
            raise table.unknown("node", node, faces, f"is not an interface of appendage {name}")
        return name, node
    if isinstance(node, bool) or not isinstance(node, int):
        raise table.error("node", "is no node", found=node, expected="a node id, or the name of an interface")
    ids = record.nodes.ids
    if not np.any(ids == node):
        expected = f"one of {len(ids)} ids from {ids.min()} to {ids.max()}" if len(ids) else "no nodes are known"
        raise table.error("node", f"is not a node of appendage {name}", found=node, expected=expected)
    return name, node


def direction(table: Table, vehicle: Vehicle) -> FloatArray:
    """``direction`` (3,), one long, in the axes of ``body``, stated in those axes or in the axes of its named ``frame``."""
    stated = unit_vector(table, "direction")
    if not table.has("frame"):
        return stated
    with at_key(table, "frame"):
        return np.asarray(vehicle.body(table.text("body")).frame(table.text("frame")).attitude @ stated)


def one_or_many(table: Table, key: str) -> tuple[float, ...]:
    """A number or a list of numbers; empty if missing."""
    if not table.has(key):
        return ()
    return tuple(table.vector(key).tolist()) if isinstance(table.raw(key), list) else (table.number(key),)
