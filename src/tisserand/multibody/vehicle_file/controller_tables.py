"""Controllers of a vehicle file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from tisserand.declarations import Declared, Key, excludes, needs, one_of, option, ruled, tagged_by
from tisserand.declarations.common_values import Vector, many
from tisserand.multibody import controllers
from tisserand.multibody.controllers import Controller, LinearController, SampledController
from tisserand.multibody.discrete_law import Discretization, Hold
from tisserand.multibody.joints import step_of_speed
from tisserand.multibody.loads import Load
from tisserand.multibody.notch import with_notch
from tisserand.multibody.signals import Signal
from tisserand.multibody.thruster_logic import thruster_logic
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file.file_values import (
    DEGREE,
    Attitude,
    Direction,
    Rows,
    known_joint,
    known_rotor,
    quaternion,
)
from tisserand.multibody.vehicle_file.load_tables import DrivenLoad
from tisserand.multibody.vehicle_file.profile_tables import ProfileValue, maybe_profile, profile_of
from tisserand.multibody.vehicle_file.thruster_tables import ThrusterPulses

Gain = float | Vector


class Notch(Declared):
    """A filter (s² + 2 depth width w s + w²)/(s² + 2 width w s + w²) on every command."""

    frequency_hz: float = option(..., "center frequency w/2π", unit="Hz", above=0.0)
    width: float = option(0.5, "damping ratio of the filter's poles", above=0.0)
    depth: float = option(0.02, "gain at the center", at_least=0.0, below=1.0)


class _Filtered(Declared):
    limit: float | None = option(None, "largest command of each output; default: none", unit="N m", above=0.0)
    notch: Notch | tuple[Notch, ...] | None = option(None, "one filter or several")
    period: float | None = option(
        None, "time between samples: the law is called then and its commands are held; default: continuous",
        unit="s", above=0.0,
    )  # fmt: skip
    delay: float = option(0.0, "from sample to action", unit="s", at_least=0.0)
    discretization: Discretization = option(
        "zoh", "how a continuous law is sampled: its inputs held (zoh), or by the trapezoidal rule (tustin)"
    )

    hold: Hold = option(
        "zero", "between samples commands stay (zero), or go on with the slope from the last sample to this one (first)"
    )

    _samples = ruled(needs("delay", "period"), needs("discretization", "period"), needs("hold", "period"))

    def controller(self, name: str, vehicle: Vehicle, sensors: Mapping[str, Signal], key: Key) -> Controller:
        made = self._law(name, vehicle, sensors, key)
        for notch in many(self.notch):
            made = with_notch(made, notch.frequency_hz, notch.width, notch.depth)
        if self.period is None:
            return made
        known = bool(getattr(self, "discrete", False))
        return controllers.sampled(
            made, self.period, self.delay, method=self.discretization, discrete=known, hold=self.hold
        )

    @abstractmethod
    def _law(self, name: str, vehicle: Vehicle, sensors: Mapping[str, Signal], key: Key) -> LinearController:
        """The law before its filters."""


class AttitudeLoop(_Filtered):
    """Torque -kp error - kd rate error - ki ∫ error on a body."""

    kind: Literal["attitude"] = option(..., "kind of controller")
    body: str = option(..., "the body")
    kp: Gain = option(..., "gain on the error, one number or three", unit="N m/rad")
    kd: Gain = option(..., "gain on the rate error", unit="N m s/rad")
    ki: Gain = option(0.0, "gain on the integral of the error", unit="N m/(rad s)")
    reference: Attitude | None = option(None, "reference attitude; default: inertial axes")
    slew_deg: ProfileValue | None = option(None, "rotation of the reference about slew_axis", unit="deg")
    slew_axis: Direction = option((0.0, 0.0, 1.0), "in the axes of the reference")
    rotors: str | tuple[str, ...] = option((), "rotors whose motors share the torque; default: an ideal torque")

    def _law(self, name: str, vehicle: Vehicle, sensors: Mapping[str, Signal], key: Key) -> LinearController:
        here = key.at("rotors")
        rotors = [(rotor, vehicle.rotor(known_rotor(here, rotor, vehicle)).axis) for rotor in many(self.rotors)]
        return controllers.attitude_pd(
            self.body, self.kp, self.kd, self.ki, reference=quaternion(self.reference), slew_axis=self.slew_axis,
            slew=maybe_profile(self.slew_deg, DEGREE), rotors=rotors, limit=self.limit, name=name,
        )  # fmt: skip


class JointLoop(_Filtered):
    """Torque kp e + kd e' + ki ∫ e at a joint, e = reference - angle."""

    kind: Literal["joint"] = option(..., "kind of controller")
    joint: str = option(..., "the joint")
    axis: int = option(1, "axis of a joint with several: 1, 2 or 3", at_least=1)
    kp: float = option(..., "gain on the error", unit="N m/rad or N/m")
    kd: float = option(0.0, "gain on its rate", unit="N m s/rad or N s/m")
    ki: float = option(0.0, "gain on its integral", unit="N m/(rad s) or N/(m s)")
    reference: ProfileValue | None = option(None, "where the joint should be; default: zero", unit="rad or m")
    reference_deg: ProfileValue | None = option(None, "the same for an angle", unit="deg")
    gravity_compensation: bool = option(False, "add the torque that balances gravity on everything outboard")

    _one_reference = ruled(one_of("reference", "reference_deg", needed=False))

    def _law(self, name: str, vehicle: Vehicle, sensors: Mapping[str, Signal], key: Key) -> LinearController:
        joint = known_joint(key, self.joint, vehicle, self.axis)
        stated = vehicle.joint(joint)
        if stated.steps[step_of_speed(stated.kind, self.axis - 1)[0]] == "ball":
            raise key.at("joint").error(
                "a ball joint has no angle about an axis", found=joint,
                advice="use a state_space law of joint rates and attitudes, or a gimbal",
            )  # fmt: skip
        degrees = maybe_profile(self.reference_deg, DEGREE)
        reference = degrees if degrees is not None else profile_of(0.0 if self.reference is None else self.reference)
        return controllers.joint_pid(
            joint, self.kp, self.kd, self.ki, reference=reference, axis=self.axis - 1, limit=self.limit,
            gravity=self.gravity_compensation, name=name,
        )  # fmt: skip


