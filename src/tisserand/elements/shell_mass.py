"""Mass of the shells from a displacement field, in basic axes.

``consistent``: u(x, y, z) = u_0 + z theta x n with bilinear in-plane motion and rotation, and a deflection
that is cubic along the sides (the exact Timoshenko shape of a strip): along side k the deflection departs
from the straight chord by L/8 (beta_b - beta_a) P_k + (2/3) L dbeta_k Q_k. In-plane motion includes the
incompatible modes of the membrane, one and a half times: bent in its plane, a row of elements has strains
that are constant along each, which costs (k L)²/12 of the energy of a wave k; the bow, whose mass is (k L)²/6,
gives it back. All but Nastran's elements carry the inertia of mean curvature and shear that ``shell_inertia`` derives for
their stiffness.
``coupled``: translations only, bilinear. ``lumped``, ``particles``: an equal share of the mass on the
translations of each corner. ``bodies``: corner i moves the share N_i of the mass as a rigid body, which keeps
mass, center and inertia exact.

Displacement fields: theory sections 1.2 and 2.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tisserand.arrays import LEVI_CIVITA, FloatArray
from tisserand.elements.element_data import TurningMasses
from tisserand.elements.mass_field import MassField
from tisserand.elements.shell_bending import mean_curvature, mean_shear, side_rotations
from tisserand.elements.shell_geometry import ShellGeometry, ShellStiffness, physical_gradient, sections_of
from tisserand.elements.shell_inertia import wave_inertia
from tisserand.elements.shell_shapes import SurfaceTable, sides, table
from tisserand.elements.shell_taper import areal_moments, ratio_at
from tisserand.errors import ModelError
from tisserand.model import ShellBlock, StructuralModel

#: In-plane bows of the quads in the mass, beyond those in the stiffness, of usual sections: waves require it
#: (docs/elements-shells-solids.md). Sections that resist divergence far more than shear keep their own bows.
_FURTHER = 0.5
#: C_m / D_m of an isotropic section of nu = 1/2, the least of isotropic ones.
_INCOMPRESSIBLE = 0.25


def point_moments(model: StructuralModel, block: ShellBlock, area: FloatArray, ratio: FloatArray) -> FloatArray:
    """(m, g, 3): mass of points with areas (m, g) and its first and second moments about the NODES' surface, kg, kg m, kg m².

    ratio: ``shell_taper.ratio_at``.
    """
    sections, place = sections_of(model, block)
    per_area = areal_moments(block, sections, place, ratio)
    return np.asarray(area[..., None] * per_area)


def field_points(k: int, recipe: str) -> SurfaceTable:
    """Integration points that integrate the mass of a parallelogram or triangle exactly."""
    if recipe == "consistent":
        return table(k, 4)
    return table(k, 3 if k == 4 else 4)


def surface_field(geometry: ShellGeometry, ratio: FloatArray, at: SurfaceTable) -> FloatArray:
    """(m, g, 3, 6k) displacement of the nodes' surface in local axes over local dofs (without incompatible modes)."""
    k = geometry.corners
    out = np.zeros((len(geometry.area), len(at.points), 3, 6 * k))
    for component in range(3):
        out[:, :, component, component : 6 * k : 6] = at.corner
    bubble, cubic = _side_shapes(geometry, ratio)
    out[:, :, 2] += at.bubble @ bubble + at.cubic @ cubic
    return out


