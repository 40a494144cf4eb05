"""Modal mass of an appendage as its support sees it, from the integrals of a record in any frame (theory section 9).

A rigid motion c (6, k) about O taken out of the shapes, Phi - S c, changes Me by - c'A - A'c + c'(S'M S) c with A = S'M Phi.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.damping_matrix import natural_modes
from tisserand.appendage.record.node_table import Interface
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray, skew, symmetric

#: What holds the appendage when its damping ratios are measured.
DampingSupport = Literal["attachment", "free"]


def interface_motion(interface: Interface) -> FloatArray:
    """Rigid motion [t; c] (6, k) about O of an interface, per mode."""
    return np.vstack([interface.translation + skew(interface.position) @ interface.rotation, interface.rotation])


def support_mass(integrals: ModalIntegrals, attachment: Interface | None, support: DampingSupport) -> FloatArray:
    """Me (k, k) with the attachment held (unchanged if there is none), or with nothing held."""
    if support == "free":
        c = np.linalg.solve(integrals.rigid_mass, integrals.coupling)
    elif attachment is None:
        return integrals.modal_mass
    else:
        c = interface_motion(attachment)
        if not c.any():
            return integrals.modal_mass
    crossed = c.T @ integrals.coupling
    return symmetric(integrals.modal_mass - crossed - crossed.T + c.T @ integrals.rigid_mass @ c)


def held_modes(appendage: ReducedAppendage) -> tuple[FloatArray, FloatArray]:
    """Frequencies (Hz) and damping ratios of the natural modes with the attachment held, ascending."""
    attachment = None if appendage.attachment is None else appendage.interface(appendage.attachment)
    return _natural(appendage, support_mass(appendage.integrals, attachment, "attachment"))


def free_modes(appendage: ReducedAppendage) -> tuple[FloatArray, FloatArray]:
    """Frequencies (Hz) and damping ratios of the natural modes of this span with nothing held: Ritz values, from above."""
    return _natural(appendage, support_mass(appendage.integrals, None, "free"))


def _natural(appendage: ReducedAppendage, Me: FloatArray) -> tuple[FloatArray, FloatArray]:
    w, X = natural_modes(Me, appendage.stiffness)
    achieved = np.einsum("ki,kl,li->i", X, appendage.damping, X)
    return w / (2.0 * np.pi), np.divide(achieved, 2.0 * w, out=np.zeros_like(w), where=w > 0.0)
