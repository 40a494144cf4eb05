"""Which module serves which family; imported when first used.

Families: theory section 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import cast

from tisserand.arrays import FloatArray
from tisserand.elements.element_data import Family
from tisserand.errors import ModelError
from tisserand.model import ElementBlock, RodBlock, RodSection, StructuralModel

_MODULES = {
    "rod": "tisserand.elements.rod",
    "beam": "tisserand.elements.beam",
    "shell": "tisserand.elements.shell",
    "solid": "tisserand.elements.solid",
    "spring": "tisserand.elements.spring",
    "bush": "tisserand.elements.bush",
    "scalar mass": "tisserand.elements.scalar_mass",
    "nodal body": "tisserand.elements.nodal_body",
}

TRANSLATIONS = (0, 1, 2)
ALL_COMPONENTS = (0, 1, 2, 3, 4, 5)


def family_of(block: ElementBlock) -> Family:
    """The family that serves a block."""
    if block.family not in _MODULES:
        raise ModelError(f"no element family for {block.family!r}", ids=block.ids[:5].tolist())
    return cast(Family, import_module(_MODULES[block.family]).FAMILY)


def components_of(model: StructuralModel, block: ElementBlock) -> tuple[int, ...]:
    """Node components that a block's matrices speak of, the same for every chunk cut from it.

    Empty for scalar elements (springs, scalar masses), which name a component per node and element.
    """
    if block.family in ("spring", "scalar mass", "direct matrix"):
        return ()
    if block.family == "solid":
        return TRANSLATIONS
    if isinstance(block, RodBlock):
        return ALL_COMPONENTS if rods_twist(model, block) else TRANSLATIONS
    return ALL_COMPONENTS


def geometric_states(
    model: StructuralModel, block: ElementBlock, displacements: FloatArray
) -> Iterator[FloatArray | None]:
    """Geometric stiffness (m, nd, nd) of every element for each of the displacements (n, 6, p), in order.

    None from families without geometric stiffness.
    """
    family = family_of(block)
    several = getattr(family, "geometric_states", None)
    if several is not None:
        yield from several(model, block, displacements)
        return
    for i in range(displacements.shape[2]):
        yield family.geometric_stiffness(model, block, displacements[:, :, i])


def mass_is_scalar(block: ElementBlock) -> bool:
    """Whether the mass is one number per pair of nodes, the same on each translation, zero between them."""
    return block.family == "solid"


def rods_twist(model: StructuralModel, block: RodBlock) -> bool:
    """Whether any section of the model gives its rods torsional stiffness (decided per model, not per chunk)."""
    return any(isinstance(section, RodSection) and section.torsion_constant > 0.0 for section in model.sections)
