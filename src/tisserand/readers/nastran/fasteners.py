"""Welds and fasteners between shells: CWELD with PWELD, CFAST with PFAST.

A point GS is projected on both sheets. The points found there follow their shell as its middle surface does: with its
functions N, u = sum N_i u_i, and their rotation is that of the surface (a normal that stays normal, and half the curl in the
surface), so rigid motion is exact. Between them sits a bush halfway: of a weld the stiffness of a short beam of its material and
diameter, EA/L, GJ/L, EI/L and 12 EI / (L³ (1 + phi)), which at its middle is diagonal; of a fastener what PFAST states.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.elements.surface_field import shape_functions
from tisserand.elements.surface_projection import closest_points
from tisserand.model import BushBlock, ElementBlock, Equation, Isotropic, NodalBodies, Nodes
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft

_PATCHES = ("ELPAT", "PARTPAT", "ELEMID")
#: Shear factor of the circular weld.
_ROUND = 0.9


@dataclass
class Fasteners:
    """Points made on sheets, the equations that tie them, and the elements between."""

    draft: Draft
    shells: list[Any]
    places: list[FloatArray] = field(default_factory=list)
    ties: list[Equation] = field(default_factory=list)
    bushes: list[tuple[int, int, int, FloatArray, FloatArray, FloatArray]] = field(default_factory=list)
    masses: list[tuple[int, int, float]] = field(default_factory=list)

    def position(self, node: int) -> FloatArray:
        """Place of a node, of the deck or made here."""
        known = self.draft.nodes.positions
        return np.asarray(known[node] if node < len(known) else self.places[node - len(known)])

    def sheet(self, row: Row, index: int, number: int, by_property: bool) -> tuple[FloatArray, IntArray, float]:
        """Corners (f, 4, 3) m and their nodes (f, 4) of the shells of an element or property id, and their thickness."""
        found, thickness = [], 0.0
        for block in self.shells:
            owner = (
                np.array([section.id for section in self.draft.sections])[block.section] if by_property else block.ids
            )
            rows = np.flatnonzero(owner == number)
            if len(rows):
                nodes = block.corner_nodes[rows]
                found.append(nodes if nodes.shape[1] == 4 else nodes[:, [0, 1, 2, 2]])
                thickness = float(getattr(self.draft.sections[int(block.section[rows[0]])], "thickness", 0.0))
        if not found:
            what = "no shell has this property" if by_property else "the shell element does not exist"
            raise row.error(index, what, found=number)
        nodes = np.concatenate(found)
        return self.draft.nodes.positions[nodes], nodes, thickness

    def pierced(
        self, row: Row, index: int, by_property: bool, start: int, diameter: float
    ) -> tuple[int, FloatArray, float]:
        """A new node where a grid point projects on a sheet, the normal there, and the sheet's thickness."""
        corners, nodes, thickness = self.sheet(row, index, row.integer(index), by_property)
        point = self.draft.nodes.positions[start]
        at, face, place = _foot(point, corners)
        tangents, values, slopes = at
        normal = np.cross(*tangents)
        normal = normal / np.linalg.norm(normal)
        away = point - place
        beside = float(np.linalg.norm(away - (away @ normal) * normal))
        if beside > max(0.5 * diameter, 1e-6 * float(np.ptp(corners[face], axis=0).max())):
            raise row.error(
                index, "the point of the fastener does not project on this sheet", found=f"{beside:.3g} m beside its edge",
                expected="a point above or below the sheet",
            )  # fmt: skip
        node = len(self.draft.nodes.positions) + len(self.places)
        self.places.append(place)
        self.ties += _follow(node, nodes[face], values, slopes, (tangents, normal), self.draft)
        return node, normal, thickness

    def join(self, number: int, ends: tuple[int, int], axes: FloatArray, stiffness: FloatArray) -> None:
        """A bush halfway between two nodes."""
        middle = 0.5 * (self.position(ends[0]) + self.position(ends[1]))
        self.bushes.append((number, *ends, stiffness, axes, middle))


