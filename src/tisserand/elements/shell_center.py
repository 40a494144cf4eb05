"""Section forces and strains of the shells at their center, in material axes, for any number of displacements.

Transverse shear forces follow from balance: of the element's own forces for quads (``shell_shear_force``), of the moments of
neighboring elements for triangles (``shell_moment_slope``). The shear strain of the sides, which the stiffness uses, sees the
bending along each side only: in a thin plate it misses twist and Poisson's effect. The shear strain given is that of the
forces.

Equilibrium of plates: [Zienkiewicz2000].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.curved_center import curved_center_values
from tisserand.elements.shell_bending import normal_bows, shear_strain
from tisserand.elements.shell_geometry import ShellGeometry, ShellStiffness, shell_geometry, shell_stiffness
from tisserand.elements.shell_macneal import slip_force
from tisserand.elements.shell_moment_slope import shear_of_slopes
from tisserand.elements.shell_shapes import center
from tisserand.elements.shell_shear_force import balanced_shear, moment_slope
from tisserand.elements.shell_strain import LocalStiffness, generalized_strain, local_stiffness, stiffness_points
from tisserand.model import ShellBlock, StructuralModel

#: phi = 12 D F/L² at which half of a triangle's shear force comes from its shear strain: beyond it, moments hardly vary.
_STOUT = 100.0


@dataclass(frozen=True, eq=False)
class CenterValues:
    """Strains and forces (m, 8, q) at the center of shells.

    Strain e0 (3), curvature 1/m (3), shear strain (2); membrane forces N/m (3), moments N (3), shear forces N/m (2). Order 11,
    22, 12 and 1z, 2z of the material axes.
    """

    strain: FloatArray
    force: FloatArray


def center_values(model: StructuralModel, block: ShellBlock, displacements: FloatArray) -> CenterValues:
    """Values of every shell of the block for displacements (n, 6, q) in basic axes."""
    if block.nodes.shape[1] > 4:
        return CenterValues(*curved_center_values(model, block, displacements))
    geometry = shell_geometry(model, block)
    section = shell_stiffness(model, block, geometry)
    local = local_stiffness(geometry, section)
    stiffness, across = (part[:, 0] for part in section.at(center(geometry.corners)))
    moved = geometry.to_local @ displacements[block.nodes].reshape(len(block), -1, displacements.shape[2])
    every = np.concatenate([moved, local.inner @ moved], axis=1)
    generalized = generalized_strain(geometry, section, center(geometry.corners))[0][:, 0] @ every
    if geometry.corners == 4:
        shear = _balanced(geometry, section, local, moved, every)
    else:
        phi = section.shear_ratio.mean(axis=1)[:, None, None] / _STOUT
        pushed = _pushed(geometry, section, across) @ moved
        shear = (phi * pushed + shear_of_slopes(model, block, geometry, displacements)) / (1.0 + phi)
    strained = np.linalg.pinv(across) @ shear
    bent = stiffness @ generalized
    to_material, turn = section.to_material, section.turn
    back = np.linalg.inv(to_material).transpose(0, 2, 1)
    strain = [to_material @ generalized[:, :3], to_material @ generalized[:, 3:], turn @ strained]
    force = [back @ bent[:, :3], back @ bent[:, 3:], turn @ shear]
    return CenterValues(np.concatenate(strain, axis=1), np.concatenate(force, axis=1))


def _pushed(geometry: ShellGeometry, section: ShellStiffness, across: FloatArray) -> FloatArray:
    """(m, 2, 18) shear forces of the shear strains of triangles."""
    if section.form == "nastran":
        return slip_force(geometry, section)
    return across @ shear_strain(geometry, normal_bows(geometry, section), section, center(3))[:, 0]


def _balanced(
    geometry: ShellGeometry, section: ShellStiffness, local: LocalStiffness, moved: FloatArray, every: FloatArray
) -> FloatArray:
    """(m, 2, q) shear forces of quads."""
    if section.form == "nastran":
        return slip_force(geometry, section) @ moved
    at = stiffness_points(4)
    inside, measure = generalized_strain(geometry, section, at)
    moment = section.at(at)[0][:, :, 3:] @ (inside @ every[:, None])
    share = measure / measure.sum(axis=1, keepdims=True)
    mean = np.einsum("mg,mgiq->miq", share, moment)
    forces = local.matrix[:, 2::6] @ moved
    return balanced_shear(geometry, section.shear_ratio, forces, mean, moment_slope(geometry, at, moment))
