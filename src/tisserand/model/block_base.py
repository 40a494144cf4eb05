"""What all element blocks share: ids, nodes, selection of rows."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray, frozen
from tisserand.model.family_facts import FamilyFacts


def freeze(block: Any, **shapes: tuple[Any, tuple[int, ...]]) -> None:
    for name, (dtype, shape) in shapes.items():
        value = getattr(block, name)
        if value is not None:
            object.__setattr__(block, name, frozen(value, dtype, shape))


class Block:
    """Shared behavior of blocks."""

    family: ClassVar[str]
    facts: ClassVar[FamilyFacts]
    ids: IntArray
    nodes: IntArray
    #: (m, k) thickness at the nodes over that of the section, where it varies.
    taper: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<{len(self)} {self.family}>"

    def select(self, rows: IntArray | BoolArray | slice) -> Any:
        """The same block with only the given rows."""
        values = {}
        for item in fields(self):  # type: ignore[arg-type]
            value = getattr(self, item.name)
            values[item.name] = value[rows] if isinstance(value, np.ndarray) else value
        return type(self)(**values)

    @property
    def corner_nodes(self) -> IntArray:
        """(m, k) node indices of the ends or corners, without midside nodes."""
        return self.nodes

    def corners(self, positions: FloatArray) -> FloatArray:
        """(m, k, 3) where the elements' own ends or corners are, m, for nodes at ``positions`` (n, 3)."""
        return np.asarray(positions[self.corner_nodes])
