"""Points and weights that stand for the mass of a block, and the size of its elements: length, area or volume.

Every element's mass is spread evenly along its line, over its surface or through its volume; the points integrate second
moments exactly for straight lines, flat quadrilaterals and straight-edged solids. Shells with midside nodes: ``curved_cells``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ModelError
from tisserand.model.block_base import Block as ElementBlock
from tisserand.model.curved_cells import curved_functions, curved_points
from tisserand.model.laminate import mass_shares
from tisserand.model.nodes import Nodes
from tisserand.model.section_base import Section
from tisserand.model.sections import ShellSection

_GAUSS = np.array([-1.0, 1.0]) / np.sqrt(3.0)
Points = tuple[FloatArray, FloatArray]


def mass_points(nodes: Nodes, block: ElementBlock, sections: Sequence[Section]) -> Points:
    """Mass points (n, 3) m and masses (n,) kg that stand for a block; bodies at their centers, without their own inertia."""
    if block.facts.massless or len(block) == 0:
        return np.zeros((0, 3)), np.zeros(0)
    found = _POINTS.get(block.facts.shape)
    if found is None:
        raise ModelError(f"no rule finds the mass of a {block.family}", ids=block.ids[:5].tolist())
    return found(nodes, block, sections)


def element_sizes(nodes: Nodes, block: ElementBlock) -> FloatArray:
    """(m,) length m of lines, area m² of surfaces; zero for everything else."""
    corners = block.corners(nodes.positions)
    if block.facts.shape == "line":
        return np.asarray(_along(corners)[2].sum(axis=1))
    if block.facts.shape == "surface":
        if corners.shape[1] > 4:
            return np.asarray(curved_points(corners)[2].sum(axis=1))
        last = 3 if corners.shape[1] == 4 else 0
        cross = np.cross(corners[:, 2] - corners[:, 0], corners[:, last] - corners[:, 1])
        return np.asarray(0.5 * np.linalg.norm(cross, axis=1))
    return np.zeros(len(block))


def _densities(block: Any, sections: Sequence[Section]) -> FloatArray:
    """(m, 2) mass per length, area or volume at both ends of every element."""
    return np.asarray(np.array([section.densities for section in sections])[block.section])


def _eccentricity(block: Any, sections: Sequence[Section]) -> FloatArray:
    """(m, 2, 2) m: where the mass sits in the section (y, z) at both ends of every element."""
    return np.asarray(np.array([section.eccentricity for section in sections])[block.section])


def _line_points(nodes: Nodes, block: Any, sections: Sequence[Section]) -> Points:
    at, along, length, share = _along(block.corners(nodes.positions))
    beside = _eccentricity(block, sections)
    if beside.any():
        z = np.cross(along, block.orientation[:, None])
        section_axes = [np.cross(z, along), z]
        y, z = (axis / np.linalg.norm(axis, axis=2, keepdims=True) for axis in section_axes)
        y_there, z_there = np.moveaxis(np.einsum("ge,mea->mga", share, beside), 2, 0)
        at = at + y_there[..., None] * y + z_there[..., None] * z
    weight = _densities(block, sections) @ share.T * length
    return at.reshape(-1, 3), weight.ravel()


def _along(ends: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Places (m, g, 3) on lines of two or three nodes (ends, middle), directions, lengths (m, g) m, shares (g, 2) of the ends."""
    x, w = np.polynomial.legendre.leggauss(ends.shape[1])
    share = np.stack([0.5 * (1.0 - x), 0.5 * (1.0 + x)], axis=1)
    values, slopes = share, np.broadcast_to([-0.5, 0.5], share.shape)
    if ends.shape[1] == 3:
        values = np.stack([0.5 * x * (x - 1.0), 0.5 * x * (x + 1.0), 1.0 - x**2], axis=1)
        slopes = np.stack([x - 0.5, x + 0.5, -2.0 * x], axis=1)
    along = np.einsum("gk,mka->mga", slopes, ends)
    return np.einsum("gk,mka->mga", values, ends), along, np.linalg.norm(along, axis=2) * w, share


def _body_points(nodes: Nodes, block: Any, sections: Sequence[Section]) -> Points:
    return nodes.positions[block.nodes[:, 0]] + block.offset, np.asarray(block.mass)


def _term_points(nodes: Nodes, block: Any, sections: Sequence[Section]) -> Points:
    """Terms d_a.d_b value / 3 of translations, halfway between the two points: each direction counts a third."""
    pairs, components, value = block.mass_terms()
    real = (pairs >= 0) & (components < 3)
    if nodes.scalar is not None:
        real &= ~nodes.scalar[pairs]
    counted = real.all(axis=1)
    pairs, components, value = pairs[counted], components[counted], value[counted]
    axes = np.broadcast_to(np.eye(3), (len(nodes), 3, 3)) if nodes.axes is None else nodes.axes
    directions = axes[pairs, components]
    weight = value * np.einsum("mi,mi->m", directions[:, 0], directions[:, 1]) / 3.0
    return nodes.positions[pairs].mean(axis=1), weight


