"""Mass of the shells with midside nodes from a displacement field, in basic axes.

``consistent``: u + z theta x n with the functions of the stiffness (the ninth node follows its statics), rotations
interpolated, n the normal of the surface; mass, center and inertia are those of the curved surface. ``coupled``: translations
only. ``lumped``, ``particles``: nodal particles by the scaled diagonal (corners 3/76, midside nodes 16/76 of a rectangle;
corners 1/19, midside nodes 16/57 of a straight triangle), all positive. ``bodies``: node i moves the share N_i²/sum N_j² of
the mass as a rigid body.

Displacement fields: theory sections 1.2 and 2; scaled diagonal: [Hinton1976].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import LEVI_CIVITA, FloatArray
from tisserand.elements.curved_geometry import CurvedGeometry, curved_ratio
from tisserand.elements.curved_shapes import CENTER, gauss_table
from tisserand.elements.curved_surface import SurfacePoints, surface_points
from tisserand.elements.element_data import TurningMasses
from tisserand.elements.mass_field import MassField
from tisserand.elements.shell_mass import point_moments
from tisserand.errors import ModelError
from tisserand.model import ShellBlock, StructuralModel


@dataclass(frozen=True, eq=False)
class _Spread:
    """Mass at g points.

    moments (m, g, 3) of the mass of each point through the thickness, kg, kg m, kg m²; nodal (m, g, k) values of the nodes'
    functions; spread (m, f, k) of the f functions over them.
    """

    at: SurfacePoints
    moments: FloatArray
    nodal: FloatArray
    spread: FloatArray


def _spread(model: StructuralModel, block: ShellBlock, geometry: CurvedGeometry) -> _Spread:
    at = surface_points(geometry.points, gauss_table(geometry.functions, 4))
    spread = nodal_spread(geometry)
    nodal = np.einsum("gf,mfk->mgk", at.table.values, spread)
    moments = point_moments(model, block, at.area, curved_ratio(block, at.table))
    return _Spread(at, moments, nodal, spread)


def nodal_spread(geometry: CurvedGeometry) -> FloatArray:
    """(m, f, k): values of the functions over those of the nodes; straight sides and the ninth node follow the others."""
    m, f, k = len(geometry.points), geometry.functions, geometry.nodes
    out = np.zeros((m, f, k))
    out[:, range(k), range(k)] = 1.0
    sides = geometry.straight.shape[1]
    for side in range(sides):
        mean = 0.5 * (out[:, side] + out[:, (side + 1) % sides])
        out[:, sides + side] = np.where(geometry.straight[:, side, None], mean, out[:, sides + side])
    if k == 8:
        out[:, k] = np.einsum("f,mfk->mk", CENTER, out[:, :k])
    return out


def curved_mass_field(
    model: StructuralModel, block: ShellBlock, geometry: CurvedGeometry, motion: FloatArray, recipe: str
) -> MassField:
    """The field of a recipe; ``motion`` as in CurvedStiffness."""
    part = _spread(model, block, geometry)
    if recipe == "consistent":
        return _consistent(geometry, part, motion)
    if recipe == "bodies":
        return _bodies(model, block, part)
    m, k = len(part.nodal), geometry.nodes
    shapes = np.zeros((m, 3, k, 6 * k))
    for a in range(3):
        shapes[:, a, range(k), 6 * np.arange(k) + a] = 1.0
    weights = np.einsum("mg,mgi,mgj->mij", part.moments[..., 0], part.nodal, part.nodal, optimize=True)
    if recipe == "coupled":
        return MassField(shapes, weights)
    if recipe in ("lumped", "particles"):
        own = np.einsum("mii->mi", weights)
        scale = part.moments[..., 0].sum(axis=1) / np.maximum(own.sum(axis=1), 1e-300)
        return MassField(shapes, (scale[:, None] * own)[..., None] * np.eye(k))
    raise ModelError(
        "unknown mass recipe", found=repr(recipe), expected="consistent, lumped, coupled, particles or bodies"
    )


def _consistent(geometry: CurvedGeometry, part: _Spread, motion: FloatArray) -> MassField:
    """Functions: N_i for translations, then N_i n_c for the rotations, c over the basic axes, then the inner rotation."""
    m, f, k = part.spread.shape
    values, normal = part.at.table.values, part.at.normal
    lever = (values[None, :, :, None] * normal[:, :, None]).reshape(m, len(values), 3 * f)
    if geometry.inner:
        lever = np.concatenate([lever, np.broadcast_to(values[:, k:], (m, len(values), 1))], axis=2)
    last = f + lever.shape[2]
    weights = np.zeros((m, last, last))
    weights[:, :f, :f] = np.einsum("mg,gi,gj->mij", part.moments[..., 0], values, values, optimize=True)
    weights[:, :f, f:] = np.einsum("mg,gi,mgj->mij", part.moments[..., 1], values, lever, optimize=True)
    weights[:, f:, :f] = weights[:, :f, f:].transpose(0, 2, 1)
    weights[:, f:, f:] = (part.moments[..., 2, None] * lever).transpose(0, 2, 1) @ lever
    moving = motion.reshape(m, f, 2, 3, 6 * k)
    shapes = np.zeros((m, 3, last, 6 * k))
    shapes[:, :, :f] = moving[:, :, 0].transpose(0, 2, 1, 3)
    rotating = np.zeros((m, 3, f, 3, k, 6))
    rotating[..., 3:] = np.einsum("mfk,abc->mafckb", part.spread, LEVI_CIVITA)  # (theta x n)_a = eps_abc theta_b n_c
    shapes[:, :, f : 4 * f] = rotating.reshape(m, 3, 3 * f, 6 * k)
    if geometry.inner:
        follows = np.einsum("mack,mc->mak", rotating.reshape(m, 3, f, 3, 6 * k)[:, :, k], geometry.normals[:, k])
        shapes[:, :, 4 * f] = moving[:, k, 1] - follows
    return MassField(shapes, weights)


def _bodies(model: StructuralModel, block: ShellBlock, part: _Spread) -> MassField:
    """Functions of node i: (1, rho) from the node, on its share of the mass; u = u_i + theta_i x rho."""
    moments = _body_moments(model, block, part)
    m, k = moments.shape[:2]
    weights, shapes = np.zeros((m, 4 * k, 4 * k)), np.zeros((m, 3, 4 * k, 6 * k))
    for i in range(k):
        rows = slice(4 * i, 4 * i + 4)
        weights[:, rows, rows] = moments[:, i]
        for a in range(3):
            shapes[:, a, 4 * i, 6 * i + a] = 1.0
        shapes[:, :, 4 * i + 1 : 4 * i + 4, 6 * i + 3 : 6 * i + 6] = LEVI_CIVITA.transpose(0, 2, 1)
    return MassField(shapes, weights)


def _body_moments(model: StructuralModel, block: ShellBlock, part: _Spread) -> FloatArray:
    """(m, k, 4, 4): int (1, rho)(1, rho)' dm of the share of each node about it."""
    share = part.nodal**2
    share /= share.sum(axis=2, keepdims=True)
    m, g, k = share.shape
    place = np.einsum("gf,mfk,mki->mgi", part.at.table.values, part.spread, model.nodes.positions[block.nodes])
    arm = np.ones((m, g, k, 4))
    arm[..., 1:] = place[:, :, None] - model.nodes.positions[block.nodes][:, None]
    up = np.zeros((m, g, 4))
    up[..., 1:] = part.at.normal
    weight = part.moments[:, :, None] * share[..., None]  # (m, g, k, 3)
    out = np.einsum("mgk,mgkp,mgkq->mkpq", weight[..., 0], arm, arm, optimize=True)
    mixed = np.einsum("mgk,mgkp,mgq->mkpq", weight[..., 1], arm, up, optimize=True)
    own = np.einsum("mgk,mgp,mgq->mkpq", weight[..., 2], up, up, optimize=True)
    return np.asarray(out + mixed + mixed.transpose(0, 1, 3, 2) + own)


