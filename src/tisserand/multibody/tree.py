"""The vehicle as an ordered tree: parents first, joints with several axes as chains of massless bodies (S1 §II).

Everything is in the axes of its own body and about that body's origin. An appendage whose frame floats on its mount
becomes a separate body behind a fixed joint whose child side sits on the moving node.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.reduced_appendage import InertiaLevel
from tisserand.appendage.record.turning_bodies import TurningBodies
from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.body_integrals import carried_integrals
from tisserand.multibody.carried_records import CarriedRecord, carried_record
from tisserand.multibody.displacement_field import LARGEST_RANGE_ERROR, DisplacementField
from tisserand.multibody.inertia import point_inertia
from tisserand.multibody.joints import Joint
from tisserand.multibody.profiles import Profile
from tisserand.multibody.vehicle import Body, MountedAppendage, Rotor, Vehicle


@dataclass(frozen=True, eq=False)
class FlexNode:
    """A node of appendage number ``block`` of its body: position (3,), shapes (3, k), second-degree shapes (3, k, k)."""

    block: int
    position: FloatArray
    translation: FloatArray
    rotation: FloatArray
    translation_second: FloatArray
    rotation_second: FloatArray


@dataclass(frozen=True, eq=False)
class FlexBlock:
    """One appendage in the axes and about the origin of its body; ``attitude``, ``origin`` carry its nodes there."""

    name: str
    mount: MountedAppendage
    carried: CarriedRecord
    level: InertiaLevel
    attitude: FloatArray
    origin: FloatArray

    @property
    def integrals(self) -> ModalIntegrals:
        """About the origin of the body."""
        return self.carried.integrals

    @property
    def bodies(self) -> TurningBodies:
        """Bodies that turn exactly."""
        return self.carried.bodies

    def field(self, reference: FloatArray) -> DisplacementField:
        """The complete displacement field about a point of the body (3,) m."""
        return self.carried.field(reference)


@dataclass(frozen=True, eq=False)
class TreeBody:
    """One body with the joint that carries it (kind ``free``, ``fixed`` or ``prescribed`` for the base).

    mass, first moment (3,), inertia (3, 3) about the body origin: rigid part with locked rotors, without appendages.
    joint, joint_axis: name and axis number of the vehicle's joint; law: stiffness, damping, rest; motion: prescribed.
    """

    name: str
    parent: int
    kind: str
    _: KW_ONLY
    mass: float
    first: FloatArray
    inertia: FloatArray
    axis: FloatArray = field(default_factory=lambda: np.zeros(3))
    parent_point: FloatArray = field(default_factory=lambda: np.zeros(3))
    parent_frame: FloatArray = field(default_factory=lambda: np.eye(3))
    child_point: FloatArray = field(default_factory=lambda: np.zeros(3))
    child_frame: FloatArray = field(default_factory=lambda: np.eye(3))
    parent_node: FlexNode | None = None
    child_node: FlexNode | None = None
    joint: str | None = None
    joint_axis: int = 0
    law: tuple[float, float, float] = (0.0, 0.0, 0.0)
    limits: tuple[float, float] = (-np.inf, np.inf)
    motion: Profile | None = None
    blocks: tuple[FlexBlock, ...] = ()
    rotors: tuple[Rotor, ...] = ()

    @property
    def modes(self) -> int:
        return sum(b.integrals.count for b in self.blocks)


@dataclass(frozen=True, eq=False)
class Tree:
    """Bodies in order, parents before children, and where each named thing went."""

    vehicle: Vehicle
    bodies: tuple[TreeBody, ...]
    index: dict[str, int]

    @property
    def parents(self) -> list[int]:
        return [b.parent for b in self.bodies]

    def carrier(self, k: int) -> int:
        """Number of the body in whose axes loads on nodes of body k are given: for a floating frame, the body it floats on."""
        body = self.bodies[k]
        return body.parent if body.joint is None and body.parent >= 0 else k


def expand(vehicle: Vehicle) -> Tree:
    """The ordered tree of a vehicle."""
    bodies: list[TreeBody] = []
    index: dict[str, int] = {}
    floating: dict[str, int] = {}
    queue: list[tuple[str, Joint | None]] = [(str(vehicle.base), None)]
    while queue:
        name, joint = queue.pop(0)
        _add_body(vehicle, vehicle.body(name), joint, bodies, index, floating)
        queue += [(j.child, j) for j in vehicle.joints if j.parent == name]
    return Tree(vehicle, tuple(bodies), index)


def _add_body(
    vehicle: Vehicle,
    body: Body,
    joint: Joint | None,
    bodies: list[TreeBody],
    index: dict[str, int],
    floating: dict[str, int],
) -> None:
    mounts = [a for a in vehicle.appendages if a.body == body.name]
    blocks = tuple(_block(a) for a in mounts if not a.moves_at_attachment)
    rotors = tuple(r for r in vehicle.rotors if r.body == body.name)
    mass, first, inertia = rigid_part(vehicle, body)
    shared: dict[str, Any] = {"mass": mass, "first": first, "inertia": inertia, "blocks": blocks, "rotors": rotors}
    if joint is None:
        kind = vehicle.base_motion if isinstance(vehicle.base_motion, str) else "prescribed"
        bodies.append(TreeBody(body.name, -1, kind, **shared))
    else:
        parent = index[joint.parent]
        if joint.parent_interface is not None:
            parent = floating.get(joint.parent_interface[0], parent)
        inboard, outboard = _sides(joint, bodies[parent].blocks, blocks)
        _add_chain(body.name, joint, parent, inboard, {**outboard, **shared}, bodies)
    index[body.name] = len(bodies) - 1
    for mount in mounts:
        if mount.moves_at_attachment:
            block = _block(mount, np.eye(3), np.zeros(3))
            attachment = _node((block,), mount.name, str(mount.record.attachment))
            bodies.append(
                TreeBody(
                    mount.name,
                    index[body.name],
                    "fixed",
                    mass=0.0,
                    first=np.zeros(3),
                    inertia=np.zeros((3, 3)),
                    parent_point=mount.position,
                    parent_frame=mount.attitude,
                    child_point=attachment.position,
                    child_node=attachment,
                    blocks=(block,),
                )
            )
            floating[mount.name] = len(bodies) - 1


def _sides(
    joint: Joint, parent_blocks: tuple[FlexBlock, ...], child_blocks: tuple[FlexBlock, ...]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Point, frame and flexible node on the parent's side of a joint, and on the child's, as fields of a tree body."""
    point, node = joint.parent_point, None
    if joint.parent_interface is not None:
        node = _node(parent_blocks, *joint.parent_interface)
        point = node.position
    child_point, child_node = joint.child_point, None
    if joint.child_interface is not None:
        if not any(b.name == joint.child_interface[0] for b in child_blocks):
            raise VehicleError(
                "the child side sits on an appendage whose frame floats on its own mount",
                where=f"joint {joint.name}",
                advice="connect the joint to the body; the appendage follows by its attachment",
            )
        child_node = _node(child_blocks, *joint.child_interface)
        child_point = child_node.position
    inboard = {"parent_point": point, "parent_frame": joint.parent_frame, "parent_node": node}
    return inboard, {"child_point": child_point, "child_frame": joint.child_frame, "child_node": child_node}


