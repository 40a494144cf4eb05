"""The mass recipe of a deck: Abaqus lumps the mass of first-order elements, CalculiX does not.

A model has one recipe. Where a deck mixes elements that Abaqus lumps with others, a warning says which one is used.
"""

from __future__ import annotations

from typing import Literal

from tisserand.readers.abaqus.draft import Draft, ElementGroup
from tisserand.readers.abaqus.scan import Keyword

_FIRST_ORDER = frozenset({"tetra", "hexahedron", "wedge", "pyramid", "triangle", "quad"})
_BODIES, _LINES = ("solid", "shell", "membrane", "plane"), ("beam", "rod")


def first_order(draft: Draft) -> bool:
    """True where Abaqus lumps the mass: every element with a volume or surface is of first order.

    Without any, the lines decide: B31 and T3D2 are lumped, B33, B32 and sections with LUMPED=NO are not.
    """
    bodies = [group for group in draft.groups if group.kind.role in _BODIES]
    lines = [group for group in draft.groups if group.kind.role in _LINES]
    if bodies:
        return all(map(_lumped, bodies))
    return bool(lines) and not _refined(draft) and all(map(_lumped, lines))


def mass_recipe(draft: Draft) -> Literal["lumped", "consistent"]:
    """The recipe of the model, with a note, or a warning where Abaqus would lump only some of its elements."""
    if draft.flavor != "abaqus":
        return "consistent"
    lumped = first_order(draft)
    if lumped:
        draft.note("Abaqus lumps the mass of first-order elements: the lumped mass recipe is used")
    others = [
        group.type for group in draft.groups if group.kind.role in (*_BODIES, *_LINES) and _lumped(group) != lumped
    ]
    if others:
        word, other = ("lumped", "consistent") if lumped else ("consistent", "lumped")
        listed = ", ".join(dict.fromkeys(others))
        draft.assume(f"the whole deck has a {word} mass; in Abaqus that of {listed} is {other} (choose with --mass)")
    elif lumped:
        for keyword in _refined(draft):
            draft.assume(f"LUMPED=NO of *{keyword.name} (line {keyword.line}) is not applied: the whole deck is lumped")
    return "lumped" if lumped else "consistent"


def _lumped(group: ElementGroup) -> bool:
    """Whether Abaqus lumps elements of this type."""
    if group.kind.role in _LINES:
        return group.kind.cell == "line" and group.kind.shear
    return group.kind.cell in _FIRST_ORDER


def _refined(draft: Draft) -> list[Keyword]:
    """Sections of beams that ask for a consistent mass."""
    stated = (keyword for _, keyword in draft.deck.model if "LUMPED" in keyword.options)
    return [keyword for keyword in stated if keyword.options["LUMPED"].strip().upper() == "NO"]
