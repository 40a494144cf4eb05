"""What a wheel adds to a balanced rotor: limits of its motor, and forces of its imbalance.

Reference: theory section 15.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.vehicle import Rotor


@checked_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class WheelLaw:
    """Limits and imbalance of a rotor.

    Attributes:
        rotor: the rotor, which a vehicle carries.
        max_torque: of the motor, N m; infinite: no limit.
        max_speed: relative rate beyond which the motor does not accelerate the wheel, rad/s; infinite: no limit.
        taper: part of max_speed over which the accelerating torque falls to zero.
        static: imbalance U_s, kg m.
        static_phase: ps, rad, from the first cross axis at zero rotor angle.
        dynamic: imbalance U_d, kg m².
        dynamic_phase: pd, rad.
        friction: Coulomb level, level at rest, Stribeck rate, smoothing rate, viscous coefficient of the drag that acts.
    """

    rotor: Rotor
    max_torque: float = np.inf
    max_speed: float = np.inf
    taper: float = 0.01
    static: float = 0.0
    static_phase: float = 0.0
    dynamic: float = 0.0
    dynamic_phase: float = 0.0
    friction: tuple[float, float, float, float, float] = (0.0, 0.0, 1.0, 1.0, 0.0)

    def __post_init__(self) -> None:
        where = f"wheel {self.rotor.name}"
        for word in ("max_torque", "max_speed"):
            if not getattr(self, word) > 0.0:
                raise VehicleError(f"{word} must be positive", where=where, found=getattr(self, word))
        if not 0.0 < self.taper <= 1.0:
            raise VehicleError("taper must be above 0 and at most 1", where=where, found=self.taper)
        for word in ("static", "dynamic"):
            if not (np.isfinite(getattr(self, word)) and getattr(self, word) >= 0.0):
                raise VehicleError(
                    f"{word} imbalance must be finite and not negative", where=where, found=getattr(self, word)
                )
        if self.limited and self.rotor.mode != "torque":
            raise VehicleError("limits need a torque-driven rotor", where=where, found=self.rotor.mode)
        if self.shakes and self.rotor.mode == "momentum":
            raise VehicleError("imbalance needs a rotor with an angle", where=where, found=self.rotor.mode)

    @property
    def limited(self) -> bool:
        """Whether the motor has a limit."""
        return bool(np.isfinite(self.max_torque) or np.isfinite(self.max_speed))

    @property
    def shakes(self) -> bool:
        """Whether there is any imbalance."""
        return self.static > 0.0 or self.dynamic > 0.0


def cross_axes(axis: FloatArray) -> FloatArray:
    """Two unit vectors across an axis (2, 3), right-handed with it: phases of imbalance count from the first to the second."""
    start = np.eye(3)[int(np.argmin(np.abs(axis)))]
    first = start - axis * (axis @ start)
    first = first / np.linalg.norm(first)
    return np.array([first, np.cross(axis, first)])
