"""MODEL CHANGE and EQUATION, REMOVE: elements and equations that a step takes out of the model."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import IntArray
from tisserand.model import Constraint, ElementBlock, Equation
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


def without_removed_equations(draft: Draft, constraints: list[Constraint], last: int | None) -> list[Constraint]:
    """The constraints as they are in the step of index ``last``: EQUATION, REMOVE names dependent components, REMOVE ALL none."""
    kept = constraints
    for step in draft.deck.steps if last is None else draft.deck.steps[: last + 1]:
        for keyword in step:
            if keyword.name != "EQUATION" or not {"REMOVE", "REMOVE ALL"} & set(keyword.options):
                continue
            gone: set[tuple[int, int]] = set()
            for row, items in keyword.rows() if "REMOVE" in keyword.options else ():
                nodes = draft.index(draft.nodes_of(Context(), items[0], keyword, row)).tolist()
                first = keyword.integer(row, items[1])
                last_dof = keyword.integer(row, items[2]) if len(items) > 2 and items[2] else first
                gone |= {(node, dof - 1) for node in nodes for dof in range(first, last_dof + 1)}
            before = len(kept)
            kept = [item for item in kept if not _removed(item, gone, "REMOVE ALL" in keyword.options)]
            draft.assume(f"*EQUATION (line {keyword.line}) takes {before - len(kept)} equations out of the model")
    return kept


def _removed(constraint: Constraint, gone: set[tuple[int, int]], everything: bool) -> bool:
    if not isinstance(constraint, Equation) or constraint.card != "EQUATION":
        return False
    node, component = constraint.terms[0].tolist()
    return everything or (node, component) in gone