def _foot(point: FloatArray, corners: FloatArray) -> tuple[tuple[FloatArray, FloatArray, FloatArray], int, FloatArray]:
    """Tangents (2, 3), functions (4,) and slopes (2, 4) at the closest point of quads (triangles repeat their last corner)."""
    triangles = (corners[:, 2] == corners[:, 3]).all(axis=1)
    found = []
    for k, faces in ((3, np.flatnonzero(triangles)), (4, np.flatnonzero(~triangles))):
        if len(faces):
            feet = closest_points(point[None], corners[faces, :k])
            found.append((float(feet.distances[0]), k, int(faces[feet.faces[0]]), feet))
    _, k, face, feet = min(found, key=lambda one: one[0])
    values, slopes = shape_functions(k, feet.coordinates)
    N, dN = np.zeros(4), np.zeros((2, 4))
    N[:k], dN[:, :k] = values[0], slopes[0]
    return (dN @ corners[face], N, dN), face, feet.positions[0]


def _follow(
    node: int, nodes: IntArray, N: FloatArray, dN: FloatArray, frame: tuple[FloatArray, FloatArray], draft: Draft
) -> list[Equation]:
    """Six equations of a point on a shell: the translation sum N u, and the rotation of the surface.

    The gradient of N_i is s_i = sum g^a d_a N_i with the dual tangents g^a. A normal n that stays normal changes by
    -grad (u.n), which is the rotation n x -grad (u.n); about n the surface turns by half n.(curl u).
    """
    tangents, normal = frame
    dual = np.linalg.solve(tangents @ tangents.T, tangents)
    gradient = dN.T @ dual  # (4, 3): grad N_i in the surface
    parts = np.zeros((len(nodes), 6, 3))
    for i, slope in enumerate(gradient):
        parts[i, :3] = N[i] * np.eye(3)
        parts[i, 3:] = np.outer(np.cross(normal, -slope), normal) + 0.5 * np.outer(normal, np.cross(normal, slope))
    axes = draft.axes_of(nodes)
    out = []
    for c in range(6):
        terms, values = [(node, c)], [1.0]
        for i, other in enumerate(nodes.tolist()):
            local = axes[i] @ parts[i, c]
            for k in np.flatnonzero(local):
                terms.append((other, int(k)))
                values.append(-float(local[k]))
        out.append(Equation(node + 1, np.array(terms), np.array(values), "FASTENER"))
    return out


def add_fasteners(draft: Draft, blocks: list[ElementBlock]) -> tuple[list[ElementBlock], tuple[Equation, ...]]:
    """Elements and ties of all welds and fasteners; the points on the sheets are added to the nodes of the draft."""
    if not (draft.bulk.has("CWELD") or draft.bulk.has("CFAST")):
        return [], ()
    made = Fasteners(draft, [block for block in blocks if block.facts.layered])
    for row in draft.bulk.rows("CWELD"):
        _weld(made, row)
    for row in draft.bulk.rows("CFAST"):
        _fastener(made, row)
    _extend(draft, np.array(made.places).reshape(-1, 3))
    ids, a, b, stiffness, axes, location = (np.array(column) for column in zip(*made.bushes))
    damping = np.zeros((len(ids), 6))
    found: list[ElementBlock] = [BushBlock(ids, np.column_stack([a, b]), stiffness, damping, axes, location)]
    if made.masses:
        owners, nodes, mass = (np.array(column) for column in zip(*made.masses))
        m = len(mass)
        spare = 10 ** len(str(int(owners.max())))
        bodies = NodalBodies(
            owners * 2 + np.arange(m) % 2 + 2 * spare, nodes[:, None], mass, np.zeros((m, 3)), np.zeros((m, 3, 3))
        )
        found.append(bodies)
    return found, tuple(made.ties)


def _extend(draft: Draft, places: FloatArray) -> None:
    nodes, count = draft.nodes, len(places)
    axes = None if nodes.axes is None else np.concatenate([nodes.axes, np.broadcast_to(np.eye(3), (count, 3, 3))])
    scalar = None if nodes.scalar is None else np.concatenate([nodes.scalar, np.zeros(count, np.bool_)])
    ids = np.concatenate([nodes.ids, nodes.ids.max() + 1 + np.arange(count)])
    draft.nodes = Nodes(ids, np.concatenate([nodes.positions, places]), axes, scalar)
    if count:
        draft.notes.append(f"{count} points of welds and fasteners on their sheets (nodes {ids[-count]} and up)")


def _property(draft: Draft, row: Row, card: str) -> Row:
    number = row.integer(1)
    found = next((item for item in draft.bulk.rows(card) if item.integer(0) == number), None)
    if found is None:
        raise row.error(1, "the property does not exist or is of another kind", found=number)
    return found


