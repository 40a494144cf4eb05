"""A reduced appendage expressed in another floating frame: a rigid motion is removed from each mode shape.

d <- d - S c with S the rigid vectors about O and c (6, k): zero momentum of deformation for ``buckens``, no
motion of an interface for ``connection``, no products of inertia of first degree for ``milne``. Ke and De
stay (no strain in S), Me and all integrals change. The two linear fields differ by a second-degree displacement, which
the change creates at every mass point, body and interface (a, A, psi); geometric-stiffness families represent moments of the
foreshortening and stay as they are. A ``connection`` frame also removes the second-degree motion of its interface.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.linalg import qr

from tisserand.appendage.frames.transformed_records import combined
from tisserand.appendage.integrals.geometric_changes import families_seen_from
from tisserand.appendage.integrals.integral_changes import (
    shifted_integrals,
    turned_integrals,
    without_rigid,
    without_second_rigid,
)
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.packed_pairs import fits, kept_rows, packed, unpacked
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.appendage.record.turning_bodies import rigid_taken_out
from tisserand.appendage.recovery.output_matrices import outputs_seen_from
from tisserand.appendage.support_mass import interface_motion, mean_motion
from tisserand.arguments import checked_arguments
from tisserand.arrays import LEVI_CIVITA, FloatArray, skew
from tisserand.errors import InputError, ModelError
from tisserand.modes.modal_basis import MEAN_AXES, FrameName

#: Nodes whose second-degree shapes are changed at a time.
_NODES = 4096
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


@checked_arguments
def in_frame(appendage: ReducedAppendage, frame: FrameName, *, interface: str | None = None) -> ReducedAppendage:
    """The appendage in another frame; ``connection`` needs the interface that it is to be fixed in (default:
    attachment)."""
    if frame not in _MEANING:
        raise InputError("unknown frame for a reduced appendage", found=repr(frame), expected=", ".join(_MEANING))
    grounded = appendage.reports.get("grounded")
    if grounded:
        raise ModelError(
            "the frame cannot be changed: the structure is tied to ground by springs",
            where=f"appendage {appendage.name}",
            found=f"relative stiffness of rigid motion {grounded:.1e}",
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
        return interface_motion(appendage.interface(name))
    if frame in ("buckens", "tisserand"):
        return mean_motion(
            integrals, None if appendage.attachment is None else appendage.interface(appendage.attachment)
        )
    return _principal_motion(integrals, appendage.name)


def _principal_motion(integrals: ModalIntegrals, name: str) -> FloatArray:
    """Rigid motion of the Milne frame.

    theta_3 = int (r_1 phi_2 + r_2 phi_1) dm / (I_22 - I_11), cyclic, in principal axes at the mass center.
    """
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
    L = local.position_shape  # about the mass center, so taking the mean translation out does not change it
    theta = np.empty((3, integrals.count))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        theta[i] = (L[j, k] + L[k, j]) / (moments[k] - moments[j])
    theta = axes @ theta
    translation = axes @ mean
    return np.vstack([translation + skew(integrals.center) @ theta, theta])


def without_motion(appendage: ReducedAppendage, motion: FloatArray) -> ReducedAppendage:
    """Shapes less the rigid motion [t; c] (6, k) about O of each mode: what the appendage shows in a frame that moves so.

    Displacement outputs follow their interfaces; elastic forces do not change.
    """
    t, c = motion[:3], motion[3:]
    nodes = appendage.nodes
    seen = tuple(_seen_from(i, motion) for i in appendage.interfaces)
    moved = nodes.translation - t + skew(nodes.positions) @ c  # - c x r = + r~ c
    return appendage.changed(
        integrals=without_rigid(appendage.integrals, motion),
        geometric_stiffness=families_seen_from(appendage.geometric_stiffness, motion),
        nodes=NodeTable(
            nodes.ids,
            nodes.positions,
            moved,
            nodes.rotation - c,
            nodes.energy,
            _nodes_seen_from(nodes, motion),
            nodes.foreshortening,
        ),
        interfaces=seen,
        bodies=appendage.bodies.without_rigid(motion),
        recovery=outputs_seen_from(appendage.recovery, seen),
    )


def _nodes_seen_from(nodes: NodeTable, motion: FloatArray) -> FloatArray | None:
    """psi (n, 6, p) of the nodes after the change of frame, packed; None where a record keeps none of that size."""
    n, k = len(nodes), nodes.translation.shape[2]
    if not fits(n, k):
        return None
    out = np.empty((n, 6, k * (k + 1) // 2), np.float32)
    for start in range(0, n, _NODES):
        part = slice(start, start + _NODES)
        psi = np.zeros((len(nodes.positions[part]), 6, k, k))
        if nodes.second is not None:
            psi[:, : nodes.second.shape[1]] = unpacked(nodes.second[part], k)
        at = nodes.positions[part], nodes.translation[part], nodes.rotation[part]
        out[part] = packed(np.concatenate(rigid_taken_out(*at, psi[:, :3], psi[:, 3:], motion)[2:], axis=1))
    return kept_rows(out)


def _seen_from(face: Interface, motion: FloatArray) -> Interface:
    psi, twist = face.psi
    phi, theta, psi, twist = rigid_taken_out(
        face.position[None], face.translation[None], face.rotation[None], psi[None], twist[None], motion
    )
    return replace(face, translation=phi[0], rotation=theta[0], second_translation=psi[0], second_rotation=twist[0])


def _held_to_second_degree(appendage: ReducedAppendage, interface: str) -> ReducedAppendage:
    """The frame follows the interface in second degree too: psi loses psi_h + psi_rh x (r - r_h) everywhere."""
    held = appendage.interface(interface)
    psi, c = held.psi
    return without_second_motion(appendage, psi - np.einsum("abc,bkl,c->akl", LEVI_CIVITA, c, held.position), c)


def without_second_motion(appendage: ReducedAppendage, t: FloatArray, c: FloatArray) -> ReducedAppendage:
    """Less the second-degree rigid motion psi = t + c x r, psi_r = c with t, c (3, k, k): another choice of the frame."""

    def less(face: Interface) -> Interface:
        own, twist = face.psi
        turn = np.einsum("abc,bkl,c->akl", LEVI_CIVITA, c, face.position)
        return replace(face, second_translation=own - t - turn, second_rotation=twist - c)

    nodes = appendage.nodes
    second = None
    if fits(len(nodes), appendage.count):
        turn = np.einsum("abc,bp,nc->nap", LEVI_CIVITA, packed(c), nodes.positions, optimize=True)
        taken = np.concatenate([packed(t) + turn, np.broadcast_to(packed(c), turn.shape)], axis=1)
        if nodes.second is not None:
            taken[:, : nodes.second.shape[1]] -= nodes.second
        second = kept_rows(-taken)
    return appendage.changed(
        nodes=replace(nodes, second=second),
        integrals=without_second_rigid(appendage.integrals, t, c),
        interfaces=tuple(less(face) for face in appendage.interfaces),
        bodies=appendage.bodies.without_second_rigid(t, c),
    )


def _taken_out(
    appendage: ReducedAppendage, motion: FloatArray, frame: str, meaning: str, attachment: str | None
) -> ReducedAppendage:
    changed = without_motion(appendage, motion).changed(
        attachment=attachment,
        frame=FrameRecord(frame, meaning),
        reports={
            **appendage.reports,
            **_mount(appendage, frame),
            "frame_change": {"from": appendage.frame.name, "to": frame},
        },
    )
    if frame == "connection":
        assert attachment is not None
        changed = _held_to_second_degree(changed, attachment)
    kept = _independent(appendage, changed)
    if len(kept) < appendage.count:
        changed = combined(
            changed, np.eye(appendage.count)[:, kept], note={"dropped_as_rigid": appendage.count - len(kept)}
        )
    return changed.changed(frame=FrameRecord(frame, meaning, _residuals(changed, frame)))


def _mount(appendage: ReducedAppendage, frame: str) -> dict[str, dict[str, str]]:
    """Shapes that vanish at the attachment stay the clamped ones in any frame."""
    held = appendage.attachment is not None and appendage.frame.name == "connection"
    return (
        {"mount": {"mounting": "clamped"}} if held and frame in MEAN_AXES and "mount" not in appendage.reports else {}
    )


def _independent(before: ReducedAppendage, after: ReducedAppendage) -> FloatArray:
    """Columns that are not rigid and not combinations of others, in order: by the motion of nodes, interfaces and mass.

    A shape may keep its motion and lose its mass: the torsion of a boom whose only inertia about its axis is a tip body.
    """
    total = np.zeros((after.count, after.count))
    for old, new in ((_motions(before), _motions(after)), (before.integrals.modal_mass, after.integrals.modal_mass)):
        size = np.sqrt(np.maximum(np.diag(old), 0.0))
        scale = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0.0)
        total = total + scale[:, None] * new * scale
    _, R, order = qr(total, pivoting=True)
    return np.sort(order[np.abs(np.diag(R)) > _RIGID_LEFT])


def _motions(appendage: ReducedAppendage) -> FloatArray:
    """(k, k) sums of squares over all nodes and interfaces, translations and rotations times the size of the appendage."""
    nodes, faces = appendage.nodes, appendage.interfaces
    places = np.vstack([nodes.positions, *(face.position[None] for face in faces)])
    reach = float(np.linalg.norm(np.ptp(places, axis=0))) if len(places) else 0.0
    parts = [nodes.translation, (reach or 1.0) * nodes.rotation]
    parts += [part[None] for face in faces for part in (face.translation, (reach or 1.0) * face.rotation)]
    flat = np.concatenate(parts).reshape(-1, appendage.count)
    return np.asarray(flat.T @ flat)


def _residuals(appendage: ReducedAppendage, frame: str) -> tuple[float, ...]:
    """Violation of the frame condition per mode.

    Momenta relative to their bounds, or motion of the attachment relative to the largest motion.
    """
    integrals = appendage.integrals
    if frame in ("buckens", "tisserand", "milne"):
        bound = np.outer(np.sqrt(np.diag(integrals.rigid_mass)), integrals.sizes)
        rows = slice(0, 6) if frame != "milne" else slice(0, 3)
        values = (np.abs(integrals.coupling) / np.maximum(bound, 1e-300))[rows].max(axis=0)
    else:
        assert appendage.attachment is not None
        point = appendage.interface(appendage.attachment)
        size = np.maximum(np.linalg.norm(appendage.nodes.translation, axis=1).max(axis=0), 1e-300)
        values = np.linalg.norm(point.translation, axis=0) / size
    return tuple(float(value) for value in values)
