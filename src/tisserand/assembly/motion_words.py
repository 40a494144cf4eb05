"""Which nodes take part in a set of motions, and in which directions: the wording of all errors about mechanisms."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel

#: A dof takes part when it moves by more than this share of the largest (rotations over the size of the model).
_SHARE = 0.1
_WORDS = ("x", "y", "z", "rotation x", "rotation y", "rotation z")


def moving_nodes(model: AssembledModel, shapes: FloatArray, most: int = 10) -> IntArray:
    """Ids of the nodes that move most in the motions (d, k), strongest first."""
    return np.asarray(model.nodes.ids[_rows(_shares(model, shapes), most)])


def motion_words(model: AssembledModel, shapes: FloatArray, most: int = 8) -> str:
    """``node 3 (rotation y), node 4 (z, rotation y)``: the nodes that move most and their components, in node axes."""
    share = _shares(model, shapes)
    rows = _rows(share, most + 1)
    text = ", ".join(f"{model.nodes.ids[row]} ({directions(share[row] > _SHARE)})" for row in rows[:most])
    more = ", ..." if len(rows) > most else ""
    return f"node{'s' if len(rows) > 1 else ''} {text}{more}"


def directions(taken: BoolArray) -> str:
    """The six components of a node that are True, in words."""
    return ", ".join(word for word, used in zip(_WORDS, taken) if used)


def _shares(model: AssembledModel, shapes: FloatArray) -> FloatArray:
    """(n, 6) largest movement over all motions, each measured against its own largest."""
    reach = float(np.ptp(model.nodes.positions, axis=0).max()) or 1.0
    size = np.abs(shapes) * np.where(model.dofs.component >= 3, reach, 1.0)[:, None]
    size = (size / np.maximum(size.max(axis=0, initial=0.0), 1e-300)).max(axis=1, initial=0.0)
    share = np.zeros((len(model.nodes), 6))
    np.maximum.at(share, (model.dofs.node, model.dofs.component), size)
    return share


def _rows(share: FloatArray, most: int) -> IntArray:
    largest = share.max(axis=1)
    rows = np.argsort(-largest, kind="stable")[:most]
    return np.asarray(rows[largest[rows] > _SHARE])
