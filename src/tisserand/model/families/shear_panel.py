"""Shear panels: their block and their section."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.model.block_base import Block, row
from tisserand.model.family_facts import FamilyFacts
from tisserand.model.materials import Isotropic
from tisserand.model.section_base import Section


@dataclass(frozen=True)
class ShearPanelSection(Section):
    """Shear panel (PSHEAR): thickness m, non-structural mass kg/m².

    extension: effectiveness (F1, F2) of the panel as rods along sides 1-2 and 3-4, and along 2-3 and 1-4; up to 1.01 a share
    of the panel's own material, above that the width of each rod is half of it in thicknesses.
    """

    family: ClassVar[str] = "shear panel"
    id: int
    material: Isotropic
    thickness: float
    nonstructural_mass: float = 0.0
    extension: tuple[float, float] = (0.0, 0.0)
    name: str = ""

    @property
    def densities(self) -> tuple[float, float]:
        """Mass per area, kg/m², the same at all corners."""
        value = self.material.density * self.thickness + self.nonstructural_mass
        return value, value

    def heavier(self, extra: float) -> Self:
        """The same with more non-structural mass, kg/m²."""
        return replace(self, nonstructural_mass=self.nonstructural_mass + extra)


@dataclass(frozen=True, eq=False, repr=False)
class ShearPanelBlock(Block):
    """Four-node panels that carry shear flow along their sides, and by their section axial force in these (CSHEAR)."""

    family: ClassVar[str] = "shear panel"
    facts: ClassVar[FamilyFacts] = FamilyFacts("surface", "translations", section="shear panel")
    ids: IntArray
    nodes: IntArray = field(metadata=row(4))
    section: IntArray

    @property
    def offset(self) -> FloatArray:
        """(m,) m: panels lie in their nodes."""
        return np.zeros(len(self))
