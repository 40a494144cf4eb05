"""Thrusters of a vehicle file that are on or off: pulses in periods, and the logic of one valve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from tisserand.declarations import Declared, Key, check, option, problem
from tisserand.declarations.common_values import Vector
from tisserand.multibody import controllers
from tisserand.multibody.allocation import Allocation, torque_effect
from tisserand.multibody.loads import force
from tisserand.multibody.pulses import PulsedController, pulsed
from tisserand.multibody.signals import Signal
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file.file_values import DEGREE, Attitude, Direction, Point, in_body_axes, quaternion
from tisserand.multibody.vehicle_file.profile_tables import ProfileValue, maybe_profile


class ThrusterTable(Declared):
    """One thruster of a set."""

    point: Point = option(..., "where it acts", unit="m")
    direction: Direction = option(..., "of the force on the body, in body axes or in the axes of 'frame'")
    frame: str | None = option(None, "named frame of the body that the direction is in")
    thrust: float = option(..., "force while it fires", unit="N", above=0.0)


class ThrusterPulses(Declared):
    """Torque -kp error - kd rate error - ki ∫ error on a body by pulses of its thrusters, one each per period."""

    kind: Literal["thruster_pulses"] = option(..., "kind of controller")
    body: str = option(..., "the body")
    kp: float | Vector = option(..., "gain on the error, one number or three", unit="N m/rad")
    kd: float | Vector = option(..., "gain on the rate error", unit="N m s/rad")
    ki: float | Vector = option(0.0, "gain on the integral of the error", unit="N m/(rad s)")
    reference: Attitude | None = option(None, "reference attitude; default: inertial axes")
    slew_deg: ProfileValue | None = option(None, "rotation of the reference about slew_axis", unit="deg")
    slew_axis: Direction = option((0.0, 0.0, 1.0), "in the axes of the reference")
    thrusters: Annotated[dict[str, ThrusterTable], Field(min_length=1)] = option(..., "the thrusters")
    center: Vector | None = option(None, "about which their torques count; default: the body's mass center", unit="m")
    period: float = option(..., "time between pulses", unit="s", above=0.0)
    delay: float = option(0.0, "from sample to opening", unit="s", at_least=0.0)
    minimum_on: float = option(0.0, "shortest pulse; shorter ones are left out", unit="s", at_least=0.0)
    quantum: float = option(0.0, "pulses last whole multiples of it; 0: any time", unit="s", at_least=0.0)
    deadband_deg: float = option(0.0, "errors within it count as zero", unit="deg", at_least=0.0)

    @check
    def _within_the_period(self) -> None:
        for word in ("minimum_on", "quantum"):
            if getattr(self, word) > self.period:
                raise problem(
                    word, "is longer than the period", found=getattr(self, word), expected=f"at most {self.period:g} s"
                )

    def controller(self, name: str, vehicle: Vehicle, sensors: Mapping[str, Signal], key: Key) -> PulsedController:
        wanted = controllers.attitude_pd(
            self.body, self.kp, self.kd, self.ki, reference=quaternion(self.reference), slew_axis=self.slew_axis,
            slew=maybe_profile(self.slew_deg, DEGREE), name=name,
        )  # fmt: skip
        fired = []
        for word, one in self.thrusters.items():
            here = key.at("thrusters", word)
            along = in_body_axes(here, one.direction, one.frame, self.body, vehicle)
            if isinstance(one.point, str):
                with here.at("point").blamed():
                    vehicle.body(self.body).point(one.point)
            fired.append(force(self.body, along, None, point=one.point, name=word))
        effect = torque_effect(vehicle, self.body, fired, self.center)
        shared = Allocation(effect, one_sided=True, names=tuple(self.thrusters))
        thrust = [one.thrust for one in self.thrusters.values()]
        return pulsed(
            wanted, fired, thrust, shared, period=self.period, delay=self.delay, minimum_on=self.minimum_on,
            quantum=self.quantum, deadband=DEGREE * self.deadband_deg,
        )  # fmt: skip
