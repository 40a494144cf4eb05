"""What the modes that were left out add to loads inside: their static response to inertia, dampers and forces.

With the interface held, K_ii u = f - (M T q'' + B T q' + K T q) is what the reduced motion T q leaves unbalanced inside.
The columns W of T that vanish at the interface have answered their part already, so u = G f - G M T q'' - G B T q' with
G = K_ii^-1 - W (W'K W)^-1 W' remains; G K T = 0 for static shapes and W. Modes that are kept respond with their own
damping, those left out as if their frequency were infinite: the mode-acceleration method without its mistake at damped
resonances.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tisserand.arrays import FloatArray, IntArray, symmetric
from tisserand.modes.component import Coordinate, ReducedComponent
from tisserand.modes.interface import dof_name, interface_rows
from tisserand.modes.reductions import interior_solver
from tisserand.responses.recovery_matrix import RecoveryMatrix

#: Reductions whose columns are static shapes of the interface and shapes that vanish there. The others hold their remainder
#: already (residual attachment, inertia in the shapes) or stand for chosen modes alone.
_STATIC = ("craig-bampton", "mixed", "guyan")


@dataclass(frozen=True, eq=False)
class StaticRemainder:
    """Motions (d, k) per q'' and per q' (None without dampers), and (d, p) per force along p recovered displacements."""

    acceleration: FloatArray
    velocity: FloatArray | None
    force: FloatArray
    force_labels: tuple[str, ...] = ()

    @property
    def columns(self) -> FloatArray:
        """(d, ...) all of them side by side."""
        return np.hstack([m for m in (self.acceleration, self.velocity, self.force) if m is not None])

    def completed(self, rows: RecoveryMatrix, more: FloatArray) -> RecoveryMatrix:
        """Rows of displacement with what they recover of ``columns``: more (r, ...)."""
        k = self.acceleration.shape[1]
        dampers = 0 if self.velocity is None else k
        return replace(
            rows, acceleration=rows.acceleration + more[:, :k],
            velocity=None if self.velocity is None else more[:, k : 2 * k],
            force=more[:, k + dampers :] if self.force_labels else None, force_labels=self.force_labels,
        )  # fmt: skip


def static_remainder(
    part: ReducedComponent, loaded: IntArray, dropped: tuple[Coordinate, ...] = ()
) -> StaticRemainder | None:
    """The remainder of a component; None where its reduction has none.

    loaded: (p, 2) rows (node index, component) that forces may act on; dropped: interface dofs left out, which stay held.
    """
    if part.method not in _STATIC:
        return None
    model, T = part.model, part.shapes
    table = model.dofs.index
    b = np.array([table[c.node, c.component] for c in (*part.coordinates, *dropped) if c.node is not None], np.int64)
    held = np.zeros(model.size, np.bool_) if part.held is None else part.held
    force = interface_rows(model, loaded).T if len(loaded) else np.zeros((model.size, 0))
    loads = [-np.asarray(model.mass @ T)]
    if model.damping is not None:
        loads.append(-np.asarray(model.damping @ T))
    load = np.hstack([*loads, np.asarray(force)])
    with interior_solver(model, b, held) as solve:
        moved = solve(load)
    W = T[:, part.modal]
    if W.shape[1]:
        moved = moved - W @ np.linalg.solve(symmetric(W.T @ (model.stiffness @ W)), W.T @ load)
    k = len(part)
    labels = tuple(f"displacement: {dof_name(model, *row)}" for row in loaded)
    velocity = moved[:, k : 2 * k] if len(loads) > 1 else None
    return StaticRemainder(moved[:, :k], velocity, moved[:, len(loads) * k :], labels)
