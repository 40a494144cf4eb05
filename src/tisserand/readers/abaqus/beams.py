"""BEAM SECTION and BEAM GENERAL SECTION.

Abaqus' local axes 1 and 2 become y and z here: y along n1, z = t x n1. So i_zz = I22 and i_yy = I11. Nodes lie in the middle
of the drawn rectangle or circle and l above the bottom of an I, so the shear center may be beside them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ModelError
from tisserand.model import BeamSection, BeamStation, Isotropic, Material
from tisserand.model.shapes import ShapeProperties, shape_properties
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword


def beam_section(
    draft: Draft, keyword: Keyword, material: Material | None, number: int, shear: bool, name: str
) -> tuple[BeamSection, tuple[float, float]]:
    """The section of a beam keyword, SI, and where its shear center is from the nodes, (y, z) m.

    ``shear`` False for Euler-Bernoulli types (B33).
    """
    rows = [row for row, _ in keyword.rows()]
    if not rows:
        raise keyword.error("the beam section has no dimensions")
    if keyword.name == "BEAM GENERAL SECTION":
        return _general(draft, keyword, number, rows[0], shear, name), (0.0, 0.0)
    if not isinstance(material, Isotropic):
        raise keyword.error("a beam needs an isotropic material")
    shape = keyword.option("SECTION").strip().upper()
    shape = {"RECTANGULAR": "RECT", "CIRCULAR": "CIRC"}.get(shape, shape)
    if shape == "GENERAL":
        return _stated(draft, keyword, material, number, rows[0], name), (0.0, 0.0)
    sizes = keyword.floats(rows[0]) * draft.units.length
    try:
        drawn, outline = _shape(draft, keyword, shape, [float(size) for size in sizes])
    except ModelError as error:
        raise keyword.error(error.what, row=rows[0], found=error.found, expected=error.expected) from error
    y, z = drawn.shear_center
    station = BeamStation(
        drawn.area,
        drawn.i_zz,
        drawn.i_yy,
        drawn.i_yz,
        drawn.torsion_constant,
        neutral_axis=(-y, -z),
        mass_center=(-y, -z),
    )
    made = BeamSection(
        number,
        material,
        station,
        shear_y=drawn.shear_y if shear else 0.0,
        shear_z=drawn.shear_z if shear else 0.0,
        outline=outline,
        name=name,
    )
    off_y, off_z = _offsets(draft, keyword, shape, rows[0])
    return made, (y + drawn.centroid[0] + off_y, z + drawn.centroid[1] + off_z)


def _offsets(draft: Draft, keyword: Keyword, shape: str, row: int) -> tuple[float, float]:
    """OFFSET1, OFFSET2 of CalculiX: from the middle of the section to the nodes, by its size; here the other way, (y, z) m."""
    stated = [keyword.number(row, keyword.options.get(name, "")) for name in ("OFFSET1", "OFFSET2")]
    if not any(stated):
        return 0.0, 0.0
    sizes = keyword.floats(row, 2) * draft.units.length
    if shape == "I":
        raise keyword.error("offsets of an I section are not supported", found=f"OFFSET1, OFFSET2 = {stated}")
    round_ = 2.0 * sizes[0] if shape == "PIPE" or draft.flavor == "abaqus" else sizes[0]
    first, second = (round_, round_) if shape in ("CIRC", "PIPE") else (sizes[0], sizes[1])
    return -stated[0] * first, -stated[1] * second


def beam_direction(keyword: Keyword) -> FloatArray:
    """First axis of the section as its second line states it, (0, 0, -1) where that is blank."""
    first = next((row for row, _ in keyword.rows()), None)
    if first is None or first + 1 >= len(keyword.data) or not keyword.data[first + 1].strip(" ,\t"):
        return np.array([0.0, 0.0, -1.0])
    return keyword.floats(first + 1, 3)[:3]


def _shape(
    draft: Draft, keyword: Keyword, shape: str, sizes: list[float]
) -> tuple[ShapeProperties, tuple[str, tuple[float, ...]] | None]:
    """Properties with y along n1 and the outline for drawing (width along z, height along y), if there is one."""
    needed = {"RECT": 2, "CIRC": 1, "PIPE": 2, "BOX": 6, "I": 7}
    if shape not in needed:
        raise keyword.error("unsupported beam shape", found=shape, expected=", ".join(needed))
    if len(sizes) < needed[shape]:
        raise keyword.error(f"a {shape} section needs {needed[shape]} dimensions", found=len(sizes))
    if shape == "I":
        return _upright_i(sizes), None
    if shape == "RECT":
        name, dims = "BAR", (sizes[1], sizes[0])
    elif shape == "CIRC":
        if len(sizes) > 1 and sizes[1] not in (0.0, sizes[0]):
            draft.note("an elliptical CIRC section is used as a circle of its first diameter")
        radius = sizes[0] / 2.0 if draft.flavor == "calculix" else sizes[0]
        name, dims = "ROD", (radius,)  # type: ignore[assignment]
    elif shape == "PIPE":
        name, dims = "TUBE2", (sizes[0], sizes[1])
    else:
        a, b, t1, t2, t3, t4 = sizes[:6]
        if len({t1, t2, t3, t4}) > 1:
            draft.note("walls of a BOX section are taken in the order +1, +2, -1, -2 side")
        name, dims = "BOX1", (b, a, t1, t3, t4, t2)  # type: ignore[assignment]
    return shape_properties(name, dims), (name, tuple(dims))


def _upright_i(sizes: list[float]) -> ShapeProperties:
    """l, h, b1, b2, t1, t2, t3: height along axis 2 (z), bottom flange b1 x t1, nodes l above the bottom."""
    origin, height, bottom, top, t_bottom, t_top, web = sizes[:7]
    drawn = shape_properties("I", (height, bottom, top, web, t_bottom, t_top))
    return replace(
        drawn,
        i_zz=drawn.i_yy,
        i_yy=drawn.i_zz,
        shear_y=drawn.shear_z,
        shear_z=drawn.shear_y,
        shear_center=(0.0, drawn.shear_center[0]),
        centroid=(0.0, drawn.centroid[0] - origin),
    )


def _stated(draft: Draft, keyword: Keyword, material: Isotropic, number: int, row: int, name: str) -> BeamSection:
    """CalculiX' SECTION=GENERAL of its user beam: A, I11, I12, I22, shear factor; torsion by the polar moment."""
    area, i11, i12, i22, shear = keyword.floats(row, 5)[:5]
    if min(area, i11, i22) <= 0.0 or shear < 0.0:
        raise keyword.error("area, second moments and shear factor must be above zero", row=row)
    scale = draft.units.second_moment
    station = BeamStation(area * draft.units.area, i22 * scale, i11 * scale, i12 * scale, (i11 + i22) * scale)
    return BeamSection(number, material, station, shear_y=float(shear), shear_z=float(shear), name=name)


