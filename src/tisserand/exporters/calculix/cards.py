"""Keyword lines, sets, materials and orientations of a deck, each written once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ModelError
from tisserand.model import Anisotropic3D, Isotropic, Material, Orthotropic2D
from tisserand.units import UnitSystem

#: Share by which G may depart from E / (2 (1 + nu)), which is all that the deck can state.
_SAME_SHEAR = 1e-6
#: Ours orders shear 12, 23, 31; the deck 12, 13, 23.
_ORDER = [0, 1, 2, 3, 5, 4]


def number(value: float) -> str:
    """A real in the twenty columns that CalculiX reads: all its digits, or fourteen of them."""
    text = repr(float(value))
    return text if len(text) <= 20 else f"{float(value):.13e}"


def rows(items: Iterable[object], width: int = 10) -> list[str]:
    """Items in lines of ``width``; a comma at the end of all but the last says that it goes on."""
    words = [str(item) for item in items]
    lines = [", ".join(words[i : i + width]) for i in range(0, len(words), width)]
    return [line + "," for line in lines[:-1]] + lines[-1:]


def refused(what: str, ids: Sequence[int], advice: str | None = None) -> ModelError:
    """What CalculiX does not have, by name and element."""
    named = tuple(int(i) for i in ids[:5])
    words = ", ".join(map(str, named)) + (", ..." if len(ids) > len(named) else "")
    return ModelError(f"{what} cannot be written for CalculiX", ids=named, found=f"element {words}", advice=advice)


@dataclass(eq=False)
class Cards:
    """Lines of the deck by place: materials and orientations first used by the sections that name them."""

    units: UnitSystem
    materials: list[str] = field(default_factory=list)
    orientations: list[str] = field(default_factory=list)
    sections: list[str] = field(default_factory=list)
    _named: dict[object, str] = field(default_factory=dict)
    _kept: list[object] = field(default_factory=list)

    def orientation(self, axes: FloatArray) -> str:
        """Name of the axes (3, 3), rows in basic axes."""
        key = tuple(np.round(np.ravel(axes), 13) + 0.0)
        if key not in self._named:
            name = self._named[key] = f"O{len(self.orientations) + 1}"
            numbers = ", ".join(number(x) for x in [*axes[0], *axes[1]])
            self.orientations.append(f"*ORIENTATION, NAME={name}, SYSTEM=RECTANGULAR\n{numbers}")
        return self._named[key]

    def material(self, material: Material, density: float, where: Sequence[int]) -> str:
        """Name of a material with this density, kg/m³."""
        key = (id(material), density)
        if key not in self._named:
            name = self._named[key] = f"M{len(self.materials) + 1}"
            self._kept.append(material)
            lines = [f"*MATERIAL, NAME={name}", *self._elastic(material, where)]
            lines += ["*DENSITY", number(density / self.units.density)]
            self.materials.append("\n".join(lines))
        return self._named[key]

    def _elastic(self, material: Material, where: Sequence[int]) -> list[str]:
        p = self.units.pressure
        if isinstance(material, Isotropic):
            shear = material.young / (2.0 * (1.0 + material.poisson))
            if abs(material.shear - shear) > _SAME_SHEAR * shear:
                raise refused("an isotropic material whose G is not E / (2 (1 + nu))", where)
            return ["*ELASTIC", f"{number(material.young / p)}, {number(material.poisson)}"]
        if isinstance(material, Orthotropic2D):
            if not (material.shear_1z > 0.0 and material.shear_2z > 0.0):
                raise refused("a ply that is rigid in transverse shear", where)
            values = [
                *(x / p for x in (material.young_1, material.young_2, material.young_2)), material.poisson_12, 0.0, 0.0,
                *(x / p for x in (material.shear_12, material.shear_1z, material.shear_2z)),
            ]  # fmt: skip
            return ["*ELASTIC, TYPE=ENGINEERING CONSTANTS", *rows(map(number, values), 8)]
        if isinstance(material, Anisotropic3D):
            C = np.asarray(material.stiffness)[np.ix_(_ORDER, _ORDER)] / p
            upper = [C[i, j] for j in range(6) for i in range(j + 1)]
            return ["*ELASTIC, TYPE=ANISO", *rows(map(number, upper), 8)]
        raise refused("a plane anisotropic material", where)
