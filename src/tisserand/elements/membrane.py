"""Membranes: stiff in their surface, and across it by their prestress alone.

K = int B'A B dA + int n_ab N_,a N_,b dA, with the prestress n of the section; geometric stiffness likewise with the forces of a
displacement. As M3D3, M3D4, M3D6 and M3D8 of Abaqus.

References: [Zienkiewicz2000]; geometric stiffness: theory section 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import cast

import numpy as np

from tisserand.arrays import FloatArray, symmetric
from tisserand.elements._lines import refuse
from tisserand.elements.element_data import Prepared, gathered
from tisserand.elements.surface_field import SurfaceField, by_recipe, directional, in_three, surface_field
from tisserand.model import MembraneBlock, MembraneSection


class PreparedMembranes(Prepared):
    """Membranes over the translations of their nodes.

    Mass recipes: ``consistent`` is the displacement field; all others put the mass on the nodes.
    """

    block: MembraneBlock

    @cached_property
    def _field(self) -> SurfaceField:
        points = self.model.nodes.positions[self.block.nodes]
        return surface_field("membrane", self.block.ids, points, self.block.material_axis)

    @cached_property
    def _sections(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Per element: A (m, 3, 3) N/m, prestress (m, 3) N/m, mass per area (m,) kg/m²."""
        moduli, stress, mass = np.zeros((len(self), 3, 3)), np.zeros((len(self), 3)), np.zeros(len(self))
        for row in np.unique(self.block.section):
            section, which = cast(MembraneSection, self.model.sections[row]), self.block.section == row
            values = np.array([*section.membrane.ravel(), *section.prestress, section.areal_mass])
            if not np.isfinite(values).all() or section.areal_mass < 0.0:
                refuse("membrane", self.block.ids, which, f"section {section.id} has values that cannot be used")
            if np.linalg.eigvalsh(section.membrane).min() < -1e-12 * np.abs(section.membrane).max():
                refuse("membrane", self.block.ids, which, f"the stiffness of section {section.id} is not positive")
            moduli[which], stress[which], mass[which] = section.membrane, section.prestress, section.areal_mass
        return moduli, stress, mass

    def stiffness(self) -> FloatArray:
        field, (moduli, stress, _) = self._field, self._sections
        B = field.strain()
        total = np.einsum("mg,mgap,mab,mgbq->mpq", field.areas, B, moduli, B, optimize=True)
        if stress.any():
            total = total + field.stressed(np.broadcast_to(stress[:, None], (*field.areas.shape, 3)))
        return symmetric(total)

    def mass(self, recipe: str) -> FloatArray:
        return in_three(by_recipe(self._field.scalar_mass(self._sections[2]), recipe))

    def directional_mass(self, recipe: str) -> FloatArray:
        return directional(by_recipe(self._field.scalar_mass(self._sections[2]), recipe))

    def geometric_states(self, displacements: FloatArray) -> Iterator[FloatArray]:
        """From the forces per width that each displacement adds to the prestress."""
        moved = gathered(displacements, self.nodes, self.components)
        strain = np.einsum("mgap,mpk->mgak", self._field.strain(), moved)
        for k in range(displacements.shape[2]):
            yield self._field.stressed(np.einsum("mab,mgb->mga", self._sections[0], strain[..., k]))

    def resultants(self, displacement: FloatArray) -> dict[str, FloatArray]:
        """``membrane`` (m, 3) N/m: mean 11, 22, 12 in material axes that the displacement adds to the prestress."""
        moved = gathered(np.asarray(displacement)[..., None], self.nodes, self.components)[..., 0]
        strain = np.einsum("mg,mgap,mp->ma", self._field.areas, self._field.strain(), moved, optimize=True)
        mean = strain / self._field.areas.sum(axis=1)[:, None]
        return {"membrane": np.einsum("mab,mb->ma", self._sections[0], mean)}


PREPARED = PreparedMembranes
