"""Strain-free motions in words: which parts of a structure nothing joins to the rest, and what hangs loose inside a part.

Serves the count of [Parlett1980]; rigid vectors of theory section 1.1.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.motion_words import motion_words
from tisserand.assembly.topology import separate_parts

#: A part moves when it moves by more than this share of the largest movement.
_MOVES = 1e-6
#: Parts that are named one by one.
_NAMED = 6


def loose_words(model: AssembledModel, shapes: FloatArray) -> tuple[str, ...]:
    """One phrase per loose part of the motions (d, k); the nodes that move most where the structure is in one piece."""
    parts = [] if model.structure is None else separate_parts(model.structure)
    if len(parts) < 2:
        return (f"motion of {motion_words(model, shapes)}",)
    largest = np.abs(shapes).max(axis=0, initial=0.0)
    moves = (np.abs(shapes) > _MOVES * np.maximum(largest, 1e-300)).any(axis=1)
    held = model.held()
    reference = parts[0] if not any(_at(model, part)[held].any() for part in parts) else None
    loose = [part for part in parts if part is not reference and moves[_at(model, part)].any()]
    words = [_named(model, part, bool(held[_at(model, part)].any())) for part in loose[:_NAMED]]
    if len(loose) > _NAMED:
        words.append(f"and {len(loose) - _NAMED} more parts")
    if shapes.shape[1] > 6 * len(loose):  # more than the rigid motions of the parts
        words.append(f"further motions within parts, at {motion_words(model, shapes)}")
    return tuple(words)


def _at(model: AssembledModel, part: IntArray) -> BoolArray:
    """(d,) True for the dofs of a part."""
    inside = np.zeros(len(model.nodes), np.bool_)
    inside[part] = True
    return np.asarray(inside[model.dofs.node])


def _named(model: AssembledModel, part: IntArray, held: bool) -> str:
    ids = np.sort(model.nodes.ids[part])
    nodes = f"node {ids[0]}" if len(ids) == 1 else f"{len(ids)} nodes (from {ids[0]} to {ids[-1]})"
    return f"the part of {nodes} is joined to no other and {'not fully held' if held else 'held nowhere'}"