def _weld(made: Fasteners, row: Row) -> None:
    draft = made.draft
    prop = _property(draft, row, "PWELD")
    material = draft.material(prop, 1)
    if not isinstance(material, Isotropic):
        raise prop.error(1, "a weld needs an isotropic material (MAT1)", found=prop.integer(1))
    diameter = prop.real(2) * draft.units.length
    if not diameter > 0.0:
        raise prop.error(2, "the diameter must be positive", found=prop.real(2))
    form = row.word(3)
    spot, thickness = prop.word(7) == "SPOT", 0.0
    if form == "ALIGN":
        ends, normal = (draft.node(row, 4), draft.node(row, 5)), None
    elif form in _PATCHES:
        start, parts = draft.node(row, 2), form == "PARTPAT"
        first, normal, thickness = made.pierced(row, 8, parts, start, diameter)
        if row.text(9):
            last, _, other = made.pierced(row, 9, parts, start, diameter)
            ends, thickness = (first, last), 0.5 * (thickness + other)
        else:
            ends = (first, start)
    else:
        raise row.error(
            3, "this form of a weld is not supported", found=repr(form), expected="ALIGN, " + ", ".join(_PATCHES)
        )
    span = made.position(ends[1]) - made.position(ends[0])
    length = float(np.linalg.norm(span))
    along = span / length if length > 0.0 else normal
    if along is None:
        raise row.error(4, "the ends of an aligned weld coincide")
    if spot and form in _PATCHES:
        length = thickness
    low, high = (prop.real(8 + k, value) * diameter for k, value in ((0, 0.2), (1, 5.0)))
    made.join(row.integer(0), ends, _frame(along), _short_beam(material, diameter, min(max(length, low), high)))


def _short_beam(material: Isotropic, diameter: float, length: float) -> FloatArray:
    """(6,) stiffness of a round beam at its middle, axis first."""
    area, inertia = pi * diameter**2 / 4, pi * diameter**4 / 64
    E, G = material.young, material.shear
    bending = 12.0 * E * inertia / length**3
    shear = bending / (1.0 + bending * length / (_ROUND * G * area))
    return np.array([E * area, shear * length, shear * length, 2 * G * inertia, E * inertia, E * inertia]) / length


def _frame(along: FloatArray, toward: FloatArray | None = None) -> FloatArray:
    """(3, 3) rows: x along, y toward a vector, or toward the basic axis that is most across."""
    vector = np.eye(3)[int(np.argmin(np.abs(along)))] if toward is None else toward
    y = vector - (vector @ along) * along
    y = y / np.linalg.norm(y)
    return np.array([along, y, np.cross(along, y)])


def _fastener(made: Fasteners, row: Row) -> None:
    draft = made.draft
    prop = _property(draft, row, "PFAST")
    diameter = prop.real(1) * draft.units.length
    by_property = row.word(2) == "PROP"
    if not by_property and row.word(2) != "ELEM":
        raise row.error(2, "is not a form of a fastener", found=repr(row.word(2)), expected="PROP or ELEM")
    if row.text(6) or row.text(7):
        raise row.error(6, "points on the sheets that the card itself names are not supported", expected="GS alone")
    start = draft.node(row, 5)
    first, normal, _ = made.pierced(row, 3, by_property, start, diameter)
    last, _, _ = made.pierced(row, 4, by_property, start, diameter)
    span = made.position(last) - made.position(first)
    reach = float(np.linalg.norm(span))
    system = prop.integer(2, -1)
    stated = None if system < 0 else draft.system(prop, 2, system).axes if system else np.eye(3)
    axes = _frame(span / reach if reach > 0.0 else normal, None if stated is None else stated[1])
    if prop.integer(3, 0) == 1:
        if stated is None:
            raise prop.error(3, "MFLAG 1 needs a coordinate system MCID", found=system)
        axes = stated
    force, moment = draft.units.force / draft.units.length, draft.units.force * draft.units.length
    values = [prop.real(4 + k, 0.0) for k in range(6)]
    made.join(
        row.integer(0),
        (first, last),
        axes,
        np.array([*(v * force for v in values[:3]), *(v * moment for v in values[3:])]),
    )
    mass = prop.real(10, 0.0) * draft.mass_factor
    if mass:
        made.masses += [(row.integer(0), node, 0.5 * mass) for node in (first, last)]
