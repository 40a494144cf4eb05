"""Factorization backends: solve, block solve, inertia count."""

from tisserand.linalg.factor import BACKENDS, BackendName, Factor, available_backends, factorize
from tisserand.linalg.pencil import Pencil, pencil_of

__all__ = ["BACKENDS", "BackendName", "Factor", "Pencil", "available_backends", "factorize", "pencil_of"]
