"""MuJoCo model (MJCF) of a vehicle: its tree of rigid bodies exactly, joints with their springs, the initial state as a keyframe.

A body hangs on its parent at R_PB = F_P F_B', p_P - R_PB p_B at zero joint values (F joint frames, p joint points); its joints
turn about F_B g at p_B. Modes of appendages are tuned masses (``tuned``) in their bodies; rotors are locked.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.exporters.joint_start import joint_start
from tisserand.exporters.left_out import left_out, named, refuse_loops
from tisserand.exporters.readback import worst
from tisserand.exporters.simscape import quaternion
from tisserand.exporters.tuned import SMALL, RigidPart, TunedMass, tuned
from tisserand.files import write_text
from tisserand.multibody.body_integrals import carried_integrals
from tisserand.multibody.inertia import point_inertia
from tisserand.multibody.tree import Tree, TreeBody, expand, rigid_part
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file import VehicleCase

#: Least inertia of a moving body, kg m²: MuJoCo refuses 1e-15.
_LEAST = 1e-14


@dataclass(frozen=True, eq=False)
class Link:
    """A body as MuJoCo has it.

    axes: the tree bodies of its joint axes, of which the last has the mass; parent: among the links; tuned: masses in it.
    """

    axes: tuple[TreeBody, ...]
    parent: int
    tuned: tuple[TunedMass, ...] = ()

    @property
    def body(self) -> TreeBody:
        return self.axes[-1]


def losses(case: VehicleCase) -> list[str]:
    """What a model of rigid bodies cannot carry."""
    refuse_loops(case, "MuJoCo")
    vehicle = case.vehicle
    thin = [link.body.name for link in links(vehicle) if link.body.mass > 0.0 and not _thick(link.body)[1]]
    return [
        *tuned(vehicle, whole_bodies(vehicle))[2],
        *named("rotors are locked in their bodies", [r.name for r in vehicle.rotors]),
        *named(f"bodies without mass have {SMALL:g} of all, those without inertia {SMALL:g} m² times their mass", thin),
        *left_out(case),
    ]


def links(vehicle: Vehicle) -> list[Link]:
    """Chains of massless bodies as one link with several joints; appendages locked."""
    tree = expand(_locked(vehicle))
    masses = tuned(vehicle, whole_bodies(vehicle))[1]
    _refuse(tree)
    made: list[Link] = []
    place: dict[int, int] = {}
    for k, body in enumerate(tree.bodies):
        if body.joint is not None and any(other.parent == k and other.joint == body.joint for other in tree.bodies):
            continue  # an axis in front of the last one of its joint
        chain = (*_before(tree, k), k)
        first = tree.bodies[chain[0]]
        place[k] = len(made)
        made.append(
            Link(
                tuple(tree.bodies[i] for i in chain),
                place[first.parent] if first.parent >= 0 else -1,
                tuple(masses.get(body.name, ())),
            )
        )
    return made


def _before(tree: Tree, k: int) -> tuple[int, ...]:
    """The massless bodies of the same joint in front of body k."""
    parent = tree.bodies[k].parent
    same = parent >= 0 and tree.bodies[k].joint is not None and tree.bodies[parent].joint == tree.bodies[k].joint
    return (*_before(tree, parent), parent) if same else ()


def whole_bodies(vehicle: Vehicle) -> dict[str, RigidPart]:
    """Every body with its rotors and appendages locked."""
    on_nodes = [j.name for j in vehicle.joints if j.parent_interface is not None or j.child_interface is not None]
    if on_nodes:
        raise VehicleError(
            "joints on nodes of appendages cannot be written: appendages become tuned masses",
            found=", ".join(on_nodes),
            expected="joints between bodies",
        )
    out = {}
    for body in vehicle.bodies:
        mass, first, J = rigid_part(vehicle, body)
        for mount in (a for a in vehicle.appendages if a.body == body.name):
            whole = carried_integrals(mount.record.integrals, mount.attitude, mount.origin)
            mass, first, J = mass + whole.mass, first + whole.mass * whole.center, J + whole.inertia
        out[body.name] = RigidPart(mass, first, J)
    return out


def _locked(vehicle: Vehicle) -> Vehicle:
    """The vehicle with the mass of every rotor and appendage in its body, less what moves as a tuned mass."""
    rest, bodies = tuned(vehicle, whole_bodies(vehicle))[0], []
    total = sum(part.mass for part in rest.values())
    moved = {joint.child for joint in vehicle.joints if joint.kind != "fixed"}
    for body in vehicle.bodies:
        part = rest[body.name]
        if part.mass == 0.0 and body.name in moved:
            part = RigidPart(SMALL * total, part.first, part.inertia)
        c = part.first / part.mass if part.mass > 0.0 else np.zeros(3)
        about = part.inertia - point_inertia(part.mass, c)
        bodies.append(replace(body, mass=part.mass, center=c, inertia=0.5 * (about + about.T)))
    return replace(vehicle, bodies=tuple(bodies), rotors=(), appendages=(), bodies_include_appendages=False)


def _refuse(tree: Tree) -> None:
    for body in tree.bodies:
        moved = body.motion is not None or body.kind == "prescribed"
        for what, found in (
            ("a prescribed motion", moved),
            ("a spring or damper in a ball", body.kind == "ball" and any(body.law)),
        ):
            if found:
                raise VehicleError(
                    f"{what} cannot be written as MJCF", where=f"body {body.name}", found=body.joint or "the base"
                )


def _numbers(values: FloatArray) -> str:
    return '"' + " ".join(repr(float(x)) for x in np.ravel(values)) + '"'


def _element(all_links: list[Link], number: int, depth: int) -> Iterator[str]:
    link, pad = all_links[number], "  " * depth
    body, first = link.body, link.axes[0]
    R_PB = first.parent_frame @ body.child_frame.T
    place = first.parent_point - R_PB @ body.child_point
    yield f"{pad}<body name={quoteattr(body.name)} pos={_numbers(place)} quat={_numbers(quaternion(R_PB))}>"
    if body.kind == "free":
        yield f"{pad}  <freejoint/>"
    for axis in link.axes:
        if axis.kind in ("hinge", "prismatic", "ball"):
            yield f"{pad}  {_joint(axis, body)}"
    if body.mass > 0.0:
        c, J = body.first / body.mass, _thick(body)[0]
        six = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        yield f'{pad}  <inertial pos={_numbers(c)} mass="{body.mass!r}" fullinertia={_numbers(np.array(six))}/>'
    for one in link.tuned:
        yield from _tuned_element(one, pad)
    for child, other in enumerate(all_links):
        if other.parent == number:
            yield from _element(all_links, child, depth + 1)
    yield f"{pad}</body>"


def _thick(body: TreeBody) -> tuple[FloatArray, bool]:
    """Inertia (3, 3) about the mass center as MuJoCo takes it, and whether the body has it."""
    J = body.inertia - point_inertia(body.mass, body.first / body.mass)
    J = 0.5 * (J + J.T)
    values, axes = np.linalg.eigh(J)
    least = max(SMALL * body.mass, _LEAST)
    return (J, True) if values[0] >= least else ((axes * np.maximum(values, least)) @ axes.T, False)


def _tuned_element(one: TunedMass, pad: str) -> Iterator[str]:
    """A mode as a body on a slide or hinge."""
    law = f'stiffness="{one.stiffness!r}" damping="{one.damping!r}"'
    J = one.inertia
    six = np.array([J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]])
    yield f"{pad}  <body name={quoteattr(one.name)} pos={_numbers(one.point)}>"
    yield f'{pad}    <joint name={quoteattr(one.name)} type="{one.kind}" axis={_numbers(one.axis)} {law}/>'
    yield f'{pad}    <inertial pos="0 0 0" mass="{one.mass!r}" fullinertia={_numbers(six)}/>'
    yield f"{pad}  </body>"


def _joint(axis: TreeBody, body: TreeBody) -> str:
    name = f"{axis.joint}:{axis.joint_axis + 1}" if axis.joint_axis or axis is not body else str(axis.joint)
    kind = {"hinge": "hinge", "prismatic": "slide", "ball": "ball"}[axis.kind]
    place = f"pos={_numbers(body.child_point)}"
    if kind == "ball":
        return f'<joint name={quoteattr(name)} type="ball" {place}/>'
    stiffness, damping, rest = (float(x) for x in axis.law)
    law = f'stiffness="{stiffness!r}" damping="{damping!r}" springref="{rest!r}"'
    return f'<joint name={quoteattr(name)} type="{kind}" axis={_numbers(body.child_frame @ axis.axis)} {place} {law}/>'


def state_numbers(case: VehicleCase, all_links: list[Link]) -> tuple[FloatArray, FloatArray]:
    """qpos and qvel of the initial state, in MuJoCo's order."""
    state = case.initial
    qpos: list[float] = []
    qvel: list[float] = []

    def add(number: int) -> None:
        for axis in all_links[number].axes:
            if axis.kind == "free":
                qpos.extend([*state.position, *state.attitude])
                qvel.extend([*state.velocity, *state.angular_velocity])
            elif axis.kind == "ball":
                turn, rate = joint_start(state, axis)
                qpos.extend(turn)
                qvel.extend(axis.child_frame @ rate)
            elif axis.kind in ("hinge", "prismatic"):
                place, rate = joint_start(state, axis)
                qpos.extend(place)
                qvel.extend(rate)
        for one in all_links[number].tuned:
            mount = one.name.rsplit(":mode", 1)[0]
            for values, modal in ((qpos, state.modal), (qvel, state.modal_rates)):
                values.append(float(one.row @ np.broadcast_to(modal.get(mount, 0.0), one.row.shape)))
        for child, other in enumerate(all_links):
            if other.parent == number:
                add(child)

    add(0)
    return np.array(qpos), np.array(qvel)


