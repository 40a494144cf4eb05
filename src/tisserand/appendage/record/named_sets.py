"""Named sets of nodes and elements as a record keeps them: ranges of ids in words, such as ``1-720, 801``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tisserand.arrays import BoolArray, IntArray


def ranges_of(ids: IntArray) -> str:
    """Ids in rising order with runs of neighbors as ``first-last``."""
    every = np.unique(np.asarray(ids, np.int64))
    if not len(every):
        return ""
    ends = np.flatnonzero(np.diff(every) != 1)
    first, last = every[np.concatenate([[0], ends + 1])], every[np.concatenate([ends, [len(every) - 1]])]
    return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in zip(first.tolist(), last.tolist()))


def pairs_of(text: str) -> IntArray:
    """First and last id of every range of ``ranges_of``, (r, 2)."""
    pairs = [[int(word) for word in part.split("-")] for part in text.split(", ") if part]
    return np.array([[pair[0], pair[-1]] for pair in pairs], np.int64).reshape(-1, 2)


def members(text: str, ids: IntArray) -> BoolArray:
    """Which of ``ids`` (n,) belong to a set."""
    inside = np.zeros(len(ids), bool)
    for first, last in pairs_of(text):
        inside |= (ids >= first) & (ids <= last)
    return inside


def sets_report(nodes: Mapping[str, IntArray], elements: Mapping[str, IntArray]) -> dict[str, Any]:
    """What a record keeps of the sets of its model."""
    return {
        "nodes": {name: ranges_of(ids) for name, ids in nodes.items()},
        "elements": {name: ranges_of(ids) for name, ids in elements.items()},
    }
