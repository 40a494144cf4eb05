"""Mass by element integration: every element's own rigid mass, summed by section, material and nodal body."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray, skew
from tisserand.assembly.assemble import chunks
from tisserand.assembly.axes import rigid_rows
from tisserand.assembly.massprops import MassProperties, mass_properties_from_rigid
from tisserand.elements.element_data import Prepared
from tisserand.model import ElementBlock, NodalBodies, StructuralModel


@dataclass(frozen=True, eq=False)
class PartMass:
    """Mass of one part of the model.

    kind: ``section``, ``nodal body`` or the family of elements without section; id and name as the analyst
    wrote them; material: name or id of the section's material, empty where there is none; elements: how many;
    rigid_mass (6, 6) about the basic origin, kg, kg m, kg m².
    """

    kind: str
    id: int
    name: str
    material: str
    elements: int
    rigid_mass: FloatArray

    @property
    def mass(self) -> float:
        """Mass, kg (mean of the three directions; they differ for scalar masses)."""
        return float(np.trace(self.rigid_mass[:3, :3]) / 3.0)

    @property
    def properties(self) -> MassProperties:
        """Mass, center and inertia of this part."""
        return mass_properties_from_rigid(self.rigid_mass)


@checked_arguments
def mass_by_part(model: StructuralModel, recipe: str) -> tuple[PartMass, ...]:
    """Parts of the model that carry mass, in the order of the model's blocks.

    Args:
        recipe: mass recipe.
    """
    totals: dict[tuple[str, int], FloatArray] = {}
    counts: dict[tuple[str, int], int] = {}
    labels: dict[tuple[str, int], tuple[str, str]] = {}
    for block in model.elements:
        keys, groups = _groups(model, block)
        sums = np.zeros((len(keys), 6, 6))
        start = 0
        for matrices in _rigid_masses(model, block, recipe):
            np.add.at(sums, groups[start : start + len(matrices)], matrices)
            start += len(matrices)
        for i, (key, label) in enumerate(keys):
            totals[key] = totals.get(key, np.zeros((6, 6))) + sums[i]
            counts[key] = counts.get(key, 0) + int((groups == i).sum())
            labels[key] = label
    return tuple(
        PartMass(kind, number, *labels[kind, number], counts[kind, number], total)
        for (kind, number), total in totals.items()
        if total.any()
    )


def element_mass_properties(model: StructuralModel, recipe: str) -> MassProperties:
    """Mass, center and inertia by integration over the elements, without regard to ties and supports."""
    total = sum((part.rigid_mass for part in mass_by_part(model, recipe)), np.zeros((6, 6)))
    return mass_properties_from_rigid(total)


def _groups(
    model: StructuralModel, block: ElementBlock
) -> tuple[list[tuple[tuple[str, int], tuple[str, str]]], IntArray]:
    """Keys with (name, material) of the parts in a block, and the part that each element belongs to."""
    section = getattr(block, "section", None)
    if section is not None:
        rows, groups = np.unique(section, return_inverse=True)
        keys = []
        for row in rows:
            item = model.sections[row]
            label = " + ".join(sorted({material.name or str(material.id) for material in item.materials}))
            keys.append((("section", int(item.id)), (item.name, label)))
        return keys, np.asarray(groups, np.int64)
    if block.facts.shape == "body":
        names = cast(NodalBodies, block).names or ("",) * len(block)
        keys = [(("nodal body", int(i)), (name, "")) for i, name in zip(block.ids, names)]
        return keys, np.arange(len(block))
    return [((block.family, 0), ("", ""))], np.zeros(len(block), np.int64)


def _rigid_masses(model: StructuralModel, block: ElementBlock, recipe: str) -> Iterator[FloatArray]:
    """(m, 6, 6) rigid mass about the basic origin of every element, chunk by chunk."""
    for part in chunks(model, block):
        mass = part.mass(recipe)
        if mass is None:
            yield np.zeros((len(part), 6, 6))
            continue
        S = _element_rigid(model, part)
        yield S.swapaxes(1, 2) @ mass @ S


def _element_rigid(model: StructuralModel, part: Prepared) -> FloatArray:
    """(m, nd, 6) rigid motions about the basic origin in the dofs of prepared elements; zero at ground."""
    m, k = part.nodes.shape
    if part.named is not None:
        rows = rigid_rows(model.nodes, part.nodes.ravel(), part.named.ravel()).reshape(m, k, 6)
        return np.where((part.nodes >= 0)[:, :, None], rows, 0.0)
    width = len(part.components)
    S = np.zeros((m, k, 6, 6))
    S[:, :, :3, :3] = S[:, :, 3:, 3:] = np.eye(3)
    S[:, :, :3, 3:] = -skew(model.nodes.positions[part.nodes])
    S = np.where((part.nodes >= 0)[:, :, None, None], S, 0.0)
    return np.asarray(S[:, :, list(part.components)].reshape(m, k * width, 6))
