"""SURFACE: the nodes that couplings and rigid bodies tie."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.kinds import FACES
from tisserand.readers.abaqus.scan import Keyword, is_id


def read_surfaces(draft: Draft) -> dict[str, tuple[IntArray, FloatArray]]:
    """Surfaces by full name: global node ids and weights."""
    found: dict[str, tuple[IntArray, FloatArray]] = {}
    for context, keyword in draft.deck.model:
        if keyword.name == "SURFACE":
            name = keyword.label("NAME")
            if name is None:
                raise keyword.error("the surface has no name", expected="NAME=")
            by_node = keyword.options.get("TYPE", "ELEMENT").upper() == "NODE"
            nodes, weights = _by_nodes(draft, context, keyword) if by_node else _by_faces(draft, context, keyword)
            found[context.full(name)] = (nodes, weights)
    return found


def _by_nodes(draft: Draft, context: Context, keyword: Keyword) -> tuple[IntArray, FloatArray]:
    weights: dict[int, float] = {}
    for row, items in keyword.rows():
        weight = keyword.number(row, items[1], 1.0) if len(items) > 1 else 1.0
        for node in draft.nodes_of(context, items[0], keyword, row):
            weights[int(node)] = weight
    return np.array(list(weights), np.int64), np.array(list(weights.values()))


def _by_faces(draft: Draft, context: Context, keyword: Keyword) -> tuple[IntArray, FloatArray]:
    """Nodes of element faces S1..S6, of whole shells (SPOS, SNEG), or of free faces where none is named."""
    parts: list[IntArray] = []
    for row, items in keyword.rows():
        chosen = draft.elements_of(context, items[0], keyword, row)
        face = items[1].upper() if len(items) > 1 else ""
        for group in draft.groups:
            inside = np.isin(group.ids, chosen)
            if not inside.any():
                continue
            nodes = group.nodes[inside]
            if group.kind.role != "solid":
                parts.append(nodes.ravel())
                continue
            faces = FACES[group.kind.cell]
            if face.startswith("S") and is_id(face[1:]) and 1 <= int(face[1:]) <= len(faces):
                parts.append(nodes[:, list(faces[int(face[1:]) - 1])].ravel())
            elif not face:
                parts.append(_free(nodes, faces))
            else:
                raise keyword.error("unknown face of a solid", row=row, found=face, expected=f"S1 to S{len(faces)}")
    nodes = np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int64)
    return nodes, np.ones(len(nodes))


def _free(nodes: IntArray, faces: tuple[tuple[int, ...], ...]) -> IntArray:
    """Nodes on faces that belong to one element only."""
    found = []
    widest = max(len(face) for face in faces)
    padded = []
    for face in faces:
        rows = nodes[:, list(face)]
        found.append(rows)
        padded.append(np.hstack([np.sort(rows, axis=1), np.full((len(rows), widest - len(face)), -1)]))
    keys, inverse, counts = np.unique(np.vstack(padded), axis=0, return_inverse=True, return_counts=True)
    alone = counts[inverse.ravel()] == 1
    ids = keys[inverse.ravel()[alone]]
    return np.asarray(np.unique(ids[ids >= 0]))
