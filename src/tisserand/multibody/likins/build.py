"""From the vehicle to the report's tree; what TR 32-1576 cannot express is refused by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.arrays import FloatArray, skew
from tisserand.errors import VehicleError
from tisserand.multibody.body_integrals import has_geometric_stiffness, with_geometric_stiffness
from tisserand.multibody.carried_records import exact_bodies
from tisserand.multibody.likins.substructure import Flexible, Substructure, substructure
from tisserand.multibody.likins.system import LikinsSystem, likins_system
from tisserand.multibody.tree import FlexBlock, Tree, TreeBody, expand
from tisserand.multibody.vehicle import Rotor, Vehicle

Form = Literal["complete", "first-degree"]


@dataclass(frozen=True, eq=False)
class LikinsModel:
    """A vehicle in the report's terms.

    form: ``complete`` (Eq 33, all degrees) or ``first-degree`` (Eq 42); tree: the vehicle in order; body
    (len(tree.bodies),): number of each tree body among the substructures (a ball joint adds two imaginary
    ones); hinges: per tree body the numbers of the hinges that carry it, none for the base.
    """

    form: Form
    tree: Tree
    system: LikinsSystem
    body: tuple[int, ...]
    hinges: tuple[tuple[int, ...], ...]

    @property
    def vehicle(self) -> Vehicle:
        return self.tree.vehicle

    @property
    def first_degree(self) -> bool:
        return self.form == "first-degree"


def build(vehicle: Vehicle, form: Form | None = None) -> LikinsModel:
    """Translate a vehicle: Eq 33 with the displacement fields of the appendages.

    ``form`` ``first-degree`` selects Eq 42.
    """
    tree = expand(vehicle)
    for body in tree.bodies:
        _refuse(vehicle, body)
    chosen = form or _form(vehicle)
    if chosen not in ("complete", "first-degree"):
        raise VehicleError("unknown form of the equations", found=chosen, expected="complete or first-degree")
    if form == "complete":
        poor = [a.name for a in vehicle.appendages if a.record.inertia_level != "full"]
        if poor:
            raise VehicleError(
                "the complete equations need full modal integrals",
                where=f"appendage {poor[0]}",
                advice="use form first-degree",
            )

    parents: list[int] = []
    parts: list[tuple[Substructure, FloatArray]] = []
    axes, points_parent, points_self, nominal = [], [], [], []
    number: list[int] = []
    hinges: list[tuple[int, ...]] = []
    for body in tree.bodies:
        up = -1 if body.parent < 0 else number[body.parent]
        turns = _turns(body)
        mine = []
        for i, axis in enumerate(turns):
            last = i == len(turns) - 1
            parents.append(up)
            parts.append(_part(body) if last else substructure(0.0, np.zeros(3), np.zeros((3, 3))))
            axes.append(body.child_frame @ axis if last else axis)
            points_parent.append(body.parent_point if i == 0 else np.zeros(3))
            points_self.append(body.child_point if last else np.zeros(3))
            frame = body.parent_frame if i == 0 else np.eye(3)
            nominal.append(frame @ body.child_frame.T if last else frame)
            up = len(parents) - 1
            mine.append(up)
        number.append(up)
        hinges.append(() if body.parent < 0 else tuple(h - 1 for h in mine))
    system = likins_system(
        parents, parts, np.array(axes), np.array(points_parent), np.array(points_self), np.array(nominal)
    )
    return LikinsModel(chosen, tree, system, tuple(number), tuple(hinges))


def _turns(body: TreeBody) -> list[FloatArray]:
    """Axes of the line hinges that carry a body: a ball joint is three hinges with two imaginary bodies (section II)."""
    if body.kind == "ball":
        return list(np.eye(3))
    if body.kind == "fixed" or body.parent < 0:
        return [np.array([0.0, 0.0, 1.0])]  # never turns
    return [body.axis]


def _part(body: TreeBody) -> tuple[Substructure, FloatArray]:
    center = body.first / body.mass if body.mass > 0.0 else np.zeros(3)
    arm = skew(center)
    appendages = [
        Flexible(
            _integrals(b),
            b.mount.record.stiffness,
            b.mount.record.damping,
            b.origin,
            b.attitude,
            exact_bodies(b.mount, _integrals(b)),
        )
        for b in body.blocks
    ]
    return substructure(
        body.mass,
        center,
        body.inertia + body.mass * arm @ arm,
        appendages,
        np.array([spin_inertia(r) for r in body.rotors]),
        np.array([r.axis for r in body.rotors]).reshape(-1, 3),
    )


def spin_inertia(rotor: Rotor) -> float:
    """Js, kg m².

    A rotor given by its momentum alone may omit it: its rate is then the momentum per unit inertia.
    """
    return rotor.spin_inertia if rotor.spin_inertia > 0.0 else 1.0


def _integrals(block: FlexBlock) -> ModalIntegrals:
    record = block.mount.record
    return with_geometric_stiffness(record) if _geometric(block) else record.integrals


def _geometric(block: FlexBlock) -> bool:
    return block.mount.geometric_stiffness and has_geometric_stiffness(block.mount.record)


def _form(vehicle: Vehicle) -> Form:
    levels = {a.inertia for a in vehicle.appendages}
    if "constant" in levels:
        name = next(a.name for a in vehicle.appendages if a.inertia == "constant")
        raise VehicleError(
            "the likins engine has no constant-inertia form",
            where=f"appendage {name}",
            expected="full or linear",
            advice="use the recursive engine",
        )
    return "complete"


def _refuse(vehicle: Vehicle, body: TreeBody) -> None:
    """Refuse, by name, what the report's form cannot express."""
    where = f"joint {body.joint}" if body.joint else f"body {body.name}"
    advice = "use the recursive engine"
    if body.parent < 0 and body.kind != "free":
        raise VehicleError(
            "the likins engine needs a free base", where=where, found=f"a {body.kind} base", advice=advice
        )
    if body.kind == "prismatic":
        raise VehicleError(
            "the likins engine supports line hinges only",
            where=where,
            found=f"a {vehicle.joint(str(body.joint)).kind} joint",
            advice=advice,
        )
    if body.parent_node is not None:
        raise VehicleError(
            "the likins engine supports hinges on rigid bodies only",
            where=where,
            found="a hinge on a flexible node",
            advice=advice,
        )
    if body.child_node is not None:
        raise VehicleError(
            "the likins engine clamps appendages to their body",
            where=where,
            found="an appendage with a floating (mean-axis) frame",
            advice=advice,
        )
