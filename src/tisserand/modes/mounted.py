"""Modes of an appendage that floats in a mean-axis frame and will be mounted at one node.

Three spans (theory section 9): ``clamped``, modes with the node held, seen from the frame; ``residual``, free modes and the
residual attachment shapes of the node; ``free``, free modes alone, with the error that a mount makes of them.

Symbols: F unit loads at the node, G_res = F'res their residual flexibility, lam the reaction of a held mode of unit mass.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError, ModelError, TooManyModesError
from tisserand.model import Supports
from tisserand.modes.floating_frames import converted, frame_of
from tisserand.modes.interface import interface_dofs, promoted
from tisserand.modes.modal_basis import MEAN_AXES, FrameConstraint, FrameName, ModalBasis, ModeKind, Mount, Mounting
from tisserand.modes.reductions import attachment_shapes, balanced_loads, residual_vectors
from tisserand.modes.rigid import rigid_set, scaled_rigid_vectors
from tisserand.modes.solve import direct_modes, normalized

#: Held modes whose error by free modes alone is stated.
_JUDGED = 3
#: Shapes of less than this part of the mass that a mount sees are scaled by the latter.
_LIGHT = 1e-6
#: Part of a held mode's flexibility below which free modes contain nothing of it.
_UNSEEN = 1e-9


def floats(model: AssembledModel, supports: Supports | None, free: bool, frame: FrameConstraint | str | None) -> bool:
    """True if nothing is held and the shapes are to be in mean axes: a mount then decides which span is right."""
    name = frame.name if isinstance(frame, FrameConstraint) else frame
    if name is not None and name not in MEAN_AXES:
        return False
    boundary = model.supports if supports is None else supports
    return free or not bool(model.dofs.fixed_by(boundary).any())


def sole_held_node(model: AssembledModel) -> int | None:
    """Id of the node that the model's own supports hold, where they hold all of one node and no other: its natural mount."""
    held = model.dofs.fixed_by(model.supports)
    nodes = np.unique(model.dofs.node[held])
    if len(nodes) != 1 or not held[model.dofs.node == nodes[0]].all() or int(held.sum()) != 6:
        return None
    return int(model.nodes.ids[nodes[0]])


def mounted_modes(
    model: AssembledModel,
    node_id: int,
    mounting: Mounting,
    *,
    frame: FrameConstraint | FrameName | None,
    normalization: Any = "mass",
    **options: Any,
) -> ModalBasis:
    """Shapes in a mean-axis frame (None: buckens) for a mount at a node; options are those of ``direct_modes``."""
    if mounting not in ("clamped", "residual", "free"):
        raise InputError(
            "unknown span of a mounted appendage", found=repr(mounting), expected="clamped, residual or free"
        )
    options = {word: value for word, value in options.items() if word not in ("free", "supports")}
    six = _six_dofs(model, node_id)
    model = promoted(model, six)
    made = {"clamped": _clamped, "residual": _with_residuals, "free": _free_alone}[mounting](
        model, node_id, six, options
    )
    wanted = frame if isinstance(frame, FrameConstraint) else frame_of(model, frame or "buckens")
    if wanted.name != made.frame.name:
        made = converted(made, wanted, drop_dependent=False)
    return normalized(made, normalization)


def _six_dofs(model: AssembledModel, node_id: int) -> IntArray:
    (row,) = model.nodes.indices([node_id], ["the attachment"])
    rows = model.recovery[[6 * int(row) + c for c in range(6)]]
    if not (abs(rows).sum(axis=1) > 0.0).all():
        raise ModelError(
            f"node {node_id} cannot hold an appendage in a mean-axis frame: it has no rotation", ids=(node_id,),
            expected="an attachment with six components, such as the center of a rigid element",
            advice="choose such a node, or mount free modes alone ('--mounted free', error unknown)",
        )  # fmt: skip
    return interface_dofs(model, [node_id])


def _clamped(model: AssembledModel, node_id: int, six: IntArray, options: dict[str, Any]) -> ModalBasis:
    basis = direct_modes(model, supports=_clamp(six), **options)
    if basis.rigid_body_modes:
        raise ModelError(
            f"holding node {node_id} does not hold the appendage",
            ids=(node_id,),
            found=f"{basis.rigid_body_modes} rigid motions are left",
            advice="the attachment must reach every part",
        )
    return replace(basis, mount=Mount("clamped", node_id))


