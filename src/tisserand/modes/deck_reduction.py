"""The reduction that a deck requests: static (ASET), component modes (QSET), or superelement part by part.

References: [Guyan1965], [CraigBampton1968].
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.assembly import assemble
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError, TooManyModesError
from tisserand.model import Analysis, Component, Supports
from tisserand.modes.component import ReducedComponent
from tisserand.modes.coupling import couple
from tisserand.modes.floating_frames import connection, converted, frame_of
from tisserand.modes.modal_basis import FrameConstraint, FrameName, ModalBasis, Mounting
from tisserand.modes.mounted import mounted_modes
from tisserand.modes.reductions import guyan, mixed_boundary
from tisserand.modes.rigid import allowed_motions
from tisserand.modes.soft_grounds import lost_in_reduction
from tisserand.modes.solve import direct_modes, normalized


@dataclass(frozen=True)
class DeckMount:
    """The node at which a floating reduced model will be mounted, and the span of its modes."""

    node_id: int
    mounting: Mounting


def reduced_modes(model: AssembledModel, *, mount: DeckMount | None = None, **options: Any) -> ModalBasis:
    """Modes in the subspace that the boundary set spans: Guyan with ASET alone, Craig-Bampton with QSET; shapes at all nodes.

    mount: modes for a mount, within that subspace; it must hold the six dofs of the node.
    """
    assert model.structure is not None
    asked = model.structure.analysis
    loose = mount is not None or bool(options.get("free"))
    supports = Supports() if loose else None
    if asked.modal_points:
        part = _component_modes(model, asked, supports)
        kind = "Craig-Bampton" if part.method == "craig-bampton" else "mixed boundary"
        words = f"{kind}, {len(part.physical)} boundary dofs and {len(part.modal)} modes{_spare(part, asked)} (ASET/BSET, QSET)"
    else:
        part = guyan(model, asked.interface, supports=supports)
        words = f"static condensation to {len(part.physical)} dofs (ASET)"
    inner = part.as_model()
    found = _solved(inner, mount, _within(inner.size, options))
    note = f"the reduction in the deck was applied: {words}; --full solves the full model"
    return _over_all(found, part.model, part.shapes @ found.shapes, note, mount, options)


def _solved(inner: AssembledModel, mount: DeckMount | None, options: dict[str, Any]) -> ModalBasis:
    """Modes of the reduced system; its own frame and normalization belong to the whole model, whose dofs it lacks."""
    options = {**options, "frame": None, "normalization": "mass"}
    if mount is None:
        return direct_modes(inner, **options)
    return mounted_modes(inner, mount.node_id, mount.mounting, **options)


def _over_all(
    found: ModalBasis,
    model: AssembledModel,
    shapes: FloatArray,
    note: str,
    mount: DeckMount | None,
    options: dict[str, Any],
) -> ModalBasis:
    """The basis with its shapes over all dofs, in the requested frame and normalization.

    Held shapes vanish at the supports; floating ones are in the mean axes of the reduced system, whose rows hold here too,
    because rigid motions are in the subspace.
    """
    fixed = np.zeros(model.size, np.bool_)
    if mount is not None:
        (row,) = model.nodes.indices([mount.node_id])
        fixed = (model.dofs.node == row) & bool(mount.mounting == "clamped")
    elif not options.get("free"):
        fixed = model.dofs.fixed_by(model.supports)
    own = connection(model) if mount is None and fixed.any() else frame_of(model, "buckens")
    frame: FrameConstraint | FrameName | None = options.get("frame")
    wanted = own if frame is None else frame_of(model, frame) if isinstance(frame, str) else frame
    lost = lost_in_reduction(model, allowed_motions(model, fixed), shapes, found.rigid_body_modes)
    notes = (*found.notes, note, *([lost] if lost else []))
    made = replace(found, model=model, shapes=shapes, frame=own, fixed=fixed, notes=notes)
    if wanted is not own and wanted.name != own.name:
        made = converted(made, wanted, drop_dependent=False)
    return normalized(made, options.get("normalization", "mass"))


def require_kept(model: AssembledModel, node_id: int) -> None:
    """Refuse a mount at a node whose six dofs the deck's own reduction does not keep."""
    assert model.structure is not None
    kept: set[int] = set()
    if model.structure.parts:
        for item in model.structure.parts:
            own = item.model.nodes.ids
            if item.part == 0:
                kept |= set(range(6)) if node_id in own else set()
            else:
                kept |= {int(c) for n, c in item.model.analysis.interface if int(own[n]) == node_id}
    else:
        ids = model.nodes.ids
        kept = {int(c) for n, c in model.structure.analysis.interface if int(ids[n]) == node_id}
    if len(kept) == 6:
        return
    what = "superelements" if model.structure.parts else "ASET or QSET"
    raise InputError(
        f"the reduction that the deck requests ({what}) does not keep all of the attachment",
        where=f"node {node_id}",
        found=f"components {''.join(str(c + 1) for c in sorted(kept))} kept" if kept else "no component kept",
        expected="123456",
        advice="add the node to the ASET (ASET1,123456,...) or to the boundary of its superelement, or solve the whole model "
        "(--full)",
    )


