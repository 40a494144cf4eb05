"""Frequency response of a linear model, sampled so that no peak is lost.

Serves the linear models of S0 Eq 117.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tisserand.arrays import ComplexArray, FloatArray
from tisserand.errors import NotConvergedError
from tisserand.multibody.linear import LinearModel

#: Frequencies around a pole, in half bandwidths (|real part|) from it.
AROUND_A_POLE = np.concatenate([np.linspace(-2.0, 2.0, 21), [-30.0, -10.0, -5.0, -3.0, 3.0, 5.0, 10.0, 30.0]])
#: A peak counts as found when halving the spacing beside it raises it by less than this.
PEAK_TOLERANCE = 1e-3
#: An undamped pole is approached no closer than this part of its frequency.
CLOSEST = 1e-6
MOST_REFINEMENTS = 40
#: A response that takes more than this many times the first frequencies has noise, not peaks.
MOST_GROWTH = 20


def frequency_response(model: LinearModel, hz: FloatArray) -> ComplexArray:
    """(f, outputs, inputs) complex response C (i w - A)^-1 B + D, by one eigendecomposition where A has one, solves else."""
    w = 2j * np.pi * np.asarray(hz, float)
    values, vectors = np.linalg.eig(model.A)
    if np.linalg.cond(vectors) < 1e10:
        left, right = model.C @ vectors, np.linalg.solve(vectors, model.B.astype(complex))
        return np.asarray(np.einsum("ok,fk,ki->foi", left, 1.0 / (w[:, None] - values), right) + model.D)
    eye = np.eye(len(model.A))
    return np.asarray([model.C @ np.linalg.solve(s * eye - model.A, model.B) + model.D for s in w])


def frequencies(poles: ComplexArray, low_hz: float, high_hz: float, points: int) -> FloatArray:
    """A logarithmic grid of ``points`` frequencies, Hz, and more of them around every pole of the range."""
    grid = [np.geomspace(low_hz, high_hz, points)]
    for pole in poles[poles.imag > 0.0]:
        width = max(abs(pole.real), CLOSEST * abs(pole))
        grid.append((pole.imag + width * AROUND_A_POLE) / (2.0 * np.pi))
    every = np.unique(np.concatenate(grid))
    return np.asarray(every[(every >= low_hz) & (every <= high_hz)])


def sampled_response(
    model: LinearModel, low_hz: float, high_hz: float, points: int = 400
) -> tuple[FloatArray, ComplexArray]:
    """Frequencies (f,) Hz and response (f, outputs, inputs) with every peak of every channel within 0.1 %."""
    return refined(lambda hz: frequency_response(model, hz), frequencies(model.poles, low_hz, high_hz, points))


def _rise(hz: FloatArray, size: FloatArray) -> FloatArray:
    """(f - 2, c) how far a maximum may lie above the middle one of three samples of each channel.

    Half of the larger drop bounds it for equal steps; for unequal ones twice the height of the parabola's vertex does, where that
    is more: (d h' - d' h)² / (4 (h + h') (d + d')) with steps h, h' and slopes d, d' down to both sides.
    """
    before, after = np.diff(hz)[:-1, None], np.diff(hz)[1:, None]
    down = size[1:-1] - size[:-2], size[1:-1] - size[2:]
    slopes = down[0] / before, down[1] / after
    steep = slopes[0] + slopes[1]
    vertex = (slopes[0] * after - slopes[1] * before) ** 2 / (
        4.0 * (before + after) * np.where(steep > 0.0, steep, 1.0)
    )
    return np.maximum(0.5 * np.maximum(*down), 2.0 * vertex)


def refined(respond: Callable[[FloatArray], ComplexArray], hz: FloatArray) -> tuple[FloatArray, ComplexArray]:
    """More frequencies beside the local maxima of every channel until halving the spacing no longer raises them.

    Poles on the axis are approached to CLOSEST, where the response has no maximum to converge to.
    """
    response, first = respond(hz), len(hz)
    for _ in range(MOST_REFINEMENTS):
        if len(hz) < 3:
            break
        size = np.abs(response).reshape(len(hz), -1)
        inner = size[1:-1]
        peaks = (inner >= size[:-2]) & (inner >= size[2:]) & (inner > 0.0)
        rise = _rise(hz, size) / np.where(inner > 0.0, inner, 1.0)
        spacing = (hz[2:] - hz[:-2]) / hz[1:-1]
        open_peaks = np.any(peaks & (rise > PEAK_TOLERANCE), axis=1) & (spacing > CLOSEST)
        places = np.flatnonzero(open_peaks) + 1
        if len(places) == 0:
            break
        if len(hz) > MOST_GROWTH * first:
            raise NotConvergedError(
                "the frequency response is round-off: more peaks appear wherever more frequencies are tried",
                found=f"{len(hz)} frequencies from {first}",
                advice="check the vehicle for masses, inertias or distances of very different size",
            )
        new = np.unique(np.concatenate([0.5 * (hz[places - 1] + hz[places]), 0.5 * (hz[places] + hz[places + 1])]))
        order = np.argsort(np.concatenate([hz, new]), kind="stable")
        response = np.concatenate([response, respond(new)])[order]
        hz = np.concatenate([hz, new])[order]
    return hz, response