def mjcf_text(case: VehicleCase) -> str:
    """The model as XML; SI units, angles in rad, no contacts."""
    all_links = links(case.vehicle)
    for link in all_links:
        if link.body.kind == "ball" and not np.array_equal(link.body.child_frame, np.eye(3)):
            raise VehicleError(
                "a ball with a turned frame on its child cannot be written as MJCF", where=str(link.body.joint)
            )
    qpos, qvel = state_numbers(case, all_links)
    name = re.sub(r"\s+", " ", case.vehicle.name)
    return "\n".join(
        [
            f"<mujoco model={quoteattr(name)}>",
            '  <compiler angle="radian" inertiafromgeom="false" autolimits="false"/>',
            f'  <option gravity={_numbers(np.asarray(case.vehicle.gravity))} integrator="RK4"/>',
            "  <worldbody>",
            *_element(all_links, 0, 2),
            "  </worldbody>",
            "  <keyframe>",
            f'    <key name="initial" qpos={_numbers(qpos)} qvel={_numbers(qvel)}/>',
            "  </keyframe>",
            "</mujoco>",
            "",
        ]
    )


def write(case: VehicleCase, path: Path) -> list[Path]:
    return [write_text(path, mjcf_text(case))]


def read_back(case: VehicleCase, path: Path) -> float:
    """Masses and mass centers, body by body."""
    found = xml.parse(path).getroot()
    pairs: list[tuple[object, object]] = []
    parsed = {str(body.get("name")): body.find("inertial") for body in found.iter("body")}
    for link in links(case.vehicle):
        inertial = parsed[link.body.name]
        if inertial is not None:
            pairs.append(([float(str(inertial.get("mass")))], [link.body.mass]))
            center = [float(x) for x in str(inertial.get("pos")).split()]
            pairs.append(([1.0, *center], [1.0, *(link.body.first / link.body.mass)]))
        for one in link.tuned:
            moving = parsed[one.name]
            assert moving is not None
            pairs.append(([float(str(moving.get("mass")))], [one.mass]))
    return worst(pairs)
