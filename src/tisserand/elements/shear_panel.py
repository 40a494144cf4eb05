"""Shear panels: forces flow along the four sides (Garvey's panel, CSHEAR), and rods along these by the section's effectiveness.

The sides' directions continue through the panel as the lines of a projective grid (X = N / D, D linear in the grid). With the
areas d_1 = A(234), d_2 = A(341), d_3 = A(412), d_4 = A(123) of the corner triangles, D takes the values d_i at the corners, and
equilibrium leaves one state: flow q = q_12 D² / (d_1 d_2), corner forces along the diagonals,

    c_1 = -c_3 = d_3 / (2 d_2) (x_3 - x_1),    c_2 = -c_4 = d_4 / (2 d_1) (x_2 - x_4)    per q_12,

and the flexibility Z = int q² (1 + 2 cot² phi / (1 + nu)) dA / (G t q_12²) with the angle phi between the lines. K = c c' / Z.
A warped panel is projected on the plane of its diagonals' directions.

References: [Garvey1951], [NastranQRG].
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import cast

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements._lines import refuse
from tisserand.elements.element_data import Prepared, gathered
from tisserand.elements.quadrature import quad_rule
from tisserand.elements.surface_field import by_recipe, directional, in_three, surface_field
from tisserand.model import ShearPanelBlock, ShearPanelSection

_SIDES = ((0, 1), (2, 3), (1, 2), (3, 0))
#: Above this an effectiveness counts thicknesses instead of a share of the panel ([NastranQRG], PSHEAR).
_WIDTH = 1.01


class PreparedPanels(Prepared):
    """Shear panels over the translations of their corners.

    Mass recipes: ``consistent`` is the bilinear field; all others put the mass on the nodes (its row sums).
    """

    block: ShearPanelBlock

    @cached_property
    def _corners(self) -> FloatArray:
        return np.asarray(self.model.nodes.positions[self.block.nodes])

    @cached_property
    def _section(self) -> FloatArray:
        """(8, m): E, G, nu, thickness, mass per area, F1, F2, section's row."""
        rows = np.zeros((8, len(self)))
        for row in np.unique(self.block.section):
            section, which = cast(ShearPanelSection, self.model.sections[row]), self.block.section == row
            m = section.material
            values = (m.young, m.shear, m.poisson, section.thickness, section.densities[0], *section.extension, row)
            if (
                not np.isfinite(values).all()
                or not (m.shear > 0.0 and section.thickness > 0.0)
                or min(values[4:7]) < 0.0
            ):
                refuse(
                    "shear panel",
                    self.block.ids,
                    which,
                    f"section {section.id} cannot be used",
                    found=f"G {m.shear:g}, thickness {section.thickness:g}, extension {section.extension}",
                    expected="positive G and thickness; mass, F1 and F2 zero or more",
                )
            rows[:, which] = np.array(values)[:, None]
        return rows

    @cached_property
    def _flow(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Corner forces per flow (m, 4, 3) m, flexibility Z (m,) m/N and area (m,) m²."""
        x = self._corners
        normal = np.cross(x[:, 2] - x[:, 0], x[:, 3] - x[:, 1])
        size = np.linalg.norm(normal, axis=1)
        flat = ~(size > 0.0)
        if flat.any():
            refuse("shear panel", self.block.ids, flat, "the panel encloses no area")
        n = normal / size[:, None]
        p = x - np.einsum("mki,mi->mk", x - x.mean(axis=1, keepdims=True), n)[..., None] * n[:, None]
        d = np.stack([_area(p, n, *corners) for corners in ((1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2))], axis=1)
        folded = ~(d > 1e-9 * size[:, None]).all(axis=1)
        if folded.any():
            refuse("shear panel", self.block.ids, folded, "a corner of the panel reaches 180 degrees or more")
        along = 0.5 * (d[:, 2] / d[:, 1])[:, None] * (p[:, 2] - p[:, 0])
        across = 0.5 * (d[:, 3] / d[:, 0])[:, None] * (p[:, 1] - p[:, 3])
        force = np.stack([along, across, -along, -across], axis=1)
        return force, self._flexibility(p, d), 0.5 * size

    def _flexibility(self, p: FloatArray, d: FloatArray) -> FloatArray:
        """Z (m,) m/N by integration over the projective grid; 8 x 8 points."""
        points, weights = quad_rule(8)
        (r, s), w = (0.5 * (1.0 + points)).T, 0.25 * weights
        base, one, two = (d[:, k, None] * p[:, k] for k in (0, 1, 3))
        rise, climb = one - base, two - base
        D_r, D_s = (d[:, k] - d[:, 0] for k in (1, 3))
        D = d[:, :1] + D_r[:, None] * r + D_s[:, None] * s
        x = (base[:, None] + r[:, None] * rise[:, None] + s[:, None] * climb[:, None]) / D[..., None]
        x_r = (rise[:, None] - x * D_r[:, None, None]) / D[..., None]
        x_s = (climb[:, None] - x * D_s[:, None, None]) / D[..., None]
        area = np.linalg.norm(np.cross(x_r, x_s), axis=2)
        cotangent = np.einsum("mgi,mgi->mg", x_r, x_s) / area
        flow = D**2 / (d[:, 0] * d[:, 1])[:, None]
        _, shear, poisson, thickness = self._section[:4]
        oblique = 1.0 + 2.0 * cotangent**2 / (1.0 + poisson)[:, None]
        return np.asarray((flow**2 * oblique * area) @ w / (shear * thickness))

    @cached_property
    def _rods(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Areas (m, 4) m² of the rods along the sides, their directions (m, 4, 3) and lengths (m, 4) m."""
        side = np.stack([self._corners[:, b] - self._corners[:, a] for a, b in _SIDES], axis=1)
        length = np.linalg.norm(side, axis=2)
        thickness, factors, area = self._section[3], self._section[5:7], self._flow[2]
        areas = np.zeros((len(self), 4))
        for k, factor in enumerate(factors):
            pair = [2 * k, 2 * k + 1]
            share = factor * thickness * area / length[:, pair].sum(axis=1)
            areas[:, pair] = np.where(factor <= _WIDTH, share, 0.5 * factor * thickness**2)[:, None]
        return areas, side / length[..., None], length

    def _strung(self, pairs: tuple[tuple[int, int], ...], matrices: FloatArray) -> FloatArray:
        """(m, 12, 12) of matrices (m, s, 3, 3) between pairs of corners."""
        out = np.zeros((len(self), 4, 3, 4, 3))
        for k, (a, b) in enumerate(pairs):
            for i, j in ((a, a), (a, b), (b, a), (b, b)):
                out[:, i, :, j, :] += matrices[:, k] if i == j else -matrices[:, k]
        return out.reshape(len(self), 12, 12)

    def stiffness(self) -> FloatArray:
        force, flexibility, _ = self._flow
        c = force.reshape(len(self), 12)
        total = c[:, :, None] * c[:, None, :] / flexibility[:, None, None]
        areas, along, length = self._rods
        if areas.any():
            rates = self._section[0][:, None] * areas / length
            total = total + self._strung(_SIDES, rates[..., None, None] * along[..., :, None] * along[..., None, :])
        return np.asarray(total)

    def _masses(self, recipe: str) -> FloatArray:
        direction = self._corners[:, 1] - self._corners[:, 0]
        field = surface_field("shear panel", self.block.ids, self._corners, direction)
        return by_recipe(field.scalar_mass(self._section[4]), recipe)

    def mass(self, recipe: str) -> FloatArray:
        return in_three(self._masses(recipe))

    def directional_mass(self, recipe: str) -> FloatArray:
        return directional(self._masses(recipe))

    def geometric_states(self, displacements: FloatArray) -> Iterator[FloatArray]:
        """Forces along the diagonals, which the flow amounts to, and in the rods: N / L across each."""
        diagonals = ((0, 2), (1, 3))
        span = np.stack([self._corners[:, b] - self._corners[:, a] for a, b in diagonals], axis=1)
        length = np.linalg.norm(span, axis=2)
        unit = span / length[..., None]
        pull = np.stack([np.linalg.norm(self._flow[0][:, k], axis=1) for k in (0, 1)], axis=1) * [-1.0, 1.0]
        areas, along, reach = self._rods
        for k in range(displacements.shape[2]):
            found = self.resultants(displacements[:, :, k])
            forces = found["shear flow"][:, None] * pull
            total = self._strung(diagonals, (forces / length)[..., None, None] * _across(unit))
            if areas.any():
                total = total + self._strung(_SIDES, (found["side force"] / reach)[..., None, None] * _across(along))
            yield total

    def resultants(self, displacement: FloatArray) -> dict[str, FloatArray]:
        """``shear flow`` (m,) N/m, the mean along side 1-2, and ``side force`` (m, 4) N in the rods 1-2, 3-4, 2-3, 4-1."""
        force, flexibility, _ = self._flow
        moved = gathered(np.asarray(displacement)[..., None], self.nodes, self.components)[..., 0]
        flow = np.einsum("mp,mp->m", force.reshape(len(self), 12), moved) / flexibility
        areas, along, length = self._rods
        u = moved.reshape(len(self), 4, 3)
        stretch = np.stack(
            [np.einsum("mi,mi->m", along[:, k], u[:, b] - u[:, a]) for k, (a, b) in enumerate(_SIDES)], 1
        )
        return {"shear flow": np.asarray(flow), "side force": self._section[0][:, None] * areas * stretch / length}


def _area(p: FloatArray, normal: FloatArray, i: int, j: int, k: int) -> FloatArray:
    """(m,) m² signed area of a triangle of corners."""
    return np.asarray(0.5 * np.einsum("mi,mi->m", np.cross(p[:, j] - p[:, i], p[:, k] - p[:, i]), normal))


def _across(unit: FloatArray) -> FloatArray:
    """(m, s, 3, 3) projections across unit vectors (m, s, 3)."""
    return np.asarray(np.eye(3) - unit[..., :, None] * unit[..., None, :])


PREPARED = PreparedPanels
