"""Factorisation backends: solve, block solve, inertia count."""

from tisserand.linalg.factor import BACKENDS, BackendName, Factor, available_backends, factorise
from tisserand.linalg.pencil import Pencil, pencil_of

__all__ = ["BACKENDS", "BackendName", "Factor", "Pencil", "available_backends", "factorise", "pencil_of"]
