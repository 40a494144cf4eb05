"""What a deck asks for beyond its structure: static or component-mode reduction (ASET, QSET), also part by part."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError
from tisserand.model import Supports

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tisserand.modes.component import ReducedComponent
    from tisserand.modes.modal_basis import ModalBasis
    from tisserand.readers.nastran import Component


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
        words = (
            f"Craig-Bampton, {len(part.physical)} boundary dofs and {len(part.modal)} modes (ASET/BSET, QSET)"
        )
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
    return replace(
        found, model=model, shapes=shapes, frame=subspace.frame, fixed=fixed, notes=(*found.notes, note)
    )


def solve_parts(
    model: AssembledModel, *, components: Sequence[Component], mass: str | None = None, **options: Any
) -> ModalBasis:
    """Modes of a deck of superelement parts, each reduced as it asks (Craig-Bampton with QSET, else static); shapes at all nodes.

    ``model`` is the whole, assembled; the main structure stays unreduced.
    """
    from tisserand.modes import solve_modes
    from tisserand.modes.coupling import couple
    from tisserand.modes.modal_basis import FrameConstraint

    if options.get("frame") is not None:
        raise InputError(
            "modes of reduced superelements are given in their own frame only",
            found="a frame",
            advice="leave the frame out, or solve the whole with --full",
        )
    used = [item for item in components if item.model.elements]
    parts = [_reduced_part(item, mass) for item in used]
    bare = couple(parts)
    held = np.zeros((len(bare.model.nodes), 6), np.bool_)
    whole = np.zeros((len(model.nodes), 6), np.bool_)
    np.logical_or.at(whole, model.supports.nodes, model.supports.fixed)
    real = np.isin(bare.model.nodes.ids, model.nodes.ids)
    held[real] = whole[model.nodes.indices(bare.model.nodes.ids[real])]
    rows = np.flatnonzero(held.any(axis=1))
    system = couple(parts, supports=Supports(rows, held[rows]))
    if options.get("count") is not None:
        options = {**options, "count": min(int(options["count"]), system.model.size)}
    found = solve_modes(system.model, **options)
    motion = np.zeros((len(model.nodes), 6, found.shapes.shape[1]))
    for number, part in enumerate(parts):
        own = np.isin(part.model.nodes.ids, model.nodes.ids)
        motion[model.nodes.indices(part.model.nodes.ids[own])] = system.recovered(number, found.shapes)[own]
    if model.nodes.axes is not None:
        turned = np.einsum("nab,ngbk->ngak", model.nodes.axes, motion.reshape(len(model.nodes), 2, 3, -1))
        motion = turned.reshape(motion.shape)
    shapes = motion[model.dofs.node, model.dofs.component]
    kinds = ", ".join(
        f"part {item.part} {part.method} with {len(part.modal)} modes" for item, part in zip(used, parts)
    )
    note = f"the deck's superelements were reduced as it asks: {kinds}; --full solves the whole unreduced"
    return replace(
        found,
        model=model,
        shapes=shapes,
        frame=FrameConstraint("prescribed", "modes of coupled superelements"),
        fixed=model.dofs.fixed_by(model.supports),
        notes=(*found.notes, note),
    )


def _reduced_part(item: Component, mass: str | None) -> ReducedComponent:
    """A part at its interface and with its modal points; the main structure (0) with all its dofs."""
    from tisserand.assembly import assemble
    from tisserand.modes.reductions import craig_bampton, guyan

    model = assemble(item.model, mass=mass)  # type: ignore[arg-type]
    if item.part == 0:
        free = ~model.held()
        return guyan(model, np.column_stack([model.dofs.node[free], model.dofs.component[free]]))
    asked = item.model.analysis
    if asked.modal_points:
        return craig_bampton(model, asked.interface, count=asked.modal_points)
    return guyan(model, asked.interface)
