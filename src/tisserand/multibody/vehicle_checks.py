"""Checks of a vehicle before anything is computed: names, tree, records that float, massless leaves.

Serves theory section 5.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from tisserand.errors import ModelError, VehicleError

if TYPE_CHECKING:
    from tisserand.multibody.vehicle import Vehicle

#: Frames of a record that move with the whole appendage and with no point of it.
FLOATING_FRAMES = ("buckens", "tisserand", "milne")


def check_vehicle(vehicle: Vehicle) -> str:
    """Raise VehicleError on the first inconsistency; return the name of the base body."""
    where = f"vehicle {vehicle.name}"
    if not vehicle.bodies:
        raise VehicleError("a vehicle needs at least one body", where=where)
    for word in ("bodies", "joints", "rotors", "appendages"):
        counts = Counter(thing.name for thing in getattr(vehicle, word))
        twice = [name for name, n in counts.items() if n > 1]
        if twice:
            raise VehicleError(f"two {word} have the same name", where=where, found=twice)
        if "" in counts:
            raise VehicleError(f"one of the {word} has an empty name", where=where)
    bodies = {b.name for b in vehicle.bodies}
    for joint in vehicle.joints:
        for side in (joint.parent, joint.child):
            if side not in bodies:
                raise VehicleError(
                    "a joint names an unknown body", where=f"joint {joint.name}", found=side, expected=sorted(bodies)
                )
    for thing, word in [(r, "rotor") for r in vehicle.rotors] + [(a, "appendage") for a in vehicle.appendages]:
        if thing.body not in bodies:  # type: ignore[attr-defined]
            raise VehicleError(
                "sits on an unknown body", where=f"{word} {thing.name}", found=thing.body, expected=sorted(bodies)
            )  # type: ignore[attr-defined]
    base = _check_tree(vehicle, where)
    _check_interfaces(vehicle)
    _check_floating_records(vehicle)
    _check_carried_mass(vehicle, base, where)
    return base


def _check_tree(vehicle: Vehicle, where: str) -> str:
    parents: dict[str, str] = {}
    for joint in vehicle.joints:
        if joint.parent == joint.child:
            raise VehicleError("a joint connects a body to itself", where=f"joint {joint.name}", found=joint.child)
        if joint.child in parents:
            raise VehicleError(
                "a body has two parents, which forms a closed loop",
                where=f"joint {joint.name}",
                found=joint.child,
                advice="the vehicle must be a tree: one joint per child",
            )
        parents[joint.child] = joint.parent
    roots = [b.name for b in vehicle.bodies if b.name not in parents]
    for start in parents:
        seen, body = [start], start
        while body in parents:
            body = parents[body]
            if body in seen:
                raise VehicleError(
                    "the joints form a cycle", where=where, found=" -> ".join([*seen, body]), expected="a tree"
                )
            seen.append(body)
    if len(roots) != 1:
        raise VehicleError(
            "all bodies must be connected to one base body",
            where=where,
            found=roots,
            expected="one body without a parent",
        )
    if vehicle.base is not None and vehicle.base != roots[0]:
        raise VehicleError(
            "the stated base is not the body without a parent",
            where="base body",
            found=repr(vehicle.base),
            expected=repr(roots[0]),
        )
    motion = vehicle.base_motion
    if isinstance(motion, str) and motion not in ("free", "fixed"):
        raise VehicleError("unknown base motion", where=where, found=motion, expected="free, fixed or PrescribedMotion")
    return roots[0]


def _check_interfaces(vehicle: Vehicle) -> None:
    mounts = {a.name: a for a in vehicle.appendages}
    for joint in vehicle.joints:
        for side, body in ((joint.parent_interface, joint.parent), (joint.child_interface, joint.child)):
            if side is None:
                continue
            where = f"joint {joint.name}"
            if side[0] not in mounts or mounts[side[0]].body != body:
                raise VehicleError(
                    "the interface's appendage is not on that body",
                    where=where,
                    found=side[0],
                    expected=f"an appendage of {body}",
                )
            try:
                mounts[side[0]].record.interface(side[1])
            except ModelError as error:
                raise VehicleError("unknown interface", where=where, found=side[1], expected=error.expected) from error


def _check_floating_records(vehicle: Vehicle) -> None:
    """A record in mean or principal axes without an attachment has no point at which a body or joint could hold it."""
    records = dict.fromkeys((b.name for b in vehicle.bodies), 0.0)
    for mount in vehicle.appendages:
        records[mount.body] += mount.record.mass
    for mount in vehicle.appendages:
        record = mount.record
        if record.attachment is not None or record.count == 0 or record.frame.name not in FLOATING_FRAMES:
            continue
        mass = vehicle.body(mount.body).mass - (records[mount.body] if vehicle.bodies_include_appendages else 0.0)
        holds = [f"body {mount.body} of {mass:.6g} kg"] if mass > 1e-9 * record.mass else []
        holds += [f"appendage {a.name}" for a in vehicle.appendages if a.body == mount.body and a is not mount]
        for joint in vehicle.joints:
            for side, body in ((joint.parent_interface, joint.parent), (joint.child_interface, joint.child)):
                if body == mount.body and (side is None or side[0] != mount.name):
                    holds.append(f"joint {joint.name}")
        if holds:
            raise VehicleError(
                f"its record in the {record.frame.name} frame has no attachment, so its mean axes would be fixed "
                "to the body and its modes would stay free",
                where=f"appendage {mount.name}",
                found=f"mounted to {holds[0]}",
                expected="a record with an attachment, or a massless body without other connections",
                advice="name an attachment interface when reducing, or use the connection frame",
            )


def _check_carried_mass(vehicle: Vehicle, base: str, where: str) -> None:
    """Every leaf of the tree must carry mass, or its joint acceleration is undefined."""
    own = {b.name: b.mass for b in vehicle.bodies}
    for rotor in vehicle.rotors:
        own[rotor.body] += rotor.mass
    for mount in vehicle.appendages:
        own[mount.body] += mount.record.mass
    children: dict[str, list[str]] = {name: [] for name in own}
    for joint in vehicle.joints:
        children[joint.parent].append(joint.child)

    def carried(body: str) -> float:
        stack, total = [body], 0.0
        while stack:
            name = stack.pop()
            total += own[name]
            stack += children[name]
        return total

    for joint in vehicle.joints:
        moving = joint.speeds - sum(m is not None for m in joint.motion)
        if moving and carried(joint.child) == 0.0:
            raise VehicleError(
                "a massless body carries nothing, so its motion is undefined",
                where=f"body {joint.child}",
                advice="give it mass, attach a body or an appendage, or prescribe its motion",
            )
    _check_massless_shapes(vehicle, base, {name for name in own if children[name]})
    if vehicle.base_motion == "free" and carried(base) == 0.0:
        raise VehicleError("the vehicle has no mass", where=where)
    single = [b for b in vehicle.bodies if not children[b.name] and b.mass > 0.0 and not np.any(b.inertia)]
    supported = {r.body for r in vehicle.rotors} | {a.body for a in vehicle.appendages}
    for body in single:
        joint_of = vehicle.parent_joint(body.name)
        turning = (joint_of is None and vehicle.base_motion == "free") or (
            joint_of is not None and "ball" in joint_of.steps
        )
        if turning and body.name not in supported:
            raise VehicleError(
                "a free point mass has no defined rotation",
                where=f"body {body.name}",
                found="zero inertia",
                advice="give it an inertia matrix or hold it by a hinge away from its mass center",
            )


def _check_massless_shapes(vehicle: Vehicle, base: str, parents: set[str]) -> None:
    """A shape that moves its attachment and no mass needs something on the other side of the attachment."""
    for mount in vehicle.appendages:
        body, still = vehicle.body(mount.body), mount.record.massless
        alone = body.mass == 0.0 and not np.any(body.inertia) and body.name not in parents
        alone = alone and not any(r.body == body.name for r in vehicle.rotors)
        alone = alone and sum(a.body == body.name for a in vehicle.appendages) == 1
        joint = vehicle.parent_joint(body.name)
        loose = (
            vehicle.base_motion == "free" if joint is None else joint.speeds > sum(m is not None for m in joint.motion)
        )
        if still.any() and alone and loose:
            raise VehicleError(
                "a shape moves only the attachment and no mass, and the body there has none either",
                where=f"appendage {mount.name} on body {body.name}",
                found=mount.record.mode_names[int(np.argmax(still))],
                advice="give the body mass and inertia, or leave such shapes out ('--mounted free')",
            )
