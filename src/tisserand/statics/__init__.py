"""Loads, static solutions, and the prestressed state as a new assembled model."""

from tisserand.statics.load_vectors import acceleration_loads, nodal_loads, spin_load, spin_loads
from tisserand.statics.preload import preloaded
from tisserand.statics.prestress import (
    displaced_stiffness,
    geometric_stiffness,
    gyroscopic_matrix,
    prestress,
    softening_matrix,
    spun,
)
from tisserand.statics.second_displacement import SecondDegree, second_displacement
from tisserand.statics.static_solution import HeldStructure, StaticSolution, solve_static
from tisserand.statics.stresses import PlyStresses, ply_stresses

__all__ = [
    "HeldStructure",
    "PlyStresses",
    "SecondDegree",
    "StaticSolution",
    "acceleration_loads",
    "displaced_stiffness",
    "geometric_stiffness",
    "gyroscopic_matrix",
    "nodal_loads",
    "ply_stresses",
    "preloaded",
    "prestress",
    "second_displacement",
    "softening_matrix",
    "solve_static",
    "spin_load",
    "spin_loads",
    "spun",
]
