"""Matrix terms given one by one between two components, node axes; both triangles are stated.

As DMIG and CONM1 of [NastranQRG].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.element_data import Prepared
from tisserand.errors import ModelError
from tisserand.model import DirectMatrix


class PreparedTerms(Prepared):
    """Every term is an element of two dofs whose matrix has one entry: row, column."""

    block: DirectMatrix

    @property
    def massless(self) -> bool:
        return self.block.kind != "mass"

    def stiffness(self) -> FloatArray | None:
        return self._terms("stiffness")

    def mass(self, recipe: str) -> FloatArray | None:
        return self._terms("mass")

    def damping(self) -> FloatArray | None:
        return self._terms("damping")

    def _terms(self, kind: str) -> FloatArray | None:
        if self.block.kind != kind:
            return None
        if not np.isfinite(self.block.value).all():
            raise ModelError("a term of a direct matrix is not a finite number", found=f"a {kind} matrix")
        out = np.zeros((len(self), 2, 2))
        out[:, 0, 1] = self.block.value
        return out


PREPARED = PreparedTerms
