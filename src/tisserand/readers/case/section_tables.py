"""Sections of a case: section and material of a group of cells, and in which direction; numbers in the case's units."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import Field

from tisserand.arrays import FloatArray
from tisserand.declarations import (
    Declared,
    Key,
    check,
    excludes,
    needs,
    one_of,
    option,
    problem,
    ruled,
    some_of,
    tagged_by,
)
from tisserand.declarations.common_values import ORIGIN, Vector, many
from tisserand.elements.ply_failure import THEORIES
from tisserand.errors import ModelError
from tisserand.model import (
    BeamSection,
    BeamStation,
    Isotropic,
    Material,
    MembraneSection,
    Orthotropic2D,
    Ply,
    RodSection,
    Section,
    SolidSection,
)
from tisserand.model.laminate import homogeneous_shell, laminate
from tisserand.model.materials import Anisotropic3D
from tisserand.model.shapes import SHAPES, shape_properties
from tisserand.readers.case.case_values import Axes, Direction, Groups
from tisserand.readers.meshes.cells import LINES, SOLIDS, SURFACES
from tisserand.units import UnitSystem

#: Cell types that each kind of section can be given to.
CELLS_OF = {
    "shell": SURFACES,
    "membrane": ("triangle", "triangle6", "quad", "quad8"),
    "solid": tuple(SOLIDS),
    "beam": LINES,
    "rod": LINES,
}
if TYPE_CHECKING:
    ShapeName = str
    Theory = str
else:
    ShapeName, Theory = Literal[tuple(SHAPES)], Literal[tuple(THEORIES)]


def _cells(sort: str) -> Any:
    """One cell type, or several, that a kind of section can be given to."""
    return Literal[CELLS_OF[sort]] | tuple[Literal[CELLS_OF[sort]], ...]  # type: ignore[valid-type]


if TYPE_CHECKING:
    ShellCells = str | tuple[str, ...]
    MembraneCells = str | tuple[str, ...]
    SolidCells = str | tuple[str, ...]
    LineCells = str | tuple[str, ...]
else:
    ShellCells, MembraneCells, SolidCells, LineCells = map(_cells, ("shell", "membrane", "solid", "beam"))


@dataclass(frozen=True, eq=False)
class SectionRule:
    """A section in SI and the cells it is given to.

    elements: set names, physical groups or property numbers (empty: every cell of a fitting type); types:
    cell types such as ``quad``; orientation: beam vector in the x-y plane or shell material x axis, basic
    axes, None for sections without direction; offset: shell offset along the normal, m; offsets: beam ends,
    (2, 3) m.
    """

    key: str
    name: str
    section: Section
    elements: tuple[str | int, ...]
    types: tuple[str, ...]
    _: KW_ONLY
    orientation: FloatArray | None = None
    offset: float = 0.0
    offsets: FloatArray = field(default_factory=lambda: np.zeros((2, 3)))


@dataclass(frozen=True)
class Making:
    """Data needed to build a section: its number, name and key, the case's materials and units."""

    number: int
    name: str
    key: Key
    materials: Mapping[str, Material]
    units: UnitSystem

    def material(self, name: str, *words: str | int) -> Material:
        """A material of the case; ``words`` is the key that names it."""
        if name not in self.materials:
            raise self.key.at(*(words or ("material",))).unknown(name, self.materials, "unknown material")
        return self.materials[name]

    def isotropic(self, name: str, what: str) -> Isotropic:
        found = self.material(name)
        if not isinstance(found, Isotropic):
            raise self.key.at("material").error(f"{what} needs an isotropic material", found=repr(name))
        return found


def _types() -> Any:
    return option((), "cell types such as quad; default: all that fit")


