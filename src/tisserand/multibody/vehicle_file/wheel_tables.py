"""Reaction wheels of a vehicle file: rotor, motor, bearing, imbalance and tachometer in one table."""

from __future__ import annotations

from collections.abc import Mapping

from tisserand.declarations import Declared, Key, needs, option, ruled
from tisserand.declarations.common_values import ORIGIN, Vector
from tisserand.multibody.loads import Load, rotor_torque
from tisserand.multibody.vehicle import Body
from tisserand.multibody.vehicle_file.file_values import DEGREE, Direction
from tisserand.multibody.vehicle_file.part_tables import known_body
from tisserand.multibody.vehicle_file.sensor_tables import ErrorsTable
from tisserand.multibody.wheels import ReactionWheel, reaction_wheel


class WheelTable(Declared):
    """A reaction wheel: a torque-driven rotor with limits, friction and imbalance; controllers and loads name it as a rotor."""

    body: str = option(..., "body that carries it")
    axis: Direction = option(..., "spin axis, in body axes")
    spin_inertia: float = option(..., "inertia about the axis", unit="kg m²", above=0.0)
    mass: float = option(0.0, "mass", unit="kg", at_least=0.0)
    position: Vector = option(ORIGIN, "mass center from the body's origin; imbalance acts there", unit="m")
    transverse_inertia: float = option(0.0, "inertia across the axis", unit="kg m²", at_least=0.0)
    max_torque: float | None = option(
        None, "largest torque of the motor, all commands together; default: none", unit="N m", above=0.0
    )
    max_speed: float | None = option(
        None, "relative rate beyond which the motor does not accelerate it; default: none", unit="rad/s", above=0.0
    )
    taper: float = option(
        0.01, "part of max_speed over which the accelerating torque falls to zero", above=0.0, at_most=1.0
    )
    coulomb: float = option(0.0, "friction of the turning wheel", unit="N m", at_least=0.0)
    breakaway: float | None = option(None, "friction near rest; default: the same", unit="N m", at_least=0.0)
    stribeck_rate: float = option(1.0, "rate at which friction has fallen by 63 %", unit="rad/s", above=0.0)
    smoothing_rate: float = option(1e-3, "rate within which the sign is smoothed", unit="rad/s", above=0.0)
    viscous: float = option(0.0, "drag per rate", unit="N m s/rad", at_least=0.0)
    static_imbalance: float = option(0.0, "mass times offset", unit="kg m", at_least=0.0)
    static_phase_deg: float = option(0.0, "its direction about the axis at zero rotor angle", unit="deg")
    dynamic_imbalance: float = option(0.0, "product of inertia across the axis", unit="kg m²", at_least=0.0)
    dynamic_phase_deg: float = option(0.0, "its direction about the axis at zero rotor angle", unit="deg")
    input: str | None = option(None, "name of an input given at every step (Simulation.step): a torque of its motor")
    tachometer: ErrorsTable | None = option(None, "a sensor NAME.speed of its rate, with these errors; default: none")

    _taper = ruled(needs("taper", "max_speed"))

    def wheel(self, name: str, bodies: Mapping[str, Body], key: Key) -> ReactionWheel:
        known_body(key, self.body, bodies)
        with key.blamed():
            return reaction_wheel(
                name, self.body, self.axis, self.spin_inertia, mass=self.mass, position=self.position,
                transverse_inertia=self.transverse_inertia, max_torque=self.max_torque, max_speed=self.max_speed,
                taper=self.taper, coulomb=self.coulomb, breakaway=self.breakaway, stribeck_rate=self.stribeck_rate,
                smoothing_rate=self.smoothing_rate, viscous=self.viscous, static_imbalance=self.static_imbalance,
                static_phase=DEGREE * self.static_phase_deg, dynamic_imbalance=self.dynamic_imbalance,
                dynamic_phase=DEGREE * self.dynamic_phase_deg,
                tachometer=None if self.tachometer is None else self.tachometer.errors(),
            )  # fmt: skip

    def loads(self, name: str) -> tuple[Load, ...]:
        """The motor that is driven from outside."""
        return () if self.input is None else (rotor_torque(name, self.input, f"{name}.motor"),)
