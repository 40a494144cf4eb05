"""Symbolic equations of motion by Kane's method, as C, Python or LaTeX."""

from tisserand.exporters.equations.kane import Equations, equations_of

__all__ = ["Equations", "equations_of"]