def _surface_points(nodes: Nodes, block: Any, sections: Sequence[Section]) -> tuple[FloatArray, FloatArray]:
    corners = block.corners(nodes.positions)
    if corners.shape[1] > 4:
        at, normal, area = curved_points(corners)
        functions = curved_functions(corners.shape[1])
    else:
        functions, area, at = _flat_points(corners)
        normal = _normal(corners)[:, None]
    areal, height = _areal(block, sections, functions)
    at = at + (block.offset[:, None] + height)[..., None] * normal
    return at.reshape(-1, 3), (areal * area).ravel()


def nodal_areas(corners: FloatArray) -> FloatArray:
    """(m, k): int N_i dA of surfaces with k = 3, 4, 6 or 8 nodes (m, k, 3), m²; corners of eight nodes have negative ones."""
    if corners.shape[1] > 4:
        return np.asarray(curved_points(corners)[2] @ curved_functions(corners.shape[1]))
    functions, area, _ = _flat_points(corners)
    return np.asarray(area @ functions)


def _areal(block: Any, sections: Sequence[Section], functions: FloatArray) -> Points:
    """Mass per area (m, g) kg/m² of surfaces and its height above the reference surface (m, g), m, from functions (g, k)."""
    if block.taper is None:
        return _densities(block, sections)[:, :1], _eccentricity(block, sections)[:, :1, 1]
    used, place = np.unique(block.section, return_inverse=True)
    shares = np.array([mass_shares(cast(ShellSection, sections[k])) for k in used])[place.ravel()]
    ratio = (block.taper @ functions.T)[..., None]
    m0, m1, _ = np.moveaxis(ratio ** np.arange(3) * (ratio * shares[:, :1] + shares[:, 1:]), -1, 0)
    return m0, m1 / np.maximum(m0, 1e-300)


def _flat_points(corners: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Functions of the corners (g, k), areas (m, g) m² and places (m, g, 3) of the points of triangles or quadrilaterals."""
    if corners.shape[1] == 3:
        size = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        shape = np.array([[4.0, 1.0, 1.0], [1.0, 4.0, 1.0], [1.0, 1.0, 4.0]]) / 6.0
        return shape, np.repeat(size[:, None] / 3.0, 3, axis=1), np.einsum("ge,nec->ngc", shape, corners)
    r, s = np.repeat(_GAUSS, 2), np.tile(_GAUSS, 2)
    shape = 0.25 * np.stack([(1 - r) * (1 - s), (1 + r) * (1 - s), (1 + r) * (1 + s), (1 - r) * (1 + s)], axis=1)
    along = 0.25 * np.stack([-(1 - s), 1 - s, 1 + s, -(1 + s)], axis=1)
    across = 0.25 * np.stack([-(1 - r), -(1 + r), 1 + r, 1 - r], axis=1)
    a, b = np.einsum("gk,mki->mgi", along, corners), np.einsum("gk,mki->mgi", across, corners)
    area = np.linalg.norm(np.cross(a, b), axis=-1)
    return shape, area, np.einsum("gk,mki->mgi", shape, corners)


def _normal(corners: FloatArray) -> FloatArray:
    """(m, 3): unit normals of triangles and quadrilaterals."""
    first, last = (2, 1) if corners.shape[1] == 4 else (1, 0)
    across = np.cross(corners[:, first] - corners[:, 0], corners[:, -1] - corners[:, last])
    return np.asarray(across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-300))


#: Corner tetrahedra of a solid: its volume is their sum (faces split alike from both sides of a vertex).
_TETS = {
    "tet": [(0, 1, 2, 3)],
    "pyr": [(0, 1, 2, 4), (0, 2, 3, 4)],
    "wed": [(0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5)],
    "hex": [(0, 1, 3, 4), (1, 2, 3, 6), (1, 3, 4, 6), (3, 4, 6, 7), (1, 4, 5, 6)],
}


def _volume_points(nodes: Nodes, block: Any, sections: Sequence[Section]) -> tuple[FloatArray, FloatArray]:
    """Volume by corner tetrahedra; exact for straight edges and flat faces."""
    density = _densities(block, sections)[:, 0]
    a, b = 0.5854101966249685, 0.1381966011250105
    shape = np.full((4, 4), b) + (a - b) * np.eye(4)
    points, weights = [], []
    for tet in _TETS[block.kind[:3]]:
        p = nodes.positions[block.nodes[:, list(tet)]]
        volume = np.abs(np.einsum("ni,ni->n", np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), p[:, 3] - p[:, 0])) / 6.0
        points.append(np.einsum("ge,nec->ngc", shape, p).reshape(-1, 3))
        weights.append(np.repeat(density * volume / 4.0, 4))
    return np.concatenate(points), np.concatenate(weights)


_POINTS: dict[str, Callable[[Nodes, Any, Sequence[Section]], Points]] = {
    "line": _line_points,
    "surface": _surface_points,
    "volume": _volume_points,
    "body": _body_points,
    "terms": _term_points,
}


def own_inertia(block: Any) -> FloatArray:
    """(3, 3) sum of int r r' dm of the bodies of a block about their own centers, kg m²; zero for everything else."""
    if block.facts.shape != "body":
        return np.zeros((3, 3))
    trace = np.trace(block.inertia, axis1=1, axis2=2)
    return np.asarray((0.5 * trace[:, None, None] * np.eye(3) - block.inertia).sum(axis=0))
