"""Numbers of wheels and sensors that are possible but rarely meant: rpm as rad/s, g cm as kg m, deg/h as rad/s.

Serves theory section 15 and the checks of theory section 5.4.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tisserand.multibody.controllers import Controller
from tisserand.multibody.loads import Load
from tisserand.multibody.signals import Signal
from tisserand.multibody.wheel_law import WheelLaw

#: Wheels faster than this are doubted, rad/s (19,000 rpm).
_FAST = 2000.0
#: Static imbalance beyond this is doubted, kg m (1000 g cm).
_HEAVY = 1e-2
#: Errors of a gyro beyond this are doubted, rad/s.
_COARSE = 0.1


def hardware_doubts(
    loads: Sequence[Load], controllers: Sequence[Controller], outputs: Sequence[Signal]
) -> tuple[str, ...]:
    """One sentence per doubtful number of a wheel or a sampled sensor."""
    sensors = {s.name: s for s in (*(s for c in controllers for s in c.inputs), *outputs) if s.errors is not None}
    wheels = [load.wheel for load in loads if load.wheel is not None]
    return (
        *(words for wheel in wheels for words in _wheel(wheel)),
        *(words for sensor in sensors.values() for words in _gyro(sensor)),
    )


def _wheel(wheel: WheelLaw) -> list[str]:
    out, name = [], f"wheel {wheel.rotor.name}"
    if _FAST < wheel.max_speed < np.inf:
        rpm = wheel.max_speed * 30.0 / np.pi
        out.append(f"{name}: max_speed of {wheel.max_speed:.4g} rad/s is {rpm:.4g} rpm: speeds are in rad/s")
    if wheel.static > _HEAVY:
        out.append(
            f"{name}: a static imbalance of {wheel.static:.4g} kg m is {wheel.static * 1e5:.4g} g cm: check the units"
        )
    if wheel.friction[0] >= wheel.max_torque:
        out.append(
            f"{name}: its friction of {wheel.friction[0]:.4g} N m is not less than max_torque, {wheel.max_torque:.4g} N m: "
            "the motor cannot turn it"
        )
    return out


def _gyro(sensor: Signal) -> list[str]:
    errors = sensor.errors
    if errors is None or sensor.kind != "rate":
        return []
    worst = max(abs(errors.bias), errors.deviation)
    if worst <= _COARSE:
        return []
    return [
        f"sensor {sensor.name}: an error of {worst:.4g} rad/s is {np.degrees(worst) * 3600.0:.3g} deg/h: rates are in rad/s"
    ]
