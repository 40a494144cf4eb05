"""What a deck asks for beyond its structure: static or component-mode reduction (ASET, QSET)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tisserand.assembly.types import AssembledModel

if TYPE_CHECKING:
    from tisserand.modes.types import ModalBasis


def asks_reduction(model: AssembledModel) -> bool:
    """Whether the source names a boundary set to be reduced to."""
    return model.structure is not None and len(model.structure.analysis.interface) > 0


def solve_reduced(model: AssembledModel, **options: Any) -> ModalBasis:
    """Modes in the subspace the deck asks for: Guyan with ASET alone, Craig-Bampton with modal points; shapes at all nodes."""
    from tisserand.modes import solve_modes
    from tisserand.modes.reductions import craig_bampton, guyan

    assert model.structure is not None
    asked = model.structure.analysis
    if asked.modal_points:
        part = craig_bampton(model, asked.interface, count=asked.modal_points)
        words = f"Craig-Bampton, {len(part.physical)} boundary dofs and {len(part.modal)} modes (ASET/BSET, QSET)"
    else:
        part = guyan(model, asked.interface)
        words = f"static condensation to {len(part.physical)} dofs (ASET)"
    wanted = options.get("count")
    inner = part.as_model()
    if wanted is not None:
        options = {**options, "count": min(int(wanted), inner.size)}
    found = solve_modes(inner, **options)
    subspace = part.as_basis()
    shapes = np.asarray(subspace.shapes @ found.shapes)
    note = f"the deck's own reduction was applied: {words}; --full solves the whole model"
    fixed = model.dofs.fixed_by(model.supports)
    return replace(found, model=model, shapes=shapes, frame=subspace.frame, fixed=fixed, notes=(*found.notes, note))
