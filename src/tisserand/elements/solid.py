"""Solids of all kinds of ``solid_cells``: hex8 plain or free of locking, hex20 full or reduced, all others plain.

Translations only. ``integration`` of the section: ``full``; ``reduced`` (hex20: stiffness 2³, mass 3³);
``unlocked`` (hex8 with incompatible and dilatation modes, see ``solid_unlocked``; ``reduced`` hex8 is taken
as this; tet10 with five points as Nastran has them); ``sampled`` (hex20 2³ as ``reduced``, wedge6 two points, all others
plain, and the ``consistent`` mass at the same points: CalculiX). Mass recipes: ``consistent`` and ``coupled`` are int rho
N_i N_j (``consistent`` bricks of ``incompatible`` modes have these in their field); ``lumped``, ``particles`` and
``bodies`` are nodal particles: row sums for linear kinds, scaled diagonal for quadratic ones, except that ``lumped``
tet10 are Nastran's (see ``solid_lumping``).

Reference: [Zienkiewicz2000].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.elements._kernels_solid import solid_mass, solid_stiffness, spread_translations
from tisserand.elements.element_data import DIRECTIONS, Prepared
from tisserand.elements.mass_field import MassField
from tisserand.elements.solid_displaced import displaced_change
from tisserand.elements.solid_lumping import nodal_shares
from tisserand.elements.solid_material import section_moduli, sections_of, voigt
from tisserand.elements.solid_shapes import NODE_COUNT, SolidTable, center_table, mass_table, stiffness_table
from tisserand.elements.solid_unlocked import INNER, bowed_field, unlocked_stiffness, unlocked_strain
from tisserand.errors import InvertedCellError, ModelError
from tisserand.model import SolidBlock, SolidSection, StructuralModel


class PreparedSolids(Prepared):
    """Solids over the three translations of their nodes; nd = 3 k."""

    block: SolidBlock

    def stiffness(self) -> FloatArray:
        return self._joined(_stiffness)

    def mass(self, recipe: str) -> FloatArray:
        if self._bows(recipe):
            return self._joined(lambda model, block, how: _field(model, block, how, recipe).mass())
        scalar = self._scalar(recipe)
        mass = np.empty((len(self), 3 * scalar.shape[1], 3 * scalar.shape[1]))
        spread_translations(scalar, mass)
        return mass

    def _scalar(self, recipe: str) -> FloatArray:
        """(m, k, k): mass of one translation."""
        if not len(self):
            return np.zeros((0, NODE_COUNT[self.block.kind], NODE_COUNT[self.block.kind]))
        return self._joined(lambda model, block, how: _scalar_mass(model, block, how, recipe))

    def same_mass(self, recipe: str) -> bool:
        return not self._bows(recipe)

    def _bows(self, recipe: str) -> bool:
        """Whether the inner modes of some element carry mass."""
        sections, _ = sections_of(self.model, self.block)
        return recipe == "consistent" and any(_meaning(self.block, x) == "incompatible" for x in sections)

    def directional_mass(self, recipe: str) -> FloatArray:
        """(m, 6, nd, nd): the scalar mass between components a and b; that of the field where inner modes carry mass."""
        if self._bows(recipe):
            return self._joined(lambda model, block, how: _field(model, block, how, recipe).directional())
        scalar = self._scalar(recipe)
        m, k = scalar.shape[:2]
        out = np.zeros((m, 6, 3 * k, 3 * k))
        for row, (a, b) in enumerate(DIRECTIONS):
            out[:, row, a::3, b::3] = scalar
        return out

    def geometric_states(self, displacements: FloatArray) -> Iterator[FloatArray]:
        """(m, nd, nd): int N_i,b sigma_bd N_j,d dV on each translation."""
        for k in range(displacements.shape[2]):
            yield self._joined(_geometric, displacements[:, :, k])

    def displaced_stiffness(self, displacement: FloatArray) -> FloatArray:
        """(m, nd, nd): change of the elastic stiffness at the displaced place; inner modes of unlocked bricks stay."""
        return self._joined(_displaced, displacement)

    def resultants(self, displacement: FloatArray) -> dict[str, FloatArray]:
        """Stress (m, 6) Pa at the center and its volume mean, basic axes, order xx, yy, zz, xy, yz, zx."""
        stress, mean = self._joined(_center_stress, displacement), self._joined(_mean_stress, displacement)
        return {"stress": stress, "mean_stress": mean}

    def _joined(self, values: Callable[..., FloatArray], *known: FloatArray) -> FloatArray:
        """Values of the elements of each integration, in the order of the block."""
        parts = [(rows, values(self.model, part, how, *known)) for rows, part, how in _parts(self.model, self.block)]
        if not parts:
            return np.zeros((0, 3 * NODE_COUNT[self.block.kind], 3 * NODE_COUNT[self.block.kind]))
        if len(parts) == 1:
            return parts[0][1]
        out = np.empty((len(self), *parts[0][1].shape[1:]))
        for rows, found in parts:
            out[rows] = found
        return out


def _geometric(model: StructuralModel, block: SolidBlock, integration: str, displacement: FloatArray) -> FloatArray:
    table = stiffness_table(block.kind, integration)
    gradient, measure = physical_gradients(model, block, table)
    stress = _stress(model, block, displacement, table, integration)
    full = stress[..., [0, 3, 5, 3, 1, 4, 5, 4, 2]].reshape(*measure.shape, 3, 3) * measure[..., None, None]
    scalar = np.einsum("mgbi,mgbj->mij", gradient, full @ gradient, optimize=True)
    out = np.empty((len(block), 3 * scalar.shape[1], 3 * scalar.shape[1]))
    spread_translations(np.ascontiguousarray(scalar), out)
    return out


def _displaced(model: StructuralModel, block: SolidBlock, integration: str, displacement: FloatArray) -> FloatArray:
    gradient, measure = physical_gradients(model, block, stiffness_table(block.kind, integration))
    sections, place = sections_of(model, block)
    moduli = np.array([voigt(section_moduli(section)[0]) for section in sections]).reshape(-1, 6, 6)[place]
    return displaced_change(gradient, measure, moduli, np.asarray(displacement)[block.nodes][..., :3])


def _center_stress(model: StructuralModel, block: SolidBlock, integration: str, displacement: FloatArray) -> FloatArray:
    return _stress(model, block, displacement, center_table(block.kind), integration)[:, 0]


def _mean_stress(model: StructuralModel, block: SolidBlock, integration: str, displacement: FloatArray) -> FloatArray:
    table = stiffness_table(block.kind, integration)
    _, measure = physical_gradients(model, block, table)
    points = _stress(model, block, displacement, table, integration)
    return np.asarray(np.einsum("mgs,mg->ms", points, measure) / measure.sum(axis=1)[:, None])


def _corners(model: StructuralModel, block: SolidBlock) -> FloatArray:
    if block.kind not in NODE_COUNT:
        raise ModelError("unknown kind of solid", found=repr(block.kind), expected=", ".join(NODE_COUNT))
    if block.nodes.shape[1] != NODE_COUNT[block.kind]:
        raise ModelError(
            f"a {block.kind} has the wrong number of nodes",
            ids=block.ids[:5].tolist(),
            where=f"solid element {block.ids[0]}" if len(block) else None,
            found=block.nodes.shape[1],
            expected=NODE_COUNT[block.kind],
        )
    return np.ascontiguousarray(model.nodes.positions[block.nodes])


#: What a recipe means for a kind, where it is not ``full``. One-point bricks would have hourglass modes: they
#: become unlocked.
_MEANING = {
    ("hex20", "reduced"): "reduced",
    ("hex8", "unlocked"): "unlocked",
    ("hex8", "incompatible"): "incompatible",
    ("hex8", "selective"): "selective",
    ("hex8", "reduced"): "unlocked",
    ("tet10", "unlocked"): "five points",
    **{(kind, "sampled"): "sampled" for kind in ("tet4", "tet10", "wedge6", "wedge15", "hex20")},
}


def _meaning(block: SolidBlock, section: SolidSection) -> str:
    return _MEANING.get((block.kind, section.integration), "full")


def _parts(model: StructuralModel, block: SolidBlock) -> Iterator[tuple[IntArray, SolidBlock, str]]:
    """Rows, sub-block and integration of the elements that share one integration."""
    sections, place = sections_of(model, block)
    recipes = np.array([_meaning(block, section) for section in sections])
    for recipe in np.unique(recipes):
        rows = np.flatnonzero(recipes[place] == recipe)
        yield rows, block if len(rows) == len(block) else block.select(rows), str(recipe)


def _refuse_inverted(block: SolidBlock, row: int) -> None:
    if row >= 0:
        raise InvertedCellError(
            f"a {block.kind} is inverted or has no volume",
            ids=(int(block.ids[row]),),
            where=f"solid element {block.ids[row]}",
            found="a Jacobian determinant that is not positive",
            expected="a positive volume everywhere",
            advice="check the order of its nodes and coincident nodes",
        )


def _stiffness(model: StructuralModel, block: SolidBlock, integration: str) -> FloatArray:
    corners = _corners(model, block)
    sections, place = sections_of(model, block)
    parts = [section_moduli(section) for section in sections]
    moduli = np.array([part[0] for part in parts])
    if integration in INNER:
        stiffness, bad = unlocked_stiffness(corners, np.array([voigt(c) for c in moduli])[place], integration)
    else:
        table = stiffness_table(block.kind, integration)
        stiffness = np.empty((len(block), 3 * corners.shape[1], 3 * corners.shape[1]))
        isotropic = np.array([part[1] for part in parts], np.bool_)
        bad = solid_stiffness(corners, table.gradients, table.weights, moduli, place, isotropic, stiffness)
    _refuse_inverted(block, bad)
    return stiffness


def _field(model: StructuralModel, block: SolidBlock, how: str, recipe: str) -> MassField:
    """The displacement field of a recipe."""
    corners = _corners(model, block)
    if how == "incompatible":
        sections, place = sections_of(model, block)
        moduli = np.array([voigt(section_moduli(section)[0]) for section in sections]).reshape(-1, 6, 6)[place]
        return bowed_field(corners, moduli, np.array([section.material.density for section in sections])[place])
    k = corners.shape[1]
    shapes = np.zeros((len(block), 3, k, 3 * k))
    for a in range(3):
        shapes[:, a, range(k), 3 * np.arange(k) + a] = 1.0
    return MassField(shapes, _scalar_mass(model, block, how, recipe))


def _scalar_mass(model: StructuralModel, block: SolidBlock, how: str, recipe: str) -> FloatArray:
    corners = _corners(model, block)
    sections, place = sections_of(model, block)
    density = np.array([section.material.density for section in sections])[place]
    sampled = how == "sampled" and recipe == "consistent"
    table = stiffness_table(block.kind, how) if sampled else mass_table(block.kind)
    straight = np.zeros((0, 0)) if sampled else _simplex_mass(block.kind)
    out = np.empty((len(block), corners.shape[1], corners.shape[1]))
    _refuse_inverted(block, solid_mass(corners, table.gradients, table.shapes, table.weights, density, straight, out))
    if recipe in ("consistent", "coupled"):
        return out
    if recipe not in ("lumped", "particles", "bodies"):
        raise ModelError(
            "unknown mass recipe", found=repr(recipe), expected="consistent, lumped, coupled, particles or bodies"
        )
    share = nodal_shares(block, corners, out, recipe)
    lumped = np.zeros_like(out)
    np.einsum("mii->mi", lumped)[:] = share
    return lumped


@cache
def _simplex_mass(kind: str) -> FloatArray:
    """int N_i N_j over the unit simplex, (k, k); empty for kinds other than tetrahedra."""
    if not kind.startswith("tet"):
        return np.zeros((0, 0))
    table = mass_table(kind)
    return np.ascontiguousarray((table.shapes * table.weights[:, None]).T @ table.shapes)


def physical_gradients(model: StructuralModel, block: SolidBlock, table: SolidTable) -> tuple[FloatArray, FloatArray]:
    """Gradients (m, g, 3, k) and volume measure (m, g), m³."""
    corners = _corners(model, block)
    jacobian = np.einsum("gak,mkb->mgab", table.gradients, corners)
    det = np.linalg.det(jacobian)
    bad = ~(det > 0.0).all(axis=1)
    _refuse_inverted(block, int(np.argmax(bad)) if bad.any() else -1)
    return np.linalg.solve(
        jacobian, np.broadcast_to(table.gradients, (len(block), *table.gradients.shape))
    ), det * table.weights


def _stress(
    model: StructuralModel, block: SolidBlock, displacement: FloatArray, table: SolidTable, integration: str
) -> FloatArray:
    """(m, g, 6) Pa at the table's points."""
    sections, place = sections_of(model, block)
    moduli = np.array([voigt(section_moduli(section)[0]) for section in sections]).reshape(-1, 6, 6)[place]
    moved = np.asarray(displacement)[block.nodes][..., :3]
    if integration in INNER:
        strain = unlocked_strain(_corners(model, block), moduli, moved.reshape(len(block), -1), table, integration)
    else:
        gradient, _ = physical_gradients(model, block, table)
        slope = np.einsum("mgbk,mka->mgab", gradient, moved)
        strain = np.stack([
            slope[..., 0, 0], slope[..., 1, 1], slope[..., 2, 2], slope[..., 0, 1] + slope[..., 1, 0],
            slope[..., 1, 2] + slope[..., 2, 1], slope[..., 2, 0] + slope[..., 0, 2],
        ], axis=-1)  # fmt: skip
    return np.asarray(np.einsum("mst,mgt->mgs", moduli, strain))


PREPARED = PreparedSolids
