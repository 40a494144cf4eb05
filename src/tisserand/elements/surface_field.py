"""Isoparametric displacement fields of surfaces with three, four, six or eight nodes, each moving in three directions.

Serves membranes and shear panels. Nodes: corners, then midside nodes of sides 1-2, 2-3, ...

Shape functions: [Zienkiewicz2000].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.elements._lines import refuse
from tisserand.elements.element_data import DIRECTIONS
from tisserand.elements.quadrature import quad_rule, triangle_rule

_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
_MIDDLES = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])


def shape_functions(count: int, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Values (g, k) and reference gradients (g, 2, k) of ``count`` = k nodes at points (g, 2)."""
    r, s = np.asarray(points, float).T
    return _triangle(count, r, s) if count in (3, 6) else _quadrilateral(count, r, s)


def _triangle(count: int, r: FloatArray, s: FloatArray) -> tuple[FloatArray, FloatArray]:
    one, nil = np.ones_like(r), np.zeros_like(r)
    area = np.stack([1.0 - r - s, r, s], axis=1)
    slope = np.stack([np.stack([-one, one, nil], axis=1), np.stack([-one, nil, one], axis=1)], axis=1)
    if count == 3:
        return area, slope
    next_ = [1, 2, 0]
    values = np.hstack([area * (2.0 * area - 1.0), 4.0 * area * area[:, next_]])
    own = slope * (4.0 * area - 1.0)[:, None]
    between = 4.0 * (slope * area[:, None, next_] + area[:, None] * slope[:, :, next_])
    return values, np.concatenate([own, between], axis=2)


def _quadrilateral(count: int, r: FloatArray, s: FloatArray) -> tuple[FloatArray, FloatArray]:
    (a, b), (x, y) = _CORNERS.T, (r[:, None], s[:, None])
    u, v = 1.0 + x * a, 1.0 + y * b
    corner, corner_r, corner_s = 0.25 * u * v, 0.25 * a * v, 0.25 * u * b
    if count == 4:
        return corner, np.stack([corner_r, corner_s], axis=1)
    w = x * a + y * b - 1.0
    corner, corner_r, corner_s = corner * w, corner_r * w + corner * a, corner_s * w + corner * b
    (a, b), (u, v) = _MIDDLES.T, (1.0 + x * _MIDDLES[:, 0], 1.0 + y * _MIDDLES[:, 1])
    along_r = a == 0.0  # midside nodes of the sides 1-2 and 3-4
    middle = np.where(along_r, 0.5 * (1.0 - x**2) * v, 0.5 * (1.0 - y**2) * u)
    middle_r = np.where(along_r, -x * v, 0.5 * (1.0 - y**2) * a)
    middle_s = np.where(along_r, 0.5 * (1.0 - x**2) * b, -y * u)
    gradient = np.stack([np.hstack([corner_r, middle_r]), np.hstack([corner_s, middle_s])], axis=1)
    return np.hstack([corner, middle]), gradient


@cache
def rule_of(count: int) -> tuple[FloatArray, FloatArray]:
    """Points and weights that integrate stiffness and mass of k nodes exactly on parallelograms and straight triangles."""
    return {3: triangle_rule(3), 4: quad_rule(2), 6: triangle_rule(4), 8: quad_rule(3)}[count]


