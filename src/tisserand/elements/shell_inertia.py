"""What plane waves require of the mass of shells: inertia of the mean curvature and of the mean shear.

A wave w, beta = -grad w + gamma of wave number k, components along the half sides as in ``shell_waves``; gamma = F div M and
m omega² w = -div S gamma. In waves as short as the plate is thick, s = k² D F is not small, and the shear has errors of the
second order of the mesh size:

- the shear of a side is constant, which costs (k_x² + k_y² + 2 r k_x k_y) / 3 of the shear energy if what varies across has
  the weight 2 - 2 r², r = 2 S^xy / (S^xx + S^yy);
- the deflection follows from corners and their rotations and lacks the bow of gamma: (2/3) m grad w . gamma of the mass.

With m omega² w = -div S gamma the two leave ``m grad w . Z gamma`` wanting, ``Z = (g_x g_x + g_y g_y - r (g_x g_y + g_y g_x)) /
3`` with g the half sides. In grad w = gamma - beta the first part is an inertia of the shear, ``m gamma . Z gamma``; the second,
integrated by parts with gamma = F div M, is one of the curvature, ``m kappa : (Z F M)`` with M = D kappa. Both vanish in every
rigid motion, and a motion that costs no bending energy has none of the second. Waves of isotropic plates then have an error of
the fourth order for any s. Other sections have rotations with a curl where s is not small, which ``shell_waves`` does not
foresee: a part of the error of the second order remains.

Rotary inertia m i²: linear rotations lack (2/3) (k_x² + k_y²) of it. It also takes part in the shear, gamma = F (div M + m i²
omega² beta), from which ``shell_waves`` infers curvature. What a rotation of the corners meets there, ``(Q + G) a^ - R a``,
makes the energy of thick isotropic parallelograms wrong by that of an inertia ``(2/3) i² sin⁴ kappa_xy ((g^xx + g^yy) kappa_xy
+ g^xy (kappa_xx + kappa_yy))``, components along the sides, which is taken away. Squares of the rotary inertia are left out.

The mass of the bow w_xxyy inside, which the sides do not show, is 2/9 m kappa_xy² after integration by parts.

Triangles: ``Z = sum e e' / 24`` over the sides e, by the same balance in the mean over all directions.

Derived here; the elements are those of [Katili1993].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.shell_bending import center_jacobian, obliqueness
from tisserand.elements.shell_geometry import ShellGeometry, ShellStiffness, inverse_2x2

#: Tensors of the curvatures (xx, yy, xy).
_TENSORS = np.array([[[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])


def wave_inertia(
    geometry: ShellGeometry, section: ShellStiffness, gyration: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Per mass: (m, 3, 3) m⁴ over the mean curvatures (xx, yy, xy) and (m, 2, 2) m² over the mean shear (x, y).

    gyration (m,): i², m².
    """
    twice = 2.0 * gyration[:, None, None]
    if geometry.corners == 3:
        sides = geometry.side_direction * geometry.side_length[..., None]
        size = np.einsum("mka,mkb->mab", sides, sides) / 24.0
        return _not_negative(_bending_form(size, section) + twice * _isotropic(size)), size
    jacobian = center_jacobian(geometry)
    plain = _transposed(jacobian) @ jacobian / 3.0
    mixed = jacobian[:, 0, :, None] * jacobian[:, 1, None, :]
    size = plain - (obliqueness(geometry, section) / 3.0)[:, None, None] * (mixed + _transposed(mixed))
    twist = _row(mixed)
    inside = 2.0 / 9.0 * twist[:, :, None] * twist[:, None, :]
    turning = _isotropic(plain) - _inferred(jacobian, twist)
    return _not_negative(_bending_form(size, section) + twice * turning + inside), size


def _inferred(jacobian: FloatArray, twist: FloatArray) -> FloatArray:
    """(m, 3, 3): what quads infer from the shear of their rotary inertia, per i²."""
    inverse = inverse_2x2(jacobian)[1]
    metric = _transposed(inverse) @ inverse
    sine = 1.0 / ((jacobian[:, 0] ** 2).sum(axis=1) * metric[:, 0, 0])
    along = _row(jacobian[:, 0, :, None] * jacobian[:, 0, None]) + _row(jacobian[:, 1, :, None] * jacobian[:, 1, None])
    both = np.trace(metric, axis1=1, axis2=2)[:, None] * twist + metric[:, 0, 1, None] * along
    form = twist[:, :, None] * both[:, None, :] * (sine**2 / 6.0)[:, None, None]
    return np.asarray(form + _transposed(form))


def _row(arms: FloatArray) -> FloatArray:
    """(m, 3): a . kappa b over (xx, yy, xy) from the products a b (m, 2, 2)."""
    return np.stack([arms[:, 0, 0], arms[:, 1, 1], arms[:, 0, 1] + arms[:, 1, 0]], axis=-1)


def _transposed(matrices: FloatArray) -> FloatArray:
    return matrices.transpose(0, 2, 1)


def _bending_form(size: FloatArray, section: ShellStiffness) -> FloatArray:
    """(m, 3, 3): kappa : (Z F D kappa) over (xx, yy, xy)."""
    arms = size @ section.shear_flexibility
    moments = section.bending * np.array([1.0, 1.0, 2.0])
    form = np.einsum("iad,mac,kcd,mkj->mij", _TENSORS, arms, _TENSORS, moments, optimize=True)
    return np.asarray(0.5 * (form + _transposed(form)))


def _not_negative(form: FloatArray) -> FloatArray:
    """Forms (m, 3, 3) over (xx, yy, xy) without their negative parts."""
    unit = np.array([1.0, 1.0, np.sqrt(0.5)])  # the squares of (xx, yy, xy) over it add up to kappa : kappa
    values, vectors = np.linalg.eigh(form * np.outer(unit, unit))
    vectors = vectors / unit[:, None]
    return np.asarray((vectors * np.maximum(values, 0.0)[:, None]) @ vectors.transpose(0, 2, 1))


def _isotropic(size: FloatArray) -> FloatArray:
    """(m, 3, 3): tr(kappa Z kappa) over (xx, yy, xy)."""
    return np.asarray(np.einsum("iad,mab,jbd->mij", _TENSORS, size, _TENSORS, optimize=True))
