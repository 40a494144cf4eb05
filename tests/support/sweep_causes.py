"""Why decks of the sweep are refused: one stated cause each, the same as in the table of docs/readers.md."""

from __future__ import annotations

import re

#: cause, whether such a deck has all the cards it refers to and some stiffness, without fluid or heat (mass and axisymmetric
#: elements are looked up in the deck), pattern of the message.
CAUSES: tuple[tuple[str, bool, str], ...] = (
    ("no mass", False, r"has no mass where it can move"),
    ("no points or elements", False, r"contains no grid|model has no elements|has no \*NODE|no elements that can"),
    ("card or file missing", False, r"do(es)? not exist|have no section|not all of its material|is not a number; found '%"),
    ("fluid, heat or electromagnetic", False, r"fluid|without \*ELASTIC|elasticity matrix is not positive|is a MAT[45]\b"),
    ("axisymmetric", True, r"CAX\w*|SAX\w*|axisymmetric elements|plane or axisymmetric"),
    ("plane", True, r"plane st(ress|rain)|\b(T2D|B2)\w* \(unsupp"),
    ("cyclic symmetry", True, r"cyclic symmetry|of a cyclic st"),
    ("mechanism", True, r"without strain energy"),
    ("rigid body alone", True, r"rigid-body motions only"),
    ("everything held", False, r"every dof is supported"),
    ("inverted element", True, r"inverted or has no volume"),
    ("unstable state", True, r"negative eigenvalues"),
    ("preload", True, r"of the preload of|contact closes"),
    ("user element or material", False, r"USER ELEMENT|USER SECTION"),
    ("superelements copied or mirrored", True, r"superelements from other files"),
    ("temperature field", True, r"temperatures of"),
    ("unsupported card", True, r"unsupported (cards|keywords) that matter|which is not supported here|cannot use here"),
    ("double dependence", True, r"made dependent twice|independent and dependent at once"),
    ("text that cannot be read", True, r"is not a card|is not a (whole )?number|defined twice|is replicated by|no faces"),
    ("mass by direction", True, r"different mass in each direction|residual mass >= 0"),
)  # fmt: skip


def cause_of(message: str) -> tuple[str, bool]:
    """Name of the cause, and whether the deck is complete; ``unknown`` where no pattern fits."""
    for name, complete, pattern in CAUSES:
        if re.search(pattern, message):
            return name, complete
    return "unknown", True
