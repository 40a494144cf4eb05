"""Geometry in an OP2 file: GRID points and coordinate systems of GEOM1, elements of GEOM2 for drawing.

Record layouts: MSC and Siemens, "DMAP Programmer's Guide", data blocks GEOM1 and GEOM2; a record starts with three words that
name its card.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import ModelError
from tisserand.model import CoordinateSystem
from tisserand.readers.op2.data_blocks import DataBlocks, Record
from tisserand.readers.supplier.supplier_modes import Geometry

_KINDS: dict[int, Literal["rectangular", "cylindrical", "spherical"]] = {
    1: "rectangular", 2: "cylindrical", 3: "spherical",
}  # fmt: skip
_CORD1 = ((1801, 18, 5), (1701, 17, 6), (1901, 19, 7))
_CORD2 = ((2101, 21, 8), (2001, 20, 9), (2201, 22, 10))
#: Card -> words per element, and the edges or triangles between its nodes (which follow element and property id).
_QUAD, _TRIA = ((0, 1, 2), (0, 2, 3)), ((0, 1, 2),)
_HEXA = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
_TETRA = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
_PENTA = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))
_ELEMENTS: dict[tuple[int, int, int], tuple[int, tuple[tuple[int, ...], ...]]] = {
    (2408, 24, 180): (16, ((0, 1),)),  # CBAR
    (5408, 54, 261): (18, ((0, 1),)),  # CBEAM
    (3001, 30, 48): (4, ((0, 1),)),  # CROD
    (2608, 26, 60): (14, ((0, 1),)),  # CBUSH
    (2958, 51, 177): (14, _QUAD),  # CQUAD4
    (5959, 59, 282): (13, _TRIA),  # CTRIA3
    (7308, 73, 253): (22, _HEXA),
    (5508, 55, 217): (12, _TETRA),
    (4108, 41, 280): (17, _PENTA),
}


def read_geometry(file: DataBlocks, notes: list[str]) -> Geometry | None:
    """Nodes of every GEOM1, superelements included; None, with a note, where one of them cannot be placed."""
    grids: dict[int, tuple[int, FloatArray, int]] = {}
    systems: dict[int, tuple[Any, ...]] = {}
    for _, _, records in file.tables("GEOM1", "GEOM1S"):
        for record in records:
            _cards(record, grids, systems)
    if not grids:
        return None
    try:
        placed = _Places(grids, systems)
        ids = np.array(sorted(grids), np.int64)
        positions = np.array([placed.position(int(node)) for node in ids])
        axes = _axes(placed, grids, ids, positions)
    except (KeyError, ModelError, RecursionError) as error:
        notes.append(f"the geometry in the file is not used: a coordinate system cannot be resolved ({error})")
        return None
    lines, triangles = _cells(file, ids)
    return Geometry(ids=ids, positions=positions, axes=axes, lines=lines, triangles=triangles)


def _cards(record: Record, grids: dict[int, Any], systems: dict[int, Any]) -> None:
    if len(record) < 3:
        return
    ints, reals = record.ints(), record.reals()
    card = tuple(int(n) for n in ints[:3])
    if card[:2] == (4501, 45):
        wide = card[2] > 1 and record.word == 4  # coordinates of two words each
        for row in _grid_rows(record, 11 if wide else 8, wide):
            grids[row[0]] = (row[1], row[2], row[3])
    elif card in _CORD2:
        for at in range(3, len(ints) - 12, 13):
            systems[int(ints[at])] = (2, int(ints[at + 1]), int(ints[at + 3]), reals[at + 4 : at + 13].astype(float))
    elif card in _CORD1:
        for at in range(3, len(ints) - 5, 6):
            systems[int(ints[at])] = (1, int(ints[at + 1]), 0, tuple(int(g) for g in ints[at + 3 : at + 6]))


def _grid_rows(record: Record, words: int, wide: bool) -> Iterable[tuple[int, int, FloatArray, int]]:
    """Id, CP, coordinates and CD of each GRID."""
    ints = record.ints()
    count = (len(ints) - 3) // words
    table = ints[3 : 3 + count * words].reshape(count, words)
    if wide:
        order = record.integer[0]
        places = np.frombuffer(np.ascontiguousarray(table[:, 2:8]).tobytes(), f"{order}f8").reshape(count, 3)
        cd = table[:, 8]
    else:
        places = record.reals()[3 : 3 + count * words].reshape(count, words)[:, 2:5].astype(float)
        cd = table[:, 5]
    return zip(table[:, 0].tolist(), table[:, 1].tolist(), np.array(places, dtype=float), cd.tolist())


class _Places:
    """Coordinate systems resolved on demand, and the positions of grids in basic axes."""

    def __init__(self, grids: dict[int, tuple[int, FloatArray, int]], cards: dict[int, tuple[Any, ...]]) -> None:
        self.grids, self.cards = grids, cards
        self.systems: dict[int, CoordinateSystem] = {0: CoordinateSystem(0, "rectangular", np.zeros(3), np.eye(3))}

    def system(self, number: int) -> CoordinateSystem:
        if number not in self.systems:
            form, kind, reference, data = self.cards[number]
            if form == 2:
                points = self.system(reference).to_basic(np.reshape(data, (3, 3)))
            else:
                points = np.array([self.position(grid) for grid in data])
            axis = points[1] - points[0]
            z = axis / max(float(np.linalg.norm(axis)), 1e-300)
            y = np.cross(z, points[2] - points[0])
            y = y / max(float(np.linalg.norm(y)), 1e-300)
            axes = np.array([np.cross(y, z), y, z])
            self.systems[number] = CoordinateSystem(number, _KINDS[kind], points[0], axes)
        return self.systems[number]

    def position(self, grid: int) -> FloatArray:
        cp, place, _ = self.grids[grid]
        return np.asarray(self.system(cp).to_basic(place[None])[0])


def _axes(
    placed: _Places, grids: dict[int, tuple[int, FloatArray, int]], ids: IntArray, positions: FloatArray
) -> FloatArray | None:
    """Displacement axes (n, 3, 3) by CD; None where all are basic. A fluid point (CD -1) keeps basic axes."""
    cd = np.array([grids[int(node)][2] for node in ids])
    if not (cd > 0).any():
        return None
    axes = np.broadcast_to(np.eye(3), (len(ids), 3, 3)).copy()
    for number in np.unique(cd[cd > 0]).tolist():
        rows = cd == number
        axes[rows] = placed.system(int(number)).axes_at(positions[rows])
    return axes


def _cells(file: DataBlocks, ids: IntArray) -> tuple[IntArray, IntArray]:
    """Lines (e, 2) and triangles (t, 3) of node ids, of the elements that are known here."""
    found: dict[int, list[IntArray]] = {2: [], 3: []}
    for _, _, records in file.tables("GEOM2", "GEOM2S"):
        for record in records:
            ints = record.ints()
            card = tuple(int(n) for n in ints[:3])
            if card not in _ELEMENTS:
                continue
            words, cells = _ELEMENTS[card]  # type: ignore[index]
            count = (len(ints) - 3) // words
            nodes = ints[3 : 3 + count * words].reshape(count, words)[:, 2:].astype(np.int64)
            for cell in cells:
                found[len(cell)].append(nodes[:, list(cell)])
    out = []
    for size, parts in found.items():
        every = np.concatenate(parts) if parts else np.zeros((0, size), np.int64)
        out.append(every[np.isin(every, ids).all(axis=1)])
    return out[0], out[1]
