"""Whether a deck is complete, by its own cards: what it refers to is there, and it has stiffness, mass and no other physics.

Nothing here asks whether, or why, the deck is refused: only the splitting of lines into fields is that of the package. Where
cards cannot be told apart a deck counts as complete.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tisserand.errors import TisserandError
from tisserand.readers.abaqus.generation import generated
from tisserand.readers.abaqus.ledger import spelled
from tisserand.readers.abaqus.scan import Keyword, keywords, label
from tisserand.readers.nastran.control import split_sections
from tisserand.readers.nastran.deck_text import load
from tisserand.readers.nastran.scan import scan


@dataclass(frozen=True)
class Contents:
    """``missing``: something that the deck refers to and does not contain, in words; empty where all is there."""

    missing: str = ""
    stiffness: bool = True
    mass: bool = True
    other_physics: bool = False

    @property
    def complete(self) -> bool:
        return not self.missing and self.stiffness and self.mass and not self.other_physics


def contents(file: Path) -> Contents:
    """What a deck contains."""
    text = file.read_text(errors="replace")
    if re.search(r"(?im)^\s*\*(NODE|ELEMENT|HEADING|MATERIAL|INCLUDE|STEP)\b", text):
        return _of_keywords(file, text)
    return _of_cards(file, text)


# -- Nastran ------------------------------------------------------------------------------------------------------------

#: Elements of fluids, heat and axisymmetric bodies.
_OTHER = re.compile(
    r"C(TRIAX6?|QUADX[48]?|TRAX[36]|TRAPRG|TRIARG|TORDRG|TRAPAX|TRIAAX|CONEAX|HBDY[EGP]?|FLUID[234]|AXIF[234]|SLOT[34])"
    r"|CF(HEX[12]|TETRA|WEDGE)|CAABSF|CHAC(AB|BR)"
)
#: Elements: place of the property (None: none), first place and number of grid points.
_ELEMENTS: dict[str, tuple[int | None, int, int]] = {
    **dict.fromkeys(("CBAR", "CBEAM", "CROD", "CTUBE", "CBUSH", "CBUSH1D", "CGAP", "CVISC", "CBEND"), (1, 2, 2)),
    **dict.fromkeys(("CQUAD4", "CQUADR", "CSHEAR", "CQUAD1", "CQUAD2", "CQDMEM", "CQDMEM1", "CQDMEM2", "CQDPLT"), (1, 2, 4)),
    **dict.fromkeys(("CTRIA3", "CTRIAR", "CTRIA1", "CTRIA2", "CTRMEM", "CTRPLT", "CTRBSC"), (1, 2, 3)),
    **dict.fromkeys(("CQUAD8", "CIHEX1"), (1, 2, 8)),
    **dict.fromkeys(("CTRIA6", "CTRSHL", "CTRIM6", "CTRPLT1"), (1, 2, 6)),
    "CHEXA": (1, 2, 20), "CPENTA": (1, 2, 15), "CTETRA": (1, 2, 10), "CPYRAM": (1, 2, 13), "CIHEX2": (1, 2, 20),
    "CONROD": (None, 1, 2), "CONM2": (None, 1, 1), "CONM1": (None, 1, 1), "RBAR": (None, 1, 2),
}  # fmt: skip
#: Elements with their property and grid points at other places.
_SCALAR = {"CELAS1": (1, (2, 4)), "CELAS2": (None, (2, 4)), "CMASS1": (1, (2, 4)), "CMASS2": (None, (2, 4))}
_NO_STIFFNESS = ("CONM", "CMASS", "CDAMP", "CVISC", "CORD", "CHBDY", "CAERO", "CSET", "CSUP", "CYJ", "CYS", "CYA")
#: Properties: places of their materials.
_MATERIALS = {
    **dict.fromkeys(("PBAR", "PBARL", "PBEAM", "PBEAML", "PROD", "PTUBE", "PSOLID", "PSHEAR", "PBEND", "PBCOMP"), (1,)),
    **dict.fromkeys(("PQUAD2", "PTRIA2", "PQDMEM", "PQDMEM1", "PQDMEM2", "PTRMEM", "PIHEX"), (1,)),
    "PSHELL": (1, 3, 5),
}
#: Place of the density among the fields of a material card.
_DENSITY = {"MAT1": 4, "MAT2": 7, "MAT3": 8, "MAT8": 7, "MAT9": 22, "MAT11": 10, "MATHP": 4}
_INCLUDE = re.compile(r"(?im)^\s*INCLUDE\s+['\"]?([^'\"\n]+?)['\"]?\s*$")
_ASSIGNED = re.compile(r"(?im)^\s*ASSIGN\s+INPUTT[24]\s*=\s*['\"]?([^'\",\s]+)")


def _number(text: bytes) -> int | None:
    return int(text) if text.isdigit() and len(text) < 16 else None


def _of_cards(file: Path, text: str) -> Contents:
    bulk_text = text[
        max(text.upper().find("BEGIN BULK"), 0) :
    ]  # what is included before it are statements of the program
    for name in _INCLUDE.findall(bulk_text):
        if not any((folder / name.strip()).is_file() for folder in (file.parent, Path.cwd())):
            return Contents(missing=f"the file {name}")
    try:
        source = load(file)
        sections = split_sections(source)[1]
        bulks = [scan(source, section.text, section.first) for section in sections]
    except TisserandError as error:
        return Contents(missing=str(error) if "included file does not exist" in str(error) else "")
    names = {card for bulk in bulks for card in bulk.counts()}
    for name in _ASSIGNED.findall(text) if "SEBULK" in names else ():
        if not (file.parent / name).is_file():
            return Contents(missing=f"the file {name}")
    if any(re.search(rb"%\w|%\(", row.text(k)) for bulk in bulks for card in ("GRID", "PSHELL") for row in bulk.rows(card)
           for k in range(len(row))):  # fmt: skip
        return Contents(missing="values of a template")
    points = set().union(*(_points(bulk) for bulk in bulks))
    elements = [card for card in names if card in _ELEMENTS or card in _SCALAR or _OTHER.fullmatch(card)]
    generating = names & {"GRIDG", "EGRID", "CGEN", "GRIDB", "SEBULK", "CSUPER", "RINGAX"}
    scalar = any(card.startswith(("CELAS", "CMASS")) for card in names)  # these state their points themselves
    if not points and not generating and not scalar:
        return Contents(missing="grid points")
    if not elements and not any(
        card.startswith(("C", "DMIG", "GENEL")) and not card.startswith("CORD") for card in names
    ):
        return Contents(missing="elements")
    missing = "" if generating else _missing_in(bulks, points, sections)
    fluid = any(row.text(5) == b"-1" for bulk in bulks for row in bulk.rows("GRID"))
    fluid = fluid or any(
        row.word(6) == "PFLUID" or row.word(5) == "PFLUID" for bulk in bulks for row in bulk.rows("PSOLID")
    )
    other = fluid or any(_OTHER.fullmatch(card) for card in names) or _heated(bulks)
    stiff = any(
        (card.startswith("C") or card in ("GENEL", "DMIG", "RBE2", "RBAR")) and not card.startswith(_NO_STIFFNESS)
        for card in names
    )
    return Contents(missing, stiff, any(_has_mass(bulk) for bulk in bulks), other)


def _points(bulk: Any) -> set[int]:
    found = {_number(row.text(0)) for card in ("GRID", "SPOINT", "EPOINT", "GRIDB") for row in bulk.rows(card)}
    for row in bulk.rows("SPOINT", "EPOINT"):
        found |= {_number(row.text(k)) for k in range(len(row))}
        if row.word(1) == "THRU" and (first := _number(row.text(0))) and (last := _number(row.text(2))):
            found |= set(range(first, last + 1))
    return {number for number in found if number is not None}


def _missing_in(bulks: list[Any], points: set[int], sections: Any) -> str:
    """The first grid point, property or material that elements and properties name and no card states."""
    for bulk in bulks:
        properties = {row.text(0) for card in bulk.counts() if card.startswith("P") for row in bulk.rows(card)}
        for card in ("PELAS", "PMASS", "PTUBE", "PROD", "PDAMP"):
            properties |= {row.text(k) for row in bulk.rows(card) for k in range(0, len(row), 2)}
        materials = {row.text(0) for card in bulk.counts() if card.startswith("MAT") for row in bulk.rows(card)}
        for card, (owner, first, count) in _ELEMENTS.items():
            for row in bulk.rows(card):
                if owner is not None and row.text(owner).isdigit() and row.text(owner) not in properties:
                    return f"property {row.word(owner)} of {card} {row.word(0)}"
                for k in range(first, min(first + count, len(row))):
                    number = _number(row.text(k))
                    if number and number not in points:
                        return f"point {number} of {card} {row.word(0)}"
        for card, (owner, _) in _SCALAR.items():
            for row in bulk.rows(card):
                if owner is not None and row.text(owner).isdigit() and row.text(owner) not in properties:
                    return f"property {row.word(owner)} of {card} {row.word(0)}"
        used = {row.text(owner) for card, (owner, *_) in _ELEMENTS.items() if owner for row in bulk.rows(card)}
        for card, places in _MATERIALS.items():
            for row in bulk.rows(card):
                for k in places if row.text(0) in used else ():
                    if _number(row.text(k)) and row.text(k) not in materials:
                        return f"material {row.word(k)} of {card} {row.word(0)}"
    return ""


def _heated(bulks: list[Any]) -> bool:
    """Whether every material is one of heat alone."""
    cards = {card for bulk in bulks for card in bulk.counts() if card.startswith("MAT") and card[3:].isdigit()}
    return bool(cards) and cards <= {"MAT4", "MAT5"}


def _has_mass(bulk: Any) -> bool:
    masses = (
        "CONM1",
        "CONM2",
        "CMASS1",
        "CMASS2",
        "CMASS3",
        "CMASS4",
        "NSM",
        "NSM1",
        "NSML",
        "NSML1",
        "SEBULK",
        "CSUPER",
    )
    if any(bulk.has(card) for card in masses) or any(row.word(0).startswith("M") for row in bulk.rows("DMIG")):
        return True
    smeared = {"PSHELL": 7, "PBAR": 6, "PBEAM": 7, "PROD": 5, "PCOMP": 2, "PSHEAR": 3, "PTUBE": 4, "PQUAD1": 7, "PTRIA1": 7,
               "PQUAD2": 3, "PTRIA2": 3, "PFAST": 10}  # fmt: skip
    return any(_positive(row, k) for card, k in {**_DENSITY, **smeared}.items() for row in bulk.rows(card))


def _positive(row: Any, k: int) -> bool:
    try:
        return bool(row.text(k)) and row.real(k) > 0.0
    except TisserandError:
        return False


# -- Abaqus and CalculiX ---------------------------------------------------------------------------------------------------

_OTHER_TYPES = re.compile(r"(CAX|CGAX|SAX|MAX|DC3D|DC2D|DCAX|DC1D|DCC|F3D|F2D|AC3D|AC2D|ACAX|EMC|D$)")
_STIFF = (
    "ELASTIC",
    "HYPERELASTIC",
    "HYPERFOAM",
    "DEFORMATION PLASTICITY",
    "SPRING",
    "USER ELEMENT",
    "BEAM GENERAL SECTION",
)
_SECTION = re.compile(r"(SOLID|SHELL|SHELL GENERAL|MEMBRANE|BEAM) SECTION")


def _of_keywords(file: Path, text: str) -> Contents:
    try:
        found, _ = keywords(file)
        spelled(found)
        found = generated(found)
    except TisserandError as error:
        return Contents(missing=str(error) if "does not exist" in str(error) else "")
    names = {keyword.name for keyword in found}
    if "NODE" not in names or "ELEMENT" not in names:
        return Contents(missing="nodes or elements")
    types = {label(keyword.options.get("TYPE", "")) for keyword in found if keyword.name == "ELEMENT"}
    springs = any(name.startswith("SPRING") for name in types)
    usable = [k for k in found if k.name == "MATERIAL"]
    elastic = springs or any(_elastic(keyword) for keyword in found)
    mass = any(keyword.name in ("DENSITY", "MASS", "ROTARY INERTIA", "NONSTRUCTURAL MASS") for keyword in found)
    other = any(_OTHER_TYPES.match(name) for name in types)
    stated = {keyword.label("NAME") for keyword in usable}
    wanted = {keyword.label("MATERIAL") for keyword in found if _SECTION.fullmatch(keyword.name)} - {None}
    missing = sorted(str(name) for name in wanted - stated)
    owned = _without_section(found)
    words = f"material {missing[0]}" if missing else owned
    return Contents(words, elastic, mass, other)


def _elastic(keyword: Keyword) -> bool:
    """A keyword that states stiffness: its constants are not those of a fluid, without shear."""
    if keyword.name == "ELASTIC" and keyword.options.get("TYPE", "").upper().startswith("ORTHO"):
        rows = [keyword.floats(row, 8) for row, _ in keyword.rows()]
        return any(row[6] > 0.0 for row in rows[::2])
    return keyword.name in _STIFF


def _without_section(found: list[Keyword]) -> str:
    """An element set with solids, shells or beams that no section names, nor a larger set of the deck."""
    if any(keyword.name in ("ELSET", "PART", "ELGEN", "ELCOPY") for keyword in found):
        return ""  # elements may belong to other sets
    owned = {keyword.label("ELSET") for keyword in found if "SECTION" in keyword.name}
    for keyword in found:
        kind = label(keyword.options.get("TYPE", ""))
        used = keyword.name == "ELEMENT" and kind.startswith(("C3D", "S", "B3")) and not kind.startswith("SPRING")
        if used and keyword.label("ELSET") not in owned:
            return f"a section of the elements in {keyword.label('ELSET')} (line {keyword.line})"
    return ""
