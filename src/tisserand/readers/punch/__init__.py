"""Punched results of Nastran (PCH)."""

from tisserand.readers.punch.read import read_punched_modes

__all__ = ["read_punched_modes"]
