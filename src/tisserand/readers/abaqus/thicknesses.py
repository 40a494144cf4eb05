"""NODAL THICKNESS, and SHELL THICKNESS of a section with its DISTRIBUTION: shells thicker or thinner than stated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.scan import Keyword

if TYPE_CHECKING:
    from tisserand.readers.abaqus.sections import Owner

_ASKED = "NODAL THICKNESS"


def read_thicknesses(draft: Draft, owners: list[Owner]) -> None:
    """Thickness by node (n,), NaN where none is stated, and by element id, m, kept in the draft."""
    asked = {word for owner in owners for word in (_ASKED, "SHELL THICKNESS") if word in owner.keyword.options}
    names = {str(owner.keyword.label("SHELL THICKNESS")) for owner in owners}
    for context, keyword in draft.deck.model:
        if keyword.name == _ASKED:
            if _ASKED not in asked:
                draft.record(f"*{_ASKED}", "skipped", "no section asks for it")
                continue
            if "GENERATE" in keyword.options:
                raise keyword.error("generated thicknesses are not read", expected="a thickness for every node or set")
            if not len(draft.nodal_thickness):
                draft.nodal_thickness = np.full(len(draft.node_ids), np.nan)
            for row, items in keyword.rows():
                nodes = draft.index(draft.nodes_of(context, items[0], keyword, row))
                draft.nodal_thickness[nodes] = _length(draft, keyword, row, items)
            draft.record(f"*{_ASKED}", "used")
        elif keyword.name == "DISTRIBUTION":
            if context.full(str(keyword.label("NAME"))) not in names and str(keyword.label("NAME")) not in names:
                draft.record("*DISTRIBUTION", "dropped", "only a SHELL THICKNESS is read from a distribution")
                continue
            values = draft.distributions.setdefault(str(keyword.label("NAME")), {})
            for row, items in keyword.rows():
                value = _length(draft, keyword, row, items)
                elements = draft.elements_of(context, items[0], keyword, row).tolist() if items[0] else [0]
                values.update(dict.fromkeys(elements, value))
            draft.record("*DISTRIBUTION", "used")


def _length(draft: Draft, keyword: Keyword, row: int, items: list[str]) -> float:
    value = keyword.number(row, items[1], np.nan) if len(items) > 1 else np.nan
    if not value > 0.0:
        raise keyword.error("a thickness must be above zero", row=row, found=keyword.data[row].strip())
    return float(value * draft.units.length)


def taper_of(draft: Draft, owner: Owner, ids: IntArray, nodes: IntArray) -> FloatArray | None:
    """(m, k): thickness at the nodes of shells over that of their section; None where the section states it."""
    keyword = owner.keyword
    if _ASKED in keyword.options:
        known = draft.nodal_thickness[nodes] if len(draft.nodal_thickness) else np.full(nodes.shape, np.nan)
        k = 3 if nodes.shape[1] in (3, 6) else 4
        if nodes.shape[1] > k:  # a midside node without one has the mean of its corners
            middle = 0.5 * (known[:, :k] + np.roll(known[:, :k], -1, axis=1))
            known[:, k : 2 * k] = np.where(np.isnan(known[:, k : 2 * k]), middle, known[:, k : 2 * k])
        missing = np.isnan(known)
        if missing.any():
            node = int(draft.node_ids[nodes[missing][0]])
            raise keyword.error(
                "the section takes its thickness from the nodes, but a node has none",
                found=f"node {node} of element {int(ids[np.argmax(missing.any(axis=1))])}",
                advice="state it with *NODAL THICKNESS",
            )
        if owner.offset:
            raise keyword.error(
                "an offset by a fraction of a thickness that varies is not supported",
                found=f"OFFSET={keyword.options['OFFSET']}",
                advice="put the nodes on the middle surface",
            )
        return None if (known == owner.thickness).all() else np.asarray(known / owner.thickness)
    if "SHELL THICKNESS" in keyword.options:
        name = str(keyword.label("SHELL THICKNESS"))
        values = draft.distributions.get(name)
        if values is None:
            raise keyword.error(
                "unknown distribution", found=name, expected=", ".join(draft.distributions) or "a *DISTRIBUTION"
            )
        own = np.array([values.get(int(i), values.get(0, np.nan)) for i in ids])
        if np.isnan(own).any():
            raise keyword.error(
                "the distribution states no thickness", found=f"element {int(ids[np.argmax(np.isnan(own))])}"
            )
        return np.repeat(own[:, None] / owner.thickness, nodes.shape[1], axis=1)
    return None
