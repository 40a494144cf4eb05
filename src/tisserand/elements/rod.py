"""Rods: axial and torsional stiffness between two nodes, mass on translations.

References: [Przemieniecki1968]; masses by halves: S4 9.9.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import cast

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements._lines import axis_and_length, refuse
from tisserand.elements.element_data import DIRECTIONS, Prepared
from tisserand.model import RodBlock, RodSection, StructuralModel

_DIFFERENCE = np.array([[1.0, -1.0], [-1.0, 1.0]])
#: Shares of the member's mass at its two ends, and the share along the axis where it differs.
_LINEAR = np.array([[2.0, 1.0], [1.0, 2.0]]) / 6.0
_HALVES = np.eye(2) / 2.0
_COUPLED_AXIAL = np.array([[5.0, 1.0], [1.0, 5.0]]) / 12.0


def _section_table(model: StructuralModel, block: RodBlock) -> FloatArray:
    """Per element: E A (N), G J (N m²), mass per length (kg/m)."""
    table = np.zeros((len(model.sections), 3))
    for row in np.unique(block.section):
        section = cast(RodSection, model.sections[row])
        which = block.section == row
        material = section.material
        if not np.isfinite(section.tension):
            refuse(
                "rod", block.ids, which, f"the tension of section {section.id} is not a number", found=section.tension
            )
        for word, value in (
            ("area", section.area),
            ("torsion constant", section.torsion_constant),
            ("non-structural mass", section.nonstructural_mass),
        ):
            if not np.isfinite(value) or value < 0.0:
                refuse("rod", block.ids, which, f"the {word} of section {section.id} is negative", found=value)
        table[row] = (
            material.young * section.area,
            material.shear * section.torsion_constant,
            material.density * section.area + section.nonstructural_mass,
        )
    return table[block.section]


class PreparedRods(Prepared):
    """E A / L along the axis, G J / L about it, and N / L across it where the section states a tension N.

    Mass recipes: ``consistent`` is the linear field (1/3, 1/6 on every translation); ``lumped``,
    ``particles`` and ``bodies`` put half the mass on each node (a rod cannot turn its nodes); ``coupled`` is
    Nastran's COUPMASS: 5/12, 1/12 along the axis and halves across it.
    """

    block: RodBlock

    @cached_property
    def _line(self) -> tuple[FloatArray, FloatArray]:
        """Unit axis (m, 3) and length (m,) m."""
        p = self.block.corners(self.model.nodes.positions)
        return axis_and_length("rod", self.block.ids, p[:, 0], p[:, 1])

    @cached_property
    def _section(self) -> FloatArray:
        """(3, m): E A, G J, mass per length."""
        return _section_table(self.model, self.block).T

    def _over_dofs(self, blocks: FloatArray, first: int = 0) -> FloatArray:
        """(m, 2, 3, 2, 3) on three components from ``first`` as (m, nd, nd)."""
        c, m = len(self.components), len(self)
        out = np.zeros((m, 2, c, 2, c))
        out[:, :, first : first + 3, :, first : first + 3] = blocks
        return out.reshape(m, 2 * c, 2 * c)

    def stiffness(self) -> FloatArray:
        (axis, length), (EA, GJ, _) = self._line, self._section
        dyad = axis[:, :, None] * axis[:, None, :]
        total = self._over_dofs(np.einsum("m,pq,mij->mpiqj", EA / length, _DIFFERENCE, dyad))
        tension = np.array([getattr(section, "tension", 0.0) for section in self.model.sections])[self.block.section]
        if tension.any():
            total += self._across(tension)
        if len(self.components) == 6:
            total += self._over_dofs(np.einsum("m,pq,mij->mpiqj", GJ / length, _DIFFERENCE, dyad), 3)
        return total

    def mass(self, recipe: str) -> FloatArray:
        axis, length = self._line
        total = self._section[2] * length
        shares = _LINEAR if recipe == "consistent" else _HALVES
        mass = np.einsum("m,pq,ij->mpiqj", total, shares, np.eye(3))
        if recipe == "coupled":
            dyad = axis[:, :, None] * axis[:, None, :]
            mass += np.einsum("m,pq,mij->mpiqj", total, _COUPLED_AXIAL - _HALVES, dyad)
        return self._over_dofs(mass)

    def directional_mass(self, recipe: str) -> FloatArray | None:
        if recipe == "coupled":
            return None
        c, m = len(self.components), len(self)
        shares = _LINEAR if recipe == "consistent" else _HALVES
        out = np.zeros((m, 6, 2, c, 2, c))
        for z, (a, b) in enumerate(DIRECTIONS):
            out[:, z, :, a, :, b] = (self._section[2] * self._line[1])[:, None, None] * shares
        return out.reshape(m, 6, 2 * c, 2 * c)

    def geometric_states(self, displacements: FloatArray) -> Iterator[FloatArray]:
        """N / L across the axis: a stretched string."""
        for k in range(displacements.shape[2]):
            yield self._across(self.resultants(displacements[:, :, k])["axial force"])

    def _across(self, force: FloatArray) -> FloatArray:
        """(m, nd, nd): N / L across the axis for axial forces N (m,)."""
        axis, length = self._line
        across = np.eye(3) - axis[:, :, None] * axis[:, None, :]
        return self._over_dofs(np.einsum("m,pq,mij->mpiqj", force / length, _DIFFERENCE, across))

    def resultants(self, displacement: FloatArray) -> dict[str, FloatArray]:
        """``axial force`` (m,) N, tension positive, and ``torque`` (m,) N m."""
        (axis, length), (EA, GJ, _) = self._line, self._section
        change = displacement[self.nodes[:, 1]] - displacement[self.nodes[:, 0]]
        return {
            "axial force": np.asarray(EA / length * np.einsum("mi,mi->m", axis, change[:, :3])),
            "torque": np.asarray(GJ / length * np.einsum("mi,mi->m", axis, change[:, 3:])),
        }


PREPARED = PreparedRods
