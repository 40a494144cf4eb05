"""Nastran bulk data: small, large and free field, INCLUDE, replication, case control, superelement parts."""

from tisserand.readers.nastran.deck import Connection, NastranDeck, NastranPart, read_deck
from tisserand.readers.nastran.read import read_nastran, read_whole
from tisserand.readers.nastran.whole import Component, WholeDeck

__all__ = [
    "Component",
    "Connection",
    "NastranDeck",
    "NastranPart",
    "WholeDeck",
    "read_deck",
    "read_nastran",
    "read_whole",
]
