"""What implicit steps need beside the compiled vehicle: a copy of its tables with room for the stiffness of a step.

Reference: theory section 13.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.engine_model import BALL, FREE, HINGE, PRISMATIC, TORQUE, read_model
from tisserand.multibody.recursive.hardware_rows import with_room
from tisserand.multibody.recursive.workspace import place_tables


@dataclass(frozen=True, eq=False, kw_only=True)
class ImplicitModel:
    """Tables of the implicit passes.

    M, F: copies of the vehicle's tables with room for S and its forces; pairs (p, 2): places of coordinates and of the speeds
    that are their rates; turns (q, 2): places of quaternions and of their angular velocities; groups, paces (size,):
    coordinates whose error is measured together, in parts of pace times the largest coordinate over its pace; homogeneous:
    whether every speed is zero where those in the state are.
    """

    M: IntArray
    F: FloatArray
    pairs: IntArray
    turns: IntArray
    groups: IntArray
    paces: FloatArray
    homogeneous: bool


def implicit_model(c: CompiledVehicle) -> ImplicitModel:
    """The tables of a vehicle for implicit steps."""
    M = c.M.copy()
    tables = read_model(M)
    head = tables.head[0]
    head["implicit"] = len(c.F)
    size = 0
    for body in tables.bodies:
        blocks = tables.blocks[body["block"] : body["block"] + body["blocks"]]
        body["dense"] = body["dense"] or (body["modes"] > 0 and not blocks["diagonal"].all())
        body["mass_work"] = size
        size += int(body["modes"]) ** 2 if body["dense"] else 0
    head["mass_size"] = size
    place_tables(head)
    M.setflags(write=False)
    pairs, turns = _kinematics(c)
    groups, paces = _groups(c)
    driven = any(b.motion is not None for b in c.tree.bodies) or c.vehicle.base_motion not in ("free", "fixed")
    return ImplicitModel(
        M=M,
        F=with_room(c.F, int(head["modes"]) + 4 * int(head["bodies"]), c.laws is not None),
        pairs=pairs,
        turns=turns,
        groups=groups,
        paces=paces,
        homogeneous=not driven and all(r["drive"] == TORQUE for r in c.model.rotors),
    )


def _kinematics(c: CompiledVehicle) -> tuple[IntArray, IntArray]:
    """Places of coordinates and of their rates; driven ones are left to the engine."""
    pairs: list[tuple[int, int]] = []
    turns: list[tuple[int, int]] = []
    for k, body in enumerate(c.model.bodies):
        if k == 0 and body["kind"] == FREE:
            pairs += [(i, c.speeds + i) for i in range(3)]
            turns.append((3, c.speeds + 3))
        elif k and body["free"] and body["kind"] in (HINGE, PRISMATIC):
            pairs.append((int(body["q"]), int(body["u"])))
        elif k and body["kind"] == BALL:
            turns.append((int(body["q"]), int(body["u"])))
    h = c.head
    pairs += [(int(h["eta"]) + i, int(h["eta_rate"]) + i) for i in range(int(h["modes"]))]
    pairs += [
        (int(h["psi"]) + int(r["number"]), int(h["psi_rate"]) + int(r["number"]))
        for r in c.model.rotors
        if r["drive"] == TORQUE
    ]
    return np.array(pairs, np.int64).reshape(-1, 2), np.array(turns, np.int64).reshape(-1, 2)


def _groups(c: CompiledVehicle) -> tuple[IntArray, FloatArray]:
    """Groups and paces of the state: vectors and quaternions, modes of one appendage with their rates, the rest by itself.

    The pace of a modal rate is the mode's frequency (at least 1 rad/s), so that the error of a rate counts as an amplitude.
    """
    groups, paces = np.arange(c.size), np.ones(c.size)
    s = c.speeds
    together = [slice(0, 3), slice(s, s + 3), slice(s + 3, s + 6)]
    together += [slice(q, q + 4) for q in c.quaternions]
    for part in together:
        groups[part] = part.start
    for mount in c.vehicle.appendages:
        coordinates, rates = c.eta_places(mount.name)
        groups[coordinates] = groups[rates] = coordinates.start
        mass = np.diag(mount.record.integrals.modal_mass)
        paces[rates] = np.sqrt(np.maximum(np.diag(mount.record.stiffness) / mass, 1.0))
    return groups, paces
