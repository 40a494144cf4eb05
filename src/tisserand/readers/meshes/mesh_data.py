"""A mesh without properties: points, blocks of cells, named sets and numbered groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray, frozen

#: Topological dimension of the cell types that can carry sections or sets.
DIMENSION = {
    **dict.fromkeys(("vertex",), 0),
    **dict.fromkeys(("line", "line3", "line4"), 1),
    **dict.fromkeys(("triangle", "triangle6", "triangle7", "triangle10"), 2),
    **dict.fromkeys(("quad", "quad8", "quad9", "quad16", "polygon"), 2),
    **dict.fromkeys(("tetra", "tetra10", "tetra20", "pyramid", "pyramid13", "pyramid14"), 3),
    **dict.fromkeys(("hexahedron", "hexahedron20", "hexahedron24", "hexahedron27"), 3),
    **dict.fromkeys(("wedge", "wedge15", "wedge18", "polyhedron"), 3),
}


@dataclass(frozen=True, eq=False)
class CellBlock:
    """Cells of one type: nodes (m, k) rows of the point table in VTK order; group (m,) numbers, 0 for none."""

    kind: str
    nodes: IntArray
    group: IntArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", frozen(self.nodes, np.int64, (-1, -1)))
        object.__setattr__(self, "group", frozen(self.group, np.int64, (len(self.nodes),)))

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def dimension(self) -> int:
        """0 for points, 1 lines, 2 surfaces, 3 volumes; -1 for types unknown here."""
        return DIMENSION.get(self.kind, DIMENSION.get(self.kind.split("_")[0], -1))


@dataclass(frozen=True, eq=False, repr=False)
class Mesh:
    """points (n, 3) in the file's length unit; cell_sets: name -> one boolean array per block; node_sets:
    name -> rows.

    notes: information that the format or its reader does not provide.
    """

    path: Path
    format: str
    points: FloatArray
    blocks: tuple[CellBlock, ...]
    cell_sets: Mapping[str, tuple[BoolArray, ...]] = field(default_factory=dict)
    node_sets: Mapping[str, IntArray] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", frozen(self.points, shape=(-1, 3)))
        object.__setattr__(self, "cell_sets", MappingProxyType(dict(self.cell_sets)))
        object.__setattr__(self, "node_sets", MappingProxyType(dict(self.node_sets)))

    @property
    def first_cell(self) -> IntArray:
        """Number of the first cell of each block, counting all cells of the file from 1."""
        return np.cumsum([1, *(len(block) for block in self.blocks)])[:-1]

    def nodes_of_set(self, name: str) -> IntArray:
        """Point rows used by the cells of a set."""
        parts = [block.nodes[chosen].ravel() for block, chosen in zip(self.blocks, self.cell_sets[name])]
        return np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int64)

    def __repr__(self) -> str:
        cells = ", ".join(f"{len(block)} {block.kind}" for block in self.blocks)
        return f"<Mesh {self.path.name}: {len(self.points)} points; {cells}; sets {list(self.cell_sets)}>"
