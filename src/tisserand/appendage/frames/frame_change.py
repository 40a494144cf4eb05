"""A reduced appendage re-expressed in another floating frame: a rigid motion of each mode is taken out of its
shape.

d <- d - S c with S the rigid vectors about O and c (6, k): zero momentum of deformation for ``buckens``, no
motion of an interface for ``connection``, no products of inertia of first degree for ``milne``. Ke and De
stay (no strain in S), Me and all integrals change; geometric stiffness is left out, since it acts on rigid
rotation too.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import qr

from tisserand.appendage.frames.transformed_records import combined
from tisserand.appendage.integrals.integral_changes import shifted_integrals, turned_integrals, without_rigid
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.reduced_appendage import FrameRecord, NodeTable, ReducedAppendage
from tisserand.appendage.recovery.output_matrices import kept_without_rigid
from tisserand.arrays import FloatArray, skew
from tisserand.errors import InputError, ModelError
from tisserand.modes.modal_basis import FrameName

_MEANING = {
    "connection": "fixed in interface {interface!r}: shapes vanish there",
    "buckens": "zero linear and angular momentum of deformation: int phi dm = 0, int r x phi dm = 0",
    "tisserand": "Buckens shapes; int u x u' dm is kept in momentum and energy, rates are I^-1 H",
    "milne": "principal axes to first degree: int (r_j phi_k + r_k phi_j) dm = 0 and int phi dm = 0",
}
#: Relative gap of two principal moments below which the principal frame is refused.
_EQUAL_MOMENTS = 1e-6
#: A shape that keeps less than this fraction of its mass is rigid and is dropped.
_RIGID_LEFT = 1e-9


def in_frame(
    appendage: ReducedAppendage, frame: FrameName, *, interface: str | None = None
) -> ReducedAppendage:
    """The appendage in another frame; ``connection`` needs the interface that it is to be fixed in (default:
    attachment)."""
    if frame not in _MEANING:
        raise InputError(
            "unknown frame for a reduced appendage", found=repr(frame), expected=", ".join(_MEANING)
        )
    grounded = appendage.reports.get("grounded")
    if grounded:
        raise ModelError(
            "the frame cannot be changed: the structure is tied to ground by springs",
            where=f"appendage {appendage.name}",
            found=f"relative stiffness of rigid motion {grounded:.1e}",
        )
    if appendage.integrals.turns and appendage.integrals.turn_linear is None:
        raise ModelError(
            "the frame cannot be changed: the second-degree moments of the nodal bodies are not known",
            where=f"appendage {appendage.name}",
            advice="reduce it again from its source",
        )
    motion = _motion(appendage, frame, interface)
    attachment = appendage.attachment
    if frame == "connection":
        attachment = interface or attachment
    return _taken_out(appendage, motion, frame, _MEANING[frame].format(interface=attachment), attachment)


def _motion(appendage: ReducedAppendage, frame: str, interface: str | None) -> FloatArray:
    """Rigid motion [t; c] (6, k) about O to take out of each mode."""
    integrals = appendage.integrals
    if frame == "connection":
        name = interface or appendage.attachment
        if name is None:
            raise InputError("the connection frame needs an interface", where=f"appendage {appendage.name}")
        point = appendage.interface(name)
        return np.vstack([point.translation + skew(point.position) @ point.rotation, point.rotation])
    if frame in ("buckens", "tisserand"):
        return np.asarray(np.linalg.solve(integrals.rigid_mass, integrals.coupling))
    return _principal_motion(integrals, appendage.name)


def _principal_motion(integrals: ModalIntegrals, name: str) -> FloatArray:
    """Milne: theta_3 = int (r_1 phi_2 + r_2 phi_1) dm / (I_22 - I_11), cyclic, in principal axes at the mass
    centre."""
    central = shifted_integrals(integrals, integrals.center)
    moments, axes = np.linalg.eigh(central.inertia)
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] = -axes[:, 0]
    gaps = np.abs(np.diff(moments)) / max(float(moments[-1]), 1e-300)
    if gaps.min() < _EQUAL_MOMENTS:
        raise ModelError(
            "the principal-axis frame does not exist: two principal moments of inertia are equal",
            where=f"appendage {name}",
            found=", ".join(f"{moment:.6g}" for moment in moments) + " kg m2",
            advice="use the buckens or tisserand frame",
        )
    local = turned_integrals(central, axes.T)
    mean = local.translation / local.mass
    L = local.position_shape  # about the mass centre, so taking the mean translation out does not change it
    theta = np.empty((3, integrals.count))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        theta[i] = (L[j, k] + L[k, j]) / (moments[k] - moments[j])
    theta = axes @ theta
    translation = axes @ mean
    return np.vstack([translation + skew(integrals.center) @ theta, theta])


def without_motion(appendage: ReducedAppendage, motion: FloatArray) -> ReducedAppendage:
    """Shapes less the rigid motion [t; c] (6, k) about O of each mode: what the appendage shows in a frame that moves so.

    Geometric stiffness and the outputs that rigid motion changes are left out.
    """
    t, c = motion[:3], motion[3:]

    def moved(position: FloatArray, translation: FloatArray) -> FloatArray:
        return np.asarray(translation - t + skew(position) @ c)  # - c x r = + r~ c

    nodes = appendage.nodes
    return appendage.changed(
        integrals=without_rigid(appendage.integrals, motion),
        nodes=NodeTable(
            nodes.ids, nodes.positions, moved(nodes.positions, nodes.translation), nodes.rotation - c
        ),
        interfaces=tuple(
            type(i)(i.name, i.node_id, i.position, i.axes, moved(i.position, i.translation), i.rotation - c)
            for i in appendage.interfaces
        ),
        geometric_stiffness={},
        recovery=kept_without_rigid(appendage.recovery),
    )


def _taken_out(
    appendage: ReducedAppendage, motion: FloatArray, frame: str, meaning: str, attachment: str | None
) -> ReducedAppendage:
    changed = without_motion(appendage, motion).changed(
        attachment=attachment,
        frame=FrameRecord(frame, meaning),
        reports={**appendage.reports, "frame_change": {"from": appendage.frame.name, "to": frame}},
    )
    kept = _independent(appendage.integrals, changed.integrals)
    if len(kept) < appendage.count:
        changed = combined(
            changed, np.eye(appendage.count)[:, kept], note={"dropped_as_rigid": appendage.count - len(kept)}
        )
    return changed.changed(frame=FrameRecord(frame, meaning, _residuals(changed, frame)))


def _independent(before: ModalIntegrals, after: ModalIntegrals) -> FloatArray:
    """Columns that are not rigid and not combinations of others, in order."""
    scale = 1.0 / np.sqrt(np.maximum(np.diag(before.modal_mass), 1e-300))
    scaled = scale[:, None] * after.modal_mass * scale
    _, R, order = qr(scaled, pivoting=True)
    size = np.abs(np.diag(R))
    return np.sort(order[size > _RIGID_LEFT])


def _residuals(appendage: ReducedAppendage, frame: str) -> tuple[float, ...]:
    """Violation of the frame per mode: momenta against their bounds, or motion of the attachment against the
    largest."""
    integrals = appendage.integrals
    if frame in ("buckens", "tisserand", "milne"):
        bound = np.sqrt(np.outer(np.diag(integrals.rigid_mass), np.diag(integrals.modal_mass)))
        rows = slice(0, 6) if frame != "milne" else slice(0, 3)
        values = (np.abs(integrals.coupling) / np.maximum(bound, 1e-300))[rows].max(axis=0)
    else:
        assert appendage.attachment is not None
        point = appendage.interface(appendage.attachment)
        size = np.maximum(np.linalg.norm(appendage.nodes.translation, axis=1).max(axis=0), 1e-300)
        values = np.linalg.norm(point.translation, axis=0) / size
    return tuple(float(value) for value in values)
