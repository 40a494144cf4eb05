"""The drawn parts of a run as arrays: where every point is at every frame. Films and glTF scenes are made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import InputError
from tisserand.multibody.trajectory import Trajectory
from tisserand.views.report.packing import unpacked
from tisserand.views.report.replay import replay_data


@dataclass(frozen=True, eq=False, kw_only=True)
class MovingPart:
    """One part: points (n, 3) m, triangles (t, 3), lines (l, 2), shapes (k, n, 3).

    Per frame: turn (f, 3, 3), place (f, 3) m, eta (f, k).

    level: largest displacement along the run, m, 0 for rigid parts.
    """

    name: str
    points: FloatArray
    triangles: IntArray
    lines: IntArray
    shapes: FloatArray
    turn: FloatArray
    place: FloatArray
    eta: FloatArray
    level: float

    def bent(self, frame: int, deflection: float = 1.0) -> FloatArray:
        """Displacement (n, 3) in part axes, m, times ``deflection``."""
        return np.asarray(deflection * np.tensordot(self.eta[frame], self.shapes, 1))

    def at(self, frame: int, deflection: float = 1.0) -> FloatArray:
        """Points (n, 3) in inertial axes, m."""
        return np.asarray((self.points + self.bent(frame, deflection)) @ self.turn[frame].T + self.place[frame])


@dataclass(frozen=True, eq=False)
class MovingScene:
    """All parts, the times (f,) s of the frames and the base's path (f, 3) m."""

    name: str
    times: FloatArray
    parts: tuple[MovingPart, ...]
    path: FloatArray

    @property
    def reach(self) -> float:
        """Largest distance of any point from the base over the run, m."""
        frames = np.unique(np.linspace(0, len(self.times) - 1, 25).round().astype(int))
        far = [np.linalg.norm(part.at(f) - self.path[f], axis=1).max() for part in self.parts for f in frames]
        return float(max(far, default=1.0)) or 1.0


def moving_scene(run: Trajectory, scene: Mapping[str, Any] | None = None, frames: int = 500) -> MovingScene:
    """The scene kept with a run (or a given one) at ``frames`` times, evenly spread."""
    kept = scene if scene is not None else run.settings.get("scene")
    if not kept or not kept["parts"]:
        raise InputError(
            "the run keeps no scene to draw",
            where=f"run of {run.vehicle_name}",
            advice="give its vehicle (run.animate(..., vehicle=vehicle)) or run its vehicle file with tisserand simulate",
        )
    even = np.linspace(run.times[0], run.times[-1], frames)
    rows = np.unique(np.clip(np.searchsorted(run.times, even - 1e-12), 0, len(run) - 1))
    data = replay_data(run.sampled(rows), kept)
    parts = tuple(_part(part, motion) for part, motion in zip(data["parts"], data["motion"]))
    path = unpacked(data["bodies"][0]["position"], "f4").reshape(-1, 3)
    return MovingScene(run.vehicle_name, np.asarray(data["times"], float), parts, path)


def _part(part: Mapping[str, Any], motion: Mapping[str, Any]) -> MovingPart:
    from scipy.spatial.transform import Rotation

    points = unpacked(part["points"], "f4").reshape(-1, 3)
    shapes = [one["scale"] * unpacked(one["values"], "i2").reshape(-1, 3) for one in part["shapes"]]
    attitude = unpacked(motion["attitude"], "f4").reshape(-1, 4)
    return MovingPart(
        name=part["name"],
        points=points,
        triangles=unpacked(part["triangles"], "u4").reshape(-1, 3),
        lines=unpacked(part["lines"], "u4").reshape(-1, 2),
        shapes=np.array(shapes).reshape(len(shapes), len(points), 3),
        turn=Rotation.from_quat(attitude, scalar_first=True).as_matrix(),
        place=unpacked(motion["position"], "f4").reshape(-1, 3),
        eta=unpacked(motion["eta"], "f4").reshape(len(attitude), -1),
        level=float(motion["level"]),
    )
