"""SURFACE: the nodes that couplings and rigid bodies tie, and the faces that ties project on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.model.mass_points import nodal_areas
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft, ElementGroup
from tisserand.readers.abaqus.element_types import FACES
from tisserand.readers.abaqus.scan import Keyword, is_id, label


@dataclass(frozen=True, eq=False)
class Surface:
    """Global node ids (n,) with weights (n,), faces as node ids (f, k) by their number of nodes k, and the elements' ids."""

    nodes: IntArray
    weights: FloatArray
    faces: dict[int, IntArray] = field(default_factory=dict)
    elements: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))


@dataclass(eq=False)
class Surfaces:
    """Surfaces by full name, and the names that something uses."""

    known: dict[str, Surface]
    used: set[str] = field(default_factory=set)

    def get(self, context: Context, name: str, keyword: Keyword, row: int | None = None) -> Surface:
        """A surface by the name that a keyword gives it; marked as used."""
        wanted = label(name)
        found = next((n for n in (context.full(wanted), wanted) if n in self.known), None)
        if found is None:
            raise keyword.error(
                "unknown surface",
                row=row,
                found=wanted,
                expected=", ".join(self.known) or "a name that the deck defines (it defines none)",
            )
        self.used.add(found)
        return self.known[found]


def read_surfaces(draft: Draft) -> Surfaces:
    """All surfaces of the deck."""
    found: dict[str, Surface] = {}
    for context, keyword in draft.deck.model:
        if keyword.name == "SURFACE":
            name = keyword.label("NAME")
            if name is None:
                raise keyword.error("the surface has no name", expected="NAME=")
            by_node = keyword.options.get("TYPE", "ELEMENT").upper() == "NODE"
            found[context.full(name)] = (_by_nodes if by_node else _by_faces)(draft, context, keyword)
    return Surfaces(found)


def _by_nodes(draft: Draft, context: Context, keyword: Keyword) -> Surface:
    weights: dict[int, float] = {}
    for row, items in keyword.rows():
        weight = keyword.number(row, items[1], 1.0) if len(items) > 1 else 1.0
        for node in draft.nodes_of(context, items[0], keyword, row):
            weights[int(node)] = weight
    return Surface(np.array(list(weights), np.int64), np.array(list(weights.values())))


def _by_faces(draft: Draft, context: Context, keyword: Keyword) -> Surface:
    """Element faces S1..S6, whole shells (SPOS, SNEG), their edges E1..E4, or free faces where none is named."""
    faces: list[IntArray] = []
    edges: list[IntArray] = []
    loose: list[IntArray] = []
    elements: list[IntArray] = []
    for row, items in keyword.rows():
        chosen = draft.elements_of(context, items[0], keyword, row)
        face = items[1].upper() if len(items) > 1 else ""
        for group in draft.groups:
            inside = np.isin(group.ids, chosen)
            if not inside.any():
                continue
            elements.append(group.ids[inside])
            if group.kind.role == "solid":
                faces += _solid_faces(group, group.nodes[inside], face, keyword, row)
            elif group.kind.role in ("shell", "membrane", "rigid") and group.nodes.shape[1] > 2:
                edge = face[1:] if face.startswith("E") and is_id(face[1:]) else ""
                if edge:
                    edges.append(_edge(group.nodes[inside], int(edge), keyword, row))
                else:
                    faces.append(group.nodes[inside])
            else:
                loose.append(group.nodes[inside].ravel())
    by_count: dict[int, list[IntArray]] = {}
    for part in faces:
        by_count.setdefault(part.shape[1], []).append(part)
    every = [*(part.ravel() for part in (*faces, *edges)), *loose]
    nodes = np.unique(np.concatenate(every)) if every else np.zeros(0, np.int64)
    joined = {k: np.concatenate(parts) for k, parts in by_count.items()}
    weights = _tributary(draft, nodes, list(joined.values()), edges)
    return Surface(nodes, weights, joined, np.concatenate(elements) if elements else np.zeros(0, np.int64))


def _tributary(draft: Draft, nodes: IntArray, faces: list[IntArray], edges: list[IntArray]) -> FloatArray:
    """(n,) int N dA over the faces, else int N ds over the edges of shells; ones where there is neither."""
    parts = [(part, nodal_areas(draft.position(part))) for part in faces]
    if not parts:
        parts = [(part, _lengths(draft.position(part))) for part in edges]
    out = np.zeros(len(nodes))
    for part, share in parts:
        np.add.at(out, np.searchsorted(nodes, part.ravel()), share.ravel())
    return out if parts else np.ones(len(nodes))


def _lengths(ends: FloatArray) -> FloatArray:
    """(m, 2 or 3): shares of straight edges (m, k, 3); a midside node has two thirds."""
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)[:, None]
    return np.asarray(length * ([0.5, 0.5] if ends.shape[1] == 2 else [1 / 6, 1 / 6, 2 / 3]))


def _solid_faces(group: ElementGroup, nodes: IntArray, face: str, keyword: Keyword, row: int) -> list[IntArray]:
    faces = FACES.get(group.kind.cell)
    if faces is None:
        raise keyword.error("faces of this element type cannot be used", row=row, found=group.type)
    if face.startswith("S") and is_id(face[1:]) and 1 <= int(face[1:]) <= len(faces):
        return [nodes[:, list(faces[int(face[1:]) - 1])]]
    if not face:
        return _free(nodes, faces)
    raise keyword.error("unknown face of a solid", row=row, found=face, expected=f"S1 to S{len(faces)}")


def _edge(nodes: IntArray, number: int, keyword: Keyword, row: int) -> IntArray:
    """Nodes of an edge of shells: its ends, and its midside node if there is one."""
    corners = 3 if nodes.shape[1] in (3, 6) else 4
    if not 1 <= number <= corners:
        raise keyword.error("unknown edge of a shell", row=row, found=f"E{number}", expected=f"E1 to E{corners}")
    columns = [number - 1, number % corners]
    if nodes.shape[1] > corners:
        columns.append(corners + number - 1)
    return nodes[:, columns]


def _free(nodes: IntArray, faces: tuple[tuple[int, ...], ...]) -> list[IntArray]:
    """Faces that belong to one element only."""
    parts = [nodes[:, list(face)] for face in faces]
    widest = max(part.shape[1] for part in parts)
    padded = [np.hstack([np.sort(part, axis=1), np.full((len(part), widest - part.shape[1]), -1)]) for part in parts]
    _, inverse, counts = np.unique(np.vstack(padded), axis=0, return_inverse=True, return_counts=True)
    alone = np.split(counts[inverse.ravel()] == 1, np.cumsum([len(part) for part in parts])[:-1])
    return [part[free] for part, free in zip(parts, alone)]
