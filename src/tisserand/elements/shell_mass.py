"""Mass of the shells from a displacement field, in basic axes.

``consistent``: u(x, y, z) = u_0 + z theta x n with bilinear in-plane motion and rotation, and a deflection
that is cubic along the sides (the exact Timoshenko shape of a strip): along side k the deflection departs
from the straight chord by L/8 (beta_b - beta_a) P_k + (2/3) L dbeta_k Q_k; in-plane motion includes the
incompatible modes of the membrane. ``coupled``: translations only, bilinear. ``lumped``, ``particles``: an
equal share of the mass on the translations of each corner. ``bodies``: corner i moves the share N_i of the
mass as a rigid body, which keeps mass, centre and inertia exact.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.elements.shell_bending import side_rotations
from tisserand.elements.shell_geometry import ShellGeometry, physical_gradient, sections_of
from tisserand.elements.shell_shapes import SurfaceTable, sides, table
from tisserand.elements.types import DIRECTIONS
from tisserand.errors import ModelError
from tisserand.model import ShellBlock, StructuralModel


def thickness_moments(model: StructuralModel, block: ShellBlock) -> FloatArray:
    """(m, 3): mass per area (kg/m²) and its first and second moments about the NODES' surface (offset
    included).
    """
    sections, place = sections_of(model, block)
    m0, m1, m2 = np.array([[x.areal_mass, x.areal_first_moment, x.areal_inertia] for x in sections])[place].T
    o = np.asarray(block.offset)
    return np.stack([m0, m1 + o * m0, m2 + 2.0 * o * m1 + o * o * m0], axis=1)


def field_points(k: int, recipe: str) -> SurfaceTable:
    """Integration points that integrate the mass of a parallelogram or triangle exactly."""
    if recipe == "consistent":
        return table(k, 4)
    return table(k, 3 if k == 4 else 4)


def surface_field(geometry: ShellGeometry, ratio: FloatArray, at: SurfaceTable) -> FloatArray:
    """(m, g, 3, 6k) displacement of the nodes' surface in local axes over local dofs."""
    k = geometry.corners
    m, g = len(geometry.area), len(at.points)
    out = np.zeros((m, g, 3, 6 * k))
    for component in range(3):
        out[:, :, component, component : 6 * k : 6] = at.corner
    length, t = geometry.side_length, geometry.side_direction
    bend = np.zeros((m, k, 6 * k))
    for side, (a, b) in enumerate(sides(k)):
        for corner, sign in ((a, -1.0), (b, 1.0)):
            bend[:, side, 6 * corner + 4] += sign * t[:, side, 0]
            bend[:, side, 6 * corner + 3] -= sign * t[:, side, 1]
    turns = side_rotations(geometry, ratio)
    out[:, :, 2] += np.einsum("gk,mk,mkd->mgd", at.bubble, length / 8.0 * _curving(ratio), bend)
    out[:, :, 2] += np.einsum("gk,mk,mkd->mgd", at.cubic, 2.0 / 3.0 * length, turns)
    return out


def _curving(ratio: FloatArray) -> FloatArray:
    """How much more the deflection of a side curves than its rotations tell, because shear varies along it.

    In a wave k, w'' = -beta' (1 + k² D/S) with k² D/S = phi (k L)²/12: taken at one radian per side, and
    bounded, since waves shorter than the thickness do not matter.
    """
    return np.asarray(1.0 + ratio / 12.0 / (1.0 + ratio / 4.0))


def inner_field(at: SurfaceTable) -> FloatArray:
    """(g, 2, 4) in-plane motion of the incompatible modes."""
    out = np.zeros((len(at.points), 2, 4))
    out[:, 0, :2] = out[:, 1, 2:] = 1.0 - at.points**2
    return out


def turn_field(k: int, at: SurfaceTable) -> FloatArray:
    """(g, 3, 6k): theta x n in local axes, the motion per unit height above the nodes' surface."""
    out = np.zeros((len(at.points), 3, 6 * k))
    out[:, 0, 4::6] = at.corner
    out[:, 1, 3::6] = -at.corner
    return out


