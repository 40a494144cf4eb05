"""A run as glTF 2.0: every part moves with its body and bends by morph targets; plays in any viewer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.exporters.glb import ARRAY, ELEMENT, FLOAT, UINT, GlbBuffer, glb
from tisserand.files import atomic_path
from tisserand.multibody.trajectory import Trajectory
from tisserand.views.moving_scene import MovingPart, moving_scene

#: Frames of the animation.
FRAMES = 240
_COLORS = ((0.62, 0.68, 0.76), (0.12, 0.47, 0.71), (0.86, 0.66, 0.36), (0.52, 0.70, 0.62))


def save_run_gltf(
    run: Trajectory, path: str | Path, scene: Mapping[str, Any] | None = None, *, deflection: float = 1.0
) -> Path:
    """Write the moving vehicle; elastic deflections are ``deflection`` times as large. Its z axis is glTF's y axis."""
    moving = moving_scene(run, scene, FRAMES)
    buffer = GlbBuffer()
    clock = buffer.add(moving.times - moving.times[0], FLOAT, "SCALAR", bounds=True)
    nodes: list[dict[str, Any]] = [{"name": moving.name, "rotation": [-(0.5**0.5), 0.0, 0.0, 0.5**0.5], "children": []}]
    meshes: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    channels: list[dict[str, Any]] = []
    for part in moving.parts:
        mesh = _mesh(buffer, part, len(meshes))
        if mesh is None:
            continue
        meshes.append(mesh)
        nodes[0]["children"].append(len(nodes))
        tracks = [("translation", part.place, "VEC3"), ("rotation", _quaternions(part), "VEC4")]
        if len(part.shapes):
            tracks.append(("weights", (deflection * part.eta / _sizes(part)).ravel(), "SCALAR"))
        for word, values, kind in tracks:
            samplers.append({"input": clock, "output": buffer.add(values, FLOAT, kind), "interpolation": "LINEAR"})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": len(nodes), "path": word}})
        nodes.append({"name": part.name, "mesh": len(meshes) - 1})
    content: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "tisserand"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": nodes,
        "meshes": meshes,
        "materials": [_material(color) for color in _COLORS],
        "animations": [{"name": moving.name, "samplers": samplers, "channels": channels}],
    }
    with atomic_path(path) as temporary:
        temporary.write_bytes(glb(content, buffer))
    return Path(path)


def _sizes(part: MovingPart) -> np.ndarray:
    """Largest modal coordinates along the run (k,): morph targets at weight one."""
    return np.asarray(np.maximum(np.abs(part.eta).max(axis=0, initial=0.0), 1e-30))


def _mesh(buffer: GlbBuffer, part: MovingPart, number: int) -> dict[str, Any] | None:
    place = buffer.add(part.points, FLOAT, "VEC3", ARRAY, bounds=True)
    moved = part.shapes * _sizes(part)[:, None, None]
    targets = [{"POSITION": buffer.add(one, FLOAT, "VEC3", ARRAY, bounds=True)} for one in moved]
    primitives: list[dict[str, Any]] = []
    for cells, mode in ((part.triangles, 4), (part.lines, 1)):
        if len(cells):
            indices = buffer.add(cells.ravel(), UINT, "SCALAR", ELEMENT)
            made = {
                "attributes": {"POSITION": place},
                "indices": indices,
                "mode": mode,
                "material": number % len(_COLORS),
            }
            primitives.append(made | ({"targets": targets} if targets else {}))
    if not primitives:
        return None
    weights = {"weights": [0.0] * len(targets)} if targets else {}
    return {"name": part.name, "primitives": primitives, **weights}


def _quaternions(part: MovingPart) -> np.ndarray:
    """Scalar-last (f, 4), of one sign along the way so that viewers take the short way between frames."""
    from scipy.spatial.transform import Rotation

    q = Rotation.from_matrix(part.turn).as_quat()
    flips = np.cumprod(np.where(np.einsum("fi,fi->f", q[1:], q[:-1]) < 0.0, -1.0, 1.0))
    q[1:] *= flips[:, None]
    return np.asarray(q)


def _material(color: tuple[float, float, float]) -> dict[str, Any]:
    return {
        "doubleSided": True,
        "pbrMetallicRoughness": {"baseColorFactor": [*color, 1.0], "metallicFactor": 0.1, "roughnessFactor": 0.7},
    }
