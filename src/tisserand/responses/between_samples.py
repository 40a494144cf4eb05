"""Extremes between samples: inputs that are straight between samples, at as many times as the highest mode needs."""

from __future__ import annotations

import math

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.responses.modal_system import ModalSystem

#: Times at which extremes are sought in a period of the highest mode.
_PER_PERIOD = 16


def pieces_of(system: ModalSystem, step: float) -> int:
    """Into how many pieces a step (s) is cut, so that a period of the highest mode has 16: its peaks are met within 2 %."""
    return max(1, math.ceil(_PER_PERIOD * step * float(system.w.max(initial=0.0)) / (2.0 * np.pi)))


def refined(values: FloatArray, pieces: int) -> FloatArray:
    """Values (n, i) on a line between samples, at every piece of a step."""
    if pieces == 1:
        return values
    part = (np.arange(pieces) / pieces)[None, :, None]
    between = values[:-1, None] + part * np.diff(values, axis=0)[:, None]
    return np.concatenate([between.reshape(-1, values.shape[1]), values[-1:]])
