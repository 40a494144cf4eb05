"""Shared data of the reader while one model is being built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Protocol

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import ReadError
from tisserand.model import CoordinateSystem, Material, Nodes, Section
from tisserand.readers.nastran.cards import Bulk, CardTable, Row
from tisserand.readers.nastran.control import Selection
from tisserand.readers.nastran.program import Bending
from tisserand.units import UnitSystem


class SectionLookup(Protocol):
    """Section index by property id, -1 where there is none."""

    def get(self, number: int) -> int: ...


@dataclass
class Draft:
    """The bulk data with its units, coordinate systems, nodes, materials and the sections found so far.

    mass_factor turns a deck's mass number into kg (WTMASS included). simcenter: the deck was written for Simcenter Nastran;
    bending: that of its shells.
    """

    bulk: Bulk
    units: UnitSystem
    selection: Selection
    _: KW_ONLY
    controlled: bool
    parameters: dict[str, list[str]]
    simcenter: bool = False
    bending: Bending = "nastran"
    mass_factor: float = 1.0
    systems: dict[int, CoordinateSystem] = field(default_factory=dict)
    nodes: Nodes = None  # type: ignore[assignment]
    materials: dict[int, Material] = field(default_factory=dict)
    loose_poisson: set[int] = field(default_factory=set)
    sections: list[Section] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    approximations: dict[str, str] = field(default_factory=dict)
    unused: dict[str, str] = field(default_factory=dict)
    dropped: dict[str, str] = field(default_factory=dict)

    # -- nodes ------------------------------------------------------------------------------------------
    def node_indices(self, table: CardTable, column: int, *, optional: bool = False) -> IntArray:
        """Rows in the node table of a column of ids; with ``optional`` a blank or 0 gives -1 (ground)."""
        ids = table.integers(column, 0 if optional else None)
        rows = self.find(ids)
        bad = (rows < 0) & ~((ids == 0) & optional)
        if bad.any():
            row = int(np.argmax(bad))
            raise table.error(row, column, "the grid point does not exist", found=int(ids[row]))
        return rows

    def find(self, ids: IntArray) -> IntArray:
        """Node rows of ids (the node table is sorted by id); -1 where there is none."""
        known = self.nodes.ids
        at = np.minimum(np.searchsorted(known, ids), len(known) - 1)
        return np.where(known[at] == ids, at, -1)

    def node(self, row: Row, index: int) -> int:
        """Node row of one id."""
        number = row.integer(index)
        found = int(self.find(np.array([number]))[0])
        if found < 0:
            raise row.error(index, "the grid point does not exist", found=number)
        return found

    def node_list(self, row: Row, start: int) -> IntArray:
        """Node rows of a list of ids; a THRU range takes the points that exist."""
        found: list[IntArray] = []
        for item in row.identifiers(start):
            if isinstance(item, tuple):
                low, high = np.searchsorted(self.nodes.ids, [item[0], item[1] + 1])
                found.append(np.arange(low, high))
            else:
                at = self.find(np.array([item]))
                if at[0] < 0:
                    raise row.error(None, "the grid point does not exist", found=item)
                found.append(at)
        return np.concatenate(found).astype(np.int64) if found else np.zeros(0, np.int64)

    def is_scalar(self, node: int) -> bool:
        return self.nodes.scalar is not None and bool(self.nodes.scalar[node])

    def axes_of(self, nodes: IntArray) -> FloatArray:
        """Displacement axes (rows) of nodes, (n, 3, 3)."""
        if self.nodes.axes is None:
            return np.broadcast_to(np.eye(3), (len(nodes), 3, 3))
        return np.asarray(self.nodes.axes[nodes])

    # -- coordinate systems --------------------------------------------------------------------------------
    def system(self, row: Row, index: int, number: int) -> CoordinateSystem:
        if number not in self.systems:
            raise row.error(index, "the coordinate system does not exist", found=number)
        return self.systems[number]

    # -- materials and sections -------------------------------------------------------------------------------
    def material(self, row: Row, index: int, number: int | None = None) -> Material:
        number = row.integer(index) if number is None else number
        if number not in self.materials:
            card = self._card_of("MAT", number)
            what = (
                "the material does not exist"
                if card is None
                else f"the material is a {card}, which is not supported here"
            )
            raise row.error(index, what, found=number)
        return self.materials[number]

    def add(self, section: Section) -> int:
        """Append a section and return its index."""
        self.sections.append(section)
        return len(self.sections) - 1

    def missing_property(self, error: Callable[..., ReadError], row: int, column: int, number: int) -> ReadError:
        """The error of a property that is not there; a card of another kind with its id is named."""
        if card := self._card_of("P", number):
            return error(row, column, f"the property is a {card}, which this element cannot use here", found=number)
        return error(row, column, "the property does not exist or is of another kind", found=number)

    def _card_of(self, letters: str, number: int) -> str | None:
        """Name of a card that begins so and has this id."""
        label = str(number).encode()
        cards = [card for card in self.bulk.counts() if card.startswith(letters) and card != "PARAM"]
        return next((card for card in cards if any(row.text(0) == label for row in self.bulk.rows(card))), None)

    def section_indices(self, table: CardTable, column: int, known: SectionLookup) -> IntArray:
        """Section index of a column of property ids; a blank id is the element's own."""
        numbers = table.integers(column, -1)
        if (numbers == -1).any():
            numbers = np.where(numbers == -1, table.integers(0), numbers)
        unique, inverse = np.unique(numbers, return_inverse=True)
        index = np.array([known.get(int(number)) for number in unique], np.int64)
        bad = index[inverse] < 0
        if bad.any():
            row = int(np.argmax(bad))
            raise self.missing_property(table.error, row, column, int(numbers[row]))
        return index[inverse]
