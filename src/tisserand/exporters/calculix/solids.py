"""Solids: the type of CalculiX that integrates as the section says."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from tisserand.exporters.calculix.cards import refused
from tisserand.model import Anisotropic3D, SolidBlock, SolidSection

if TYPE_CHECKING:
    from tisserand.exporters.calculix.deck import Deck

_MASS = "CalculiX integrates the mass of {0} at the points of its stiffness"
_OTHER = "solids with {1} integration are written as {0}, which is another element"
#: (cell, integration) -> type, and what is lost.
_TYPES: dict[tuple[str, str], tuple[str, str]] = {
    ("tet4", "sampled"): ("C3D4", ""), ("tet4", "full"): ("C3D4", _MASS),
    ("tet10", "sampled"): ("C3D10", ""), ("tet10", "full"): ("C3D10", _MASS),
    ("wedge6", "sampled"): ("C3D6", ""), ("wedge6", "full"): ("C3D6", _MASS),
    ("wedge15", "sampled"): ("C3D15", ""), ("wedge15", "full"): ("C3D15", _MASS),
    ("hex8", "full"): ("C3D8", ""), ("hex8", "reduced"): ("C3D8R", ""), ("hex8", "incompatible"): ("C3D8I", ""),
    ("hex8", "unlocked"): ("C3D8I", _OTHER), ("hex8", "selective"): ("C3D8", _OTHER),
    ("hex20", "full"): ("C3D20", ""), ("hex20", "sampled"): ("C3D20R", ""), ("hex20", "reduced"): ("C3D20R", _MASS),
    ("hex20", "unlocked"): ("C3D20R", _OTHER),
}  # fmt: skip


def write_solids(deck: Deck, block: SolidBlock) -> None:
    """Elements and their sections, a set for each."""
    for index in np.unique(block.section).tolist():
        mine = np.flatnonzero(block.section == index)
        section, ids = cast(SolidSection, deck.model.sections[index]), block.ids[mine].tolist()
        known = _TYPES.get((block.kind, section.integration))
        if known is None:
            raise refused(f"a {block.kind} with {section.integration} integration", ids)
        kind, loss = known
        if loss:
            deck.lose(loss.format(kind, section.integration), otherwise=True)
        name = deck.element_set(kind, ids, [deck.node_ids(row) for row in block.nodes[mine].tolist()])
        turned = ""
        if isinstance(section.material, Anisotropic3D) and section.axes is not None:
            turned = f", ORIENTATION={deck.cards.orientation(section.axes)}"
        material = deck.cards.material(section.material, section.material.density, ids)
        deck.cards.sections.append(f"*SOLID SECTION, ELSET={name}, MATERIAL={material}{turned}")
