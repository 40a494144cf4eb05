"""Do the stated units fit the materials and the size of a model? One judgment for checks and for warnings."""

from __future__ import annotations

from typing import Any

import numpy as np

from tisserand.model import StructuralModel
from tisserand.units import Implausibility, implausibilities

#: Name of the check.
UNIT_CHECK = "unit plausibility"
#: A density, modulus or size this many times outside the range of all solids means wrong units, not an odd material.
GROSS = 30.0


def implausible_units(model: StructuralModel) -> list[tuple[Implausibility, int | None]]:
    """What fits no solid in the stated units, with the id of its material (None for the size); empty for ``consistent``."""
    if model.unit_system == "consistent":
        return []
    found: list[tuple[Implausibility, int | None]] = [
        (item, None) for item in implausibilities(size=model.size or None)
    ]
    for material in _used_materials(model):
        young = getattr(material, "young", getattr(material, "young_1", None))
        what = f"material {material.name or material.id}"
        found += [(item, material.id) for item in implausibilities(density=material.density, young=young, what=what)]
    return found


def wrong_units(model: StructuralModel) -> list[str]:
    """What is so far outside its plausible range that the stated units must be wrong, in words."""
    found = [item for item, _ in implausible_units(model)]
    return [item.message for item in found if not item.low / GROSS <= item.value <= item.high * GROSS]


def _used_materials(model: StructuralModel) -> list[Any]:
    """Materials of sections that elements refer to; all where a section does not say."""
    indices = {int(i) for block in model.elements if hasattr(block, "section") for i in np.unique(block.section)}
    used: list[Any] = []
    for index in indices:
        section = model.sections[index]
        own = [getattr(section, "material", None), *(ply.material for ply in getattr(section, "plies", ()))]
        known = [material for material in own if material is not None]
        if not known:
            return list(model.materials)
        used += known
    return [material for material in model.materials if any(material is other for other in used)]
