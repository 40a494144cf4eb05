"""Mass, center and inertia of the imported model for the mass balance in the ledger.

They are computed from nodes, blocks and sections by simple quadrature, without element matrices: the mass of an element is
spread evenly along its line, over its surface or through its volume; nodal bodies sit at their centers.
The inertia is that of the continuous bodies, so a lumped mass model differs from it by its lumping.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.model import (
    BeamBlock,
    BeamSection,
    DirectMatrix,
    ElementBlock,
    NodalBodies,
    Nodes,
    RodBlock,
    RodSection,
    ScalarMassBlock,
    Section,
    ShellBlock,
    ShellSection,
    SolidBlock,
    SolidSection,
)

_GAUSS = np.array([-1.0, 1.0]) / np.sqrt(3.0)


def mass_read(nodes: Nodes, blocks: Iterable[ElementBlock], sections: Sequence[Section]) -> dict[str, float]:
    """``mass read`` (kg), ``center x read`` ... (m) and ``inertia xx read`` ... (kg m², about the basic origin)."""
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for block in blocks:
        points, weights = _points(nodes, block, sections)
        mass += float(weights.sum())
        first += weights @ points
        second += (weights[:, None] * points).T @ points
        if isinstance(block, NodalBodies):
            trace = np.trace(block.inertia, axis1=1, axis2=2)
            second += (0.5 * trace[:, None, None] * np.eye(3) - block.inertia).sum(axis=0)
    out = {"mass read": mass}
    center = first / mass if mass > 0.0 else np.zeros(3)
    inertia = np.trace(second) * np.eye(3) - second
    for k, letter in enumerate("xyz"):
        out[f"center {letter} read"] = float(center[k])
    for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)):
        out[f"inertia {'xyz'[i]}{'xyz'[j]} read"] = float(inertia[i, j])
    return out


def _points(nodes: Nodes, block: ElementBlock, sections: Sequence[Section]) -> tuple[FloatArray, FloatArray]:
    """Mass points (n, 3) and masses (n,) that represent a block."""
    x = nodes.positions
    if isinstance(block, NodalBodies):
        return x[block.nodes[:, 0]] + block.offset, np.asarray(block.mass)
    if isinstance(block, ScalarMassBlock):
        return _scalar_points(nodes, block)
    if isinstance(block, DirectMatrix):
        return _direct_points(nodes, block)
    if isinstance(block, (RodBlock, BeamBlock)):
        ends = x[block.nodes]
        if isinstance(block, BeamBlock):
            ends = ends + block.offsets
        length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        per_length = np.array([_line_densities(section) for section in sections])[block.section]
        shape = np.stack([0.5 * (1.0 - _GAUSS), 0.5 * (1.0 + _GAUSS)])
        at = [shape[0, g] * ends[:, 0] + shape[1, g] * ends[:, 1] for g in (0, 1)]
        weight = [(per_length @ shape[:, g]) * length / 2.0 for g in (0, 1)]
        return np.concatenate(at), np.concatenate(weight)
    if isinstance(block, ShellBlock):
        return _surface_points(x, block, sections)
    if isinstance(block, SolidBlock):
        return _volume_points(x, block, sections)
    return np.zeros((0, 3)), np.zeros(0)


def _scalar_points(nodes: Nodes, block: ScalarMassBlock) -> tuple[FloatArray, FloatArray]:
    """Grounded translational masses; a mass on one direction of a point counts a third."""
    own = block.nodes.max(axis=1)
    component = np.where(block.nodes[:, 0] >= 0, block.components[:, 0], block.components[:, 1])
    counted = (block.nodes.min(axis=1) < 0) & (component < 3)
    if nodes.scalar is not None:
        counted &= ~nodes.scalar[own]
    return nodes.positions[own[counted]], block.mass[counted] / 3.0


def _direct_points(nodes: Nodes, block: DirectMatrix) -> tuple[FloatArray, FloatArray]:
    """Translational mass terms given directly; terms between two points sit halfway, each direction counts a third."""
    counted = (block.components[:, 0] == block.components[:, 1]) & (block.components[:, 0] < 3)
    if block.kind != "mass":
        counted[:] = False
    if nodes.scalar is not None:
        counted &= ~nodes.scalar[block.nodes].any(axis=1)
    return nodes.positions[block.nodes[counted]].mean(axis=1), block.value[counted] / 3.0


def _line_densities(section: Section) -> tuple[float, float]:
    """Mass per length at both ends."""
    if isinstance(section, RodSection):
        value = section.material.density * section.area + section.nonstructural_mass
        return value, value
    if isinstance(section, BeamSection):
        ends = (section.end_a, section.end_b or section.end_a)
        a, b = (section.material.density * end.area + end.nonstructural_mass for end in ends)
        return a, b
    return 0.0, 0.0


def _surface_points(x: FloatArray, block: ShellBlock, sections: Sequence[Section]) -> tuple[FloatArray, FloatArray]:
    areal = np.array([s.areal_mass if isinstance(s, ShellSection) else 0.0 for s in sections])[block.section]
    corners = x[block.nodes]
    if block.nodes.shape[1] == 3:
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


#: Corner tetrahedra of a solid: its volume is their sum (faces split alike from both sides of a vertex).
_TETS = {
    "tet": [(0, 1, 2, 3)],
    "pyr": [(0, 1, 2, 4), (0, 2, 3, 4)],
    "wed": [(0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5)],
    "hex": [(0, 1, 3, 4), (1, 2, 3, 6), (1, 3, 4, 6), (3, 4, 6, 7), (1, 4, 5, 6)],
}


def _volume_points(x: FloatArray, block: SolidBlock, sections: Sequence[Section]) -> tuple[FloatArray, FloatArray]:
    """Volume by corner tetrahedra; exact for straight edges and flat faces."""
    density = np.array([s.material.density if isinstance(s, SolidSection) else 0.0 for s in sections])[block.section]
    a, b = 0.5854101966249685, 0.1381966011250105
    shape = np.full((4, 4), b) + (a - b) * np.eye(4)
    points, weights = [], []
    for tet in _TETS[block.kind[:3]]:
        p = x[block.nodes[:, list(tet)]]
        volume = np.abs(np.einsum("ni,ni->n", np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), p[:, 3] - p[:, 0])) / 6.0
        points.append(np.einsum("ge,nec->ngc", shape, p).reshape(-1, 3))
        weights.append(np.repeat(density * volume / 4.0, 4))
    return np.concatenate(points), np.concatenate(weights)
