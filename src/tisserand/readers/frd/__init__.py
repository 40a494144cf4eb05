"""Results of CalculiX (FRD and DAT)."""

from tisserand.readers.frd.read import read_frd

__all__ = ["read_frd"]
