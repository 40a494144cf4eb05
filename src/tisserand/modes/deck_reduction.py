"""The reduction that a deck requests: static (ASET), component modes (QSET), or superelement part by part.

References: [Guyan1965], [CraigBampton1968].
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tisserand.assembly import assemble
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError
from tisserand.model import Component, Supports
from tisserand.modes.component import ReducedComponent
from tisserand.modes.coupling import couple
from tisserand.modes.modal_basis import FrameConstraint, ModalBasis
from tisserand.modes.reductions import craig_bampton, guyan
from tisserand.modes.solve import direct_modes


def reduced_modes(model: AssembledModel, **options: Any) -> ModalBasis:
    """Modes in the subspace that the boundary set spans: Guyan with ASET alone, Craig-Bampton with QSET; shapes at all nodes."""
    assert model.structure is not None
    asked = model.structure.analysis
    if asked.modal_points:
        part = craig_bampton(model, asked.interface, count=asked.modal_points)
        words = f"Craig-Bampton, {len(part.physical)} boundary dofs and {len(part.modal)} modes (ASET/BSET, QSET)"
    else:
        part = guyan(model, asked.interface)
        words = f"static condensation to {len(part.physical)} dofs (ASET)"
    inner = part.as_model()
    found = direct_modes(inner, **_within(inner.size, options))
    subspace = part.as_basis()
    return replace(
        found,
        model=model,
        shapes=np.asarray(subspace.shapes @ found.shapes),
        frame=subspace.frame,
        fixed=model.dofs.fixed_by(model.supports),
        notes=(*found.notes, f"the reduction in the deck was applied: {words}; --full solves the full model"),
    )


def coupled_modes(model: AssembledModel, **options: Any) -> ModalBasis:
    """Modes of superelement parts, each reduced as it asks (Craig-Bampton with QSET, else static); shapes at all nodes.

    ``model`` is the whole, assembled; the main structure stays unreduced.
    """
    assert model.structure is not None
    if options.get("frame") is not None:
        raise InputError(
            "modes of reduced superelements are available in their frame only",
            found="a frame",
            advice="omit the frame, or solve the full model with --full",
        )
    used = [item for item in model.structure.parts if item.model.elements]
    parts = [_reduced_part(item, model.mass_recipe) for item in used]
    bare = couple(parts)
    held = np.zeros((len(bare.model.nodes), 6), np.bool_)
    whole = np.zeros((len(model.nodes), 6), np.bool_)
    np.logical_or.at(whole, model.supports.nodes, model.supports.fixed)
    real = np.isin(bare.model.nodes.ids, model.nodes.ids)
    held[real] = whole[model.nodes.indices(bare.model.nodes.ids[real])]
    rows = np.flatnonzero(held.any(axis=1))
    system = couple(parts, supports=Supports(rows, held[rows]))
    found = direct_modes(system.model, **_within(system.model.size, options))
    motion = np.zeros((len(model.nodes), 6, found.shapes.shape[1]))
    for number, part in enumerate(parts):
        own = np.isin(part.model.nodes.ids, model.nodes.ids)
        motion[model.nodes.indices(part.model.nodes.ids[own])] = system.recovered(number, found.shapes)[own]
    if model.nodes.axes is not None:
        turned = np.einsum("nab,ngbk->ngak", model.nodes.axes, motion.reshape(len(model.nodes), 2, 3, -1))
        motion = turned.reshape(motion.shape)
    kinds = ", ".join(f"part {item.part} {part.method} with {len(part.modal)} modes" for item, part in zip(used, parts))
    note = f"the superelements were reduced as specified in the deck: {kinds}; --full solves the unreduced model"
    return replace(
        found,
        model=model,
        shapes=motion[model.dofs.node, model.dofs.component],
        frame=FrameConstraint("prescribed", "modes of coupled superelements"),
        fixed=model.dofs.fixed_by(model.supports),
        notes=(*found.notes, note),
    )


def _within(size: int, options: dict[str, Any]) -> dict[str, Any]:
    """No more modes than the reduced system has dofs."""
    count = options.get("count")
    return options if count is None else {**options, "count": min(int(count), size)}


def _reduced_part(item: Component, mass: Any) -> ReducedComponent:
    """A part at its interface and with its modal points; the main structure (0) with all its dofs."""
    model = assemble(item.model, mass=mass)
    if item.part == 0:
        free = ~model.held()
        return guyan(model, np.column_stack([model.dofs.node[free], model.dofs.component[free]]))
    asked = item.model.analysis
    if asked.modal_points:
        return craig_bampton(model, asked.interface, count=asked.modal_points)
    return guyan(model, asked.interface)
