"""Shock response spectra by Smallwood's recursive filter, exact for accelerations that are straight between samples.

Reference: [Smallwood1981].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.signal import lfilter

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import InputError

#: Samples per period of the highest frequency below which peaks are missed by more than a few percent.
FEWEST_SAMPLES = 10


@checked_arguments
def shock_spectrum(
    values: ArrayLike, step: float, hz: ArrayLike, *, q: float = 10.0, residual: bool = True
) -> FloatArray:
    """(f, c) largest absolute acceleration of oscillators of given frequencies on a base with accelerations (n, c).

    Args:
        values: (n,) or (n, c) accelerations at equal steps, at rest before.
        step: between samples, s.
        hz: frequencies (f,) of the oscillators.
        q: amplification, 1 / (2 zeta).
        residual: follow every oscillator for one cycle after the last sample.
    """
    signal = np.asarray(values, float)
    signal = signal.reshape(len(signal), -1)
    f = np.atleast_1d(np.asarray(hz, float))
    if not (step > 0.0 and q > 0.5 and (f > 0.0).all() and np.isfinite(signal).all()):
        raise InputError("a shock spectrum needs finite samples, a step and frequencies above zero, and q above 0.5")
    rate = 1.0 / (step * float(f.max()))
    if rate < FEWEST_SAMPLES * (1.0 - 1e-9):
        raise InputError(
            "the samples are too far apart for the highest frequency of the spectrum", found=f"{rate:.3g} per period",
            expected=f"at least {FEWEST_SAMPLES}", advice="sample the history more finely, or lower the highest frequency",
        )  # fmt: skip
    zeta = 0.5 / q
    out = np.zeros((len(f), signal.shape[1]))
    for i, natural in enumerate(2.0 * np.pi * f):
        b, a = _filter(natural, zeta, step)
        tail = int(np.ceil(1.0 / (f[i] * step))) if residual else 0
        followed = np.vstack([signal, np.zeros((tail, signal.shape[1]))])
        out[i] = np.abs(lfilter(b, a, followed, axis=0)).max(axis=0)
    return out


def _filter(w: float, zeta: float, step: float) -> tuple[list[float], list[float]]:
    """Coefficients of the ramp-invariant filter from base to absolute acceleration."""
    damped = w * np.sqrt(1.0 - zeta**2) * step
    decay = np.exp(-zeta * w * step)
    c, s = decay * np.cos(damped), decay * np.sin(damped) / damped
    return [1.0 - s, 2.0 * (s - c), decay**2 - s], [1.0, -2.0 * c, decay**2]
