"""Universal files of modal analysis (UFF, UNV)."""

from tisserand.readers.universal.read import read_universal

__all__ = ["read_universal"]
