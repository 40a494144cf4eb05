"""Strain-displacement matrices of the shells over local dofs (u, v, w, theta_x, theta_y, theta_z per corner).

Membrane: bilinear with Wilson-Taylor incompatible modes on quads (exact in-plane bending of rectangles); linear on
triangles. Bending and transverse shear: discrete Kirchhoff-Mindlin (Katili 1993: DKMQ, DKMT). Along side k of length L,
beta_s is quadratic, beta_s = (1 - s) beta_a + s beta_b + 4 s (1 - s) dbeta_k, and the shear that follows from moment
equilibrium of the side is gamma_k = -(2/3) phi_k dbeta_k, phi_k = 12 D_ss F_ss / L², which gives
``dbeta_k = -3 / (2 L (1 + phi_k)) [w_b - w_a + L/2 (beta_sa + beta_sb)]``. Thin plates have phi = 0 and no shear energy, so
nothing can lock; a strip is the exact Timoshenko beam. Rotations: beta_x = theta_y, beta_y = -theta_x.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.shell_geometry import ShellGeometry, ShellStiffness, inverse_2x2, physical_gradient
from tisserand.elements.shell_shapes import SurfaceTable, centre, sides


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


def generalised_strain(geometry: ShellGeometry, turns: FloatArray, at: SurfaceTable) -> tuple[FloatArray, FloatArray]:
    """(m, g, 6, 6k [+ 4]) membrane strains and curvatures, and the area measure (m, g) with weights.

    Quads carry four extra columns: the incompatible membrane modes 1 - xi², 1 - eta² of u and v.
    """
    k = geometry.corners
    gradient, det = physical_gradient(geometry.flat, at.corner_gradient)
    m, g = det.shape
    extra = 4 if k == 4 else 0
    out = np.zeros((m, g, 6, 6 * k + extra))
    gx, gy = gradient[:, :, 0], gradient[:, :, 1]
    out[:, :, 0, 0 : 6 * k : 6] = gx
    out[:, :, 1, 1 : 6 * k : 6] = gy
    out[:, :, 2, 0 : 6 * k : 6] = gy
    out[:, :, 2, 1 : 6 * k : 6] = gx
    out[:, :, 3, 4 : 6 * k : 6] = gx
    out[:, :, 4, 3 : 6 * k : 6] = -gy
    out[:, :, 5, 4 : 6 * k : 6] = gy
    out[:, :, 5, 3 : 6 * k : 6] = -gx
    bubble = _gradient_of(geometry.flat, at.corner_gradient, at.bubble_gradient)
    t = geometry.side_direction
    bend = np.stack([
        bubble[:, :, 0] * t[:, None, :, 0],
        bubble[:, :, 1] * t[:, None, :, 1],
        bubble[:, :, 1] * t[:, None, :, 0] + bubble[:, :, 0] * t[:, None, :, 1],
    ], axis=2)
    out[:, :, 3:, : 6 * k] += bend @ turns[:, None]
    if extra:
        out[:, :, :3, 6 * k :] = _incompatible(geometry, at, det)
    return out, det * at.weights


def _gradient_of(flat: FloatArray, corner_gradient: FloatArray, gradient: FloatArray) -> FloatArray:
    jacobian = np.einsum("gak,mkb->mgab", corner_gradient, flat)
    _, inverse = inverse_2x2(jacobian)
    return np.asarray(np.einsum("mgba,gak->mgbk", inverse, gradient))


def _incompatible(geometry: ShellGeometry, at: SurfaceTable, det: FloatArray) -> FloatArray:
    """(m, g, 3, 4) strains of the incompatible modes with the Jacobian of the centre, so that patch tests pass."""
    middle = np.einsum("gak,mkb->mgab", centre(4).corner_gradient, geometry.flat)
    det0, inverse0 = inverse_2x2(middle)
    slope = np.zeros((len(at.points), 2, 2))
    slope[:, 0, 0], slope[:, 1, 1] = -2.0 * at.points[:, 0], -2.0 * at.points[:, 1]
    gradient = np.einsum("mba,gaf->mgbf", inverse0[:, 0], slope) * (det0 / det)[..., None, None]
    out = np.zeros((*det.shape, 3, 4))
    out[:, :, 0, 0:2] = out[:, :, 2, 2:4] = gradient[:, :, 0]
    out[:, :, 1, 2:4] = out[:, :, 2, 0:2] = gradient[:, :, 1]
    return out


def shear_strain(geometry: ShellGeometry, turns: FloatArray, ratio: FloatArray, at: SurfaceTable) -> FloatArray:
    """(m, g, 2, 6k) transverse shear (gamma_xz, gamma_yz) from the tangential shear of the sides (constant on each)."""
    k = geometry.corners
    covariant = (-2.0 / 3.0 * ratio * geometry.side_length)[..., None] * turns  # (m, k, 6k): gamma_s L on each side
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


def drilling_strain(geometry: ShellGeometry, at: SurfaceTable) -> FloatArray:
    """(m, g, 6k): theta_z - (dv/dx - du/dy)/2, zero in any rigid motion."""
    k = geometry.corners
    gradient, _ = physical_gradient(geometry.flat, at.corner_gradient)
    out = np.zeros((*gradient.shape[:2], 6 * k))
    out[:, :, 5::6] = at.corner
    out[:, :, 0::6] = 0.5 * gradient[:, :, 1]
    out[:, :, 1::6] = -0.5 * gradient[:, :, 0]
    return out


def local_stiffness(geometry: ShellGeometry, section: ShellStiffness, at: SurfaceTable) -> tuple[FloatArray, FloatArray]:
    """Stiffness (m, 6k, 6k) over local dofs and the recovery (m, 6k [+ 4], 6k) of the incompatible modes."""
    k = geometry.corners
    turns = side_rotations(geometry, section.shear_ratio)
    strain, measure = generalised_strain(geometry, turns, at)
    shear = shear_strain(geometry, turns, section.shear_ratio, at)
    twist = drilling_strain(geometry, at)
    m, size = len(measure), strain.shape[-1]
    full = np.zeros((m, size, size))
    for g in range(measure.shape[1]):
        weighted = section.generalised * measure[:, g, None, None]
        full += strain[:, g].transpose(0, 2, 1) @ (weighted @ strain[:, g])
        side = shear[:, g]
        full[:, : 6 * k, : 6 * k] += side.transpose(0, 2, 1) @ ((section.shear * measure[:, g, None, None]) @ side)
        spin = twist[:, g]
        full[:, : 6 * k, : 6 * k] += spin[:, :, None] * (spin * (section.drilling * measure[:, g])[:, None])[:, None, :]
    recovery = np.zeros((m, size, 6 * k))
    recovery[:, : 6 * k] = np.eye(6 * k)
    if size > 6 * k:
        inner, cross = full[:, 6 * k :, 6 * k :], full[:, 6 * k :, : 6 * k]
        scale = np.trace(inner, axis1=1, axis2=2)
        inner = inner + (scale == 0.0)[:, None, None] * np.eye(4)  # bending-only sections have no membrane
        recovery[:, 6 * k :] = -np.linalg.solve(inner, cross)
        full = full[:, : 6 * k, : 6 * k] + cross.transpose(0, 2, 1) @ recovery[:, 6 * k :]
    return 0.5 * (full + full.transpose(0, 2, 1)), recovery
