"""Three- and four-node shells: membrane, bending, transverse shear, drilling; laminates through their ABD matrices.

Formulation and references: ``shell_strain`` (stiffness), ``shell_mass`` (mass), ``shell_geometry`` (axes, warp, offsets).
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.shell_geometry import ShellGeometry, physical_gradient, shell_geometry, shell_stiffness
from tisserand.elements.shell_mass import (
    field_points,
    mass_factors,
    shell_directional_mass,
    shell_mass,
    surface_field,
    to_local_nodes,
)
from tisserand.elements.shell_shapes import SurfaceTable, centre, table
from tisserand.elements.shell_strain import generalised_strain, local_stiffness, shear_strain, side_rotations
from tisserand.elements.types import ElementBatch
from tisserand.model import ShellBlock, StructuralModel

COMPONENTS = (0, 1, 2, 3, 4, 5)


def _points(corners: int) -> SurfaceTable:
    return table(corners, 2 if corners == 4 else 3)


class ShellFamily:
    """Shells over all six components of their corners; nd = 18 or 24."""

    def matrices(self, model: StructuralModel, block: ShellBlock, recipe: str) -> ElementBatch:
        """Stiffness N/m and mass kg of every shell in basic axes."""
        geometry = shell_geometry(model, block)
        section = shell_stiffness(model, block, geometry)
        local, _ = local_stiffness(geometry, section, _points(geometry.corners))
        t = geometry.to_local
        stiffness = t.transpose(0, 2, 1) @ (local @ t)
        mass = shell_mass(mass_factors(model, block, geometry, section.shear_ratio, recipe))
        return ElementBatch(np.asarray(block.nodes), COMPONENTS, stiffness, mass)

    def directional_mass(self, model: StructuralModel, block: ShellBlock, recipe: str) -> FloatArray:
        """(m, 6, nd, nd); every recipe of the shells is a displacement field."""
        geometry = shell_geometry(model, block)
        section = shell_stiffness(model, block, geometry)
        return shell_directional_mass(mass_factors(model, block, geometry, section.shear_ratio, recipe))

    def geometric_stiffness(self, model: StructuralModel, block: ShellBlock, displacement: FloatArray) -> FloatArray:
        """(m, nd, nd) from the membrane forces N: int N_ab u_c,a u_c,b dA over all three directions c (moments neglected)."""
        geometry = shell_geometry(model, block)
        section = shell_stiffness(model, block, geometry)
        k = geometry.corners
        forces, _ = self._resultants_at(model, block, geometry, displacement, _points(k))
        at = _points(k)
        gradient = _field_gradient(geometry, section.shear_ratio, at)  # (m, g, 2, 3, 6k)
        _, det = physical_gradient(geometry.flat, at.corner_gradient)
        tensor = forces[:, :, [0, 2, 2, 1]].reshape(*det.shape, 2, 2) * (det * at.weights)[..., None, None]
        local = np.einsum("mgacd,mgab,mgbce->mde", gradient, tensor, gradient, optimize=True)
        t = to_local_nodes(geometry)
        return np.asarray(t.transpose(0, 2, 1) @ (local @ t))

    def resultants(self, model: StructuralModel, block: ShellBlock, displacement: FloatArray) -> dict[str, FloatArray]:
        """Forces at the centre per unit width in MATERIAL axes: membrane N/m and moments N (11, 22, 12), shear N/m (1z, 2z);
        strains (m, 3), curvatures 1/m (m, 3) and shear_strains (m, 2) likewise."""
        geometry = shell_geometry(model, block)
        section = shell_stiffness(model, block, geometry)
        at = centre(geometry.corners)
        force, strain = self._resultants_at(model, block, geometry, displacement, at)
        back = np.linalg.inv(section.to_material).transpose(0, 2, 1)
        force, strain = force[:, 0], strain[:, 0]
        turn = section.turn
        return {
            "membrane": np.einsum("mab,mb->ma", back, force[:, 0:3]),
            "moment": np.einsum("mab,mb->ma", back, force[:, 3:6]),
            "shear": np.einsum("mab,mb->ma", turn, force[:, 6:8]),
            "strain": np.einsum("mab,mb->ma", section.to_material, strain[:, 0:3]),
            "curvature": np.einsum("mab,mb->ma", section.to_material, strain[:, 3:6]),
            "shear_strain": np.einsum("mab,mb->ma", turn, strain[:, 6:8]),
        }

    def _resultants_at(
        self, model: StructuralModel, block: ShellBlock, geometry: ShellGeometry, displacement: FloatArray, at: SurfaceTable
    ) -> tuple[FloatArray, FloatArray]:
        """(m, g, 8) forces (N, M, Q) and strains in element axes."""
        section = shell_stiffness(model, block, geometry)
        _, recovery = local_stiffness(geometry, section, _points(geometry.corners))
        local = np.einsum("mij,mj->mi", geometry.to_local, displacement[block.nodes].reshape(len(block), -1))
        turns = side_rotations(geometry, section.shear_ratio)
        strain, measure = generalised_strain(geometry, turns, at)
        out = np.zeros((*measure.shape, 8))
        out[..., :6] = np.einsum("mgae,mec,mc->mga", strain, recovery, local, optimize=True)
        out[..., 6:] = np.einsum("mgac,mc->mga", shear_strain(geometry, turns, section.shear_ratio, at), local)
        force = np.concatenate(
            [np.einsum("mab,mgb->mga", section.generalised, out[..., :6]), np.einsum("mab,mgb->mga", section.shear, out[..., 6:])], axis=-1
        )
        return force, out


def _field_gradient(geometry: ShellGeometry, ratio: FloatArray, at: SurfaceTable) -> FloatArray:
    """(m, g, 2, 3, 6k): d/dx, d/dy of the displacement field of the surface, local axes."""
    parts = []
    for axis in range(2):
        slopes = SurfaceTable(
            at.points, at.weights, at.corner_gradient[:, axis], at.corner_gradient,
            at.bubble_gradient[:, axis], at.bubble_gradient, at.cubic_gradient[:, axis], at.cubic_gradient,
        )
        parts.append(surface_field(geometry, ratio, slopes))
    reference = np.stack(parts, axis=2)
    jacobian = np.einsum("gak,mkb->mgab", at.corner_gradient, geometry.flat)
    return np.asarray(np.linalg.solve(jacobian, reference.reshape(*reference.shape[:3], -1)).reshape(reference.shape))


FAMILY = ShellFamily()

__all__ = ["FAMILY", "ShellFamily", "field_points"]
