"""Blocks of elements that fill a surface: shells and membranes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray, frozen
from tisserand.model.block_base import Block, row
from tisserand.model.family_facts import FamilyFacts


@dataclass(frozen=True, eq=False, repr=False)
class ShellBlock(Block):
    """Shells of three or four corners, with midside nodes (six, eight) and a center node (nine) or without, in VTK's order.

    material_axis: (m, 3) vector whose projection on the element is its material x axis; offset: (m,) m along the normal
    from the nodes to the reference surface; taper: (m, k) thickness at the nodes over that of the section, None where it does
    not vary, interpolated with the functions of the nodes. A midside node that is missing is stated by the corner before it:
    its side is straight. bending of shells without midside nodes: ``waves``, right to the fourth order of the mesh size
    (elements/shell_waves), or ``nastran``, that of CQUAD4 and CTRIA3 (elements/shell_macneal).
    """

    family: ClassVar[str] = "shell"
    facts: ClassVar[FamilyFacts] = FamilyFacts(
        "surface", "all", section="shell", turns_nodes=True, layered=True, vectors=("material_axis",)
    )
    ids: IntArray
    nodes: IntArray = field(metadata=row(-1))
    section: IntArray
    material_axis: FloatArray = field(metadata=row(3))
    offset: FloatArray
    taper: FloatArray | None = field(default=None, metadata=row(-1))
    bending: Literal["waves", "nastran"] = "waves"

    def __post_init__(self) -> None:
        k = np.asarray(self.nodes).shape[1]
        if k not in (3, 4, 6, 8, 9):
            raise ValueError("shells have three, four, six, eight or nine nodes")
        if self.bending not in (("waves", "nastran") if k <= 4 else ("waves",)):
            raise ValueError(
                f"bending of shells with {k} nodes is {self.bending!r}: waves, or nastran with 3 or 4 nodes"
            )
        super().__post_init__()
        if self.taper is not None:
            self._check_taper(self.taper)

    def _check_taper(self, taper: FloatArray) -> None:
        """Thickness at missing midside nodes is the mean of their corners."""
        if taper.shape != self.nodes.shape:
            raise ValueError(f"array of shape {taper.shape} where {self.nodes.shape} is expected")
        if not ((taper >= 0.0).all() and np.isfinite(taper).all() and (taper > 0.0).any(axis=1).all()):
            raise ValueError("the thickness of a shell must not be below zero at any node, nor zero at all")
        k = self.sides
        if taper.shape[1] > k:
            filled = np.array(taper)
            middle = 0.5 * (taper[:, :k] + np.roll(taper[:, :k], -1, axis=1))
            filled[:, k : 2 * k] = np.where(self.straight_sides, middle, taper[:, k : 2 * k])
            object.__setattr__(self, "taper", frozen(filled, np.float64, filled.shape))

    @property
    def served_by(self) -> str:
        """Shells with midside nodes have a module of their own."""
        return self.family if self.nodes.shape[1] <= 4 else "curved shell"

    @property
    def sides(self) -> int:
        """Number of sides, and of corners."""
        return 3 if self.nodes.shape[1] in (3, 6) else 4

    @property
    def corner_nodes(self) -> IntArray:
        """(m, 3) or (m, 4) node indices of the corners."""
        return np.asarray(self.nodes[:, : self.sides])

    @property
    def straight_sides(self) -> BoolArray:
        """(m, sides): sides whose midside node is missing; all of them where shells have corners only."""
        k = self.sides
        middles = self.nodes[:, k : 2 * k] if self.nodes.shape[1] > k else self.nodes
        return np.asarray(middles == self.nodes[:, :k])

    def corners(self, positions: FloatArray) -> FloatArray:
        """(m, k, 3) places of the nodes, m; missing midside nodes in the middle of their sides."""
        out, k = np.array(positions[self.nodes]), self.sides
        if out.shape[1] > k:
            middle = 0.5 * (out[:, :k] + np.roll(out[:, :k], -1, axis=1))
            out[:, k : 2 * k] = np.where(self.straight_sides[..., None], middle, out[:, k : 2 * k])
        return out


@dataclass(frozen=True, eq=False, repr=False)
class MembraneBlock(Block):
    """Membranes of three, four, six or eight nodes (corners, then midside nodes): stiff in their surface only.

    Across it they are stiff by their prestress. material_axis: (m, 3) vector whose projection on the surface is the
    material x axis.
    """

    family: ClassVar[str] = "membrane"
    facts: ClassVar[FamilyFacts] = FamilyFacts(
        "surface", "translations", section="membrane", vectors=("material_axis",)
    )
    ids: IntArray
    nodes: IntArray = field(metadata=row(-1))
    section: IntArray
    material_axis: FloatArray = field(metadata=row(3))

    def __post_init__(self) -> None:
        k = np.asarray(self.nodes).shape[1]
        if k not in (3, 4, 6, 8):
            raise ValueError("membranes have three, four, six or eight nodes")
        super().__post_init__()

    @property
    def corner_nodes(self) -> IntArray:
        """(m, 3) or (m, 4) node indices of the corners."""
        return np.asarray(self.nodes[:, : 3 if self.nodes.shape[1] in (3, 6) else 4])

    @property
    def offset(self) -> FloatArray:
        """(m,) m: membranes lie in their nodes."""
        return np.zeros(len(self))
