"""Nastran bulk data: small, large and free field, INCLUDE, replication, case control, superelement parts."""

from tisserand.readers.nastran.deck import Connection, NastranDeck, NastranPart, read_deck
from tisserand.readers.nastran.read import read_nastran

__all__ = ["Connection", "NastranDeck", "NastranPart", "read_deck", "read_nastran"]
