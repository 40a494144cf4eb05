"""Six-, eight- and nine-node shells: curved surfaces with midside nodes, assumed shear, laminates through ABD matrices.

Formulation and references: ``curved_strain``, ``curved_stiffness``, ``curved_mass``, ``curved_geometric``.

Degenerated shells: [Ahmad1970]; assumed strains: [Bucalem1993].
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.curved_geometric import curved_stressed
from tisserand.elements.curved_geometry import CurvedGeometry, curved_geometry
from tisserand.elements.curved_mass import curved_mass_field, curved_turning
from tisserand.elements.curved_stiffness import CurvedSection, CurvedStiffness, curved_section, curved_stiffness
from tisserand.elements.element_data import TurningMasses
from tisserand.elements.mass_field import MassField
from tisserand.elements.shell import PreparedShells


class PreparedCurvedShells(PreparedShells):
    """Shells over all six components of their nodes; nd = 36, 48 or 54. Rows of missing midside nodes are zero."""

    @cached_property
    def surface(self) -> CurvedGeometry:
        """Points and normals of the elements."""
        return curved_geometry(self.model, self.block)

    @cached_property
    def strength(self) -> CurvedSection:
        """Stiffness per width in material axes."""
        return curved_section(self.model, self.block, self.surface)

    @cached_property
    def whole(self) -> CurvedStiffness:
        """Stiffness, and the motion of the ninth node that belongs to it."""
        return curved_stiffness(self.block, self.surface, self.strength)

    def stiffness(self) -> FloatArray:
        return self.whole.matrix if len(self) else self._nothing()

    def same_mass(self, recipe: str) -> bool:
        return False

    def _mass_field(self, recipe: str) -> MassField:
        return curved_mass_field(self.model, self.block, self.surface, self.whole.motion, recipe)

    def turning_masses(self, recipe: str) -> TurningMasses | None:
        """Fibers through the thickness, or the rigid shares of the nodes; None where mass sits on translations."""
        if not len(self):
            return None
        return curved_turning(self.model, self.block, self.surface, self.whole.motion, recipe)

    def geometric_states(self, displacements: FloatArray) -> Iterator[FloatArray]:
        """(m, nd, nd) from membrane forces, moments and shear forces (``curved_geometric``)."""
        if not len(self):
            return iter([self._nothing()] * displacements.shape[2])
        moved = np.asarray(displacements)[self.block.nodes].reshape(len(self), -1, displacements.shape[2])
        return curved_stressed(self.model, self.block, self.surface, self.strength, self.whole, moved)


PREPARED = PreparedCurvedShells
