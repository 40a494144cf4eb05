"""Shape of elements as one number between 0 (flat) and 1 (ideal)."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.model import ElementBlock, ShellBlock, ShellSection, StructuralModel

#: Ratio of the middle lines and angle between them, degrees, beyond which four-node shells lose the fourth order of plane waves
#: by more than a percent at eight elements a wave.
LONG, SKEW = 3.0, 55.0
#: Angle, degrees, below which four-node shells that bend as in Nastran have a larger error than squares.
SKEW_NASTRAN = 40.0
#: For each corner of a cell its three neighbors (VTK order), right-handed; and the value of the ideal shape.
_CORNERS: dict[str, tuple[list[tuple[int, int, int, int]], float]] = {
    "tet": ([(0, 1, 2, 3), (1, 2, 0, 3), (2, 0, 1, 3), (3, 0, 2, 1)], np.sqrt(0.5)),
    "hex": (
        [(0, 1, 3, 4), (1, 2, 0, 5), (2, 3, 1, 6), (3, 0, 2, 7), (4, 7, 5, 0), (5, 4, 6, 1), (6, 5, 7, 2), (7, 6, 4, 3)],
        1.0,
    ),
    "wedge": ([(0, 1, 2, 3), (1, 2, 0, 4), (2, 0, 1, 5), (3, 5, 4, 0), (4, 3, 5, 1), (5, 4, 3, 2)], np.sqrt(0.75)),
    "pyramid": ([(0, 1, 3, 4), (1, 2, 0, 4), (2, 3, 1, 4), (3, 0, 2, 4)], np.sqrt(0.5)),
}  # fmt: skip


def shape_quality(model: StructuralModel, block: ElementBlock) -> FloatArray | None:
    """(m,) smallest corner value of each element, 1 for the ideal shape, at or below 0 for a folded one.

    Solids: triple product of the unit edges at a corner over that of the ideal shape. Shells: the sine of
    each corner (over sin 60 for triangles) times the ratio of shortest to longest side, and the flatness of a
    quadrilateral; curved sides count by their tangents at the corners. Line elements and bodies have no shape: None.
    """
    x = block.corners(model.nodes.positions)
    if block.facts.shape == "volume":
        name = next(kind for kind in _CORNERS if str(getattr(block, "kind", "")).startswith(kind))
        return _solid(x, *_CORNERS[name])
    return _shell(x, block.corner_nodes.shape[1]) if block.facts.shape == "surface" else None


def _unit(vectors: FloatArray) -> FloatArray:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-300))


def _solid(points: FloatArray, corners: list[tuple[int, int, int, int]], ideal: float) -> FloatArray:
    worst = np.full(len(points), np.inf)
    for at, a, b, c in corners:
        edges = _unit(points[:, [a, b, c]] - points[:, at, None])
        worst = np.minimum(worst, np.linalg.det(edges) / ideal)
    return np.asarray(np.minimum(worst, 1.0))


def _shell(points: FloatArray, count: int) -> FloatArray:
    corners = points[:, :count]
    after, before = np.roll(corners, -1, axis=1) - corners, np.roll(corners, 1, axis=1) - corners
    if points.shape[1] > count:  # the tangent of a parabola through corner, middle and corner
        middle = points[:, count : 2 * count]
        after = 4.0 * (middle - corners) - after
        before = 4.0 * (np.roll(middle, 1, axis=1) - corners) - before
    turns = np.cross(_unit(after), _unit(before))
    normal = _unit(turns.sum(axis=1))
    sines = np.einsum("mci,mi->mc", turns, normal)
    length = np.linalg.norm(after, axis=2)
    ratio = length.min(axis=1) / np.maximum(length.max(axis=1), 1e-300)
    ideal = np.sqrt(0.75) if count == 3 else 1.0
    return np.asarray(np.minimum(sines.min(axis=1) / ideal, 1.0) * np.minimum(1.0, 4.0 * ratio))


def long_and_skew(model: StructuralModel, block: ElementBlock) -> FloatArray:
    """(m,) bool: our own four-node shells of middle lines more than 3 to 1 that meet below 55 degrees (docs/checks.md)."""
    ratio, angle = _middle_lines(model, block)
    own = not isinstance(block, ShellBlock) or block.bending != "nastran"
    return np.asarray((ratio > LONG) & (angle < SKEW) & own)


def skew_as_in_nastran(model: StructuralModel, block: ElementBlock) -> FloatArray:
    """(m,) degrees at which middle lines of four-node shells that bend as in Nastran meet; 90 for all other elements."""
    if not isinstance(block, ShellBlock) or block.bending != "nastran":
        return np.full(len(block.ids), 90.0)
    bends = np.array([isinstance(x, ShellSection) and bool(x.bending.any()) for x in model.sections])[block.section]
    return np.where(bends, _middle_lines(model, block)[1], 90.0)


def _middle_lines(model: StructuralModel, block: ElementBlock) -> tuple[FloatArray, FloatArray]:
    """(m,), (m,): ratio of the lengths of the middle lines of four-node shells, and degrees at which they meet."""
    x = block.corners(model.nodes.positions)
    if block.facts.shape != "surface" or x.shape[1:] != (4, 3):
        return np.ones(len(x)), np.full(len(x), 90.0)
    lines = np.stack([x[:, 1] + x[:, 2] - x[:, 0] - x[:, 3], x[:, 2] + x[:, 3] - x[:, 0] - x[:, 1]], axis=1)
    length = np.linalg.norm(lines, axis=2)
    cosine = np.abs(np.einsum("mi,mi->m", *_unit(lines).transpose(1, 0, 2)))
    ratio = length.max(axis=1) / np.maximum(length.min(axis=1), 1e-300)
    return ratio, np.degrees(np.arccos(np.minimum(cosine, 1.0)))
