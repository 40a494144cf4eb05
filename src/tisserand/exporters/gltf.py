"""glTF 2.0 binary with one morph target per mode and one animation per mode: plays in any viewer."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.appendage.drawing.section_skin import plain_lines, skin_of
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.exporters.glb import ARRAY, ELEMENT, FLOAT, UINT, GlbBuffer, glb
from tisserand.exporters.metadata import describe
from tisserand.exporters.readback import worst

#: Largest displacement at full weight, as a fraction of the extent; samples and seconds of one period.
FRACTION, SAMPLES, PERIOD = 0.12, 25, 2.0


def losses(appendage: ReducedAppendage) -> list[str]:
    return ["a picture file without modal integrals, stiffness and damping, shapes are 32-bit and scaled for display"]


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Points (p, 3) m and what joins them: triangles, lines; displacement at full weight (k, p, 3) m."""

    points: np.ndarray
    triangles: np.ndarray
    lines: np.ndarray
    shapes: np.ndarray


def drawn(appendage: ReducedAppendage) -> _Drawn:
    """Beams with their sections and shells with their thickness; whatever has neither stays a line between nodes."""
    nodes, cells = appendage.nodes, appendage.topology
    skin = skin_of(nodes.positions, cells)
    lines = np.vstack([plain_lines(cells), cells.links])
    used, lines = np.unique(lines, return_inverse=True)
    if not len(skin.triangles) and not len(used):
        used = np.arange(len(nodes))
    translation, rotation = (np.nan_to_num(v).transpose(2, 0, 1) for v in (nodes.translation, nodes.rotation))
    scale = _scales(appendage)
    shapes = [s * np.vstack([skin.displacement(t, r), t[used]]) for s, t, r in zip(scale, translation, rotation)]
    points = np.vstack([skin.rest(nodes.positions), nodes.positions[used]])
    return _Drawn(
        points, skin.triangles, lines.reshape(-1, 2) + len(skin.source), np.reshape(shapes, (-1, len(points), 3))
    )


def _scales(appendage: ReducedAppendage) -> np.ndarray:
    """(k,) from shape to displacement at full weight."""
    shapes = np.nan_to_num(appendage.nodes.translation).transpose(2, 0, 1)
    largest = np.linalg.norm(shapes, axis=2).max(axis=1, initial=0.0) if shapes.size else np.ones(appendage.count)
    extent = float(np.ptp(appendage.nodes.positions, axis=0).max()) or 1.0
    return np.divide(FRACTION * extent, largest, out=np.zeros_like(largest), where=largest > 0.0)


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    buffer, k = GlbBuffer(), appendage.count
    picture = drawn(appendage)
    position = buffer.add(picture.points, FLOAT, "VEC3", ARRAY, bounds=True)
    morphs = [{"POSITION": buffer.add(shape, FLOAT, "VEC3", ARRAY, bounds=True)} for shape in picture.shapes]
    primitives = []
    for rows, mode in ((picture.triangles, 4), (picture.lines, 1)):
        if len(rows):
            indices = buffer.add(rows.ravel(), UINT, "SCALAR", ELEMENT)
            primitives.append({"attributes": {"POSITION": position}, "indices": indices, "mode": mode, "material": 0})
    if not primitives:
        primitives.append({"attributes": {"POSITION": position}, "mode": 0, "material": 0})
    for primitive in primitives:
        if k:
            primitive["targets"] = morphs
    scene: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": describe(appendage)["written_by"], "extras": describe(appendage)},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": appendage.name, "rotation": [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]}],
        "meshes": [
            {"name": appendage.name, "primitives": primitives, "extras": {"targetNames": list(appendage.mode_names)}}
        ],
        "materials": [
            {
                "doubleSided": True,
                "pbrMetallicRoughness": {
                    "baseColorFactor": [0.12, 0.47, 0.71, 1.0],
                    "metallicFactor": 0.1,
                    "roughnessFactor": 0.7,
                },
            }
        ],
    }
    if k:
        scene["meshes"][0]["weights"] = [0.0] * k
        scene["animations"] = _animations(buffer, appendage)
    path.write_bytes(glb(scene, buffer))
    return [path]


def _animations(buffer: GlbBuffer, appendage: ReducedAppendage) -> list[dict[str, Any]]:
    times = np.linspace(0.0, PERIOD, SAMPLES)
    clock = buffer.add(times, FLOAT, "SCALAR", bounds=True)
    made = []
    for mode, (name, hz) in enumerate(zip(appendage.mode_names, appendage.frequencies_hz)):
        weights = np.zeros((SAMPLES, appendage.count))
        weights[:, mode] = np.sin(2.0 * np.pi * times / PERIOD)
        output = buffer.add(weights.ravel(), FLOAT, "SCALAR")
        made.append(
            {
                "name": f"{name}, {hz:.5g} Hz",
                "samplers": [{"input": clock, "output": output, "interpolation": "LINEAR"}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
            }
        )
    return made


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    raw = path.read_bytes()
    length = struct.unpack_from("<I", raw, 12)[0]
    scene = json.loads(raw[20 : 20 + length])
    start = 20 + length + 8

    def vectors(number: int) -> np.ndarray:
        accessor = scene["accessors"][number]
        view = scene["bufferViews"][accessor["bufferView"]]
        return np.frombuffer(raw, "<f4", accessor["count"] * 3, start + view["byteOffset"]).reshape(-1, 3)

    first = scene["meshes"][0]["primitives"][0]
    picture = drawn(appendage)
    pairs = [(vectors(first["attributes"]["POSITION"]), picture.points)]
    pairs += [(vectors(t["POSITION"]), meant) for t, meant in zip(first.get("targets", []), picture.shapes)]
    return worst(pairs)
