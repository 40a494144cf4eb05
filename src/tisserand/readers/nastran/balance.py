"""Mass, center and inertia of what was read, from the cards and without element matrices, for the ledger's balance.

Every element's mass is spread evenly along its line, over its surface or through its volume; nodal bodies sit at their own
center. The inertia is that of the continuous bodies, so a lumped mass model differs from it by its lumping.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tisserand.model import ElementBlock, Nodes, Section
from tisserand.model.mass_points import mass_points, own_inertia


def mass_read(nodes: Nodes, blocks: Iterable[ElementBlock], sections: Sequence[Section]) -> dict[str, float]:
    """``mass read`` (kg), ``center x read`` ... (m) and ``inertia xx read`` ... (kg m², about the basic origin)."""
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for block in blocks:
        points, weights = mass_points(nodes, block, sections)
        mass += float(weights.sum())
        first += weights @ points
        second += (weights[:, None] * points).T @ points + own_inertia(block)
    out = {"mass read": mass}
    center = first / mass if mass > 0.0 else np.zeros(3)
    inertia = np.trace(second) * np.eye(3) - second
    for k, letter in enumerate("xyz"):
        out[f"center {letter} read"] = float(center[k])
    for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)):
        out[f"inertia {'xyz'[i]}{'xyz'[j]} read"] = float(inertia[i, j])
    return out
