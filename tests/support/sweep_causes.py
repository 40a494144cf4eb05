"""Why decks of the sweep are refused: one stated cause each, the same as in the table of docs/readers.md."""

from __future__ import annotations

import re

#: Cause and pattern of the message. Whether a deck is complete is another question (deck_contents.py).
CAUSES: tuple[tuple[str, str], ...] = (
    ("no mass", r"has no mass where it can move"),
    ("no points or elements", r"contains no grid|model has no elements|has no \*NODE|no elements that can"),
    ("card or file missing", r"do(es)? not exist|have no section|not all of its material|is not a number; found '%"),
    ("fluid, heat or electromagnetic", r"fluid|without \*ELASTIC|elasticity matrix is not positive|is a MAT[45]\b"),
    ("axisymmetric", r"CAX\w*|SAX\w*|axisymmetric elements|plane or axisymmetric"),
    ("plane", r"plane st(ress|rain)|\b(T2D|B2)\w* \(unsupp"),
    ("cyclic symmetry", r"cyclic symmetry|of a cyclic st"),
    ("mechanism", r"without strain energy"),
    ("rigid body alone", r"rigid-body motions only"),
    ("everything held", r"every dof is supported"),
    ("no stiffness", r"no free dof with mass has any stiffness"),
    ("mesh generator", r"generates its grid points"),
    ("inverted element", r"inverted or has no volume"),
    ("unstable state", r"negative eigenvalues"),
    ("preload", r"of the preload of|contact closes"),
    ("user element or material", r"USER ELEMENT|USER SECTION"),
    ("superelements copied or mirrored", r"superelements from other files"),
    ("temperature field", r"temperatures of"),
    ("unsupported card", r"unsupported (cards|keywords) that matter|which is not supported here|cannot use here"),
    ("double dependence", r"made dependent twice|independent and dependent at once"),
    ("text that cannot be read", r"is not a card|is not a (whole )?number|defined twice|is replicated by|no faces"),
    ("mass by direction", r"different mass in each direction|residual mass >= 0"),
)


def cause_of(message: str) -> str:
    """Name of the cause; ``unknown`` where no pattern fits."""
    return next((name for name, pattern in CAUSES if re.search(pattern, message)), "unknown")