def coupled_modes(model: AssembledModel, *, mount: DeckMount | None = None, **options: Any) -> ModalBasis:
    """Modes of superelement parts, each reduced as its deck requests (Craig-Bampton with QSET, else static); shapes at all nodes.

    ``model`` is the whole, assembled; the main structure stays unreduced. mount: modes for a mount at a node that is kept.
    """
    assert model.structure is not None
    loose = mount is not None or bool(options.get("free"))
    used = [item for item in model.structure.parts if item.model.elements]
    parts = [_reduced_part(item, model.mass_recipe, loose) for item in used]
    bare = couple(parts)
    held = np.zeros((len(bare.model.nodes), 6), np.bool_)
    whole = np.zeros((len(model.nodes), 6), np.bool_)
    np.logical_or.at(whole, model.supports.nodes, model.supports.fixed)
    real = np.isin(bare.model.nodes.ids, model.nodes.ids)
    held[real] = whole[model.nodes.indices(bare.model.nodes.ids[real])]
    rows = np.flatnonzero(held.any(axis=1))
    system = couple(parts, supports=Supports(rows, held[rows]))
    found = _solved(system.model, mount, _within(system.model.size, options))
    motion = np.zeros((len(model.nodes), 6, found.shapes.shape[1]))
    for number, part in enumerate(parts):
        own = np.isin(part.model.nodes.ids, model.nodes.ids)
        motion[model.nodes.indices(part.model.nodes.ids[own])] = system.recovered(number, found.shapes)[own]
    if model.nodes.axes is not None:
        turned = np.einsum("nab,ngbk->ngak", model.nodes.axes, motion.reshape(len(model.nodes), 2, 3, -1))
        motion = turned.reshape(motion.shape)
    kinds = ", ".join(
        f"part {item.part} {part.method} with {len(part.modal)} modes{_spare(part, item.model.analysis)}"
        for item, part in zip(used, parts)
    )
    note = f"the superelements were reduced as specified in the deck: {kinds}; --full solves the unreduced model"
    return _over_all(found, model, motion[model.dofs.node, model.dofs.component], note, mount, options)


def _within(size: int, options: dict[str, Any]) -> dict[str, Any]:
    """No more modes than the reduced system has dofs."""
    count = options.get("count")
    return options if count is None else {**options, "count": min(int(count), size)}


def _reduced_part(item: Component, mass: Any, let_go: bool) -> ReducedComponent:
    """A part at its interface and with its modal points; the main structure (0) with all its dofs; let_go: nothing held."""
    model = assemble(item.model, mass=mass)
    supports = Supports() if let_go else None
    if item.part == 0:
        free = ~model.held(supports)
        return guyan(model, np.column_stack([model.dofs.node[free], model.dofs.component[free]]), supports=supports)
    asked = item.model.analysis
    if asked.modal_points:
        return _component_modes(model, asked, supports)
    return guyan(model, asked.interface, supports=supports)


def _component_modes(model: AssembledModel, asked: Analysis, supports: Supports | None) -> ReducedComponent:
    """Static shapes of the interface and as many modes as QSET has points, the interface held but for CSET and BNDFREE dofs."""
    loose = {tuple(row) for row in asked.free_interface.tolist()}
    fixed = np.array([row for row in asked.interface.tolist() if tuple(row) not in loose], np.int64).reshape(-1, 2)
    free = np.array([row for row in asked.interface.tolist() if tuple(row) in loose], np.int64).reshape(-1, 2)
    count = asked.modal_points
    while True:  # a generous QSET: Nastran holds the points that are left over
        try:
            return mixed_boundary(model, fixed, free, count=count, supports=supports)
        except TooManyModesError as error:
            if not error.most < count:
                raise
            count = error.most


def _spare(part: ReducedComponent, asked: Analysis) -> str:
    """Words about modal points without a mode, if there are any."""
    left = asked.modal_points - len(part.modal)
    return f" (all there are; QSET has {asked.modal_points} points)" if left > 0 else ""
