"""Section forces and strains of the shells at their centre, as matrices over the nodal dofs, in material axes.

Transverse shear forces are the shear stiffness times the shear strain of the sides; where the section is rigid in shear they
follow from the moments, Q_a = M_ab,b, with the slope of a plane laid through the moments at the integration points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.shell_bending import shear_strain, side_rotations
from tisserand.elements.shell_geometry import ShellGeometry, ShellStiffness, shell_geometry, shell_stiffness
from tisserand.elements.shell_shapes import centre
from tisserand.elements.shell_strain import (
    LocalStiffness,
    generalised_strain,
    local_stiffness,
    stiffness_points,
)
from tisserand.model import ShellBlock, StructuralModel


@dataclass(frozen=True, eq=False)
class CentreOperators:
    """(m, 8, 6k) each over basic dofs: strain e0 (3), curvature 1/m (3), shear strain (2); membrane forces N/m (3), moments N
    (3), shear forces N/m (2). Order 11, 22, 12 and 1z, 2z of the material axes.
    """

    strain: FloatArray
    force: FloatArray


def centre_operators(model: StructuralModel, block: ShellBlock) -> CentreOperators:
    """Operators of every shell of the block."""
    geometry = shell_geometry(model, block)
    section = shell_stiffness(model, block, geometry)
    local = local_stiffness(geometry, section)
    turns, ratio, at = side_rotations(geometry, section.shear_ratio), section.shear_ratio, centre(geometry.corners)
    generalised, _ = generalised_strain(geometry, turns, ratio, at)
    inside = _with_inner(generalised, local)[:, 0]
    slip = shear_strain(geometry, turns, ratio, at)[:, 0]
    shear = section.shear @ slip
    rigid = ~section.shear.any(axis=(1, 2))
    if rigid.any():
        shear[rigid] = _shear_of_moments(geometry, section, local, turns)[rigid]
    bent = section.generalised @ inside
    to_material, turn = section.to_material, section.turn
    back = np.linalg.inv(to_material).transpose(0, 2, 1)
    strain = np.concatenate([to_material @ inside[:, :3], to_material @ inside[:, 3:], turn @ slip], axis=1)
    force = np.concatenate([back @ bent[:, :3], back @ bent[:, 3:], turn @ shear], axis=1)
    return CentreOperators(strain @ geometry.to_local, force @ geometry.to_local)


def _with_inner(strain: FloatArray, local: LocalStiffness) -> FloatArray:
    """Strains over the corners' dofs alone, the incompatible modes following them."""
    outer = local.inner.shape[2]
    if strain.shape[-1] == outer:
        return strain
    return np.asarray(strain[..., :outer] + strain[..., outer:] @ local.inner[:, None])


def _shear_of_moments(
    geometry: ShellGeometry, section: ShellStiffness, local: LocalStiffness, turns: FloatArray
) -> FloatArray:
    """(m, 2, 6k): Q_x = M_xx,x + M_xy,y and Q_y = M_xy,x + M_yy,y, element axes."""
    at = stiffness_points(geometry.corners)
    strain = _with_inner(generalised_strain(geometry, turns, section.shear_ratio, at)[0], local)
    moment = section.generalised[:, None, 3:] @ strain
    place = np.einsum("gk,mkb->mgb", at.corner, geometry.flat)
    place = place - place.mean(axis=1, keepdims=True)
    slope = np.linalg.solve(place.transpose(0, 2, 1) @ place, place.transpose(0, 2, 1))  # (m, 2, g)
    gradient = np.einsum("mbg,mgan->mban", slope, moment, optimize=True)
    return np.stack([gradient[:, 0, 0] + gradient[:, 1, 2], gradient[:, 0, 2] + gradient[:, 1, 1]], axis=1)
