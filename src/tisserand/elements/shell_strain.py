"""Membrane and drilling strains of the shells, and the stiffness over local dofs (u, v, w, theta per corner).

Membrane: bilinear with Wilson-Taylor incompatible modes on quads, with the Jacobian of the center, so that
patch tests pass (exact in-plane bending of rectangles); linear on triangles. Drilling: Nastran's K6ROT, a
spring ``1e-6 K6ROT A_66 a`` at every corner on theta_z - (dv/dx - du/dy)/2, where a is the area of a quad and
twice that of a triangle; no rigid motion and no constant strain feels it. (Nastran's frequencies of one quad
and one triangle fix form and factors to 1e-7.) Bending: ``shell_bending``, ``shell_waves``; of shells from Nastran's decks
``shell_macneal``.

References: [Taylor1976]; K6ROT of [NastranQRG].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements._kernels_shell import stiffness_sums
from tisserand.elements.shell_bending import (
    QuadBending,
    curvature,
    normal_bows,
    quad_bending,
    shear_strain,
    third_derivatives,
)
from tisserand.elements.shell_geometry import (
    ShellGeometry,
    ShellStiffness,
    incompatible_strain,
    inverse_2x2,
    jacobian_at,
    physical_gradient,
    turned_gradient,
)
from tisserand.elements.shell_macneal import free_curvature, slip_stiffness, slips
from tisserand.elements.shell_shapes import SurfaceTable, center, corners, table
from tisserand.elements.shell_waves import varying_stiffness

#: Local dofs w, theta_x, theta_y of a quad.
BENDING = np.add.outer(6 * np.arange(4), [2, 3, 4]).ravel()
#: What incompatible modes keep of their own stiffness where the section has none in some direction.
_SINGULAR = 1e-13
#: Least Jacobian of a corner, as a part of the element's mean, whose own gradient is used.
_LEAST_CORNER = 0.1


@dataclass(frozen=True, eq=False)
class LocalStiffness:
    """Stiffness of shells in local axes.

    matrix (m, 6k, 6k); inner (m, 8 or 4 or 0, 6k): amplitudes of the incompatible modes (u, u, v, v times 1 - xi², 1 - eta²; of
    Nastran's quads then beta_x, beta_x, beta_y, beta_y); varying (m, 4, 4) of quads: ``shell_waves.varying_stiffness``.
    """

    matrix: FloatArray
    inner: FloatArray
    varying: FloatArray | None = None


def stiffness_points(corners: int) -> SurfaceTable:
    """Integration points of the stiffness: 2 x 2 for quads, three for triangles (exact)."""
    return table(corners, 2 if corners == 4 else 3)


def generalized_strain(
    geometry: ShellGeometry, section: ShellStiffness, at: SurfaceTable, quad: QuadBending | None = None
) -> tuple[FloatArray, FloatArray]:
    """(m, g, 6, 6k [+ 4 or 8]) membrane strains and curvatures, and the area measure (m, g) with weights.

    Quads carry extra columns: the incompatible modes of the membrane, and of Nastran's rotations.
    """
    k, nastran = geometry.corners, section.form == "nastran"
    gradient, det = physical_gradient(geometry.flat, at.corner_gradient)
    out = np.zeros((*det.shape, 6, 6 * k + (0 if k == 3 else 8 if nastran else 4)))
    gx, gy = gradient[:, :, 0], gradient[:, :, 1]
    out[:, :, 0, 0 : 6 * k : 6] = gx
    out[:, :, 1, 1 : 6 * k : 6] = gy
    out[:, :, 2, 0 : 6 * k : 6] = gy
    out[:, :, 2, 1 : 6 * k : 6] = gx
    if k == 4:
        out[:, :, :3, 24:28] = incompatible_strain(geometry, at, det)
    if nastran:
        bend = free_curvature(geometry, at, det)
        out[:, :, 3:, : 6 * k], out[:, :, 3:, 28:] = bend[..., : 6 * k], bend[..., 6 * k :]
    else:
        turns = normal_bows(geometry, section)
        out[:, :, 3:, : 6 * k] = curvature(geometry, turns, section.shear_ratio, at, quad)
    return out, det * at.weights


def drilling_strain(geometry: ShellGeometry) -> FloatArray:
    """(m, k, 6k): theta_z - (dv/dx - du/dy)/2 at the corners, zero in any rigid motion and in any constant strain.

    The gradient of a corner whose sides are nearly in line grows without bound: below a tenth of the mean
    Jacobian it gives way to that of the center.
    """
    k = geometry.corners
    at, middle = corners(k), center(k)
    floor = _LEAST_CORNER * geometry.area[:, None] / middle.weights.sum()
    jacobian = jacobian_at(geometry.flat, at.corner_gradient)
    det, inverse = inverse_2x2(jacobian, floor)
    share = np.minimum(1.0, det / floor)[..., None, None]
    gradient = turned_gradient(inverse, at.corner_gradient)
    gradient += (1.0 - share) * physical_gradient(geometry.flat, middle.corner_gradient)[0]
    out = np.zeros((*det.shape, 6 * k))
    out[:, :, 5::6] = at.corner
    out[:, :, 0::6] = 0.5 * gradient[:, :, 1]
    out[:, :, 1::6] = -0.5 * gradient[:, :, 0]
    return out


def local_stiffness(geometry: ShellGeometry, section: ShellStiffness) -> LocalStiffness:
    """Stiffness over local dofs with the incompatible modes condensed."""
    k, nastran = geometry.corners, section.form == "nastran"
    at = stiffness_points(k)
    turns = normal_bows(geometry, section)
    quad = quad_bending(geometry, turns) if k == 4 and not nastran else None
    strain, measure = generalized_strain(geometry, section, at, quad)
    none = (len(measure), len(at.points), 2, 6 * k)  # Nastran's shear is that of the slips of the sides
    shear = np.zeros(none) if nastran else shear_strain(geometry, turns, section, at)
    twist = drilling_strain(geometry)
    drilling = section.drilling * geometry.area * (1.0 if k == 4 else 2.0)  # per corner
    m, size, outer = len(measure), strain.shape[-1], slice(0, 6 * k)
    full = np.zeros((m, size, size))
    stiffness_sums(strain, shear, twist, measure, *section.at(at), drilling, full)
    varying = None
    if quad is not None:
        rates = third_derivatives(geometry, turns, quad)[..., BENDING]
        plain = _bending_only(full, strain, shear, measure, section, at)
        varying = varying_stiffness(geometry, section, rates, plain)
        full[:, BENDING[:, None], BENDING] += rates.transpose(0, 2, 1) @ (varying @ rates)
    if nastran:
        slip = slips(geometry)
        full[:, outer, outer] += slip.transpose(0, 2, 1) @ (slip_stiffness(geometry, section) @ slip)
    inner = np.zeros((m, size - 6 * k, 6 * k))
    if size > 6 * k:
        own, cross = full[:, 6 * k :, 6 * k :], full[:, 6 * k :, outer]
        inner = -_relaxed(own, cross)
        full = full[:, outer, outer] + cross.transpose(0, 2, 1) @ inner
    return LocalStiffness(0.5 * (full + full.transpose(0, 2, 1)), inner, varying)


def _relaxed(own: FloatArray, cross: FloatArray) -> FloatArray:
    """own^-1 cross of the incompatible modes; those without stiffness (sections without membrane or bending) stay at zero."""
    size = np.sqrt(np.maximum(np.einsum("mii->mi", own), 0.0))
    scale = np.where(size > 0.0, size, 1.0)[:, :, None]
    unit = own / (scale * scale.transpose(0, 2, 1)) + _SINGULAR * np.eye(own.shape[1])
    return np.asarray(np.linalg.solve(unit, cross / scale) / scale)


def _bending_only(
    full: FloatArray,
    strain: FloatArray,
    shear: FloatArray,
    measure: FloatArray,
    section: ShellStiffness,
    at: SurfaceTable,
) -> FloatArray:
    """(m, 12, 12) over w, theta_x, theta_y, the membrane free at every point of coupled sections."""
    out = np.ascontiguousarray(full[:, BENDING[:, None], BENDING])
    coupled = section.generalized[:, :3, 3:].any(axis=(1, 2))
    if coupled.any():
        bend, slip = strain[coupled][:, :, 3:, BENDING], shear[coupled][..., BENDING]
        area, rows = measure[coupled][..., None, None], (0, 1, 3, 2)
        generalized, transverse = (part[coupled] for part in section.at(at))
        moments = area * (_free_bending(generalized) @ bend)
        forces = area * (transverse @ slip)
        out[coupled] = (bend.transpose(rows) @ moments + slip.transpose(rows) @ forces).sum(axis=1)
    return out


def _free_bending(generalized: FloatArray) -> FloatArray:
    """D - B' A^-1 B of [A B; B' D] (..., 6, 6)."""
    a, b = generalized[..., :3, :3], generalized[..., :3, 3:]
    return np.asarray(generalized[..., 3:, 3:] - b.swapaxes(-1, -2) @ np.linalg.pinv(a, hermitian=True) @ b)
