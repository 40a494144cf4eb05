"""Bending of shells as in Nastran: CQUAD4 and CTRIA3, after MacNeal.

Rotations are linear between the corners; curvatures of quads have the incompatible modes of the membrane ([Taylor1976]), as
their strains have: the twist is that of the center, and bending across is free of Poisson's effect. Transverse shear comes
from the slips of the sides, ``e = w_b - w_a + L (beta_sa + beta_sb) / 2``, and its flexibility F has the residual bending
flexibility added, the bow that a side of linear rotations lacks ([MacNeal1978]): a row of elements is Timoshenko's beam.

Quads, with half sides g_1, g_2 (rows of the center Jacobian J), lengths l_k = |g_k| and natural shears ``c_1 = e / 2`` on the
two sides along g_1: the means m of opposite sides have the flexibility ``J F J' + Z``, ``Z_kk = f_k / sin² a``,
``Z_12 = cos a sqrt(Z_11 Z_22)``, a the angle of g_1 and g_2, ``f_k = h_k⁴ / (3 D_k)``, h_k = l_k sin a half the distance of the
sides along g_j, D_k the bending stiffness across them. A row of parallelograms that bends about these sides is then a strip of
that width: exactly if the sides are equally long or the element is a rectangle, else while it is thin. Half the differences d,
less what a uniform shear has in a tapered element, vary linearly across and have ``1 / S_kk + a_k f_k``, S = (J F J')^-1,
``a_k = epsilon / (epsilon + (1 - epsilon) l_k² / l_j²)``, j the other direction, epsilon = 1/40. The energy is
``A (m' .. m + d_k .. d_k / 3) / 2``.

Triangles: the shear strains of the sides are ``e_k / L_k = gamma . t_k + gamma_0``. The uniform part has the flexibility
``Z = F + sum L_k² t_k t_k' / (24 D_kk)``, the circulation gamma_0 has tr(Z) / 2; the energy is
``A (gamma' Z^-1 gamma + 2 gamma_0² / tr Z) / 2``.

epsilon, and the form for triangles, were found from frequencies that Nastran lists (``plate_py``: four, one number; one quad
and one triangle of ``random_test_bar_plus_tri``: six, four numbers), which they reproduce to 1e-7. The published epsilon is
0.04. What D_kk means for anisotropic triangles and gamma_0 for other shapes is a choice; it does not follow from those decks.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.shell_bending import center_jacobian, corner_curvature
from tisserand.elements.shell_geometry import ShellGeometry, ShellStiffness, incompatible_strain, inverse_2x2
from tisserand.elements.shell_shapes import SurfaceTable, sides

#: Part of the residual bending flexibility that the difference of opposite sides of a square has.
EPSILON = 0.025


def free_curvature(geometry: ShellGeometry, at: SurfaceTable, det: FloatArray) -> FloatArray:
    """(m, g, 3, 6k [+ 4]) curvatures; quads carry the four incompatible modes of beta_x and beta_y in extra columns."""
    corner = corner_curvature(geometry, at)
    if geometry.corners == 3:
        return corner
    return np.concatenate([corner, incompatible_strain(geometry, at, det)], axis=3)


def slips(geometry: ShellGeometry) -> FloatArray:
    """(m, k, 6k): w_b - w_a + L (beta_sa + beta_sb) / 2 of the sides over local dofs."""
    k = geometry.corners
    out = np.zeros((len(geometry.area), k, 6 * k))
    for side, (a, b) in enumerate(sides(k)):
        edge = 0.5 * geometry.side_length[:, side, None] * geometry.side_direction[:, side]
        out[:, side, 6 * a + 2], out[:, side, 6 * b + 2] = -1.0, 1.0
        for corner in (a, b):
            out[:, side, 6 * corner + 4] = edge[:, 0]
            out[:, side, 6 * corner + 3] = -edge[:, 1]
    return out


def slip_stiffness(geometry: ShellGeometry, section: ShellStiffness) -> FloatArray:
    """(m, k, k) N/m: forces of the sides over their slips."""
    return _of_triangles(geometry, section) if geometry.corners == 3 else _of_quads(geometry, section)


def slip_force(geometry: ShellGeometry, section: ShellStiffness) -> FloatArray:
    """(m, 2, 6k) N/m: mean transverse shear force over local dofs; a uniform shear gamma slips sides by L t . gamma."""
    edge = (geometry.side_length / geometry.area[:, None])[..., None] * geometry.side_direction
    return np.asarray(edge.transpose(0, 2, 1) @ slip_stiffness(geometry, section) @ slips(geometry))


#: Means and half differences of the natural shears of opposite sides over the slips; sides run along +1, +2, -1, -2.
_MEANS = np.array([[0.25, 0.0, -0.25, 0.0], [0.0, 0.25, 0.0, -0.25]])
_DIFFERENCES = np.array([[-0.25, 0.0, -0.25, 0.0], [0.0, 0.25, 0.0, 0.25]])
_TAPER = np.array([0.25, -0.25, 0.25, -0.25])


def _of_quads(geometry: ShellGeometry, section: ShellStiffness) -> FloatArray:
    jacobian = center_jacobian(geometry)
    square = (jacobian**2).sum(axis=2)
    across = jacobian[:, ::-1, ::-1] * np.array([-1.0, 1.0])  # normals of the other sides, as long as these
    area = np.linalg.det(jacobian)
    stiff = 3.0 * _along(across, section.bending) / area[:, None] ** 4  # 1 / f
    product = np.sqrt(square.prod(axis=1))
    bow = np.tile(np.eye(2), (len(area), 1, 1))
    bow[:, 0, 1] = bow[:, 1, 0] = (jacobian[:, 0] * jacobian[:, 1]).sum(axis=1) / product
    flexible = jacobian @ section.shear_flexibility @ jacobian.transpose(0, 2, 1)
    root = np.sqrt(stiff) * (area / product)[:, None]
    inner = bow + root[:, :, None] * flexible * root[:, None, :]
    mean = root[:, :, None] * np.linalg.inv(inner) * root[:, None, :]
    other = flexible[:, [1, 0], [1, 0]]
    mixed = np.divide(flexible[:, 0, 1, None] ** 2, other, out=np.zeros_like(other), where=other > 0.0)
    alone = flexible[:, [0, 1], [0, 1]] - mixed
    share = EPSILON / (EPSILON + (1.0 - EPSILON) * square / square[:, ::-1])
    differ = stiff / (share + stiff * alone) / 3.0
    taper = np.einsum("k,mkb,mba->ma", _TAPER, geometry.flat, inverse_2x2(jacobian)[1], optimize=True)
    rows = _DIFFERENCES - (taper @ _MEANS)[:, None]
    out = _MEANS.T @ mean @ _MEANS + rows.transpose(0, 2, 1) @ (differ[..., None] * rows)
    return np.asarray(geometry.area[:, None, None] * out)


def _of_triangles(geometry: ShellGeometry, section: ShellStiffness) -> FloatArray:
    t, length = geometry.side_direction, geometry.side_length
    stiff = _along(t, section.bending)
    bends = np.asarray((stiff > 0.0).all(axis=1))
    bow = length**2 / np.where(bends[:, None], 24.0 * stiff, 1.0)
    flexible = section.shear_flexibility + np.einsum("mk,mka,mkb->mab", bow, t, t)
    uniform, round_ = _triangle_parts(geometry)
    out = uniform.transpose(0, 2, 1) @ np.linalg.solve(flexible, uniform)
    out += round_[:, :, None] * round_[:, None] * (2.0 / np.trace(flexible, axis1=1, axis2=2))[:, None, None]
    return np.asarray((bends * geometry.area)[:, None, None] * out)


def _triangle_parts(geometry: ShellGeometry) -> tuple[FloatArray, FloatArray]:
    """Uniform shear (m, 2, 3) and circulation over the perimeter (m, 3) over the slips."""
    t, length = geometry.side_direction, geometry.side_length
    round_ = np.broadcast_to(1.0 / length.sum(axis=1)[:, None], length.shape)
    left = np.eye(3) - length[:, :, None] * round_[:, None]  # slips without the circulation
    metric = np.einsum("mk,mka,mkb->mab", length, t, t)
    return np.linalg.solve(metric, t.transpose(0, 2, 1) @ left), round_


def _along(direction: FloatArray, bending: FloatArray) -> FloatArray:
    """(m, k): D over directions (m, k, 2), times their length to the fourth power; never negative."""
    x, y = direction[..., 0], direction[..., 1]
    rows = np.stack([x * x, y * y, 2.0 * x * y], axis=-1)
    return np.asarray(np.maximum(np.einsum("mka,mab,mkb->mk", rows, bending, rows, optimize=True), 0.0))
