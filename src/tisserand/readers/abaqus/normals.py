"""NORMAL: directions that replace those of beam sections and shells at single nodes."""

from __future__ import annotations

import numpy as np

from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword
from tisserand.readers.abaqus.sections import Owner

#: Normals within one degree of the section's own change nothing.
_SAME = np.cos(np.radians(1.0))


def account_for_normals(draft: Draft, owners: list[Owner]) -> None:
    """Drop normals that turn the section of a beam, or that may turn over a shell beside its nodes; others change nothing."""
    for context, keyword in draft.deck.model:
        if keyword.name == "NODE":
            _on_nodes(draft, keyword)
        if keyword.name != "NORMAL":
            continue
        for row, items in keyword.rows():
            stated = np.array([keyword.number(row, item) for item in [*items[2:5], "", "", ""][:3]])
            stated = context.rotation @ stated / max(float(np.linalg.norm(stated)), 1e-300)
            elements = draft.elements_of(context, items[0], keyword, row)
            if any(_turns(draft, owners, int(element), stated) for element in elements):
                reason = f"a normal that turns the section of a beam or a shell beside its nodes (line {keyword.numbers[row]})"
                draft.record("*NORMAL", "dropped", reason)
                break
        else:
            draft.record("*NORMAL", "skipped", "the same as that of the section, or of elements that need none")


def _on_nodes(draft: Draft, keyword: Keyword) -> None:
    """A warning on normals behind the coordinates of nodes, where beams or shells could use them."""
    curved = any(group.kind.role in ("beam", "shell") for group in draft.groups)
    if curved and any(len(items) > 4 and any(items[4:7]) for _, items in keyword.rows()):
        draft.assume(f"normals behind the coordinates of *NODE (line {keyword.line}) are not used")


def _turns(draft: Draft, owners: list[Owner], element: int, stated: np.ndarray) -> bool:
    """Whether a normal differs from the second axis of a beam, or belongs to a shell with an offset."""
    for group in draft.groups:
        rows = np.flatnonzero(group.ids == element)
        owner = next((o for o in reversed(owners) if element in o.elements), None)
        if not len(rows) or owner is None:
            continue
        if group.kind.role == "shell":
            return bool(owner.offset)
        if group.kind.role == "beam":
            ends = draft.position(group.nodes[rows[0]][[0, -1]])
            along = ends[1] - ends[0]
            second = np.cross(along, owner.direction)
            size = float(np.linalg.norm(second))
            return not size or bool(abs(second @ stated) < _SAME * size)
    return False
