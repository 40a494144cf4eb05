"""The printed file of a Nastran run, split into the tables that matter: one pass over its lines.

Layout: MSC and Siemens print a page as carriage control ``1``, three header lines (title, subtitle, label with SUBCASE and
SUPERELEMENT), then a table with its title. A table that does not fit on a page goes on under the same title on the next, or,
for tables of effective masses, under the heading of its columns alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

#: Title (blanks removed) -> name of the table.
TITLES = {
    "REALEIGENVALUES": "eigenvalues",
    "OUTPUTFROMGRIDPOINTWEIGHTGENERATOR": "gpwg",
    "OUTPUTFROMWEIGHTCHECK": "weight check",
    "COMPLEXEIGENVALUESUMMARY": "complex",
    "MODALPARTICIPATIONFACTORS": "participation",
    "MODALEFFECTIVEMASS": "masses",
    "MODALEFFECTIVEWEIGHT": "weights",
    "MODALEFFECTIVEMASSFRACTION": "fractions",
    "TOTALEFFECTIVEMASSFRACTION": "effective totals",
}
#: Tables of one row per mode that go on without their title.
_UNTITLED = ("participation", "masses", "weights", "fractions")
_VECTOR = re.compile(r"(REAL|COMPLEX)EIGENVECTORNO\.(\d+)")
_SUBCASE = re.compile(r"\bSUBCASE\s+(\d+)")
_SUPER = re.compile(r"\bSUPERELEMENT\s+(\d+)")
_SPACED = re.compile(r"[A-Z] [A-Z] [A-Z]|MODAL |EIGENVECTOR|TOTAL EFFECTIVE")
_COLUMNS = re.compile(r"^\s*MODE\s+FREQUENCY\s+[TR]1\s+[TR]2\s+[TR]3\b")


@dataclass
class Block:
    """Lines of one table on one page: its name, first line number (from 1), subcase, superelement, mode number and first line."""

    name: str
    line: int
    subcase: int
    superelement: int
    number: int = 0
    heading: str = ""
    rows: list[str] = field(default_factory=list)


def blocks(text: str) -> Iterator[Block]:
    """Every table of interest, in order; anything else is skipped."""
    subcase, superelement, header = 0, 0, 0
    current: Block | None = None
    last = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("1") and ("PAGE" in line or len(line) < 2):
            if current is not None:
                yield current
            current, header = None, 4
        if header:
            header -= 1
            if (found := _SUBCASE.search(line)) and not _SPACED.search(line):
                subcase = int(found[1])
            if found := _SUPER.search(line):
                superelement = int(found[1])
        title = _title(line)
        if title is None and current is None and last in _UNTITLED and _COLUMNS.match(line):
            title = last, 0
        if title is not None:
            if current is not None:
                yield current
            name, mode = title
            current, last = Block(name, number, subcase, superelement, mode, line), name
            continue
        if current is not None:
            current.rows.append(line)
    if current is not None:
        yield current


def _title(line: str) -> tuple[str, int] | None:
    """Name and mode number of the table that this line opens; None for every other line."""
    if not _SPACED.search(line) or len(line) > 200:
        return None
    solid = line[1:].replace(" ", "").strip()
    if found := _VECTOR.search(solid):
        return ("vector" if found[1] == "REAL" else "complex", int(found[2][:9]))
    for word, name in TITLES.items():
        if solid == word or (solid.startswith(word) and solid[len(word) :].startswith(("FORSUBCASE", "("))):
            return name, 0
    return None
