"""Outlines of beam sections for drawing: one closed polygon of 16 points, m, about the centroid, in section axes (y, z)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.model import BeamSection, RodSection

#: Points of every outline; polygons with fewer corners repeat their last one.
OUTLINE_POINTS = 16


def outline_of(section: BeamSection | RodSection) -> FloatArray:
    """(16, 2): the named shape where the section states one, else the rectangle (rod: circle) of the same moments."""
    if section.outline is not None:
        shape, dimensions = section.outline
        corners = _named(shape, dimensions)
        if corners is not None:
            return corners
    end = cast(BeamSection, section).end_a
    if end.area <= 0.0:
        return np.zeros((OUTLINE_POINTS, 2))
    height, width = np.sqrt(12.0 * np.maximum([end.i_zz, end.i_yy], 0.0) / end.area)
    return _rectangle(float(height), float(width))


def _named(shape: str, d: Sequence[float]) -> FloatArray | None:
    if shape in ("ROD", "TUBE", "TUBE2"):
        return _round(d[0])
    if shape in ("BAR", "BOX", "BOX1"):
        return _rectangle(d[1], d[0])
    if shape == "I":
        return _i_beam(*d)
    if shape == "I1":
        wide, thick = d[0] + d[1], 0.5 * (d[3] - d[2])
        return _i_beam(d[3], wide, wide, d[1], thick, thick)
    if shape == "T":
        width, height, flange, web = d
        right = [(0.0, web / 2), (height - flange, web / 2), (height - flange, width / 2), (height, width / 2)]
        return _polygon(_mirrored(right))
    if shape == "L":
        width, height, flange, web = d
        return _polygon([(0.0, 0.0), (0.0, width), (flange, width), (flange, web), (height, web), (height, 0.0)])
    if shape == "CHAN":
        width, height, web, flange = d
        lower = [(0.0, 0.0), (0.0, width), (flange, width), (flange, web)]
        upper = [(height - y, z) for y, z in reversed(lower)]
        return _polygon([*lower, *upper])
    return None


def _i_beam(height: float, bottom: float, top: float, web: float, low: float, high: float) -> FloatArray:
    right = [(0.0, bottom / 2), (low, bottom / 2), (low, web / 2)]
    right += [(height - high, web / 2), (height - high, top / 2), (height, top / 2)]
    return _polygon(_mirrored(right))


def _mirrored(right: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """A closed outline from its right half, bottom to top."""
    return [*right, *((y, -z) for y, z in reversed(right))]


def _round(radius: float) -> FloatArray:
    angle = 2.0 * np.pi * np.arange(OUTLINE_POINTS) / OUTLINE_POINTS
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def _rectangle(height: float, width: float) -> FloatArray:
    y, z = height / 2, width / 2
    return _polygon([(-y, -z), (-y, z), (y, z), (y, -z)])


def _polygon(corners: Sequence[tuple[float, float]]) -> FloatArray:
    """Corners about their centroid, padded to OUTLINE_POINTS."""
    p = np.array(corners, dtype=float)
    q = np.roll(p, -1, axis=0)
    cross = p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]
    area = float(cross.sum())
    if area != 0.0:
        p = p - ((p + q) * cross[:, None]).sum(axis=0) / (3.0 * area)
    return np.vstack([p, np.repeat(p[-1:], OUTLINE_POINTS - len(p), axis=0)])
