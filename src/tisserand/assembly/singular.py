"""Dofs without stiffness or mass: found, named, and held only where the model asks for it (AUTOSPC)."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import BoolArray, FloatArray
from tisserand.assembly.types import DofTable
from tisserand.model import StructuralModel, Supports

#: A direction of a node has no stiffness below this share of the node's largest one (Nastran's EPZERO).
_SINGULAR = 1e-8


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


def node_singularities(
    model: StructuralModel, stiffness: csr_array, mass: csr_array, dofs: DofTable
) -> tuple[Supports, list[str]]:
    """Dofs whose stiffness vanishes at their own node, as supports where the model asks for them, and notes.

    Each 3 x 3 diagonal block is searched for directions without stiffness; the dof nearest to each is named.
    """
    blocks = node_blocks(stiffness, dofs)
    present = (dofs.index >= 0).reshape(-1, 2, 3)
    largest = np.einsum("ngii->ngi", blocks).max(axis=2)
    suspects = np.argwhere(_may_be_singular(blocks, present, largest))
    loose = np.zeros((dofs.node_count, 6), np.bool_)
    for node, group in suspects:
        active = np.flatnonzero(present[node, group])
        values, vectors = np.linalg.eigh(blocks[node, group][np.ix_(active, active)])
        left = list(range(len(active)))
        for k in np.flatnonzero(values <= _SINGULAR * max(float(values[-1]), 0.0)):
            best = max(left, key=lambda i: abs(vectors[i, k]))
            left.remove(best)
            loose[node, 3 * group + active[best]] = True
    if not loose.any():
        return Supports(), []
    where = np.flatnonzero(loose.any(axis=1))
    names = ", ".join(_named(int(model.nodes.ids[i]), loose[i]) for i in where[:8])
    more = ", ..." if len(where) > 8 else ""
    massive = loose[dofs.node, dofs.component] & (row_sizes(mass) > 0.0)
    fate = "are held automatically when the structure is solved" if model.auto_constrain else "stay free"
    notes = [f"{int(loose.sum())} dofs have no stiffness at their node and {fate}: {names}{more}"]
    if massive.any():
        notes.append(f"{int(massive.sum())} of the dofs without stiffness carry mass")
    supports = Supports(where, loose[where]) if model.auto_constrain else Supports()
    return supports, notes


def _may_be_singular(blocks: FloatArray, present: BoolArray, largest: FloatArray) -> BoolArray:
    """(n, 2) blocks with a direction of nearly no stiffness among their active dofs."""
    filled = blocks.copy()
    size = np.where(largest > 0.0, largest, 1.0)
    for i in range(3):
        filled[..., i, i] = np.where(present[..., i], filled[..., i, i], size)
    smallest = np.linalg.eigvalsh(filled / size[..., None, None])[..., 0]
    return np.asarray((smallest <= 3.0 * _SINGULAR) & present.any(axis=2))


def _named(node: int, loose: BoolArray) -> str:
    digits = "".join(str(i + 1) for i in np.flatnonzero(loose))
    return f"node {node} component{'s' if len(digits) > 1 else ''} {digits}"
