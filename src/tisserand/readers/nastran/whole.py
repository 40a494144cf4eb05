"""Main structure and superelement parts of a deck joined into one structural model.

Points paired by SECONCT are merged; a part whose SEBULK does not specify MANUAL (or that has none) is also joined if one of its
points lies on a point of another part, as Nastran's automatic search does. Modal points (scalar points that no element uses)
are left out: they represent the reduction of the parts, which ``StructuralModel.parts`` remembers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.topology import used_nodes
from tisserand.errors import ModelError
from tisserand.model import (
    Analysis,
    CardEntry,
    Component,
    ElementBlock,
    Ledger,
    Nodes,
    Section,
    StructuralModel,
    Supports,
)
from tisserand.model.constraints import Constraint, Interpolation
from tisserand.readers.nastran.deck import NastranDeck

#: Points of two parts this close, relative to the size of the whole, are one point (automatic search, and for SECONCT a must).
_SAME_PLACE = 1e-6


def joined(deck: NastranDeck) -> StructuralModel:
    """The whole of a deck whose parts are all given by elements."""
    numbers = [*([0] if deck.main is not None else []), *(part.id for part in deck.parts)]
    models = [*([deck.main] if deck.main is not None else []), *(part.model for part in deck.parts)]
    start = np.cumsum([0, *(len(m.nodes) for m in models)])
    positions = np.vstack([m.nodes.positions for m in models])
    kept = np.concatenate([_points(m) for m in models])
    leader = _leaders(deck, numbers, models, start, positions, kept)
    rows, place = np.unique(leader[kept], return_inverse=True)  # rows: the point that represents each node of the whole
    target = np.full(len(leader), -1, np.int64)
    target[kept] = place.ravel()
    ids, notes = _ids(models, start, rows)
    axes = _axes(models, target, ids, positions, len(rows))
    scalar = np.concatenate([_scalar(m) for m in models])[rows]
    nodes = Nodes(ids, positions[rows], axes, scalar if scalar.any() else None)
    of = [target[start[i] : start[i + 1]] for i in range(len(models))]
    model = _merged(deck, numbers, models, of, nodes, notes)
    shared = np.bincount(np.concatenate([np.unique(t[t >= 0]) for t in of]), minlength=len(rows)) > 1
    components = tuple(
        Component(number, _component(m, t, nodes, shared, int(start[i] + ids.max() + 1)))
        for i, (number, m, t) in enumerate(zip(numbers, models, of))
    )
    return model.changed(parts=components)


def _scalar(model: StructuralModel) -> BoolArray:
    return np.zeros(len(model.nodes), np.bool_) if model.nodes.scalar is None else np.asarray(model.nodes.scalar)


def _points(model: StructuralModel) -> BoolArray:
    """(n,) True for points of the structure: all but scalar points without element or tie."""
    return np.asarray(~_scalar(model) | used_nodes(model))


def _leaders(
    deck: NastranDeck,
    numbers: Sequence[int],
    models: Sequence[StructuralModel],
    start: IntArray,
    positions: FloatArray,
    kept: BoolArray,
) -> IntArray:
    """(n,) for every point of every component the first point that it is one with."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    reach = _SAME_PLACE * (float(np.ptp(positions[kept], axis=0).max()) or 1.0)
    pairs: list[IntArray] = []
    for link in deck.connections:
        sides = []
        for number, points in ((link.first, link.points[:, 0]), (link.second, link.points[:, 1])):
            if number not in numbers:
                raise ModelError("SECONCT names a part that does not exist", found=number, expected=numbers)
            at = numbers.index(number)
            sides.append(models[at].nodes.indices(points) + start[at])
        pair = np.column_stack(sides)
        pair = pair[kept[pair].all(axis=1)]
        apart = np.linalg.norm(positions[pair[:, 0]] - positions[pair[:, 1]], axis=1)
        if len(pair) and apart.max() > reach:
            raise ModelError(
                "points joined by SECONCT do not coincide",
                found=f"{apart.max():.4g} m between part {link.first} and part {link.second}",
            )
        pairs.append(pair)
    owner = np.repeat(np.arange(len(models)), np.diff(start))
    automatic = np.isin(owner, [numbers.index(part.id) for part in deck.parts if not part.manual])
    solid = np.flatnonzero(kept & ~np.concatenate([_scalar(m) for m in models]))
    near = solid[cKDTree(positions[solid]).query_pairs(reach, output_type="ndarray").reshape(-1, 2)]
    near = near[(owner[near[:, 0]] != owner[near[:, 1]]) & automatic[near].any(axis=1)]
    links = np.vstack([*pairs, near])
    graph = coo_array((np.ones(len(links)), (links[:, 0], links[:, 1])), shape=(len(owner), len(owner)))
    _, label = connected_components(graph, directed=False)
    _, first = np.unique(label, return_index=True)
    return np.asarray(first[label])


def _ids(models: Sequence[StructuralModel], start: IntArray, rows: IntArray) -> tuple[IntArray, list[str]]:
    """Ids of the whole: those written, but for a point of a later part whose id is taken already."""
    ids = np.concatenate([m.nodes.ids for m in models])[rows]
    _, first = np.unique(ids, return_index=True)
    again = np.setdiff1d(np.arange(len(ids)), first)
    if not len(again):
        return ids, []
    new = int(ids.max()) + 1 + np.arange(len(again))
    listed = ", ".join(f"{a} to {b}" for a, b in zip(ids[again][:5], new[:5]))
    ids = ids.copy()
    ids[again] = new
    more = ", ..." if len(again) > 5 else ""
    return ids, [f"{len(again)} points of parts have ids that other parts use and are renumbered: {listed}{more}"]


