"""Abaqus or CalculiX: marks that only one of the programs accepts, and what depends on the answer.

CalculiX stops at words such as ENCASTRE and at the element types listed here; Abaqus stops at any keyword or parameter that
it does not know. Keywords of Abaqus that CalculiX passes over with a warning count as marks of Abaqus too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tisserand.errors import InputError
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.element_types import CALCULIX_KINDS, KINDS
from tisserand.readers.abaqus.mass_recipe import first_order
from tisserand.readers.abaqus.parameter_table import names_of
from tisserand.readers.abaqus.scan import Keyword
from tisserand.readers.abaqus.supports import SUPPORT_WORDS

Flavor = Literal["abaqus", "calculix"]

_ABAQUS_KEYWORDS = frozenset(
    names_of(
        "PART; ASSEMBLY; INSTANCE; PREPRINT; MATRIX GENERATE; SHELL GENERAL SECTION; TRANSVERSE SHEAR STIFFNESS; "
        "NONSTRUCTURAL MASS; ROTARY INERTIA; NGEN; NFILL; NCOPY; ELGEN; ELCOPY; EMBEDDED ELEMENT; CONNECTOR SECTION; "
        "GLOBAL DAMPING; SECTION CONTROLS; HOURGLASS STIFFNESS; FILE FORMAT; PARAMETER; SYSTEM; MONITOR; PRINT; "
        "ENERGY OUTPUT; MODAL OUTPUT; INTEGRATED OUTPUT; SHELL TO SOLID COUPLING; MATRIX INPUT; IMPERFECTION; "
        "NMAP; CONNECTOR BEHAVIOR; FASTENER; SUBSTRUCTURE PROPERTY; CONTACT PROPERTY ASSIGNMENT; CONTACT INCLUSIONS; "
        "ELEMENT MATRIX OUTPUT"
    )
)
_CALCULIX_KEYWORDS = frozenset(
    names_of(
        "DESIGN VARIABLES; DESIGNVARIABLES; DESIGN RESPONSE; OBJECTIVE; SENSITIVITY; REFINE MESH; GREEN; ROBUST DESIGN; "
        "RANDOM FIELD; VALUES AT INFINITY; SPECIFIC GAS CONSTANT; FLUID CONSTANTS; COMPRESSION ONLY; TENSION ONLY; "
        "MAGNETIC PERMEABILITY; USER SECTION; CHANGE SOLID SECTION; CRACK PROPAGATION; FEASIBLE DIRECTION; "
        "CONSTRAINT; CHANGE MATERIAL"
    )
)
#: Parameters that the other program does not know, by keyword.
_ABAQUS_PARAMETERS = {
    "FREQUENCY": "EIGENSOLVER; NORMALIZATION; ACOUSTIC COUPLING; DAMPING PROJECTION; RESIDUAL MODES; NUMBER INTERVAL",
    "BEAM SECTION": "POISSON; TEMPERATURE; ROTARY INERTIA; LUMPED",
    "SHELL SECTION": "SECTION INTEGRATION; POISSON; SYMMETRIC; DENSITY; LAYUP; CONTROLS; STACK DIRECTION; SHELL THICKNESS",
    "SOLID SECTION": "CONTROLS; LAYUP; SYMMETRIC; STACK DIRECTION",
    "NSET": "INTERNAL; UNSORTED",
    "ELSET": "INTERNAL; UNSORTED",
    "STEP": "NAME",
    "OUTPUT": "FIELD; HISTORY; VARIABLE; DIAGNOSTICS",
    "NODE": "INPUT; SYSTEM",
    "ELEMENT": "INPUT",
}
_CALCULIX_PARAMETERS = {
    "FREQUENCY": "SOLVER; STORAGE; GLOBAL; CYCMPC",
    "STATIC": "SOLVER",
    "DYNAMIC": "SOLVER",
    "BEAM SECTION": "OFFSET1; OFFSET2; NODAL THICKNESS",
    "RIGID BODY": "ROT NODE",
    "USER ELEMENT": "INTEGRATION POINTS",
    "NODE FILE": "OUTPUT; GLOBAL",
    "EL FILE": "OUTPUT; GLOBAL; SECTION FORCES; NSET",
    "CONTACT FILE": "OUTPUT",
}
#: Element types at which CalculiX stops, and those that it alone has.
ABAQUS_TYPES = frozenset(
    names_of(
        "C3D10M; C3D10HS; C3D5; S3R; STRI3; S4RS; S4R5; STRI65; S8R5; S9R5; B31OS; B32OS; B33; ROTARYI; R3D3; R3D4; RB3D2; "
        "B23; SC6R; SC8R; CONN3D2"
    )
) | {name for name in KINDS if name.endswith("H")}
_CALCULIX_TYPES = frozenset({"B31R", "C3D10T", *CALCULIX_KINDS})


def _marks(keywords: list[Keyword]) -> Iterator[tuple[Flavor, str]]:
    """Program and mark in words, in the order of the deck."""
    beams_of_two = False
    for keyword in keywords:
        name, where = keyword.name, f"*{keyword.name} in line {keyword.line}"
        kind = keyword.options.get("TYPE", "").strip().upper() if name == "ELEMENT" else ""
        beams_of_two |= kind == "B31"
        if name in _ABAQUS_KEYWORDS:
            yield "abaqus", where
        if name in _CALCULIX_KEYWORDS:
            yield "calculix", where
        if kind in ABAQUS_TYPES:
            yield "abaqus", f"{kind} in line {keyword.line}"
        if kind in _CALCULIX_TYPES:
            yield "calculix", f"{kind} in line {keyword.line}"
        for parameter in keyword.options:
            if parameter in names_of(_ABAQUS_PARAMETERS.get(name, "")):
                yield "abaqus", f"{parameter} of {where}"
            if parameter in names_of(_CALCULIX_PARAMETERS.get(name, "")):
                yield "calculix", f"{parameter} of {where}"
        if name == "BOUNDARY":
            words = [items[1].upper() for _, items in keyword.rows() if len(items) > 1]
            yield from (("abaqus", f"{word} of {where}") for word in words if word in SUPPORT_WORDS)
        if name == "BEAM SECTION" and keyword.options.get("SECTION", "").strip().upper() in (
            "I",
            "L",
            "HEX",
            "TRAPEZOID",
        ):
            yield "abaqus", f"SECTION={keyword.options['SECTION']} of {where}"
    if beams_of_two:  # CalculiX wants three nodes for round beams
        for keyword in keywords:
            if keyword.name == "BEAM SECTION" and keyword.options.get("SECTION", "").strip().upper().startswith("CIRC"):
                yield "abaqus", f"B31 with SECTION=CIRC in line {keyword.line}"


def flavor_of(keywords: list[Keyword], asked: str | None = None) -> tuple[Flavor, str | None]:
    """The program of a deck and the mark that decides: None where the user asked for it, empty where nothing decides.

    Abaqus stops at what it does not know, so a mark of CalculiX outweighs those of Abaqus.
    """
    programs: tuple[Flavor, ...] = ("calculix", "abaqus")
    found: dict[Flavor, str] = dict(reversed(list(_marks(keywords)))) if asked is None else {}
    for flavor in programs:
        if flavor in found:
            return flavor, found[flavor]
        if asked is not None and asked.strip().lower() == flavor:
            return flavor, None
    if asked is not None:
        raise InputError("unknown program of a deck", found=repr(asked), expected="abaqus or calculix")
    return "calculix", ""


def flavor_words(keywords: list[Keyword], asked: str | None = None) -> str:
    """The program of a deck and why, for ``info``."""
    flavor, mark = flavor_of(keywords, asked)
    if mark is None:
        return f"{flavor}, as chosen"
    return f"{flavor}, which {mark} shows" if mark else f"{flavor}, as nothing in the deck shows which"


def state_flavor(draft: Draft, mark: str | None) -> None:
    """Write the program and its ``mark`` into the notes; as an assumption where nothing decides and something depends on it."""
    program = {"abaqus": "Abaqus", "calculix": "CalculiX"}[draft.flavor]
    if mark is None:
        draft.note(f"read as a deck of {program}, as chosen")
    elif mark:
        draft.note(f"read as a deck of {program}, which {mark} shows; choose with --flavor")
    elif depends := list(_dependent(draft)):
        draft.assume(
            f"nothing shows whether the deck is for Abaqus or CalculiX; {program} is taken, on which depends: "
            f"{'; '.join(depends)} (choose with --flavor abaqus or --flavor calculix)"
        )


def _dependent(draft: Draft) -> Iterator[str]:
    """What Abaqus would read otherwise, in words."""
    deck = draft.deck
    types = {group.type for group in draft.groups}
    names = {keyword.name for _, keyword in deck.model}
    sections = {
        keyword.options.get("SECTION", "").upper() for _, keyword in deck.model if keyword.name == "BEAM SECTION"
    }
    if any(section.startswith("CIRC") for section in sections):
        yield "the number of a CIRC section (a diameter; Abaqus: a radius)"
    if "C3D8" in types:
        yield "the stiffness of C3D8 (full integration; Abaqus: mean volume strain)"
    if sampled := sorted(types & {"C3D10", "C3D15", "C3D20R"}):
        yield f"the mass of {', '.join(sampled)} (at the points of the stiffness; Abaqus: integrated exactly)"
    if first_order(draft):
        yield "the mass of first-order elements (consistent; Abaqus: lumped)"
    if draft.initial_stress:
        yield "the axes of the initial stress (global; Abaqus: of the element)"
    if any(keyword.name == "TIE" and "POSITION TOLERANCE" not in keyword.options for _, keyword in deck.model):
        yield "the reach of ties"
    if "DISTRIBUTING COUPLING" in names:
        yield "the moments of distributing couplings"
    if (
        any("NLGEOM" in step[0].options or "PERTURBATION" in step[0].options for step in deck.steps)
        and len(deck.steps) > 1
    ):
        yield "the state that the modes start from"
