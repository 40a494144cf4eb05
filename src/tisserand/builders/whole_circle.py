"""A whole structure out of one segment of a cyclic one: the segment is repeated about its axis and welded to its neighbors.

The modes of the whole are those of the segment for every nodal diameter at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.builders.joining import merged_nodes
from tisserand.builders.union import united
from tisserand.errors import ModelError
from tisserand.model import Nodes, StructuralModel, Supports
from tisserand.model.placing import rotation_of

#: Nodes of the two faces match if they are nearer than this times the size of the segment (decks have six digits or so).
_MATCH = 1e-4
#: Components of a node that is held agree in the axes of both segments to this (angles are written with as few digits).
_AGREE = 1e-4


#: Nodes of the whole: its modes come in clusters of as many as there are segments, which take minutes beyond this size.
MOST_NODES = 50_000
Face = tuple[IntArray, IntArray]


def whole_circle(
    segment: StructuralModel, count: int, axis: ArrayLike, about: ArrayLike, faces: Sequence[Face]
) -> StructuralModel:
    """The whole structure.

    Args:
        segment: one segment, its faces free.
        count: number of segments in the circle, two or more.
        axis: direction of the axis of symmetry (3,), basic axes.
        about: a point on the axis (3,), m.
        faces: pairs of faces, each as node indices in any order; a turn by one segment takes one face to the other.
    """
    if count < 2:
        raise ModelError("a cyclic structure has at least two segments", where=segment.name, found=count)
    n = len(segment.nodes)
    if count * n > MOST_NODES:
        raise ModelError(
            "the whole of a cyclic structure is too large to be built from its segment", where=segment.name,
            found=f"{count} segments of {n} nodes", expected=f"at most {MOST_NODES} nodes",
            advice="write the whole structure, or mesh the segment more coarsely",
        )  # fmt: skip
    found = [_partners(segment, count, axis, about, *face) for face in faces]
    stride, elements = 10 ** len(str(int(segment.nodes.ids.max()))), 10 ** len(str(segment._next_element()))
    bare = segment.changed(node_sets={}, element_sets={}, interfaces={})
    whole = bare
    for k in range(1, count):
        turned = bare.rotated(axis, 2.0 * np.pi * k / count, about=about)
        whole, _ = united(whole, _renumbered(turned, k * stride, k * elements))
    here = np.arange(count)[:, None]
    one = [(here * n + second[partner]).ravel() for (_, second), (_, partner) in zip(faces, found)]
    other = [((here + sense) % count * n + first).ravel() for (first, _), (sense, _) in zip(faces, found)]
    keep, drop = _groups(count * n, np.concatenate(one), np.concatenate(other))
    whole = merged_nodes(_in_common_axes(whole, keep, drop), keep, drop)
    present = set(whole.nodes.ids.tolist())
    return whole.changed(
        node_sets={
            name: np.array(sorted({i + k * stride for i in ids.tolist() for k in range(count)} & present), np.int64)
            for name, ids in segment.node_sets.items()
        },
        element_sets={
            name: np.concatenate([ids + k * elements for k in range(count)])
            for name, ids in segment.element_sets.items()
        },
        interfaces=dict(segment.interfaces),
    )


def _partners(
    segment: StructuralModel, count: int, axis: ArrayLike, about: ArrayLike, first: IntArray, second: IntArray
) -> tuple[int, IntArray]:
    """Segments (+1 or -1) by which the first face is turned to lie on the second, and for each of its nodes the one there."""
    from scipy.spatial import cKDTree

    x, center = segment.nodes.positions, np.asarray(about, float)
    best: tuple[int, int, FloatArray] | None = None
    for sense in (1, -1):
        Q = rotation_of(axis, 2.0 * np.pi * sense / count)
        distance, partner = cKDTree(x[second]).query((x[first] - center) @ Q.T + center)
        missed = distance > _MATCH * max(segment.size, 1e-300)
        if not missed.any() and len(set(partner.tolist())) == len(first) == len(second):
            return sense, np.asarray(partner, np.int64)
        if best is None or int(missed.sum()) < best[0]:
            best = (int(missed.sum()), int(first[int(np.argmax(distance))]), distance)
    assert best is not None
    raise ModelError(
        "the two faces of a cyclic segment do not match node by node", where=segment.name,
        found=f"{len(first)} and {len(second)} nodes, {best[0]} of the first without a partner (node "
        f"{segment.nodes.ids[best[1]]} is {best[2].max():.3g} m away) after a turn by {360.0 / count:.6g} degrees",
        advice="mesh both faces alike, or write the whole structure",
    )  # fmt: skip


def _renumbered(model: StructuralModel, nodes: int, elements: int) -> StructuralModel:
    table = model.nodes
    return model.changed(
        nodes=Nodes(table.ids + nodes, table.positions, table.axes, table.scalar),
        elements=tuple(block.changed(ids=block.ids + elements) for block in model.elements),
    )


def _groups(size: int, one: IntArray, other: IntArray) -> tuple[IntArray, IntArray]:
    """(nodes to keep, nodes to drop) so that every pair becomes one node; the first of the whole structure is kept."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(one), np.int8), (one, other)), shape=(size, size))
    _, label = connected_components(graph, directed=False)
    _, leader = np.unique(label, return_index=True)
    drop = np.flatnonzero(leader[label] != np.arange(size))
    return np.asarray(leader[label[drop]]), drop


