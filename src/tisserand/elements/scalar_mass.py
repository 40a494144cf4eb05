"""Scalar masses between two components, or one component and ground: m (u_a - u_b), node axes.

As CMASS of [NastranQRG].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.element_data import ElementBatch
from tisserand.elements.spring import difference
from tisserand.errors import ModelError
from tisserand.model import ScalarMassBlock, StructuralModel


class ScalarMassFamily:
    """A scalar mass has no location in space, so it has no directional mass matrices."""

    def matrices(self, model: StructuralModel, block: ScalarMassBlock, recipe: str) -> ElementBatch:
        bad = ~np.isfinite(block.mass)
        if bad.any():
            first = int(block.ids[bad][0])
            raise ModelError("the mass is not a finite number", where=f"scalar mass {first}", ids=(first,))
        return ElementBatch(block.nodes, (), mass=difference(block.mass), scalar_components=block.components)

    def directional_mass(self, model: StructuralModel, block: ScalarMassBlock, recipe: str) -> FloatArray | None:
        return None

    def geometric_stiffness(
        self, model: StructuralModel, block: ScalarMassBlock, displacement: FloatArray
    ) -> FloatArray | None:
        return None

    def resultants(
        self, model: StructuralModel, block: ScalarMassBlock, displacement: FloatArray
    ) -> dict[str, FloatArray]:
        return {}


FAMILY = ScalarMassFamily()
