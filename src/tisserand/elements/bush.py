"""Bushes: six springs between two nodes (or ground) in the bush's own axes, sitting at a stated point.

As CBUSH of [NastranQRG].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.elements.element_data import ElementBatch
from tisserand.elements.registry import ALL_COMPONENTS
from tisserand.errors import ModelError
from tisserand.model import BushBlock, StructuralModel


def relative_motion(model: StructuralModel, block: BushBlock) -> FloatArray:
    """D (m, 6, 12): motion of end b against end a at the bush, bush axes, from [u; beta] of both nodes."""
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
        transfer[:, :3, 3:] = -block.axes @ skew(arm)
        out[:, :, 6 * end : 6 * end + 6] = np.where((node < 0)[:, None, None], 0.0, sign * transfer)
    return out


class BushFamily:
    """K = D' diag(k) D; rigid motion of both nodes costs no energy, since both ends are carried to one point."""

    def matrices(self, model: StructuralModel, block: BushBlock, recipe: str) -> ElementBatch:
        D = relative_motion(model, block)
        turned = D.transpose(0, 2, 1)
        damping = turned @ (block.damping[:, :, None] * D) if block.damping.any() else None
        return ElementBatch(
            block.nodes, ALL_COMPONENTS, stiffness=turned @ (block.stiffness[:, :, None] * D), damping=damping
        )

    def directional_mass(self, model: StructuralModel, block: BushBlock, recipe: str) -> FloatArray | None:
        return np.zeros((len(block), 6, 12, 12))

    def geometric_stiffness(
        self, model: StructuralModel, block: BushBlock, displacement: FloatArray
    ) -> FloatArray | None:
        return None

    def resultants(self, model: StructuralModel, block: BushBlock, displacement: FloatArray) -> dict[str, FloatArray]:
        """``force`` (m, 3) N and ``moment`` (m, 3) N m in bush axes: minus what the bush exerts on end b."""
        ends = np.where((block.nodes < 0)[:, :, None], 0.0, displacement[block.nodes]).reshape(len(block), 12)
        load = block.stiffness * np.einsum("mij,mj->mi", relative_motion(model, block), ends)
        return {"force": load[:, :3], "moment": load[:, 3:]}


FAMILY = BushFamily()
