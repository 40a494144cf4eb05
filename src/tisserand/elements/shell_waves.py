"""What plane waves require of the stiffness of shells: the energy of the varying curvature.

A parallelogram with half sides g_x, g_y (rows of the center Jacobian) and a wave exp(i k.x) of wave numbers k_x, k_y
along them. Let psi be the potential of the rotations, beta = grad psi, and a = (psi_xxx, psi_xxy, psi_xyy, psi_yyy).
The element knows, from exact corner values, to the second order of its size:

- the mean curvature, less ``d_y (a_2 + r_y a^_1) / 3`` in yy, ``d_x (a_3 + r_x a^_4) / 3`` in xx and plus
  ``(d_y (a^_1 - a_1) + d_x (a^_4 - a_4)) / 3`` in 2 xy, since rotations across a side are linear (r_x = g^xy / g^xx);
- a_2 and a_3 themselves, from the corners; a^_1 = (1 - mu_x) a_1 + mu_x y_x and a^_4 in place of a_1 and a_4, from the
  sides, with mu = phi / (1 + phi) and (phi / 3) y = gamma, the covariant shear F div M of the wave;
- the shear (phi / 3) a^, in place of (phi / 3) y.

Let a' Q a / 3 be the energy of the varying curvature and G that of the shear over a^. Integrating by parts, with fluxes
that vanish on free, clamped and supported edges, the energy is right where ``Q + G = T``, T below. A rotation of the
corners against the wave costs ``3 (Q + G)`` on (a_1, a_4) and meets the residual ``(Q + G) a^ - R a``; the rotations
relax by it, and the energy is right after that where

    ``Q + G - (Q + G - R)' (Q + G)_14^-1 (Q + G - R) = T``   (rows 1 and 4 of Q + G, in a^)

which has one solution: with D = R_1 + R_1' - T_11, U = T_12 - R_2 (blocks 14, 23), ``B = R_1 D^-1 R_1'``,
``C = R_2 + R_1 D^-1 U``, ``S = T_22 + U' D^-1 U``. Thin and thick, skew or not, with any D: waves and edges then have an
error of the fourth order, where DKMQ has one of the second. Nothing is chosen.

Elongated elements: the loss ``M_yy,y a_2`` makes the corners turn by a_2 against the wave. That costs D_yyyy a_2² until they
do, (h_x / h_y)² of what the wave itself has for sides h_x > h_y, and they cannot where rotations are held or vary along x.
By parts, ``M_yy,y a_2 = M_yy,x a_3``, which turns no corner, but whose flux M_yy psi_xyy does not vanish on free edges. The
first form keeps the share ``min(1, T_22 / D_yyyy)``, T_22 = D_xxxx + 2 D_xxyy + 4 D_xyxy the wave's own energy, so that
turning never costs more than that; the second has the rest. Waves, clamped and supported edges stay of the fourth order;
free edges do so to a ratio of sides of 1.55. The skewness r_y likewise raises D_xxxx of a_1 by r_y² D_yyyy, and is limited
to ``sqrt(D_xxxx / D_yyyy)``: skew elements are of the fourth order while h_x / h_y < 1 / cos of their angle. So no energy
grows with the ratio of the sides.

Triangles see three of the four third derivatives only, so no form is right for every direction. DKMT's own, raised to
3/2 - mu/3, is right in the mean over all directions: its error of the second order vanishes there for equilateral and
for halved squares, at any thickness (to 3 % of what it is without; the two numbers are the zeros found on these two
meshes).

What waves as short as the plate is thick require of the mass: ``shell_inertia``.

Derived here; the element it corrects is that of [Katili1993].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.shell_bending import center_jacobian, natural_curvature
from tisserand.elements.shell_geometry import ShellGeometry, ShellStiffness, inverse_2x2

#: Rates of the curvatures (xx, yy, 2 xy) along x and y over a.
_ALONG_X = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, 2, 0, 0]])
_ALONG_Y = np.array([[0.0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 2, 0]])
_ORDER = [0, 3, 1, 2]
#: Most of the plain energy that a bounded element keeps.
_KEPT = 0.05
#: Sine between the reference directions below which an element is a sliver.
_FLATTEST = 0.05
#: Shear ratio beyond which bending carries nothing.
_THICKEST = 1e6


@dataclass(frozen=True, eq=False)
class _Wave:
    """Natural section matrices of m parallelograms.

    bending (m, 3, 3), rates of the moments along x and y (m, 3, 4), skew (m, 2) = (g^xy / g^xx, g^xy / g^yy), y (m, 2, 4) and
    its measured part a^ (m, 2, 4), G (m, 2, 2).
    """

    bending: FloatArray
    along_x: FloatArray
    along_y: FloatArray
    skew: FloatArray
    shear: FloatArray
    measured: FloatArray
    energy: FloatArray


def varying_stiffness(
    geometry: ShellGeometry, section: ShellStiffness, rates: FloatArray, plain: FloatArray
) -> FloatArray:
    """(m, 4, 4) N m: stiffness to add over the third derivatives ``rates`` (m, 4, 12).

    It completes the ``plain`` stiffness (m, 12, 12) of w, theta_x, theta_y at the corners.

    The form is that of the parallelogram of the center. If an element far from it, or an exotic section, would lose
    almost all of its plain energy, a part is kept: half of what the parallelogram keeps, at most a twentieth. Slivers,
    and
    sections without stiffness in some direction or a thousand times thicker than long, keep all of it.
    """
    jacobian = center_jacobian(geometry)
    sine = np.linalg.det(jacobian) / np.linalg.norm(jacobian, axis=2).prod(axis=1)
    stiff = _regular(section.shear_flexibility) | (section.shear_ratio == 0.0).all(axis=1)
    stiff &= (section.shear_ratio < _THICKEST).all(axis=1)
    regular = _regular(section.bending) & stiff & (sine > _FLATTEST)
    least = np.tile(np.eye(4), (len(plain), 1, 1))
    least[regular] = _least_energy(geometry.flat[regular], rates[regular], plain[regular])
    size = np.sqrt(np.abs(np.einsum("mii->mi", least)))
    regular &= np.linalg.eigvalsh(least / (size[:, :, None] * size[:, None]))[:, 0] > 1e-9
    least[~regular] = np.eye(4)
    some = regular[:, None, None]
    bending = np.where(some, section.bending, np.eye(3))
    jacobian = np.where(some, jacobian, np.eye(2))
    wave = _wave(jacobian, bending, np.where(some, section.shear_flexibility, 0.0))
    before = _quadratic(wave.bending, _ALONG_X) + _quadratic(wave.bending, _ALONG_Y)
    before[:, [0, 0, 3, 3], [0, 3, 0, 3]] += wave.energy.reshape(-1, 4)
    after = _right_energy(wave)
    kept = np.clip(0.5 * _relative(after, before)[0].min(axis=1), 1e-5, _KEPT)
    extra = np.where(some, (after - before) * (geometry.area / 3.0)[:, None, None], 0.0)
    values, vectors = _relative(extra, least)
    bounded = (vectors * np.maximum(values, kept[:, None] - 1.0)[:, None]) @ _transposed(vectors)
    return np.where(some, bounded, 0.0)


def _regular(matrices: FloatArray) -> FloatArray:
    """(m,) bool: positive definite by more than a millionth."""
    return np.asarray(np.linalg.eigvalsh(matrices)[:, 0] > 1e-6 * np.trace(matrices, axis1=1, axis2=2))


def _relative(form: FloatArray, to: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Values l and vectors v (columns) with form = sum l v v', to = sum v v'."""
    root = np.linalg.cholesky(to)
    inverse = np.linalg.inv(root)
    values, vectors = np.linalg.eigh(inverse @ form @ inverse.transpose(0, 2, 1))
    return values, np.asarray(root @ vectors)


