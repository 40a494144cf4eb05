"""The reduced matrices that Nastran takes: six dofs of the attachment grid first, then one scalar point per mode."""

from __future__ import annotations

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.exporters.clamped import clamped_view


def reduced_matrices(appendage: ReducedAppendage) -> dict[str, FloatArray]:
    """MAAX, KAAX, BAAX over [x_P; eta] ((6+k) squared), and one PHI matrix (6, 6+k) per other interface."""
    view = clamped_view(appendage)
    k = view.count
    stiffness, damping = np.zeros((6 + k, 6 + k)), np.zeros((6 + k, 6 + k))
    stiffness[6:, 6:], damping[6:, 6:] = view.stiffness, view.damping
    matrices = {
        "MAAX": np.block([[view.rigid_mass, view.coupling.T], [view.coupling, view.mass]]),
        "KAAX": stiffness,
        "BAAX": damping,
    }
    for i in range(len(view.ports)):
        matrices[f"PHI{i + 1}"] = np.hstack([view.transfer[i], view.shapes[i]])
    return matrices


def port_names(appendage: ReducedAppendage) -> dict[str, str]:
    """Matrix name of every interface."""
    return {f"PHI{i + 1}": port.name for i, port in enumerate(clamped_view(appendage).ports)}


def losses(appendage: ReducedAppendage) -> list[str]:
    """What reduced matrices cannot carry, whatever the file."""
    lost = ["linear about rest: inertia changes with deformation and spin terms are lost"]
    rest = len(appendage.nodes) - len(appendage.interfaces)
    if rest > 0:
        lost.append(f"shapes of the {rest} nodes without a name are lost")
    return lost