def mass_factors(
    model: StructuralModel,
    block: ShellBlock,
    geometry: ShellGeometry,
    ratio: FloatArray,
    inner: FloatArray,
    recipe: str,
) -> FloatArray:
    """(m, 3, 6k, p): factors X_a with M^{ab} = X_a X_b', in basic axes; ``inner`` as in LocalStiffness."""
    m, k = geometry.height.shape
    moments = thickness_moments(model, block)
    if recipe in ("lumped", "particles"):
        out = np.zeros((m, 3, 6 * k, k))
        for i in range(k):
            for a in range(3):
                out[:, a, 6 * i + a, i] = np.sqrt(moments[:, 0] * geometry.area / k)
        return out
    at = field_points(k, recipe)
    _, det = physical_gradient(geometry.flat, at.corner_gradient)
    weight = np.sqrt(det * at.weights)  # (m, g)
    if recipe == "coupled":
        values = weight[:, None, :] * np.sqrt(moments[:, 0])[:, None, None] * at.corner.T  # (m, k, g)
        out = np.zeros((m, 3, 6 * k, len(at.points)))
        for a in range(3):
            out[:, a, a::6] = values
        return out
    root = np.sqrt(moments[:, 0])
    lever = np.divide(moments[:, 1], root, out=np.zeros_like(root), where=root > 0.0)
    spread = np.sqrt(np.maximum(moments[:, 2] - lever**2, 0.0))
    if recipe == "bodies":
        return _body_factors(model, block, geometry, at, weight, root, lever, spread)
    if recipe != "consistent":
        raise ModelError(
            "unknown mass recipe",
            found=repr(recipe),
            expected="consistent, lumped, coupled, particles or bodies",
        )
    field = surface_field(geometry, ratio, at) @ geometry.to_nodes[:, None]
    if inner.shape[1]:
        field[:, :, :2] += inner_field(at) @ (inner @ geometry.to_local)[:, None]
    turn = turn_field(k, at) @ geometry.to_nodes[:, None]
    w = weight[:, :, None, None]
    first = w * (root[:, None, None, None] * field + lever[:, None, None, None] * turn)
    stack = np.concatenate([first, w * spread[:, None, None, None] * turn], axis=1)
    return np.asarray(np.einsum("mgcd,mca->madg", stack, geometry.axes, optimize=True))


def _body_factors(
    model: StructuralModel,
    block: ShellBlock,
    geometry: ShellGeometry,
    at: SurfaceTable,
    weight: FloatArray,
    root: FloatArray,
    lever: FloatArray,
    spread: FloatArray,
) -> FloatArray:
    points = model.nodes.positions[block.nodes]
    m, k = geometry.height.shape
    g = len(at.points)
    normal = geometry.axes[:, 2]
    out = np.zeros((m, 3, 6 * k, 2 * k * g))
    where = np.einsum("gk,mkj->mgj", at.corner, points)
    for i in range(k):
        share = weight * np.sqrt(np.maximum(at.corner[:, i], 0.0))
        arm = (where - points[:, i, None]) * root[:, None, None] + (lever[:, None] * normal)[:, None]
        first, second = slice(2 * i * g, (2 * i + 1) * g), slice((2 * i + 1) * g, (2 * i + 2) * g)
        for a in range(3):
            out[:, a, 6 * i + a, first] = share * root[:, None]
        out[:, :, 6 * i + 3 : 6 * i + 6, first] = -(skew(arm) * share[..., None, None]).transpose(0, 2, 3, 1)
        thick = -skew(spread[:, None] * normal)[..., None] * share[:, None, None, :]
        out[:, :, 6 * i + 3 : 6 * i + 6, second] = thick
    return out


def shell_mass(factors: FloatArray) -> FloatArray:
    """(m, 6k, 6k) = sum_a X_a X_a'."""
    m, _, size, p = factors.shape
    flat = factors.transpose(0, 2, 1, 3).reshape(m, size, 3 * p)
    return np.asarray(flat @ flat.transpose(0, 2, 1))


def shell_directional_mass(factors: FloatArray) -> FloatArray:
    """(m, 6, 6k, 6k) in the order of DIRECTIONS."""
    return np.stack([factors[:, a] @ factors[:, b].transpose(0, 2, 1) for a, b in DIRECTIONS], axis=1)
