"""Shapes packed for the browser: 32-bit points, 16-bit shapes, base64; large models thinned with the factor stated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.appendage.drawing.section_skin import plain_rows, skin_of
from tisserand.appendage.record.drawing_topology import Topology
from tisserand.appendage.record.named_sets import members, pairs_of
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.support_mass import frequency_words, listed_modes
from tisserand.arrays import ComplexArray, FloatArray, IntArray
from tisserand.views.geometry import body_radii
from tisserand.views.report.packing import packed
from tisserand.views.report.spinning_shapes import spinning_shapes

#: Most nodes that are sent to the browser.
MOST_NODES = 12_000


@dataclass(frozen=True, eq=False)
class ThinMesh:
    """A drawable mesh: rows of the original node table that are kept, cells between them, and the ids of their elements."""

    rows: IntArray
    lines: IntArray
    triangles: IntArray
    factor: float
    line_ids: IntArray
    triangle_ids: IntArray


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
    line_ids = known_ids(np.concatenate([topology.line_ids, np.zeros(len(topology.links), np.int64)]), len(lines))
    triangle_ids = known_ids(topology.triangle_ids, len(triangles))
    long = lines[:, 0] != lines[:, 1]
    lines, line_ids = lines[long], line_ids[long]
    a, b, c = triangles.T if len(triangles) else (np.zeros(0), np.zeros(0), np.zeros(0))
    wide = (a != b) & (b != c) & (a != c)
    triangles, triangle_ids = triangles[wide], triangle_ids[wide]
    if len(triangles):
        once = np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)[1]
        triangles, triangle_ids = triangles[once], triangle_ids[once]
    rows = np.unique(np.concatenate([lines.ravel(), triangles.ravel()])).astype(np.int64)
    if rows.size == 0:
        rows = np.unique(representative[used])
    place = np.full(len(points), -1, np.int64)
    place[rows] = np.arange(len(rows))
    return ThinMesh(rows, place[lines], place[triangles], total / max(len(rows), 1), line_ids, triangle_ids)


def packed_part(
    name: str, points: FloatArray, shapes: FloatArray | ComplexArray, lines: IntArray, triangles: IntArray
) -> dict[str, Any]:
    """One part: points (n, 3), shapes (n, 3, k), real or complex. Shapes that are not finite are drawn as not moving.

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
        whole = {"scale": scale, "values": packed(np.rint(values.real / scale), "i2")}
        if values.imag.any():
            whole["imaginary"] = packed(np.rint(values.imag / scale), "i2")
        packed_shapes.append(whole)
    return {
        "name": name,
        "points": packed(points, "f4"),
        "triangles": packed(triangles, "u4"),
        "lines": packed(lines, "u4"),
        "shapes": packed_shapes,
    }


def mode_scene(appendage: ReducedAppendage) -> tuple[dict[str, Any], float]:
    """Data of the mode viewer, each mode scaled to a largest displacement of one, and the thinning factor."""
    nodes, topology = appendage.nodes, appendage.topology
    translation, rotation = np.nan_to_num(nodes.translation), np.nan_to_num(nodes.rotation)
    plain = plain_rows(topology)
    skin, lines = skin_of(nodes.positions, topology), np.vstack([topology.lines[plain], topology.links])
    ends, local = np.unique(lines, return_inverse=True)
    if len(skin.triangles) and len(skin.source) + len(ends) <= MOST_NODES:
        rows, factor = np.concatenate([skin.source, ends]), 1.0
        arms = np.concatenate([skin.arm, np.zeros((len(ends), 3))])
        points = nodes.positions[rows] + arms
        shapes = translation[rows] + np.cross(rotation[rows], arms[:, :, None], axis=1)
        lines, triangles = local.reshape(lines.shape) + len(skin.source), skin.triangles
        line_elements = np.zeros(len(lines), np.int64)
        line_elements[: len(plain)] = known_ids(topology.line_ids, len(topology.lines))[plain]
        elements, split = skin.elements, skin.plates
    else:
        mesh = thinned(nodes.positions, topology)
        rows, lines, triangles, factor = mesh.rows, mesh.lines, mesh.triangles, mesh.factor
        points, shapes = nodes.positions[rows], translation[rows]
        elements, line_elements, split = mesh.triangle_ids, mesh.line_ids, len(triangles)
    largest = np.linalg.norm(translation[rows], axis=1).max(axis=0, initial=0.0)
    shapes = shapes / np.where(largest > 0.0, largest, 1.0)
    spinning, turning = spinning_shapes(appendage)
    sizes = np.sqrt((np.abs(turning[rows]) ** 2).sum(axis=1)).max(axis=0, initial=0.0)
    part = packed_part(
        appendage.name, points, np.concatenate([shapes, turning[rows] / np.where(sizes > 0.0, sizes, 1.0)], axis=2),
        lines, triangles,
    )  # fmt: skip
    if part["shapes"] or not len(triangles):
        part |= {"nodes": packed(nodes.ids[rows], "u4"), "elements": packed(elements, "u4")}
        part |= {"line_elements": packed(line_elements, "u4"), "groups": _groups(split, triangles, lines, topology)}
        part |= _sets(appendage, rows)
    if nodes.energy is not None:
        level = np.sqrt(np.asarray(nodes.energy[rows], dtype=float))
        level = level / np.maximum(level.max(axis=0, initial=0.0), 1e-300)
        part["energy"] = [packed(np.rint(255.0 * column), "u1") for column in level.T]
    extent = float(np.ptp(points, axis=0).max()) if len(points) else 1.0
    data = {
        "name": appendage.name,
        "frame": appendage.frame.name,
        "parts": [part],
        "titles": [
            *(f"{name}: {f}" for name, f in zip(appendage.mode_names, frequency_words(listed_modes(appendage)[0]))),
            *spinning,
        ],
        "reach": extent or 1.0,
        "largest": [*(float(f"{v:.6g}") for v in largest), *(1.0 for _ in spinning)],
        "unit": _shape_unit(appendage),
        "standing": appendage.count,  # the modes after these turn around, and have no size of their own
        "masses": _masses(appendage, rows, extent),
        "interfaces": _interfaces(appendage, rows),
    }
    return data, factor