class _Given(Declared):
    """The cells that a section is given to."""

    elements: Groups = option((), "groups of cells; default: every cell of a fitting type")
    types: str | tuple[str, ...] = _types()

    def rule(self, making: Making) -> SectionRule:
        section, directed, facts = self._made(making)
        orientation = getattr(self, "orientation", None)
        if directed and orientation is None:
            raise making.key.at("orientation").error(
                "is missing", expected="a vector: material x axis of an orthotropic shell, or x-y plane of a beam"
            )
        if orientation is not None:
            facts["orientation"] = np.array(orientation) / np.linalg.norm(orientation)
        groups, types = many(self.elements), many(self.types)
        return SectionRule(str(making.key), making.name, section, groups, types, **facts)

    @abstractmethod
    def _made(self, making: Making) -> tuple[Section, bool, dict[str, Any]]:
        """The section, whether it needs an orientation, and more facts of its rule."""


class PlyTable(Declared):
    """A layer of a shell."""

    material: str = option(..., "its material")
    thickness: float = option(..., "its thickness", unit="length units", above=0.0)
    angle_deg: float = option(0.0, "from the section's orientation to its direction 1", unit="deg")


class ShellTable(_Given):
    """A shell of one material, or of plies."""

    types: ShellCells = _types()
    kind: Literal["shell"] = option(..., "kind of section")
    material: str | None = option(None, "the material of a homogeneous shell")
    thickness: float | None = option(None, "its thickness", unit="length units", above=0.0)
    plies: PlyTable | Annotated[tuple[PlyTable, ...], Field(min_length=1)] | None = option(
        None, "layers from bottom to top, instead of material and thickness"
    )
    bottom: float | None = option(
        None, "height of the lowest ply; default: half the thickness below", unit="length units"
    )
    failure_theory: Theory | None = option(None, "for failure indices of plies; default: none")
    bond_strength: float = option(0.0, "shear strength between plies; zero: unknown", unit="stress units", at_least=0.0)
    offset: float = option(0.0, "of the reference surface along the normal", unit="length units")
    orientation: Direction | None = option(None, "material x axis, projected on each element")
    nonstructural_mass: float = option(0.0, "mass per area", unit="mass/length²", at_least=0.0)

    _one_build = ruled(
        one_of("thickness", "plies"),
        excludes("material", "plies"),
        needs("thickness", "material"),
        *(needs(word, "plies") for word in ("bottom", "failure_theory", "bond_strength")),
    )

    def _made(self, making: Making) -> tuple[Section, bool, dict[str, Any]]:
        units, facts = making.units, {"offset": self.offset * making.units.length}
        extra = self.nonstructural_mass * units.areal_density
        number, name = making.number, making.name
        if self.plies is not None:
            layers = [
                Ply(making.material(ply.material, "plies", i, "material"), ply.thickness * units.length,
                    float(np.radians(ply.angle_deg)))
                for i, ply in enumerate(many(self.plies))
            ]  # fmt: skip
            half = 0.5 * sum(ply.thickness for ply in layers)
            bottom = -half if self.bottom is None else self.bottom * units.length
            made = laminate(
                number, tuple(layers), bottom=bottom, nonstructural_mass=extra, failure_theory=self.failure_theory or "",
                bond_strength=self.bond_strength * units.pressure, name=name,
            )  # fmt: skip
            return made, True, facts
        assert self.thickness is not None and self.material is not None
        thickness, material = self.thickness * units.length, making.material(self.material)
        if isinstance(material, Isotropic):
            return homogeneous_shell(number, material, thickness, nonstructural_mass=extra, name=name), False, facts
        if isinstance(material, Orthotropic2D):
            plies = (Ply(material, thickness),)
            return laminate(number, plies, bottom=-0.5 * thickness, nonstructural_mass=extra, name=name), True, facts
        raise making.key.at("material").error(
            "a shell needs an isotropic or orthotropic material", found=repr(self.material)
        )


