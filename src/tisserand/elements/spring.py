"""Scalar springs and dampers between two components or to ground: force k (u_a - u_b), node axes.

As CELAS and CDAMP of [NastranQRG].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.element_data import Prepared
from tisserand.errors import ModelError
from tisserand.model import ScalarSpringBlock, StructuralModel

_PAIR = np.array([[1.0, -1.0], [-1.0, 1.0]])


def difference(values: FloatArray) -> FloatArray:
    """(m, 2, 2) matrices value * [[1, -1], [-1, 1]]."""
    return np.asarray(values[:, None, None] * _PAIR)


def node_axes_motion(model: StructuralModel, displacement: FloatArray) -> FloatArray:
    """Displacement (n, 6) in basic axes expressed in every node's own axes."""
    axes = model.nodes.axes
    if axes is None:
        return np.asarray(displacement)
    return np.concatenate(
        [np.einsum("nij,nj->ni", axes, displacement[:, :3]), np.einsum("nij,nj->ni", axes, displacement[:, 3:])], axis=1
    )


class PreparedSprings(Prepared):
    """Scalar springs; negative values are allowed, as Nastran allows them."""

    block: ScalarSpringBlock

    def stiffness(self) -> FloatArray:
        self._refuse_unfit()
        return difference(self.block.stiffness)

    def damping(self) -> FloatArray | None:
        return difference(self.block.damping) if self.block.damping.any() else None

    def directional_mass(self, recipe: str) -> FloatArray:
        return np.zeros((len(self), 6, 2, 2))

    def _refuse_unfit(self) -> None:
        bad = ~(np.isfinite(self.block.stiffness) & np.isfinite(self.block.damping))
        if bad.any():
            first = int(self.block.ids[bad][0])
            raise ModelError("stiffness or damping is not a finite number", where=f"spring {first}", ids=(first,))

    def resultants(self, displacement: FloatArray) -> dict[str, FloatArray]:
        """``force`` (m,): k (u_a - u_b), N or N m."""
        motion = node_axes_motion(self.model, displacement)
        ends = np.where(self.block.nodes < 0, 0.0, motion[self.block.nodes, self.block.components])
        return {"force": np.asarray(self.block.stiffness * (ends[:, 0] - ends[:, 1]))}


PREPARED = PreparedSprings