def known_ids(ids: IntArray, count: int) -> IntArray:
    """Ids of ``count`` cells, 0 where the record has none."""
    return ids if len(ids) == count else np.zeros(count, np.int64)


def _sets(appendage: ReducedAppendage, rows: IntArray) -> dict[str, Any]:
    """Named sets: of elements as ranges of their ids, of nodes as the drawn points; sets of which nothing is drawn are left out."""
    kept = appendage.reports.get("sets") or {}
    cells = np.union1d(appendage.topology.line_ids, appendage.topology.triangle_ids)
    first = np.array(sorted(_place(rows).values()), np.int64)
    ids = appendage.nodes.ids[rows[first]]
    elements = {name: text for name, text in kept.get("elements", {}).items() if members(text, cells).any()}
    nodes = {name: first[members(text, ids)] for name, text in kept.get("nodes", {}).items()}
    return {
        "sets": [{"name": name, "ranges": pairs_of(text).tolist()} for name, text in elements.items()],
        "node_sets": [{"name": name, "points": rows.tolist()} for name, rows in nodes.items() if len(rows)],
    }


def _groups(plates: int, triangles: IntArray, lines: IntArray, topology: Topology) -> list[dict[str, Any]]:
    """What can be switched on and off: ranges of triangles and lines by kind."""
    links, total = len(lines) - min(len(topology.links), len(lines)), len(triangles)
    ranges = [
        ("shells and solids", [0, plates], [0, 0]),
        ("beams", [plates, total], [0, links]),
        ("rigid links", [0, 0], [links, len(lines)]),
    ]
    return [
        {"name": name, "triangles": cells, "lines": wires}
        for name, cells, wires in ranges
        if cells[1] > cells[0] or wires[1] > wires[0]
    ]


def _shape_unit(appendage: ReducedAppendage) -> str:
    """Displacement per unit of the modal coordinate."""
    sizes = np.diag(appendage.integrals.modal_mass)
    return "kg⁻½" if np.allclose(sizes, 1.0, rtol=1e-6) else "m per unit η"


def _place(rows: IntArray) -> dict[int, int]:
    """Drawn point of a node row: the first."""
    unique, first = np.unique(rows, return_index=True)
    return dict(zip(unique.tolist(), first.tolist()))


def _masses(appendage: ReducedAppendage, rows: IntArray, extent: float) -> list[dict[str, Any]]:
    cells, place = appendage.topology, _place(rows)
    radii = body_radii(cells.body_mass, len(cells.bodies), appendage.mass, extent)
    return [
        {"point": place[int(row)], "radius": float(f"{radius:.4g}")}
        for row, radius in zip(cells.bodies, radii)
        if int(row) in place
    ]


def _interfaces(appendage: ReducedAppendage, rows: IntArray) -> list[dict[str, Any]]:
    number, place = {int(i): row for row, i in enumerate(appendage.nodes.ids)}, _place(rows)
    return [
        {
            "name": point.name,
            "position": point.position.tolist(),
            "axes": np.asarray(point.axes).tolist(),
            "point": place.get(number.get(int(point.node_id), -1)) if point.node_id is not None else None,
        }
        for point in appendage.interfaces
    ]
