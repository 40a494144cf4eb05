"""Decks of Abaqus and CalculiX."""

from tisserand.readers.abaqus.read import read_abaqus

__all__ = ["read_abaqus"]
