"""Checks of the words and counts of a record that decide its meaning; a wrong one is refused, never taken for a default."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args

from tisserand.appendage.record.reduced_appendage import GEOMETRIC_FAMILIES, ReducedAppendage
from tisserand.model.structure import MassRecipe
from tisserand.modes.modal_basis import FrameName
from tisserand.units import SYSTEMS

#: The name of a unit system that was given by its factors.
_BY_FACTORS = re.compile(r"[\d.e+-]+ m, [\d.e+-]+ kg, [\d.e+-]+ s")


def unknown_words(record: ReducedAppendage) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is wrong and its facts, for every word without a meaning."""
    if record.unit_system not in SYSTEMS and not _BY_FACTORS.fullmatch(record.unit_system):
        yield "its unit_system is unknown", {"found": repr(record.unit_system), "expected": ", ".join(SYSTEMS)}
    if record.frame.name not in get_args(FrameName):
        yield "its frame is unknown", {"found": repr(record.frame.name), "expected": ", ".join(get_args(FrameName))}
    if record.rigid_body_modes < 0:
        yield "its rigid_body_modes are no number of modes", {"found": record.rigid_body_modes, "expected": "0 or more"}
    loads = {*GEOMETRIC_FAMILIES, *(f"F:{point.name}:{axis}" for point in record.interfaces for axis in range(1, 7))}
    loads |= {f"eta:{mode}" for mode in range(1, record.count + 1)}
    for name in record.geometric_stiffness:
        if name not in loads:
            expected = f"{', '.join(GEOMETRIC_FAMILIES)}, F:INTERFACE:1 to 6, or eta:MODE"
            yield "a geometric stiffness has the name of no load", {"found": repr(name), "expected": expected}
    for number, source in enumerate(record.sources):
        known = get_args(MassRecipe) if source.structure is not None else ("matrix",)
        if source.recipe not in known:
            facts = {"found": repr(source.recipe), "expected": ", ".join(known)}
            yield f"sources/{number} has an unknown mass recipe", facts
