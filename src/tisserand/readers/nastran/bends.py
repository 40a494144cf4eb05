"""CBEND with PBEND, CELBOW with PELBOW: arcs as exact end stiffness, by their flexibility, and half their mass at each end.

A load W_B at the free end of a clamped arc gives each section the wrench X(s) W_B; the flexibility is the integral of X' D X with
D = diag(1/EA, 1/(K1 G A), 1/(K2 G A), 1/GJ, 1/EI2, 1/EI1) in the axes of the section: tangent, radius, normal of the plane.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.polynomial.legendre import leggauss

from tisserand.arrays import FloatArray, skew
from tisserand.model import DirectMatrix, Isotropic, NodalBodies
from tisserand.readers.nastran.cards import INTEGER, Row
from tisserand.readers.nastran.draft import Draft

#: Points along an arc: the integrands are sines and cosines of at most half a turn.
_POINTS = 16
_Numbers = list[tuple[int, int]]
#: Largest difference of a stated radius or angle.
_SAME_ARC = 1e-3
_PROPERTY = {"CBEND": "PBEND", "CELBOW": "PELBOW"}


@dataclass(frozen=True, eq=False)
class Arc:
    """Center (3,), radius, unit vectors from the center to end A and along the arc there, opening angle (rad)."""

    center: FloatArray
    radius: float
    first: FloatArray
    along: FloatArray
    angle: float


def read_bends(draft: Draft) -> list[DirectMatrix | NodalBodies]:
    """One stiffness matrix of all arcs, and their masses."""
    known = {card: {row.integer(0): row for row in draft.bulk.rows(_PROPERTY[card])} for card in _PROPERTY}
    nodes: _Numbers = []
    components: _Numbers = []
    values: list[float] = []
    bodies: list[tuple[int, int, float]] = []
    for row in draft.bulk.rows(*_PROPERTY):
        number = row.integer(0)
        prop = known[row.card].get(row.integer(1, number))
        if prop is None:
            raise row.error(1, "the property does not exist", found=row.integer(1, number))
        a, b = draft.node(row, 2), draft.node(row, 3)
        arc = _arc(draft, row, prop, a, b)
        section, line_mass = _elbow(draft, prop, arc) if row.card == "CELBOW" else _section(draft, prop)
        K = _node_axes(draft, a, b, arc_stiffness(arc, draft.nodes.positions[a], draft.nodes.positions[b], section))
        for i in range(12):
            for j in range(12):
                nodes.append(((a, b)[i // 6], (a, b)[j // 6]))
                components.append((i % 6, j % 6))
                values.append(float(K[i, j]))
        bodies += [(number, end, 0.5 * line_mass * arc.radius * arc.angle) for end in (a, b)]
    if not values:
        return []
    for card in _PROPERTY:
        if draft.bulk.has(card):
            draft.approximations[card] = (
                "end stiffness of the thin arc, exact; half its mass at each end; no stresses inside"
            )
    stiffness = DirectMatrix(
        np.arange(1, len(values) + 1), np.array(nodes), np.array(components), np.array(values), "stiffness"
    )
    heavy = [body for body in bodies if body[2] > 0.0]
    if not heavy:
        return [stiffness]
    spare = 10 ** len(str(max(number for number, *_ in bodies)))
    ids = np.array([number * 2 + k % 2 + 2 * spare for k, (number, *_) in enumerate(heavy)])
    ends, masses = (np.array(column) for column in zip(*(body[1:] for body in heavy)))
    m = len(heavy)
    return [stiffness, NodalBodies(ids, ends[:, None], masses, np.zeros((m, 3)), np.zeros((m, 3, 3)))]


def arc_stiffness(arc: Arc, a: FloatArray, b: FloatArray, section: FloatArray) -> FloatArray:
    """(12, 12) stiffness in basic axes; section: EA, K1 G A, K2 G A (inf: rigid), GJ, EI2 (out of plane), EI1 (in plane)."""
    nodes, weights = leggauss(_POINTS)
    across = np.cross(arc.first, arc.along)
    F = np.zeros((6, 6))
    for t, w in zip(0.5 * (nodes + 1.0) * arc.angle, 0.5 * weights * arc.angle * arc.radius):
        radial = np.cos(t) * arc.first + np.sin(t) * arc.along
        tangent = np.cos(t) * arc.along - np.sin(t) * arc.first
        turn = np.array([tangent, radial, across])
        place = arc.center + arc.radius * radial
        X = np.zeros((6, 6))
        X[:3, :3] = X[3:, 3:] = turn
        X[3:, :3] = turn @ skew(b - place)
        F += w * X.T @ (X / section[:, None])
    rigid = np.eye(6)
    rigid[:3, 3:] = -skew(b - a)
    G = np.hstack([-rigid, np.eye(6)])
    return np.asarray(G.T @ np.linalg.solve(F, G))


def _arc(draft: Draft, row: Row, prop: Row, a: int, b: int) -> Arc:
    """The circle by GEOM: 1 center toward O, 2 tangent at A toward O, 3 radius RB, 4 angle THETAB; the arc bulges toward O."""
    x = draft.nodes.positions
    chord = x[b] - x[a]
    length = float(np.linalg.norm(chord))
    if not length > 0.0:
        raise row.error(2, "the ends of a bend coincide")
    if row.kind(4) == INTEGER and not row.text(5) and not row.text(6):
        toward = x[draft.node(row, 4)] - x[a]
    else:
        toward = np.array([row.real(4 + k, 0.0) for k in range(3)]) @ draft.axes_of(np.array([a]))[0]
    side = toward - (toward @ chord) * chord / length**2
    if not np.linalg.norm(side) > 1e-9 * max(float(np.linalg.norm(toward)), 1e-300):
        raise row.error(4, "the orientation is parallel to the chord of the bend")
    geometry = 1 if row.card == "CELBOW" else row.integer(7, 0)
    if geometry == 1:
        center = x[a] + 0.5 * length**2 / (toward @ chord) * toward if toward @ chord else None
    elif geometry == 2:
        inward = chord - (chord @ toward) * toward / (toward @ toward)
        center = x[a] + 0.5 * length**2 / (inward @ chord) * inward
    elif geometry in (3, 4):
        center = _by_size(draft, row, prop, geometry, x[a] + 0.5 * chord, side / np.linalg.norm(side), length)
    else:
        raise row.error(7, "GEOM must be 1, 2, 3 or 4", found=geometry)
    if center is None:
        raise row.error(4, "the bend has no center: the orientation is perpendicular to the chord")
    first, last = x[a] - center, x[b] - center
    radius = float(np.linalg.norm(first))
    normal = np.cross(first, last)
    if not np.linalg.norm(normal) > 1e-9 * radius**2:
        normal = np.cross(first, side)  # half a turn: the side says where it goes
    first = first / radius
    along = np.cross(normal / np.linalg.norm(normal), first)
    return Arc(center, radius, first, along, float(np.arctan2(last @ along, last @ first)))


def _by_size(
    draft: Draft, row: Row, prop: Row, geometry: int, middle: FloatArray, side: FloatArray, length: float
) -> FloatArray:
    """Center of the arc with a stated radius or angle, less than half a turn, that bulges toward the side."""
    field = 6 if geometry == 3 else 7
    value = prop.real(field, 0.0)
    half = 0.5 * length
    if geometry == 3:
        radius = value * draft.units.length
    else:
        radius = half / np.sin(np.radians(value) / 2.0) if 0.0 < value <= 180.0 else 0.0
    if not radius >= half * (1.0 - 1e-9):
        raise prop.error(field, "the radius or angle of the bend does not reach over its chord", found=value)
    return np.asarray(middle - side * np.sqrt(max(radius**2 - half**2, 0.0)))


def _section(draft: Draft, row: Row) -> tuple[FloatArray, float]:
    """Stiffnesses of the section, SI, and mass per length, kg/m."""
    material = draft.material(row, 1)
    if not isinstance(material, Isotropic):
        raise row.error(1, "a bend needs MAT1", found=row.integer(1))
    pipe = row.kind(2) == INTEGER and not row.real(5, 0.0)
    at_mass, at_offsets = (10, (11, 12)) if pipe else (18, (19, 20))
    if any(row.real(at, 0.0) for at in at_offsets):
        raise row.error(at_offsets[0], "offsets of the centroid (RC, ZC) are not supported")
    units = draft.units
    area, i1, i2, torsion = _pipe(row) if pipe else tuple(row.real(k, 0.0) for k in (2, 3, 4, 5))
    if min(area, i1, i2, torsion) <= 0.0:
        raise row.error(2, "area, I1, I2 and J must be positive", found=min(area, i1, i2, torsion))
    area, scale = area * units.area, units.second_moment
    shear = [np.inf if pipe else row.real(k, 0.0) * material.shear * area or np.inf for k in (16, 17)]
    mass = material.density * area + row.real(at_mass, 0.0) * draft.mass_factor / units.length
    moments = [material.shear * torsion * scale, material.young * i2 * scale, material.young * i1 * scale]
    return np.array([material.young * area, *shear, *moments]), mass


def _elbow(draft: Draft, row: Row, arc: Arc) -> tuple[FloatArray, float]:
    """The same of PELBOW, whose flexibility factors divide J (KX), I2 (KY) and I1 (KZ); shear factors above one divide the area.

    The radius and angle that it states must be those of the arc.
    """
    stated = (row.real(22, 0.0) * draft.units.length, np.radians(row.real(23, 0.0)))
    for at, value, own in zip((22, 23), stated, (arc.radius, arc.angle)):
        if value and abs(value / own - 1.0) > _SAME_ARC:
            raise row.error(at, "the elbow has another radius or angle between its points", found=row.word(at))
    material = draft.material(row, 1)
    if not isinstance(material, Isotropic):
        raise row.error(1, "an elbow needs MAT1", found=row.integer(1))
    area, i1, i2, torsion = (row.real(k, 0.0) for k in (2, 3, 4, 5))
    if min(area, i1, i2, torsion) <= 0.0:
        raise row.error(2, "area, I1, I2 and J must be positive", found=min(area, i1, i2, torsion))
    area, scale = area * draft.units.area, draft.units.second_moment
    twist, out, within = (row.real(k, 0.0) or 1.0 for k in (19, 20, 21))
    factors = [abs(row.real(k, 0.0)) or 1.0 for k in (16, 17)]
    shear = [material.shear * area * min(factor, 1.0 / factor) for factor in factors]
    moments = [material.shear * torsion / twist, material.young * i2 / out, material.young * i1 / within]
    mass = material.density * area + row.real(6, 0.0) * draft.mass_factor / draft.units.length
    return np.array([material.young * area, *shear, *(value * scale for value in moments)]), mass


def _pipe(row: Row) -> tuple[float, float, float, float]:
    """A, I1, I2 and J of FSI, RM, T: a pipe of mean radius RM and wall T that bends as a beam does (FSI = 1)."""
    if row.integer(2) != 1 or row.real(5, 0.0):
        raise row.error(2, "flexibility factors and pressures of pipe bends are not supported", expected="FSI = 1")
    outer, inner = row.real(3) + 0.5 * row.real(4), row.real(3) - 0.5 * row.real(4)
    if not 0.0 <= inner < outer:
        raise row.error(3, "the wall of the pipe is thicker than its radius", found=row.real(4))
    inertia = np.pi / 4.0 * (outer**4 - inner**4)
    return np.pi * (outer**2 - inner**2), inertia, inertia, 2.0 * inertia


def _node_axes(draft: Draft, a: int, b: int, K: FloatArray) -> FloatArray:
    T = np.zeros((12, 12))
    for k, node in enumerate((a, b)):
        own = draft.axes_of(np.array([node]))[0]
        T[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = T[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = own
    return np.asarray(T @ K @ T.T)
