"""Surfaces through corner and midside nodes: missing midside nodes, tangents, normals and areas.

A midside node that a deck leaves out is stated by the corner before it: its side is straight and linear.

Degenerated shells: [Ahmad1970].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import BoolArray, FloatArray
from tisserand.elements.curved_shapes import CENTER, ShapeTable, node_table
from tisserand.model import ShellBlock


@dataclass(frozen=True, eq=False)
class SurfacePoints:
    """At g points: base (m, g, 2, 3) tangents along the reference directions, normal (m, g, 3) unit, area (m, g) m²."""

    table: ShapeTable
    base: FloatArray
    normal: FloatArray
    area: FloatArray


def surface_normals(points: FloatArray) -> FloatArray:
    """(m, p, 3) unit normals of surfaces (m, f, 3) at their nodes: six of a triangle, nine of a quadrilateral."""
    base = np.einsum("gaf,mfi->mgai", node_table(points.shape[1]).gradient, points)
    normal = np.cross(base[:, :, 0], base[:, :, 1])
    length = np.linalg.norm(normal, axis=-1, keepdims=True)
    return np.asarray(np.divide(normal, length, out=np.zeros_like(normal), where=length > 0.0))


def completed_points(positions: FloatArray, block: ShellBlock) -> FloatArray:
    """(m, f, 3) m: nodes, missing midside nodes in the middle of their sides, and the center; zero for the bubble."""
    return completed(positions[block.nodes], block.straight_sides)


def completed(values: FloatArray, straight: BoolArray) -> FloatArray:
    """Values of the f functions from those of the k nodes; zero for the bubble, which has no place."""
    sides = straight.shape[1]
    corner = values[:, :sides]
    mean = 0.5 * (corner + np.roll(corner, -1, axis=1))
    middle = np.where(straight[..., None], mean, values[:, sides : 2 * sides])
    parts = [corner, middle, values[:, 2 * sides :]]
    if values.shape[1] == 8:
        parts.append(np.einsum("f,mfi->mi", CENTER, np.concatenate(parts[:2], axis=1))[:, None])
    if values.shape[1] == 6:
        parts.append(np.zeros_like(values[:, :1]))
    return np.concatenate(parts, axis=1)


def surface_points(points: FloatArray, table: ShapeTable) -> SurfacePoints:
    """Tangents, normals and areas of surfaces (m, f, 3) at the points of a table."""
    base = np.einsum("gaf,mfi->mgai", table.gradient, points)
    normal = np.cross(base[:, :, 0], base[:, :, 1])
    length = np.linalg.norm(normal, axis=-1)
    unit = np.divide(normal, length[..., None], out=np.zeros_like(normal), where=length[..., None] > 0.0)
    return SurfacePoints(table, base, unit, length * table.weights)
