"""Abaqus or CalculiX: the program that a deck was written for, by what only one of the two understands.

They differ in the mass of first-order elements, in C3D8, and in CIRC sections (a radius, or a diameter).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword

Flavor = Literal["abaqus", "calculix"]


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(";"))


_ABAQUS = _names(
    "PART; ASSEMBLY; INSTANCE; PREPRINT; MATRIX GENERATE; SHELL GENERAL SECTION; BEAM GENERAL SECTION; NGEN; NFILL; "
    "NCOPY; NMAP; ELGEN; ELCOPY; SYSTEM; ROTARY INERTIA; TRANSVERSE SHEAR STIFFNESS; HOURGLASS STIFFNESS; SECTION CONTROLS; "
    "CONNECTOR SECTION; CONNECTOR BEHAVIOR; NONSTRUCTURAL MASS; EMBEDDED ELEMENT; SHELL TO SOLID COUPLING; PARAMETER; "
    "FASTENER; ELEMENT MATRIX OUTPUT; SUBSTRUCTURE PROPERTY; MATRIX INPUT; CONTACT PROPERTY ASSIGNMENT; CONTACT INCLUSIONS"
)
_CALCULIX = _names(
    "CYCLIC SYMMETRY MODEL; SELECT CYCLIC SYMMETRY MODES; NODE FILE; EL FILE; CONTACT FILE; SECTION PRINT; DESIGNVARIABLES; "
    "DESIGN VARIABLES; OBJECTIVE; CHANGE SOLID SECTION; REFINE MESH; NODAL THICKNESS; PHYSICAL CONSTANTS; GREEN; SENSITIVITY; "
    "COMPLEX FREQUENCY; USER SECTION; VALUES AT INFINITY; TIME POINTS; CHANGE MATERIAL; FEASIBLE DIRECTION"
)
#: Options that only one program knows, by keyword.
_ABAQUS_OPTIONS = {
    "FREQUENCY": ("EIGENSOLVER", "NORMALIZATION", "ACOUSTIC COUPLING"),
    "STEP": ("NAME",),
    "OUTPUT": ("FIELD", "HISTORY", "DIAGNOSTICS"),
    "ELEMENT": ("OFFSET",),
}
_CALCULIX_OPTIONS = {
    "FREQUENCY": ("SOLVER", "STORAGE", "GLOBAL"),
    "STATIC": ("SOLVER",),
    "DYNAMIC": ("SOLVER", "EXPLICIT"),
}
_LABELS = (
    "ENCASTRE",
    "PINNED",
    "XSYMM",
    "YSYMM",
    "ZSYMM",
    "XASYMM",
    "YASYMM",
    "ZASYMM",
    "NOWARP",
    "NOOVAL",
    "NODEFORM",
)
#: First-order types and those that only Abaqus has.
_DEPENDS = ("C3D8", "C3D4", "C3D6", "C3D8R", "C3D8I", "S3", "S4", "S4R", "S3R", "B31", "T3D2", "M3D3", "M3D4")
_ABAQUS_TYPES = (
    "S8R5",
    "S9R5",
    "STRI65",
    "STRI3",
    "S4R5",
    "B33",
    "B23",
    "ROTARYI",
    "C3D5",
    "SC8R",
    "SC6R",
    "C3D10HS",
    "CONN3D2",
)


def program_of(found: Sequence[Keyword]) -> Flavor:
    """The program whose conventions hold; CalculiX where nothing decides."""
    return _decided(found) or "calculix"


def assume_program(draft: Draft, found: Sequence[Keyword]) -> None:
    """Say what was assumed where nothing decides and the deck has something that depends on it."""
    if _decided(found) is not None:
        return
    circles = any(_section(keyword) == "CIRC" for keyword in found)
    simple = any(group.type in _DEPENDS for group in draft.groups)
    if circles or simple:
        what = "CIRC sections give a diameter" if circles else "first-order elements are those of CalculiX"
        draft.assume(f"the deck was written for CalculiX, so {what} (choose with --flavor abaqus)")


def _decided(found: Sequence[Keyword]) -> Flavor | None:
    if any(keyword.name == "USER ELEMENT" and "INTEGRATION POINTS" in keyword.options for keyword in found):
        return "calculix"
    if any(_of_abaqus(keyword) for keyword in found) or _simple_beams_with_circles(found):
        return "abaqus"
    if any(keyword.name in _CALCULIX or _has(keyword, _CALCULIX_OPTIONS) for keyword in found):
        return "calculix"
    return None


def _of_abaqus(keyword: Keyword) -> bool:
    if keyword.name in _ABAQUS or _has(keyword, _ABAQUS_OPTIONS):
        return True
    if keyword.name == "ELEMENT":
        return keyword.options.get("TYPE", "").upper() in _ABAQUS_TYPES
    if keyword.name == "BOUNDARY":
        return any(word.strip().upper() in _LABELS for text in keyword.data for word in text.split(",")[1:2])
    return False


def _has(keyword: Keyword, options: dict[str, tuple[str, ...]]) -> bool:
    return any(option in keyword.options for option in options.get(keyword.name, ()))


def _section(keyword: Keyword) -> str:
    return keyword.options.get("SECTION", "").upper() if keyword.name == "BEAM SECTION" else ""


def _simple_beams_with_circles(found: Sequence[Keyword]) -> bool:
    """CalculiX refuses circular sections of two-node beams, so such a deck is one of Abaqus."""
    circles = {keyword.label("ELSET") for keyword in found if _section(keyword) == "CIRC"}
    return any(
        keyword.name == "ELEMENT"
        and keyword.options.get("TYPE", "").upper() == "B31"
        and keyword.label("ELSET") in circles
        for keyword in found
    )
