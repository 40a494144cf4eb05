"""Children on elastic joints merged into the appendage of their parent (S1 section II): better modes, fewer coordinates.

The joints' angles and slides, linear about zero, and the modes of everything beyond them become coordinates of one appendage of
the body that stays; its natural modes replace them. Every absorbed rigid body turns about its joint to second degree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tisserand.appendage.frames.frame_change import without_motion, without_second_motion
from tisserand.appendage.frames.transformed_records import keep_modes, natural, placed, shifted, turned
from tisserand.appendage.frames.united_bodies import united, widened
from tisserand.appendage.integrals.from_nodal_bodies import nodal_body_integrals
from tisserand.appendage.record.drawing_topology import Topology
from tisserand.appendage.record.mass_source import MassSource
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.appendage.record.turning_bodies import TurningBodies
from tisserand.arguments import checked_arguments
from tisserand.arrays import LEVI_CIVITA, FloatArray, skew, symmetric
from tisserand.errors import VehicleError
from tisserand.model import NodalBodies, Nodes, StructuralModel
from tisserand.multibody.joints import STEP_SPEEDS
from tisserand.multibody.tree import Tree, TreeBody, expand
from tisserand.multibody.vehicle import MountedAppendage, Vehicle


@checked_arguments
def absorb(vehicle: Vehicle, joints: Sequence[str], *, count: int | None = None) -> Vehicle:
    """The vehicle with everything beyond the named joints merged into appendages of the bodies that carry them.

    A joint on a flexible node merges that appendage too. Joints must rest at zero and have no prescribed motion;
    absorbed bodies carry no rotors; their appendages are fixed in them (``connection`` frame). count: natural modes kept of
    each new appendage, named ``<body>+`` after its body (all). Loads and sensors then name its interfaces ``body.origin``
    and ``appendage.interface``.
    """
    tree = expand(vehicle)
    stays = _checked(vehicle, joints)
    gone = _beyond(vehicle, joints)
    appendages = [a for a in vehicle.appendages if a.body not in gone]
    for body in stays:
        own = [j for j in joints if vehicle.joint(j).parent == body]
        carriers = {str(face[0]) for j in own if (face := vehicle.joint(j).parent_interface) is not None}
        record = _one_appendage(tree, body, set(own), carriers, f"{body}+")
        record = record if count is None or count >= record.count else keep_modes(record, range(count))
        appendages = [a for a in appendages if a.name not in carriers]
        appendages.append(MountedAppendage(f"{body}+", record, body))
    return vehicle.changed(
        bodies=tuple(b for b in vehicle.bodies if b.name not in gone),
        joints=tuple(j for j in vehicle.joints if j.child not in gone),
        appendages=tuple(appendages),
    )


def _checked(vehicle: Vehicle, joints: Sequence[str]) -> list[str]:
    """Bodies that stay and carry the joints, in order; everything that cannot be absorbed is refused by name."""
    if not joints:
        raise VehicleError("no joint is named", where=f"vehicle {vehicle.name}")
    gone = _beyond(vehicle, joints)
    for name in joints:
        if vehicle.joint(name).parent in gone:
            raise VehicleError(
                "the joint is absorbed already with another one", found=name, advice="name only the innermost joints"
            )
    for joint in (j for j in vehicle.joints if j.child in gone):
        where = f"joint {joint.name}"
        if any(m is not None for m in joint.motion):
            raise VehicleError("a joint with prescribed motion cannot be absorbed", where=where)
        if any(rest != 0.0 for rest in joint.rest):
            raise VehicleError("a joint that does not rest at zero cannot be absorbed", where=where, found=joint.rest)
        if joint.child_interface is not None:
            raise VehicleError("a joint whose child side sits on a flexible node cannot be absorbed", where=where)
    for rotor in (r for r in vehicle.rotors if r.body in gone):
        raise VehicleError(
            "a body with a rotor cannot be absorbed", where=f"body {rotor.body}", found=f"rotor {rotor.name}"
        )
    if vehicle.bodies_include_appendages:
        raise VehicleError(
            "body masses that include appendages cannot be absorbed", where=f"vehicle {vehicle.name}",
            advice="state body masses without them",
        )  # fmt: skip
    carriers = {str(face[0]) for j in vehicle.joints if j.child in gone and (face := j.parent_interface) is not None}
    for mount in vehicle.appendages:
        if (mount.body in gone or mount.name in carriers) and mount.moves_at_attachment:
            raise VehicleError(
                "an appendage whose frame floats on its mount cannot be absorbed",
                where=f"appendage {mount.name}",
                advice='convert its record with in_frame(record, "connection")',
            )
    left = [j for j in vehicle.joints if j.child not in gone and j.parent_interface is not None]
    for joint in left:
        if str(joint.parent_interface[0]) in carriers:  # type: ignore[index]
            raise VehicleError(
                "the appendage carries another joint that remains",
                where=f"joint {joint.name}",
                advice="absorb that joint too",
            )
    return list(dict.fromkeys(vehicle.joint(j).parent for j in joints))


def _beyond(vehicle: Vehicle, joints: Sequence[str]) -> set[str]:
    """Names of all bodies outboard of the joints."""
    found, queue = set(), [vehicle.joint(name).child for name in joints]
    while queue:
        name = queue.pop()
        found.add(name)
        queue += [j.child for j in vehicle.joints if j.parent == name]
    return found


@dataclass(frozen=True, eq=False)
class _Moving:
    """A tree body seen from the body that remains.

    Attitude (3, 3) and origin (3,) at zero coordinates, joint point (3,), and the motion (3, q) of that point and the rotation
    (3, q) over all coordinates.
    """

    attitude: FloatArray
    origin: FloatArray
    point: FloatArray
    translation: FloatArray
    rotation: FloatArray

    def at(self, place: FloatArray) -> FloatArray:
        """Motion (3, q) of a point of the body."""
        return np.asarray(self.translation - skew(place - self.point) @ self.rotation)


def _one_appendage(tree: Tree, body: str, joints: set[str], carriers: set[str], name: str) -> ReducedAppendage:
    root = tree.index[body]
    members = _members(tree, root, joints)
    columns, total = _columns(tree, root, members, carriers)
    zero = np.zeros((3, total))
    moving = {root: _Moving(np.eye(3), np.zeros(3), np.zeros(3), zero, zero)}
    parts, stiffness, damping = [], np.zeros((total, total)), np.zeros((total, total))
    for k in members:
        member = tree.bodies[k]
        own = columns.get((k, ""), slice(0, 0))
        moving[k] = _carried(tree, member, moving[member.parent], own, columns, total)
        stiffness[own, own] += member.law[0] * np.eye(own.stop - own.start)
        damping[own, own] += member.law[1] * np.eye(own.stop - own.start)
        if member.mass > 0.0:
            parts.append(_rigid_part(member, moving[k], total))
    for k in (root, *members):
        for block in tree.bodies[k].blocks:
            if k == root and block.name not in carriers:
                continue
            frame = moving[k]
            record = turned(replace(block.mount.record, name=block.name), frame.attitude @ block.attitude)
            where = frame.origin + frame.attitude @ block.origin
            record = shifted(placed(record, where), np.zeros(3))
            wide = widened(record, columns[k, block.name], total)
            motion = np.vstack([frame.at(np.zeros(3)), frame.rotation])
            parts.append(without_second_motion(without_motion(wide, -motion), *_surplus(frame)))
    if not parts:
        raise VehicleError("no mass is attached to the joints", where=f"body {body}")
    whole = united(
        parts,
        name=name,
        point=np.zeros(3),
        frame=FrameRecord(
            "connection", f"fixed in body {body}: everything beyond {', '.join(sorted(joints))} moves against it"
        ),
        mode_names=[f"coordinate {i + 1}" for i in range(total)],
        mode_kinds=("elastic",) * total,
        reports={"absorbed": sorted(tree.bodies[k].name for k in members), "joints": sorted(joints)},
    )
    return natural(whole.changed(stiffness=whole.stiffness + stiffness, damping=whole.damping + damping))


def _surplus(frame: _Moving) -> tuple[FloatArray, FloatArray]:
    """psi of exp(gam~)(y + t) beyond p + tau + exp(gam~)(y - p): 2 gam x t + gam x (gam x p), with t = tau - gam x p."""
    c, t, p = frame.rotation, frame.at(np.zeros(3)), frame.point
    extra = np.einsum("abc,bk,cl->akl", LEVI_CIVITA, c, 2.0 * t + np.cross(c, p, axisa=0).T)
    return symmetric(extra), np.zeros_like(extra)


def _members(tree: Tree, root: int, joints: set[str]) -> list[int]:
    """Tree bodies beyond the joints, parents first."""
    inside: list[int] = []
    for k, body in enumerate(tree.bodies):
        if body.parent in inside or (body.parent == root and body.joint in joints):
            inside.append(k)
    return inside


def _columns(tree: Tree, root: int, members: list[int], carriers: set[str]) -> tuple[dict[tuple[int, str], slice], int]:
    """Coordinates of every joint (key: tree body, empty name) and of every block."""
    columns: dict[tuple[int, str], slice] = {}
    total = 0
    for k in (root, *members):
        body = tree.bodies[k]
        if k != root:
            speeds = STEP_SPEEDS[body.kind]
            columns[k, ""] = slice(total, total + speeds)
            total += speeds
        for block in body.blocks:
            if k != root or block.name in carriers:
                columns[k, block.name] = slice(total, total + block.integrals.count)
                total += block.integrals.count
    return columns, total


def _carried(
    tree: Tree, body: TreeBody, parent: _Moving, own: slice, columns: dict[tuple[int, str], slice], total: int
) -> _Moving:
    """The body behind its joint: motion of the joint point with the parent (and its flexible node), then the joint's own."""
    R = parent.attitude
    point = parent.origin + R @ body.parent_point
    translation, rotation = np.array(parent.at(point)), np.array(parent.rotation)
    if body.parent_node is not None:
        node = body.parent_node
        carrier = tree.bodies[body.parent].blocks[node.block].name
        place = columns[body.parent, carrier]
        translation[:, place] += R @ node.translation
        rotation[:, place] += R @ node.rotation
    joint_axes = R @ body.parent_frame
    if body.kind == "ball":
        rotation[:, own] += joint_axes
    elif body.kind == "hinge":
        rotation[:, own] += (joint_axes @ body.axis)[:, None]
    elif body.kind == "prismatic":
        translation[:, own] += (joint_axes @ body.axis)[:, None]
    attitude = joint_axes @ body.child_frame.T
    return _Moving(attitude, point - attitude @ body.child_point, point, translation, rotation)


