"""Curvatures and transverse shear of the shells over local dofs.

Discrete Kirchhoff-Mindlin (Katili 1993: DKMQ, DKMT). Along side k of length L, beta_s is quadratic, beta_s =
(1 - s) beta_a + s beta_b + 4 s (1 - s) dbeta_k, and the shear that follows from moment equilibrium of the
side is gamma_k = -(2/3) phi_k dbeta_k, phi_k = 12 D_ss F_ss / L², which gives ``dbeta_k = -3 / (2 L (1 +
phi_k)) [w_b - w_a + L/2 (beta_sa + beta_sb)]``. Thin plates have phi = 0 and no shear energy, so nothing can
lock; a side is the exact Timoshenko beam. Rotations: beta_x = theta_y, beta_y = -theta_x.

Triangles and quads keep the mean curvature of DKMT and DKMQ, which alone decides patch tests. Of quads the part that
varies over the element is taken apart into its natural components: the third derivatives of the deflection, a = (xxx,
xxy, xyy, yyy) in reference coordinates, and the parts that vary as x y. ``shell_waves`` gives the first the energy that
makes plane waves right to the fourth order of the mesh size; the last stay as they are. Bubbles act along the dual of
the other direction there, so that a skew element is the affine image of a square one. Triangles raise what varies by a
factor.

References: [Katili1993]; the varying curvature is derived in ``shell_waves``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.shell_geometry import (
    ShellGeometry,
    ShellStiffness,
    inverse_2x2,
    jacobian_at,
    physical_gradient,
    turned_gradient,
)
from tisserand.elements.shell_shapes import SurfaceTable, center, sides, table


def normal_bows(geometry: ShellGeometry, section: ShellStiffness) -> FloatArray:
    """(m, k, 6k): dbeta_k of the rotations of the normals; zero for Nastran's elements, whose rotations are linear."""
    if section.form == "nastran":
        return np.zeros((len(geometry.area), geometry.corners, 6 * geometry.corners))
    return side_rotations(geometry, section.shear_ratio)


def side_rotations(geometry: ShellGeometry, ratio: FloatArray) -> FloatArray:
    """(m, k, 6k): dbeta_k of Timoshenko's beam over local dofs."""
    k, length = geometry.corners, geometry.side_length
    out = np.zeros((len(length), k, 6 * k))
    for side, (a, b) in enumerate(sides(k)):
        factor = -1.5 / (1.0 + ratio[:, side])
        tangent = geometry.side_direction[:, side]
        out[:, side, 6 * b + 2] += factor / length[:, side]
        out[:, side, 6 * a + 2] -= factor / length[:, side]
        for corner in (a, b):
            out[:, side, 6 * corner + 4] += 0.5 * factor * tangent[:, 0]
            out[:, side, 6 * corner + 3] -= 0.5 * factor * tangent[:, 1]
    return out


@dataclass(frozen=True, eq=False)
class QuadBending:
    """Curvatures of a quad over n columns of nodal rotations.

    mean (m, 3, n): curvatures; rates (m, 3, 3, n): their coefficients of x, y, x y in natural components; natural (m, 3, 3):
    curvatures to natural components; middle (m, 3): means of x, y, x y.
    """

    mean: FloatArray
    rates: FloatArray
    natural: FloatArray
    middle: FloatArray


def quad_bending(geometry: ShellGeometry, turns: FloatArray) -> QuadBending:
    """Mean and varying curvature of quads over local dofs."""
    share, gauss = _shares(geometry)
    m, n = len(share), turns.shape[-1]
    modes = _modes(gauss.points)
    jacobian = center_jacobian(geometry)
    dual = inverse_2x2(jacobian / np.linalg.norm(jacobian, axis=2, keepdims=True))[1].transpose(0, 2, 1)
    across = np.concatenate([dual, -dual], axis=1)  # sides run along +xi, +eta, -xi, -eta
    natural = natural_curvature(jacobian)
    linear = corner_curvature(geometry, gauss)
    together = (linear + _bubbles(geometry, turns, geometry.side_direction, gauss)).reshape(m, 4, 3 * n)
    mean = (share[:, None] @ together).reshape(m, 3, n)
    linear += _bubbles(geometry, turns, across, gauss)
    varied = (0.75 * modes * [1.0, 1.0, 3.0]).T @ linear.reshape(m, 4, 3 * n)
    return QuadBending(mean, natural[:, None] @ varied.reshape(m, 3, 3, n), natural, share @ modes)


