"""Nastran bulk data as an export target: written by ``bdf``, read back by our reader to the same stiffness and mass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import BoolArray
from tisserand.assembly import AssembledModel, assemble
from tisserand.exporters.bdf import bdf_losses, write_bdf
from tisserand.exporters.other_units import ModelInUnits
from tisserand.model import StructuralModel
from tisserand.readers.registry import read_model


def losses(source: ModelInUnits) -> list[str]:
    """What bulk data state otherwise than the model."""
    recipe = source.model.mass_recipe
    coupled = [] if recipe in ("lumped", "coupled") else [f"the mass recipe {recipe} is written as COUPMASS 1"]
    return [*bdf_losses(source.model), *coupled]


def write(source: ModelInUnits, path: Path) -> list[Path]:
    return [write_bdf(source.model, path, units=source.units)]


def read_back(source: ModelInUnits, path: Path) -> float:
    """Largest relative difference of stiffness and mass, of places where elements are others by name."""
    system = source.units
    again = read_model(path, f"{system.length!r},{system.mass!r},{system.time!r}")
    if bdf_losses(source.model):
        return float(np.abs(again.nodes.positions - source.model.nodes.positions).max(initial=0.0))
    return difference(again, source.model)


def difference(found: StructuralModel, meant: StructuralModel) -> float:
    """Largest relative difference of the assembled stiffness and mass of two models, masses as a deck can state them."""
    a, b = assemble(found), assemble(meant, mass="lumped" if meant.mass_recipe == "lumped" else "coupled")
    return matrix_difference(a, b)


def matrix_difference(a: AssembledModel, b: AssembledModel) -> float:
    """Largest difference of stiffness and mass, entries over the roots of their diagonals in b."""
    if a.stiffness.shape != b.stiffness.shape:
        return float("inf")
    turns = b.dofs.component > 2
    return max(_relative(a.stiffness, b.stiffness, turns), _relative(a.mass, b.mass, turns))


def _relative(a: Any, b: Any, turns: BoolArray) -> float:
    """Entries over the roots of the diagonal; what is round-off of others of its kind (1e-7 of the largest) counts as that."""
    diagonal = np.abs(b.diagonal())
    least = np.array([1e-7 * diagonal[turns == kind].max(initial=1e-300) for kind in (False, True)])
    size = np.sqrt(np.maximum(diagonal, least[turns.astype(int)]))
    rest = (a - b).tocoo()
    scaled = np.abs(rest.data) / (size[rest.row] * size[rest.col])
    return float(scaled[np.isfinite(scaled)].max(initial=0.0))
