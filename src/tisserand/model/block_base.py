"""What all element blocks share: ids, nodes, selection of rows."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, ClassVar, Self, cast

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray, frozen
from tisserand.model.family_facts import FamilyFacts

_TYPES = {"IntArray": np.int64, "FloatArray": np.float64, "BoolArray": np.bool_}


def row(*shape: int) -> dict[str, tuple[int, ...]]:
    """Metadata of an array field that holds ``shape`` values per element (-1: any number); a field without it holds one."""
    return {"row": shape}


#: Types of blocks by family.
FAMILIES: dict[str, type[Block]] = {}


class Block:
    """Shared behavior of blocks: every array has one row per element and is read-only.

    A type that names its ``family`` registers itself.
    """

    family: ClassVar[str]
    facts: ClassVar[FamilyFacts]
    ids: IntArray
    nodes: IntArray
    #: Places of the nodes between which elements of the shapes ``line`` and ``link`` are drawn.
    drawn_ends: ClassVar[tuple[tuple[int, int], ...]] = ((0, 1),)
    #: (m, k) thickness at the nodes over that of the section, where it varies.
    taper: FloatArray | None = None

    def __init_subclass__(cls) -> None:
        if "family" in vars(cls):
            known = FAMILIES.setdefault(cls.family, cls)
            if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
                raise TypeError(
                    f"two types of blocks name the family {cls.family!r}: {known.__qualname__}, {cls.__qualname__}"
                )
            FAMILIES[cls.family] = cls

    def __post_init__(self) -> None:
        for item in fields(self):  # type: ignore[arg-type]
            kind, value = _TYPES.get(str(item.type).removesuffix(" | None")), getattr(self, item.name)
            if kind is not None and value is not None:
                shape = (len(self.ids), *item.metadata.get("row", ()))
                object.__setattr__(self, item.name, frozen(value, kind, shape))

    @property
    def served_by(self) -> str:
        """Name of the module of ``tisserand.elements`` that serves these elements: that of the family."""
        return self.family

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

    def changed(self, **values: Any) -> Self:
        """The same block with other values of some fields."""
        return cast(Self, replace(cast(Any, self), **values))

    @property
    def corner_nodes(self) -> IntArray:
        """(m, k) node indices of the ends or corners, without midside nodes."""
        return self.nodes

    def corners(self, positions: FloatArray) -> FloatArray:
        """(m, k, 3) where the elements' own ends or corners are, m, for nodes at ``positions`` (n, 3)."""
        return np.asarray(positions[self.corner_nodes])