@dataclass(frozen=True, eq=False)
class SurfaceField:
    """m surfaces of k nodes at g points: values (g, k), slopes (m, g, 2, k) 1/m along axes (m, g, 2, 3), areas (m, g) m²."""

    values: FloatArray
    slopes: FloatArray
    axes: FloatArray
    areas: FloatArray

    def strain(self) -> FloatArray:
        """(m, g, 3, 3 k): strains 11, 22, 12 (engineering shear) of the nodes' translations, node-major."""
        m, g, _, k = self.slopes.shape
        own = np.einsum("mgak,mgbi->mgabki", self.slopes, self.axes)  # derivative along a of the motion along b
        out = np.stack([own[:, :, 0, 0], own[:, :, 1, 1], own[:, :, 0, 1] + own[:, :, 1, 0]], axis=2)
        return np.asarray(out.reshape(m, g, 3, 3 * k))

    def stressed(self, force: FloatArray) -> FloatArray:
        """(m, 3 k, 3 k) N/m: int n_ab dN/da dN/db dA in all three directions, forces per width (m, g, 3) 11, 22, 12 N/m."""
        tensor = force[..., [[0, 2], [2, 1]]]
        scalar = np.einsum("mg,mgap,mgab,mgbq->mpq", self.areas, self.slopes, tensor, self.slopes, optimize=True)
        return in_three(scalar)

    def scalar_mass(self, per_area: FloatArray) -> FloatArray:
        """(m, k, k) kg: int N_p N_q dm for masses per area (m,) kg/m²."""
        return np.asarray(np.einsum("m,mg,gp,gq->mpq", per_area, self.areas, self.values, self.values, optimize=True))


def surface_field(kind: str, ids: IntArray, nodes: FloatArray, direction: FloatArray) -> SurfaceField:
    """Field of surfaces with nodes (m, k, 3) m; axis 1 is ``direction`` (m, 3) projected on the surface."""
    values, gradient = shape_functions(nodes.shape[1], rule_of(nodes.shape[1])[0])
    tangents = np.einsum("gak,mki->mgai", gradient, nodes)
    normal = np.cross(tangents[:, :, 0], tangents[:, :, 1])
    size = np.linalg.norm(normal, axis=2)
    longest = np.linalg.norm(np.ptp(nodes, axis=1), axis=1)
    flat = ~(size > 1e-12 * longest[:, None] ** 2).all(axis=1)
    if flat.any():
        refuse(kind, ids, flat, "the element encloses no area or is folded", advice="check its nodes and their order")
    normal = normal / size[..., None]
    first = direction[:, None] - np.einsum("mgi,mi->mg", normal, direction)[..., None] * normal
    length = np.linalg.norm(first, axis=2)
    askew = ~(length > 1e-6 * np.linalg.norm(direction, axis=1)[:, None]).all(axis=1)
    if askew.any():
        refuse(kind, ids, askew, "the material axis is zero or normal to the surface")
    first = first / length[..., None]
    axes = np.stack([first, np.cross(normal, first)], axis=2)
    jacobian = np.einsum("mgai,mgbi->mgab", tangents, axes)  # d x_b / d r_a
    slopes = np.linalg.solve(jacobian, np.broadcast_to(gradient, (len(nodes), *gradient.shape)))
    return SurfaceField(values, slopes, axes, size * rule_of(nodes.shape[1])[1])


def in_three(scalar: FloatArray) -> FloatArray:
    """(m, 3 k, 3 k) the same scalar matrix (m, k, k) in every direction, node-major."""
    m, k, _ = scalar.shape
    return np.asarray(np.einsum("mpq,ij->mpiqj", scalar, np.eye(3)).reshape(m, 3 * k, 3 * k))


def by_recipe(scalar: FloatArray, recipe: str) -> FloatArray:
    """Scalar masses (m, k, k) as the recipe has them.

    ``consistent`` keeps the field; the others put the mass on the nodes: row sums, with midside nodes the scaled diagonal.
    """
    if recipe == "consistent":
        return scalar
    share = scalar.sum(axis=2)
    if scalar.shape[1] > 4:
        diagonal = np.einsum("mkk->mk", scalar)
        share = diagonal * (scalar.sum(axis=(1, 2)) / np.maximum(diagonal.sum(axis=1), 1e-300))[:, None]
    return np.asarray(share[:, :, None] * np.eye(scalar.shape[1]))


def directional(scalar: FloatArray) -> FloatArray:
    """(m, 6, 3 k, 3 k) directional masses in the order of DIRECTIONS of a scalar mass (m, k, k)."""
    m, k, _ = scalar.shape
    out = np.zeros((m, 6, k, 3, k, 3))
    for place, (a, b) in enumerate(DIRECTIONS):
        out[:, place, :, a, :, b] = scalar
    return out.reshape(m, 6, 3 * k, 3 * k)
