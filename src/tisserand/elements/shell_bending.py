"""Curvatures and transverse shear of the shells over local dofs.

Discrete Kirchhoff-Mindlin (Katili 1993: DKMQ, DKMT). Along side k of length L, beta_s is quadratic, beta_s =
(1 - s) beta_a + s beta_b + 4 s (1 - s) dbeta_k, and the shear that follows from moment equilibrium of the
side is gamma_k = -(2/3) phi_k dbeta_k, phi_k = 12 D_ss F_ss / L², which gives ``dbeta_k = -3 / (2 L (1 +
phi_k)) [w_b - w_a + L/2 (beta_sa + beta_sb)]``. Thin plates have phi = 0 and no shear energy, so nothing can
lock; a strip is the exact Timoshenko beam. Rotations: beta_x = theta_y, beta_y = -theta_x.

Triangles and quads keep the mean curvature of DKMT and DKMQ, which alone decides patch tests, and raise the
part that varies over the element. Triangles raise it by a factor; in natural components of quads, with s
along a side and n across:
- the curvature k_ss is known on two opposite sides only; a straight line between them loses 1 - (2 + cos
  kh)/3 of the energy of a wave k across. Full weight on the two sides (nodal rule, factor sqrt 3 at the Gauss
  points) loses nothing;
- the twist is the sum of d beta_s/dn and d beta_n/ds, of which each sees the variation along one direction
  only and which are equal in a thin plate: the varying part of the sum counts twice;
- bubbles act along the dual of the other direction, so that a skew element is the affine image of a square
  one.

The first and the last fade out as the element becomes thick (half gone at phi = 4 and 16).
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.shell_geometry import ShellGeometry, inverse_2x2, physical_gradient
from tisserand.elements.shell_shapes import SurfaceTable, centre, sides, table


def side_rotations(geometry: ShellGeometry, ratio: FloatArray) -> FloatArray:
    """(m, k, 6k): dbeta_k over local dofs."""
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


def curvature(geometry: ShellGeometry, turns: FloatArray, ratio: FloatArray, at: SurfaceTable) -> FloatArray:
    """(m, g, 3, 6k) curvatures beta_x,x, beta_y,y, beta_x,y + beta_y,x."""
    if geometry.corners == 3:
        return _triangle_curvature(geometry, turns, ratio, at)
    gauss = table(4, 2)
    _, det = physical_gradient(geometry.flat, gauss.corner_gradient)
    share = det / det.sum(axis=1, keepdims=True)
    jacobian = np.einsum("gak,mkb->mab", centre(4).corner_gradient, geometry.flat)
    natural = _natural(jacobian)
    flat = _linear(geometry, gauss)
    mean = np.einsum("mg,mgad->mad", share, flat + _bubbles(geometry, turns, geometry.side_direction, gauss))
    thick = ratio.mean(axis=1)
    unit = jacobian / np.linalg.norm(jacobian, axis=2, keepdims=True)
    dual = inverse_2x2(unit)[1].transpose(0, 2, 1)
    across = np.concatenate([dual, -dual], axis=1)  # sides run along +xi, +eta, -xi, -eta
    blend = (1.0 / (1.0 + thick / 16.0))[:, None, None]
    direction = geometry.side_direction + blend * (across - geometry.side_direction)
    varied = natural[:, None] @ (flat + _bubbles(geometry, turns, direction, gauss))
    modes = _modes(gauss.points)
    coefficient = np.einsum("gk,mgad->mkad", 0.75 * modes * [1.0, 1.0, 3.0], varied)
    side = 1.0 + (np.sqrt(3.0) - 1.0) / (1.0 + thick / 4.0)
    one, two = np.ones_like(side), np.full_like(side, 2.0)
    scale = np.stack(
        [np.stack([one, side, side]), np.stack([side, one, side]), np.stack([two, two, one])]
    )  # (a, k, m)
    centred = _modes(at.points)[None] - np.einsum("mg,gk->mk", share, modes)[:, None]
    high = np.einsum("akm,mgk,mkad->mgad", scale, centred, coefficient, optimize=True)
    return np.asarray(mean[:, None] + np.linalg.inv(natural)[:, None] @ high)


def _triangle_curvature(
    geometry: ShellGeometry, turns: FloatArray, ratio: FloatArray, at: SurfaceTable
) -> FloatArray:
    """DKMT with the linearly varying part raised to one and a half times its energy (less where thick)."""
    gauss = table(3, 3)
    points = _linear(geometry, gauss) + _bubbles(geometry, turns, geometry.side_direction, gauss)
    mean = points.mean(axis=1, keepdims=True)
    here = _linear(geometry, at) + _bubbles(geometry, turns, geometry.side_direction, at)
    raised = 1.0 + (np.sqrt(1.5) - 1.0) / (1.0 + ratio.mean(axis=1) / 4.0)
    return np.asarray(mean + raised[:, None, None, None] * (here - mean))


def _modes(points: FloatArray) -> FloatArray:
    x, y = points.T
    return np.stack([x, y, x * y], axis=1)


def _natural(jacobian: FloatArray) -> FloatArray:
    """(m, 3, 3): curvatures (xx, yy, 2 xy) to their components along the reference directions (rows of the
    Jacobian).
    """
    (a, b), (c, d) = jacobian.transpose(1, 2, 0)
    return np.stack(
        [
            np.stack([a * a, b * b, a * b], axis=-1),
            np.stack([c * c, d * d, c * d], axis=-1),
            np.stack([2 * a * c, 2 * b * d, a * d + b * c], axis=-1),
        ],
        axis=-2,
    )


def _linear(geometry: ShellGeometry, at: SurfaceTable) -> FloatArray:
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


def _bubbles(
    geometry: ShellGeometry, turns: FloatArray, direction: FloatArray, at: SurfaceTable
) -> FloatArray:
    """Curvatures of the side bubbles P_k dbeta_k along the given directions (m, k, 2)."""
    jacobian = np.einsum("gak,mkb->mgab", at.corner_gradient, geometry.flat)
    gradient = np.einsum("mgba,gak->mgbk", inverse_2x2(jacobian)[1], at.bubble_gradient)
    x, y = direction[:, None, :, 0], direction[:, None, :, 1]
    bend = np.stack(
        [gradient[:, :, 0] * x, gradient[:, :, 1] * y, gradient[:, :, 1] * x + gradient[:, :, 0] * y], axis=2
    )
    return np.asarray(bend @ turns[:, None])


def shear_strain(
    geometry: ShellGeometry, turns: FloatArray, ratio: FloatArray, at: SurfaceTable
) -> FloatArray:
    """(m, g, 2, 6k) transverse shear (gamma_xz, gamma_yz) from the tangential shear of the sides (constant on
    each).
    """
    k = geometry.corners
    covariant = (-2.0 / 3.0 * ratio * geometry.side_length)[
        ..., None
    ] * turns  # (m, k, 6k): gamma_s L on each side
    jacobian = np.einsum("gak,mkb->mgab", at.corner_gradient, geometry.flat)
    _, inverse = inverse_2x2(jacobian)
    weight = np.zeros((len(at.points), 2, k))
    if k == 4:
        x, y = at.points.T
        weight[:, 0, 0], weight[:, 0, 2] = 0.25 * (1.0 - y), -0.25 * (1.0 + y)
        weight[:, 1, 1], weight[:, 1, 3] = 0.25 * (1.0 + x), -0.25 * (1.0 - x)
    else:
        n, slope = at.corner, at.corner_gradient
        for side, (a, b) in enumerate(sides(3)):
            weight[:, :, side] = n[:, a, None] * slope[:, :, b] - n[:, b, None] * slope[:, :, a]
    return np.asarray(np.einsum("mgba,gak->mgbk", inverse, weight) @ covariant[:, None])
