"""Scalar masses between two components, or one component and ground: m (u_a - u_b), node axes.

As CMASS of [NastranQRG].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.element_data import Prepared
from tisserand.elements.spring import difference
from tisserand.errors import ModelError
from tisserand.model import ScalarMassBlock


class PreparedMasses(Prepared):
    """A scalar mass has no location in space, so it has no directional mass matrices."""

    block: ScalarMassBlock

    def mass(self, recipe: str) -> FloatArray:
        bad = ~np.isfinite(self.block.mass)
        if bad.any():
            first = int(self.block.ids[bad][0])
            raise ModelError("the mass is not a finite number", where=f"scalar mass {first}", ids=(first,))
        return difference(self.block.mass)


PREPARED = PreparedMasses