def _with_residuals(model: AssembledModel, node_id: int, six: IntArray, options: dict[str, Any]) -> ModalBasis:
    basis = direct_modes(model, free=True, **options)
    loads, held = _unit_loads(model, six)
    extra = residual_vectors(model, basis.shapes, basis.eigenvalues, held, loads)
    count, still = len(extra), int(np.isinf(extra.eigenvalues).sum())
    residual: ModeKind = "residual"
    note = f"{count} residual attachment shapes of node {node_id} follow {len(basis)} proven free modes"
    if still:
        note += f"; {still} of them move the attachment against the mean axes and no mass: static there, not on a mount"
    return replace(
        basis,
        shapes=np.hstack([basis.shapes, _scaled_for_mount(model, six, extra.shapes)]),
        eigenvalues=np.concatenate([basis.eigenvalues, extra.eigenvalues]),
        labels=(*basis.labels, *(f"residual {i + 1}" for i in range(count))),
        kinds=(*basis.kinds, *(residual for _ in range(count))),
        notes=(*basis.notes, note),
        mount=Mount("residual", node_id),
    )


def _scaled_for_mount(model: AssembledModel, six: IntArray, shapes: FloatArray) -> FloatArray:
    """Shapes of unit mass where they move mass; those that move next to none get unit mass as the mount sees them."""
    place = model.dofs.index[six[:, 0], six[:, 1]]
    S = scaled_rigid_vectors(model)
    seen = shapes - S @ np.linalg.solve(S[place], shapes[place])
    own, mounted = (np.einsum("ik,ik->k", x, model.mass @ x) for x in (shapes, seen))
    return np.asarray(shapes / np.sqrt(np.where(own > _LIGHT * mounted, own, mounted)))


def _free_alone(model: AssembledModel, node_id: int, six: IntArray, options: dict[str, Any]) -> ModalBasis:
    basis = direct_modes(model, free=True, **options)
    held = _few_held(model, six, options)
    hz, error = held.frequencies_hz, mount_errors(model, basis, held, six)
    note = (
        f"free modes alone: held at node {node_id} the lowest mode comes out near {hz[0] + error[0]:.4g} Hz, where the "
        f"appendage has {hz[0]:.4g} Hz ({error[0]:+.2g} Hz); clamped modes or residual shapes have no such error"
    )
    mount = Mount("free", node_id, tuple(map(float, hz)), tuple(map(float, error)))
    return replace(basis, notes=(*basis.notes, note), mount=mount)


def mount_errors(model: AssembledModel, free: ModalBasis, held: ModalBasis, six: IntArray) -> FloatArray:
    """Hz by which free modes alone raise each held frequency: f ((1 - x)^(-1/2) - 1), x = lam'G_res lam / w².

    Infinite where x reaches 1: the free modes contain no information about that held mode.

    Args:
        free: free modes of unit mass.
        held: modes of unit mass with the six dofs held.
        six: (6, 2) rows (node index, component).
    """
    loads, loose = _unit_loads(model, six)
    rigid = rigid_set(model, loose)
    place = model.dofs.index[six[:, 0], six[:, 1]]
    loads = balanced_loads(loads, rigid)
    share = free.shapes.T @ loads
    flexibility = loads.T @ attachment_shapes(model, loads, loose, rigid) - share.T @ (
        share / free.eigenvalues[:, None]
    )
    reaction = loads[place].T @ (model.stiffness @ held.shapes - (model.mass @ held.shapes) * held.eigenvalues)[place]
    x = np.einsum("ak,ab,bk->k", reaction, flexibility, reaction) / held.eigenvalues
    left = 1.0 - x
    factor = np.divide(1.0, np.sqrt(np.maximum(left, 0.0)), out=np.full(len(x), np.inf), where=left > _UNSEEN)
    return np.asarray(held.frequencies_hz * (factor - 1.0))


def _few_held(model: AssembledModel, six: IntArray, options: dict[str, Any]) -> ModalBasis:
    kept = {word: options[word] for word in ("allow_mechanisms", "backend", "seed") if word in options}
    try:
        return direct_modes(model, supports=_clamp(six), count=_JUDGED, **kept)
    except TooManyModesError as error:
        return direct_modes(model, supports=_clamp(six), count=max(error.most, 1), **kept)


def _clamp(six: IntArray) -> Supports:
    return Supports(six[:1, 0], np.ones((1, 6), np.bool_))


def _unit_loads(model: AssembledModel, six: IntArray) -> tuple[FloatArray, BoolArray]:
    """(d, 6) unit loads at the node, and the dofs that nothing resists or moves."""
    place = model.dofs.index[six[:, 0], six[:, 1]]
    loads = np.zeros((model.size, len(place)))
    loads[place, np.arange(len(place))] = 1.0
    held = model.held(Supports())
    held[place] = False
    return loads, held
