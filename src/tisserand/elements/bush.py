"""Bushes: six springs between two nodes (or ground) in the bush's own axes, sitting at a stated point.

As CBUSH of [NastranQRG].
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.elements.element_data import Prepared, gathered
from tisserand.errors import ModelError
from tisserand.model import BushBlock, StructuralModel

#: Units in the last place of a coordinate that a lever may have by rounding alone.
_ULPS = 16.0


def relative_motion(model: StructuralModel, block: BushBlock) -> FloatArray:
    """D (m, 6, 12): motion of end b against end a at the bush, bush axes, from [u; beta] of both nodes.

    A spring along the line of its ends has no lever there. What rounding of the coordinates leaves of it is set to zero:
    at nodes of solids, whose rotations nothing else stiffens, these would follow freely and the spring would carry nothing.
    """
    bad = ~(np.isfinite(block.stiffness).all(axis=1) & np.isfinite(block.damping).all(axis=1))
    if bad.any():
        first = int(block.ids[bad][0])
        raise ModelError("stiffness or damping is not a finite number", where=f"bush {first}", ids=(first,))
    m = len(block)
    out = np.zeros((m, 6, 12))
    for end, sign in ((0, -1.0), (1, 1.0)):
        node = block.nodes[:, end]
        arm = block.location - model.nodes.positions[node]
        transfer = np.zeros((m, 6, 6))
        transfer[:, :3, :3] = transfer[:, 3:, 3:] = block.axes
        lever = -block.axes @ skew(arm)
        largest = np.abs(np.hstack([block.location, model.nodes.positions[node]])).max(axis=1)
        by_rounding = np.abs(lever).max(axis=2) <= _ULPS * np.finfo(float).eps * largest[:, None]
        transfer[:, :3, 3:] = np.where(by_rounding[:, :, None], 0.0, lever)
        out[:, :, 6 * end : 6 * end + 6] = np.where((node < 0)[:, None, None], 0.0, sign * transfer)
    return out


class PreparedBushes(Prepared):
    """K = D' diag(k) D; rigid motion of both nodes costs no energy, since both ends are carried to one point."""

    block: BushBlock

    @cached_property
    def motion(self) -> FloatArray:
        """D (m, 6, 12)."""
        return relative_motion(self.model, self.block)

    def stiffness(self) -> FloatArray:
        return np.asarray(self.motion.transpose(0, 2, 1) @ (self.block.stiffness[:, :, None] * self.motion))

    def damping(self) -> FloatArray | None:
        if not self.block.damping.any():
            return None
        return np.asarray(self.motion.transpose(0, 2, 1) @ (self.block.damping[:, :, None] * self.motion))

    def directional_mass(self, recipe: str) -> FloatArray:
        return np.zeros((len(self), 6, 12, 12))

    def resultants(self, displacement: FloatArray) -> dict[str, FloatArray]:
        """``force`` (m, 3) N and ``moment`` (m, 3) N m in bush axes, acting on end b from the bush with sign reversed."""
        ends = gathered(displacement[:, :, None], self.nodes, self.components)[:, :, 0]
        load = self.block.stiffness * np.einsum("mij,mj->mi", self.motion, ends)
        return {"force": load[:, :3], "moment": load[:, 3:]}


PREPARED = PreparedBushes
