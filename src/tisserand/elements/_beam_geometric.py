"""Geometric stiffness of beams from axial force, shear forces, torque and moments.

The mean rotation of the element works on its end forces and moments (``turned_forces``), so that rigid rotation is exact. Motion
relative to it, with the strains of a section that turns by the rotation vector theta, Gamma = R'r' - e1 and
kappa = theta' - theta x theta'/2 at the second degree, adds

``int N (v'² + w'² + r² phi'²)/2 + V . (theta x (theta x e1)/2 - theta x u') - M . (theta x theta')/2 dx``

with N on the slopes of the neutral axis, r² the polar radius of the area, V and M about that axis. The Wagner terms of
moments on sections without symmetry (int y (y² + z²) dA) are not known from a beam section and are left out.

Semi-tangential moments: [Argyris1978]; serves theory section 6.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.elements._beam_field import BeamField, section_forces
from tisserand.elements._beam_section import SectionValues
from tisserand.elements.turned_forces import arm_blocks, on_turns, relative_turns, turning_stiffness


def beam_geometric_stiffness(
    axes: FloatArray,
    length: FloatArray,
    section: SectionValues,
    *,
    field: BeamField,
    carry: FloatArray,
    ends: FloatArray,
    arms: FloatArray,
    offsets: FloatArray,
    forces: FloatArray,
    moved: FloatArray,
) -> FloatArray:
    """(m, 12, 12) over nodal dofs in basic axes.

    carry, ends (m, 12, 12): motions of the ends in element axes over nodal ones, without and with pins; arms (m, 2, 3): node
    positions; offsets (m, 2, 3): from the nodes to the ends; forces (m, 2, 6): of the nodes on the element, basic axes;
    moved (m, 12): end motions in element axes.
    """
    m = len(length)
    mean = np.zeros((m, 3, 12))
    mean[:, 0, 3] = mean[:, 0, 9] = 0.5
    mean[:, 1, 2], mean[:, 1, 8] = 1.0 / length, -1.0 / length
    mean[:, 2, 1], mean[:, 2, 7] = -1.0 / length, 1.0 / length
    turn = axes.transpose(0, 2, 1) @ mean @ carry
    rigid = np.zeros((m, 2, 6, 3))
    rigid[:, :, :3], rigid[:, :, 3:] = -skew(arms), np.eye(3)
    relative = ends - ends @ rigid.reshape(m, 12, 3) @ turn
    out = turning_stiffness(arms, forces, turn) + _relative_part(length, section, field, relative, moved)
    if offsets.any():
        out += on_turns(relative_turns(turn, 2), arm_blocks(forces[..., :3], offsets))
    return np.asarray(out)


def _relative_part(
    length: FloatArray, section: SectionValues, field: BeamField, relative: FloatArray, moved: FloatArray
) -> FloatArray:
    points = field.points
    v = section.at(points.fraction)
    weight = np.outer(length, points.weight)
    force = section_forces(field, length, v, moved) * weight[..., None]
    q, e = field.motion @ relative[:, None], field.strain @ relative[:, None]
    theta, bend = q[:, :, 3:], e[:, :, 3:]
    # M . (theta x theta') = theta . (theta' x M)
    turned = theta.swapaxes(-1, -2) @ (skew(force[..., 3:]).swapaxes(-1, -2) @ bend)
    along_y, along_z = theta[:, :, 2] + e[:, :, 1], -theta[:, :, 1] + e[:, :, 2]
    stretch = e[:, :, 0]
    mixed = -0.5 * turned
    for shear, other, sign, slope in ((1, 2, 1.0, along_z), (2, 1, -1.0, along_y)):
        twisted = _outer(theta[:, :, 0], sign * slope + 0.5 * theta[:, :, shear])
        mixed += force[..., shear, None, None] * (twisted - sign * _outer(theta[:, :, other], stretch))
    slope_y = along_y - v["neutral_z"][..., None] * e[:, :, 3]
    slope_z = along_z + v["neutral_y"][..., None] * e[:, :, 3]
    area = np.where(v["area"] > 0.0, v["area"], 1.0)
    radius = np.sqrt((v["i_yy"] + v["i_zz"]) / area)
    slopes = np.stack([slope_y, slope_z, radius[..., None] * e[:, :, 3]], axis=2)
    mixed += 0.5 * force[..., 0, None, None] * (slopes.swapaxes(-1, -2) @ slopes)
    total = mixed.sum(axis=1)
    return np.asarray(total + total.swapaxes(1, 2))


def _outer(left: FloatArray, right: FloatArray) -> FloatArray:
    return np.asarray(left[..., :, None] * right[..., None, :])
