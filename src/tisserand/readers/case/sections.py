"""Sections of a case: what the cells of a group are made of, and in which direction."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.ply_failure import THEORIES
from tisserand.errors import ModelError
from tisserand.model import (
    BeamSection,
    BeamStation,
    Isotropic,
    Material,
    Orthotropic2D,
    Ply,
    RodSection,
    Section,
    SolidSection,
)
from tisserand.model.materials import Anisotropic3D
from tisserand.model.shapes import SHAPES, shape_properties
from tisserand.readers.case.types import SectionRule
from tisserand.readers.meshes.cells import LINES, SOLIDS, SURFACES
from tisserand.schema import Table
from tisserand.units import UnitSystem

#: Cell types that each kind of section can be given to.
CELLS_OF = {"shell": SURFACES, "solid": tuple(SOLIDS), "beam": LINES, "rod": LINES}


def section_rules(
    case: Table, materials: Mapping[str, Material], units: UnitSystem
) -> tuple[SectionRule, ...]:
    """Every ``[sections.NAME]`` table."""
    return tuple(
        _rule(number, name, table, materials, units)
        for number, (name, table) in enumerate(case.named_tables("sections"), 1)
    )


def _rule(
    number: int, name: str, table: Table, materials: Mapping[str, Material], units: UnitSystem
) -> SectionRule:
    kind = table.choice("kind", tuple(CELLS_OF))
    elements = table.raw("elements", [])
    items = elements if isinstance(elements, list) else [elements]
    if any(isinstance(item, bool) or not isinstance(item, str | int) for item in items):
        raise table.error(
            "elements", "is not a group", found=repr(elements), expected="names or numbers of groups"
        )
    types = table.words("types", ())
    for cell in types:
        if cell not in CELLS_OF[kind]:
            raise table.unknown(
                "types", cell, CELLS_OF[kind], f"a {kind} section cannot be given to these cells"
            )
    orientation = _direction(table, "orientation") if table.has("orientation") else None
    offset, offsets = 0.0, np.zeros((2, 3))
    section: Section
    if kind == "shell":
        section, directed = _shell(number, name, table, materials, units)
        offset = table.number("offset", 0.0) * units.length
    elif kind == "solid":
        section, directed = _solid(number, name, table, materials), False
    elif kind == "beam":
        section, directed = _beam(number, name, table, materials, units)
        offsets = table.matrix("offsets", 2, 3, np.zeros((2, 3))) * units.length
    else:
        section, directed = _rod(number, name, table, materials, units), False
    if directed and orientation is None:
        raise table.error(
            "orientation",
            "is missing",
            expected="a vector: material x axis of an orthotropic shell, or x-y plane of a beam",
        )
    return SectionRule(table.key, name, section, tuple(items), tuple(types), orientation, offset, offsets)


def _direction(table: Table, key: str) -> FloatArray:
    vector = table.vector(key, 3)
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        raise table.error(key, "is a zero vector", expected="a direction")
    return np.asarray(vector / length)


def material_of(table: Table, key: str, materials: Mapping[str, Material]) -> Material:
    """The material that a key names."""
    name = table.text(key)
    if name not in materials:
        raise table.unknown(key, name, materials, "unknown material")
    return materials[name]


def _isotropic(table: Table, materials: Mapping[str, Material], what: str) -> Isotropic:
    material = material_of(table, "material", materials)
    if not isinstance(material, Isotropic):
        raise table.error(
            "material", f"{what} needs an isotropic material", found=repr(table.text("material"))
        )
    return material


def _shell(
    number: int, name: str, table: Table, materials: Mapping[str, Material], units: UnitSystem
) -> tuple[Section, bool]:
    from tisserand.model.laminate import homogeneous_shell, laminate

    extra = table.number("nonstructural_mass", 0.0, minimum=0.0) * units.areal_density
    if table.has("plies"):
        plies = []
        for layer in table.list_of_tables("plies"):
            material = material_of(layer, "material", materials)
            thickness = layer.number("thickness", above=0.0) * units.length
            plies.append(Ply(material, thickness, float(np.radians(layer.number("angle_deg", 0.0)))))
        if not plies:
            raise table.error("plies", "is empty", expected="layers from bottom to top")
        if table.has("thickness"):
            table.one_of("plies", "thickness")
        total = sum(ply.thickness for ply in plies)
        bottom = table.number("bottom", -0.5 * total / units.length) * units.length
        made = laminate(
            number,
            tuple(plies),
            bottom=bottom,
            nonstructural_mass=extra,
            failure_theory=table.choice("failure_theory", ("", *THEORIES), ""),
            bond_strength=table.number("bond_strength", 0.0, minimum=0.0) * units.pressure,
            name=name,
        )
        return made, True
    thickness = table.number("thickness", above=0.0) * units.length
    material = material_of(table, "material", materials)
    if isinstance(material, Isotropic):
        return homogeneous_shell(number, material, thickness, nonstructural_mass=extra, name=name), False
    if isinstance(material, Orthotropic2D):
        plies = [Ply(material, thickness)]
        return laminate(
            number, tuple(plies), bottom=-0.5 * thickness, nonstructural_mass=extra, name=name
        ), True
    raise table.error(
        "material",
        "a shell needs an isotropic or orthotropic material",
        found=repr(table.text("material")),
    )


def _solid(number: int, name: str, table: Table, materials: Mapping[str, Material]) -> SolidSection:
    material = material_of(table, "material", materials)
    if not isinstance(material, Isotropic | Anisotropic3D):
        raise table.error(
            "material",
            "a solid needs an isotropic or a three-dimensional material",
            found=repr(table.text("material")),
        )
    axes = None
    if table.has("axes"):
        axes = table.matrix("axes", 3, 3)
        if not np.allclose(axes @ axes.T, np.eye(3), atol=1e-6) or np.linalg.det(axes) < 0.0:
            raise table.error("axes", "are not three perpendicular right-handed unit vectors")
    integration = table.choice("integration", ("full", "reduced", "unlocked"), "full")
    return SolidSection(number, material, axes, integration, name)  # type: ignore[arg-type]


def _rod(
    number: int, name: str, table: Table, materials: Mapping[str, Material], units: UnitSystem
) -> RodSection:
    return RodSection(
        number,
        _isotropic(table, materials, "a rod"),
        table.number("area", above=0.0) * units.area,
        table.number("torsion_constant", 0.0, minimum=0.0) * units.second_moment,
        table.number("nonstructural_mass", 0.0, minimum=0.0) * units.line_density,
        name,
    )


def _beam(
    number: int, name: str, table: Table, materials: Mapping[str, Material], units: UnitSystem
) -> tuple[BeamSection, bool]:
    material = _isotropic(table, materials, "a beam")
    extra = table.number("nonstructural_mass", 0.0, minimum=0.0) * units.line_density
    outline = None
    if table.has("shape"):
        shape = table.choice("shape", SHAPES)
        outline = (
            shape,
            tuple(float(size) for size in table.vector("dimensions", minimum=0.0) * units.length),
        )
        try:
            drawn = shape_properties(*outline)
        except ModelError as error:
            raise table.error("dimensions", error.what, found=error.found, expected=error.expected) from error
        station = BeamStation(
            drawn.area,
            drawn.i_zz,
            drawn.i_yy,
            drawn.i_yz,
            drawn.torsion_constant,
            extra,
            neutral_axis=(-drawn.shear_centre[0], -drawn.shear_centre[1]),
            mass_centre=(-drawn.shear_centre[0], -drawn.shear_centre[1]),
        )
        shear = (drawn.shear_y, drawn.shear_z)
    else:
        station = BeamStation(
            table.number("area", above=0.0) * units.area,
            table.number("i_zz", above=0.0) * units.second_moment,
            table.number("i_yy", above=0.0) * units.second_moment,
            table.number("i_yz", 0.0) * units.second_moment,
            table.number("torsion_constant", above=0.0) * units.second_moment,
            extra,
        )
        if station.i_yz**2 >= station.i_zz * station.i_yy:
            raise table.error("i_yz", "is too large for any section", expected="i_yz² below i_zz i_yy")
        shear = (0.0, 0.0)
    shear_y = table.number("shear_y", shear[0], minimum=0.0)
    shear_z = table.number("shear_z", shear[1], minimum=0.0)
    directed = (
        abs(station.i_zz - station.i_yy) > 1e-9 * station.i_zz or station.i_yz != 0.0 or shear_y != shear_z
    )
    return BeamSection(number, material, station, None, shear_y, shear_z, outline, name), directed