def _in_common_axes(model: StructuralModel, keep: IntArray, drop: IntArray) -> StructuralModel:
    """The model with one triad and the mean position for every group of nodes that become one.

    Supports are written in that triad. It is the triad of a member in which all of them name whole components.
    """
    table = model.nodes
    positions, groups = np.array(table.positions), _by_leader(keep, drop)
    for members in groups:
        positions[members] = positions[members].mean(axis=0)
    if table.axes is None:
        return model.changed(nodes=Nodes(table.ids, positions, None, table.scalar))
    named = [block.nodes.ravel() for block in model.elements if block.facts.components == "named"]
    tied = [rows for tie in model.constraints for rows in _tied_rows(tie)]
    fixed_axes = np.zeros(len(table), np.bool_)
    fixed_axes[np.unique(np.concatenate([np.zeros(0, np.int64), *named, *tied]))] = True
    held = np.zeros((len(table), 6), np.bool_)
    np.logical_or.at(held, model.supports.nodes, model.supports.fixed)
    axes = np.array(table.axes)
    for members in groups:
        for candidate in members:
            rows = _expressed(axes[members], held[members], fixed_axes[members], axes[candidate])
            if rows is not None:
                axes[members], held[members] = axes[candidate], rows
                break
        else:
            label = int(table.ids[members[0]])
            raise ModelError(
                "a node between two segments is held or tied in single components that the turn does not keep",
                where=model.name, ids=(label,), found=f"node {label}",
                advice="state it in cylindrical axes about the axis of symmetry (*TRANSFORM, TYPE=C)",
            )  # fmt: skip
    where = np.flatnonzero(held.any(axis=1))
    return model.changed(nodes=Nodes(table.ids, positions, axes, table.scalar), supports=Supports(where, held[where]))


def _by_leader(keep: IntArray, drop: IntArray) -> list[IntArray]:
    groups: dict[int, list[int]] = {}
    for stays, goes in zip(keep.tolist(), drop.tolist()):
        groups.setdefault(stays, [stays]).append(goes)
    return [np.array(members) for members in groups.values()]


def _expressed(own: FloatArray, held: BoolArray, fixed: BoolArray, common: FloatArray) -> BoolArray | None:
    """What members (m) with axes (m, 3, 3) hold (m, 6), in common axes (3, 3); None where these are not single components.

    fixed (m,): members whose components are named elsewhere too, so that their axes must be the common ones.
    """
    out = np.zeros_like(held)
    for k in range(len(own)):
        T = common @ own[k].T
        if fixed[k] and np.abs(T - np.eye(3)).max() > _AGREE:
            return None
        for part in (slice(0, 3), slice(3, 6)):
            P = T @ np.diag(held[k, part].astype(float)) @ T.T
            if np.abs(P - np.diag(np.round(np.diag(P)))).max() > _AGREE:
                return None
            out[k, part] = np.round(np.diag(P)).astype(bool)
    return out


def _tied_rows(tie: object) -> list[IntArray]:
    found = (getattr(tie, word, None) for word in ("terms", "independent", "dependent"))
    rows = [np.asarray(pairs)[:, 0] for pairs in found if pairs is not None]
    return rows + ([np.array([tie.reference])] if hasattr(tie, "reference") else [])
