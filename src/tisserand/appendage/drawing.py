"""Cells for drawing: lines of rods and beams, triangles of shells and of the skin of solids,
links and bodies.
"""

from __future__ import annotations

import numpy as np

from tisserand.appendage.types import Topology
from tisserand.arrays import IntArray
from tisserand.assembly.types import AssembledModel
from tisserand.model import Equation, NodalBodies, RigidElement, ShellBlock, SolidBlock

_TET = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))
_HEX = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
_WEDGE = ((0, 2, 1, -1), (3, 4, 5, -1), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5))
_PYRAMID = ((0, 3, 2, 1), (0, 1, 4, -1), (1, 2, 4, -1), (2, 3, 4, -1), (3, 0, 4, -1))
#: Corner faces of each kind, outward; a trailing -1 marks a triangle.
_FACES = {
    "tet4": _TET, "tet10": _TET, "hex8": _HEX, "hex20": _HEX,
    "wedge6": _WEDGE, "wedge15": _WEDGE, "pyramid5": _PYRAMID,
}  # fmt: skip


def topology_of(model: AssembledModel, keep: IntArray) -> Topology:
    """Cells in rows of the kept nodes; empty for bare matrices."""
    structure = model.structure
    if structure is None:
        return Topology()
    row = np.full(len(model.nodes) + 1, -1, np.int64)
    row[keep] = np.arange(len(keep))
    lines, triangles, bodies, links, faces = [], [], [], [], []
    for block in structure.elements:
        if block.family in ("rod", "beam", "spring", "bush"):
            lines.append(block.nodes)
        elif isinstance(block, ShellBlock):
            triangles.extend(_split(block.nodes))
        elif isinstance(block, SolidBlock):
            faces.append(_solid_faces(block))
        elif isinstance(block, NodalBodies):
            bodies.append(block.nodes[:, 0])
    if faces:
        triangles.extend(_split(_skin(np.concatenate(faces))))
    for constraint in structure.constraints:
        if isinstance(constraint, Equation):
            continue
        if isinstance(constraint, RigidElement):
            hubs, others = np.unique(constraint.independent[:, 0])[:1], np.unique(constraint.dependent[:, 0])
        else:
            hubs, others = np.array([constraint.reference]), np.unique(constraint.terms[:, 0])
        links.append(np.column_stack([np.full(len(others), hubs[0]), others]))
    return Topology(
        _rows(row, lines, 2), _rows(row, triangles, 3), np.unique(_rows(row, bodies, 0)), _rows(row, links, 2)
    )


def _rows(row: IntArray, parts: list[IntArray], width: int) -> IntArray:
    """Node rows of all parts; cells that touch ground or a scalar point are left out, and so are points."""
    if not parts:
        return np.zeros((0, width) if width else 0, np.int64)
    cells = row[np.concatenate(parts)]
    if width == 0:
        return np.asarray(cells[cells >= 0])
    cells = cells[(cells >= 0).all(axis=1)]
    return np.asarray(cells[cells[:, 0] != cells[:, 1]])


def _split(cells: IntArray) -> list[IntArray]:
    """Triangles of triangles (a trailing -1 allowed) and quadrilaterals."""
    if cells.shape[1] == 3:
        return [cells]
    quads = cells[:, 3] >= 0
    return [cells[:, :3], cells[quads][:, [0, 2, 3]]]


def _solid_faces(block: SolidBlock) -> IntArray:
    """Corner faces of every element, (faces, 4) with -1 as fourth corner of a triangle."""
    parts = []
    for face in _FACES[block.kind]:
        corners = block.nodes[:, [c for c in face if c >= 0]]
        if corners.shape[1] == 3:
            corners = np.column_stack([corners, np.full(len(corners), -1)])
        parts.append(corners)
    return np.concatenate(parts)


def _skin(faces: IntArray) -> IntArray:
    """Faces that belong to one element only."""
    _, first, counts = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return np.asarray(faces[np.sort(first[counts == 1])])
