"""Whether ties transmit rigid motion; equations that do not hold the structure to ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.elimination import dependent_dofs
from tisserand.model import StructuralModel

#: Largest deviation of a dependent dof under a unit rigid motion, over its own or over the size of the structure.
TIE_MOTION = 1e-9


@dataclass(frozen=True, eq=False)
class TieMotion:
    """Dependent dofs (k,): node, relative deviation from rigid motion, and whether they move at all."""

    node: IntArray
    error: FloatArray
    moves: BoolArray

    @property
    def bad(self) -> BoolArray:
        """(k,) dofs that do not follow."""
        return np.asarray(self.error > TIE_MOTION)


def tie_motion(model: StructuralModel, assembled: AssembledModel) -> TieMotion:
    """Rigid motion of the independent dofs as it arrives at every tied node."""
    got = assembled.displacements(assembled.rigid_body_vectors)
    node, component = dependent_dofs(model)
    positions = assembled.nodes.positions
    want = np.zeros((len(node), 6))
    shifts = component < 3
    want[np.arange(len(node)), component] = 1.0
    for c, (a, b) in enumerate(((1, 2), (2, 0), (0, 1))):
        turn = shifts & (component == c)
        want[turn, 3 + a], want[turn, 3 + b] = positions[node[turn], b], -positions[node[turn], a]
    if assembled.nodes.scalar is not None:
        want[assembled.nodes.scalar[node]] = 0.0
    reach = max(model.size, 1e-300)
    scale = np.array([1.0, 1.0, 1.0, reach, reach, reach]) * np.where(shifts, 1.0, 1.0 / reach)[:, None]
    error = (np.abs(got[node, component] - want) / scale).max(axis=1, initial=0.0)
    return TieMotion(node, error, np.abs(got[node, component]).max(axis=1, initial=0.0) > 0.0)


def grounding_ties(assembled: AssembledModel) -> IntArray:
    """Ids of tied nodes that do not follow rigid motion; empty where all do, or for bare matrices."""
    model = assembled.structure
    if model is None or not model.constraints:
        return np.zeros(0, np.int64)
    found = tie_motion(model, assembled)
    return np.unique(assembled.nodes.ids[found.node[found.bad]])
