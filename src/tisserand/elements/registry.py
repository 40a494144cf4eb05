"""Which module serves which family: the one of its name (``shear panel`` in ``shear_panel``), imported when first used.

A family that lives elsewhere is registered with ``serve``. Families: theory section 1.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import cast

from tisserand.elements.element_data import Prepared
from tisserand.errors import ModelError
from tisserand.model import ElementBlock, StructuralModel

_SERVED: dict[str, type[Prepared]] = {}


def serve(family: str, prepared: type[Prepared]) -> None:
    """Register the elements of a family that has no module in this package."""
    _SERVED[family] = prepared


def prepare(model: StructuralModel, block: ElementBlock) -> Prepared:
    """Prepared elements of a block: geometry once, then stiffness, mass, stress states, forces and energy."""
    if block.served_by not in _SERVED:
        name = f"tisserand.elements.{block.served_by.replace(' ', '_')}"
        if not block.served_by.replace(" ", "").isidentifier() or find_spec(name) is None:
            raise ModelError(f"no element family for {block.family!r}", ids=block.ids[:5].tolist())
        serve(block.served_by, cast(type[Prepared], import_module(name).PREPARED))
    return _SERVED[block.served_by](model, block)
