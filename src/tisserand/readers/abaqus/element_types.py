"""Element types of Abaqus and CalculiX: shape, recipe, and the words for the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Integration = Literal["full", "reduced", "unlocked", "incompatible", "selective", "sampled"]
Role = Literal[
    "solid", "shell", "membrane", "plane", "beam", "rod", "mass", "rotary", "spring", "dashpot", "rigid", "reference"
]


@dataclass(frozen=True)
class Kind:
    """What an element type becomes: ``cell`` is the VTK-ordered cell type, ``order`` its nodes in that order.

    statement: what is approximated, for the ledger; empty when the element is used unchanged.
    """

    role: Role
    cell: str
    nodes: int
    integration: Integration = "full"
    statement: str = ""
    order: tuple[int, ...] | None = None
    shear: bool = True


_HYBRID = "the hybrid (pressure) formulation is replaced by the displacement one"
_LINE3 = "three-node elements are split into two straight ones at their middle node"
_PLANE = "the plane element is integrated"
_FIVE = "five-dof shells are used with six dofs per node"


def _with(kind: Kind, statement: str) -> Kind:
    return Kind(kind.role, kind.cell, kind.nodes, kind.integration, statement, kind.order, kind.shear)


_TET4, _TET10 = Kind("solid", "tetra", 4), Kind("solid", "tetra10", 10)
_HEX8, _HEX20 = Kind("solid", "hexahedron", 8), Kind("solid", "hexahedron20", 20)
_WEDGE6, _WEDGE15 = Kind("solid", "wedge", 6), Kind("solid", "wedge15", 15)
_TRI, _QUAD = Kind("shell", "triangle", 3), Kind("shell", "quad", 4)
_TRI_6, _QUAD_8, _QUAD_9 = Kind("shell", "triangle6", 6), Kind("shell", "quad8", 8), Kind("shell", "quad9", 9)
_BEAM2 = Kind("beam", "line", 2)
_BEAM3 = Kind("beam", "line3", 3, statement=_LINE3, order=(0, 2, 1))

KINDS: dict[str, Kind] = {
    "C3D4": _TET4,
    "C3D10": _TET10,
    "C3D10T": _TET10,
    "C3D10M": _with(_TET10, "the modified tetrahedron is used as the plain ten-node one"),
    "C3D10HS": _with(_TET10, _HYBRID),
    "C3D8": _HEX8,
    "C3D8R": Kind("solid", "hexahedron", 8, "reduced"),
    "C3D8I": Kind("solid", "hexahedron", 8, "incompatible"),
    "C3D20": _HEX20,
    "C3D20R": Kind("solid", "hexahedron20", 20, "reduced"),
    "C3D6": _WEDGE6,
    "C3D15": _WEDGE15,
    "C3D5": Kind("solid", "pyramid", 5),
    "S3": _TRI,
    "S3R": _TRI,
    "STRI3": _with(_TRI, "the thin triangle is used as a shear-flexible one"),
    "S4": _QUAD,
    "S4R": _QUAD,
    "S4RS": _QUAD,
    "S4R5": _with(_QUAD, _FIVE),
    "S6": _TRI_6,
    "STRI65": _with(_TRI_6, _FIVE),
    "S8": _QUAD_8,
    "S8R": _QUAD_8,
    "S8R5": _with(_QUAD_8, _FIVE),
    "S9R5": _with(_QUAD_9, _FIVE),
    **{f"CP{c}3": Kind("plane", "triangle", 3) for c in "ES"},
    **{f"CP{c}4": Kind("plane", "quad", 4) for c in "ES"},
    **{f"CP{c}4R": Kind("plane", "quad", 4, statement=f"{_PLANE} at four points instead of one") for c in "ES"},
    **{f"CP{c}6": Kind("plane", "triangle6", 6) for c in "ES"},
    **{f"CP{c}8": Kind("plane", "quad8", 8) for c in "ES"},
    **{f"CP{c}8R": Kind("plane", "quad8", 8, statement=f"{_PLANE} at nine points instead of four") for c in "ES"},
    "M3D3": Kind("membrane", "triangle", 3),
    "M3D4": Kind("membrane", "quad", 4),
    "M3D4R": Kind("membrane", "quad", 4, statement="the membrane is integrated at four points instead of one"),
    "M3D6": Kind("membrane", "triangle6", 6),
    "M3D8": Kind("membrane", "quad8", 8),
    "M3D8R": Kind("membrane", "quad8", 8, statement="the membrane is integrated at nine points instead of four"),
    "B31": _BEAM2,
    "B31R": _BEAM2,
    "B31OS": _with(_BEAM2, "warping of the open section is left out"),
    "B33": Kind("beam", "line", 2, shear=False),
    "B32": _BEAM3,
    "B32R": _BEAM3,
    "B32OS": _with(_BEAM3, f"{_LINE3}; warping of the open section is left out"),
    "T3D2": Kind("rod", "line", 2),
    "T3D3": Kind("rod", "line3", 3, statement=_LINE3, order=(0, 2, 1)),
    "MASS": Kind("mass", "vertex", 1),
    "ROTARYI": Kind("rotary", "vertex", 1),
    "SPRINGA": Kind("spring", "axial", 2),
    "SPRING1": Kind("spring", "ground", 1),
    "SPRING2": Kind("spring", "pair", 2),
    "DASHPOTA": Kind("dashpot", "axial", 2),
    "DASHPOT1": Kind("dashpot", "ground", 1),
    "DASHPOT2": Kind("dashpot", "pair", 2),
    "R3D3": Kind("rigid", "triangle", 3),
    "R3D4": Kind("rigid", "quad", 4),
    "RB3D2": Kind("rigid", "line", 2),
    "DCOUP3D": Kind("reference", "vertex", 1),
}
for _name in ("C3D4", "C3D8", "C3D8R", "C3D8I", "C3D10", "C3D10M", "C3D20", "C3D20R", "C3D6", "C3D15"):
    KINDS[_name + "H"] = _with(KINDS[_name], _HYBRID)
for _name in ("B31", "B32", "B33", "T3D2", "T3D3"):
    KINDS[_name + "H"] = _with(
        KINDS[_name], (KINDS[_name].statement + "; " if KINDS[_name].statement else "") + _HYBRID
    )

#: Integration by the program where it is not that of the kind: Abaqus takes the mean volume strain of C3D8, both take two
#: points in C3D6, and CalculiX integrates the mass at the points of the stiffness.
_BY_PROGRAM: dict[str, dict[str, Integration]] = {
    "abaqus": {"C3D8": "selective", "C3D8H": "selective", "C3D6": "sampled", "C3D6H": "sampled"},
    "calculix": {name: "sampled" for name in ("C3D4", "C3D6", "C3D10", "C3D10T", "C3D15", "C3D20R")},
}


def solid_integration(name: str, flavor: str) -> Integration:
    """How the program integrates a type of solid."""
    return _BY_PROGRAM[flavor].get(name, KINDS[name].integration)


#: User elements that CalculiX itself defines, by their names there; those of Abaqus are programs beside the deck.
CALCULIX_KINDS: dict[str, Kind] = {
    "U1": _with(_BEAM2, "CalculiX' own user element, a shear-flexible beam with two nodes"),
    "US3": _with(_TRI, "CalculiX' own user element, a shell with three nodes"),
}

#: Abaqus face numbers of solids -> local corner and midside nodes (VTK order), by cell type.
_T = ((0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 3))
_T10 = ((4, 5, 6), (4, 8, 7), (5, 9, 8), (6, 9, 7))
_H = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
_H20 = ((8, 9, 10, 11), (12, 13, 14, 15), (8, 17, 12, 16), (9, 18, 13, 17), (10, 19, 14, 18), (11, 16, 15, 19))
_W = ((0, 1, 2), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5))
_W15 = ((6, 7, 8), (9, 10, 11), (6, 13, 9, 12), (7, 14, 10, 13), (8, 12, 11, 14))
FACES: dict[str, tuple[tuple[int, ...], ...]] = {
    "tetra": _T,
    "tetra10": tuple(a + b for a, b in zip(_T, _T10)),
    "hexahedron": _H,
    "hexahedron20": tuple(a + b for a, b in zip(_H, _H20)),
    "wedge": _W,
    "wedge15": tuple(a + b for a, b in zip(_W, _W15)),
}
