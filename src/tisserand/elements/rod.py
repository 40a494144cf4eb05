"""Rods: axial and torsional stiffness between two nodes, mass on translations.

References: [Przemieniecki1968]; masses by halves: S4 9.9.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements._lines import axis_and_length, refuse
from tisserand.elements.element_data import DIRECTIONS, ElementBatch
from tisserand.elements.registry import components_of
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
        section = model.sections[row]
        which = block.section == row
        if not isinstance(section, RodSection):
            refuse("rod", block.ids, which, f"refers to section {section.id}, which is not a rod section")
        material = section.material
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


class RodFamily:
    """E A / L along the axis, G J / L about it.

    Mass recipes: ``consistent`` is the linear field (1/3, 1/6 on every translation); ``lumped``,
    ``particles`` and ``bodies`` put half the mass on each node (a rod cannot turn its nodes); ``coupled`` is
    Nastran's COUPMASS: 5/12, 1/12 along the axis and halves across it.
    """

    def _geometry(self, model: StructuralModel, block: RodBlock) -> tuple[FloatArray, FloatArray]:
        p = model.nodes.positions[block.nodes]
        return axis_and_length("rod", block.ids, p[:, 0], p[:, 1])

    def matrices(self, model: StructuralModel, block: RodBlock, recipe: str) -> ElementBatch:
        components = components_of(model, block)
        c, m = len(components), len(block)
        axis, length = self._geometry(model, block)
        EA, GJ, line_mass = _section_table(model, block).T
        dyad = axis[:, :, None] * axis[:, None, :]
        stiffness = np.zeros((m, 2, c, 2, c))
        stiffness[:, :, :3, :, :3] = np.einsum("m,pq,mij->mpiqj", EA / length, _DIFFERENCE, dyad)
        if c == 6:
            stiffness[:, :, 3:, :, 3:] = np.einsum("m,pq,mij->mpiqj", GJ / length, _DIFFERENCE, dyad)
        mass = np.zeros((m, 2, c, 2, c))
        shares = _LINEAR if recipe == "consistent" else _HALVES
        mass[:, :, :3, :, :3] = np.einsum("m,pq,ij->mpiqj", line_mass * length, shares, np.eye(3))
        if recipe == "coupled":
            mass[:, :, :3, :, :3] += np.einsum("m,pq,mij->mpiqj", line_mass * length, _COUPLED_AXIAL - _HALVES, dyad)
        return ElementBatch(
            block.nodes, components, stiffness=stiffness.reshape(m, 2 * c, 2 * c), mass=mass.reshape(m, 2 * c, 2 * c)
        )

    def directional_mass(self, model: StructuralModel, block: RodBlock, recipe: str) -> FloatArray | None:
        if recipe == "coupled":
            return None
        c, m = len(components_of(model, block)), len(block)
        _, length = self._geometry(model, block)
        line_mass = _section_table(model, block)[:, 2]
        shares = _LINEAR if recipe == "consistent" else _HALVES
        out = np.zeros((m, 6, 2, c, 2, c))
        for z, (a, b) in enumerate(DIRECTIONS):
            out[:, z, :, a, :, b] = (line_mass * length)[:, None, None] * shares
        return out.reshape(m, 6, 2 * c, 2 * c)

    def geometric_stiffness(
        self, model: StructuralModel, block: RodBlock, displacement: FloatArray
    ) -> FloatArray | None:
        """N / L across the axis: a stretched string."""
        c, m = len(components_of(model, block)), len(block)
        axis, length = self._geometry(model, block)
        force = self.resultants(model, block, displacement)["axial force"]
        across = np.eye(3) - axis[:, :, None] * axis[:, None, :]
        out = np.zeros((m, 2, c, 2, c))
        out[:, :, :3, :, :3] = np.einsum("m,pq,mij->mpiqj", force / length, _DIFFERENCE, across)
        return out.reshape(m, 2 * c, 2 * c)

    def resultants(self, model: StructuralModel, block: RodBlock, displacement: FloatArray) -> dict[str, FloatArray]:
        """``axial force`` (m,) N, tension positive, and ``torque`` (m,) N m."""
        axis, length = self._geometry(model, block)
        EA, GJ, _ = _section_table(model, block).T
        change = displacement[block.nodes[:, 1]] - displacement[block.nodes[:, 0]]
        return {
            "axial force": np.asarray(EA / length * np.einsum("mi,mi->m", axis, change[:, :3])),
            "torque": np.asarray(GJ / length * np.einsum("mi,mi->m", axis, change[:, 3:])),
        }


FAMILY = RodFamily()
