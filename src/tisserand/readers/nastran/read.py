"""One structural model from a deck: the whole, or a part of it."""

from __future__ import annotations

from pathlib import Path

from tisserand.errors import ReadError
from tisserand.model import StructuralModel
from tisserand.readers.nastran.deck import NastranDeck, read_deck
from tisserand.readers.nastran.external_parts import with_external_parts
from tisserand.readers.nastran.program import Flavor
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
    flavor: Flavor | None = None,
) -> StructuralModel:
    """One structural model of a deck: the main structure with its superelement parts joined to it, or the part of that id.

    The joined model keeps its ``parts``, so that ``solve_modes`` can reduce each as its deck requests. The matrices of
    external parts act on the points of the main structure; it alone is read when ``allow`` names BEGIN. ``flavor``: the program
    that the deck was written for; shells bend as in Nastran, or, for MYSTRAN, by their own form.
    """
    deck = read_deck(path, units, allow=allow, spc=spc, mpc=mpc, subcase=subcase, flavor=flavor)
    if not part:
        return _whole(path, deck, allow, units)
    for candidate in deck.parts:
        if candidate.id == part:
            return candidate.model
    raise ReadError(path, None, "the deck has no such part", found=part, expected=[p.id for p in deck.parts])


def _whole(
    path: str | Path, deck: NastranDeck, allow: tuple[str, ...], units: str | UnitSystem | None
) -> StructuralModel:
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
    if leave_out:
        return deck.main
    if len(external) < len(deck.parts):
        raise ReadError(
            path, None, "superelements by elements and by external matrices are mixed",
            found=", ".join(f"{part.id} ({part.kind})" for part in deck.parts),
            advice="read the parts with tisserand.readers.nastran.read_deck and join them with couple, or leave all of them out "
            "with --allow BEGIN",
        )  # fmt: skip
    return with_external_parts(Path(path), deck, units)
