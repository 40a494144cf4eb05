"""Beams of three nodes on a curve; their sections are those of beams."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.model.block_base import Block, row
from tisserand.model.family_facts import FamilyFacts


@dataclass(frozen=True, eq=False, repr=False)
class CurvedBeamBlock(Block):
    """Beams through end A, end B and a node between them (in this order), on the parabola that these define.

    orientation: (m, 3) vector in the x-y plane of every section, basic axes; offsets: (m, 3, 3) from node to beam, m,
    basic axes.
    """

    family: ClassVar[str] = "curved beam"
    facts: ClassVar[FamilyFacts] = FamilyFacts(
        "line", "all", section="beam", turns_nodes=True, vectors=("orientation", "offsets"), arms="offsets"
    )
    drawn_ends: ClassVar[tuple[tuple[int, int], ...]] = ((0, 2), (2, 1))
    #: Sections must have an area and both second moments.
    recipe: ClassVar[str] = "beam"
    ids: IntArray
    nodes: IntArray = field(metadata=row(3))
    section: IntArray
    orientation: FloatArray = field(metadata=row(3))
    offsets: FloatArray = field(metadata=row(3, 3))

    def corners(self, positions: FloatArray) -> FloatArray:
        """(m, 3, 3) ends and middle of the beams, offset from their nodes, m."""
        return np.asarray(positions[self.nodes] + self.offsets)
