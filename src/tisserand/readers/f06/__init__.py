"""Printed runs of Nastran (F06)."""

from tisserand.readers.f06.read import read_f06

__all__ = ["read_f06"]
