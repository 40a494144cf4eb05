"""INITIAL CONDITIONS, TYPE=STRESS: the tension of trusses and the prestress of membranes.

Abaqus states components in the element's own directions (S11; for membranes S11, S22, S12), CalculiX at integration points in
global axes (Sxx, Syy, Szz, Sxy, Sxz, Syz).
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.readers.abaqus.draft import Draft

#: What takes a stated stress; all other elements get theirs from a preload.
_TAKES = ("rod", "membrane")
#: Its line in the ledger.
INITIAL_STRESS = "*INITIAL CONDITIONS, TYPE=STRESS"


def read_initial_stress(draft: Draft) -> dict[int, FloatArray]:
    """Stress tensor (3, 3) Pa by element id: in the element's own axes (Abaqus) or in global axes (CalculiX)."""
    found: dict[int, list[FloatArray]] = {}
    roles = {int(i): group.kind.role for group in draft.groups for i in group.ids}
    for context, keyword in draft.deck.model:
        if keyword.name != "INITIAL CONDITIONS" or keyword.options.get("TYPE", "").upper() != "STRESS":
            continue
        counts = {"used": 0, "skipped": 0}
        for row, items in keyword.rows():
            values = np.array([keyword.number(row, item) for item in [*items[1:8], *[""] * 7][:7]])
            elements = draft.elements_of(context, items[0], keyword, row)
            tensor = _global(values[1:7]) if draft.flavor == "calculix" else None
            for element in elements.tolist():
                role = roles.get(element)
                if role is None:
                    raise keyword.error("the element does not exist", row=row, found=element)
                counts["used" if role in _TAKES else "skipped"] += 1
                if role in _TAKES:
                    own = _own(values, role) if tensor is None else tensor
                    found.setdefault(element, []).append(own * draft.units.pressure)
        for fate, count in counts.items():
            reason = "" if fate == "used" else "only trusses and membranes take a stated stress; others need a preload"
            if count:
                draft.record(INITIAL_STRESS, fate, reason, count)  # type: ignore[arg-type]
    if found:
        draft.note("the stated stress of trusses and membranes is taken as the state at rest, which modes are about")
    return {element: np.mean(parts, axis=0) for element, parts in found.items()}


def _own(values: FloatArray, role: str) -> FloatArray:
    if role == "rod":
        return np.diag([values[0], 0.0, 0.0])
    s11, s22, s12 = values[:3]
    return np.array([[s11, s12, 0.0], [s12, s22, 0.0], [0.0, 0.0, 0.0]])


def _global(values: FloatArray) -> FloatArray:
    xx, yy, zz, xy, xz, yz = values
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def stresses_of(draft: Draft, ids: IntArray, axes: FloatArray) -> FloatArray:
    """(m, 3) Pa: S11, S22, S12 of elements in their own axes (m, 2, 3)."""
    out = np.zeros((len(ids), 3))
    if not draft.initial_stress:
        return out
    for row, element in enumerate(ids.tolist()):
        tensor = draft.initial_stress.get(element)
        if tensor is None:
            continue
        if draft.flavor == "calculix":
            tensor = axes[row] @ tensor @ axes[row].T
        out[row] = tensor[0, 0], tensor[1, 1], tensor[0, 1]
    return out
