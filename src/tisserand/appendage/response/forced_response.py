"""Forced response of a held appendage by convolution of its modal forces with the impulse responses (S4 9.9 Eqs 22-25)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.errors import InputError


def forced_response(
    appendage: ReducedAppendage,
    times: ArrayLike,
    forces: ArrayLike,
    *,
    displacement: ArrayLike | None = None,
    rate: ArrayLike | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Modal coordinates and rates (n, k) of Me eta'' + De eta' + Ke eta = forces while the frame stays at rest.

    times (n,) s at equal steps; forces (n, k) modal forces, straight between the samples, for which the result is exact
    whatever the step; displacement and rate (k,) at the first time (zero if None). A force F at a point with translation
    shapes (3, k) has modal forces ``F @ interface.translation``.

    Args:
        appendage: the record.
    """
    t, f = np.asarray(times, float), np.asarray(forces, float)
    k = appendage.count
    if t.ndim != 1 or len(t) < 2 or f.shape != (len(t), k):
        raise InputError(
            "forced response needs one row of modal forces per time", found=(t.shape, f.shape), expected=f"(n,), (n, {k})"
        )
    if not (np.isfinite(t).all() and np.isfinite(f).all()):
        raise InputError("times and forces must be finite")
    h = float(t[-1] - t[0]) / (len(t) - 1)
    if not h > 0.0 or np.abs(np.diff(t) - h).max() > 1e-6 * h:
        raise InputError("forced response needs increasing times at equal steps", found=f"{len(t)} times")
    first = [np.zeros(k) if x is None else np.asarray(x, float) for x in (displacement, rate)]
    if any(x.shape != (k,) for x in first):
        raise InputError("the first displacement and rate need one value per mode", expected=k)
    y = _convolved(appendage, h, f, np.concatenate(first))
    return y[:, :k], y[:, k:]


def _convolved(appendage: ReducedAppendage, h: float, f: FloatArray, first: FloatArray) -> FloatArray:
    """x' = A x + B f through the eigenvectors of A: one recursive filter per pole, exact for straight forces."""
    from scipy.signal import lfilter

    k = appendage.count
    Me = np.asarray(appendage.integrals.modal_mass)
    A = np.block(
        [
            [np.zeros((k, k)), np.eye(k)],
            [-np.linalg.solve(Me, appendage.stiffness), -np.linalg.solve(Me, appendage.damping)],
        ]
    )
    poles, V = np.linalg.eig(A)
    if k and np.linalg.cond(V) > 1e12:
        raise InputError(
            "the modes have no separate poles (critically damped or without stiffness), so they cannot be convolved",
            advice="fly the appendage on a fixed base instead",
        )
    inward = np.linalg.solve(V, np.vstack([np.zeros((k, k)), np.linalg.inv(Me)]).astype(complex))
    drive, start = f @ inward.T, np.linalg.solve(V, first.astype(complex))
    z = poles * h
    grow = np.exp(z)
    old = h * ((z - 1.0) * grow + 1.0) / z**2  # weight of the force at the beginning of a step
    new = h * (grow - 1.0 - z) / z**2  # and at its end
    small = np.abs(z) < 1e-2
    series = [sum(z**n * c for n, c in enumerate(row)) for row in _SERIES]
    old, new = np.where(small, h * series[0], old), np.where(small, h * series[1], new)
    x = np.empty((len(f), 2 * k), complex)
    for i in range(2 * k):
        u = drive[:, i]
        steps = np.concatenate([[start[i]], old[i] * u[:-1] + new[i] * u[1:]])
        x[:, i] = lfilter([1.0], [1.0, -grow[i]], steps)
    return np.asarray((x @ V.T).real)


#: Powers of z of the two weights divided by h: sum z^n (n + 1)/(n + 2)! and sum z^n/(n + 2)!.
_SERIES = (
    tuple((n + 1) / float(np.prod(np.arange(1, n + 3))) for n in range(8)),
    tuple(1.0 / float(np.prod(np.arange(1, n + 3))) for n in range(8)),
)
