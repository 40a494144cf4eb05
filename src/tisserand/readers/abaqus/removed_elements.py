"""MODEL CHANGE, TYPE=ELEMENT: elements that a step takes out of the model, or puts back."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import IntArray
from tisserand.model import ElementBlock
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft


def without_removed(draft: Draft, blocks: list[ElementBlock], last: int | None) -> list[ElementBlock]:
    """The blocks as they are in the step of index ``last`` (None: after all steps)."""
    gone: IntArray = np.zeros(0, np.int64)
    for number, step in enumerate(draft.deck.steps):
        for keyword in step:
            if keyword.name != "MODEL CHANGE" or keyword.options.get("TYPE", "ELEMENT").upper() != "ELEMENT":
                continue
            draft.taken.add(id(keyword))
            if last is not None and number > last:
                draft.record("*MODEL CHANGE", "skipped", "of a later step")
                continue
            named = [
                draft.elements_of(Context(), item, keyword, row)
                for row, items in keyword.rows()
                for item in items
                if item
            ]
            ids = np.concatenate(named) if named else np.zeros(0, np.int64)
            gone = np.union1d(gone, ids) if "REMOVE" in keyword.options else np.setdiff1d(gone, ids)
            draft.record("*MODEL CHANGE", "used")
    if not len(gone):
        return blocks
    kept = [block.select(np.flatnonzero(~np.isin(block.ids, gone))) for block in blocks]
    draft.assume(f"*MODEL CHANGE takes {len(gone)} elements out of the model")
    return [block for block in kept if len(block)]
