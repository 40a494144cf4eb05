"""Second-degree displacement of a structure that moves in given shapes: what leaves its strain free of second degree.

u = phi eta + 1/2 psi(eta, eta), K psi_kl = -h_kl with h_kl = int E1' C E2(phi_k, phi_l) the nodal forces of the second-degree
strains (theory 8.2): bending shortens, rigid rotation keeps lengths. v.h_kl = phi_k' Kgeo(v) phi_l for every displacement v,
so that a unit displacement of one dof in each of many elements at once, no two nodes of an element among them, gives the
forces from the geometric stiffness alone. Slaves of turning arms move by their own second degree g, which strains the
elements that they hold: K psi = -R'(h + K_all g) over independent dofs, psi_all = R psi + g.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array

from tisserand.arrays import FloatArray, IntArray, frozen
from tisserand.assembly.assemble import chunks
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.rigid_arms import rigid_arms
from tisserand.elements.element_data import components_of
from tisserand.model import StructuralModel, Supports
from tisserand.statics._kernels import color_nodes
from tisserand.statics.arm_forces import element_forces
from tisserand.statics.directional import source_of
from tisserand.statics.static_solution import HeldStructure

#: Pairs of shapes solved at a time: bounds the memory of the solution.
_PAIRS = 64


@dataclass(frozen=True, eq=False, repr=False)
class SecondDegree:
    """psi of all nodes for the p pairs (k, l), k <= l, of shapes, basic axes.

    pairs (p, 2), displacement (n, 6, p) [u; rotation vector]; arms (n, 6, p): the part from rigid arms alone. gauge:
    ``attachment`` if supports hold psi, ``mean`` if int psi dm = int r x psi dm = 0.
    """

    pairs: IntArray
    displacement: FloatArray
    arms: FloatArray
    gauge: str

    def __post_init__(self) -> None:
        for word in ("displacement", "arms"):
            object.__setattr__(self, word, frozen(getattr(self, word)))


def shape_pairs(count: int) -> IntArray:
    """(count (count + 1) / 2, 2): pairs (k, l) with k <= l, row by row."""
    return np.stack(np.triu_indices(count), axis=1)


def second_displacement(
    assembled: AssembledModel, shapes: FloatArray, supports: Supports | None = None
) -> SecondDegree:
    """psi of shapes (d, k) over independent dofs; ``supports`` None takes the deck's. One factorization, k (k + 1) / 2 solutions.

    A structure that the supports leave free is solved in inertia relief.
    """
    model = source_of(assembled, "the second-degree displacement")
    Phi = np.asarray(shapes, dtype=float).reshape(assembled.size, -1)
    nodal = assembled.displacements(Phi)
    pairs = shape_pairs(Phi.shape[1])
    forces = strain_forces(model, nodal, pairs)
    arms, everywhere = rigid_arms(model), np.ones(len(nodal), np.bool_)
    psi, own = np.empty_like(forces), np.zeros_like(forces)
    held = HeldStructure(assembled, supports, inertia_relief=True)
    try:
        for start in range(0, len(pairs), _PAIRS):
            block = slice(start, start + _PAIRS)
            if len(arms):
                k, l = pairs[block].T
                own[..., block] = arms.displacement(nodal[..., k], nodal[..., l])
                forces[..., block] += element_forces(model, own[..., block], everywhere)
            load = -(assembled.recovery.T @ forces[..., block].reshape(6 * len(nodal), -1))
            psi[..., block] = assembled.displacements(held.solve(load).displacement) + own[..., block]
    finally:
        held.release()
    return SecondDegree(pairs, psi, own, "mean" if held.relieved else "attachment")


def strain_forces(model: StructuralModel, shapes: FloatArray, pairs: IntArray) -> FloatArray:
    """h (n, 6, p) N and N m, basic axes: nodal forces of the second-degree strains of pairs of motions (n, 6, k)."""
    n, count = len(shapes), shapes.shape[2]
    out = np.zeros((n, 6, len(pairs)))
    if len(pairs) == 0:
        return out
    colors, number = node_colors(model)
    k, l = pairs.T
    for block in model.elements:
        width = len(components_of(model, block))
        if width == 0:
            continue
        states = np.zeros((n, 6, number * width))
        for color in range(number):
            for c in range(width):
                states[colors == color, c, color * width + c] = 1.0
        for part in chunks(model, block):
            here = colors[part.nodes]
            at = shapes[part.nodes][:, :, :width].reshape(len(part), -1, count)
            turned = np.ascontiguousarray(at.transpose(0, 2, 1))
            for state, matrices in enumerate(part.geometric_states(states) or ()):
                element, corner = np.nonzero((here == state // width) & (part.nodes >= 0))
                if len(element) == 0:
                    continue
                work = turned[element] @ (matrices[element] @ at[element])
                np.add.at(out[:, state % width], part.nodes[element, corner], work[:, k, l])
    return out


def node_colors(model: StructuralModel) -> tuple[IntArray, int]:
    """(n,) a color for every node so that no element has two nodes of one, and how many colors there are."""
    n = len(model.nodes)
    rows, columns, first = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], 0
    for block in model.elements:
        if block.facts.components != "named" and len(block):
            element = np.broadcast_to(first + np.arange(len(block))[:, None], block.nodes.shape)
            real = block.nodes >= 0
            rows.append(element[real])
            columns.append(block.nodes[real])
            first += len(block)
    row, column = np.concatenate(rows), np.concatenate(columns)
    touch = coo_array((np.ones(len(row)), (row, column)), shape=(max(first, 1), n)).tocsr()
    graph = csr_array(touch.T @ touch)
    colors = np.zeros(n, np.int64)
    number = int(color_nodes(graph.indptr.astype(np.int64), graph.indices.astype(np.int64), colors))
    return colors, number