def _add_chain(
    name: str, joint: Joint, parent: int, inboard: dict[str, Any], outboard: dict[str, Any], bodies: list[TreeBody]
) -> None:
    """A tree body for each simple motion: the first has the side ``inboard``, the last ``outboard`` with the body."""
    axes = np.eye(3) if joint.kind == "free" else joint.axes
    last = len(joint.steps) - 1
    for i, kind in enumerate(joint.steps):
        own: dict[str, Any] = {}
        if kind in ("hinge", "prismatic"):
            own = {"axis": axes[i]}
        if i < len(joint.stiffness):
            own["law"] = (joint.stiffness[i], joint.damping[i], joint.rest[i])
        if i < len(joint.limits):
            own |= {"limits": joint.limits[i], "motion": joint.motion[i]}
        bodies.append(
            TreeBody(
                name if i == last else f"{joint.name}:{i + 1}",
                parent,
                kind,
                joint=joint.name,
                joint_axis=i,
                **own,
                **(inboard if i == 0 else {}),
                **(outboard if i == last else {"mass": 0.0, "first": np.zeros(3), "inertia": np.zeros((3, 3))}),
            )
        )
        parent = len(bodies) - 1


def rigid_part(vehicle: Vehicle, body: Body) -> tuple[float, FloatArray, FloatArray]:
    """Mass, first moment and inertia about the body origin: body and locked rotors, without appendages."""
    mass, first = body.mass, body.mass * body.center
    inertia = body.inertia + point_inertia(body.mass, body.center)
    if not vehicle.bodies_include_rotors:
        for r in (r for r in vehicle.rotors if r.body == body.name):
            axial = np.outer(r.axis, r.axis)
            mass, first = mass + r.mass, first + r.mass * r.position
            inertia = inertia + point_inertia(r.mass, r.position) + r.spin_inertia * axial
            inertia = inertia + (r.transverse_inertia or 0.0) * (np.eye(3) - axial)
    if vehicle.bodies_include_appendages:
        for a in (a for a in vehicle.appendages if a.body == body.name):
            I = carried_integrals(a.record.integrals, a.attitude, a.origin)
            mass, first, inertia = mass - I.mass, first - I.mass * I.center, inertia - I.inertia
    least = float(np.linalg.eigvalsh(inertia)[0])
    light = mass < -1e-9 * max(body.mass, 1e-300)
    if light or least < -1e-9 * max(float(np.abs(body.inertia).max()), 1e-300):
        raise VehicleError(
            f"the body {'is lighter' if light else 'has less inertia'} than the appendages it is stated to include",
            where=f"body {body.name}",
            found=f"{mass:.6g} kg left" if light else f"{least:.6g} kg m² left about one axis through its origin",
            advice="state body masses without appendages or correct them",
        )
    return mass, np.asarray(first), np.asarray(inertia)


