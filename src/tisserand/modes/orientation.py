"""Deterministic signs, and a deterministic orientation inside clusters of repeated eigenvalues.

The rule depends on the subspace only: the dof that moves most (ties are broken by fixed weights that differ by up to a
thousandth) points along the first vector and is positive there, the next dof along the second, and so on.

Serves the repeated eigenvalues of S4 9.9.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from tisserand.arrays import FloatArray

#: Eigenvalues closer than this, relative to the larger, count as one cluster.
CLUSTER = 1e-6


def clusters(values: FloatArray, relative: float = CLUSTER) -> list[slice]:
    """Runs of nearly equal ascending values."""
    if not len(values):
        return []
    gap = np.diff(values) > relative * np.maximum(np.abs(values[1:]), 1e-300)
    edges = np.concatenate([[0], np.flatnonzero(gap) + 1, [len(values)]])
    return [slice(int(a), int(b)) for a, b in pairwise(edges)]


def weights(size: int) -> FloatArray:
    """Fixed weights in 1 .. 1.001 that distinguish symmetric dofs."""
    return np.asarray(1.0 + 1e-3 * np.modf(np.arange(size) * 0.6180339887498949)[0])


def oriented(shapes: FloatArray, values: FloatArray) -> FloatArray:
    """Shapes with deterministic sign and cluster orientation; mass-orthonormality is kept (only rotations are used)."""
    out = np.array(shapes)
    weight = weights(len(out))
    for run in clusters(values):
        cluster = out[:, run]
        for j in range(cluster.shape[1]):
            rest = cluster[:, j:]
            pivot = int(np.argmax(weight * np.einsum("ij,ij->i", rest, rest)))
            direction = rest[pivot] / np.linalg.norm(rest[pivot])
            cluster[:, j:] = rest @ _rotation_onto(direction)
        out[:, run] = cluster
    return out


def _rotation_onto(direction: FloatArray) -> FloatArray:
    """Orthogonal matrix whose first column is ``direction`` (a Householder reflection)."""
    size = len(direction)
    first = np.zeros(size)
    first[0] = 1.0
    sign = -1.0 if direction[0] > 0.0 else 1.0
    mirror = direction - sign * first
    mirror /= np.linalg.norm(mirror)
    turn = np.eye(size) - 2.0 * np.outer(mirror, mirror)
    turn[:, 0] *= sign
    return turn
