"""Cells for drawing: lines of rods and beams, triangles of shells and of the skin of solids, links and bodies."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from tisserand.appendage.drawing.section_outlines import OUTLINE_POINTS, outline_of
from tisserand.appendage.record.drawing_topology import Topology
from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.model import Equation, RigidElement, SolidBlock

#: Triangles of shells with midside nodes; the first two nodes are the same where a side has none.
_PIECES = {
    6: ((0, 3, 5), (1, 4, 3), (2, 5, 4), (3, 4, 5)),
    8: ((0, 4, 7), (1, 5, 4), (2, 6, 5), (3, 7, 6), (4, 5, 6), (4, 6, 7)),
    9: ((0, 4, 8), (8, 4, 1), (1, 5, 8), (8, 5, 2), (2, 6, 8), (8, 6, 3), (3, 7, 8), (8, 7, 0)),
}


def topology_of(model: AssembledModel, keep: IntArray) -> Topology:
    """Cells in rows of the kept nodes; empty for bare matrices."""
    structure = model.structure
    if structure is None:
        return Topology()
    row = np.full(len(model.nodes) + 1, -1, np.int64)
    row[keep] = np.arange(len(keep))
    lines, triangles, bodies, links, faces = [], [], [], [], []
    outline, up, offsets, thickness, masses = [], [], [], [], []
    line_ids, triangle_ids, face_ids = [], [], []
    used: dict[int, int] = {}
    for block in cast(tuple[Any, ...], structure.elements):
        m = len(block)
        shape = block.facts.shape
        if shape in ("line", "link"):
            own = np.full(m, -1)
            if shape == "line":
                kinds, inverse = np.unique(block.section, return_inverse=True)
                own = np.array([used.setdefault(int(k), len(used)) for k in kinds])[inverse.ravel()]
            for pair in block.drawn_ends:
                lines.append(block.nodes[:, list(pair)])
                line_ids.append(block.ids)
                outline.append(own)
                up.append(getattr(block, "orientation", np.zeros((m, 3))))
                offsets.append(block.offsets[:, list(pair)] if hasattr(block, "offsets") else np.zeros((m, 2, 3)))
        elif shape == "surface":
            each = np.array([getattr(section, "thickness", 0.0) for section in structure.sections])[block.section]
            each = each if block.taper is None else each * block.taper.mean(axis=1)
            for part, rows in _surface_triangles(block.nodes):
                triangles.append(part)
                thickness.append(each[rows])
                triangle_ids.append(block.ids[rows])
        elif shape == "volume":
            faces.append(_solid_faces(block))
            face_ids.append(np.tile(block.ids, len(block.faces)))
        elif shape == "body":
            bodies.append(block.nodes[:, 0])
            masses.append(block.mass)
    if faces:
        every = np.concatenate(faces)
        outer = _skin(every)
        owners = np.concatenate(face_ids)[outer]
        for part, rows in _split(every[outer]):
            triangles.append(part)
            thickness.append(np.zeros(len(part)))
            triangle_ids.append(owners[rows])
    for constraint in structure.constraints:
        if isinstance(constraint, Equation):
            continue
        if isinstance(constraint, RigidElement):
            hubs, others = np.unique(constraint.independent[:, 0])[:1], np.unique(constraint.dependent[:, 0])
        else:
            hubs, others = np.array([constraint.reference]), np.unique(constraint.terms[:, 0])
        links.append(np.column_stack([np.full(len(others), hubs[0]), others]))
    line_rows, kept_lines = _rows(row, lines, 2)
    triangle_rows, kept_triangles = _rows(row, triangles, 3)
    body_rows, body_mass = _bodies(row, bodies, masses)
    return Topology(
        lines=line_rows,
        triangles=triangle_rows,
        bodies=body_rows,
        links=_rows(row, links, 2)[0],
        thickness=np.concatenate(thickness)[kept_triangles] if thickness else np.zeros(0),
        body_mass=body_mass,
        outlines=np.array([outline_of(structure.sections[k]) for k in used]).reshape(-1, OUTLINE_POINTS, 2),  # type: ignore[arg-type]
        line_outline=np.concatenate(outline)[kept_lines] if outline else np.zeros(0, np.int64),
        line_up=np.concatenate(up)[kept_lines] if up else np.zeros((0, 3)),
        line_offsets=np.concatenate(offsets)[kept_lines] if offsets else np.zeros((0, 2, 3)),
        line_ids=np.concatenate(line_ids)[kept_lines] if line_ids else np.zeros(0, np.int64),
        triangle_ids=np.concatenate(triangle_ids)[kept_triangles] if triangle_ids else np.zeros(0, np.int64),
    )


def _rows(row: IntArray, parts: list[IntArray], width: int) -> tuple[IntArray, BoolArray]:
    """Node rows of all parts, and the cells they belong to.

    Points, and cells that touch ground or a scalar point, are left out.
    """
    if not parts:
        return np.zeros((0, width), np.int64), np.zeros(0, np.bool_)
    cells = row[np.concatenate(parts)]
    kept = (cells >= 0).all(axis=1) & (cells[:, 0] != cells[:, 1])
    return np.asarray(cells[kept]), np.asarray(kept)


def _bodies(row: IntArray, nodes: list[IntArray], masses: list[FloatArray]) -> tuple[IntArray, FloatArray]:
    """Node rows that carry bodies, each once, and the mass there, kg."""
    if not nodes:
        return np.zeros(0, np.int64), np.zeros(0)
    rows, mass = row[np.concatenate(nodes)], np.concatenate(masses)
    unique, inverse = np.unique(rows[rows >= 0], return_inverse=True)
    total = np.bincount(inverse, weights=mass[rows >= 0], minlength=len(unique))
    return unique, np.asarray(total, dtype=float)


def _split(cells: IntArray) -> list[tuple[IntArray, IntArray]]:
    """Triangles of triangles (a trailing -1 allowed) and quadrilaterals, each with the rows they came from."""
    every = np.arange(len(cells))
    if cells.shape[1] == 3:
        return [(cells, every)]
    quads = every[cells[:, 3] >= 0]
    return [(cells[:, :3], every), (cells[quads][:, [0, 2, 3]], quads)]


def _surface_triangles(cells: IntArray) -> list[tuple[IntArray, IntArray]]:
    """Triangles of shells, through midside and center nodes where they have them; without area where one is missing."""
    pattern = _PIECES.get(cells.shape[1])
    if pattern is None:
        return _split(cells)
    return [(cells[:, list(piece)], np.arange(len(cells))) for piece in pattern]


def _solid_faces(block: SolidBlock) -> IntArray:
    """Corner faces of every element, (faces, 4) with -1 as fourth corner of a triangle."""
    parts = []
    for face in block.faces:
        corners = block.nodes[:, list(face)]
        if corners.shape[1] == 3:
            corners = np.column_stack([corners, np.full(len(corners), -1)])
        parts.append(corners)
    return np.concatenate(parts)


def _skin(faces: IntArray) -> IntArray:
    """Rows of the faces that belong to one element only."""
    _, first, counts = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return np.asarray(np.sort(first[counts == 1]))
