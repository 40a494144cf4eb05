"""Three- and four-node shells: membrane, bending, transverse shear, drilling; laminates through ABD matrices.

Formulation and references: ``shell_strain``, ``shell_bending`` (stiffness), ``shell_mass`` (mass),
``shell_geometry`` (axes, warp, offsets).

Plates: [Katili1993]; membrane: [Taylor1976].
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tisserand.arrays import FloatArray, symmetric
from tisserand.elements.element_data import ElementBatch, TurningMasses
from tisserand.elements.shell_center import center_values
from tisserand.elements.shell_geometric import stressed
from tisserand.elements.shell_geometry import ShellGeometry, ShellStiffness, shell_geometry, shell_stiffness
from tisserand.elements.shell_mass import mass_field, turning_pieces
from tisserand.elements.shell_strain import LocalStiffness, local_stiffness
from tisserand.model import ShellBlock, StructuralModel

COMPONENTS = (0, 1, 2, 3, 4, 5)


class ShellFamily:
    """Shells over all six components of their corners; nd = 18 or 24."""

    def matrices(self, model: StructuralModel, block: ShellBlock, recipe: str) -> ElementBatch:
        """Stiffness N/m and mass kg of every shell in basic axes."""
        if not len(block):
            return ElementBatch(np.asarray(block.nodes), COMPONENTS, _nothing(block), _nothing(block))
        geometry, section, local = _prepared(model, block)
        t = geometry.to_local
        stiffness = symmetric(t.transpose(0, 2, 1) @ (local.matrix @ t))
        mass = mass_field(model, block, geometry, section.shear_ratio, local.inner, recipe).mass()
        return ElementBatch(np.asarray(block.nodes), COMPONENTS, stiffness, mass)

    def directional_mass(self, model: StructuralModel, block: ShellBlock, recipe: str) -> FloatArray:
        """(m, 6, nd, nd); every recipe of the shells is a displacement field."""
        if not len(block):
            return np.zeros((0, 6, *_nothing(block).shape[1:]))
        geometry, section, local = _prepared(model, block)
        return mass_field(model, block, geometry, section.shear_ratio, local.inner, recipe).directional()

    def turning_masses(self, model: StructuralModel, block: ShellBlock, recipe: str) -> TurningMasses | None:
        """Fibers through the thickness, or the rigid shares of the corners; None where mass sits on translations."""
        if not len(block) or recipe not in ("consistent", "bodies"):
            return None
        geometry, section, _ = _prepared(model, block)
        return turning_pieces(model, block, geometry, section.shear_ratio, recipe)

    def geometric_stiffness(self, model: StructuralModel, block: ShellBlock, displacement: FloatArray) -> FloatArray:
        """(m, nd, nd) from membrane forces, moments and shear forces (``shell_geometric``)."""
        return next(self.geometric_states(model, block, np.asarray(displacement)[..., None]))

    def geometric_states(
        self, model: StructuralModel, block: ShellBlock, displacements: FloatArray
    ) -> Iterator[FloatArray]:
        """The same for each of the displacements (n, 6, p), prepared once."""
        if not len(block):
            return iter([_nothing(block)] * displacements.shape[2])
        moved = np.asarray(displacements)[block.nodes].reshape(len(block), -1, displacements.shape[2])
        return stressed(model, block, *_prepared(model, block), moved)

    def resultants(self, model: StructuralModel, block: ShellBlock, displacement: FloatArray) -> dict[str, FloatArray]:
        """Resultants and strains at the center, in MATERIAL axes.

        Membrane N/m and moment N (11, 22, 12), shear N/m (1z, 2z), per unit width; strain (m, 3), curvature 1/m (m, 3) and
        shear_strain (m, 2) likewise. Stresses: ``shell_plies``.
        """
        found = center_values(model, block, np.asarray(displacement, dtype=float)[..., None])
        force, strain = found.force[..., 0], found.strain[..., 0]
        return {
            "membrane": force[:, 0:3],
            "moment": force[:, 3:6],
            "shear": force[:, 6:8],
            "strain": strain[:, 0:3],
            "curvature": strain[:, 3:6],
            "shear_strain": strain[:, 6:8],
        }


def _nothing(block: ShellBlock) -> FloatArray:
    return np.zeros((0, 6 * block.nodes.shape[1], 6 * block.nodes.shape[1]))


def _prepared(model: StructuralModel, block: ShellBlock) -> tuple[ShellGeometry, ShellStiffness, LocalStiffness]:
    geometry = shell_geometry(model, block)
    section = shell_stiffness(model, block, geometry)
    return geometry, section, local_stiffness(geometry, section)


FAMILY = ShellFamily()