def _block(mount: MountedAppendage, attitude: FloatArray | None = None, origin: FloatArray | None = None) -> FlexBlock:
    R = mount.attitude if attitude is None else attitude
    d = mount.origin if origin is None else origin
    block = FlexBlock(mount.name, mount, carried_record(mount, R, d), mount.inertia or "full", R, d)
    if block.level != "constant" and block.integrals.turns:
        _refuse_unreal(block)
    return block


def _refuse_unreal(block: FlexBlock) -> None:
    """Second-degree moments that no displacement of the mass has would be lost in part, and the motion silently wrong."""
    lost = block.field(np.zeros(3)).range_error
    if lost > LARGEST_RANGE_ERROR:
        raise VehicleError(
            "part of the second-degree moments a, A belongs to no displacement of the mass",
            where=f"appendage {block.name}",
            found=f"{100.0 * lost:.2g} %",
            expected=f"below {100.0 * LARGEST_RANGE_ERROR:.0e} %",
            advice="remake the record with a mass recipe that is a displacement field ('--mass consistent'), or fly it with "
            'inertia = "constant"',
        )


def psi_of_node(mount: MountedAppendage, row: int) -> FloatArray:
    """1/2 psi (6, k, k) of a row of the node table in record axes, as far as the record keeps it."""
    return np.asarray(0.5 * mount.record.nodes.psi(row, mount.geometric_stiffness))


def psi_of_interface(mount: MountedAppendage, interface: str) -> FloatArray:
    """1/2 psi (6, k, k) of an interface in record axes: stated by the record, and -Kg/2 of its unit-load families."""
    record = mount.record
    psi, twist = record.interface(interface).psi
    second = 0.5 * np.concatenate([psi, twist])
    if mount.geometric_stiffness:
        for i in range(6):
            family = record.geometric_stiffness.get(f"F:{interface}:{i + 1}")
            if family is not None:
                second[i] -= 0.5 * family
    return np.asarray(second)


def _node(blocks: tuple[FlexBlock, ...], mount: str, interface: str) -> FlexNode:
    """An interface in body axes, to second degree."""
    number = [b.name for b in blocks].index(mount)
    block = blocks[number]
    record, R = block.mount.record, block.attitude
    face = record.interface(interface)
    second = psi_of_interface(block.mount, interface)
    return FlexNode(
        number,
        block.origin + R @ face.position,
        R @ face.translation,
        R @ face.rotation,
        np.einsum("ai,ikl->akl", R, second[:3]),
        np.einsum("ai,ikl->akl", R, second[3:]),
    )
