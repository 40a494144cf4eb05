"""Geometric stiffness of the shells from their complete stress state: membrane forces, moments and shear forces.

The normal turns as ``d = exp(theta) n``. The second-degree part of the Green-Lagrange strain of u + z (d - n),
times the stress and integrated through the thickness, is

``Pi = int N_ab u_c,a u_c,b / 2 + M_ab u_g,a beta_g,b + P_ab beta_g,a beta_g,b / 2 + Q_a u_g,a beta_g dA + D``

(a, b, g in the plane, c over all three directions) with beta = theta x n; N, M, P = int (1, z, z²) sigma dz; D is the
work of the moments on ``theta x (theta x n) / 2``. The second-degree parts of the normal strain and of the shear
strain with z cancel.

It is taken in axes that turn with the element (``turned_forces``), so that rigid rotation is exact. The mean rotation
works on the nodal forces and moments of the element, which hold Q and D; motion relative to it gives the integrals of
N, M and P. There D is ``(theta . n)(theta . (m x n)) / 2`` at every node: summed over elements in balance it puts no
stiffness on the rotation about the normal. Shear acts along the sides: the element ties the rotation of side k to its
chord by ``c = w_b - w_a + int beta_s ds``, to which Q's integrand ``u_g,s beta_g`` belongs at the second degree, times
the force that the tie carries. The deflection bows between the corners, the same on both sides of an edge, so that N
also works on mean slope times bow; in a uniform state this cancels between neighbors.

All is linear in the stress: strains, fields and turns are prepared once for any number of states.

Green-Lagrange strain: [Zienkiewicz2000]; moments: [Argyris1978]; serves theory section 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.elements.shell_bending import curvature, normal_bows, shear_strain, third_derivatives
from tisserand.elements.shell_geometry import (
    ShellGeometry,
    ShellStiffness,
    inverse_2x2,
    jacobian_at,
    physical_gradient,
    sections_of,
)
from tisserand.elements.shell_macneal import slip_stiffness, slips
from tisserand.elements.shell_mass import field_points, surface_field
from tisserand.elements.shell_normals import node_normals
from tisserand.elements.shell_shapes import SurfaceTable, center, sides
from tisserand.elements.shell_strain import LocalStiffness, generalized_strain, stiffness_points
from tisserand.elements.shell_taper import ratio_at
from tisserand.elements.turned_forces import on_turns, relative_turns, turning_stiffness
from tisserand.model import ShellBlock, StructuralModel
from tisserand.model.laminate import third_moment


def stressed(
    model: StructuralModel,
    block: ShellBlock,
    geometry: ShellGeometry,
    section: ShellStiffness,
    local: LocalStiffness,
    moved: FloatArray,
) -> Iterator[FloatArray]:
    """(m, 6k, 6k) for each of the p states ``moved`` (m, 6k, p), nodal displacements in basic axes."""
    m, _, states = moved.shape
    flat = geometry.to_local @ moved
    forces = (geometry.to_local.transpose(0, 2, 1) @ (local.matrix @ flat)).reshape(m, -1, 6, states)
    arms = model.nodes.positions[block.nodes]
    arms = arms - arms.mean(axis=1, keepdims=True)
    turn_local = _mean_rotation(geometry) @ geometry.to_local
    turn = geometry.axes.transpose(0, 2, 1) @ turn_local
    relative = geometry.to_local - _rigid_rotation(geometry) @ turn_local
    ratio, directors = section.shear_ratio, _directors(model, block, geometry)
    # fewer points than those of the field would let the deflection bow past the stress
    fine, coarse = field_points(geometry.corners, "consistent"), stiffness_points(geometry.corners)
    pull = _stress(geometry, section, local, section.at(fine)[0][:, :, :3], fine, flat)
    stress = _stress(geometry, section, local, _stress_moments(model, block, section, coarse), coarse, flat)
    bows = _gradient(geometry, fine, lambda at: _bow(geometry, ratio, at)) @ geometry.to_local[:, None, None]
    slope = np.stack([-turn_local[:, 1], turn_local[:, 0]], axis=1)
    tilt = _gradient(geometry, fine, lambda at: _corner_fields(geometry, at, (2,))) @ relative[:, None, None]
    tilt += bows
    moving = _gradient(geometry, coarse, lambda at: _corner_fields(geometry, at, (0, 1)))
    turning = _gradient(geometry, coarse, lambda at: _normal_field(geometry, section, at))
    moving, turning = moving @ relative[:, None, None], turning @ relative[:, None, None]
    held = _side_forces(geometry, section, local, stress[:, :, 1], flat)
    chords, leans = _sides_moving(geometry, section)
    chords, leans = chords @ relative[:, None], leans @ relative[:, None]
    for i in range(states):
        k = turning_stiffness(arms, forces[..., i], turn)
        k += _paired(tilt, _on(pull[:, :, 0, :, i], tilt))
        k += _bowed(slope, _on(pull[:, :, 0, :, i], bows))
        n, m1, m2 = (stress[:, :, j, :, i] for j in range(3))
        k += _paired(moving, _on(n, moving) + _on(m1, turning))
        k += _paired(turning, _on(m1, moving) + _on(m2, turning))
        mixed = _paired(chords, held[:, :, None, None, i] * leans)
        k += mixed + mixed.transpose(0, 2, 1)
        k += _turned_normals(directors, forces[:, :, 3:, i], turn)
        if block.offset.any():
            k += _offset_normals(geometry.axes[:, 2], block.offset, forces[:, :, :3, i], turn)
        yield k


def _mean_rotation(geometry: ShellGeometry) -> FloatArray:
    """(m, 3, 6k): rotation of the middle of the element over local dofs, local axes."""
    k = geometry.corners
    gradient = physical_gradient(geometry.flat, center(k).corner_gradient)[0][:, 0]
    out = np.zeros((len(gradient), 3, 6 * k))
    out[:, 0, 2::6] = gradient[:, 1]
    out[:, 1, 2::6] = -gradient[:, 0]
    out[:, 2, 1::6] = 0.5 * gradient[:, 0]
    out[:, 2, 0::6] = -0.5 * gradient[:, 1]
    return out


def _rigid_rotation(geometry: ShellGeometry) -> FloatArray:
    """(m, 6k, 3): local dofs of unit rotations about the local axes."""
    m, k = geometry.height.shape
    place = np.zeros((m, k, 3))
    place[..., :2] = geometry.flat
    out = np.zeros((m, k, 6, 3))
    out[:, :, :3] = -skew(place)
    out[:, :, 3:] = np.eye(3)
    return out.reshape(m, 6 * k, 3)


def _stress(
    geometry: ShellGeometry,
    section: ShellStiffness,
    local: LocalStiffness,
    moments: FloatArray,
    at: SurfaceTable,
    flat: FloatArray,
) -> FloatArray:
    """(m, g, q, 3, p): the q moments of the stress (rows of ``moments`` (m, g or 1, 3 q, 6)), times the area of the point."""
    strain, measure = generalized_strain(geometry, section, at)
    m, g = measure.shape
    every = np.concatenate([flat, local.inner @ flat], axis=1) if strain.shape[-1] > flat.shape[1] else flat
    generalized = (strain.reshape(m, 6 * g, -1) @ every).reshape(m, g, 6, -1)
    force = (moments @ generalized) * measure[..., None, None]
    return np.asarray(force.reshape(m, g, -1, 3, force.shape[-1]))


def _stress_moments(model: StructuralModel, block: ShellBlock, section: ShellStiffness, at: SurfaceTable) -> FloatArray:
    """(m, g or 1, 9, 6): N, M, P over strains and curvatures, element axes: [A B; B' D; D F], F = int Q z³ dz."""
    sections, place = sections_of(model, block)
    third = np.array([third_moment(x) for x in sections])[place]
    strain = section.to_material
    ratio = ratio_at(block.taper, at.corner)[..., None, None]
    turned = ratio**4 * (strain.transpose(0, 2, 1) @ third @ strain)[:, None]
    generalized = section.at(at)[0]
    second = np.concatenate([generalized[:, :, 3:, 3:], turned], axis=3)
    return np.concatenate([generalized, second], axis=2)


def _corner_fields(geometry: ShellGeometry, at: SurfaceTable, components: tuple[int, ...]) -> FloatArray:
    """(m, g, c, 6k): bilinear displacements over local dofs."""
    out = np.zeros((len(geometry.area), len(at.points), len(components), 6 * geometry.corners))
    for row, component in enumerate(components):
        out[:, :, row, component::6] = at.corner
    return out


def _bow(geometry: ShellGeometry, ratio: FloatArray, at: SurfaceTable) -> FloatArray:
    """(m, g, 1, 6k): deflection between the corners."""
    return surface_field(geometry, ratio, replace(at, corner=np.zeros_like(at.corner)))[:, :, 2:]


def _normal_field(geometry: ShellGeometry, section: ShellStiffness, at: SurfaceTable) -> FloatArray:
    """(m, g, 2, 6k): beta_x, beta_y, bilinear with the bubbles of the sides."""
    bubbles = geometry.side_direction[..., None] * normal_bows(geometry, section)[:, :, None]
    out = np.einsum("gk,mkbn->mgbn", at.bubble, bubbles)
    out[:, :, 0, 4::6] += at.corner
    out[:, :, 1, 3::6] -= at.corner
    return np.asarray(out)


def _gradient(geometry: ShellGeometry, at: SurfaceTable, field: Callable[[SurfaceTable], FloatArray]) -> FloatArray:
    """(m, g, 2, c, 6k): d/dx, d/dy of a field (m, g, c, 6k) that is linear in the values of a table."""
    along = [
        field(
            replace(
                at,
                corner=at.corner_gradient[:, axis],
                bubble=at.bubble_gradient[:, axis],
                cubic=at.cubic_gradient[:, axis],
            )
        )
        for axis in range(2)
    ]
    jacobian = jacobian_at(geometry.flat, at.corner_gradient)
    inverse = inverse_2x2(jacobian)[1][..., None, None]
    return np.stack([inverse[:, :, a, 0] * along[0] + inverse[:, :, a, 1] * along[1] for a in range(2)], axis=2)


def _on(stress: FloatArray, gradient: FloatArray) -> FloatArray:
    """S_ab g_b at every point: stress (m, g, 3) as (11, 22, 12), gradient (m, g, 2, c, 6k)."""
    a, b, c = (stress[..., j, None, None] for j in range(3))
    x, y = gradient[:, :, 0], gradient[:, :, 1]
    return np.stack([a * x + c * y, c * x + b * y], axis=2)


def _paired(left: FloatArray, right: FloatArray) -> FloatArray:
    """(m, 6k, 6k): left' right over points, directions and components."""
    m, n = len(left), left.shape[-1]
    return np.asarray(left.reshape(m, -1, n).transpose(0, 2, 1) @ right.reshape(m, -1, n))


def _bowed(slope: FloatArray, pulled: FloatArray) -> FloatArray:
    """Second variation of int slope_a N_ab bow,b dA; slope (m, 2, 6k) of the whole element, pulled (m, g, 2, 1, 6k)."""
    mixed = slope.transpose(0, 2, 1) @ pulled[:, :, :, 0].sum(axis=1)
    return np.asarray(mixed + mixed.transpose(0, 2, 1))


def _side_forces(
    geometry: ShellGeometry, section: ShellStiffness, local: LocalStiffness, moment: FloatArray, flat: FloatArray
) -> FloatArray:
    """(m, k, p) N: what the tie of side k between its rotation and its chord carries; moment (m, g, 3, p) times area."""
    if section.form == "nastran":
        return slip_stiffness(geometry, section) @ (slips(geometry) @ flat)
    k, ratio, at = geometry.corners, section.shear_ratio, stiffness_points(geometry.corners)
    turns = normal_bows(geometry, section)
    unit = np.zeros((len(ratio), k, 6 * k))
    unit[:, range(k), range(k)] = 1.0
    bend = curvature(geometry, unit, ratio, at) - curvature(geometry, 0.0 * unit, ratio, at)
    on_bubble = np.einsum("mgak,mgap->mkp", bend[..., :k], moment, optimize=True)
    slip = shear_strain(geometry, unit, section, at)[..., :k]
    measure = physical_gradient(geometry.flat, at.corner_gradient)[1] * at.weights
    force = section.at(at)[1] @ (shear_strain(geometry, turns, section, at) @ flat[:, None]) * measure[..., None, None]
    on_bubble += np.einsum("mgak,mgap->mkp", slip, force, optimize=True)
    if local.varying is not None:
        rates = third_derivatives(geometry, turns) @ flat
        of_unit = (third_derivatives(geometry, unit) - third_derivatives(geometry, 0.0 * unit))[..., :k]
        on_bubble += of_unit.transpose(0, 2, 1) @ (local.varying @ rates)
    return np.asarray(on_bubble * (-1.5 / (1.0 + ratio) / geometry.side_length)[..., None])


def _sides_moving(geometry: ShellGeometry, section: ShellStiffness) -> tuple[FloatArray, FloatArray]:
    """(m, k, 2, 6k) each over local dofs: stretch and turn u_b - u_a of a side in the plane, and its mean beta."""
    k = geometry.corners
    chord = np.zeros((len(geometry.area), k, 2, 6 * k))
    lean = 2.0 / 3.0 * geometry.side_direction[..., None] * normal_bows(geometry, section)[:, :, None]
    for side, (a, b) in enumerate(sides(k)):
        for corner, sign in ((a, -1.0), (b, 1.0)):
            chord[:, side, 0, 6 * corner] = chord[:, side, 1, 6 * corner + 1] = sign
            lean[:, side, 0, 6 * corner + 4] += 0.5
            lean[:, side, 1, 6 * corner + 3] -= 0.5
    return chord, lean


def _directors(model: StructuralModel, block: ShellBlock, geometry: ShellGeometry) -> FloatArray:
    """(m, k, 3) normals that turn with the nodes, basic axes."""
    own = geometry.axes[:, None, 2]
    director = node_normals(model)[block.nodes]
    director = np.where(np.einsum("mki,mji->mk", director, own)[..., None] < 0.0, -director, director)
    return np.where((director == 0.0).all(axis=-1, keepdims=True), own, director)


def _turned_normals(directors: FloatArray, moments: FloatArray, turn: FloatArray) -> FloatArray:
    """Second variation of (theta . n)(theta . (m x n)) / 2 over the relative rotations theta - Omega of the nodes."""
    mixed = directors[..., :, None] * np.cross(moments, directors)[..., None, :]
    return on_turns(relative_turns(turn, moments.shape[1]), 0.5 * (mixed + mixed.transpose(0, 1, 3, 2)))


def _offset_normals(normal: FloatArray, offset: FloatArray, forces: FloatArray, turn: FloatArray) -> FloatArray:
    """Second variation of -o (f . n)(theta x n)² / 2 over the relative rotations.

    It is the part of f . (theta x (theta x o n)) / 2 not covered by the moments o n x f of ``_turned_normals``, for corners that
    sit o above their nodes.
    """
    tilt = np.eye(3) - normal[:, :, None] * normal[:, None, :]
    lift = -offset[:, None] * np.einsum("mki,mi->mk", forces, normal)
    return on_turns(relative_turns(turn, forces.shape[1]), lift[..., None, None] * tilt[:, None])