def _rigid_part(body: TreeBody, frame: _Moving, total: int) -> ReducedAppendage:
    """A rigid body as one node at its joint, with the interface ``origin``."""
    R, center = frame.attitude, body.first / body.mass
    offset = frame.origin + R @ center - frame.point
    about_center = body.inertia + body.mass * skew(center) @ skew(center)
    inertia = R @ about_center @ R.T
    at, phi, theta = frame.point[None], frame.translation[None], frame.rotation[None]
    integrals = nodal_body_integrals(at, np.array([body.mass]), offset[None], inertia[None], phi, theta)
    one = np.array([1], np.int64)
    block = NodalBodies(one, np.zeros((1, 1), np.int64), np.array([body.mass]), offset[None], inertia[None])
    structure = StructuralModel(body.name, Nodes(one, at), (block,), mass_recipe="bodies")
    face = Interface("origin", 1, frame.origin, R.T, frame.at(frame.origin), frame.rotation)
    return ReducedAppendage(
        name=body.name,
        integrals=integrals,
        stiffness=np.zeros((total, total)),
        damping=np.zeros((total, total)),
        nodes=NodeTable(np.array([1]), at, phi, theta),
        frame=FrameRecord("connection", "a rigid body"),
        interfaces=(face,),
        topology=Topology(bodies=np.array([0]), body_mass=np.array([body.mass])),
        sources=(MassSource(at, "bodies", structure),),
        bodies=TurningBodies(
            rows=np.zeros(1, np.int64),
            masses=np.array([body.mass]),
            offsets=offset[None],
            inertias=inertia[None],
            positions=at,
            translation=phi,
            rotation=theta,
        ),
    )
