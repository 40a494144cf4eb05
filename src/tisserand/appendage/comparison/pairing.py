"""Pairing of nodes and modes of two appendages:
nodes by id or by place, modes by subspaces of equal frequency.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import InputError


@dataclass(frozen=True, eq=False)
class NodePairs:
    """Matching rows of a and b, the rule used, and the largest distance between partners, m."""

    rows_a: IntArray
    rows_b: IntArray
    rule: str
    distance: float


def pair_nodes(a: ReducedAppendage, b: ReducedAppendage, *, reach: float) -> NodePairs:
    """Nodes of the same id at the same place, else nearest nodes closer than ``reach`` (m), one partner each.

    Places are compared in source basic coordinates. Nodes that share their place with another one are left
    out of the nearest-node rule, since they cannot be distinguished.
    """
    at_a, at_b = a.nodes.positions + a.reference_point, b.nodes.positions + b.reference_point
    size = max(float(np.ptp(at_a, axis=0).max(initial=0.0)), 1e-300)
    _, rows_a, rows_b = np.intersect1d(a.nodes.ids, b.nodes.ids, return_indices=True)
    if len(rows_a) == len(a.nodes) == len(b.nodes):
        gap = np.linalg.norm(at_a[rows_a] - at_b[rows_b], axis=1).max(initial=0.0)
        if gap <= 1e-6 * size:
            return NodePairs(rows_a, rows_b, "same ids", float(gap))
    lone_a, lone_b = _alone(at_a, size), _alone(at_b, size)
    if len(lone_a) == 0 or len(lone_b) == 0:
        raise InputError("no nodes can be paired: every node coincides with another", where=f"{a.name}, {b.name}")
    swap = len(lone_a) > len(lone_b)
    few, many = (at_b[lone_b], at_a[lone_a]) if swap else (at_a[lone_a], at_b[lone_b])
    found = scipy.spatial.cKDTree(many).query(few)
    distance, nearest = np.asarray(found[0], float), np.asarray(found[1], np.int64)
    close = distance <= reach
    order = np.argsort(distance, kind="stable")
    order = order[close[order]]
    _, first = np.unique(nearest[order], return_index=True)  # each partner once, the closest wins
    chosen = np.sort(order[first])
    if len(chosen) < 3:
        raise InputError(
            "too few nodes of the two models lie close together",
            found=f"{len(chosen)} pairs within {reach:.3g} m",
            expected="3 or more",
            advice="check units, axes and reference points, or raise the tolerance 'distance'",
        )
    left, right = chosen, nearest[chosen]
    rows_a, rows_b = (lone_a[right], lone_b[left]) if swap else (lone_a[left], lone_b[right])
    return NodePairs(rows_a, rows_b, "nearest nodes", float(distance[chosen].max(initial=0.0)))


def _alone(points: FloatArray, size: float) -> IntArray:
    """Rows whose place is not shared."""
    tree = scipy.spatial.cKDTree(points)
    counts = np.asarray(tree.query_ball_point(points, 1e-7 * size, return_length=True))
    return np.flatnonzero(counts == 1)


def clusters(frequencies: FloatArray, gap: float) -> list[IntArray]:
    """Modes in ascending frequency, together where neighbors differ by less than ``gap`` relative."""
    order = np.argsort(frequencies, kind="stable")
    if len(order) == 0:
        return []
    sorted_hz = frequencies[order]
    apart = np.diff(sorted_hz) > gap * np.maximum(sorted_hz[1:], 1e-300)
    return [np.sort(group) for group in np.split(order, np.flatnonzero(apart) + 1)]


def mac_matrix(left: FloatArray, right: FloatArray) -> FloatArray:
    """Modal assurance criterion (ka, kb) of columns (rows, ka), (rows, kb)."""
    cross = left.T @ right
    return np.asarray(cross**2 / np.maximum(np.outer((left**2).sum(axis=0), (right**2).sum(axis=0)), 1e-300))


@dataclass(frozen=True, eq=False)
class Match:
    """A cluster of a and its partners in b.

    mac: worst squared cosine between the two subspaces (MAC for one mode).
    """

    modes_a: IntArray
    modes_b: IntArray
    mac: float


def match_modes(left: FloatArray, right: FloatArray, groups: list[IntArray]) -> tuple[list[Match], IntArray]:
    """Partners of every cluster of a, and the modes of b left over.

    Each mode of b goes to the cluster whose subspace holds most of it (optimal assignment); a cluster may
    stay short of partners when b has fewer modes.
    """
    bases = [_basis(left[:, group]) for group in groups]
    norm = np.maximum((right**2).sum(axis=0), 1e-300)
    share = np.array([((basis.T @ right) ** 2).sum(axis=0) / norm for basis in bases]).reshape(len(groups), -1)
    slots = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    rows, columns = scipy.optimize.linear_sum_assignment(-share[slots])
    matches = []
    for place, group in enumerate(groups):
        partners = np.sort(columns[slots[rows] == place])
        mac = 0.0
        if len(partners) == len(group):
            cosines = np.linalg.svd(bases[place].T @ _basis(right[:, partners]), compute_uv=False)
            mac = float(cosines.min(initial=1.0) ** 2)
        matches.append(Match(group, partners, mac))
    return matches, np.setdiff1d(np.arange(right.shape[1]), columns)


def _basis(columns: FloatArray) -> FloatArray:
    Q, _ = np.linalg.qr(columns / np.maximum(np.linalg.norm(columns, axis=0), 1e-300))
    return np.asarray(Q)
