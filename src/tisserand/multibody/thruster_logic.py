"""On-off thruster logic: a Schmitt trigger with deadband and hysteresis.

Serves the loads of theory section 3.2.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tisserand.arrays import FloatArray


def on_off_law(
    deadband: float, hysteresis: float, lead: float, strength: float
) -> Callable[[float, FloatArray], FloatArray]:
    """A Schmitt trigger on ``angle + lead rate``; it forgets when time goes back, so that a case can be flown again."""
    fired, last = [0.0], [-np.inf]

    def law(time: float, values: FloatArray) -> FloatArray:
        if time < last[0]:
            fired[0] = 0.0
        last[0] = time
        error = values[0] + lead * values[1]
        if abs(error) > deadband:
            fired[0] = -float(np.sign(error))
        elif abs(error) < deadband * (1.0 - hysteresis) or fired[0] * error > 0.0:
            fired[0] = 0.0
        return np.array([strength * fired[0]])

    return law
