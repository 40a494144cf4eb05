"""One structural model from a deck: the whole, or a part of it."""

from __future__ import annotations

from pathlib import Path

from tisserand.errors import ReadError
from tisserand.model import CardEntry, StructuralModel
from tisserand.readers.nastran.deck import NastranDeck, read_deck
from tisserand.readers.nastran.fates import refuse_dropped
from tisserand.readers.nastran.whole import joined
from tisserand.units import UnitSystem


def read_nastran(
    path: str | Path,
    units: str | UnitSystem | None = None,
    *,
    allow: tuple[str, ...] = (),
    spc: int | None = None,
    mpc: int | None = None,
    part: int | None = None,
    subcase: int | None = None,
) -> StructuralModel:
    """One structural model of a deck: the main structure with its superelement parts joined to it, or the part of that id.

    The joined model keeps its ``parts``, so that ``solve_modes`` can reduce each as its deck requests. Parts given by
    external matrices
    have no elements to join: such a deck is refused, or its main structure alone is read when ``allow`` names BEGIN.
    """
    deck = read_deck(path, units, allow=allow, spc=spc, mpc=mpc, subcase=subcase)
    if not part:
        return _whole(path, deck, allow)
    for candidate in deck.parts:
        if candidate.id == part:
            return candidate.model
    raise ReadError(path, None, "the deck has no such part", found=part, expected=[p.id for p in deck.parts])


def _whole(path: str | Path, deck: NastranDeck, allow: tuple[str, ...]) -> StructuralModel:
    if not deck.parts:
        assert deck.main is not None
        return deck.main
    external = [part for part in deck.parts if part.kind.startswith("EXT")]
    leave_out = "BEGIN" in {word.strip().upper() for word in allow}
    if not external and not leave_out:
        return joined(deck)
    if deck.main is None:
        raise ReadError(
            path,
            None,
            "the deck has external parts but no main structure",
            found=[p.id for p in deck.parts],
            advice="read the deck of each part separately",
        )
    if external:
        names = ", ".join(f"{part.id} ({part.matrices or part.kind})" for part in external)
        reason = (
            f"superelement parts by external matrices: {names}; read_deck, craig_bampton and couple join them in Python"
        )
        refuse_dropped(f"{path}", (CardEntry("BEGIN", len(external), "dropped", reason),), allow)
    return deck.main
