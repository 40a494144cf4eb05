"""A family of elements that the program does not contain: springs with mass along a line, registered from outside.

Block and section, elements, cards read and cards written: the four parts that CONTRIBUTING.md lists, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from support.lines import STEEL
from tisserand.arrays import IntArray
from tisserand.elements.element_data import DIRECTIONS, Prepared, gathered
from tisserand.elements.registry import serve
from tisserand.exporters.bdf_families import WRITERS
from tisserand.exporters.bdf_format import large, small
from tisserand.model.block_base import Block, row
from tisserand.model.family_facts import FamilyFacts
from tisserand.model.section_base import Section
from tisserand.readers.nastran.book import SectionBook
from tisserand.readers.nastran.families import READERS, FamilyReader


@dataclass(frozen=True)
class StrutSection(Section):
    """Axial rigidity N and mass per length kg/m."""

    family: ClassVar[str] = "strut"
    id: int
    rigidity: float
    line_mass: float
    name: str = ""
    material: None = None
    outline: ClassVar = ("ROD", (0.01,))

    @property
    def densities(self):
        return self.line_mass, self.line_mass

    def heavier(self, extra):
        return replace(self, line_mass=self.line_mass + extra)


@dataclass(frozen=True, eq=False, repr=False)
class StrutBlock(Block):
    family: ClassVar[str] = "strut"
    facts: ClassVar[FamilyFacts] = FamilyFacts("line", "translations", section="strut")
    ids: IntArray
    nodes: IntArray = field(metadata=row(2))
    section: IntArray


class PreparedStruts(Prepared):
    def __init__(self, model, block):
        super().__init__(model, block)
        span = np.diff(model.nodes.positions[block.nodes], axis=1)[:, 0]
        self.length = np.linalg.norm(span, axis=1)
        self.along = span / self.length[:, None]
        self.rigidity, self.line_mass = np.array(
            [(model.sections[k].rigidity, model.sections[k].line_mass) for k in block.section]
        ).T

    def stiffness(self):
        axial = self.along[:, :, None] * self.along[:, None] * (self.rigidity / self.length)[:, None, None]
        return self._between(axial)

    def _between(self, part):
        return np.concatenate([np.concatenate([part, -part], 2), np.concatenate([-part, part], 2)], 1)

    def directional_mass(self, recipe):
        share = np.array([[2.0, 1.0], [1.0, 2.0]]) / 6.0 if recipe == "consistent" else np.eye(2) / 2.0
        out = np.zeros((len(self), 6, 6, 6))
        for place, (a, b) in enumerate(DIRECTIONS):
            out[:, place, a::3, b::3] = (self.line_mass * self.length)[:, None, None] * share
        return out

    def mass(self, recipe):
        return self.directional_mass(recipe)[:, :3].sum(axis=1)

    def geometric_states(self, displacements):
        across = np.eye(3) - self.along[:, :, None] * self.along[:, None]
        for k in range(displacements.shape[2]):
            yield self._between(
                across * (self.resultants(displacements[:, :, k])["force"] / self.length)[:, None, None]
            )

    def resultants(self, displacement):
        u = gathered(displacement[..., None], self.nodes, (0, 1, 2))[..., 0]
        stretch = np.einsum("mi,mi->m", self.along, u[:, 3:] - u[:, :3])
        return {"force": self.rigidity * stretch / self.length}


def _read(draft):
    table = draft.bulk.table("CSTRUT", 4)
    if not len(table):
        return []
    nodes = np.column_stack([draft.node_indices(table, 2 + k) for k in range(2)])
    return [
        StrutBlock(table.integers(0), nodes, draft.section_indices(table, 1, SectionBook(draft, {"PSTRUT": _pstrut})))
    ]


def _pstrut(draft, row, number):
    return StrutSection(number, row.real(1) * draft.units.force, row.real(2) * draft.mass_factor / draft.units.length)


def _cards(writer, block):
    def pstrut(section, number):
        units = writer.units
        return large("PSTRUT", number, section.rigidity / units.force, section.line_mass / units.line_density)

    for e in range(len(block)):
        yield small("CSTRUT", int(block.ids[e]), writer.property_id(block, e, pstrut), *writer.node_ids(block.nodes[e]))


serve("strut", PreparedStruts)
READERS["strut"] = FamilyReader(("CSTRUT", "PSTRUT"), _read)
WRITERS["strut"] = _cards
SECTION = StrutSection(1, STEEL.young * 1e-4, 0.8)
