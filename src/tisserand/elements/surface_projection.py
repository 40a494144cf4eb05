"""Closest points of curved faces of three, four, six or eight nodes.

Faces near a point are found by their bounding spheres; on each the distance is minimized by Gauss and Newton's method,
inside first, then along the edges where the foot lies outside. Serves ties between surfaces.

Shape functions: [Zienkiewicz2000].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.elements.surface_field import shape_functions

#: Faces tried for each point, those whose bounding spheres are nearest.
_TRIED = 16
_STEPS = 20
#: Distances computed at once.
_CHUNK = 2_000_000
_TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
_SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@dataclass(frozen=True, eq=False)
class Feet:
    """Closest points of n points: faces (n,), reference coordinates (n, 2), positions (n, 3) m, distances (n,) m."""

    faces: IntArray
    coordinates: FloatArray
    positions: FloatArray
    distances: FloatArray


def closest_points(points: FloatArray, nodes: FloatArray) -> Feet:
    """Feet of points (n, 3) m on faces with nodes (f, k, 3) m."""
    center = 0.5 * (nodes.min(axis=1) + nodes.max(axis=1))
    radius = np.linalg.norm(nodes - center[:, None], axis=2).max(axis=1)
    tried, parts = min(_TRIED, len(nodes)), []
    step = max(1, _CHUNK // len(nodes))
    for start in range(0, len(points), step):
        part = points[start : start + step]
        bound = np.linalg.norm(part[:, None] - center, axis=2) - radius
        faces = np.argpartition(bound, tried - 1, axis=1)[:, :tried]
        parts.append(_best(part, nodes, faces))
    return Feet(*(np.concatenate([getattr(part, word) for part in parts]) for word in Feet.__dataclass_fields__))


def _best(points: FloatArray, nodes: FloatArray, faces: IntArray) -> Feet:
    n, tried = faces.shape
    at, foot, distance = _feet(np.repeat(points, tried, axis=0), nodes[faces.ravel()])
    best = np.argmin(distance.reshape(n, tried), axis=1)
    pick = np.arange(n) * tried + best
    return Feet(faces[np.arange(n), best], at[pick], foot[pick], distance[pick])


def _feet(x: FloatArray, nodes: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Coordinates (q, 2), positions (q, 3) and distances (q,) of the closest points, one face per point."""
    k = nodes.shape[1]
    corners = _TRIANGLE if k in (3, 6) else _SQUARE
    at = np.tile(corners.mean(axis=0), (len(x), 1))
    for _ in range(_STEPS):
        values, gradient = shape_functions(k, at)
        miss = x - np.einsum("qk,qki->qi", values, nodes)
        tangents = np.einsum("qak,qki->qai", gradient, nodes)
        metric = tangents @ tangents.transpose(0, 2, 1)
        metric += 1e-12 * np.trace(metric, axis1=1, axis2=2)[:, None, None] * np.eye(2)
        change = np.linalg.solve(metric, np.einsum("qai,qi->qa", tangents, miss)[..., None])[..., 0]
        at = np.clip(at + np.clip(change, -1.0, 1.0), -3.0, 3.0)
    outside = ~_inside(k, at)
    if outside.any():
        at[outside] = _on_edges(k, corners, x[outside], nodes[outside])
    values, _ = shape_functions(k, at)
    foot = np.einsum("qk,qki->qi", values, nodes)
    return at, foot, np.linalg.norm(x - foot, axis=1)


def _inside(k: int, at: FloatArray) -> BoolArray:
    if k in (3, 6):
        return np.asarray((at >= -1e-9).all(axis=1) & (at.sum(axis=1) <= 1.0 + 1e-9))
    return np.asarray((np.abs(at) <= 1.0 + 1e-9).all(axis=1))


def _on_edges(k: int, corners: FloatArray, x: FloatArray, nodes: FloatArray) -> FloatArray:
    """Coordinates (q, 2) of the closest points on the edges."""
    best, least = np.zeros((len(x), 2)), np.full(len(x), np.inf)
    for a, b in zip(corners, np.roll(corners, -1, axis=0)):
        t = np.full(len(x), 0.5)
        for _ in range(_STEPS):
            values, gradient = shape_functions(k, a + t[:, None] * (b - a))
            miss = x - np.einsum("qk,qki->qi", values, nodes)
            tangent = np.einsum("a,qak,qki->qi", b - a, gradient, nodes)
            size = np.maximum(np.einsum("qi,qi->q", tangent, tangent), 1e-300)
            t = np.clip(t + np.einsum("qi,qi->q", tangent, miss) / size, 0.0, 1.0)
        place = a + t[:, None] * (b - a)
        distance = np.linalg.norm(x - np.einsum("qk,qki->qi", shape_functions(k, place)[0], nodes), axis=1)
        nearer = distance < least
        best[nearer], least[nearer] = place[nearer], distance[nearer]
    return best


def turned_normals(nodes: FloatArray, at: FloatArray) -> FloatArray:
    """(n, 3, k, 3): change of the unit normal at coordinates (n, 2) per displacement of nodes (n, k, 3): -t^a (n . u_,a)."""
    _, gradient = shape_functions(nodes.shape[1], at)
    tangents = np.einsum("nak,nki->nai", gradient, nodes)
    normal = np.cross(tangents[:, 0], tangents[:, 1])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    metric = tangents @ tangents.transpose(0, 2, 1)
    dual = np.linalg.solve(metric, tangents)
    return np.asarray(-np.einsum("nai,nak,nj->nikj", dual, gradient, normal))
