"""The moving vehicle for the browser: what is drawn (from the vehicle) and how it moves (from the trajectory)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.multibody.controllers import Controller
from tisserand.multibody.loads import Load
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.vehicle import Body, MountedAppendage, Vehicle
from tisserand.views.report.load_arrows import joint_places, load_places
from tisserand.views.report.packing import packed, unpacked
from tisserand.views.report.scene import packed_part, thinned

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


def scene_of(vehicle: Vehicle, loads: Sequence[Load] = (), controllers: Sequence[Controller] = ()) -> dict[str, Any]:
    """Parts of a vehicle, JSON-able, to be kept with a run: rigid bodies as boxes of the same inertia, appendages as meshes.

    Loads and controllers give the places of arrows.
    """
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
    return {
        "parts": parts,
        "owners": owners,
        "loads": load_places(vehicle, loads, controllers),
        "joints": joint_places(vehicle),
    }


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
    bent = appendages_of(scene)
    motion, highest = [], 0.0
    for owner, part in zip(scene["owners"], scene["parts"], strict=True):
        k = trajectory.body(owner["body"])
        eta, level = np.zeros((len(rows), 0)), 0.0
        if owner["eta"] is not None:
            eta = trajectory.modal[owner["eta"]][rows]
            reach = np.abs(eta) @ np.asarray(owner["largest"], float) if eta.shape[1] else np.zeros(1)
            level = float(reach.max(initial=0.0))
            if owner.get("pairs"):
                i, j = np.triu_indices(eta.shape[1])
                eta = np.concatenate([eta, (eta[:, i] * eta[:, j]) @ np.asarray(owner["pairs"], float).T], axis=1)
            highest = max(highest, largest_deflection(part, eta))
        motion.append({
            **_pose(trajectory, rows, k),
            "eta": packed(eta, "f4"),
            "modes": int(eta.shape[1]),
            "appendage": bent.index(owner["eta"]) if owner["eta"] in bent else None,
            "level": level,
        })  # fmt: skip
    return {
        "parts": scene["parts"],
        "times": trajectory.times[rows].tolist(),
        "motion": motion,
        "highest": highest,
        "bodies": [{"name": name, **_pose(trajectory, rows, k)} for k, name in enumerate(trajectory.bodies)],
        "loads": _load_arrows(trajectory, rows, scene.get("loads", [])),
        "joints": _joint_arrows(trajectory, rows, scene.get("joints", [])),
        "events": [{"name": event.name, "time": event.time} for event in trajectory.events],
    }


def largest_deflection(part: Mapping[str, Any], eta: FloatArray) -> float:
    """Largest displacement (m) of any drawn point of a packed part over coordinates (n, k)."""
    if not part["shapes"] or not eta.size:
        return 0.0
    shapes = np.array([shape["scale"] * unpacked(shape["values"], "i2") for shape in part["shapes"]])  # (k, 3 points)
    squares = (
        ((eta[start : start + 64] @ shapes).reshape(-1, shapes.shape[1] // 3, 3) ** 2).sum(axis=2).max(initial=0.0)
        for start in range(0, len(eta), 64)
    )
    return float(np.sqrt(max(squares)))


def appendages_of(scene: Mapping[str, Any]) -> list[str]:
    """Names of the flexible parts of a scene, each of which has a factor of its deflection."""
    return [owner["eta"] for owner in scene["owners"] if owner["eta"] is not None]


def _pose(trajectory: Trajectory, rows: IntArray, k: int) -> dict[str, str]:
    """Attitude and origin of body ``k`` per frame."""
    return {
        "attitude": packed(quaternions(trajectory.rotation[rows, k]), "f4"),
        "position": packed(trajectory.origin[rows, k], "f4"),
    }


def _arrow(place: Mapping[str, Any], body: int, values: FloatArray, torque: bool) -> dict[str, Any]:
    """An arrow with its vector (n, 3) in inertial axes, N or N m."""
    return {
        "name": place["name"],
        "body": body,
        "point": place["point"],
        "torque": torque,
        "largest": float(np.linalg.norm(values, axis=1).max(initial=0.0)),
        "values": packed(values, "f4"),
    }


def _load_arrows(run: Trajectory, rows: IntArray, places: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    made = []
    for place in places:
        if place["name"] in run.load_strength and place["body"] in run.bodies:
            k = run.body(place["body"])
            along = np.broadcast_to(np.asarray(place["direction"], float), (len(rows), 3))
            if not place["inertial"]:
                along = np.einsum("nij,nj->ni", run.rotation[rows, k], along)
            values = run.load_strength[place["name"]][rows, None] * along
            made.append(_arrow(place, k, values, place["torque"]))
    return [arrow for arrow in made if arrow["largest"] > 0.0]


def _joint_arrows(run: Trajectory, rows: IntArray, places: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    made = []
    for place in places:
        for histories, word in ((run.joint_force, "force"), (run.joint_torque_vector, "torque")):
            if place["name"] in histories and place["body"] in run.bodies:
                named = {**place, "name": f"{place['name']} {word}"}
                made.append(_arrow(named, run.body(place["body"]), histories[place["name"]][rows], word == "torque"))
    return [arrow for arrow in made if arrow["largest"] > 0.0]


def quaternions(rotation: FloatArray) -> FloatArray:
    """Scalar-first quaternions (n, 4) of rotation matrices (n, 3, 3)."""
    from scipy.spatial.transform import Rotation

    return np.asarray(np.roll(Rotation.from_matrix(rotation).as_quat(), 1, axis=1))