def _general(draft: Draft, keyword: Keyword, number: int, row: int, shear_flexible: bool, name: str) -> BeamSection:
    """SECTION=GENERAL: A, I11, I12, I22, J; then n1; then E, G. Density is a parameter. The shear factor is one."""
    if keyword.options.get("SECTION", "GENERAL").upper() != "GENERAL" or len(keyword.data) < row + 3:
        raise keyword.error("only SECTION=GENERAL with area, axis and moduli lines can be read")
    area, i11, i12, i22, torsion = keyword.floats(row, 5)[:5]
    young, shear = keyword.floats(row + 2, 2)[:2]
    if min(area, i11, i22, torsion, young, shear) <= 0.0:
        raise keyword.error("area, second moments, torsion constant and moduli must be above zero", row=row)
    units = draft.units
    density = keyword.number(row, keyword.options.get("DENSITY", "")) * units.density
    poisson = young / (2.0 * shear) - 1.0
    if not -1.0 < poisson < 0.5:  # beams use E and G only; keep the material valid and record it
        draft.note(f"beam section {name}: E and G give Poisson's ratio {poisson:.3g}, which beams do not use")
        poisson = float(np.clip(poisson, -0.99, 0.49))
    material = Isotropic(10_000 + number, young * units.pressure, shear * units.pressure, poisson, density, name=name)
    scale = units.second_moment
    station = BeamStation(area * units.area, i22 * scale, i11 * scale, i12 * scale, torsion * scale)
    factor = 1.0 if shear_flexible else 0.0
    return BeamSection(number, material, station, shear_y=factor, shear_z=factor, name=name)
