"""Interpolation tables of the three- and four-node shells.

Corners N_i (linear), sides k from corner a_k to b_k with s in [0, 1] along the side:
bubble P_k = 4 s (1 - s) carries the quadratic rotation along the side, cubic Q_k = s (1 - s)(1 - 2 s) the
antisymmetric deflection; both fade linearly to zero on the other sides.

Reference: [Katili1993].
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import cache

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.quadrature import quad_rule, triangle_rule

CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@dataclass(frozen=True, eq=False)
class SurfaceTable:
    """Values at g points: weights (g,), corner, bubble, cubic (g, k); gradients (g, 2, k) in reference coordinates."""

    points: FloatArray
    weights: FloatArray
    _: KW_ONLY
    corner: FloatArray
    corner_gradient: FloatArray
    bubble: FloatArray
    bubble_gradient: FloatArray
    cubic: FloatArray
    cubic_gradient: FloatArray


def sides(corners: int) -> tuple[tuple[int, int], ...]:
    """Corner pairs of the sides, in order around the element."""
    return tuple((k, (k + 1) % corners) for k in range(corners))


@cache
def table(corners: int, points_per_line: int) -> SurfaceTable:
    """Table at the Gauss points: n x n for quads; triangle_rule(n) for triangles."""
    rule = quad_rule(points_per_line) if corners == 4 else triangle_rule(points_per_line)
    return table_at(corners, *rule)


def table_at(corners: int, points: FloatArray, weights: FloatArray) -> SurfaceTable:
    """Table at given reference points."""
    build = _quad if corners == 4 else _triangle
    return SurfaceTable(points, weights, **build(points))


@cache
def center(corners: int) -> SurfaceTable:
    """Table at the element center; the weight is the reference area."""
    rule = quad_rule(1) if corners == 4 else triangle_rule(1)
    return table_at(corners, *rule)


@cache
def corners(count: int) -> SurfaceTable:
    """Table at the corners, with equal weights."""
    points = CORNERS if count == 4 else np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    return table_at(count, points, np.full(count, center(count).weights.sum() / count))


def _quad(points: FloatArray) -> dict[str, FloatArray]:
    x, y = points.T
    one, nil = np.ones_like(x), np.zeros_like(x)
    cx, cy = CORNERS.T
    corner = 0.25 * (1.0 + np.outer(x, cx)) * (1.0 + np.outer(y, cy))
    corner_g = 0.25 * np.stack([cx * (1.0 + np.outer(y, cy)), cy * (1.0 + np.outer(x, cx))], axis=1)
    # Side k: coordinate t along it (from corner a to b) and distance factor f that is 1 on the side, 0 on the
    # opposite.
    along = np.stack([x, y, -x, -y], axis=1)
    along_g = np.stack(
        [np.stack([one, nil]), np.stack([nil, one]), np.stack([-one, nil]), np.stack([nil, -one])], axis=-1
    )
    fade = 0.5 * np.stack([1.0 - y, 1.0 + x, 1.0 + y, 1.0 - x], axis=1)
    fade_g = 0.5 * np.stack(
        [np.stack([nil, -one]), np.stack([one, nil]), np.stack([nil, one]), np.stack([-one, nil])], axis=-1
    )
    along_g, fade_g = along_g.transpose(1, 0, 2), fade_g.transpose(1, 0, 2)
    bump, bump_t = 1.0 - along**2, -2.0 * along
    wave, wave_t = -0.25 * along * (1.0 - along**2), -0.25 * (1.0 - 3.0 * along**2)
    bubble = bump * fade
    bubble_g = (bump_t * fade)[:, None] * along_g + bump[:, None] * fade_g
    cubic = wave * fade
    cubic_g = (wave_t * fade)[:, None] * along_g + wave[:, None] * fade_g
    return {
        "corner": corner,
        "corner_gradient": corner_g,
        "bubble": bubble,
        "bubble_gradient": bubble_g,
        "cubic": cubic,
        "cubic_gradient": cubic_g,
    }


def _triangle(points: FloatArray) -> dict[str, FloatArray]:
    x, y = points.T
    corner = np.stack([1.0 - x - y, x, y], axis=1)
    slope = np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
    corner_g = np.broadcast_to(slope, (len(x), 2, 3)).copy()
    a, b = np.array(sides(3)).T
    la, lb = corner[:, a], corner[:, b]
    ga, gb = slope[:, a], slope[:, b]
    bubble = 4.0 * la * lb
    bubble_g = 4.0 * (la[:, None] * gb + lb[:, None] * ga)
    cubic = la * lb * (la - lb)
    cubic_g = (la * (la - lb))[:, None] * gb + (lb * (la - lb))[:, None] * ga + (la * lb)[:, None] * (ga - gb)
    return {
        "corner": corner,
        "corner_gradient": corner_g,
        "bubble": bubble,
        "bubble_gradient": bubble_g,
        "cubic": cubic,
        "cubic_gradient": cubic_g,
    }
