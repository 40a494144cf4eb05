"""Natural modes of the clamped view, for formats with diagonal modal matrices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from tisserand.arrays import FloatArray
from tisserand.exporters.clamped import ClampedView


@dataclass(frozen=True, eq=False)
class NaturalModes:
    """omega (k,) rad/s, ratios (k,), X (k, k) with X'Me X = 1, X'Ke X = omega²; off_diagonal damping left out, relative."""

    omega: FloatArray
    ratios: FloatArray
    X: FloatArray
    off_diagonal: float


def natural_modes(view: ClampedView) -> NaturalModes:
    """Mass-normalized, ascending; the sign makes the largest participation positive."""
    if view.count == 0:
        return NaturalModes(np.zeros(0), np.zeros(0), np.zeros((0, 0)), 0.0)
    values, X = eigh(view.stiffness, view.mass)
    A = X.T @ view.coupling
    signs = np.sign(A[np.arange(len(A)), np.abs(A).argmax(axis=1)])
    X = X * np.where(signs == 0.0, 1.0, signs)
    omega = np.sqrt(np.maximum(values, 0.0))
    D = X.T @ view.damping @ X
    diagonal = np.diag(D)
    ratios = np.divide(diagonal, 2.0 * omega, out=np.zeros_like(omega), where=omega > 0.0)
    rest = float(np.abs(D - np.diag(diagonal)).max()) / max(float(np.abs(D).max()), 1e-300)
    return NaturalModes(omega, ratios, np.asarray(X), rest)
