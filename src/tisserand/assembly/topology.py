"""Connectivity of the nodes: used and unused nodes, coincident nodes, separate parts."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.model import Constraint, Equation, Interpolation, StructuralModel

#: Nodes closer than this share of the model's size lie on one another.
_COINCIDENT = 1e-8


def tie_nodes(tie: Constraint) -> IntArray:
    """Nodes that a constraint ties together."""
    if isinstance(tie, Equation):
        return np.unique(tie.terms[:, 0])
    if isinstance(tie, Interpolation):
        more = np.zeros((0, 2), np.int64) if tie.dependent is None else tie.dependent
        return np.unique(np.concatenate([[tie.reference], tie.terms[:, 0], more[:, 0]]))
    return np.unique(np.concatenate([tie.independent[:, 0], tie.dependent[:, 0]]))


def tie_arms(model: StructuralModel) -> FloatArray:
    """(n,) extent of the cluster of ties that each node belongs to, m; zero for nodes without ties."""
    n = len(model.nodes)
    arms = np.zeros(n)
    if not model.constraints:
        return arms
    pairs = np.concatenate([np.column_stack([np.full_like(t, t[0]), t]) for t in map(tie_nodes, model.constraints)])
    graph = coo_array((np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])), shape=(n, n)).tocsr()
    _, part = connected_components(graph, directed=False)
    low, high = np.full((n, 3), np.inf), np.full((n, 3), -np.inf)
    np.minimum.at(low, part, model.nodes.positions)
    np.maximum.at(high, part, model.nodes.positions)
    return np.asarray(np.linalg.norm((high - low)[part], axis=1))


def links(model: StructuralModel) -> IntArray:
    """(p, 2) pairs of nodes joined by an element or a tie (each element and tie as a star; without ground)."""
    pairs = [np.zeros((0, 2), np.int64)]
    for block in model.elements:
        nodes = block.nodes
        for other in range(1, nodes.shape[1]):
            pair = nodes[:, [0, other]]
            pairs.append(pair[(pair >= 0).all(axis=1) & (pair[:, 0] != pair[:, 1])])
    for tie in model.constraints:
        nodes = tie_nodes(tie)
        if len(nodes) > 1:
            pairs.append(np.column_stack([np.full(len(nodes) - 1, nodes[0]), nodes[1:]]))
    return np.concatenate(pairs)


def used_nodes(model: StructuralModel) -> BoolArray:
    """(n,) True for nodes that an element or a tie refers to."""
    used = np.zeros(len(model.nodes), np.bool_)
    for block in model.elements:
        used[block.nodes[block.nodes >= 0]] = True
    for tie in model.constraints:
        used[tie_nodes(tie)] = True
    return used


def separate_parts(model: StructuralModel) -> list[IntArray]:
    """Node indices of every connected part, largest first; unused nodes are in none."""
    n = len(model.nodes)
    pairs, used = links(model), used_nodes(model)
    graph = coo_array((np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])), shape=(n, n)).tocsr()
    _, part = connected_components(graph, directed=False)
    rows = np.flatnonzero(used)
    order = rows[np.argsort(part[rows], kind="stable")]
    cuts = np.flatnonzero(np.diff(part[order])) + 1
    return sorted(np.split(order, cuts), key=len, reverse=True) if len(order) else []


def coincident_pairs(model: StructuralModel, most: int = 10_000) -> IntArray:
    """(p, 2) pairs of used nodes at the same place that no element or tie joins directly."""
    from scipy.spatial import cKDTree

    points = used_nodes(model)
    if model.nodes.scalar is not None:
        points &= ~model.nodes.scalar
    rows = np.flatnonzero(points)
    radius = _COINCIDENT * max(model.size, 1e-300)
    found = cKDTree(model.nodes.positions[rows]).query_pairs(radius, output_type="ndarray")
    pairs = np.sort(rows[found], axis=1)[:most]
    joined = np.sort(links(model), axis=1)
    n = len(model.nodes)
    return np.asarray(pairs[~np.isin(pairs[:, 0] * n + pairs[:, 1], joined[:, 0] * n + joined[:, 1])])
