"""Linear conditions stated in basic axes as equations in node axes, each solved for a component of its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import qr

from tisserand.arrays import FloatArray, IntArray
from tisserand.model import Equation


def equations_of(
    number: int, card: str, nodes: IntArray, blocks: FloatArray, axes: FloatArray | None
) -> Iterator[Equation]:
    """Equations ``sum over nodes of blocks . [u; beta] = 0``.

    nodes (p,), the first of which is the dependent one; blocks (r, p, 6) over translations and rotations in basic axes;
    axes (n, 3, 3) of all nodes, rows in basic axes, or None. The r conditions are combined so that every one has its own
    dependent component.
    """
    local = blocks.copy()
    if axes is not None:
        for part in (slice(0, 3), slice(3, 6)):
            local[:, :, part] = np.einsum("pij,rpj->rpi", axes[nodes], blocks[:, :, part])
    own = local[:, 0]
    _, _, order = qr(own, pivoting=True, mode="economic")
    chosen = order[: len(own)]
    rows = np.linalg.solve(own[:, chosen], local.reshape(len(own), -1)).reshape(local.shape)
    for row, component in zip(rows, chosen):
        place, direction = np.nonzero(np.abs(row) > 1e-13 * np.abs(row).max())
        lead = (place == 0) & (direction == component)
        rest = ~lead & ~((place == 0) & np.isin(direction, chosen))
        terms = np.concatenate([[(nodes[0], component)], np.column_stack([nodes[place[rest]], direction[rest]])])
        yield Equation(number, terms, np.concatenate([[1.0], row[place[rest], direction[rest]]]), card)
