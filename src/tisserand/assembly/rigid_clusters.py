"""Whether a mesh cannot have mechanisms, from its elements alone: no assembled matrix, no factor.

A solid or a shell that bends has no strain-free motions but rigid ones. Two that share three nodes not in line, or two shells
that share a side (whose rotation about the side both resist), move as one. If all of them do, and every dof belongs to them, a
strain-free motion of the model is rigid. Everything else in the model (rods, springs, ties, supports) can only restrain it.
The answer "no" means that this does not decide.

Rigid vectors of an element: theory section 1.1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tisserand.arrays import IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.singular import loose_directions
from tisserand.elements.element_data import components_of
from tisserand.elements.registry import prepare
from tisserand.model import ElementBlock, ShellBlock, SolidBlock, StructuralModel

#: Eigenvalues of an element's stiffness, scaled to unit diagonal, below this part of the largest are no stiffness.
_NO_STIFFNESS = 1e-11


def moves_as_one(model: StructuralModel, assembled: AssembledModel) -> bool:
    """Whether every strain-free motion of the model, with its supports, is proven to be a rigid one."""
    firm = [block for block in model.elements if isinstance(block, SolidBlock | ShellBlock) and len(block)]
    if not firm or any(section.stressed for section in model.sections):
        return False
    held = assembled.held()
    inside = np.zeros(len(model.nodes), np.bool_)
    turned = np.zeros(len(model.nodes), np.bool_)
    for block in firm:
        inside[block.nodes[block.nodes >= 0]] = True
        if isinstance(block, ShellBlock):
            turned[block.nodes[block.nodes >= 0]] = True
    dofs = assembled.dofs
    turns = dofs.component >= 3
    if not inside[dofs.node].all() or not turned[dofs.node[turns & ~held]].all():
        return False
    if _others_turn(model, firm) or _loose(assembled):
        return False
    return all(_firm(model, block) for block in firm) and _joined(model, firm)


def _others_turn(model: StructuralModel, firm: Sequence[ElementBlock]) -> bool:
    """Whether elements other than shells resist rotations of nodes: their own motion is not decided here."""
    known = {id(block) for block in firm}
    others = (
        block for block in model.elements if id(block) not in known and len(block) and block.facts.shape != "body"
    )
    return any(not (c := components_of(model, block)) or max(c) >= 3 for block in others)


def _loose(assembled: AssembledModel) -> bool:
    """Whether a direction of a node is left free that nothing at the node resists."""
    found = loose_directions(assembled.stiffness, assembled.dofs, np.zeros(len(assembled.nodes)))
    free = np.zeros((len(assembled.nodes), 6), np.bool_)
    at = ~assembled.held()
    free[assembled.dofs.node[at], assembled.dofs.component[at]] = True
    return bool((found.mask(len(assembled.nodes)) & free).any())


def _firm(model: StructuralModel, block: SolidBlock | ShellBlock) -> bool:
    """Whether the first element of every section has no strain-free motions but rigid ones (and turns of a shell's nodes)."""
    _, first = np.unique(block.section, return_index=True)
    part = prepare(model, block.select(np.sort(first)))
    matrices = part.stiffness()
    if matrices is None:
        return False
    width = len(part.components)
    moves = np.tile(np.array(part.components) < 3, part.nodes.shape[1])
    for matrix in matrices:
        size = np.sqrt(np.abs(np.diag(matrix)))
        size = np.where(size > 0.0, size, 1.0)
        values, vectors = np.linalg.eigh(matrix / size / size[:, None])
        null = vectors[:, np.abs(values) <= _NO_STIFFNESS * np.abs(values).max()] / size[:, None]
        spare = len(matrix) // width if isinstance(block, ShellBlock) else 0
        if null.shape[1] > 6 + spare or np.linalg.matrix_rank(null[moves], tol=1e-6 * np.abs(null[moves]).max()) > 6:
            return False
    return True


def _joined(model: StructuralModel, blocks: list[SolidBlock | ShellBlock]) -> bool:
    """Whether shared faces, and shared sides of shells, join all elements."""
    elements, keys, start = [], [], 0
    n = len(model.nodes)
    for block in blocks:
        numbers = start + np.arange(len(block))
        start += len(block)
        corners = block.corner_nodes
        if isinstance(block, ShellBlock):
            sides = [(i, (i + 1) % corners.shape[1]) for i in range(corners.shape[1])]
            faces: tuple[tuple[int, ...], ...] = (tuple(range(corners.shape[1])),)
        else:
            sides, faces = [], block.faces
        for places, width in [*((face, 3) for face in faces), *((side, 2) for side in sides)]:
            shared = np.sort(block.nodes[:, list(places)], axis=1)[:, :width]
            elements.append(numbers)
            keys.append(shared if width == 3 else np.column_stack([np.full(len(shared), -1), shared]))
    facet = _numbered(np.concatenate(keys) + 1, n + 1)
    element = np.concatenate(elements)
    graph = coo_array(
        (np.ones(len(facet), np.int8), (element, start + facet)), shape=(start + int(facet.max()) + 1,) * 2
    )
    _, part = connected_components(graph.tocsr(), directed=False)
    return bool((part[:start] == part[0]).all())


def _numbered(rows: IntArray, radix: int) -> IntArray:
    """(m,) number of each distinct row (m, 3) of numbers below the radix."""
    pair = np.unique(rows[:, 0] * radix + rows[:, 1], return_inverse=True)[1].reshape(-1)
    return np.asarray(np.unique(pair * radix + rows[:, 2], return_inverse=True)[1].reshape(-1))