def _least_energy(flat: FloatArray, rates: FloatArray, plain: FloatArray) -> FloatArray:
    """(m, 4, 4): twice the least energy of the plain element for given third derivatives, which no rigid motion has."""
    m = len(plain)
    rigid = np.zeros((m, 4, 3, 3))
    rigid[:, :, [0, 1, 2], [0, 1, 2]] = 1.0
    rigid[:, :, 0, 1], rigid[:, :, 0, 2] = flat[..., 1], -flat[..., 0]
    scale = np.sqrt(np.einsum("mii->mi", plain))[:, :, None]
    springs = rigid.reshape(m, 12, 3) * scale
    springs /= np.linalg.norm(springs, axis=1, keepdims=True)
    held = plain / (scale * _transposed(scale)) + springs @ _transposed(springs)
    seen = _transposed(rates) / scale
    return np.asarray(np.linalg.inv(_transposed(seen) @ np.linalg.solve(held, seen)))


def _wave(jacobian: FloatArray, bending: FloatArray, flexibility: FloatArray) -> _Wave:
    inverse = inverse_2x2(jacobian)[1]
    metric = _transposed(inverse) @ inverse
    skew = metric[:, 0, 1, None] / np.stack([metric[:, 0, 0], metric[:, 1, 1]], axis=1)
    to_physical = np.linalg.inv(natural_curvature(jacobian))
    natural = to_physical.transpose(0, 2, 1) @ bending @ to_physical
    along_x, along_y = natural @ _ALONG_X, natural @ _ALONG_Y
    flexible = jacobian @ flexibility @ _transposed(jacobian)
    x, y = jacobian.transpose(2, 0, 1)
    along = np.stack([x * x, y * y, 2.0 * x * y], axis=-1)
    length = (jacobian**2).sum(axis=2)
    stiff = np.maximum(np.einsum("mka,mab,mkb->mk", along, bending, along), 0.0) / length**2
    flexing = np.einsum("mkk->mk", flexible) / length
    phi = 3.0 * stiff * flexing / length
    thick = (phi > 1e-12).all(axis=1)
    phi[~thick] = 0.0
    forces = np.stack([along_x[:, 0] + along_y[:, 2], along_x[:, 2] + along_y[:, 1]], axis=1)
    known = np.zeros((len(phi), 2, 4))
    known[:, 0, 0] = known[:, 1, 3] = 1.0
    shear = np.where(
        thick[:, None, None], 3.0 * (flexible @ forces) / np.where(thick[:, None], phi, 1.0)[..., None], known
    )
    seen = (phi / (1.0 + phi))[..., None]
    energy = np.linalg.inv(np.where(thick[:, None, None], flexible, np.eye(2))) / 3.0
    energy = energy * phi[:, :, None] * phi[:, None, :]
    return _Wave(natural, along_x, along_y, skew, shear, known + seen * (shear - known), energy)


