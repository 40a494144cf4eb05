"""Binary results of Nastran (OP2)."""

from tisserand.readers.op2.read import holds_modes, read_op2

__all__ = ["holds_modes", "read_op2"]
