"""The moving vehicle for the browser: what is drawn (from the vehicle) and how it moves (from the trajectory)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.vehicle import Body, MountedAppendage, Vehicle
from tisserand.views.report.scene import packed, packed_part, thinned

#: Most frames and nodes per appendage that are sent to the browser.
MOST_FRAMES, MOST_NODES = 500, 2500
#: Shapes of second degree below this part of the largest are not drawn.
SMALLEST_CURVE = 1e-3
_FACES = np.array(
    [
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
        [1, 5, 7],
        [1, 7, 3],
    ]
)


def scene_of(vehicle: Vehicle) -> dict[str, Any]:
    """Parts of a vehicle, JSON-able, to be kept with a run: rigid bodies as boxes of the same inertia, appendages as meshes."""
    parts: list[dict[str, Any]] = []
    owners: list[dict[str, Any]] = []
    for body in vehicle.bodies:
        corners = box_of(body)
        if corners is not None:
            empty: IntArray = np.zeros((0, 2), np.int64)
            parts.append(packed_part(body.name, corners, np.zeros((8, 3, 0)), empty, _FACES))
            owners.append({"body": body.name, "eta": None})
    for mounted in vehicle.appendages:
        record = mounted.record
        mesh = thinned(record.nodes.positions, record.topology, MOST_NODES)
        points, shapes = record.nodes.positions[mesh.rows], record.nodes.translation[mesh.rows]
        curved, pairs = second_shapes(mounted, mesh.rows)
        shapes = np.concatenate([shapes, curved], axis=2)
        floats = mounted.moves_at_attachment
        if not floats:
            points = mounted.origin + points @ mounted.attitude.T
            shapes = np.einsum("ab,nbk->nak", mounted.attitude, shapes)
        parts.append(packed_part(mounted.name, points, shapes, mesh.lines, mesh.triangles))
        linear = np.nan_to_num(shapes[:, :, : record.count])
        largest = np.linalg.norm(linear, axis=1).max(axis=0, initial=0.0) if linear.size else []
        owner = mounted.name if floats else mounted.body
        owners.append(
            {"body": owner, "eta": mounted.name, "largest": [float(v) for v in largest], "pairs": pairs.tolist()}
        )
    return {"parts": parts, "owners": owners}


def second_shapes(mounted: MountedAppendage, rows: IntArray) -> tuple[FloatArray, FloatArray]:
    """The second-degree displacement of nodes in few shapes (n, 3, r), and their coordinates (r, p).

    The coordinates are over the products of modal coordinates, packed pairs: u = phi eta + shapes @ pairs @ products.
    """
    nodes, k = mounted.record.nodes, mounted.record.count
    p = k * (k + 1) // 2
    psi = np.zeros((len(rows), 3, p))
    for values in (nodes.second, nodes.foreshortening if mounted.geometric_stiffness else None):
        if values is not None:
            psi += values[rows, :3]
    if not psi.any():
        return np.zeros((len(rows), 3, 0)), np.zeros((0, p))
    reach = np.maximum(np.abs(nodes.translation).max(axis=(0, 1), initial=0.0), 1e-300)
    i, j = np.triu_indices(k)
    scale = reach[i] * reach[j]
    left, sizes, right = np.linalg.svd(psi.reshape(-1, p) / scale, full_matrices=False)
    kept = sizes > SMALLEST_CURVE * sizes[0]
    shapes = (left[:, kept] * sizes[kept]).reshape(len(rows), 3, -1)
    return shapes, right[kept] * scale * np.where(i == j, 0.5, 1.0)


def box_of(body: Body) -> FloatArray | None:
    """Corners (8, 3) of the uniform box with the body's mass, center and inertia; None for massless bodies."""
    if body.mass <= 0.0:
        return None
    moments, axes = np.linalg.eigh(body.inertia)
    squares = 6.0 * (moments.sum() - 2.0 * moments) / body.mass
    half = 0.5 * np.sqrt(np.maximum(squares, 1e-6))
    signs = np.array([[(c & 1), (c >> 1) & 1, (c >> 2) & 1] for c in range(8)]) * 2.0 - 1.0
    return np.asarray(body.center + (signs * half) @ axes.T)


def replay_data(trajectory: Trajectory, scene: Mapping[str, Any]) -> dict[str, Any]:
    """Data of the replay viewer: parts, times, and per part attitude, position and modal coordinates per frame."""
    count = len(trajectory.times)
    rows = np.unique(np.linspace(0, count - 1, min(count, MOST_FRAMES)).round().astype(int))
    motion, largest = [], 0.0
    for owner in scene["owners"]:
        k = trajectory.body(owner["body"])
        eta = np.zeros((len(rows), 0))
        if owner["eta"] is not None:
            eta = trajectory.modal[owner["eta"]][rows]
            reach = np.abs(eta) @ np.asarray(owner["largest"], float) if eta.shape[1] else np.zeros(1)
            largest = max(largest, float(reach.max(initial=0.0)))
            if owner.get("pairs"):
                i, j = np.triu_indices(eta.shape[1])
                eta = np.concatenate([eta, (eta[:, i] * eta[:, j]) @ np.asarray(owner["pairs"], float).T], axis=1)
        motion.append({
            "attitude": packed(quaternions(trajectory.rotation[rows, k]), "f4"),
            "position": packed(trajectory.origin[rows, k], "f4"),
            "eta": packed(eta, "f4"),
            "modes": int(eta.shape[1]),
        })  # fmt: skip
    return {"parts": scene["parts"], "times": trajectory.times[rows].tolist(), "motion": motion, "largest": largest}


def quaternions(rotation: FloatArray) -> FloatArray:
    """Scalar-first quaternions (n, 4) of rotation matrices (n, 3, 3)."""
    from scipy.spatial.transform import Rotation

    return np.asarray(np.roll(Rotation.from_matrix(rotation).as_quat(), 1, axis=1))
