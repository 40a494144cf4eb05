"""Error of a truncated response, predicted from the modes left out (Kane 9.9, Eqs 20-21)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.modes.modal_basis import ModalBasis


@dataclass(frozen=True, eq=False)
class TruncationPrediction:
    """Expected error of the response to a release from rest at u0, undamped.

    relative: root-mean-square over time of the mass-weighted error over that of the full response;
    energy_lost: fraction of the initial strain energy in modes left out; dof_rms (d,): rms error of each dof,
    m or rad; outside_basis: part of ``relative`` that comes from u0 lying outside all modes of the basis.
    """

    relative: float
    energy_lost: float
    dof_rms: FloatArray
    outside_basis: float


@checked_arguments
def predict_release(basis: ModalBasis, displacement: FloatArray, kept: Sequence[int]) -> TruncationPrediction:
    """Error of keeping only some modes when the structure is released from rest at ``displacement`` (d,).

    u(t) = sum phi_k eta_k(0) cos(w_k t), eta(0) = Me^-1 Phi' M u0: modes left out are lost with mean square
    1/2 of their amplitude; modes of one frequency act together. ``basis`` must hold natural modes.

    Args:
        kept: modes that are kept, 0-based.
    """
    Phi, M = basis.shapes, basis.model.mass
    u0 = np.asarray(displacement, dtype=float)
    Me = Phi.T @ (M @ Phi)
    eta = np.linalg.solve(Me, Phi.T @ (M @ u0))
    out = np.ones(len(basis), bool)
    out[np.asarray(kept, dtype=np.int64)] = False
    total = float(u0 @ (M @ u0))
    inside = float(eta @ Me @ eta)
    lost = float((eta * out) @ Me @ (eta * out))
    outside = max(total - inside, 0.0)
    stiff = np.diag(Me) * basis.eigenvalues * eta**2
    rms = _rms_by_frequency(Phi * (eta * out), basis.frequencies_hz)
    return TruncationPrediction(
        relative=float(np.sqrt((lost + outside) / max(total, 1e-300))),
        energy_lost=float(stiff[out].sum() / max(float(stiff.sum()), 1e-300)),
        dof_rms=rms,
        outside_basis=float(np.sqrt(outside / max(total, 1e-300))),
    )


def _rms_by_frequency(amplitudes: FloatArray, hz: FloatArray) -> FloatArray:
    """rms over time of sum_k a_k cos(w_k t) per row; amplitudes of equal frequencies add before squaring."""
    order = np.argsort(hz, kind="stable")
    first = np.concatenate([[True], np.diff(hz[order]) > 1e-6 * np.maximum(hz[order][1:], 1e-300)])
    group = np.cumsum(first) - 1
    summed = np.zeros((amplitudes.shape[0], int(group[-1]) + 1 if len(group) else 0))
    np.add.at(summed.T, group, amplitudes[:, order].T)
    return np.asarray(np.sqrt(0.5 * (summed**2).sum(axis=1)))
