"""Beams of three nodes as CBEAM3 with PBEAM3."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tisserand.exporters.bdf_format import large
from tisserand.exporters.bdf_writing import BulkWriter
from tisserand.model import BeamSection, BeamStation
from tisserand.model.families.curved_beam import CurvedBeamBlock


def cards(writer: BulkWriter, block: CurvedBeamBlock) -> Iterator[str]:
    """A card per beam; vectors in the axes of their nodes."""
    for e in range(len(block)):
        number = writer.property_id(block, e, lambda section, number: _pbeam3(writer, section, number))
        nodes = block.nodes[e].tolist()
        vector = writer.node_axes(nodes[0]) @ (block.orientation[e] / np.abs(block.orientation[e]).max())
        arms: list[float] = []
        if block.offsets[e].any():
            local = [writer.node_axes(node) @ block.offsets[e, k] / writer.units.length for k, node in enumerate(nodes)]
            arms = [float(value) for value in np.concatenate(local)]
        yield large("CBEAM3", int(block.ids[e]), number, *writer.node_ids(block.nodes[e]), *vector.tolist(), *arms)


def _pbeam3(writer: BulkWriter, section: BeamSection, number: int) -> str:
    units = writer.units
    a, b = section.end_a, section.end_b or section.end_a

    def values(*ends: BeamStation) -> list[float]:
        """A, IZ, IY, IYZ, J, NSM, their mean over the ends."""
        rows = [
            [end.area / units.area, *(i / units.second_moment for i in (end.i_zz, end.i_yy, end.i_yz, end.torsion_constant)),
             end.nonstructural_mass / units.line_density]
            for end in ends
        ]  # fmt: skip
        return [float(value) for value in np.mean(rows, axis=0)]

    blank = [None] * 8
    fields: list[float | str | None] = [*values(a), *blank]
    for ends in ((b,), (a, b)):
        fields += ["YESA", None, *values(*ends), *blank]
    fields += [section.shear_y, section.shear_z]
    for word in ("neutral_axis", "mass_center"):
        pairs = [np.array(getattr(end, word)) / units.length for end in (a, b)]
        fields += [float(value) for pair in (*pairs, (pairs[0] + pairs[1]) / 2) for value in pair]
    inertia = [end.nonstructural_inertia / (units.mass * units.length) for end in (a, b)]
    for value in (*inertia, sum(inertia) / 2):
        fields += [0.5 * value, 0.5 * value, 0.0]
    return large("PBEAM3", number, writer.material(section.material), *fields)
