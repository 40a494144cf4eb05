"""Finding nodes by id, by the name of a set, node or point, or by coordinates."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.declarations.common_values import Vector
from tisserand.errors import nearest
from tisserand.readers.case.addition_tables import BoxTable, PlaneTable
from tisserand.readers.case.case_file import AppendageCase

#: A node id, the name of a set, node or point, or coordinates in the case's length unit.
At = int | str | Vector

#: Coordinates find a node within this part of the model's size.
_TOLERANCE = 1e-6
#: Limits of a region that were stated count as inside, whatever rounding a change of units left.
_ROUNDING = 1e-12


@dataclass(eq=False)
class NodeLookup:
    """The growing node table of a model under construction.

    ids, positions (m) and the names of rows; used (n,): mesh nodes with elements, from which a region may choose.
    """

    case: AppendageCase
    ids: IntArray
    positions: FloatArray
    names: dict[str, IntArray] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    used: BoolArray | None = None

    @property
    def size(self) -> float:
        return float(np.ptp(self.positions, axis=0).max())

    def add(self, key: str, name: str | None, position: FloatArray, identifier: int | None) -> int:
        """Append a node, as a separate set if it has a name; returns its row."""
        number = int(self.ids.max()) + 1 if identifier is None else identifier
        if number in self.ids:
            raise self.case.error(f"{key}.id", "this node id exists in the mesh already", found=number)
        if name in self.names:
            raise self.case.error(key, "this name is a set of the mesh already", found=repr(name))
        row = len(self.ids)
        self.ids = np.append(self.ids, number)
        self.positions = np.vstack([self.positions, position])
        if name is not None:
            self.names[name] = np.array([row])
        return row

    def rows(self, key: str, at: At) -> IntArray:
        """Rows of all nodes at a place; a name means a point first, then a node or a set."""
        if isinstance(at, str):
            if at in self.points:
                return np.array([self.points[at]])
            if at not in self.names and at.upper() in self.names:  # decks compare names without case
                at = at.upper()
            if at not in self.names:
                close = nearest(at, self.names)
                raise self.case.error(
                    key,
                    "no set, node or point has this name",
                    found=repr(at),
                    expected=", ".join(self.names) or "the mesh has no sets",
                    advice=f"did you mean {close!r}?" if close else None,
                )
            return self.names[at]
        if isinstance(at, int):
            found = np.flatnonzero(self.ids == at)
            if not len(found):
                raise self.case.error(key, "no node has this id", found=at, expected=f"ids up to {int(self.ids.max())}")
            return found
        distance = np.linalg.norm(self.positions - np.asarray(at) * self.case.units.length, axis=1)
        row = int(np.argmin(distance))
        if distance[row] > _TOLERANCE * max(self.size, 1e-300):
            unit = self.case.units.length
            raise self.case.error(
                key,
                "no node is at these coordinates",
                found=f"the nearest, node {int(self.ids[row])}, {distance[row] / unit:.4g} length units away",
                advice="correct the coordinates, or add a node with [nodes.NAME] and link it",
            )
        return np.array([row])

    def inside(self, key: str, region: BoxTable | PlaneTable) -> IntArray:
        """Rows of the mesh nodes in a box or plane, at least one."""
        low, high = (np.asarray(corner) * self.case.units.length for corner in region.limits())
        stated = isinstance(region, BoxTable) or region.tolerance is not None
        candidates = np.arange(len(self.ids)) if self.used is None else np.flatnonzero(self.used)
        positions = self.positions[candidates]
        short = np.maximum(low - positions, positions - high).max(axis=1)
        reach = (_ROUNDING if stated else _TOLERANCE) * self.size
        rows = candidates[short <= reach]
        if not len(rows):
            near = int(np.argmin(short))
            raise self.case.error(
                key,
                "no node of the mesh lies there",
                found=f"the nearest, node {int(self.ids[candidates[near]])}, "
                f"{short[near] / self.case.units.length:.4g} length units away",
                advice="correct the place, or widen it",
            )
        return np.asarray(rows)

    def row(self, key: str, at: At) -> int:
        """The one row at a place; a set of several nodes is refused."""
        found = self.rows(key, at)
        if len(found) != 1:
            raise self.case.error(
                key,
                f"{len(found)} nodes are given, but one is needed",
                found=repr(at),
                advice="name one node, or tie the set to a point with rigid = true",
            )
        return int(found[0])
