"""A structural model as a deck of CalculiX."""

from tisserand.exporters.calculix.deck import Deck

__all__ = ["Deck"]
