"""SPRING1, SPRING2 and dashpots of the same kind that act in other axes than those of their nodes.

Their components belong to the system that ORIENTATION names, else to the global one, whatever *TRANSFORM the nodes have:

    energy = 1/2 k (e_i . u_a - f_j . u_b)^2

with the unit vectors e_i, f_j of components i and j at the two nodes.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.model import DirectMatrix
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.materials import Orientation


def needs_directions(draft: Draft, nodes: IntArray, orientation: Orientation | None) -> bool:
    """Whether a spring on these nodes (-1 is ground) does not act along components of its nodes."""
    rows = nodes[nodes >= 0]
    return orientation is not None or (draft.axes is not None and bool((draft.axes[rows] != np.eye(3)).any()))


def direction(draft: Draft, node: int, component: int, orientation: Orientation | None) -> FloatArray:
    """(6,) of a component at a node: what it is of the node's own components."""
    local = np.eye(3) if orientation is None else orientation.axes_at(draft.positions[[node]])[0]
    own = np.eye(3) if draft.axes is None else draft.axes[node]
    out = np.zeros(6)
    out[3 * (component // 3) : 3 * (component // 3) + 3] = own @ local[component % 3]
    return out


def oriented_spring(
    draft: Draft, number: int, nodes: IntArray, components: IntArray, value: float, orientation: Orientation | None
) -> list[tuple[int, int, int, int, int, float]]:
    """Terms of one spring: its id, two nodes, two components, value (SI)."""
    dofs: list[tuple[int, int, float]] = []
    for node, component, sign in zip(nodes.tolist(), components.tolist(), (1.0, -1.0)):
        if node >= 0:
            each = sign * direction(draft, node, component, orientation)
            dofs += [(node, k, float(each[k])) for k in np.flatnonzero(each).tolist()]
    return [(number, a, b, i, j, value * s * t) for a, i, s in dofs for b, j, t in dofs]


def spring_matrix(terms: list[tuple[int, int, int, int, int, float]], role: str) -> list[DirectMatrix]:
    """All terms as one matrix of stiffness (springs) or damping (dashpots)."""
    if not terms:
        return []
    table = np.array([term[:5] for term in terms], np.int64)
    values = np.array([term[5] for term in terms])
    kind = "stiffness" if role == "spring" else "damping"
    return [DirectMatrix(table[:, 0], table[:, 1:3], table[:, 3:5], values, kind)]  # type: ignore[arg-type]
