"""Bar and beam properties: PBAR, PBARL, PBEAM, PBEAML."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from tisserand.model import BeamSection, BeamStation, Isotropic
from tisserand.model.shapes import ShapeProperties, dimension_count, shape_properties
from tisserand.readers.nastran.book import SectionBook
from tisserand.readers.nastran.cards import REAL, WORD, Row
from tisserand.readers.nastran.draft import Draft


def isotropic(draft: Draft, row: Row, index: int) -> Isotropic:
    """The MAT1 that a rod or beam property refers to."""
    material = draft.material(row, index)
    if not isinstance(material, Isotropic):
        raise row.error(index, "rods and beams need an isotropic material (MAT1)", found=row.integer(index))
    return material


def nonnegative(row: Row, index: int, default: float | None = None) -> float:
    """A real that must not be negative."""
    value = row.real(index) if default is None else row.real(index, default)
    if value < 0.0:
        raise row.error(index, "must not be negative", found=value)
    return value


def bar_sections(draft: Draft) -> SectionBook:
    """Properties of CBAR."""
    return SectionBook(draft, {"PBAR": _pbar, "PBARL": _pbarl})


def beam_sections(draft: Draft) -> SectionBook:
    """Properties of CBEAM."""
    return SectionBook(draft, {"PBEAM": _pbeam, "PBEAML": _pbeaml})


def _station(draft: Draft, area: float, i1: float, i2: float, i12: float, j: float, mass: float) -> BeamStation:
    units = draft.units
    return BeamStation(
        area * units.area,
        i1 * units.second_moment,
        i2 * units.second_moment,
        i12 * units.second_moment,
        j * units.second_moment,
        mass * draft.mass_factor / units.length,
    )


def _pbar(draft: Draft, row: Row, number: int) -> BeamSection:
    area, i1, i2, j = (nonnegative(row, k, 0.0) for k in (2, 3, 4, 5))
    i12 = row.real(18, 0.0)
    if i12 and i1 * i2 <= i12**2:
        raise row.error(18, "the product of inertia is too large", found=i12, expected="I12² below I1 I2")
    station = _station(draft, area, i1, i2, i12, j, row.real(6, 0.0))
    return BeamSection(
        number,
        isotropic(draft, row, 1),
        station,
        None,
        shear_y=nonnegative(row, 16, 0.0),
        shear_z=nonnegative(row, 17, 0.0),
    )


def _shape_station(draft: Draft, shape: ShapeProperties, mass: float) -> BeamStation:
    """By the equations of the beam library, which Simcenter Nastran uses (MSC Nastran with MDLPRM,TWBRBML,1)."""
    for row in draft.bulk.rows("MDLPRM"):
        words = [row.text(k).decode("latin-1").strip().upper() for k in range(len(row.fields) + 1)]
        if ("TWBRBML", "0") in pairwise(words):
            draft.approximations["MDLPRM"] = "sections by the equations of the beam library, not by a mesh (TWBRBML 0)"
    return _station(draft, shape.area, shape.i_zz, shape.i_yy, shape.i_yz, shape.library_torsion, mass)


def _pbarl(draft: Draft, row: Row, number: int) -> BeamSection:
    name = row.word(3)
    count = dimension_count(name)
    dimensions = [row.real(8 + k) for k in range(count)]
    shape = shape_properties(name, dimensions)
    outline = (name, tuple(value * draft.units.length for value in dimensions))
    station = _shape_station(draft, shape, row.real(8 + count, 0.0))
    return BeamSection(
        number, isotropic(draft, row, 1), station, None, shear_y=shape.shear_y, shear_z=shape.shear_z, outline=outline
    )


def _pbeaml(draft: Draft, row: Row, number: int) -> BeamSection:
    name = row.word(3)
    count = dimension_count(name)
    at = 8
    first = [row.real(at + k) for k in range(count)]
    shape = shape_properties(name, first)
    start = _offset_center(draft, _shape_station(draft, shape, row.real(at + count, 0.0)), shape)
    at += count + 1
    end: BeamStation | None = None
    while at < len(row.fields):
        if not row.text(at):
            at += 1
            continue
        x = row.real(at + 1, 1.0)
        values = [row.real(at + 2 + k, first[k]) for k in range(count)]
        there = shape_properties(name, values)
        station = _offset_center(
            draft, _shape_station(draft, there, row.real(at + 2 + count, row.real(8 + count, 0.0))), there
        )
        if x == 1.0:
            end = station
        elif values != first:
            draft.approximations["PBEAML"] = "stations between the ends are replaced by a linear taper"
        at += count + 3
    outline = (name, tuple(value * draft.units.length for value in first))
    return BeamSection(
        number,
        isotropic(draft, row, 1),
        start,
        None if end == start else end,
        shear_y=shape.shear_y,
        shear_z=shape.shear_z,
        outline=outline,
    )


def _offset_center(draft: Draft, station: BeamStation, shape: ShapeProperties) -> BeamStation:
    """CBEAM nodes sit on the shear center: neutral axis and mass are offset by its distance."""
    y, z = (-value * draft.units.length for value in shape.shear_center)
    return replace(station, neutral_axis=(y, z), mass_center=(y, z))


def _pbeam(draft: Draft, row: Row, number: int) -> BeamSection:
    """End A on the first line, then stations (SO, X/XB, A, ...), then K1, K2 and the offsets."""
    names = ("area", "I1", "I2", "I12", "J", "NSM")
    start = [row.real(2 + k, 0.0) for k in range(6)]
    for k in (0, 1, 2, 4):
        nonnegative(row, 2 + k, 0.0)
    at = 8
    if row.kind(at) != WORD:
        at += 8  # stress points of end A
    end: list[float] | None = None
    while row.kind(at) == WORD:
        so = row.word(at)
        if so not in ("YES", "YESA", "NO"):
            raise row.error(at, "is not a station's SO field", found=repr(so), expected="YES, YESA or NO")
        x = row.real(at + 1, 1.0)
        values = [row.real(at + 2 + k, start[k]) for k in range(6)]
        if x == 1.0:
            end = values
        elif values != start:
            draft.approximations["PBEAM"] = "stations between the ends are replaced by a linear taper"
        at += 16 if so == "YES" else 8
    tail = at
    k1, k2 = row.real(tail, 1.0), row.real(tail + 1, 1.0)
    if (row.kind(tail + 2) == REAL and row.real(tail + 2)) or (row.kind(tail + 3) == REAL and row.real(tail + 3)):
        draft.approximations["PBEAM"] = "shear relief S1, S2 of a tapered beam is ignored"
    if any(row.real(tail + k, 0.0) for k in (6, 7)):
        draft.approximations["PBEAM"] = "warping coefficients CW are ignored"
    length, inertia = draft.units.length, draft.mass_factor * draft.units.length
    ends = []
    for which, values in enumerate((start, end if end is not None else start)):
        offset = tail + 8 + 2 * which
        y, z = (row.real(offset + k, row.real(tail + 8 + k, 0.0)) * length for k in (0, 1))
        ny, nz = (row.real(offset + 4 + k, row.real(tail + 12 + k, 0.0)) * length for k in (0, 1))
        nsi = row.real(tail + 4 + which, row.real(tail + 4, 0.0)) * inertia
        station = _station(draft, *values)
        if values[3] and values[1] * values[2] <= values[3] ** 2:
            raise row.error(5, f"the product of inertia {names[3]} is too large", found=values[3])
        ends.append(replace(station, nonstructural_inertia=nsi, mass_center=(y, z), neutral_axis=(ny, nz)))
    return BeamSection(
        number, isotropic(draft, row, 1), ends[0], None if ends[1] == ends[0] else ends[1], shear_y=k1, shear_z=k2
    )
