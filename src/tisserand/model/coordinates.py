"""Local coordinate systems: rectangular, cylindrical, spherical."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tisserand.arrays import FloatArray, frozen
from tisserand.errors import ModelError

CoordinateKind = Literal["rectangular", "cylindrical", "spherical"]


@dataclass(frozen=True, eq=False)
class CoordinateSystem:
    """A right-handed local system. ``axes`` rows are its unit vectors in basic axes; ``origin`` in m.

    Angles are degrees for coordinates (as in Nastran), radians nowhere.
    """

    id: int
    kind: CoordinateKind
    origin: FloatArray
    axes: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "origin", frozen(self.origin, shape=(3,)))
        object.__setattr__(self, "axes", frozen(self.axes, shape=(3, 3)))
        if not np.allclose(self.axes @ self.axes.T, np.eye(3), atol=1e-9) or np.linalg.det(self.axes) < 0.0:
            raise ModelError("axes of a coordinate system are not a right-handed unit triad", ids=(self.id,))

    def to_basic(self, coordinates: FloatArray) -> FloatArray:
        """Points given in this system, shape (n, 3), as basic positions in m."""
        q = np.asarray(coordinates, dtype=float).reshape(-1, 3)
        if self.kind == "cylindrical":
            angle = np.radians(q[:, 1])
            q = np.column_stack([q[:, 0] * np.cos(angle), q[:, 0] * np.sin(angle), q[:, 2]])
        elif self.kind == "spherical":
            theta, phi = np.radians(q[:, 1]), np.radians(q[:, 2])
            q = q[:, :1] * np.column_stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)])
        return np.asarray(self.origin + q @ self.axes)

    def axes_at(self, positions: FloatArray) -> FloatArray:
        """Local unit vectors as rows at basic positions, shape (n, 3, 3). On the polar axis r points along x."""
        p = np.asarray(positions, dtype=float).reshape(-1, 3)
        out = np.broadcast_to(self.axes, (len(p), 3, 3)).copy()
        if self.kind == "rectangular":
            return out
        local = (p - self.origin) @ self.axes.T
        radius = np.hypot(local[:, 0], local[:, 1])
        scale = np.abs(local).max(initial=1.0) * 1e-12
        safe = np.where(radius > scale, radius, 1.0)
        cos, sin = (
            np.where(radius > scale, local[:, 0] / safe, 1.0),
            np.where(radius > scale, local[:, 1] / safe, 0.0),
        )
        zero, one = np.zeros_like(cos), np.ones_like(cos)
        if self.kind == "cylindrical":
            turn = np.stack([cos, sin, zero, -sin, cos, zero, zero, zero, one], axis=1).reshape(-1, 3, 3)
        else:
            distance = np.hypot(radius, local[:, 2])
            safe = np.where(distance > scale, distance, 1.0)
            ct, st = (
                np.where(distance > scale, local[:, 2] / safe, 1.0),
                np.where(distance > scale, radius / safe, 0.0),
            )
            turn = np.stack([st * cos, st * sin, ct, ct * cos, ct * sin, -st, -sin, cos, zero], axis=1).reshape(
                -1, 3, 3
            )
        return np.asarray(turn @ out)