def _turned_shares(bending: FloatArray) -> FloatArray:
    """(m, 2): parts of the losses of M_xx and M_yy that turn the corners, 1 to a ratio of sides of 1.55."""
    stiff = bending[:, [0, 1], [0, 1]]
    own = stiff[:, ::-1] + 2.0 * bending[:, 0, 1, None] + 4.0 * bending[:, 2, 2, None]
    return np.clip(own / stiff, 0.0, 1.0)


def _limited_skew(wave: _Wave) -> FloatArray:
    """(m, 2): the skewness, as far as it at most doubles the energy of (a_4, a_1)."""
    stiff = wave.bending[:, [0, 1], [0, 1]]
    most = np.sqrt(stiff[:, ::-1] / stiff)
    return np.clip(wave.skew, -most, most)


def _right_energy(wave: _Wave) -> FloatArray:
    """(m, 4, 4): Q + G over a^."""
    m, mx, my = len(wave.bending), wave.along_x, wave.along_y
    r_x, r_y = _limited_skew(wave).T[..., None]
    turned_x, turned_y = _turned_shares(wave.bending).T[..., None, None]
    unit = np.broadcast_to(np.eye(4), (m, 4, 4))
    first, last = wave.measured[:, 0], wave.measured[:, 1]
    lost = (
        turned_y * _product(my[:, 1], unit[:, 1])
        + (1.0 - turned_y) * _product(mx[:, 1], unit[:, 2])
        + turned_x * _product(mx[:, 0], unit[:, 2])
        + (1.0 - turned_x) * _product(my[:, 0], unit[:, 1])
        + _product(my[:, 1], r_y * first)
        + _product(mx[:, 0], r_x * last)
        - _product(my[:, 2], first - unit[:, 0])
        - _product(mx[:, 2], last - unit[:, 3])
    )
    right = _quadratic(wave.bending, _ALONG_X) + _quadratic(wave.bending, _ALONG_Y) + lost + _transposed(lost)
    right = right + _transposed(wave.shear) @ wave.energy @ wave.shear
    balance = np.stack([mx[:, 0] + r_y * my[:, 1], my[:, 1] + r_x * mx[:, 0]], axis=1)
    balance = balance + wave.energy @ wave.shear
    seen = unit.copy()
    seen[:, 0], seen[:, 3] = first, last
    back = np.linalg.inv(seen)
    right = (back.transpose(0, 2, 1) @ right @ back)[:, _ORDER][:, :, _ORDER]
    balance = (balance @ back)[:, :, _ORDER]
    near, far = balance[:, :, :2], balance[:, :, 2:]
    inner = np.linalg.inv(near + _transposed(near) - right[:, :2, :2])
    gap = right[:, :2, 2:] - far
    out = np.empty((m, 4, 4))
    out[:, :2, :2] = near @ inner @ _transposed(near)
    out[:, :2, 2:] = far + near @ inner @ gap
    out[:, 2:, :2] = _transposed(out[:, :2, 2:])
    out[:, 2:, 2:] = right[:, 2:, 2:] + _transposed(gap) @ inner @ gap
    return out[:, np.argsort(_ORDER)][:, :, np.argsort(_ORDER)]


def _transposed(matrices: FloatArray) -> FloatArray:
    return matrices.transpose(0, 2, 1)


def _product(left: FloatArray, right: FloatArray) -> FloatArray:
    return left[:, :, None] * right[:, None, :]


def _quadratic(matrices: FloatArray, rates: FloatArray) -> FloatArray:
    return np.asarray(rates.T @ matrices @ rates)
