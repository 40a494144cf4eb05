"""Geometric stiffness of the shells with midside nodes from membrane forces, moments and transverse shear.

Normals turn as d = exp(theta) n, so the fibers move by beta = theta x n and, to the second degree, theta x (theta x n)/2.
The second-degree part of the covariant strains of ``curved_strain``, taken at the same places as the strains and times the
same stress, is

``Pi = int N_ab u,a . u,b / 2 + M_ab u,a . beta,b + Q_a u,a . beta + P_ab b,a . b,b / 2 dA + sum_i D_i . d2_i``

with d2 = theta x (theta x n)/2, D_i the force of the element on beta_i, and b = beta less the mean rotation. The strains are
zero in finite rotations of rigid bodies, so a rigid rotation phi gives phi x f and phi x m/2 at every node, exactly. Forces
of the bows and of the drilling springs turn with the mean rotation of the element (``turned_forces``).

Green-Lagrange strain: [Zienkiewicz2000]; moments: [Argyris1978]; serves theory section 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.elements.curved_geometry import CurvedGeometry, curved_ratio, material_frame
from tisserand.elements.curved_shapes import gauss_table, shear_interpolation, shear_table
from tisserand.elements.curved_stiffness import CurvedSection, CurvedStiffness, linear_forces, shear_order, strain_order
from tisserand.elements.curved_strain import sampled, strain_turn
from tisserand.elements.curved_surface import surface_points
from tisserand.elements.shell_geometry import sections_of
from tisserand.elements.turned_forces import turning_stiffness
from tisserand.model import ShellBlock, StructuralModel
from tisserand.model.laminate import third_moment


@dataclass(frozen=True, eq=False)
class _Stress:
    """Weights of the second-degree strains in one state.

    Covariant (rr, ss, rs) times area at the strain points for e, k and z², (m, g, 3) each; shear (m, p, 2) at the points of
    ``shear_table``; pull (m, g, 3) membrane forces in material axes times area.
    """

    membrane: FloatArray
    bending: FloatArray
    second: FloatArray
    shear: FloatArray
    pull: FloatArray


def curved_stressed(
    model: StructuralModel,
    block: ShellBlock,
    geometry: CurvedGeometry,
    section: CurvedSection,
    stiffness: CurvedStiffness,
    moved: FloatArray,
) -> Iterator[FloatArray]:
    """(m, 6k, 6k) for each of the p states ``moved`` (m, 6k, p), nodal displacements in basic axes."""
    m, f, k = len(moved), geometry.functions, geometry.nodes
    motion = stiffness.motion.reshape(m, f, 2, 3, 6 * k)
    turn = _mean_rotation(geometry, motion[:, :, 0])
    relative = motion[:, :, 1] - np.einsum("mfij,mjk->mfik", -skew(geometry.normals), turn)
    rotation = _rotations(geometry, stiffness)
    squared = _second_moments(model, block, geometry)
    for state in range(moved.shape[2]):
        u = moved[:, :, state]
        q = np.einsum("mij,mj->mi", stiffness.motion, u)
        stress = _stress(block, geometry, section, stiffness, squared, q)
        first, mixed, third, director = _scalars(geometry, stress)
        pull = np.einsum("mij,mjad->miad", first, motion[:, :, 0]) + np.einsum("mij,mjad->miad", mixed, motion[:, :, 1])
        out = _paired(motion[:, :, 0], pull)
        out += _paired(motion[:, :, 1], np.einsum("mji,mjad->miad", mixed, motion[:, :, 0]))
        out += _paired(relative, np.einsum("mij,mjad->miad", third, relative))
        forces = linear_forces(stiffness, section, u, stress.pull).reshape(m, f, 2, 3)
        out += _turned(geometry, forces, turn, motion)
        director = _on_nodes(geometry, director + forces[:, :, 1])
        out += _turned_directors(geometry.normals, director, rotation)
        if f == 7:
            out += _turned_bubble(director[:, 6], turn, motion[:, 6, 1])
        spring = stiffness.spring[:, None] * np.einsum("mki,mi->mk", stiffness.drilling, u)
        springs = np.einsum("mki,mk->mi", stiffness.drilling, spring).reshape(m, k, 6)
        arms = model.nodes.positions[block.nodes]
        out += turning_stiffness(arms - arms.mean(axis=1, keepdims=True), springs, turn)
        yield 0.5 * (out + out.transpose(0, 2, 1))


def _mean_rotation(geometry: CurvedGeometry, moving: FloatArray) -> FloatArray:
    """(m, 3, 6k): rotation that fits the translations of all functions best; exact in rigid motion."""
    cross = skew(geometry.arms)
    inertia = np.einsum("mfji,mfjk->mik", cross, cross)
    return np.asarray(np.linalg.solve(inertia, np.einsum("mfij,mfjk->mik", cross, moving)))


def _rotations(geometry: CurvedGeometry, stiffness: CurvedStiffness) -> FloatArray:
    """(m, f, 3, 6k): rotation of every node; of the ninth function, which has none, that across the normal, n x beta / n²."""
    m, f, k = len(geometry.points), geometry.functions, geometry.nodes
    motion = stiffness.motion.reshape(m, f, 2, 3, 6 * k)[:, :, 1]
    n = geometry.normals
    length = np.maximum((n**2).sum(axis=-1), 1e-12)
    out = np.einsum("mfij,mfjk->mfik", skew(n), motion) / length[..., None, None]
    for i in range(k):
        out[:, i] = 0.0
        out[:, i, :, 6 * i + 3 : 6 * i + 6] = np.eye(3)
    return np.asarray(out)


def _stress(
    block: ShellBlock,
    geometry: CurvedGeometry,
    section: CurvedSection,
    stiffness: CurvedStiffness,
    squared: FloatArray,
    q: FloatArray,
) -> _Stress:
    f, order = geometry.functions, strain_order(geometry)
    at = surface_points(geometry.points, gauss_table(f, order))
    turn = strain_turn(material_frame(block, at))
    strain = np.einsum("mgij,mj->mgi", stiffness.strain, q)
    force = np.einsum("mgij,mgj->mgi", np.broadcast_to(section.generalized, (*at.area.shape, 6, 6)), strain)
    high = np.einsum("mgij,mgj->mgi", np.broadcast_to(squared, (*at.area.shape, 3, 6)), strain)
    n, m1, m2 = (
        np.einsum("mgij,mgi->mgj", turn, part) * at.area[..., None] for part in (force[..., :3], force[..., 3:], high)
    )
    fine = surface_points(geometry.points, gauss_table(f, shear_order(geometry)))
    slip = np.einsum("mgij,mj->mgi", stiffness.shear, q)
    pushed = np.einsum("mgij,mgj->mgi", np.broadcast_to(section.shear, (*fine.area.shape, 2, 2)), slip)
    pushed = np.einsum("mgia,mgi->mga", material_frame(block, fine), pushed) * fine.area[..., None]
    samples = np.einsum("gan,mga->mn", shear_interpolation(f, shear_order(geometry)), pushed)
    lines = np.einsum("mnpa,mn->mpa", sampled(geometry), samples)
    return _Stress(n, m1, m2, lines, force[..., :3] * at.area[..., None])


def _second_moments(model: StructuralModel, block: ShellBlock, geometry: CurvedGeometry) -> FloatArray:
    """(m, g or 1, 3, 6): int z² sigma dz over strains and curvatures, z from the nodes' surface, material axes."""
    sections, place = sections_of(model, block)
    third = np.array([third_moment(x) for x in sections])[place]
    bend = np.array([x.bending for x in sections])[place]
    a, b = (np.array([getattr(x, word) for x in sections])[place] for word in ("membrane", "coupling"))
    ratio = curved_ratio(block, gauss_table(geometry.functions, strain_order(geometry)))[..., None, None]
    a, b, bend, third = (ratio**power * part[:, None] for power, part in enumerate((a, b, bend, third), 1))
    o = np.asarray(block.offset)[:, None, None, None]
    on_strain = bend + 2.0 * o * b + o * o * a
    on_curvature = third + 3.0 * o * bend + 3.0 * o * o * b + o**3 * a
    return np.concatenate([on_strain, on_curvature], axis=3)


