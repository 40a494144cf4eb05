"""Where a mode stores its energy: strain energy per mass at the nodes, for coloring shapes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.assembly.assemble import chunks
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.elements.element_data import Prepared
from tisserand.model import StructuralModel
from tisserand.threads import in_order


@dataclass(frozen=True, eq=False)
class StrainEnergy:
    """Strain energy of the modes.

    per_mass (n, k) J/kg at the nodes: energy over mass of the elements around each (0 where none has mass); total (k,) J: sum of
    u'K u / 2 over all elements.
    """

    per_mass: FloatArray
    total: FloatArray


def strain_energy(model: StructuralModel, recipe: str, shapes: FloatArray) -> StrainEnergy:
    """Strain energy of displacement fields, shapes (n, 6, k) in basic axes."""
    n, k = shapes.shape[0], shapes.shape[2]
    energy, mass, total = np.zeros((n, k)), np.zeros(n), np.zeros(k)
    parts = (part for block in model.elements for part in chunks(model, block))
    for part, stored, mass_of in in_order(partial(_stored, part, recipe, shapes) for part in parts):
        total += stored.sum(axis=0)
        if mass_of is None or 0 not in part.components:
            continue
        x = np.arange(part.nodes.shape[1]) * len(part.components) + part.components.index(0)
        weight = mass_of[:, x[:, None], x].sum(axis=(1, 2))
        for column in part.nodes.T:
            here = column >= 0
            np.add.at(energy, column[here], stored[here])
            np.add.at(mass, column[here], weight[here])
    per_mass = np.divide(energy, mass[:, None], out=np.zeros_like(energy), where=mass[:, None] > 0.0)
    return StrainEnergy(np.maximum(per_mass, 0.0), total)


def _stored(part: Prepared, recipe: str, shapes: FloatArray) -> tuple[Prepared, FloatArray, FloatArray | None]:
    """Energy (m, k) and mass matrices of some elements."""
    return part, part.energy(shapes), part.mass(recipe)


def nodal_energy(model: AssembledModel, shapes: FloatArray) -> FloatArray | None:
    """(n, k) J/kg of displacement fields (n, 6, k) at the nodes with a place; None for bare matrices."""
    if model.structure is None:
        return None
    found = strain_energy(model.structure, model.mass_recipe, shapes)
    return found.per_mass if model.nodes.scalar is None else found.per_mass[~model.nodes.scalar]
