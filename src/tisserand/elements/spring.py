"""Scalar springs and dampers between two components or to ground: force k (u_a - u_b), node axes.

As CELAS and CDAMP of [NastranQRG].
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.elements.element_data import ElementBatch
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


class SpringFamily:
    """Scalar springs; negative values are allowed, as Nastran allows them."""

    def matrices(self, model: StructuralModel, block: ScalarSpringBlock, recipe: str) -> ElementBatch:
        bad = ~(np.isfinite(block.stiffness) & np.isfinite(block.damping))
        if bad.any():
            first = int(block.ids[bad][0])
            raise ModelError("stiffness or damping is not a finite number", where=f"spring {first}", ids=(first,))
        damping = difference(block.damping) if block.damping.any() else None
        return ElementBatch(
            block.nodes, (), stiffness=difference(block.stiffness), damping=damping, scalar_components=block.components
        )

    def directional_mass(self, model: StructuralModel, block: ScalarSpringBlock, recipe: str) -> FloatArray | None:
        return np.zeros((len(block), 6, 2, 2))

    def geometric_stiffness(
        self, model: StructuralModel, block: ScalarSpringBlock, displacement: FloatArray
    ) -> FloatArray | None:
        return None

    def resultants(
        self, model: StructuralModel, block: ScalarSpringBlock, displacement: FloatArray
    ) -> dict[str, FloatArray]:
        """``force`` (m,): k (u_a - u_b), N or N m."""
        motion = node_axes_motion(model, displacement)
        ends = np.where(block.nodes < 0, 0.0, motion[block.nodes, block.components])
        return {"force": np.asarray(block.stiffness * (ends[:, 0] - ends[:, 1]))}


FAMILY = SpringFamily()
