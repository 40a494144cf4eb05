"""Shapes packed for the browser: 32-bit points, 16-bit shapes, base64; large models thinned with the factor stated."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.appendage.record.drawing_topology import Topology
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.support_mass import frequency_words, listed_modes
from tisserand.arrays import FloatArray, IntArray
from tisserand.views.solidify import Skin, plain_lines, skin_of

#: Most nodes that are sent to the browser.
MOST_NODES = 12_000


def packed(values: Any, kind: str) -> str:
    """Base64 of little-endian numbers: f4, i2, u4 or u1."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=f"<{kind}").tobytes()).decode("ascii")


@dataclass(frozen=True, eq=False)
class ThinMesh:
    """A drawable mesh: rows of the original node table that are kept, and cells between them."""

    rows: IntArray
    lines: IntArray
    triangles: IntArray
    factor: float


def thinned(points: FloatArray, topology: Topology, most: int = MOST_NODES) -> ThinMesh:
    """Keep the nodes that cells use; above ``most`` merge them on a grid and drop collapsed cells."""
    lines = np.vstack([topology.lines, topology.links])
    used = np.unique(np.concatenate([lines.ravel(), topology.triangles.ravel()]))
    if used.size == 0:
        used = np.arange(len(points))
    total = len(used)
    representative = np.arange(len(points))
    if total > most:
        low, extent = points[used].min(axis=0), float(np.ptp(points[used], axis=0).max()) or 1.0
        cells = 400
        while True:
            keys = np.floor((points[used] - low) / extent * cells).astype(np.int64)
            _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
            if len(first) <= most or cells <= 4:
                break
            cells = int(cells * 0.8)
        representative[used] = used[first][inverse.ravel()]
    lines, triangles = representative[lines], representative[topology.triangles]
    lines = lines[lines[:, 0] != lines[:, 1]]
    a, b, c = triangles.T if len(triangles) else (np.zeros(0), np.zeros(0), np.zeros(0))
    triangles = triangles[(a != b) & (b != c) & (a != c)]
    if len(triangles):
        triangles = triangles[np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)[1]]
    rows = np.unique(np.concatenate([lines.ravel(), triangles.ravel()])).astype(np.int64)
    if rows.size == 0:
        rows = np.unique(representative[used])
    place = np.full(len(points), -1, np.int64)
    place[rows] = np.arange(len(rows))
    return ThinMesh(rows, place[lines], place[triangles], total / max(len(rows), 1))


def packed_part(
    name: str, points: FloatArray, shapes: FloatArray, lines: IntArray, triangles: IntArray
) -> dict[str, Any]:
    """One part: points (n, 3), shapes (n, 3, k). Shapes that are not finite are drawn as not moving.

    A rigid part (k = 0) keeps its edges sharp: no two triangles share a point.
    """
    if shapes.shape[2] == 0 and len(triangles):
        start = len(points)
        points = np.concatenate([points, points[triangles.ravel()]])
        triangles = start + np.arange(triangles.size).reshape(-1, 3)
    packed_shapes = []
    for k in range(shapes.shape[2]):
        values = np.nan_to_num(shapes[:, :, k], nan=0.0, posinf=0.0, neginf=0.0)
        largest = float(np.abs(values).max(initial=0.0))
        scale = largest / 32767.0 if largest > 0.0 else 1.0
        packed_shapes.append({"scale": scale, "values": packed(np.rint(values / scale), "i2")})
    return {
        "name": name,
        "points": packed(points, "f4"),
        "triangles": packed(triangles, "u4"),
        "lines": packed(lines, "u4"),
        "shapes": packed_shapes,
    }


def solid_mesh(points: FloatArray, topology: Topology) -> tuple[Skin, IntArray] | None:
    """Shells with thickness and beams with sections, and the lines that remain; None where that is too much to send."""
    skin, lines = skin_of(points, topology), np.vstack([plain_lines(topology), topology.links])
    ends, local = np.unique(lines, return_inverse=True)
    if len(skin.triangles) == 0 or len(skin.source) + len(ends) > MOST_NODES:
        return None
    start = len(skin.source)
    arms = np.concatenate([skin.arm, np.zeros((len(ends), 3))])
    return Skin(np.concatenate([skin.source, ends]), arms, skin.triangles), local.reshape(lines.shape) + start


def mode_scene(appendage: ReducedAppendage) -> tuple[dict[str, Any], float]:
    """Data of the mode viewer, each mode scaled to a largest displacement of one, and the thinning factor."""
    nodes = appendage.nodes
    translation, rotation = np.nan_to_num(nodes.translation), np.nan_to_num(nodes.rotation)
    solid = solid_mesh(nodes.positions, appendage.topology)
    if solid is not None:
        skin, lines = solid
        rows, triangles, factor = skin.source, skin.triangles, 1.0
        points = skin.rest(nodes.positions)
        shapes = translation[rows] + np.cross(rotation[rows], skin.arm[:, :, None], axis=1)
    else:
        mesh = thinned(nodes.positions, appendage.topology)
        rows, lines, triangles, factor = mesh.rows, mesh.lines, mesh.triangles, mesh.factor
        points, shapes = nodes.positions[rows], translation[rows]
    largest = np.linalg.norm(translation[rows], axis=1).max(axis=0, initial=0.0)
    shapes = shapes / np.where(largest > 0.0, largest, 1.0)
    part = packed_part(appendage.name, points, shapes, lines, triangles)
    if nodes.energy is not None:
        level = np.sqrt(np.asarray(nodes.energy[rows], dtype=float))
        level = level / np.maximum(level.max(axis=0, initial=0.0), 1e-300)
        part["energy"] = [packed(np.rint(255.0 * column), "u1") for column in level.T]
    extent = float(np.ptp(points, axis=0).max()) if len(points) else 1.0
    data = {
        "parts": [part],
        "titles": [
            f"{name}: {f}" for name, f in zip(appendage.mode_names, frequency_words(listed_modes(appendage)[0]))
        ],
        "reach": extent or 1.0,
    }
    return data, factor
