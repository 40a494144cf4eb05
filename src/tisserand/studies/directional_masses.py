"""Structures whose mass differs from direction to direction (CMASS, CONM1, DMIG on single components): modes alone.

Such a structure has frequencies and shapes, but no mass, center and inertia that a rigid body could have, so no record.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.assembly.assembled_model import AssembledModel
from tisserand.model import Nodes
from tisserand.modes.modal_basis import ModalBasis

#: Masses of the three directions differ by more than this.
_DIFFER = 1e-7


def mass_by_direction(model: AssembledModel) -> str | None:
    """What the masses of the three directions are, in words; None where they are one mass."""
    S = model.rigid_body_vectors[:, :3]
    masses = S.T @ (model.mass @ S)
    mean = float(np.trace(masses)) / 3.0
    if not np.abs(masses - mean * np.eye(3)).max() > _DIFFER * abs(mean):
        return None
    listed = ", ".join(f"{value:.6g}" for value in np.diag(masses))
    return (
        f"scalar or direct masses give the structure a different mass in each direction ({listed} along x, y, z): its "
        "frequencies are listed, but it has no mass properties, and no record can be made"
    )


def without_masses(basis: ModalBasis) -> ModalBasis:
    """The same modes over dofs without place, so that no mass is claimed."""
    model, count = basis.model, len(basis.model.nodes)
    bare = replace(
        model,
        structure=None,
        nodes=Nodes(model.nodes.ids, np.zeros((count, 3)), None, np.ones(count, np.bool_)),
        rigid_body_vectors=np.zeros((model.size, 6)),
        has_field=False,
    )
    return replace(basis, model=bare)
