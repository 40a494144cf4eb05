"""What stress does to turning rigid arms: the forces that elements take from arm ends, and the stiffness that follows.

A force lam on the end of an arm rho does the work lam.(b~b~rho) / 2 at the second degree of the arm's rotation b, so that
``Kg_arm = sym(lam rho') - (lam.rho) 1`` acts on that rotation (theory 8.1). lam is the force of the node on the elements
that it holds; loads that keep their direction count with the opposite sign.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import coo_array, csr_array

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assemble import chunks
from tisserand.assembly.axes import to_node_axes, turned_nodes
from tisserand.assembly.rigid_arms import RigidArms
from tisserand.elements.element_data import dof_rows
from tisserand.model import StructuralModel


def loaded_nodes(arms: RigidArms, nodes: int) -> BoolArray:
    """(n,) nodes whose forces act through an arm."""
    return np.asarray(np.diff(arms.chain.indptr).reshape(nodes, 6).any(axis=1))


def element_forces(model: StructuralModel, displacements: FloatArray, at: BoolArray) -> FloatArray:
    """(n, 6, p) forces N and moments N m of the nodes ``at`` (n,) on their elements under displacements (n, 6, p), basic axes."""
    n, _, p = displacements.shape
    axes = np.eye(3) if model.nodes.axes is None else model.nodes.axes
    local = _turned(displacements, axes)
    flat = np.concatenate([local.reshape(6 * n, p), np.zeros((1, p))])
    out = np.zeros((6 * n + 1, p))
    wanted = np.append(at, False)
    for rows, matrices in _stiffness_rows(model, wanted):
        np.add.at(out, rows.ravel(), (matrices @ flat[rows]).reshape(-1, p))
    found = np.where(at[:, None, None], out[:-1].reshape(n, 6, p), 0.0)
    return _turned(found, np.swapaxes(axes, -1, -2))


def _turned(motion: FloatArray, axes: FloatArray) -> FloatArray:
    """Forces or motions (n, 6, p) with both triads turned by axes (n, 3, 3) or (3, 3)."""
    return np.concatenate([axes @ motion[:, :3], axes @ motion[:, 3:]], axis=1)


def _stiffness_rows(model: StructuralModel, wanted: BoolArray) -> Iterator[tuple[IntArray, FloatArray]]:
    """Rows 6 node + component (m, nd), -1 for ground, and stiffness (m, nd, nd) in node axes of all elements at wanted nodes."""
    turned = turned_nodes(model.nodes)
    for block in model.elements:
        touching = np.flatnonzero(wanted[block.nodes].any(axis=1))
        if len(touching) == 0:
            continue
        for part in chunks(model, block.select(touching)):
            stiffness = part.stiffness()
            if stiffness is None:
                continue
            if part.named is not None:
                yield np.where(part.nodes >= 0, 6 * part.nodes + part.named, -1), stiffness
                continue
            yield dof_rows(part), to_node_axes(stiffness, part.nodes, part.components, model.nodes, turned)


def arm_stiffness(arms: RigidArms, forces: FloatArray) -> csr_array:
    """(6 n, 6 n) over [u; beta] of all nodes for forces (n, 6) of the nodes on what they hold."""
    blocks = arms.stiffness(forces[:, :, None])[0]
    e = len(blocks)
    row = np.broadcast_to(3 * np.arange(e)[:, None, None] + np.arange(3)[:, None], blocks.shape)
    column = np.broadcast_to(3 * np.arange(e)[:, None, None] + np.arange(3), blocks.shape)
    middle = coo_array((blocks.ravel(), (row.ravel(), column.ravel())), shape=(3 * e, 3 * e)).tocsr()
    return csr_array(arms.turn.T @ middle @ arms.turn)