def _axes(
    models: Sequence[StructuralModel], target: IntArray, ids: IntArray, positions: FloatArray, size: int
) -> FloatArray | None:
    if all(m.nodes.axes is None for m in models):
        return None
    each = np.concatenate(
        [np.broadcast_to(np.eye(3), (len(m.nodes), 3, 3)) if m.nodes.axes is None else m.nodes.axes for m in models]
    )
    out = np.full((size, 3, 3), np.nan)
    for row, turned in zip(target, each):
        if row < 0:
            continue
        if np.isnan(out[row, 0, 0]):
            out[row] = turned
        elif np.abs(out[row] - turned).max() > 1e-9:
            raise ModelError(
                "a point has different displacement axes in two parts", ids=(int(ids[row]),), found=f"node {ids[row]}"
            )
    return out


def _merged(
    deck: NastranDeck,
    numbers: Sequence[int],
    models: Sequence[StructuralModel],
    of: Sequence[IntArray],
    nodes: Nodes,
    notes: list[str],
) -> StructuralModel:
    first = next((m for m in models if m.elements), models[0])
    for number, m in zip(numbers, models):
        if m.elements and (m.mass_recipe, m.drilling) != (first.mass_recipe, first.drilling):
            raise ModelError("the parts specify different mass models or drilling stiffness", found=f"part {number}")
    elements: list[ElementBlock] = []
    constraints: list[Constraint] = []
    sections: list[Section] = []
    entries: list[CardEntry] = []
    taken = 0
    held = np.zeros((len(nodes), 6), np.bool_)
    for m, t in zip(models, of):
        largest = max((int(block.ids.max(initial=0)) for block in m.elements), default=0)
        shift = 0 if largest == 0 or taken == 0 else 10 ** len(str(max(taken, largest)))
        for block in m.elements:
            values: dict[str, Any] = {"nodes": np.where(block.nodes < 0, -1, t[block.nodes]), "ids": block.ids + shift}
            if hasattr(block, "section"):
                values["section"] = block.section + len(sections)
            elements.append(block.changed(**values))
        taken = max(taken, largest + shift)
        if shift:
            notes.append(f"element ids of {m.name} are shifted by {shift}")
        constraints += [_tie(c, t) for c in m.constraints]
        sections += m.sections
        inside = t[m.supports.nodes] >= 0
        np.logical_or.at(held, t[m.supports.nodes[inside]], m.supports.fixed[inside])
        entries += m.ledger.entries
        notes += [note for note in m.ledger.notes if note not in notes]
    base, none = models[0], np.zeros((0, 2), np.int64)
    where = np.flatnonzero(held.any(axis=1))
    parts = ", ".join(str(part.id) for part in deck.parts)
    notes.append(f"superelement parts {parts} and the main structure are joined to one model")
    return base.changed(
        nodes=nodes,
        elements=tuple(elements),
        sections=tuple(sections),
        materials=tuple(material for m in models for material in m.materials),
        constraints=tuple(constraints),
        supports=Supports(where, held[where]),
        node_sets={},
        element_sets={},
        mass_recipe=first.mass_recipe,
        drilling=first.drilling,
        auto_constrain=first.auto_constrain,
        analysis=replace(base.analysis, interface=none, modal_points=0, reference=none)
        if deck.main is not None
        else Analysis(),
        ledger=Ledger(base.ledger.source, _summed(entries), tuple(notes)),
    )


def _tie(constraint: Constraint, t: IntArray) -> Constraint:
    """A constraint on the nodes of the whole."""

    def moved(rows: IntArray) -> IntArray:
        return np.column_stack([t[rows[:, 0]], rows[:, 1]])

    values: dict[str, Any] = {
        word: moved(getattr(constraint, word))
        for word in ("independent", "dependent", "terms")
        if getattr(constraint, word, None) is not None
    }
    if isinstance(constraint, Interpolation):
        values["reference"] = int(t[constraint.reference])
    return replace(constraint, **values)


def _summed(entries: Sequence[CardEntry]) -> tuple[CardEntry, ...]:
    counts: dict[tuple[str, str, str], CardEntry] = {}
    for entry in entries:
        key = (entry.card, entry.fate, entry.reason)
        known = counts.get(key)
        counts[key] = entry if known is None else replace(known, count=known.count + entry.count)
    return tuple(counts.values())


def _component(
    model: StructuralModel, target: IntArray, whole: Nodes, shared: BoolArray, spare: int
) -> StructuralModel:
    """The model with the ids and places of the whole, its points shared with others being its interface."""
    named = np.where(target >= 0, whole.ids[target], spare + np.arange(len(target)))
    places = np.where((target >= 0)[:, None], whole.positions[target], model.nodes.positions)
    free = np.zeros((len(target), 6), np.bool_)
    free[(target >= 0) & shared[target] & ~_scalar(model)] = True
    free[model.supports.nodes] &= ~model.supports.fixed
    known = model.analysis.interface
    free[known[:, 0], known[:, 1]] = True
    return model.changed(
        nodes=replace(model.nodes, ids=named, positions=places),
        analysis=replace(model.analysis, interface=np.argwhere(free)),
    )