def curvature(
    geometry: ShellGeometry, turns: FloatArray, ratio: FloatArray, at: SurfaceTable, quad: QuadBending | None = None
) -> FloatArray:
    """(m, g, 3, 6k) curvatures beta_x,x, beta_y,y, beta_x,y + beta_y,x; ``quad`` where it is known already."""
    if geometry.corners == 3:
        return _triangle_curvature(geometry, turns, ratio, at)
    quad = quad or quad_bending(geometry, turns)
    m, _, _, n = quad.rates.shape
    along_x, along_y, mixed = np.moveaxis(quad.rates, 1, 0)
    rates = np.stack([_rates(along_x, along_y, 0), _rates(along_x, along_y, 1), mixed], axis=1)
    rates = (np.linalg.inv(quad.natural)[:, None] @ rates).reshape(m, 3, 3 * n)
    centered = _modes(at.points)[None] - quad.middle[:, None]
    return np.asarray((centered @ rates).reshape(m, -1, 3, n) + quad.mean[:, None])


def mean_curvature(geometry: ShellGeometry, turns: FloatArray) -> FloatArray:
    """(m, 3, 6k): means over the element, in which every side has the rotation that its neighbor sees."""
    if geometry.corners == 3:
        gauss, share = table(3, 3), np.full((len(turns), 3), 1.0 / 3.0)
    else:
        share, gauss = _shares(geometry)
    points = corner_curvature(geometry, gauss) + _bubbles(geometry, turns, geometry.side_direction, gauss)
    return np.asarray((share[:, None] @ points.reshape(*share.shape, -1)).reshape(-1, *points.shape[2:]))


def third_derivatives(geometry: ShellGeometry, turns: FloatArray, quad: QuadBending | None = None) -> FloatArray:
    """(m, 4, n) of quads: curvatures' rates (xx,x; xx,y; yy,x; yy,y) in reference coordinates."""
    quad = quad or quad_bending(geometry, turns)
    return np.stack([quad.rates[:, k, a] for a in (0, 1) for k in (0, 1)], axis=1)


def center_jacobian(geometry: ShellGeometry) -> FloatArray:
    """(m, 2, 2): rows are the reference directions, half the length of the sides, at the center of quads."""
    return np.asarray(np.einsum("gak,mkb->mab", center(4).corner_gradient, geometry.flat))


def _shares(geometry: ShellGeometry) -> tuple[FloatArray, SurfaceTable]:
    gauss = table(4, 2)
    _, det = physical_gradient(geometry.flat, gauss.corner_gradient)
    return det / det.sum(axis=1, keepdims=True), gauss


def _rates(along_x: FloatArray, along_y: FloatArray, direction: int) -> FloatArray:
    """(m, 3, 24): rates of (xx, yy, 2 xy) along one direction; that of the twist follows from the bending across."""
    along, other = (along_x, along_y) if direction == 0 else (along_y, along_x)
    return np.stack([along[:, 0], along[:, 1], 2.0 * other[:, direction]], axis=1)


def _triangle_curvature(geometry: ShellGeometry, turns: FloatArray, ratio: FloatArray, at: SurfaceTable) -> FloatArray:
    """DKMT with the linearly varying part raised to 3/2 - mu/3 of its energy, mu = phi / (1 + phi).

    The mean error of plane waves over all directions then vanishes to the second order of the mesh size (``shell_waves``).
    """
    gauss = table(3, 3)
    points = corner_curvature(geometry, gauss) + _bubbles(geometry, turns, geometry.side_direction, gauss)
    mean = points.mean(axis=1, keepdims=True)
    here = corner_curvature(geometry, at) + _bubbles(geometry, turns, geometry.side_direction, at)
    phi = ratio.mean(axis=1)
    raised = np.sqrt(1.5 - phi / (1.0 + phi) / 3.0)
    return np.asarray(mean + raised[:, None, None, None] * (here - mean))


def _modes(points: FloatArray) -> FloatArray:
    x, y = points.T
    return np.stack([x, y, x * y], axis=1)


def natural_curvature(jacobian: FloatArray) -> FloatArray:
    """(m, 3, 3): curvatures (xx, yy, 2 xy) to components along the reference directions (rows of the Jacobian)."""
    (a, b), (c, d) = jacobian.transpose(1, 2, 0)
    return np.stack(
        [
            np.stack([a * a, b * b, a * b], axis=-1),
            np.stack([c * c, d * d, c * d], axis=-1),
            np.stack([2 * a * c, 2 * b * d, a * d + b * c], axis=-1),
        ],
        axis=-2,
    )


