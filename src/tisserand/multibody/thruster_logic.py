"""On-off thruster logic: a Schmitt trigger with deadband and hysteresis.

Serves the loads of theory section 3.2.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.controllers import SampledController
from tisserand.multibody.loads import Load
from tisserand.multibody.signals import Signal


def thruster_logic(
    angle: Signal,
    rate: Signal,
    output: Load,
    *,
    deadband: float,
    strength: float,
    period: float,
    hysteresis: float = 0.2,
    lead: float = 0.0,
    delay: float = 0.0,
    name: str = "thruster logic",
) -> SampledController:
    """On-off control of an angle: the output fires against ``angle + lead rate`` beyond the deadband.

    Parameters
    ----------
    angle, rate : Signal
        What is kept within the deadband, rad, and its rate, rad/s.
    output : Load
        What fires; its direction is the positive torque.
    deadband : float
        Half width, rad.
    strength : float
        Torque or force while firing, N m or N.
    period, delay : float
        Between samples and from sample to action, s.
    hysteresis : float
        The valves close inside ``(1 - hysteresis)`` of the deadband.
    lead : float
        Weight of the rate, s.
    name : str
        Name of the controller.
    """
    law = on_off_law(deadband, hysteresis, lead, strength)
    return SampledController(name, (angle, rate), (output,), law, period, delay, on_off=True)


def on_off_law(
    deadband: float, hysteresis: float, lead: float, strength: float
) -> Callable[[float, FloatArray], FloatArray]:
    """A Schmitt trigger on ``angle + lead rate``; it resets when time goes back, so that a case can be simulated again."""
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
