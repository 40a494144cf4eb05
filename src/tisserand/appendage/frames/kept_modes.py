"""Fewer modes of a record whose residual attachment shapes must not be lost (theory section 9.4).

The static response of the whole span to loads F at the attachment is eta = Ke^-1 Phi_h'. A cut keeps it: the first modes stay,
and the residual shapes become what the kept modes miss of that response.
"""

from __future__ import annotations

import numpy as np

from tisserand.appendage.frames.transformed_records import combined, keep_modes
from tisserand.appendage.record.damping_matrix import natural_modes
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.support_mass import support_mass
from tisserand.errors import InputError


def first_modes(appendage: ReducedAppendage, count: int) -> ReducedAppendage:
    """The first ``count`` modes; residual attachment shapes stay and take over the static response of the modes dropped.

    Args:
        appendage: the record.
        count: modes to keep, residual shapes not counted; 0 leaves a rigid appendage, all columns change nothing.
    """
    residual = [i for i, kind in enumerate(appendage.mode_kinds) if kind == "residual"]
    modes = [i for i in range(appendage.count) if i not in residual]
    if count in (appendage.count, len(modes)):
        return appendage
    if not 0 <= count < len(modes):
        beside = f" beside {len(residual)} residual shapes" if residual else ""
        raise InputError(
            "requests more modes than the record contains", found=count, expected=f"at most {len(modes)}{beside}"
        )
    kept = modes[:count]
    if not residual or not kept or appendage.attachment is None:
        return keep_modes(appendage, kept)
    face = appendage.interface(appendage.attachment)
    static = np.linalg.solve(appendage.stiffness, np.vstack([face.translation, face.rotation]).T)
    static[kept] = 0.0
    Me = support_mass(appendage.integrals, face, "attachment")  # on a mount every one of them has mass
    size = np.sqrt(np.einsum("ik,ij,jk->k", static, Me, static))
    static = static[:, size > 1e-9 * size.max()] / size[size > 1e-9 * size.max()]
    _, X = natural_modes(static.T @ Me @ static, static.T @ appendage.stiffness @ static)
    T = np.hstack([np.eye(appendage.count)[:, kept], static @ X])
    more = T.shape[1] - count
    return combined(
        appendage,
        T,
        names=(*(appendage.mode_names[i] for i in kept), *(f"residual {i + 1}" for i in range(more))),
        kinds=(*(appendage.mode_kinds[i] for i in kept), *("residual",) * more),
        note={"kept_modes": kept, "residual_shapes": more},
    )
