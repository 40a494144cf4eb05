"""Dofs without stiffness or mass: found, named, and held only where the model requests it (AUTOSPC)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly import _kernels
from tisserand.assembly.assembled_model import DofTable
from tisserand.assembly.topology import tie_arms
from tisserand.model import StructuralModel, Supports

#: A direction of a node has no stiffness below this share of the node's largest one (Nastran's EPZERO).
_SINGULAR = 1e-8
#: Stiffness below this share of what a tie carries over its arm is round-off.
_ROUND_OFF = 1e-14
#: Stiffness below this share of the largest one is round-off of a node's own block.
_NOISE = 1e-13


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
    out = np.zeros(matrix.shape[0])
    _kernels.row_sizes(matrix.indptr, matrix.data, out)
    return out


def node_blocks(matrix: csr_array, dofs: DofTable) -> FloatArray:
    """(n, 2, 3, 3) diagonal blocks of translations and rotations at every node; zero where a dof is not independent."""
    out = np.zeros((dofs.node_count, 2, 3, 3))
    _kernels.node_blocks(dofs.node, dofs.component, matrix.indptr, matrix.indices, matrix.data, out)
    return out


def rigid_residuals(stiffness: csr_array, motions: FloatArray, dofs: DofTable, arms: FloatArray) -> FloatArray:
    """(d, k) forces |K r| of motions (d, k) in units of what their own round-off could be.

    |K_ij| is at most sqrt(g_i g_j), g the largest stiffness of a node's translations or rotations: the force
    at i is compared with sqrt(g_i) times the largest sqrt(g_j) |r_j| among the dofs joined to it. ``arms``:
    see ``tie_arms``.
    """
    largest = np.einsum("ngii->ngi", node_blocks(stiffness, dofs)).max(axis=2)
    largest = np.maximum(largest, 1e-4 * _by_arm(largest, arms))
    g = np.sqrt(np.maximum(largest[dofs.node, dofs.component // 3], 0.0))
    out: FloatArray = np.abs(np.asarray(stiffness @ motions))
    joined = np.zeros(len(dofs))
    for i, force in enumerate(out.T):
        _kernels.row_maxima(stiffness.indptr, stiffness.indices, g * np.abs(motions[:, i]), joined)
        noise = g * joined
        force[:] = np.divide(force, noise, out=np.zeros_like(noise), where=noise > 0.0)
    return out


def _by_arm(largest: FloatArray, arms: FloatArray) -> FloatArray:
    """(n, 2) a node's rotational stiffness as a translational one, and vice versa, over its tie's arm."""
    square = arms**2
    down = np.divide(largest[:, 1], square, out=np.zeros_like(square), where=square > 0.0)
    return np.stack([down, largest[:, 0] * square], axis=1)


def node_singularities(
    model: StructuralModel, stiffness: csr_array, mass: csr_array, dofs: DofTable
) -> tuple[Supports, list[str]]:
    """Dofs whose stiffness vanishes at their own node, as supports where the model requests them, and notes.

    Each 3 x 3 diagonal block is searched for directions without stiffness; the dof nearest to each is named. A translation
    that the deck holds itself is the deck's support, whatever its stiffness: it restrains the body (see
    ``find_mechanisms``).
    """
    loose = loose_directions(stiffness, dofs, tie_arms(model)).mask(dofs.node_count)
    if not loose.any():
        return Supports(), []
    own = np.zeros_like(loose)
    np.logical_or.at(own, model.supports.nodes, model.supports.fixed)
    loose[:, :3] &= ~own[:, :3]
    where = np.flatnonzero(loose.any(axis=1))
    supports = Supports(where, loose[where]) if model.auto_constrain else Supports()
    loose &= ~own  # held by the deck: nothing to report
    listed = np.flatnonzero(loose.any(axis=1))
    if not len(listed):
        return supports, []
    names = ", ".join(_named(int(model.nodes.ids[i]), loose[i]) for i in listed[:8])
    more = ", ..." if len(listed) > 8 else ""
    massive = loose[dofs.node, dofs.component] & (row_sizes(mass) > 0.0)
    fate = "are held automatically when the structure is solved" if model.auto_constrain else "stay free"
    notes = [f"{int(loose.sum())} dofs have no stiffness at their node and {fate}: {names}{more}"]
    if massive.any():
        notes.append(f"{int(massive.sum())} of the dofs without stiffness carry mass")
    return supports, notes


@dataclass(frozen=True, eq=False)
class LooseDirections:
    """Groups (translations 0 or rotations 1 of a node) with directions that have no stiffness, p of them.

    node, group (p,); dofs (p, 3): the dof nearest to each such direction; stiff (p, 3, 3): projector onto the
    other directions, node axes.
    """

    node: IntArray
    group: IntArray
    dofs: BoolArray
    stiff: FloatArray

    def mask(self, node_count: int) -> BoolArray:
        """(n, 6) True for the dofs named."""
        out = np.zeros((node_count, 2, 3), np.bool_)
        out[self.node, self.group] = self.dofs
        return out.reshape(-1, 6)


def loose_directions(stiffness: csr_array, dofs: DofTable, arms: FloatArray) -> LooseDirections:
    """Directions of a node's translations or rotations in which its own stiffness vanishes.

    A tie carries stiffness over its arm (``tie_arms``) from translations to rotations: where that leaves only
    round-off, the group counts as empty. Films are stiff against bending, however little: see ``_bent``.
    """
    blocks = node_blocks(stiffness, dofs)
    sizes = np.abs(np.einsum("ngii->ngi", blocks)).max(axis=2)
    blocks[sizes < _ROUND_OFF * _by_arm(sizes, arms)] = 0.0
    present = (dofs.index >= 0).reshape(-1, 2, 3)
    node, group = np.nonzero(present.any(axis=2))
    block, here = blocks[node, group], present[node, group]
    largest = np.abs(np.einsum("mii->mi", block)).max(axis=1, initial=0.0)
    block = block / np.where(largest > 0.0, largest, 1.0)[:, None, None]
    for i in range(3):  # dofs that do not exist must not look loose
        block[:, i, i] = np.where(here[:, i], block[:, i, i], 1.0)
    # the smallest eigenvalue is at least det / trace²: most blocks need no eigenvalues
    determinant = np.abs(np.einsum("mi,mi->m", np.cross(block[:, 0], block[:, 1]), block[:, 2]))
    trace = np.einsum("mii->m", block)
    suspects = np.flatnonzero(determinant <= 3.0 * _SINGULAR * trace**2)
    values, vectors = np.linalg.eigh(block[suspects])
    empty = np.abs(values) <= _SINGULAR * np.abs(values).max(axis=1, keepdims=True).clip(min=1.0)
    empty &= ~((np.abs(values) > _NOISE) & _bent(blocks[node[suspects], 1], vectors) & (group[suspects] == 0)[:, None])
    found = empty.any(axis=1)
    suspects, empty, vectors = suspects[found], empty[found], vectors[found]
    left, named = here[suspects], np.zeros((len(suspects), 3), np.bool_)
    for k in range(3):
        rows = np.flatnonzero(empty[:, k])
        nearest = np.where(left[rows], np.abs(vectors[rows, :, k]), -1.0).argmax(axis=1)
        left[rows, nearest] = False
        named[rows, nearest] = True
    stiff = np.einsum("mik,mk,mjk->mij", vectors, (~empty).astype(float), vectors)
    return LooseDirections(node[suspects], group[suspects], named, stiff)


def _bent(turning: FloatArray, directions: FloatArray) -> BoolArray:
    """(m, 3) whether a deflection along each direction bends something at the node: both rotations across it are stiff.

    The deflection of a film is softer than its plane by about (t/h)², which is small but no absence. turning (m, 3, 3):
    stiffness of the rotations; directions (m, 3, 3): unit vectors in columns.
    """
    across = np.eye(3) - np.einsum("mik,mjk->mkij", directions, directions)
    values = np.linalg.eigvalsh(across @ turning[:, None] @ across)
    return np.asarray((values[..., 2] > 0.0) & (values[..., 1] > _SINGULAR * values[..., 2]))


def _named(node: int, loose: BoolArray) -> str:
    digits = "".join(str(i + 1) for i in np.flatnonzero(loose))
    return f"node {node} component{'s' if len(digits) > 1 else ''} {digits}"
