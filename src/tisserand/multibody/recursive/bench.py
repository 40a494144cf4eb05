"""What rows of loads and signals are made of, and the places and numbers of what they name.

Serves the loads of theory section 3.2.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ModelError, VehicleError
from tisserand.multibody.recursive.packing import Packer
from tisserand.multibody.recursive.places import Places
from tisserand.multibody.signals import Signal
from tisserand.multibody.tree import FlexNode, Tree, _node, psi_of_node
from tisserand.multibody.vehicle import Vehicle


@dataclass(eq=False)
class Bench:
    """What rows are made of, and what they have asked for so far: inputs held from outside, nodes with their tree bodies.

    known: appendage and node -> its number among the nodes; sensors: those that are sampled, by name; geared: inputs of gears,
    which may act on a joint whose motion is prescribed: its drive answers.
    """

    vehicle: Vehicle
    tree: Tree
    pack: Packer
    places: Places
    _: KW_ONLY
    held: list[str] = field(default_factory=list)
    nodes: list[tuple[int, FlexNode]] = field(default_factory=list)
    known: dict[tuple[str, int | str], int] = field(default_factory=dict)
    sensors: dict[str, Signal] = field(default_factory=dict)
    geared: frozenset[str] = frozenset()


def held_input(bench: Bench, name: str) -> int:
    """Number of a named input that is held from outside."""
    if name not in bench.held:
        bench.held.append(name)
    return bench.held.index(name)


def body_number(bench: Bench, name: str, where: str) -> int:
    """Number of a named body in the tree."""
    if name not in bench.tree.index:
        raise VehicleError("unknown body", where=where, found=name, expected=", ".join(bench.tree.index))
    return bench.tree.index[name]


def coordinate_place(places: dict[str, list[int]], name: str, axis: int, where: str) -> int:
    """Place of an axis of a joint among the places of all joints."""
    if name not in places:
        raise VehicleError("unknown or immovable joint", where=where, found=name, expected=", ".join(places) or "none")
    if not 0 <= axis < len(places[name]):
        raise VehicleError(
            "the joint has no such axis", where=where, found=axis, expected=f"0 to {len(places[name]) - 1}"
        )
    return places[name][axis]


def joint_place(bench: Bench, name: str, axis: int, where: str) -> int:
    """Place in y of the coordinate of a joint axis; balls have none."""
    if name in bench.places.joint_q and "ball" in bench.vehicle.joint(name).steps:
        raise VehicleError("a ball has no axis", where=where, found=name, expected="a hinge or slider axis")
    return coordinate_place(bench.places.joint_q, name, axis, where)


def speed_place(bench: Bench, rotor: bool, name: str, axis: int, where: str) -> int:
    """Place in y of the rate of a rotor or of a joint axis."""
    if not rotor:
        return coordinate_place(bench.places.joint_u, name, axis, where)
    refuse_unknown(dict(bench.places.rotor), name, "rotor", where)
    return int(bench.places.head["psi_rate"]) + bench.places.rotor[name]


def from_reference(bench: Bench, k: int, name: str, point: FloatArray | str) -> FloatArray:
    """A point of tree body k (named, or in body axes) from its reference point, m."""
    place = bench.vehicle.body(name).point(point) if isinstance(point, str) else np.asarray(point)
    tree_body = bench.tree.bodies[k]
    return place - (tree_body.child_point if k and tree_body.child_node is None else np.zeros(3))


def refuse_unknown(names: dict[str, object], name: str, what: str, where: str) -> None:
    """Raise where something is named that the vehicle does not have."""
    if name not in names:
        raise VehicleError(f"unknown {what}", where=where, found=name, expected=", ".join(names) or "none")


def find_node(tree: Tree, appendage: str, node: int | str, where: str) -> tuple[int, FlexNode]:
    """Tree body and node (id, or interface name) of an appendage."""
    for k, body in enumerate(tree.bodies):
        for number, block in enumerate(body.blocks):
            if block.name != appendage:
                continue
            record, R = block.mount.record, block.attitude
            if isinstance(node, str):
                try:
                    return k, _node(body.blocks, appendage, node)
                except ModelError as error:
                    raise VehicleError("unknown interface", where=where, found=node, expected=error.expected) from error
            rows = np.flatnonzero(record.nodes.ids == node)
            if len(rows) == 0:
                raise VehicleError(
                    "unknown node id",
                    where=where,
                    found=node,
                    expected=f"one of {len(record.nodes)} nodes of {appendage}",
                )
            i = int(rows[0])
            place = block.origin + R @ record.nodes.positions[i]
            half = psi_of_node(block.mount, i)
            bend, twist = (np.einsum("ab,bkl->akl", R, part) for part in (half[:3], half[3:]))
            return k, FlexNode(
                number, place, R @ record.nodes.translation[i], R @ record.nodes.rotation[i], bend, twist
            )
    raise VehicleError("unknown appendage", where=where, found=appendage)
