"""Forced response of a held appendage by convolution of its modal forces with the impulse responses (S4 9.9 Eqs 22-25)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import InputError


@checked_arguments
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
            "forced response needs one row of modal forces per time",
            found=(t.shape, f.shape),
            expected=f"(n,), (n, {k})",
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
    """The free and forced motion by steps of h, exact for straight forces whatever the damping.

    In natural coordinates q, eta = X q, the state (sigma q, q') has an orthogonal Schur form, z' = T z + G f, that exists
    for equal poles too (critical damping, modes without stiffness); it is diagonal without damping. A step is
    z(t + h) = e^{Th} z + h (phi1 - phi2) G f(t) + h phi2 G f(t + h), phi1 = (e^{Th} - 1)/(Th), phi2 = (phi1 - 1)/(Th);
    T is triangular, so the rows are recursive filters, solved from the last one up.
    """
    from scipy.linalg import eigh, expm, schur
    from scipy.signal import lfilter

    k, n = appendage.count, len(f)
    if not k:
        return np.zeros((n, 0))
    if appendage.massless.any():
        raise InputError(
            "a shape without mass in its mean axes has no motion of its own",
            where=f"appendage {appendage.name}",
            found=appendage.mode_names[int(np.argmax(appendage.massless))],
            advice='use in_frame(record, "connection"), whose shapes all have mass',
        )
    Me, De = np.asarray(appendage.integrals.modal_mass), np.asarray(appendage.damping)
    squares, X = eigh(np.asarray(appendage.stiffness), Me)
    # A mode without stiffness moves by q' times the duration: its scale is the inverse of that.
    sigma = np.maximum(np.sqrt(np.maximum(squares, 0.0)), 1.0 / (h * (n - 1)))
    A = np.block([[np.zeros((k, k)), np.diag(sigma)], [-np.diag(squares / sigma), -X.T @ De @ X]])
    T, Q = schur(A.astype(complex), output="complex")
    G = Q.conj().T @ np.vstack([np.zeros((k, k)), X.T])
    whole = np.zeros((4 * k, 4 * k), complex)
    whole[: 2 * k, : 2 * k], whole[: 2 * k, 2 * k : 3 * k] = h * T, h * G
    whole[2 * k : 3 * k, 3 * k :] = np.eye(k)
    grown = expm(whole)[: 2 * k]
    step, one, two = grown[:, : 2 * k], grown[:, 2 * k : 3 * k], grown[:, 3 * k :]
    modal = X.T @ Me  # q from eta
    start = Q.conj().T @ np.concatenate([sigma * (modal @ first[:k]), modal @ first[k:]])
    drive = f[:-1] @ (one - two).T + f[1:] @ two.T
    z = np.empty((n, 2 * k), complex)
    for i in range(2 * k - 1, -1, -1):
        steps = drive[:, i] + z[:-1, i + 1 :] @ step[i, i + 1 :]
        z[:, i] = lfilter([1.0], [1.0, -step[i, i]], np.concatenate([[start[i]], steps]))
    x = (z @ Q.T).real
    return np.hstack([x[:, :k] / sigma @ X.T, x[:, k:] @ X.T])
