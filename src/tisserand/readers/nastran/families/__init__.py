"""Readers of element families in a file each: ``CARDS``, and ``read``, which returns blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tisserand.discovery import modules_of
from tisserand.model import ElementBlock
from tisserand.readers.nastran.draft import Draft


@dataclass(frozen=True)
class FamilyReader:
    """Cards of a family (elements and properties), and what makes blocks of them."""

    cards: tuple[str, ...]
    read: Callable[[Draft], Sequence[ElementBlock]]


#: Readers by name of the family.
READERS: dict[str, FamilyReader] = {
    name: FamilyReader(module.CARDS, module.read) for name, module in modules_of(__name__).items()
}
