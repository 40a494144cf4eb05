"""Coordinate systems: CORD1R/C/S by grid points, CORD2R/C/S by points in another system."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import ReadError
from tisserand.model import CoordinateSystem
from tisserand.readers.nastran.cards import Bulk, Row

_KINDS: dict[str, Literal["rectangular", "cylindrical", "spherical"]] = {
    "R": "rectangular",
    "C": "cylindrical",
    "S": "spherical",
}


class Frames:
    """Coordinate systems resolved on demand, with the grid points that CORD1 ones rest on; lengths in deck units."""

    def __init__(self, bulk: Bulk) -> None:
        self.cards: dict[int, tuple[Row, int]] = {}
        for letter in _KINDS:
            for row in bulk.rows(f"CORD1{letter}"):
                for start in (0, 4):
                    if row.text(start):
                        self._state(row, start)
            for row in bulk.rows(f"CORD2{letter}"):
                self._state(row, 0)
        self.systems: dict[int, CoordinateSystem] = {0: CoordinateSystem(0, "rectangular", np.zeros(3), np.eye(3))}
        self.points: dict[int, tuple[int, FloatArray, Row]] = {}
        if any(row.card.startswith("CORD1") for row, _ in self.cards.values()):
            for row in bulk.rows("GRID"):
                self.points[row.integer(0)] = (row.integer(1, 0), np.array([row.real(k, 0.0) for k in (2, 3, 4)]), row)
        for number in self.cards:
            self.resolve(number)

    def _state(self, row: Row, start: int) -> None:
        number = row.integer(start)
        if number <= 0:
            raise row.error(start, "is not a coordinate system id", found=number, expected="a positive number")
        old = self.cards.get(number)
        if old is not None and (old[0].card != row.card or old[0].fields != row.fields):
            if not _same(old[0], row):
                raise row.error(start, "the coordinate system is defined twice", found=number)
            return
        self.cards[number] = (row, start)

    def resolve(self, wanted: int, trail: tuple[int, ...] = ()) -> CoordinateSystem:
        """The system of that id; a circle of references is refused."""
        if wanted in self.systems:
            return self.systems[wanted]
        row, start = self.cards[wanted]
        if wanted in trail:
            raise row.error(
                start,
                "coordinate systems refer to each other circularly",
                found=" -> ".join(str(n) for n in (*trail, wanted)),
            )
        if len(trail) > 200:
            raise row.error(start, "coordinate systems are nested deeper than 200 levels")
        points = self._points(row, start, (*trail, wanted))
        self.systems[wanted] = _triad(row, wanted, points)
        return self.systems[wanted]

    def _points(self, row: Row, start: int, trail: tuple[int, ...]) -> list[FloatArray]:
        if row.card.startswith("CORD2"):
            parent = self._known(row, 1, row.integer(1, 0), trail)
            return [parent.to_basic(np.array([row.real(2 + 3 * k + i, 0.0) for i in range(3)]))[0] for k in range(3)]
        out = []
        for k in range(3):
            grid = row.integer(start + 1 + k)
            if grid not in self.points:
                raise row.error(start + 1 + k, "the grid point does not exist", found=grid)
            system, position, point = self.points[grid]
            out.append(self._known(point, 1, system, trail).to_basic(position)[0])
        return out

    def _known(self, row: Row, index: int, number: int, trail: tuple[int, ...]) -> CoordinateSystem:
        if number != 0 and number not in self.cards:
            raise row.error(index, "the coordinate system does not exist", found=number)
        return self.resolve(number, trail)


def _same(first: Row, second: Row) -> bool:
    """Same numbers though written differently."""
    if first.card != second.card:
        return False
    try:
        return all(first.real(k, 0.0) == second.real(k, 0.0) for k in range(max(len(first), len(second))))
    except ReadError:
        return False


def _triad(row: Row, number: int, points: list[FloatArray]) -> CoordinateSystem:
    """Origin, z axis through the second point, x-z plane through the third."""
    origin, on_z, in_plane = points
    z, toward = on_z - origin, in_plane - origin
    length, reach = float(np.linalg.norm(z)), float(np.linalg.norm(toward))
    if not (np.isfinite(length) and length > 0.0):
        raise row.error(
            None, "the z axis has no direction: points A and B coincide", found=f"coordinate system {number}"
        )
    z = z / length
    x = toward - z * (toward @ z)
    if not (np.isfinite(reach) and float(np.linalg.norm(x)) > 1e-9 * reach):
        raise row.error(
            None, "the x-z plane is undefined: point C lies on the z axis", found=f"coordinate system {number}"
        )
    x = x / np.linalg.norm(x)
    y = np.cross(z, x)
    return CoordinateSystem(number, _KINDS[row.card[-1]], origin, np.array([x, y, z]))
