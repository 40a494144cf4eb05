"""Bodies of the tree, with their appendages, rotors and nodes, as records of the model.

Serves theory section 5.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.joints import STEP_SPEEDS
from tisserand.multibody.recursive.engine_model import BODY, DRIVES, KINDS, ROTOR
from tisserand.multibody.recursive.packing import Packer, has_second_degree, pack_block, pack_node, row
from tisserand.multibody.recursive.places import Places
from tisserand.multibody.recursive.wiring import Wiring
from tisserand.multibody.tree import FlexNode, Tree, TreeBody


class Nodes:
    """Records of the nodes that carry joints or loads, body by body; ``number`` finds one by its use."""

    def __init__(self, pack: Packer, tree: Tree, references: FloatArray, eta: dict[str, slice], wiring: Wiring) -> None:
        uses: list[tuple[int, FlexNode, tuple[str, int]]] = []
        for k, body in enumerate(tree.bodies):
            if body.parent_node is not None:
                uses.append((body.parent, body.parent_node, ("parent", k)))
            if body.child_node is not None:
                uses.append((k, body.child_node, ("child", k)))
        uses += [(k, node, ("load", i)) for i, (k, node) in enumerate(wiring.nodes)]
        uses.sort(key=lambda use: use[0])
        self.rows: list[Any] = []
        self.number: dict[tuple[str, int], int] = {}
        self.of_body: dict[int, list[int]] = {}
        column = 0
        for i, (k, node, use) in enumerate(uses):
            body = tree.bodies[k]
            one = pack_node(pack, body, k, node, references[k], eta[body.blocks[node.block].name].start)
            one["column"], column = column, column + int(one["modes"])
            self.rows.append(one)
            self.number[use] = i
            self.of_body.setdefault(k, []).append(i)


def body_rows(
    pack: Packer, tree: Tree, references: FloatArray, places: Places, nodes: Nodes
) -> tuple[list[Any], list[Any], list[Any]]:
    """Records of the tree's bodies with their appendages and rotors."""
    bodies: list[Any] = []
    blocks: list[Any] = []
    rotors: list[Any] = []
    carrying = {tree.bodies[c].parent for use, c in nodes.number if use == "parent"}
    mode = mass_work = 0
    for k, body in enumerate(tree.bodies):
        one = _body_row(pack, body, tree, references[k])
        one["q"], one["u"] = places.q[k], places.u[k]
        one["parent_node"] = nodes.number.get(("parent", k), -1)
        one["child_node"] = nodes.number.get(("child", k), -1)
        mine = nodes.of_body.get(k, [0])
        one["nodes"], one["node"] = len(nodes.of_body.get(k, [])), mine[0]
        one["rotors"], one["rotor"] = len(body.rotors), len(rotors)
        one["blocks"], one["block"] = len(body.blocks), len(blocks)
        one["modes"], one["mode"] = body.modes, mode
        mass, diagonal = _modal_mass(body, references[k])
        one["mass_matrix"], one["diagonal"] = pack.floats(mass), diagonal
        turning = any(has_second_degree(block) for block in body.blocks)
        moves = k in carrying or one["child_node"] >= 0 or turning or not diagonal
        one["dense"], one["mass_work"] = body.modes > 0 and moves, mass_work
        mass_work += body.modes**2 if one["dense"] else 0
        mode += body.modes
        bodies.append(one)
        blocks += [pack_block(pack, block, references[k], places.eta[block.name].start) for block in body.blocks]
        rotors += [
            row(
                ROTOR,
                body=k,
                drive=DRIVES[r.mode],
                profile=pack.profile(r.profile),
                number=places.rotor[r.name],
                axis_B=r.axis,
                inertia=r.spin_inertia,
                damping=r.damping,
            )
            for r in body.rotors
        ]
    return bodies, blocks, rotors


def _modal_mass(body: TreeBody, reference: FloatArray) -> tuple[FloatArray, int]:
    """Me of the blocks, Mr where the modal mass changes with the deformation; whether it is diagonal."""
    mass = np.zeros((body.modes, body.modes))
    local = 0
    for block in body.blocks:
        n = block.integrals.count
        mass[local : local + n, local : local + n] = (
            block.field(reference).constant_mass if has_second_degree(block) else block.integrals.modal_mass
        )
        local += n
    off = np.abs(mass - np.diag(np.diag(mass))).max(initial=0.0)
    diagonal = bool(off <= 1e-13 * np.abs(mass).max(initial=0.0))
    return (np.diag(np.diag(mass)) if diagonal else mass), int(diagonal)


def _body_row(pack: Packer, body: TreeBody, tree: Tree, reference: FloatArray) -> Any:
    """The record of one body, about its reference point; the undeformed appendages are part of it."""
    mass, first, inertia = body.mass, body.first.copy(), body.inertia.copy()
    for block in body.blocks:
        i = block.integrals
        mass, first, inertia = mass + i.mass, first + i.mass * i.center, inertia + i.inertia
    d = -reference
    shift = np.outer(first, d) + np.outer(d, first) + mass * np.outer(d, d)
    inertia = inertia + np.trace(shift) * np.eye(3) - shift
    driven = inertia.copy()
    for r in body.rotors:
        if r.mode == "torque":
            driven -= r.spin_inertia * np.outer(r.axis, r.axis)
    parent_reference = np.zeros(3)
    if body.parent >= 0:
        p = tree.bodies[body.parent]
        parent_reference = p.child_point if p.child_node is None and body.parent else np.zeros(3)
    speeds = STEP_SPEEDS.get(body.kind, 0)
    return row(
        BODY,
        parent=body.parent,
        kind=KINDS[body.kind],
        free=speeds if body.motion is None else 0,
        part=0 if body.kind == "prismatic" else 3,
        motion=pack.profile(body.motion),
        mass=mass,
        first_B=first + mass * d,
        J_B=inertia,
        J_driven_B=driven,
        reference_B=reference,
        axis=body.axis,
        point_P=body.parent_point - parent_reference,
        C_PJ=body.parent_frame,
        C_JB=body.child_frame.T,
        spring=body.law[0],
        damper=body.law[1],
        rest=body.law[2],
    )
