"""Stiffness and mass matrices written by other codes."""

from tisserand.readers.matrices.read import MATRIX_FORMATS, read_matrices

__all__ = ["MATRIX_FORMATS", "read_matrices"]
