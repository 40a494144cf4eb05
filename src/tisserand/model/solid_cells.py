"""Cells of solids, as data: nodes, faces, and how Nastran orders them.

Node order is VTK's: vertices, then one node on every edge. ``hex32``, which VTK lacks, has two nodes on every edge of
``hex20``, from its first vertex to its second.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SolidCell:
    """One kind of solid.

    Attributes:
        nodes: number of nodes.
        faces: corners of every face, outward.
        card: Nastran's name.
        order: place on the card of every node.
    """

    nodes: int
    faces: tuple[tuple[int, ...], ...]
    card: str
    order: tuple[int, ...]


_TET = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))
_HEX = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
_WEDGE = ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5))
_PYRAMID = ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))
#: CIHEX3 goes round the lower face, up the four edges in two rounds, and round the upper face.
_IHEX3 = (
    *(0, 3, 6, 9, 20, 23, 26, 29),
    *(1, 2, 4, 5, 7, 8, 10, 11),
    *(21, 22, 24, 25, 27, 28, 30, 31),
    *(12, 16, 13, 17, 14, 18, 15, 19),
)

SOLID_CELLS: dict[str, SolidCell] = {
    "tet4": SolidCell(4, _TET, "CTETRA", tuple(range(4))),
    "tet10": SolidCell(10, _TET, "CTETRA", tuple(range(10))),
    "hex8": SolidCell(8, _HEX, "CHEXA", tuple(range(8))),
    "hex20": SolidCell(20, _HEX, "CHEXA", (*range(12), 16, 17, 18, 19, 12, 13, 14, 15)),
    "hex32": SolidCell(32, _HEX, "CIHEX3", _IHEX3),
    "wedge6": SolidCell(6, _WEDGE, "CPENTA", tuple(range(6))),
    "wedge15": SolidCell(15, _WEDGE, "CPENTA", (*range(9), 12, 13, 14, 9, 10, 11)),
    "pyramid5": SolidCell(5, _PYRAMID, "CPYRAM", tuple(range(5))),
    "pyramid13": SolidCell(13, _PYRAMID, "CPYRAM", tuple(range(13))),
}
