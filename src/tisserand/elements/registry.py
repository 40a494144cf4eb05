"""Which module serves which family; imported when first used.

Families: theory section 1.
"""

from __future__ import annotations

from importlib import import_module
from typing import cast

from tisserand.elements.element_data import Prepared
from tisserand.errors import ModelError
from tisserand.model import ElementBlock, StructuralModel

_MODULES = {
    "rod": "tisserand.elements.rod",
    "beam": "tisserand.elements.beam",
    "shell": "tisserand.elements.shell",
    "shell with midside nodes": "tisserand.elements.curved_shell",
    "membrane": "tisserand.elements.membrane",
    "shear panel": "tisserand.elements.shear_panel",
    "solid": "tisserand.elements.solid",
    "spring": "tisserand.elements.spring",
    "bush": "tisserand.elements.bush",
    "scalar mass": "tisserand.elements.scalar_mass",
    "nodal body": "tisserand.elements.nodal_body",
    "direct matrix": "tisserand.elements.direct_matrix",
}


def prepare(model: StructuralModel, block: ElementBlock) -> Prepared:
    """The elements of a block made ready: geometry once, then stiffness, mass, stress states, forces and energy."""
    if block.family not in _MODULES:
        raise ModelError(f"no element family for {block.family!r}", ids=block.ids[:5].tolist())
    family = block.family
    if family == "shell" and block.nodes.shape[1] > 4:
        family = "shell with midside nodes"
    return cast(Prepared, import_module(_MODULES[family]).PREPARED(model, block))
