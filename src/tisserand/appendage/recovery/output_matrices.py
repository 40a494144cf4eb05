"""Recovery: matrices that convert modal coordinates to outputs.

Names and rows: ``displacement:NAME`` (6, k) translation m and rotation rad of an interface in its own axes;
``interface force:NAME`` (6, k) force N and moment N m of the body on the appendage at its attachment, in its
axes, from the elastic forces; ``element:LABEL:QUANTITY`` section forces or stresses of chosen elements, stresses in the
plies of shells among them (``ply_recovery``). All are used as matrix @ eta.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tisserand.appendage.record.node_table import Interface
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.recovery.nodal_motion import nodal_motion
from tisserand.appendage.recovery.ply_stresses import PlyRecovery, ply_outputs
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray, skew
from tisserand.elements.registry import prepare
from tisserand.errors import ModelError
from tisserand.model import StructuralModel
from tisserand.modes.modal_basis import ModalBasis

#: What a label may refer to: an element set's name, element ids, or either of them in a ``PlyRecovery``.
Elements = str | Sequence[int] | IntArray | PlyRecovery


def displacement_output(interface: Interface) -> FloatArray:
    """(6, k) translation and rotation of an interface relative to the frame, in the interface's axes."""
    return np.vstack([interface.axes @ interface.translation, interface.axes @ interface.rotation])


@checked_arguments
def acceleration_at(
    appendage: ReducedAppendage,
    name: str,
    eta: FloatArray,
    rate: FloatArray,
    acceleration: FloatArray,
    *,
    frame_acceleration: FloatArray,
    frame_rate: FloatArray,
    frame_angular_acceleration: FloatArray,
) -> FloatArray:
    """Inertial acceleration (3,) m/s² of an interface in its own undeformed axes, all terms kept, to second degree.

    frame_acceleration: of O, inertial, body axes; the modal arrays are (k,). Foreshortening counts where the record has it.

    Args:
        appendage: the record.
        name: of the interface.
        eta: modal coordinates (k,).
        rate: their rates (k,).
        frame_rate: angular velocity of the body axes (3,), rad/s.
        frame_angular_acceleration: (3,) rad/s².
    """
    point = nodal_motion(appendage, name)
    one, two, three = eta[None], rate[None], acceleration[None]
    r = point.position + point.displacement(one)[0]
    w, al = skew(frame_rate), skew(frame_angular_acceleration)
    relative = 2.0 * w @ point.velocity(one, two)[0] + point.acceleration(one, two, three)[0]
    return np.asarray(appendage.interface(name).axes @ (frame_acceleration + al @ r + w @ (w @ r) + relative))


def interface_force(
    basis: ModalBasis, Phi: FloatArray, reference_point: FloatArray, interface: Interface
) -> FloatArray:
    """(6, k) force and moment of the body on the appendage at the interface: elastic reactions of the held dofs.

    S_h' (K Phi)_held with S_h the rigid motions about the interface.
    """
    model = basis.model
    forces = np.asarray(model.stiffness @ Phi)
    forces[~basis.fixed] = 0.0
    about_origin = model.rigid_body_vectors.T @ forces
    arm = skew(reference_point + interface.position)
    force, moment = about_origin[:3], about_origin[3:] - arm @ about_origin[:3]
    return np.vstack([interface.axes @ force, interface.axes @ moment])


def element_outputs(
    structure: StructuralModel, shapes: FloatArray, wanted: Mapping[str, Elements]
) -> tuple[dict[str, FloatArray], dict[str, Any]]:
    """Matrices of every resultant of the labeled elements, and the meaning of their rows.

    shapes (n, 6, k) in basic axes. Rows run over the elements in order, then over the quantity's own
    components.
    """
    matrices: dict[str, FloatArray] = {}
    meaning: dict[str, Any] = {}
    for label, which in wanted.items():
        if isinstance(which, PlyRecovery):
            ids = _element_ids(structure, label, which.elements)
            plies, described = ply_outputs(structure, shapes, label, ids, which.quantities)
            matrices |= plies
            meaning |= described
            continue
        ids = _element_ids(structure, label, which)
        found = 0
        for block in structure.elements:
            rows = np.flatnonzero(np.isin(block.ids, ids))
            if len(rows) == 0:
                continue
            part = prepare(structure, block.select(rows))
            per_mode = [part.resultants(shapes[:, :, k]) for k in range(shapes.shape[2])]
            if not per_mode or not per_mode[0]:
                continue
            found += len(rows)
            for quantity, first in per_mode[0].items():
                columns = np.stack([np.asarray(values[quantity], float).ravel() for values in per_mode], axis=1)
                name = f"element:{label}:{quantity}"
                if name in matrices:
                    name = f"element:{label}:{block.family} {quantity}"
                matrices[name] = columns
                meaning[name] = {
                    "family": block.family,
                    "elements": part.block.ids.tolist(),
                    "shape": list(np.asarray(first).shape),
                }
        if found == 0:
            raise ModelError("the elements of a recovery label have no resultants", where=f"recovery {label!r}")
    return matrices, meaning


def outputs_seen_from(recovery: Mapping[str, FloatArray], interfaces: Sequence[Interface]) -> dict[str, FloatArray]:
    """Outputs after a rigid motion was taken out of the shapes: displacements anew, elastic forces as they were."""
    elastic = {name: m for name, m in recovery.items() if name.startswith(("element:", "interface force:"))}
    shown = {f"displacement:{point.name}": displacement_output(point) for point in interfaces}
    return {**{name: matrix for name, matrix in shown.items() if name in recovery}, **elastic}


def _element_ids(structure: StructuralModel, label: str, which: str | Sequence[int] | IntArray) -> IntArray:
    if isinstance(which, str):
        if which not in structure.element_sets:
            known = ", ".join(structure.element_sets) or "the model has no element sets"
            raise ModelError("unknown element set", where=f"recovery {label!r}", found=repr(which), expected=known)
        return np.asarray(structure.element_sets[which], dtype=np.int64)
    ids = np.asarray(which, dtype=np.int64)
    known_ids = np.concatenate([block.ids for block in structure.elements])
    missing = np.setdiff1d(ids, known_ids)
    if len(missing):
        raise ModelError(
            "elements do not exist", where=f"recovery {label!r}", ids=missing[:10].tolist(), found=missing[:10].tolist()
        )
    return ids