def corner_curvature(geometry: ShellGeometry, at: SurfaceTable) -> FloatArray:
    """Curvatures of the corner rotations alone."""
    k = geometry.corners
    gradient, det = physical_gradient(geometry.flat, at.corner_gradient)
    gx, gy = gradient[:, :, 0], gradient[:, :, 1]
    out = np.zeros((*det.shape, 3, 6 * k))
    out[:, :, 0, 4::6] = gx
    out[:, :, 1, 3::6] = -gy
    out[:, :, 2, 4::6] = gy
    out[:, :, 2, 3::6] = -gx
    return out


def _bubbles(geometry: ShellGeometry, turns: FloatArray, direction: FloatArray, at: SurfaceTable) -> FloatArray:
    """Curvatures of the side bubbles P_k dbeta_k along the given directions (m, k, 2)."""
    jacobian = jacobian_at(geometry.flat, at.corner_gradient)
    gradient = turned_gradient(inverse_2x2(jacobian)[1], at.bubble_gradient)
    x, y = direction[:, None, :, 0], direction[:, None, :, 1]
    bend = np.stack(
        [gradient[:, :, 0] * x, gradient[:, :, 1] * y, gradient[:, :, 1] * x + gradient[:, :, 0] * y], axis=2
    )
    return np.asarray(bend @ turns[:, None])


def shear_strain(geometry: ShellGeometry, turns: FloatArray, section: ShellStiffness, at: SurfaceTable) -> FloatArray:
    """(m, g, 2, 6k) transverse shear (gamma_xz, gamma_yz) from the tangential shear of the sides (constant on each).

    The part that varies over a quad has the weight required by plane waves (``shell_inertia``).
    """
    there = side_shear(geometry, at)
    if geometry.corners == 4:
        mean = _mean_side_shear(geometry)[:, None]
        weight = np.sqrt(2.0 - 2.0 * obliqueness(geometry, section) ** 2)
        there = mean + weight[:, None, None, None] * (there - mean)
    return np.asarray(there @ _side_slips(geometry, turns, section)[:, None])


def mean_shear(geometry: ShellGeometry, turns: FloatArray, section: ShellStiffness) -> FloatArray:
    """(m, 2, 6k): mean of the transverse shear over the element."""
    return np.asarray(_mean_side_shear(geometry) @ _side_slips(geometry, turns, section))


def _side_slips(geometry: ShellGeometry, turns: FloatArray, section: ShellStiffness) -> FloatArray:
    """(m, k, 6k): gamma_s L of the sides."""
    return np.asarray((-2.0 / 3.0 * section.shear_ratio * geometry.side_length)[..., None] * turns)


def _mean_side_shear(geometry: ShellGeometry) -> FloatArray:
    """(m, 2, k): mean of ``side_shear`` over the element."""
    if geometry.corners == 3:
        return side_shear(geometry, center(3))[:, 0]
    share, gauss = _shares(geometry)
    return np.asarray(np.einsum("mg,mgbk->mbk", share, side_shear(geometry, gauss)))


def obliqueness(geometry: ShellGeometry, section: ShellStiffness) -> FloatArray:
    """(m,): r = 2 S^xy / (S^xx + S^yy) of quads, S^ab the shear stiffness in components along the sides of the center.

    Zero for rectangles whose sides are principal directions of the shear stiffness; S is that of an isotropic section where it is
    rigid.
    """
    inverse = inverse_2x2(center_jacobian(geometry))[1]
    rigid = np.asarray(~section.shear.any(axis=(1, 2)))
    natural = inverse.transpose(0, 2, 1) @ (section.shear + rigid[:, None, None] * np.eye(2)) @ inverse
    return np.asarray(2.0 * natural[:, 0, 1] / np.trace(natural, axis1=1, axis2=2))


def side_shear(geometry: ShellGeometry, at: SurfaceTable) -> FloatArray:
    """(m, g, 2, k): shear of the interpolation over gamma_s L of the sides."""
    k = geometry.corners
    jacobian = jacobian_at(geometry.flat, at.corner_gradient)
    weight = np.zeros((len(at.points), 2, k))
    if k == 4:
        x, y = at.points.T
        weight[:, 0, 0], weight[:, 0, 2] = 0.25 * (1.0 - y), -0.25 * (1.0 + y)
        weight[:, 1, 1], weight[:, 1, 3] = 0.25 * (1.0 + x), -0.25 * (1.0 - x)
    else:
        n, slope = at.corner, at.corner_gradient
        for side, (a, b) in enumerate(sides(3)):
            weight[:, :, side] = n[:, a, None] * slope[:, :, b] - n[:, b, None] * slope[:, :, a]
    return np.asarray(turned_gradient(inverse_2x2(jacobian)[1], weight))
