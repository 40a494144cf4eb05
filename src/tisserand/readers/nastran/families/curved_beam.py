"""Beams of three nodes: CBEAM3 with PBEAM3; without a middle point they are two-node beams."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.model import BeamBlock, BeamSection, BeamStation
from tisserand.model.families.curved_beam import CurvedBeamBlock
from tisserand.readers.nastran.book import SectionBook
from tisserand.readers.nastran.cards import INTEGER, Row
from tisserand.readers.nastran.draft import Draft
from tisserand.readers.nastran.line_properties import isotropic, nonnegative

#: Cards that this file reads.
CARDS = ("CBEAM3", "PBEAM3")


def read(draft: Draft) -> list[CurvedBeamBlock | BeamBlock]:
    """Beams with a middle point, and those without."""
    known = SectionBook(draft, {"PBEAM3": _pbeam3})
    found: dict[bool, list[tuple[int, list[int], int, FloatArray, FloatArray]]] = {True: [], False: []}
    for row in draft.bulk.rows("CBEAM3"):
        number = row.integer(0)
        section = known.get(row.integer(1, number))
        if section < 0:
            raise row.error(1, "the property does not exist or is of another kind", found=row.integer(1, number))
        nodes = [draft.node(row, k) for k in (2, 3, 4) if k < 4 or row.text(4)]
        if any(row.real(17 + k, 0.0) for k in range(3)):
            raise row.error(17, "twist angles of a three-node beam are not supported", expected="0 or blank")
        if any(row.text(20 + k) for k in range(3)):
            draft.approximations["CBEAM3"] = "warping points SA, SB and SC are ignored"
        axes = draft.axes_of(np.array(nodes))
        arms = [[row.real(8 + 3 * k + i, 0.0) * draft.units.length for i in range(3)] for k in range(len(nodes))]
        offsets = np.einsum("ki,kij->kj", np.array(arms), axes)
        found[len(nodes) == 3].append((number, nodes, section, _orientation(draft, row, nodes[0]), offsets))
    blocks: list[CurvedBeamBlock | BeamBlock] = []
    for curved, rows in found.items():
        if rows:
            ids, nodes_of, sections, orientation, offsets_of = (np.array(column) for column in zip(*rows))
            if curved:
                blocks.append(CurvedBeamBlock(ids, nodes_of, sections, orientation, offsets_of))
            else:
                free = np.zeros((len(ids), 2, 6), np.bool_)
                blocks.append(BeamBlock(ids, nodes_of, sections, orientation, offsets_of, free, "beam"))
    return blocks


def _orientation(draft: Draft, row: Row, start: int) -> FloatArray:
    """Vector in the x-y plane, basic axes: toward a point, or by components in the axes of end A."""
    if row.kind(5) == INTEGER and not row.text(6) and not row.text(7):
        vector = draft.nodes.positions[draft.node(row, 5)] - draft.nodes.positions[start]
    else:
        vector = np.array([row.real(5 + k, 0.0) for k in range(3)]) @ draft.axes_of(np.array([start]))[0]
    if not vector.any():
        raise row.error(5, "the orientation vector is blank or has no length", expected="a vector or a grid point")
    return np.asarray(vector)


def _pbeam3(draft: Draft, row: Row, number: int) -> BeamSection:
    """Values at A, B and C in blocks of sixteen fields, then shear factors, neutral axes, mass centers, inertias, warping."""
    first = [nonnegative(row, 2), nonnegative(row, 3), nonnegative(row, 4), row.real(5, 0.0)]
    first += [row.real(6, first[1] + first[2]), row.real(7, 0.0)]
    a, b, c = (_station(draft, row, first, at, k) for k, at in enumerate((2, 18, 34)))
    if not _is_mean(c, a, b):
        draft.approximations["PBEAM3"] = "the section of the middle point is taken as the mean of both ends"
    if any(row.real(71 + k, 0.0) for k in range(3)):
        draft.approximations["PBEAM3"] = "warping coefficients CW are ignored"
    shear = [nonnegative(row, 48 + k, 1.0) for k in (0, 1)]
    return BeamSection(number, isotropic(draft, row, 1), a, None if b == a else b, shear_y=shear[0], shear_z=shear[1])


def _station(draft: Draft, row: Row, first: list[float], at: int, which: int) -> BeamStation:
    units = draft.units
    area, i_z, i_y, i_yz, torsion, mass = (row.real(at + k, first[k]) for k in range(6))
    if i_yz and i_z * i_y <= i_yz**2:
        raise row.error(at + 3, "the product of inertia is too large", found=i_yz, expected="IYZ² below IZ IY")
    neutral, center = (
        tuple(row.real(start + 2 * which + k, row.real(start + k, 0.0)) * units.length for k in (0, 1))
        for start in (50, 56)
    )
    polar = sum(row.real(62 + 3 * which + k, row.real(62 + k, 0.0)) for k in (0, 1))
    scale = units.second_moment
    return BeamStation(
        area * units.area, i_z * scale, i_y * scale, i_yz * scale, torsion * scale,
        mass * draft.mass_factor / units.length, nonstructural_inertia=polar * draft.mass_factor * units.length,
        mass_center=(center[0], center[1]), neutral_axis=(neutral[0], neutral[1]),
    )  # fmt: skip


def _is_mean(c: BeamStation, a: BeamStation, b: BeamStation) -> bool:
    """Whether every value of a station is the mean of two others."""
    rows = [np.hstack([np.ravel(value) for value in astuple(station)]) for station in (a, b, c)]
    return bool(np.allclose(0.5 * (rows[0] + rows[1]), rows[2], rtol=1e-9, atol=0.0))
