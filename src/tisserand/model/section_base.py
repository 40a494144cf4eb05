"""What all sections share, and the register of their types."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Self, cast

from tisserand.arrays import FloatArray
from tisserand.model.materials import Material

#: Types of sections by name.
SECTION_TYPES: dict[str, type[Section]] = {}


class Section(ABC):
    """What sections answer alike; a type that names its ``family`` registers itself."""

    family: ClassVar[str]
    id: int
    name: str

    #: Whether rods with it resist torsion, so that their nodes turn.
    twists: ClassVar[bool] = False
    #: Whether it states a pretension, which makes elements stiff against turning.
    stressed: ClassVar[bool] = False
    material: Material | None

    def __init_subclass__(cls) -> None:
        if "family" in vars(cls):
            SECTION_TYPES[cls.__name__] = cls

    @property
    @abstractmethod
    def densities(self) -> tuple[float, float]:
        """Mass per length kg/m at both ends of lines, per area kg/m² or per volume kg/m³ of others."""

    def changed(self, **values: Any) -> Self:
        """The same section with other values of some fields."""
        return cast(Self, replace(cast(Any, self), **values))

    @property
    def materials(self) -> tuple[Material, ...]:
        """What it is made of."""
        return () if self.material is None else (self.material,)

    @property
    def eccentricity(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where the mass sits in the section (y, z) at both ends, m: on the axis, or in the surface through the nodes."""
        return (0.0, 0.0), (0.0, 0.0)

    def turned(self, Q: FloatArray) -> Self:
        """The same in a model turned by Q (3, 3): v_new = Q v."""
        return self
