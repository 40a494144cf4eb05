"""Reaction wheels: a rotor with limits of torque and speed, friction, imbalance and a tachometer, declared as one part.

Reference: theory section 15.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.multibody.force_elements import rotor_drag
from tisserand.multibody.loads import Load
from tisserand.multibody.sensor_errors import SensorErrors
from tisserand.multibody.signals import Signal, rotor_rate, sensor
from tisserand.multibody.vehicle import Rotor
from tisserand.multibody.wheel_law import WheelLaw
from tisserand.notebook_html import html_table


@checked_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class ReactionWheel:
    """The parts of a wheel: give ``rotor`` to the vehicle, and ``loads`` to the simulation.

    Attributes:
        rotor: spin inertia, mass and axis.
        loads: drag, limits and imbalance.
        tachometer: the rate relative to the body, with errors if any are given.
    """

    rotor: Rotor
    loads: tuple[Load, ...]
    tachometer: Signal

    def _repr_html_(self) -> str:
        rows = [
            ("rotor", self.rotor.name),
            ("body", self.rotor.body),
            ("spin inertia", f"{self.rotor.spin_inertia:.6g} kg m²"),
        ]
        rows += [("load", load.name) for load in self.loads]
        return html_table("Reaction wheel", ("", ""), rows)


@checked_arguments
def reaction_wheel(
    name: str,
    body: str,
    axis: ArrayLike,
    spin_inertia: float,
    *,
    mass: float = 0.0,
    position: ArrayLike = (0, 0, 0),
    transverse_inertia: float | None = None,
    max_torque: float | None = None,
    max_speed: float | None = None,
    taper: float = 0.01,
    coulomb: float = 0.0,
    breakaway: float | None = None,
    stribeck_rate: float = 1.0,
    smoothing_rate: float = 1e-3,
    viscous: float = 0.0,
    static_imbalance: float = 0.0,
    static_phase: float = 0.0,
    dynamic_imbalance: float = 0.0,
    dynamic_phase: float = 0.0,
    tachometer: SensorErrors | None = None,
) -> ReactionWheel:
    """A torque-driven wheel. All motor torques on it together are limited; drag acts beside them; imbalance shakes its body.

    The shortfall of the motor is the load ``NAME.limit``. Imbalance is a force and a torque that turn with the wheel (theory
    section 15); they do not act back on the spin, and their work counts as work of loads. Steps resolve every revolution.

    Args:
        name: of the wheel and its rotor.
        body: that carries it.
        axis: (3,) in body axes.
        spin_inertia: kg m².
        mass: kg.
        position: of its mass center, m in body axes; the imbalance acts there.
        transverse_inertia: kg m².
        max_torque: of the motor, N m; None: no limit.
        max_speed: rad/s relative to the body; the motor does not accelerate the wheel beyond it.
        taper: part of max_speed over which the accelerating torque falls to zero.
        coulomb: friction of the turning wheel, N m; see ``force_elements.rotor_drag``.
        breakaway: friction near rest, N m; the same by default.
        stribeck_rate: rad/s.
        smoothing_rate: rad/s.
        viscous: N m s/rad.
        static_imbalance: kg m.
        static_phase: rad, about the axis.
        dynamic_imbalance: kg m².
        dynamic_phase: rad, about the axis.
        tachometer: errors of the measured speed.
    """
    rotor = Rotor(
        name, body, axis, spin_inertia, mass=mass, position=position, transverse_inertia=transverse_inertia
    )  # fmt: skip
    made: list[Load] = []
    law: dict[str, Any] = {}
    if coulomb or viscous or breakaway:
        drag = rotor_drag(
            name, coulomb, breakaway=breakaway, stribeck_rate=stribeck_rate, smoothing_rate=smoothing_rate,
            viscous=viscous, name=f"{name}.drag",
        )  # fmt: skip
        assert drag.element is not None
        made.append(drag)
        law["friction"] = (*drag.element.friction, viscous)
    effects = WheelLaw(
        rotor=rotor,
        max_torque=np.inf if max_torque is None else max_torque,
        max_speed=np.inf if max_speed is None else max_speed,
        taper=taper,
        static=static_imbalance,
        static_phase=static_phase,
        dynamic=dynamic_imbalance,
        dynamic_phase=dynamic_phase,
        **law,
    )
    if effects.limited or effects.shakes:
        made.append(Load(name, "wheel", name, wheel=effects))
    rate = rotor_rate(name, name=f"{name}.speed")
    return ReactionWheel(
        rotor=rotor, loads=tuple(made), tachometer=rate if tachometer is None else sensor(rate, tachometer)
    )


@checked_arguments
def imbalance(
    rotor: Rotor, static: float = 0.0, dynamic: float = 0.0, *, static_phase: float = 0.0, dynamic_phase: float = 0.0
) -> Load:
    """Imbalance of a rotor that turns at a prescribed speed or by torques (theory section 15).

    Args:
        rotor: of the vehicle.
        static: kg m.
        dynamic: kg m².
        static_phase: rad, about the axis.
        dynamic_phase: rad, about the axis.
    """
    law = WheelLaw(
        rotor=rotor, static=static, dynamic=dynamic, static_phase=static_phase, dynamic_phase=dynamic_phase
    )  # fmt: skip
    return Load(rotor.name, "wheel", rotor.name, wheel=law)
