"""Bending of thick quads whose section resists the divergence of its rotations far more than their curl.

``shell_waves`` takes the rotations of a wave as the gradient of a potential: what an element sees of a rotation that
varies as x y then determines the curvatures it does not see. A thick plate (phi >> 1) is free to turn its normals
otherwise, beta = curl
chi, and does so near edges, folds and nodal moments, in layers thinner than an element. In a wave along e, a gradient costs
D_ee, the stiffness of the curvature along e; a curl costs C_ee, that of the twist about e. Their means over all directions,

    ``D_m = (3 D_11 + 3 D_22 + 2 D_12 + 4 D_66) / 8``,   ``C_m = (D_11 + D_22 - 2 D_12 + 4 D_66) / 8``,

are the same in any axes. C_m / D_m is (1 - nu) / 2 in an isotropic section and about 0.3 in laminates of unidirectional plies
at any angle: both kinds cost about the same, and waves decide. Where it is far smaller (fabrics given with nu12 near one),
the potential requires D_m where rotations with a curl need only C_m: the element locks.

The relaxed element leaves open what it does not see. Rotations are bilinear with the four incompatible modes of the membrane
([Taylor1976]): on a parallelogram the moments are M_xx = m_1 + m_4 y, M_yy = m_2 + m_5 x, M_xy = m_3, for any D, as in the
hybrid element of [Pian1984]. Shear is constant along each side; its flexibility along a reference direction e of half length
|g| has the bow of the side added, F_ee + |g|² / (3 D_ee) (the residual bending flexibility of [MacNeal1978]), so that thin
sides are Euler's beams.

The stiffness is ``(1 - tau) K_waves + tau K_relaxed`` with

    ``tau = (1 - min(1, 4 C_m / D_m)) / (1 + (6 / phi)⁴)``   (the second factor averaged over the sides).

C_m / D_m = 1/4 is the least of isotropic sections (nu = 1/2): they, and all others above it, keep K_waves exactly. phi =
12 D F / L² compares the length sqrt(D F) over which rotations die out with a side; phi = 6 and the fourth power fit the
clamped squares of many sections (static, 8 x 8), where K_waves is the better one below phi = 5 and K_relaxed above 20. The
mean curvature is that of K_waves, with the bubbles of the sides (small where phi is large): the forces of a constant moment
are the same, so patch tests pass for any tau of the neighbors.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.elements.shell_bending import center_jacobian, corner_curvature, side_shear
from tisserand.elements.shell_geometry import ShellGeometry, ShellStiffness, incompatible_strain, physical_gradient
from tisserand.elements.shell_shapes import sides, table

_Rows = TypeVar("_Rows", ShellGeometry, ShellStiffness)

#: Local dofs w, theta_x, theta_y of a quad.
BENDING = np.add.outer(6 * np.arange(4), [2, 3, 4]).ravel()
#: C_m / D_m of an isotropic section of nu = 1/2.
_INCOMPRESSIBLE = 0.25
#: phi at which half is relaxed.
_HALF_RELAXED = 6.0


def curl_share(stiffness: FloatArray) -> FloatArray:
    """(m,) min(1, 4 C_m / D_m) of bending or membrane stiffness (m, 3, 3) in any axes; 1 where there is none."""
    straight, twist = stiffness[:, 0, 0] + stiffness[:, 1, 1], 4.0 * stiffness[:, 2, 2]
    gradient = 3.0 * straight + 2.0 * stiffness[:, 0, 1] + twist
    curl = straight - 2.0 * stiffness[:, 0, 1] + twist
    ratio = np.divide(curl, gradient, out=np.ones_like(curl), where=gradient > 0.0)
    return np.minimum(1.0, np.maximum(ratio, 0.0) / _INCOMPRESSIBLE)


def relaxation(section: ShellStiffness) -> FloatArray:
    """(m,) tau of quads: the part of the bending stiffness that is relaxed; zero for isotropic, thin and singular sections."""
    values = np.linalg.eigvalsh(section.bending)
    regular = values[:, 0] > 1e-6 * values.sum(axis=1)
    size = np.minimum(section.shear_ratio / _HALF_RELAXED, 1e6) ** 4
    thick = (size / (1.0 + size)).mean(axis=1)
    return np.where(regular, thick * (1.0 - curl_share(section.bending)), 0.0)


def relaxed_stiffness(geometry: ShellGeometry, section: ShellStiffness, mean: FloatArray) -> FloatArray:
    """(m, 12, 12) over w, theta_x, theta_y of quads with mean curvatures ``mean`` (m, 3, 12); membrane free at every point."""
    at = table(4, 2)
    det = physical_gradient(geometry.flat, at.corner_gradient)[1]
    area = det * at.weights
    corner = corner_curvature(geometry, at)[..., BENDING]
    corner -= np.einsum("mg,mgan->man", area / area.sum(axis=1, keepdims=True), corner)[:, None]
    bend = np.concatenate([corner, incompatible_strain(geometry, at, det)], axis=3)
    full = _summed(bend, area[..., None, None] * (section.bending[:, None] @ bend))
    slip = side_shear(geometry, at) @ _chords(geometry)[:, None]
    out = full[:, :12, :12] + _summed(slip, area[..., None, None] * (_bowed_shear(geometry, section)[:, None] @ slip))
    out += _summed(mean, area.sum(axis=1)[:, None, None] * (section.bending @ mean))
    cross = full[:, 12:, :12]
    out -= cross.transpose(0, 2, 1) @ np.linalg.solve(full[:, 12:, 12:], cross)
    return np.asarray(0.5 * (out + out.transpose(0, 2, 1)))


def rows_of(data: _Rows, rows: IntArray) -> _Rows:
    """Geometry or sections of some elements."""
    values: dict[str, Any] = {field.name: getattr(data, field.name) for field in fields(data)}
    some: dict[str, Any] = {name: value if value is None else value[rows] for name, value in values.items()}
    return replace(data, **some)


def _chords(geometry: ShellGeometry) -> FloatArray:
    """(m, 4, 12): w_b - w_a + L (beta_sa + beta_sb) / 2 of the sides."""
    out = np.zeros((len(geometry.area), 4, 12))
    for side, (a, b) in enumerate(sides(4)):
        edge = 0.5 * geometry.side_length[:, side, None] * geometry.side_direction[:, side]
        out[:, side, 3 * a], out[:, side, 3 * b] = -1.0, 1.0
        for corner in (a, b):
            out[:, side, 3 * corner + 2] = edge[:, 0]
            out[:, side, 3 * corner + 1] = -edge[:, 1]
    return out


def _bowed_shear(geometry: ShellGeometry, section: ShellStiffness) -> FloatArray:
    """(m, 2, 2): shear stiffness with the bow of the sides."""
    jacobian = center_jacobian(geometry)
    flexible = jacobian @ section.shear_flexibility @ jacobian.transpose(0, 2, 1)
    for k in range(2):
        x, y = jacobian[:, k].T
        along = np.stack([x * x, y * y, 2.0 * x * y], axis=-1)  # D_ee |g|^4
        stiff = np.einsum("ma,mab,mb->m", along, section.bending, along)
        flexible[:, k, k] += (x * x + y * y) ** 4 / (3.0 * stiff)
    return np.asarray(jacobian.transpose(0, 2, 1) @ np.linalg.solve(flexible, jacobian))


def _summed(left: FloatArray, right: FloatArray) -> FloatArray:
    """(m, n, n): left' right over points and rows."""
    m, n = len(left), left.shape[-1]
    return np.asarray(left.reshape(m, -1, n).transpose(0, 2, 1) @ right.reshape(m, -1, n))
