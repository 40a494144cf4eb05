"""A solid block of bricks, with its faces as node sets."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import at_most, checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.builders.line_structures import MOST_ELEMENTS
from tisserand.errors import ModelError
from tisserand.model import Isotropic, Nodes, SolidBlock, SolidSection, StructuralModel

#: Corners of a brick and the corners that its edge nodes lie between, in VTK order.
_CORNERS = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)])
_EDGES = np.array([(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)])


@checked_arguments
def block(
    size: ArrayLike,
    material: Isotropic,
    *,
    elements: tuple[int, int, int] = (8, 2, 2),
    quadratic: bool = True,
    name: str = "block",
) -> StructuralModel:
    """A box of bricks: x from 0, y and z centered on the x axis.

    Node sets ``x-``, ``x+``, ``y-``, ``y+``, ``z-``, ``z+`` are its faces.

    Args:
        size: extents along x, y, z, m.
        material: isotropic.
        elements: number along x, y, z.
        quadratic: bricks with 20 nodes; False takes 8 nodes with incompatible modes.
        name: of the model.
    """
    extents, counts = np.asarray(size, dtype=float), np.asarray(elements)
    if extents.shape != (3,) or not (np.isfinite(extents).all() and (extents > 0.0).all()):
        raise ModelError("the size must be three positive numbers in m", where=name, found=extents.tolist())
    if counts.shape != (3,) or (counts < 1).any():
        raise ModelError("a block needs at least one element in each direction", where=name, found=counts.tolist())
    at_most(name, MOST_ELEMENTS // 4, "bricks", along_x=counts[0], along_y=counts[1], along_z=counts[2])
    grid, cells = _bricks(counts, quadratic)
    points = grid / (2.0 * counts) * extents - np.array([0.0, 0.5, 0.5]) * extents
    sets = {}
    for k, word in enumerate("xyz"):
        sets[f"{word}-"] = np.flatnonzero(grid[:, k] == 0) + 1
        sets[f"{word}+"] = np.flatnonzero(grid[:, k] == 2 * counts[k]) + 1
    solids = SolidBlock(
        ids=np.arange(1, len(cells) + 1),
        nodes=cells,
        section=np.zeros(len(cells), np.int64),
        kind="hex20" if quadratic else "hex8",
    )
    section = SolidSection(1, material, integration="full" if quadratic else "unlocked")
    return StructuralModel(
        name=name,
        nodes=Nodes(np.arange(1, len(points) + 1), points),
        elements=(solids,),
        sections=(section,),
        materials=(material,),
        node_sets=sets,
    )


def _bricks(counts: IntArray, quadratic: bool) -> tuple[FloatArray, IntArray]:
    """Nodes in half steps (n, 3) and cells by row of them."""
    nx, ny, nz = (int(c) for c in counts)
    first = np.stack(np.meshgrid(range(nx), range(ny), range(nz), indexing="ij"), axis=-1).reshape(-1, 1, 3)
    corners = 2 * (first + _CORNERS)
    local = corners
    if quadratic:
        local = np.concatenate([corners, (corners[:, _EDGES[:, 0]] + corners[:, _EDGES[:, 1]]) // 2], axis=1)
    grid, cells = np.unique(local.reshape(-1, 3), axis=0, return_inverse=True)
    return grid.astype(float), np.asarray(cells.reshape(len(local), -1), np.int64)