class WheelSpeedLoop(_Filtered):
    """Motor torque kp e + ki ∫ e on a rotor, e = reference - relative rate."""

    kind: Literal["wheel_speed"] = option(..., "kind of controller")
    rotor: str = option(..., "the rotor")
    kp: float = option(..., "gain on the error", unit="N m s/rad")
    ki: float = option(0.0, "gain on its integral", unit="N m/rad")
    reference: ProfileValue = option(0.0, "rate relative to the body", unit="rad/s")

    def _law(self, name: str, vehicle: Vehicle, sensors: Mapping[str, Signal], key: Key) -> LinearController:
        reference = profile_of(self.reference)
        rotor = known_rotor(key.at("rotor"), self.rotor, vehicle)
        return controllers.rotor_speed(rotor, self.kp, self.ki, reference=reference, limit=self.limit, name=name)


class StateSpace(_Filtered):
    """Commands C x + D s of sensors s, x' = A x + B s; omitted matrices are zero. With 'discrete' x' is the next sample's x."""

    kind: Literal["state_space"] = option(..., "kind of controller")
    inputs: str | tuple[str, ...] = option(..., "names of sensors")
    outputs: DrivenLoad | tuple[DrivenLoad, ...] = option(..., "loads without strength, one per command")
    A: Rows | None = option(None, "rows of A")
    B: Rows | None = option(None, "rows of B")
    C: Rows | None = option(None, "rows of C")
    D: Rows | None = option(None, "rows of D")
    discrete: bool | None = option(None, "true: the matrices are those of discrete time; default: continuous time")

    _discrete = ruled(
        needs("discrete", "period"), excludes("discrete", "discretization"), excludes("discrete", "notch")
    )

    def _law(self, name: str, vehicle: Vehicle, sensors: Mapping[str, Signal], key: Key) -> LinearController:
        inputs = _inputs(self.inputs, sensors, key)
        outputs = _outputs(name, self.outputs, vehicle, key)
        n, p, m = len(self.A or ()), len(inputs), len(outputs)
        shapes = {"A": (n, n), "B": (n, p), "C": (m, n), "D": (m, p)}
        matrices = {word: self._matrix(word, shape, key) for word, shape in shapes.items()}
        limits = None if self.limit is None else np.tile([-self.limit, self.limit], (m, 1))
        return LinearController(name, inputs, outputs, limits=limits, **matrices)

    def _matrix(self, word: str, shape: tuple[int, int], key: Key) -> Any:
        rows = getattr(self, word)
        if rows is None:
            return np.zeros(shape)
        if len(rows) != shape[0] or any(len(row) != shape[1] for row in rows):
            expected = f"{shape[0]} rows of {shape[1]} numbers"
            raise key.at(word).error(
                "has the wrong shape", found=f"rows of {[len(row) for row in rows]}", expected=expected
            )
        return np.array(rows).reshape(shape)


class ThrusterLogic(Declared):
    """On/off with hysteresis: ± strength while angle + lead rate is outside the deadband."""

    kind: Literal["thruster_logic"] = option(..., "kind of controller")
    inputs: tuple[str, str] = option(..., "an angle and a rate sensor")
    outputs: DrivenLoad | tuple[DrivenLoad] = option(..., "one load; its direction is the positive torque")
    deadband_deg: float = option(..., "half width of the deadband", unit="deg", above=0.0)
    hysteresis: float = option(0.2, "part of the deadband between firing and closing", at_least=0.0, below=1.0)
    lead: float = option(0.0, "weight of the rate", unit="s", at_least=0.0)
    strength: float = option(..., "torque or force while firing", unit="N m or N", above=0.0)
    period: float = option(..., "time between samples", unit="s", above=0.0)
    delay: float = option(0.0, "from sample to action", unit="s", at_least=0.0)

    def controller(self, name: str, vehicle: Vehicle, sensors: Mapping[str, Signal], key: Key) -> SampledController:
        angle, rate = _inputs(self.inputs, sensors, key)
        (output,) = _outputs(name, self.outputs, vehicle, key)
        return thruster_logic(
            angle, rate, output, deadband=DEGREE * self.deadband_deg, hysteresis=self.hysteresis, lead=self.lead,
            strength=self.strength, period=self.period, delay=self.delay, name=name,
        )  # fmt: skip


ControllerTable = Annotated[
    AttitudeLoop | JointLoop | WheelSpeedLoop | StateSpace | ThrusterLogic | ThrusterPulses, tagged_by("kind")
]


def _inputs(names: str | tuple[str, ...], sensors: Mapping[str, Signal], key: Key) -> tuple[Signal, ...]:
    for name in many(names):
        if name not in sensors:
            raise key.at("inputs").unknown(name, sensors, "is not a sensor")
    return tuple(sensors[name] for name in many(names))


def _outputs(name: str, tables: Any, vehicle: Vehicle, key: Key) -> tuple[Load, ...]:
    made = []
    for number, table in enumerate(many(tables)):
        here = key.at("outputs", number)
        with here.blamed():
            made.append(table.load(f"{name}.{number + 1}", vehicle, here, None))
    return tuple(made)
