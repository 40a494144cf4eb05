"""From cells of any order to the supported element shapes; every approximation is recorded.

Cells are in VTK order. Second-order lines and surfaces are split at their own midside nodes (an 8-node
quadrilateral gets a center node at its serendipity center), so no geometry is lost; only the polynomial order
is.
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
}
LINES = ("line", "line3")
SURFACES = ("triangle", "triangle6", "quad", "quad8", "quad9")

_TRIANGLES_OF_6 = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]])
_QUADS_OF_9 = np.array([[0, 4, 8, 7], [4, 1, 5, 8], [8, 5, 2, 6], [7, 8, 6, 3]])
_LINES_OF_3 = np.array([[0, 2], [2, 1]])

#: Ledger texts for approximated cell types.
APPROXIMATIONS = {
    "line3": "three-node lines are split into two straight two-node elements at their middle node",
    "triangle6": "six-node triangles are split into four three-node ones at their midside nodes",
    "quad8": "eight-node quadrilaterals are split into four four-node ones with a new center node",
    "quad9": "nine-node quadrilaterals are split into four four-node ones at their own nodes",
    "hexahedron27": "27-node hexahedra are used with their first 20 nodes, without face and center ones",
    "wedge18": "18-node wedges are used with their first 15 nodes; face nodes are left out",
}


@dataclass(frozen=True, eq=False)
class Pieces:
    """Elements made from cells: nodes (p, k), the row of the cell each came from (p,), and points added (q, 3).

    Added points are numbered after the existing ones.
    """

    nodes: IntArray
    parent: IntArray
    added: FloatArray


def pieces_of(kind: str, nodes: IntArray, points: FloatArray) -> Pieces:
    """Split lines and surfaces into two-, three- and four-node elements; others pass unchanged."""
    nodes = np.asarray(nodes, np.int64)
    added = np.zeros((0, 3))
    if kind == "quad8":
        corners, middles = points[nodes[:, :4]], points[nodes[:, 4:8]]
        added = 0.5 * middles.sum(axis=1) - 0.25 * corners.sum(axis=1)
        center = len(points) + np.arange(len(nodes))
        nodes, kind = np.column_stack([nodes, center]), "quad9"
    pattern = {"line3": _LINES_OF_3, "triangle6": _TRIANGLES_OF_6, "quad9": _QUADS_OF_9}.get(kind)
    rows = np.arange(len(nodes))
    if pattern is None:
        count = SOLIDS[kind][1] if kind in SOLIDS else nodes.shape[1]
        return Pieces(nodes[:, :count], rows, added)
    return Pieces(nodes[:, pattern].reshape(-1, pattern.shape[1]), np.repeat(rows, len(pattern)), added)


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
