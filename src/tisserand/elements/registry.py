"""Which module serves which family; imported when first used."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from tisserand.elements.types import Family
from tisserand.errors import ModelError
from tisserand.model import ElementBlock

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


def family_of(block: ElementBlock) -> Family:
    """The family that serves a block."""
    if block.family not in _MODULES:
        raise ModelError(f"no element family serves {block.family!r}", ids=block.ids[:5].tolist())
    return cast(Family, import_module(_MODULES[block.family]).FAMILY)
