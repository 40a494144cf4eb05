"""Linear laws in discrete time: x' = A x + B s, command = clip(C x + D s), once per sample.

Reference: [Franklin1998] sections 4.3 and 6.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from tisserand.arrays import FloatArray

Discretization = Literal["zoh", "tustin"]
#: What commands do between samples: stay (zero), or go on as from the last sample to this one (first).
Hold = Literal["zero", "first"]


class DiscreteLaw:
    """Matrices of a law in discrete time; every run begins with states of its own, all zero.

    A (n, n), B (n, p), C (m, n), D (m, p), limits (m, 2).
    """

    def __init__(self, A: FloatArray, B: FloatArray, C: FloatArray, D: FloatArray, limits: FloatArray) -> None:
        self.A, self.B, self.C, self.D, self.limits = A, B, C, D, limits

    def begin(self) -> Callable[[float, FloatArray], FloatArray]:
        """The law of one run."""
        x = np.zeros(len(self.A))

        def law(time: float, values: FloatArray) -> FloatArray:
            nonlocal x
            commands = np.clip(self.C @ x + self.D @ values, self.limits[:, 0], self.limits[:, 1])
            x = self.A @ x + self.B @ values
            return np.asarray(commands)

        return law

    def __call__(self, time: float, values: FloatArray) -> FloatArray:
        """The command of the first sample."""
        return self.begin()(time, values)


def discretized(
    A: FloatArray, B: FloatArray, C: FloatArray, D: FloatArray, period: float, method: Discretization
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """A continuous block at samples ``period`` s apart: inputs held (zoh), or by the trapezoidal rule (tustin)."""
    if not len(A):
        return A, B, C, D
    from scipy.signal import cont2discrete

    way = {"zoh": "zoh", "tustin": "bilinear"}[method]
    a, b, c, d, _ = cont2discrete((A, B, C, D), period, method=way)
    return np.asarray(a), np.asarray(b), np.asarray(c), np.asarray(d)
