"""Second-degree moments and shapes that turning rigid arms give to the modes of a structure (theory 8.1)."""

from __future__ import annotations

import numpy as np

from tisserand.appendage.record.packed_pairs import fits
from tisserand.arrays import FloatArray, IntArray
from tisserand.assembly.rigid_arms import rigid_arms
from tisserand.elements.turned_forces import arm_blocks
from tisserand.model import StructuralModel
from tisserand.statics.arm_forces import loaded_nodes
from tisserand.statics.turning_masses import arm_forces, arm_momenta, offset_ends, offset_momenta


def arm_moments(model: StructuralModel, recipe: str, origin: FloatArray, shapes: FloatArray) -> FloatArray:
    """A4 (4, 3, k, k) = 1/2 int xh psi_kl' dm of the mass on arm ends, motions (n, 6, k) in basic axes, r from ``origin``.

    Nodal bodies that joined their leader are not among it.
    """
    k = shapes.shape[2]
    out = np.zeros((12, k, k))
    if not k:
        return out.reshape(4, 3, k, k)
    arms = rigid_arms(model)
    if len(arms):
        out += arms.moments(arm_forces(model, recipe, origin).reshape(len(model.nodes), 6, 12), shapes)
    for nodes, offsets, forces in offset_ends(model, recipe, origin):
        b = shapes[nodes, 3:]
        flat, loads = b.reshape(-1, k), forces.reshape(len(nodes), 3, 12)
        out += np.array([flat.T @ (arm_blocks(loads[:, :, p], offsets) @ b).reshape(-1, k) for p in range(12)])
    return 0.5 * out.reshape(4, 3, k, k)


def arm_second_shapes(model: StructuralModel, recipe: str, shapes: FloatArray) -> FloatArray:
    """B (k, k, k) = 1/2 int phi_m.psi_kl dm of the same mass: M phi_m at the arm ends works on their second degree."""
    k = shapes.shape[2]
    out = np.zeros((k, k, k))
    if not k:
        return out
    arms = rigid_arms(model)
    if len(arms):
        out += arms.moments(arm_momenta(model, recipe, shapes), shapes)
    for nodes, offsets, forces in offset_momenta(model, recipe, shapes):
        b = shapes[nodes, 3:]
        flat = b.reshape(-1, k)
        out += np.array([flat.T @ (arm_blocks(forces[:, :, m], offsets) @ b).reshape(-1, k) for m in range(k)])
    return 0.5 * out


def arm_shapes(model: StructuralModel, shapes: FloatArray, rows: IntArray) -> FloatArray:
    """psi (m, 3, k, k) that arms give to the translations of node rows (m,), basic axes: u = phi eta + 1/2 psi eta eta."""
    arms, k = rigid_arms(model), shapes.shape[2]
    out = np.zeros((len(rows), 3, k, k))
    if not len(arms) or not len(rows) or not k:
        return out
    reached = np.flatnonzero(loaded_nodes(arms, len(model.nodes))[rows])
    b = arms.rotations(shapes)[arms.element]
    chain = arms.chain[(6 * rows[reached, None] + np.arange(3)).ravel()].toarray()
    out[reached] = np.einsum("xr,rik,rij,rjl->xkl", chain, b, arms.form, b, optimize=True).reshape(-1, 3, k, k)
    return out


def arm_field(model: StructuralModel, shapes: FloatArray) -> FloatArray | None:
    """psi (n, 3, p) that arms give to all nodes, packed pairs of modes; None without arms, or where it is too large to keep."""
    arms, k = rigid_arms(model), shapes.shape[2]
    if not len(arms) or not k or not fits(len(shapes), k):
        return None
    i, j = np.triu_indices(k)
    b = arms.rotations(shapes)[arms.element]
    own = np.einsum("rip,rij,rjp->rp", b[:, :, i], arms.form, b[:, :, j], optimize=True)
    return np.asarray(arms.chain @ own).reshape(-1, 6, len(i))[:, :3]
