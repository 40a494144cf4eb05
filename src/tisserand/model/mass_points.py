"""Points and weights that stand for the mass of a block, and the size of its elements: length, area or volume.

Every element's mass is spread evenly along its line, over its surface or through its volume; the points integrate second
moments exactly for straight lines, flat quadrilaterals and straight-edged solids. Shells with midside nodes: ``curved_cells``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ModelError
from tisserand.model.blocks import ElementBlock
from tisserand.model.curved_cells import curved_points
from tisserand.model.nodes import Nodes
from tisserand.model.sections import Section

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
        return np.asarray(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1))
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
    ends, per_length = block.corners(nodes.positions), _densities(block, sections)
    beside = _eccentricity(block, sections)
    if beside.any():
        along = ends[:, 1] - ends[:, 0]
        z = np.cross(along, block.orientation)
        section_axes = [np.cross(z, along), z]
        y, z = (axis / np.linalg.norm(axis, axis=1, keepdims=True) for axis in section_axes)
        ends = ends + beside[:, :, :1] * y[:, None] + beside[:, :, 1:] * z[:, None]
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    shape = np.stack([0.5 * (1.0 - _GAUSS), 0.5 * (1.0 + _GAUSS)])
    at = [shape[0, g] * ends[:, 0] + shape[1, g] * ends[:, 1] for g in (0, 1)]
    weight = [(per_length @ shape[:, g]) * length / 2.0 for g in (0, 1)]
    return np.concatenate(at), np.concatenate(weight)


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
    areal, corners = _densities(block, sections)[:, 0], block.corners(nodes.positions)
    if corners.shape[1] > 4:
        at, normal, area = curved_points(corners)
        height = block.offset + _eccentricity(block, sections)[:, 0, 1]
        at = at + height[:, None, None] * normal
        return at.reshape(-1, 3), (areal[:, None] * area).ravel()
    corners = corners + _middle(block, sections, corners)[:, None]
    if corners.shape[1] == 3:
        area = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        shape = np.array([[4.0, 1.0, 1.0], [1.0, 4.0, 1.0], [1.0, 1.0, 4.0]]) / 6.0
        at = np.einsum("ge,nec->ngc", shape, corners)
        return at.reshape(-1, 3), np.repeat(areal * area / 3.0, 3)
    points, weights = [], []
    for r in _GAUSS:
        for s in _GAUSS:
            n = 0.25 * np.array([(1 - r) * (1 - s), (1 + r) * (1 - s), (1 + r) * (1 + s), (1 - r) * (1 + s)])
            nr = 0.25 * np.array([-(1 - s), 1 - s, 1 + s, -(1 + s)])
            ns = 0.25 * np.array([-(1 - r), -(1 + r), 1 + r, 1 - r])
            a, b = nr @ corners, ns @ corners
            size = (a**2).sum(axis=1) * (b**2).sum(axis=1) - (a * b).sum(axis=1) ** 2
            points.append(n @ corners)
            weights.append(areal * np.sqrt(np.maximum(size, 0.0)))
    return np.concatenate(points), np.concatenate(weights)


def _middle(block: Any, sections: Sequence[Section], corners: FloatArray) -> FloatArray:
    """(m, 3) m from the nodes to the mass of each shell: its offset and the eccentricity of its section, along the normal."""
    first, last = (2, 1) if corners.shape[1] == 4 else (1, 0)
    across = np.cross(corners[:, first] - corners[:, 0], corners[:, -1] - corners[:, last])
    normal = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-300)
    height = block.offset + _eccentricity(block, sections)[:, 0, 1]
    return np.asarray(height[:, None] * normal)


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