def curved_turning(
    model: StructuralModel, block: ShellBlock, geometry: CurvedGeometry, motion: FloatArray, recipe: str
) -> TurningMasses | None:
    """Fibers along the normal (``consistent``), shares of the nodes as rigid bodies (``bodies``), else None."""
    part = _spread(model, block, geometry)
    m, f, k = part.spread.shape
    if recipe == "bodies":
        turns = np.zeros((2, k, 3, k, 6))
        for i in range(k):
            turns[0, i, :, i, :3] = turns[1, i, :, i, 3:] = np.eye(3)
        move, turn = np.broadcast_to(turns.reshape(2, 1, k, 3, 6 * k), (2, m, k, 3, 6 * k))
        return TurningMasses(model.nodes.positions[block.nodes], _body_moments(model, block, part), turn, move)
    if recipe != "consistent":
        return None
    values = part.at.table.values
    up = np.zeros((*part.at.area.shape, 4))
    up[..., 1:] = part.at.normal
    one = np.array([1.0, 0.0, 0.0, 0.0])
    m0, m1, m2 = (part.moments[..., j, None, None] for j in range(3))
    mixed = up[..., :, None] * one + one[:, None] * up[..., None, :]
    moments = m0 * np.outer(one, one) + m1 * mixed + m2 * up[..., :, None] * up[..., None, :]
    rotating = np.zeros((m, len(values), 3, k, 6))
    for a in range(3):
        rotating[:, :, a, :, 3 + a] = part.nodal
    moving = np.einsum("gf,mfaj->mgaj", values, motion.reshape(m, f, 2, 3, 6 * k)[:, :, 0], optimize=True)
    positions = np.einsum("gf,mfi->mgi", values, geometry.points)
    return TurningMasses(positions, moments, rotating.reshape(m, len(values), 3, 6 * k), moving)
