"""Binary results of Nastran (OP2)."""

from tisserand.readers.op2.read import read_op2

__all__ = ["read_op2"]
