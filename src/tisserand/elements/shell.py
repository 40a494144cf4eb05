"""Three- and four-node shells: membrane, bending, transverse shear, drilling; laminates through ABD matrices.

Formulation and references: ``shell_strain``, ``shell_bending`` (stiffness), ``shell_mass`` (mass),
``shell_geometry`` (axes, warp, offsets).

Plates: [Katili1993]; membrane: [Taylor1976].
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from tisserand.arrays import FloatArray, symmetric
from tisserand.elements.element_data import Prepared, TurningMasses
from tisserand.elements.mass_field import MassField
from tisserand.elements.shell_center import center_values
from tisserand.elements.shell_geometric import stressed
from tisserand.elements.shell_geometry import ShellGeometry, ShellStiffness, shell_geometry, shell_stiffness
from tisserand.elements.shell_mass import mass_field, turning_pieces
from tisserand.elements.shell_strain import LocalStiffness, local_stiffness
from tisserand.model import ShellBlock


class PreparedShells(Prepared):
    """Shells over all six components of their corners; nd = 18 or 24."""

    block: ShellBlock

    @cached_property
    def geometry(self) -> ShellGeometry:
        """Axes, warp and offsets of the elements."""
        return shell_geometry(self.model, self.block)

    @cached_property
    def section(self) -> ShellStiffness:
        """Stiffness per width in element axes."""
        return shell_stiffness(self.model, self.block, self.geometry)

    @cached_property
    def local(self) -> LocalStiffness:
        """Stiffness in element axes, with its inner motion."""
        return local_stiffness(self.geometry, self.section)

    def stiffness(self) -> FloatArray:
        if not len(self):
            return self._nothing()
        t = self.geometry.to_local
        return symmetric(t.transpose(0, 2, 1) @ (self.local.matrix @ t))

    def mass(self, recipe: str) -> FloatArray:
        if not len(self):
            return self._nothing()
        field = self._mass_field(recipe)
        if not self.same_mass(recipe):
            return field.mass()
        k = self.block.nodes.shape[1]  # the functions are those of the corners
        out, shared = np.zeros((len(self), 6 * k, 6 * k)), symmetric(field.weights)
        for a in range(3):
            out[:, a::6, a::6] = shared
        return out

    def same_mass(self, recipe: str) -> bool:
        """Mass on the translations of the corners alone."""
        return recipe in ("lumped", "particles", "coupled")

    def directional_mass(self, recipe: str) -> FloatArray:
        """(m, 6, nd, nd); every recipe of the shells is a displacement field."""
        if not len(self):
            return np.zeros((0, 6, *self._nothing().shape[1:]))
        return self._mass_field(recipe).directional()

    def _mass_field(self, recipe: str) -> MassField:
        return mass_field(self.model, self.block, self.geometry, recipe, lambda: (self.section, self.local.inner))

    def turning_masses(self, recipe: str) -> TurningMasses | None:
        """Fibers through the thickness, or the rigid shares of the corners; None where mass sits on translations."""
        if not len(self) or recipe not in ("consistent", "bodies"):
            return None
        return turning_pieces(self.model, self.block, self.geometry, self.section.shear_ratio, recipe)

    def geometric_states(self, displacements: FloatArray) -> Iterator[FloatArray]:
        """(m, nd, nd) from membrane forces, moments and shear forces (``shell_geometric``)."""
        if not len(self):
            return iter([self._nothing()] * displacements.shape[2])
        moved = np.asarray(displacements)[self.block.nodes].reshape(len(self), -1, displacements.shape[2])
        return stressed(self.model, self.block, self.geometry, self.section, self.local, moved)

    def resultants(self, displacement: FloatArray) -> dict[str, FloatArray]:
        """Resultants and strains at the center, in MATERIAL axes.

        Membrane N/m and moment N (11, 22, 12), shear N/m (1z, 2z), per unit width; strain (m, 3), curvature 1/m (m, 3) and
        shear_strain (m, 2) likewise. Stresses: ``shell_plies``.
        """
        found = center_values(self.model, self.block, np.asarray(displacement, dtype=float)[..., None])
        force, strain = found.force[..., 0], found.strain[..., 0]
        return {
            "membrane": force[:, 0:3],
            "moment": force[:, 3:6],
            "shear": force[:, 6:8],
            "strain": strain[:, 0:3],
            "curvature": strain[:, 3:6],
            "shear_strain": strain[:, 6:8],
        }

    def _nothing(self) -> FloatArray:
        width = 6 * self.block.nodes.shape[1]
        return np.zeros((0, width, width))


PREPARED = PreparedShells
