"""From cells of any order to the supported element shapes; every approximation is recorded.

Cells are in VTK order. Second-order lines are split at their own middle node, so no geometry is lost; only the
polynomial order is. Surfaces keep their midside and center nodes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, IntArray

#: Cell type -> solid kind and the number of leading nodes used.
SOLIDS = {
    "tetra": ("tet4", 4),
    "tetra10": ("tet10", 10),
    "hexahedron": ("hex8", 8),
    "hexahedron20": ("hex20", 20),
    "hexahedron27": ("hex20", 20),
    "wedge": ("wedge6", 6),
    "wedge15": ("wedge15", 15),
    "wedge18": ("wedge15", 15),
    "pyramid": ("pyramid5", 5),
    "pyramid13": ("pyramid13", 13),
    "pyramid14": ("pyramid13", 13),
}
LINES = ("line", "line3")
SURFACES = ("triangle", "triangle6", "quad", "quad8", "quad9")

_LINES_OF_3 = np.array([[0, 2], [2, 1]])

#: Ledger texts for approximated cell types.
APPROXIMATIONS = {
    "line3": "three-node lines are split into two straight two-node elements at their middle node",
    "hexahedron27": "27-node hexahedra are used with their first 20 nodes, without face and center ones",
    "pyramid14": "14-node pyramids are used with their first 13 nodes; the node of the base is left out",
    "wedge18": "18-node wedges are used with their first 15 nodes; face nodes are left out",
}


@dataclass(frozen=True, eq=False)
class Pieces:
    """Elements made from cells: nodes (p, k) and the row of the cell each came from (p,)."""

    nodes: IntArray
    parent: IntArray


def pieces_of(kind: str, nodes: IntArray) -> Pieces:
    """Split three-node lines into two-node elements; others pass unchanged."""
    nodes = np.asarray(nodes, np.int64)
    rows = np.arange(len(nodes))
    if kind != "line3":
        count = SOLIDS[kind][1] if kind in SOLIDS else nodes.shape[1]
        return Pieces(nodes[:, :count], rows)
    return Pieces(nodes[:, _LINES_OF_3].reshape(-1, 2), np.repeat(rows, len(_LINES_OF_3)))


def turned_wedges(nodes: IntArray, points: FloatArray) -> tuple[IntArray, int]:
    """Wedges with the base triangle facing the top one, and how many were turned over.

    VTK's manual lets the base normal point outward while most writers do the opposite; both are met in files.
    """
    corner = points[nodes[:, :6]]
    base = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    outward = np.einsum("ij,ij->i", base, corner[:, 3:6].mean(axis=1) - corner[:, :3].mean(axis=1)) < 0.0
    turned = nodes.copy()
    swap = [3, 4, 5, 0, 1, 2] if nodes.shape[1] == 6 else [3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8, 12, 13, 14]
    turned[outward] = nodes[outward][:, swap]
    return turned, int(outward.sum())
