"""Dofs without stiffness or mass: found, named, and held only where the model asks for it (AUTOSPC)."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import BoolArray, FloatArray
from tisserand.assembly.types import DofTable
from tisserand.model import StructuralModel, Supports

#: A direction of a node has no stiffness below this share of the node's largest one (Nastran's EPZERO).
_SINGULAR = 1e-8
#: Rotational stiffness below this share of the translational one times size squared is round-off, and the reverse.
_ROUND_OFF = 1e-14


def without_any_term(*matrices: csr_array | None) -> BoolArray:
    """(d,) True where the rows of all given matrices are empty or zero."""
    filled: BoolArray | None = None
    for matrix in matrices:
        if matrix is None:
            continue
        rows = row_sizes(matrix) > 0.0
        filled = rows if filled is None else filled | rows
    assert filled is not None
    return np.asarray(~filled)


def row_sizes(matrix: csr_array) -> FloatArray:
    """(d,) largest absolute value of every row, 0 for empty rows."""
    from tisserand.assembly import _kernels

    out = np.zeros(matrix.shape[0])
    _kernels.row_sizes(matrix.indptr, matrix.data, out)
    return out


def node_blocks(matrix: csr_array, dofs: DofTable) -> FloatArray:
    """(n, 2, 3, 3) diagonal blocks of translations and rotations at every node; zero where a dof is not
    independent.
    """
    from tisserand.assembly import _kernels

    out = np.zeros((dofs.node_count, 2, 3, 3))
    _kernels.node_blocks(dofs.node, dofs.component, matrix.indptr, matrix.indices, matrix.data, out)
    return out


def rigid_residuals(stiffness: csr_array, motion: FloatArray, dofs: DofTable, reach: float) -> FloatArray:
    """(d,) force |K r| of a motion in units of what its own round-off could be.

    |K_ij| is at most sqrt(g_i g_j), g the largest stiffness of a node's translations or rotations: the force
    at i is compared with sqrt(g_i) times the largest sqrt(g_j) |r_j| among the dofs joined to it. ``reach``:
    model size, m.
    """
    from tisserand.assembly import _kernels

    largest = np.einsum("ngii->ngi", node_blocks(stiffness, dofs)).max(axis=2)
    largest = np.maximum(largest, 1e-4 * _of_the_other_group(largest, reach))
    g = np.sqrt(np.maximum(largest[dofs.node, dofs.component // 3], 0.0))
    joined = np.zeros(len(dofs))
    _kernels.row_maxima(stiffness.indptr, stiffness.indices, g * np.abs(motion), joined)
    noise = g * joined
    force = np.abs(np.asarray(stiffness @ motion))
    return np.asarray(np.divide(force, noise, out=np.zeros_like(noise), where=noise > 0.0))


def _of_the_other_group(largest: FloatArray, reach: float) -> FloatArray:
    """(n, 2) a node's largest rotational stiffness as a translational one and the other way round, over a
    length.
    """
    return np.stack([largest[:, 1] / reach**2, largest[:, 0] * reach**2], axis=1)


def node_singularities(
    model: StructuralModel, stiffness: csr_array, mass: csr_array, dofs: DofTable
) -> tuple[Supports, list[str]]:
    """Dofs whose stiffness vanishes at their own node, as supports where the model asks for them, and notes.

    Each 3 x 3 diagonal block is searched for directions without stiffness; the dof nearest to each is named.
    """
    loose = loose_dofs(stiffness, dofs, model.size or 1.0)
    if not loose.any():
        return Supports(), []
    where = np.flatnonzero(loose.any(axis=1))
    supports = Supports(where, loose[where]) if model.auto_constrain else Supports()
    np.logical_and.at(loose, model.supports.nodes, ~model.supports.fixed)  # held by the deck: nothing to say
    told = np.flatnonzero(loose.any(axis=1))
    if not len(told):
        return supports, []
    names = ", ".join(_named(int(model.nodes.ids[i]), loose[i]) for i in told[:8])
    more = ", ..." if len(told) > 8 else ""
    massive = loose[dofs.node, dofs.component] & (row_sizes(mass) > 0.0)
    fate = "are held automatically when the structure is solved" if model.auto_constrain else "stay free"
    notes = [f"{int(loose.sum())} dofs have no stiffness at their node and {fate}: {names}{more}"]
    if massive.any():
        notes.append(f"{int(massive.sum())} of the dofs without stiffness carry mass")
    return supports, notes


def loose_dofs(stiffness: csr_array, dofs: DofTable, reach: float) -> BoolArray:
    """(n, 6) dofs without stiffness: nearest to each empty direction of a node's translations or rotations.

    A group whose stiffness is round-off of the node's other group (over the model's size ``reach``, m) is
    empty.
    """
    blocks = node_blocks(stiffness, dofs)
    sizes = np.abs(np.einsum("ngii->ngi", blocks)).max(axis=2)
    blocks[sizes < _ROUND_OFF * _of_the_other_group(sizes, reach)] = 0.0
    loose = np.zeros((dofs.node_count, 2, 3), np.bool_)
    present = (dofs.index >= 0).reshape(-1, 2, 3)
    node, group = np.nonzero(present.any(axis=2))
    block, here = blocks[node, group], present[node, group]
    largest = np.abs(np.einsum("mii->mi", block)).max(axis=1, initial=0.0)
    size = np.where(largest > 0.0, largest, 1.0)
    block = block / size[:, None, None]
    for i in range(3):  # dofs that do not exist must not look loose
        block[:, i, i] = np.where(here[:, i], block[:, i, i], 1.0)
    # the smallest eigenvalue is at least det / trace²: most blocks need no eigenvalues
    determinant = np.abs(np.einsum("mi,mi->m", np.cross(block[:, 0], block[:, 1]), block[:, 2]))
    trace = np.einsum("mii->m", block)
    suspects = np.flatnonzero(determinant <= 3.0 * _SINGULAR * trace**2)
    values, vectors = np.linalg.eigh(block[suspects])
    left = here[suspects]
    for k in range(3):
        singular = np.flatnonzero(
            np.abs(values[:, k]) <= _SINGULAR * np.abs(values).max(axis=1).clip(min=1.0)
        )
        nearest = np.where(left[singular], np.abs(vectors[singular, :, k]), -1.0).argmax(axis=1)
        left[singular, nearest] = False
        loose[node[suspects[singular]], group[suspects[singular]], nearest] = True
    return loose.reshape(-1, 6)


def _named(node: int, loose: BoolArray) -> str:
    digits = "".join(str(i + 1) for i in np.flatnonzero(loose))
    return f"node {node} component{'s' if len(digits) > 1 else ''} {digits}"