def _side_shapes(geometry: ShellGeometry, ratio: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(m, k, 6k) each: amplitudes of the bubble and of the cubic of every side over local dofs."""
    k = geometry.corners
    length, t = geometry.side_length, geometry.side_direction
    bend = np.zeros((len(length), k, 6 * k))
    for side, (a, b) in enumerate(sides(k)):
        for corner, sign in ((a, -1.0), (b, 1.0)):
            bend[:, side, 6 * corner + 4] += sign * t[:, side, 0]
            bend[:, side, 6 * corner + 3] -= sign * t[:, side, 1]
    bend *= (length / 8.0)[..., None]
    return bend, side_rotations(geometry, ratio) * (2.0 / 3.0 * geometry.side_length)[..., None]


def mass_field(
    model: StructuralModel,
    block: ShellBlock,
    geometry: ShellGeometry,
    recipe: str,
    stiffness: Callable[[], tuple[ShellStiffness, FloatArray]],
) -> MassField:
    """The field of a recipe; ``stiffness``: the section, and the inner motion as in LocalStiffness, where they are needed."""
    m, k = geometry.height.shape
    at = field_points(k, recipe)
    _, det = physical_gradient(geometry.flat, at.corner_gradient)
    moments = point_moments(model, block, det * at.weights, ratio_at(block.taper, at.corner))
    if recipe in ("lumped", "particles"):
        share = (moments[..., 0].sum(axis=1) / k)[:, None, None] * np.eye(k)
        return MassField(_corner_shapes(m, k), share)
    if recipe == "coupled":
        return MassField(_corner_shapes(m, k), _weights(moments[..., 0], at.corner))
    if recipe == "bodies":
        return _bodies(model, block, geometry, moments, at)
    if recipe == "consistent":
        section, inner = stiffness()
        return _consistent(geometry, section, _bows(model, block)[:, None, None] * inner[:, :4], moments, at)
    raise ModelError(
        "unknown mass recipe", found=repr(recipe), expected="consistent, lumped, coupled, particles or bodies"
    )


def _bows(model: StructuralModel, block: ShellBlock) -> FloatArray:
    """(m,): in-plane bows in the mass, of those in the stiffness."""
    sections, place = sections_of(model, block)
    return np.asarray(1.0 + _FURTHER * curl_share(np.array([x.membrane for x in sections]))[place])


def curl_share(stiffness: FloatArray) -> FloatArray:
    """(m,) min(1, 4 C_m / D_m) of membrane stiffness (m, 3, 3) in any axes; 1 where there is none.

    In a wave along e, motion along e costs A_ee and motion across it the shear stiffness about e. Their means over all
    directions: D_m = (3 A_11 + 3 A_22 + 2 A_12 + 4 A_66) / 8, C_m = (A_11 + A_22 - 2 A_12 + 4 A_66) / 8.
    """
    straight, twist = stiffness[:, 0, 0] + stiffness[:, 1, 1], 4.0 * stiffness[:, 2, 2]
    gradient = 3.0 * straight + 2.0 * stiffness[:, 0, 1] + twist
    curl = straight - 2.0 * stiffness[:, 0, 1] + twist
    ratio = np.divide(curl, gradient, out=np.ones_like(curl), where=gradient > 0.0)
    return np.minimum(1.0, np.maximum(ratio, 0.0) / _INCOMPRESSIBLE)


def _weights(mass: FloatArray, functions: FloatArray, others: FloatArray | None = None) -> FloatArray:
    """(m, f, h): int psi_f psi_h dm of functions (g, f) and others (g, h), the same where None; mass (m, g) of the points."""
    others = functions if others is None else others
    products = (functions[:, :, None] * others[:, None, :]).reshape(len(functions), -1)
    return np.asarray((mass @ products).reshape(len(mass), functions.shape[1], -1))


def _corner_shapes(m: int, k: int) -> FloatArray:
    out = np.zeros((m, 3, k, 6 * k))
    for i in range(k):
        for a in range(3):
            out[:, a, i, 6 * i + a] = 1.0
    return out


def _consistent(
    geometry: ShellGeometry, section: ShellStiffness, inner: FloatArray, moments: FloatArray, at: SurfaceTable
) -> MassField:
    """Consistent mass field; ``inner``: amplitudes of the in-plane bows; ``moments``: ``point_moments``.

    Functions: corners, bubbles, cubics, incompatible modes (quads), then corners times the height z, then five that are
    orthogonal to all others and carry the inertia of the mean curvature and of the mean shear.
    """
    m, k = geometry.height.shape
    extra = inner.shape[1] // 2
    functions = [at.corner, at.bubble, at.cubic]
    if extra:
        functions.append(1.0 - at.points**2)
    every = np.hstack(functions)
    f = every.shape[1]
    last = f + k
    size, ratio = last + 5, section.shear_ratio
    weights = np.zeros((m, size, size))
    weights[:, :f, :f] = _weights(moments[..., 0], every)
    weights[:, f:last, :f] = _weights(moments[..., 1], at.corner, every)
    weights[:, :f, f:last] = weights[:, f:last, :f].transpose(0, 2, 1)
    weights[:, f:last, f:last] = _weights(moments[..., 2], at.corner)
    nodes = geometry.to_nodes
    shapes = np.zeros((m, 3, size, 6 * k))
    for a in range(3):
        shapes[:, a, :k] = nodes[:, a::6]
    bubble, cubic = _side_shapes(geometry, ratio)
    shapes[:, 2, k : 2 * k], shapes[:, 2, 2 * k : 3 * k] = bubble @ nodes, cubic @ nodes
    if extra:
        modes = inner @ geometry.to_local
        shapes[:, 0, 3 * k : f], shapes[:, 1, 3 * k : f] = modes[:, :2], modes[:, 2:]
    turns = side_rotations(geometry, ratio)
    bend = mean_curvature(geometry, turns)
    bend[:, 2] *= 0.5
    shapes[:, 2, last : last + 3] = bend @ nodes
    shapes[:, 2, last + 3 :] = mean_shear(geometry, turns, section) @ nodes
    whole = moments.sum(axis=1)
    m0, m1, m2 = np.where(whole[:, :1] > 0.0, whole, [1.0, 0.0, 0.0]).T
    if section.form == "waves":
        bent, sheared = wave_inertia(geometry, section, m2 / m0 - (m1 / m0) ** 2)
        weights[:, last : last + 3, last : last + 3] = whole[:, 0, None, None] * bent
        weights[:, last + 3 :, last + 3 :] = whole[:, 0, None, None] * sheared
    shapes[:, 0, f:last], shapes[:, 1, f:last] = nodes[:, 4::6], -nodes[:, 3::6]
    return MassField(shapes, weights, geometry.axes)


def _bodies(
    model: StructuralModel, block: ShellBlock, geometry: ShellGeometry, moments: FloatArray, at: SurfaceTable
) -> MassField:
    """Functions of corner i: (1, rho) with rho from the corner, on the share N_i of the mass; u = u_i + theta_i x rho."""
    points = model.nodes.positions[block.nodes]
    m, k = geometry.height.shape
    normal = geometry.axes[:, 2]
    up = np.zeros((m, 4))
    up[:, 1:] = normal
    where = np.einsum("gk,mkj->mgj", at.corner, points)
    weights, shapes = np.zeros((m, 4 * k, 4 * k)), np.zeros((m, 3, 4 * k, 6 * k))
    for i in range(k):
        share = moments * at.corner[:, i, None]
        arm = np.ones((m, len(at.points), 4))
        arm[:, :, 1:] = where - points[:, i, None]
        rows = slice(4 * i, 4 * i + 4)
        weights[:, rows, rows] = arm.transpose(0, 2, 1) @ (share[..., :1] * arm)
        mixed = np.einsum("mg,mgp->mp", share[..., 1], arm)[:, :, None] * up[:, None, :]
        weights[:, rows, rows] += mixed + mixed.transpose(0, 2, 1)
        weights[:, rows, rows] += share[..., 2].sum(axis=1)[:, None, None] * up[:, :, None] * up[:, None]
        for a in range(3):
            shapes[:, a, 4 * i, 6 * i + a] = 1.0
        shapes[:, :, 4 * i + 1 : 4 * i + 4, 6 * i + 3 : 6 * i + 6] = LEVI_CIVITA.transpose(0, 2, 1)
    return MassField(shapes, weights)


def turning_pieces(
    model: StructuralModel, block: ShellBlock, geometry: ShellGeometry, ratio: FloatArray, recipe: str
) -> TurningMasses | None:
    """Pieces that rotate with the field.

    Fibers along the normal at the integration points (``consistent``), or the shares of the corners as rigid bodies (``bodies``);
    None if the mass sits on translations only.

    A fiber turns with the interpolated rotation of the corners, drilling included: rigid rotation is then exact.
    """
    if recipe not in ("consistent", "bodies"):
        return None
    m, k = geometry.height.shape
    points, at = model.nodes.positions[block.nodes], field_points(k, recipe)
    _, det = physical_gradient(geometry.flat, at.corner_gradient)
    moments = point_moments(model, block, det * at.weights, ratio_at(block.taper, at.corner))
    if recipe == "bodies":
        weights = _bodies(model, block, geometry, moments, at).weights
        about_corners = np.stack([weights[:, 4 * i : 4 * i + 4, 4 * i : 4 * i + 4] for i in range(k)], axis=1)
        return TurningMasses(points, about_corners, _corner_motions(m, np.eye(k), 3), _corner_motions(m, np.eye(k), 0))
    up = np.zeros((m, 4))
    up[:, 1:] = geometry.axes[:, 2]
    one = np.array([1.0, 0.0, 0.0, 0.0])
    m0, m1, m2 = (moments[..., j, None, None] for j in range(3))
    mixed = (up[:, :, None] * one + one[:, None] * up[:, None, :])[:, None]
    weighted = m0 * np.outer(one, one) + m1 * mixed + m2 * (up[:, :, None] * up[:, None, :])[:, None]
    positions = np.einsum("gk,mkj->mgj", at.corner, points)
    surface = surface_field(geometry, ratio, at) @ geometry.to_nodes[:, None]
    move = np.einsum("mca,mgci->mgai", geometry.axes, surface)
    return TurningMasses(positions, weighted, _corner_motions(m, at.corner, 3), move)


def _corner_motions(m: int, shares: FloatArray, first: int) -> FloatArray:
    """(m, g, 3, 6k): ``shares`` (g, k) of the corners' translations (``first`` 0) or rotations (3)."""
    g, k = shares.shape
    turn = np.zeros((g, 3, 6 * k))
    for a in range(3):
        turn[:, a, first + a :: 6] = shares
    return np.broadcast_to(turn, (m, g, 3, 6 * k))