class SolidTable(_Given):
    """A solid."""

    types: SolidCells = _types()
    kind: Literal["solid"] = option(..., "kind of section")
    material: str = option(..., "its material")
    integration: Literal["full", "reduced", "unlocked", "incompatible", "selective", "sampled"] = option(
        "full", "how the elements are integrated"
    )
    axes: Axes | None = option(None, "material axes, one row each; default: basic axes")

    def _made(self, making: Making) -> tuple[Section, bool, dict[str, Any]]:
        material = making.material(self.material)
        if not isinstance(material, Isotropic | Anisotropic3D):
            raise making.key.at("material").error(
                "a solid needs an isotropic or a three-dimensional material", found=repr(self.material)
            )
        axes = None if self.axes is None else np.array(self.axes)
        return SolidSection(making.number, material, axes, self.integration, making.name), False, {}


class RodTable(_Given):
    """A rod: axial force and torsion only."""

    types: LineCells = _types()
    kind: Literal["rod"] = option(..., "kind of section")
    material: str = option(..., "its material")
    area: float = option(..., "cross section", unit="length²", above=0.0)
    torsion_constant: float = option(0.0, "torsion constant", unit="length⁴", at_least=0.0)
    nonstructural_mass: float = option(0.0, "mass per length", unit="mass/length", at_least=0.0)
    tension: float = option(0.0, "axial force at rest, which stiffens it across", unit="force units")

    def _made(self, making: Making) -> tuple[Section, bool, dict[str, Any]]:
        units = making.units
        made = RodSection(
            making.number, making.isotropic(self.material, "a rod"), self.area * units.area,
            self.torsion_constant * units.second_moment, self.nonstructural_mass * units.line_density, making.name,
            self.tension * units.force,
        )  # fmt: skip
        return made, False, {}


class CableTable(_Given):
    """A cable: a rod with a tension, stiff across its axis by this alone."""

    types: LineCells = _types()
    kind: Literal["cable"] = option(..., "kind of section")
    material: str = option(..., "its material")
    area: float = option(..., "cross section", unit="length²", above=0.0)
    tension: float = option(..., "axial force at rest", unit="force units", above=0.0)
    nonstructural_mass: float = option(0.0, "mass per length", unit="mass/length", at_least=0.0)

    def _made(self, making: Making) -> tuple[Section, bool, dict[str, Any]]:
        units, material = making.units, making.isotropic(self.material, "a cable")
        extra, tension = self.nonstructural_mass * units.line_density, self.tension * units.force
        number, name = making.number, making.name
        return RodSection(number, material, self.area * units.area, 0.0, extra, name, tension), False, {}


class MembraneTable(_Given):
    """A membrane: stiff in its surface, and across it by its prestress alone."""

    types: MembraneCells = _types()
    kind: Literal["membrane"] = option(..., "kind of section")
    material: str = option(..., "its material, isotropic or orthotropic")
    thickness: float = option(..., "its thickness", unit="length units", above=0.0)
    prestress: tuple[float, float, float] = option(
        (0.0, 0.0, 0.0), "forces per width at rest along x, along y and in shear, material axes", unit="force/length"
    )
    orientation: Direction | None = option(None, "material x axis, projected on each element")
    nonstructural_mass: float = option(0.0, "mass per area", unit="mass/length²", at_least=0.0)

    def _made(self, making: Making) -> tuple[Section, bool, dict[str, Any]]:
        units, material = making.units, making.material(self.material)
        if not isinstance(material, Isotropic | Orthotropic2D):
            raise making.key.at("material").error(
                "a membrane needs an isotropic or orthotropic material", found=repr(self.material)
            )
        ply = Ply(material, self.thickness * units.length)
        flat = laminate(making.number, (ply,), nonstructural_mass=self.nonstructural_mass * units.areal_density)
        a, b, c = (value * units.force / units.length for value in self.prestress)
        made = MembraneSection(
            making.number, membrane=flat.membrane, areal_mass=flat.areal_mass, thickness=ply.thickness,
            prestress=(a, b, c), material=material, name=making.name,
        )  # fmt: skip
        return made, a != b or c != 0.0 or isinstance(material, Orthotropic2D), {}


_CONSTANTS = ("area", "i_zz", "i_yy", "torsion_constant")


