"""Masses and springs in a row as delivered models."""

from __future__ import annotations

import numpy as np

from tisserand.model import Nodes
from tisserand.modes.component import Coordinate
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.recovery_matrix import RecoveryMatrix, acceleration_rows, displacement_rows


def chain(masses=(2.0, 1.0, 0.5), springs=(4e5, 2e5, 1e5), base=3.0):
    """A base and masses in a row along z, as a delivered model with one interface node of six dofs; the masses are coordinates.

    The base carries inertia in its other dofs, so that the matrices are definite.
    """
    n = len(masses)
    K = np.zeros((6 + n, 6 + n))
    M = np.diag([base] * 6 + list(masses)).astype(float)
    places = [2, *range(6, 6 + n)]
    for i, k in enumerate(springs):
        a, b = places[i], places[i + 1]
        K[np.ix_([a, b], [a, b])] += k * np.array([[1, -1], [-1, 1]])
    # coordinates relative to the base, as in a Craig-Bampton model: mass i = base + own
    T = np.eye(6 + n)
    T[6:, 2] = 1.0
    K, M = T.T @ K @ T, T.T @ M @ T
    rigid = np.zeros((6 + n, 6))
    rigid[:6] = np.eye(6)
    names = [Coordinate(f"node 1 {w}", "constraint", 0, i) for i, w in enumerate(("T1", "T2", "T3", "R1", "R2", "R3"))]
    names += [Coordinate(f"mass {i + 1}", "elastic") for i in range(n)]
    rows = np.zeros((n, 6 + n))
    rows[:, 2], rows[:, 6:] = 1.0, np.eye(n)
    labels = tuple(f"mass {i + 1}" for i in range(n))
    force = np.zeros((n, 6 + n))
    for i, k in enumerate(springs):
        force[i, 6 + i] = k
        if i:
            force[i, 5 + i] = -k
    own = rows.copy()
    own[:, 2] = 0.0
    return DeliveredModel(
        "chain", "craig-bampton", coordinates=tuple(names), nodes=Nodes(np.array([1]), np.zeros((1, 3))), stiffness=K, mass=M,
        rigid=rigid, frequencies_hz=np.full(6 + n, np.nan),
        recoveries=(
            acceleration_rows("acceleration", labels, ("m/s²",) * n, rows),
            displacement_rows("displacement", labels, ("m",) * n, own),
            RecoveryMatrix("spring", "LTM", labels, ("N",) * n, force, np.zeros_like(force)),
            RecoveryMatrix("interface force", "LTM", ("z",), ("N",), K[2:3], M[2:3]),
        ),
    )  # fmt: skip
