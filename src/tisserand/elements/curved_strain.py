"""Strains of the shells with midside nodes over the motions u_i, beta_i of their functions.

Covariant strains of x + z n under u + z beta, to the first degree of z:

``e_ab = sym(x,a . u,b)``, ``k_ab = sym(x,a . beta,b + n,a . u,b)``, ``gamma_a = x,a . beta + n . u,a``

They vanish in rigid motion (u = w x x, beta = w x n) at every point of any surface. Membrane strain and curvature are
taken at the 2 x 2 Gauss points (triangles: three), which constant strain passes exactly on sides of any shape, and where a
curved element that bends without stretching has no membrane strain. Transverse shear is taken along lines (``shear_table``)
and interpolated: in the thin limit it binds only what a side can follow.

Shell of basis: [Bucalem1993]; reduced integration: [Zienkiewicz2000].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.curved_geometry import CurvedGeometry
from tisserand.elements.curved_shapes import (
    CENTER,
    ShapeTable,
    bow_table,
    center_table,
    gauss_table,
    shear_interpolation,
    shear_samples,
    shear_table,
    stretch_interpolation,
    stretch_table,
)

_PAIRS = ((0, 0), (1, 1), (0, 1))


def covariant_strain(geometry: CurvedGeometry, at: ShapeTable) -> FloatArray:
    """(m, g, 6, 6f): e_rr, e_ss, 2 e_rs and k_rr, k_ss, 2 k_rs."""
    base = np.einsum("gaf,mfi->mgai", at.gradient, geometry.points)
    rate = np.einsum("gaf,mfi->mgai", at.gradient, geometry.normals)
    m, g, f = len(base), len(at.points), geometry.functions
    out = np.zeros((m, g, 6, f, 2, 3))
    for row, (a, b) in enumerate(_PAIRS):
        for one, two in {(a, b), (b, a)}:
            slope = at.gradient[None, :, two, :, None]
            out[:, :, row, :, 0] += slope * base[:, :, one, None]
            out[:, :, 3 + row, :, 0] += slope * rate[:, :, one, None]
            out[:, :, 3 + row, :, 1] += slope * base[:, :, one, None]
    return out.reshape(m, g, 6, 6 * f)


def covariant_shear(geometry: CurvedGeometry, at: ShapeTable) -> FloatArray:
    """(m, g, 2, 6f): gamma_r, gamma_s."""
    base = np.einsum("gaf,mfi->mgai", at.gradient, geometry.points)
    normal = np.einsum("gf,mfi->mgi", at.values, geometry.normals)
    m, g, f = len(base), len(at.points), geometry.functions
    out = np.zeros((m, g, 2, f, 2, 3))
    out[:, :, :, :, 0] = at.gradient[None, ..., None] * normal[:, :, None, None]
    out[:, :, :, :, 1] = at.values[None, :, None, :, None] * base[:, :, :, None]
    return out.reshape(m, g, 2, 6 * f)


def sampled(geometry: CurvedGeometry) -> FloatArray:
    """(m, n, p, 2): samples of the shear from its components at the points; a straight side has the mean of its two samples."""
    first = (0, 2, 4) if geometry.functions == 7 else (0, 10, 4, 6)
    rows = shear_samples(geometry.functions)
    out = np.tile(rows, (len(geometry.points), 1, 1, 1))
    for side, row in enumerate(first):
        out[geometry.straight[:, side], row : row + 2] = 0.5 * (rows[row] + rows[row + 1])
    return out


def interpolated_shear(geometry: CurvedGeometry, order: int) -> FloatArray:
    """(m, g, 2, 6f): covariant shear at the Gauss points of an order (0: the center)."""
    every = covariant_shear(geometry, shear_table(geometry.functions))
    samples = np.einsum("mnpa,mpaj->mnj", sampled(geometry), every, optimize=True)
    return np.asarray(
        np.einsum("gan,mnj->mgaj", shear_interpolation(geometry.functions, order), samples, optimize=True)
    )


def relaxed_stretch(geometry: CurvedGeometry, order: int) -> FloatArray:
    """(m, g, 3, 6f) of triangles: what is added to the covariant membrane strain so that curved ones bend without stretching.

    The part of the strain from the slope of the surface against the plane of the center, z,a w,b, is replaced by its
    interpolation (``stretch_interpolation``). Rigid motions and motions of constant strain are left alone.
    """
    up = np.cross(*np.einsum("af,mfi->ami", center_table(7).gradient[0], geometry.points))
    up /= np.linalg.norm(up, axis=1, keepdims=True)
    here, there = (
        _slope_strain(geometry, at, up) for at in (gauss_table(7, order) if order else center_table(7), stretch_table())
    )
    change = np.einsum("gapb,mpbj->mgaj", stretch_interpolation(order), there, optimize=True) - here
    return without_uniform(geometry, change)


def _slope_strain(geometry: CurvedGeometry, at: ShapeTable, up: FloatArray) -> FloatArray:
    """(m, g, 3, 6f): z,r w,r; z,s w,s; z,r w,s + z,s w,r with heights along ``up``."""
    slope = np.einsum("gaf,mfi,mi->mga", at.gradient, geometry.points, up, optimize=True)
    m, g, f = len(slope), len(at.points), geometry.functions
    out = np.zeros((m, g, 3, f, 2, 3))
    for row, (a, b) in enumerate(_PAIRS):
        for one, two in {(a, b), (b, a)}:
            value = slope[:, :, one, None] * at.gradient[None, :, two]
            out[:, :, row, :, 0] += value[..., None] * up[:, None, None]
    return out.reshape(m, g, 3, 6 * f)


def center_tie(geometry: CurvedGeometry) -> tuple[FloatArray, FloatArray]:
    """Of eight-node shells: how far the ninth node moves in the surface from where quadratic fields have it.

    First (m, 2, 6f), over motions, along two axes in the surface: zero in rigid motion and, as far as that allows, for every
    quadratic field (to 1e-6; products of x and y that the nodes hardly tell apart fade out, so that nothing depends on round-off
    or on the axes). Second (m,) m: the rise of the nodes over the plane of the center.
    """
    arms = (geometry.points - geometry.points[:, 8:]) / geometry.size[:, None, None]
    up = geometry.normals[:, 8] / np.linalg.norm(geometry.normals[:, 8], axis=1, keepdims=True)
    first = np.cross(np.eye(3)[np.argmin(np.abs(up), axis=1)], up)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    x, y, z = (np.einsum("mfi,mi->mf", arms, axis) for axis in (first, np.cross(up, first), up))
    linear = np.stack([np.ones_like(x), x, y, z], axis=1)[:, :, :8]
    square = np.stack([x * x, np.sqrt(2.0) * x * y, y * y], axis=1)  # the sum of squares does not depend on the axes
    free = np.eye(8) - _faded_inverse(linear, 1e-9) @ linear
    missing = square[:, :, 8] - square[:, :, :8] @ CENTER
    change = _faded_inverse(square[:, :, :8] @ free, 1e-2) @ missing[..., None]
    shares = CENTER + (free @ change)[..., 0]
    out = np.zeros((len(arms), 2, 9, 2, 3))
    flat = np.stack([first, np.cross(up, first)], axis=1)
    out[:, :, 8, 0] = flat
    out[:, :, :8, 0] = -flat[:, :, None] * shares[:, None, :, None]
    return out.reshape(len(arms), 2, 54), np.abs(z).max(axis=1) * geometry.size


def _faded_inverse(matrices: FloatArray, least: float) -> FloatArray:
    """Pseudoinverses; singular values s below ``least`` times the largest fade out as s⁴."""
    u, s, v = np.linalg.svd(matrices, full_matrices=False)
    part = s / np.maximum(s[:, :1], 1e-300)
    inverse = np.divide(part**4, part**4 + least**4) / np.maximum(s, 1e-300)
    return np.asarray((v.transpose(0, 2, 1) * inverse[:, None]) @ u.transpose(0, 2, 1))


def strain_turn(frame: FloatArray) -> FloatArray:
    """(m, g, 3, 3): covariant (rr, ss, 2 rs) to material components (11, 22, 2 12); frame [i, a] = d xi_a / d x_i."""
    a, b = frame[..., 0, 0], frame[..., 0, 1]
    c, d = frame[..., 1, 0], frame[..., 1, 1]
    rows = [(a * a, b * b, a * b), (c * c, d * d, c * d), (2 * a * c, 2 * b * d, a * d + b * c)]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def bowed_strain(geometry: CurvedGeometry) -> FloatArray:
    """(m, 4, 2, 6f) of quadrilaterals: how e_rr and k_rr bow across s at r = ±1/√3 (rows 0, 1), e_ss and k_ss across r (2, 3).

    Coefficients of (3 s² - 1)/2, which the 2 x 2 points do not see. Motions of constant strain or curvature, on sides of any
    shape, are taken out, so that the bows do not disturb them.
    """
    every = covariant_strain(geometry, bow_table())
    m, size = len(every), every.shape[-1]
    rows = []
    for component, start in ((0, 0), (1, 6)):
        part = every[:, start : start + 6][:, :, [component, 3 + component]].reshape(m, 3, 2, 2, size)
        rows.append((part[:, 0] - 2.0 * part[:, 1] + part[:, 2]) / 1.8)
    return without_uniform(geometry, np.concatenate(rows, axis=1))


def without_uniform(geometry: CurvedGeometry, rows: FloatArray) -> FloatArray:
    """Rows (m, ..., 6f) that give zero for rigid motions and motions of constant strain or curvature."""
    smooth = _uniform_motions(geometry)
    flat = rows.reshape(len(rows), -1, rows.shape[-1])
    return np.asarray((flat - (flat @ smooth) @ np.linalg.pinv(smooth)).reshape(rows.shape))


def _uniform_motions(geometry: CurvedGeometry) -> FloatArray:
    """(m, 6f, 12): six rigid motions, three of constant strain and three of constant curvature in the mean plane."""
    m, f = geometry.points.shape[:2]
    arms = geometry.arms / geometry.size[:, None, None]
    base = np.einsum("af,mfi->mai", center_table(f).gradient[0], geometry.points)
    first = base[:, 0] / np.linalg.norm(base[:, 0], axis=1, keepdims=True)
    up = np.cross(base[:, 0], base[:, 1])
    up /= np.linalg.norm(up, axis=1, keepdims=True)
    axes = np.stack([first, np.cross(up, first)], axis=1)
    place = np.einsum("mfi,mai->mfa", arms, axes)
    out = np.zeros((m, f, 2, 3, 12))
    out[:, : 6 if f == 7 else 9, 0, :, :3] = np.eye(3)
    for k in range(3):
        out[:, :, 0, :, 3 + k] = np.cross(np.eye(3)[k], arms)
        out[:, :, 1, :, 3 + k] = np.cross(np.eye(3)[k], geometry.normals) / geometry.size[:, None, None]
    for k, (a, b) in enumerate(_PAIRS):
        stretch = place[..., a, None] * axes[:, None, b] + place[..., b, None] * axes[:, None, a]
        out[:, :, 0, :, 6 + k] = out[:, :, 1, :, 9 + k] = stretch
    return out.reshape(m, 6 * f, 12)
