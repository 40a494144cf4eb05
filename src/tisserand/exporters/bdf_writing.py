"""What the writer of bulk data offers to the families that it does not name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tisserand.arrays import FloatArray, IntArray
from tisserand.model import ElementBlock, Material, StructuralModel
from tisserand.units import UnitSystem


class BulkWriter(Protocol):
    """A deck in the making."""

    model: StructuralModel
    units: UnitSystem

    def node_ids(self, nodes: IntArray) -> list[int]:
        """Ids of nodes given by their rows."""
        ...

    def node_axes(self, node: int) -> FloatArray:
        """(3, 3) axes of a node, as rows in basic axes."""
        ...

    def material(self, material: Material) -> int:
        """Id of a material, written when first used."""
        ...

    def property_id(self, block: ElementBlock, element: int, make: Callable[[Any, int], str]) -> int:
        """Id of the property of an element; ``make(section, id)`` writes its card when it is first used."""
        ...
