"""Rigid nodal bodies: mass, offset and full inertia at one node.

They have no stiffness, and every mass recipe treats them alike.

References: theory sections 1.2 and 2; S1 Eq 48.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements._moments import directional_matrices, point_moments, rigid_matrices
from tisserand.elements.element_data import Prepared
from tisserand.errors import ModelError
from tisserand.model import NodalBodies


def body_moments(block: NodalBodies) -> FloatArray:
    """Mass moments mu (m, 4, 4) about each node, basic axes."""
    bad = ~(
        np.isfinite(block.mass) & np.isfinite(block.offset).all(axis=1) & np.isfinite(block.inertia).all(axis=(1, 2))
    )
    if bad.any():
        first = int(block.ids[bad][0])
        raise ModelError("mass, offset or inertia is not a finite number", where=f"nodal body {first}", ids=(first,))
    negative = block.mass < 0.0
    if negative.any():
        first = int(block.ids[negative][0])
        raise ModelError(
            "the mass is negative",
            where=f"nodal body {first}",
            ids=(first,),
            found=float(block.mass[negative][0]),
            expected="zero or more",
        )
    return point_moments(block.mass, block.offset, block.inertia)


class PreparedBodies(Prepared):
    """M = [m 1, -m s~; m s~, I_c - m s~s~] over [u; beta] of the node."""

    block: NodalBodies

    def mass(self, recipe: str) -> FloatArray:
        return rigid_matrices(body_moments(self.block))

    def directional_mass(self, recipe: str) -> FloatArray:
        return directional_matrices(body_moments(self.block))


PREPARED = PreparedBodies
