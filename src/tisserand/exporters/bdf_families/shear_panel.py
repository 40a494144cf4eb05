"""Shear panels as CSHEAR with PSHEAR."""

from __future__ import annotations

from collections.abc import Iterator

from tisserand.exporters.bdf_format import large, small
from tisserand.exporters.bdf_writing import BulkWriter
from tisserand.model import ShearPanelBlock, ShearPanelSection


def cards(writer: BulkWriter, block: ShearPanelBlock) -> Iterator[str]:
    """A card per panel."""
    units = writer.units

    def pshear(section: ShearPanelSection, number: int) -> str:
        values = (section.thickness / units.length, section.nonstructural_mass / units.areal_density)
        return large("PSHEAR", number, writer.material(section.material), *values, *section.extension)

    for e in range(len(block)):
        number = writer.property_id(block, e, pshear)
        yield small("CSHEAR", int(block.ids[e]), number, *writer.node_ids(block.nodes[e]))
