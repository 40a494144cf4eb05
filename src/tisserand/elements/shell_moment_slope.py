"""Transverse shear forces of triangles, Q_a = M_ab,b, from a plane fitted through the moments of neighbors.

The plane passes through the moments at the centers of the triangle and of all shells that share a corner with it, have its
section, and are not folded relative to it.

A triangle alone knows three of the four third derivatives of a deflection, and the forces of single triangles do not converge.
Where a line load or support crosses the patch, the jump of Q is smeared over it.

Equilibrium of plates: [Zienkiewicz2000].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy.sparse import csr_array

from tisserand.arrays import FloatArray, IntArray
from tisserand.elements.shell_geometry import ShellGeometry, shell_geometry, shell_stiffness
from tisserand.elements.shell_shapes import center
from tisserand.elements.shell_strain import generalized_strain, local_stiffness
from tisserand.model import ShellBlock, StructuralModel

_SMOOTH = np.cos(np.radians(20.0))


@dataclass(frozen=True, eq=False)
class _Moments:
    """Of m shells: section (m,), element axes (m, 3, 3), centers (m, 3) m, moment tensors (m, 2, 2, q) N in those axes."""

    section: IntArray
    axes: FloatArray
    centers: FloatArray
    tensor: FloatArray


def shear_of_slopes(
    model: StructuralModel, block: ShellBlock, geometry: ShellGeometry, displacements: FloatArray
) -> FloatArray:
    """(m, 2, q) N/m in element axes; zero in a direction in which there is no neighbor."""
    own = _moments(model, block, geometry, displacements)
    m, q = len(block), displacements.shape[2]
    normal, right = np.zeros((m, 3, 3)), np.zeros((m, 3, 3 * q))
    size = np.sqrt(geometry.area)
    for other in cast(tuple[ShellBlock, ...], model.elements):
        if not other.facts.layered or not len(other) or other.nodes.shape[1] > 4:
            continue
        element, place = _touching(block, other, len(model.nodes))
        if not len(element):
            continue
        kept, where = np.unique(place, return_inverse=True)
        part = other.select(kept)
        theirs = _moments(model, part, shell_geometry(model, part), displacements)
        up = np.einsum("pi,pi->p", own.axes[element, 2], theirs.axes[where, 2])
        use = (np.abs(up) > _SMOOTH) & (own.section[element] == theirs.section[where])
        element, where, up = element[use], where[use], up[use]
        turn = np.einsum("pai,pbi->pab", own.axes[element, :2], theirs.axes[where, :2])
        found = np.einsum("p,pac,pcdq,pbd->pabq", np.sign(up), turn, theirs.tensor[where], turn, optimize=True)
        step = np.einsum("pai,pi->pa", own.axes[element, :2], theirs.centers[where] - own.centers[element])
        rows = np.concatenate([np.ones((len(step), 1)), step / size[element, None]], axis=1)
        values = found[:, [0, 1, 0], [0, 1, 1]].reshape(len(step), -1)
        np.add.at(normal, element, rows[:, :, None] * rows[:, None, :])
        np.add.at(right, element, rows[:, :, None] * values[:, None, :])
    plane = (np.linalg.pinv(normal, rcond=1e-6, hermitian=True) @ right).reshape(m, 3, 3, q)
    slope = plane[:, 1:] / size[:, None, None, None]
    return np.stack([slope[:, 0, 0] + slope[:, 1, 2], slope[:, 0, 2] + slope[:, 1, 1]], axis=1)


def _moments(model: StructuralModel, block: ShellBlock, geometry: ShellGeometry, displacements: FloatArray) -> _Moments:
    section = shell_stiffness(model, block, geometry)
    inner = local_stiffness(geometry, section).inner
    moved = geometry.to_local @ displacements[block.nodes].reshape(len(block), -1, displacements.shape[2])
    every = np.concatenate([moved, inner @ moved], axis=1)
    strain = generalized_strain(geometry, section, center(geometry.corners))[0][:, 0] @ every
    a, b, c = (section.at(center(geometry.corners))[0][:, 0, 3:] @ strain).swapaxes(0, 1)
    tensor = np.stack([np.stack([a, c], axis=1), np.stack([c, b], axis=1)], axis=1)
    return _Moments(np.asarray(block.section), geometry.axes, model.nodes.positions[block.nodes].mean(axis=1), tensor)


def _touching(block: ShellBlock, other: ShellBlock, nodes: int) -> tuple[IntArray, IntArray]:
    """Pairs of an element of the block and a place in ``other`` that share a node, the element itself included."""

    def incidence(shells: ShellBlock) -> csr_array:
        count = shells.nodes.shape[1]
        start = np.arange(0, shells.nodes.size + 1, count)
        return csr_array((np.ones(shells.nodes.size), shells.nodes.ravel(), start), shape=(len(shells), nodes))

    pairs = (incidence(block) @ incidence(other).T).tocoo()
    return np.asarray(pairs.row, dtype=np.int64), np.asarray(pairs.col, dtype=np.int64)
