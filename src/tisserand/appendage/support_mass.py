"""Modal mass of an appendage as its support sees it, from the integrals of a record in any frame (theory section 9).

A rigid motion c (6, k) about O taken out of the shapes, Phi - S c, changes Me by - c'A - A'c + c'(S'M S) c with A = S'M Phi.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from tisserand.appendage.integrals.integral_changes import shifted_integrals
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.damping_matrix import natural_modes
from tisserand.appendage.record.node_table import Interface
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray, skew, symmetric
from tisserand.modes.modal_basis import MEAN_AXES

#: A principal moment of inertia below this part of the largest is none: all mass lies on a line.
_COLLINEAR = 1e-12
#: What holds the appendage when its damping ratios are measured.
DampingSupport = Literal["attachment", "free"]


def interface_motion(interface: Interface) -> FloatArray:
    """Rigid motion [t; c] (6, k) about O of an interface, per mode."""
    return np.vstack([interface.translation + skew(interface.position) @ interface.rotation, interface.rotation])


def mean_motion(integrals: ModalIntegrals, attachment: Interface | None = None) -> FloatArray:
    """Rigid motion [t; c] (6, k) about O that carries the momentum of each shape: (S'M S)^-1 S'M Phi.

    About an axis that all mass lies on nothing has momentum: there the frame follows the attachment, or stays as it is.
    """
    about = shifted_integrals(integrals, integrals.center)
    moments, axes = np.linalg.eigh(about.inertia)
    turning = moments > _COLLINEAR * moments[-1]
    turn = axes[:, turning]
    c = turn @ ((turn.T @ about.rotation) / moments[turning, None])
    if attachment is not None:
        line = axes[:, ~turning]
        c = c + line @ (line.T @ (attachment.rotation - c))
    mean = integrals.translation / integrals.mass
    return np.vstack([mean + skew(integrals.center) @ c, c])


def support_mass(integrals: ModalIntegrals, attachment: Interface | None, support: DampingSupport) -> FloatArray:
    """Me (k, k) with the attachment held (unchanged if there is none), or with nothing held."""
    if support == "free":
        c = mean_motion(integrals)
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


def listed_modes(appendage: ReducedAppendage) -> tuple[FloatArray, FloatArray]:
    """Frequencies (Hz) and damping ratios that belong to the mode names: of the held modes for a clamped span in mean axes.

    Infinite and 0 for a static shape, which moves the attachment against the mean axes and no mass.
    """
    mounting = appendage.reports.get("mount", {}).get("mounting")
    if appendage.frame.name in MEAN_AXES and mounting == "clamped" and appendage.attachment is not None:
        hz, ratios = held_modes(appendage)
        if len(hz) == appendage.count:
            return hz, ratios
    return appendage.frequencies_hz, appendage.damping_ratios


def frequency_words(hz: FloatArray) -> tuple[str, ...]:
    """``12.345 Hz`` each, or ``static``."""
    return tuple("static" if np.isinf(f) else f"{f:.6g} Hz" for f in hz)


def free_modes(appendage: ReducedAppendage) -> tuple[FloatArray, FloatArray]:
    """Frequencies (Hz) and damping ratios of the natural modes of this span with nothing held: Ritz values, from above."""
    return _natural(appendage, support_mass(appendage.integrals, None, "free"))


def _natural(appendage: ReducedAppendage, Me: FloatArray) -> tuple[FloatArray, FloatArray]:
    w, X = natural_modes(Me, appendage.stiffness)
    achieved = np.einsum("ki,kl,li->i", X, appendage.damping, X)
    return w / (2.0 * np.pi), np.divide(achieved, 2.0 * w, out=np.zeros_like(w), where=w > 0.0)
