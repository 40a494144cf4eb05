"""Floating frames as linear rows, and the conversion of shapes from any frame to any other (theory section 4).

A frame turns and shifts with the body; two frames differ by a rigid motion per mode, ``shape - S c``. The rows define it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError, ModelError
from tisserand.model import Supports
from tisserand.modes.milne import milne_rows
from tisserand.modes.modal_basis import FrameConstraint, FrameName, ModalBasis
from tisserand.modes.rigid import scaled_rigid_vectors

_SATISFIED = 1e-9


@checked_arguments
def buckens(model: AssembledModel) -> FrameConstraint:
    """Mean axes of first degree: int u dm = 0 and int r x u dm = 0, the six rows S'M (S0 Eqs 47, 79).

    Args:
        model: the assembled model.
    """
    rows = (model.mass @ scaled_rigid_vectors(model)).T
    return FrameConstraint(
        "buckens", "no linear or angular momentum of deformation to first degree: int u dm = int r x u dm = 0", rows
    )


def tisserand(model: AssembledModel) -> FrameConstraint:
    """Tisserand's frame, int (r + u) x u' dm = 0 (S0 Eq 44).

    No constant rows impose it, so it stores Buckens shapes, keeps int u x u' dm in energy and momentum, and reports rates as
    I^-1 H.
    """
    meaning = "int (r+u) x u' dm = 0: Buckens shapes, the integral of u x u' is kept, rates are I^-1 H"
    return replace(buckens(model), name="tisserand", meaning=meaning)


@checked_arguments
def connection(model: AssembledModel, supports: Supports | None = None) -> FrameConstraint:
    """Frame fixed in the structure at the supports: shapes vanish there (S1 Defs 5, 12).

    Args:
        model: the assembled model.
    """
    supports = model.supports if supports is None else supports
    held = model.dofs.fixed_by(supports)
    if not held.any():
        raise InputError(
            "a connection frame needs supports that hold some dof",
            advice="give supports, or use the node or buckens frame",
        )
    ids = model.nodes.ids[np.unique(model.dofs.node[held])]
    shown = ", ".join(str(i) for i in ids[:4]) + (f" and {len(ids) - 4} more" if len(ids) > 4 else "")
    return FrameConstraint(
        "connection", f"shapes vanish at the held dofs of node{'s' if len(ids) > 1 else ''} {shown}", None, held
    )


@checked_arguments
def node_frame(model: AssembledModel, node_id: int) -> FrameConstraint:
    """Frame that follows one node in position and attitude: its six components vanish.

    Args:
        model: the assembled model.
        node_id: id of the node.
    """
    (node,) = model.nodes.indices([node_id], ["the node of the frame"])
    rows = model.recovery[[6 * int(node) + c for c in range(6)]].toarray()
    if not rows[3:].any(axis=1).all():
        raise ModelError(
            f"node {node_id} has no rotation to carry a frame", ids=(node_id,),
            advice="choose a node with six components, such as the center of a rigid element",
        )  # fmt: skip
    return FrameConstraint("node", f"shapes vanish at node {node_id}, translation and rotation", rows)


@checked_arguments
def milne(model: AssembledModel) -> FrameConstraint:
    """Milne's principal axes of first degree: int u = 0 and int (r_j u_k + r_k u_j) dm = 0 (S0 Eq 50d without u_j u_k).

    Args:
        model: the assembled model.
    """
    return FrameConstraint(
        "milne", "products of inertia stay zero to first degree, int u_j u_k dm dropped", milne_rows(model)
    )


@checked_arguments
def free_frame(meaning: str = "eigenvectors as computed; no frame imposed") -> FrameConstraint:
    """No rows at all.

    Args:
        meaning: in words.
    """
    return FrameConstraint("free", meaning)


def frame_of(
    model: AssembledModel, name: FrameName, *, supports: Supports | None = None, node_id: int | None = None
) -> FrameConstraint:
    """The frame of that name."""
    if name == "node":
        if node_id is None:
            raise InputError("the node frame needs a node", advice="state its id")
        return node_frame(model, node_id)
    if name == "connection":
        return connection(model, supports)
    if name in ("free", "prescribed"):
        return FrameConstraint(name, "shapes as given; no frame imposed")
    makers = {"buckens": buckens, "tisserand": tisserand, "milne": milne}
    if name not in makers:
        raise InputError(
            "unknown frame",
            found=repr(name),
            expected="connection, node, buckens, tisserand, milne, free or prescribed",
        )
    return makers[name](model)


def in_frame(model: AssembledModel, shapes: FloatArray, frame: FrameConstraint) -> FloatArray:
    """Shapes seen from a frame: ``shape - S c`` with ``rows (shape - S c) = 0``; raises where no rigid motion does it."""
    S = scaled_rigid_vectors(model)
    parts, images = [], []
    if frame.rows is not None:
        size = np.maximum(np.linalg.norm(frame.rows, axis=1, keepdims=True), 1e-300)
        parts.append((frame.rows / size) @ S)
        images.append((frame.rows / size) @ shapes)
    if frame.held is not None:
        parts.append(S[frame.held])
        images.append(shapes[frame.held])
    if not parts:
        return np.array(shapes)
    left, right = np.vstack(parts), np.vstack(images)
    motion, *_ = np.linalg.lstsq(left, right, rcond=1e-11)
    out = shapes - S @ motion
    if frame.rows is not None:  # a second pass removes the round-off of the first
        again, *_ = np.linalg.lstsq(
            left,
            np.vstack([(frame.rows / size) @ out, *([out[frame.held]] if frame.held is not None else [])]),
            rcond=1e-11,
        )
        out = out - S @ again
    if frame.held is not None:
        close = np.abs(out[frame.held]).max(axis=0) <= _SATISFIED * np.maximum(np.abs(out).max(axis=0), 1e-300)
        out[np.ix_(frame.held, close)] = 0.0
    worst = float(frame.residuals(out).max(initial=0.0))
    if worst > 1e-7:
        raise InputError(
            f"the shapes cannot be expressed in the {frame.name} frame: its points move relative to each other",
            found=f"row violation {worst:.2g}",
            advice="use shapes computed with these dofs held, or a frame of six rows",
        )
    return np.asarray(out)


@checked_arguments
def converted(basis: ModalBasis, frame: FrameConstraint, *, drop_dependent: bool = True) -> ModalBasis:
    """The same deformations in another frame. Columns that are rigid motions become zero and are dropped (noted).

    The modal mass matrix changes (Me - A (S'M S)^-1 A' for Buckens rows); eigenvalues stay those of the source.

    Args:
        basis: the shapes.
        drop_dependent: leave out columns that are rigid motions.
    """
    shapes = in_frame(basis.model, basis.shapes, frame)
    before, after = (np.abs(columns).max(axis=0, initial=0.0) for columns in (basis.shapes, shapes))
    keep = after > 1e-9 * before if drop_dependent else np.ones(len(basis), np.bool_)
    dropped = [label for label, k in zip(basis.labels, keep) if not k]
    notes = (*basis.notes, f"converted from the {basis.frame.name} frame to the {frame.name} frame")
    if dropped:
        notes = (*notes, f"dropped as rigid motions: {', '.join(dropped)}")
    return replace(
        basis,
        shapes=shapes[:, keep],
        eigenvalues=basis.eigenvalues[keep],
        frame=frame,
        labels=tuple(label for label, k in zip(basis.labels, keep) if k),
        kinds=tuple(kind for kind, k in zip(basis.kinds, keep) if k),
        notes=notes,
    )