class BeamTable(_Given):
    """A beam of a drawn shape or of section constants; the mesh line is its shear center."""

    types: LineCells = _types()
    kind: Literal["beam"] = option(..., "kind of section")
    material: str = option(..., "its material")
    shape: ShapeName | None = option(None, "shape, by Nastran's PBARL names")
    dimensions: tuple[float, ...] | None = option(None, "its sizes in PBARL's order", unit="length units", at_least=0.0)
    area: float | None = option(None, "cross section, instead of a shape", unit="length²", above=0.0)
    i_zz: float | None = option(None, "second moment for bending in the x-y plane", unit="length⁴", above=0.0)
    i_yy: float | None = option(None, "second moment for bending in the x-z plane", unit="length⁴", above=0.0)
    i_yz: float | None = option(None, "product of area; default: zero", unit="length⁴")
    torsion_constant: float | None = option(None, "torsion constant", unit="length⁴", above=0.0)
    shear_y: float | None = option(None, "shear factor in y; default: the shape's, else rigid in shear", at_least=0.0)
    shear_z: float | None = option(None, "shear factor in z; default: the shape's, else rigid in shear", at_least=0.0)
    orientation: Direction | None = option(None, "vector in the x-y plane; needed unless the section has no direction")
    offsets: tuple[Vector, Vector] = option((ORIGIN, ORIGIN), "from the nodes to the beam's ends", unit="length units")
    nonstructural_mass: float = option(0.0, "mass per length", unit="mass/length", at_least=0.0)

    _one_description = ruled(
        some_of(("shape", "dimensions"), _CONSTANTS),
        *(excludes(word, "shape") for word in (*_CONSTANTS, "i_yz")),
        needs("shape", "dimensions"),
        needs("dimensions", "shape"),
    )

    @check
    def _possible(self) -> None:
        if self.shape is not None and self.dimensions is not None:
            try:
                shape_properties(self.shape, self.dimensions)
            except ModelError as error:
                raise problem("dimensions", error.what, found=error.found, expected=error.expected) from error
        elif self.i_zz is not None and self.i_yy is not None and (self.i_yz or 0.0) ** 2 >= self.i_zz * self.i_yy:
            raise problem("i_yz", "is too large", found=self.i_yz, expected="i_yz² below i_zz i_yy")

    def _made(self, making: Making) -> tuple[Section, bool, dict[str, Any]]:
        units = making.units
        material = making.isotropic(self.material, "a beam")
        extra, outline, shear = self.nonstructural_mass * units.line_density, None, (0.0, 0.0)
        if self.shape is not None:
            outline = (self.shape, tuple(size * units.length for size in self.dimensions or ()))
            drawn = shape_properties(*outline)
            middle = (-drawn.shear_center[0], -drawn.shear_center[1])
            station = BeamStation(
                drawn.area, drawn.i_zz, drawn.i_yy, drawn.i_yz, drawn.torsion_constant, extra,
                neutral_axis=middle, mass_center=middle,
            )  # fmt: skip
            shear = (drawn.shear_y, drawn.shear_z)
        else:
            moments = (self.i_zz, self.i_yy, self.i_yz, self.torsion_constant)
            i_zz, i_yy, i_yz, torsion = ((value or 0.0) * units.second_moment for value in moments)
            station = BeamStation((self.area or 0.0) * units.area, i_zz, i_yy, i_yz, torsion, extra)
        shear_y = shear[0] if self.shear_y is None else self.shear_y
        shear_z = shear[1] if self.shear_z is None else self.shear_z
        directed = abs(station.i_zz - station.i_yy) > 1e-9 * station.i_zz or station.i_yz != 0.0 or shear_y != shear_z
        made = BeamSection(
            making.number, material, station, None, shear_y=shear_y, shear_z=shear_z, outline=outline, name=making.name
        )
        return made, directed, {"offsets": np.array(self.offsets) * units.length}


SectionTable = Annotated[ShellTable | MembraneTable | SolidTable | BeamTable | RodTable | CableTable, tagged_by("kind")]
