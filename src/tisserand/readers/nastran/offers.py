"""The choices that a deck offers: subcases, SPC and MPC sets, requests for modes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from tisserand.readers.nastran.cards import Bulk
from tisserand.readers.nastran.control import split_sections
from tisserand.readers.nastran.deck_text import load
from tisserand.readers.nastran.program import program_words
from tisserand.readers.nastran.scan import scan

#: Statements of case control that choose something of the model.
_TELLING = ("SPC", "MPC", "METHOD", "STATSUB", "LOAD", "SUPORT1", "TEMPERATURE", "K2GG", "M2GG", "SUPER")


def offers(path: str | Path, flavor: str | None = None) -> dict[str, Any]:
    """Subcases with their selections, sets with their number of cards, and the default; flavor: the program that was chosen."""
    source = load(path)
    control, sections = split_sections(source)
    bulks = [scan(source, section.text, section.first) for section in sections if section.part == 0]
    found: dict[str, Any] = {}
    if control.solution:
        found["solution"] = control.solution
    if not control.present:
        found["case control"] = "none: bulk data alone"
    subcases = {
        str(number): ", ".join(f"{key}={own[key]}" for key in _TELLING if key in own) or "nothing of its own"
        for number, own in control.subcases
    }
    if subcases:
        found["subcases (--subcase)"] = subcases
        chosen = control.chosen()
        found["subcase that holds"] = str(chosen[0]) if chosen else "none"
    for title, cards in (("SPC sets (--spc)", ("SPC", "SPC1", "SPCADD")), ("MPC sets", ("MPC", "MPCADD"))):
        sets = _sets(bulks, cards)
        if sets:
            found[title] = sets
    selected = control.for_part().number("SPC")
    if "SPC sets (--spc)" in found:
        found["SPC set that holds"] = str(selected) if selected is not None else "none selected"
    if any(bulk.has(card) for bulk in bulks for card in ("CQUAD4", "CTRIA3")):
        names = (row.word(0) for bulk in bulks for row in bulk.rows("PARAM"))
        found["program (--flavor)"] = program_words(names, source.text, asked=flavor, nastran95=control.nastran95)
    methods = _sets(bulks, ("EIGR", "EIGRL"))
    if methods:
        found["requests for modes"] = methods
    return found


def _sets(bulks: list[Bulk], cards: tuple[str, ...]) -> dict[str, str]:
    counts: Counter[tuple[int, str]] = Counter()
    for bulk in bulks:
        counts.update((row.integer(0), row.card) for row in bulk.rows(*cards))
    found: dict[str, str] = {}
    for (number, card), count in sorted(counts.items()):
        words = f"{count} {card}"
        found[str(number)] = f"{found[str(number)]}, {words}" if str(number) in found else words
    return found