def _scalars(geometry: CurvedGeometry, stress: _Stress) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Sums over the points: u with u, u with beta, beta with beta (m, f, f), and the force on beta (m, f, 3)."""
    f = geometry.functions
    at, lines = gauss_table(f, strain_order(geometry)), shear_table(f)
    rows = [_on_pairs(at.gradient, part) for part in (stress.membrane, stress.bending, stress.second)]
    first, mixed, third = (np.einsum("gai,mgaj->mij", at.gradient, row, optimize=True) for row in rows)
    mixed = mixed + np.einsum("nai,mna,nj->mij", lines.gradient, stress.shear, lines.values, optimize=True)
    base = np.einsum("gaf,mfi->mgai", at.gradient, geometry.points)
    director = np.einsum("mgaf,mgai->mfi", rows[1], base, optimize=True)
    along = np.einsum("naf,mfi->mnai", lines.gradient, geometry.points)
    director = director + np.einsum("nf,mna,mnai->mfi", lines.values, stress.shear, along, optimize=True)
    return first, mixed, third, director


def _on_pairs(gradient: FloatArray, stress: FloatArray) -> FloatArray:
    """(m, g, 2, f): S_ab N,b."""
    r, s = gradient[None, :, 0], gradient[None, :, 1]
    a, b, c = (stress[..., j, None] for j in range(3))
    return np.stack([a * r + c * s, c * r + b * s], axis=2)


def _paired(left: FloatArray, right: FloatArray) -> FloatArray:
    m, size = len(left), left.shape[-1]
    return np.asarray(left.reshape(m, -1, size).transpose(0, 2, 1) @ right.reshape(m, -1, size))


def _turned(geometry: CurvedGeometry, forces: FloatArray, turn: FloatArray, motion: FloatArray) -> FloatArray:
    """Stiffness of balanced forces (m, f, 2, 3) on u and beta that turn with the mean rotation."""
    arms = np.stack([geometry.arms, geometry.normals], axis=2)
    lever = np.einsum("mfcij,mfcjk->mik", skew(forces), motion)
    mixed = turn.transpose(0, 2, 1) @ lever
    virial = np.einsum("mfci,mfcj->mij", forces, arms)
    own = 0.5 * (virial + virial.transpose(0, 2, 1)) - np.trace(virial, axis1=1, axis2=2)[:, None, None] * np.eye(3)
    return np.asarray(mixed + mixed.transpose(0, 2, 1) + turn.transpose(0, 2, 1) @ own @ turn)


def _on_nodes(geometry: CurvedGeometry, director: FloatArray) -> FloatArray:
    """Forces on beta (m, f, 3) with those of missing midside nodes moved to the corners, whose mean they follow."""
    out, sides = director.copy(), geometry.straight.shape[1]
    for side in range(sides):
        half = np.where(geometry.straight[:, side, None], 0.5 * director[:, sides + side], 0.0)
        out[:, side] += half
        out[:, (side + 1) % sides] += half
        out[:, sides + side] -= 2.0 * half
    return out


def _turned_bubble(director: FloatArray, turn: FloatArray, bubble: FloatArray) -> FloatArray:
    """Second variation of D . (Omega x beta) for the bubble, whose axes turn with the element."""
    lever = turn.transpose(0, 2, 1) @ (skew(-director) @ bubble)
    return np.asarray(lever + lever.transpose(0, 2, 1))


def _turned_directors(normals: FloatArray, director: FloatArray, rotation: FloatArray) -> FloatArray:
    """Second variation of D . (theta x (theta x n)) / 2 over the functions."""
    outer = director[..., :, None] * normals[..., None, :]
    block = 0.5 * (outer + outer.swapaxes(-1, -2)) - np.einsum("mfii->mf", outer)[..., None, None] * np.eye(3)
    return _paired(rotation, block @ rotation)
