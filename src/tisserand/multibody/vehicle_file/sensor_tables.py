"""Sensors of a vehicle file: named signals that are recorded and fed to controllers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from tisserand.declarations import Declared, Key, needs, one_of, option, ruled, tagged_by
from tisserand.multibody import signals
from tisserand.multibody.accelerometers import Accelerometer, place_of
from tisserand.multibody.measurements import JointLoad, NodeRotation
from tisserand.multibody.sensor_errors import SensorErrors
from tisserand.multibody.signals import Signal
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file.environment_tables import Magnetometer, SkySensor
from tisserand.multibody.vehicle_file.file_values import (
    DEGREE,
    Attitude,
    Direction,
    Node,
    Point,
    in_body_axes,
    known_joint,
    known_node,
    known_rotor,
    quaternion,
    unit,
)
from tisserand.multibody.vehicle_file.profile_tables import ProfileValue, maybe_profile, profile_of


class ErrorsTable(Declared):
    """Errors of a sampled sensor; units are those of the sensor. The true history is recorded as NAME.true."""

    period: float = option(..., "time between samples", unit="s", above=0.0)
    latency: float = option(0.0, "from sample to reading", unit="s", at_least=0.0)
    sigma: float | None = option(None, "deviation of the noise of one sample", at_least=0.0)
    noise_density: float | None = option(
        None, "white noise as a density: deviation noise_density / sqrt(period)", unit="1/√Hz", at_least=0.0
    )
    bias: float = option(0.0, "constant error")
    random_walk: float = option(0.0, "random walk of the bias", unit="1/√s", at_least=0.0)
    quantum: float = option(0.0, "readings are multiples of it; 0: any number", at_least=0.0)
    seed: int = option(0, "of the random numbers, which depend on it and on the sensor's name alone", at_least=0)

    _one_noise = ruled(one_of("sigma", "noise_density", needed=False))

    def errors(self) -> SensorErrors:
        return SensorErrors(**{name: getattr(self, name) for name in ErrorsTable.model_fields})


class _Sensing(Declared):
    errors: ErrorsTable | None = option(None, "noise, bias, quantization, sampling and latency; default: exact")


class _Directed(_Sensing):
    body: str = option(..., "body that carries it")
    direction: Direction = option(..., "in body axes, or in the axes of 'frame'")
    frame: str | None = option(None, "named frame of the body that the direction is in")

    def _along(self, vehicle: Vehicle, key: Key) -> Any:
        return in_body_axes(key, self.direction, self.frame, self.body, vehicle)


class AttitudeSensor(_Directed):
    """The turn from a reference to the body along a direction, rad."""

    kind: Literal["attitude"] = option(..., "what is measured")
    reference: Attitude | None = option(None, "reference attitude; default: inertial axes")
    slew_deg: ProfileValue | None = option(None, "rotation of the reference about slew_axis", unit="deg")
    slew_axis: Direction = option((0.0, 0.0, 1.0), "in the axes of the reference")

    def signal(self, name: str, vehicle: Vehicle, key: Key) -> Signal:
        slew = maybe_profile(self.slew_deg, DEGREE)
        along = self._along(vehicle, key)
        return signals.attitude_error(self.body, along, quaternion(self.reference), self.slew_axis, slew, name)


class RateSensor(_Directed):
    """The inertial angular velocity of a body along a direction (a gyro), rad/s."""

    kind: Literal["rate"] = option(..., "what is measured")

    def signal(self, name: str, vehicle: Vehicle, key: Key) -> Signal:
        return signals.body_rate(self.body, self._along(vehicle, key), name)


class PlaceSensor(_Sensing):
    """The inertial position (m) or velocity (m/s) of a point of a body along a direction."""

    kind: Literal["position", "velocity"] = option(..., "what is measured")
    body: str = option(..., "body that carries it")
    direction: Direction = option(..., "in inertial axes")
    point: Point = option("origin", "the point", unit="m")

    def signal(self, name: str, vehicle: Vehicle, key: Key) -> Signal:
        make = signals.position if self.kind == "position" else signals.velocity
        return make(self.body, unit(self.direction), self.point, name)


class JointSensor(_Sensing):
    """The coordinate (rad or m) or rate (rad/s or m/s) of a joint."""

    kind: Literal["joint_angle", "joint_rate"] = option(..., "what is measured")
    joint: str = option(..., "the joint")
    axis: int = option(1, "axis of a joint with several: 1, 2 or 3", at_least=1)

    def signal(self, name: str, vehicle: Vehicle, key: Key) -> Signal:
        make = signals.joint_angle if self.kind == "joint_angle" else signals.joint_rate
        return make(known_joint(key, self.joint, vehicle, self.axis), self.axis - 1, name)


class DeflectionSensor(_Sensing):
    """The elastic displacement (m) of a node of an appendage along a direction, or its rate (m/s)."""

    kind: Literal["deflection", "deflection_rate"] = option(..., "what is measured")
    appendage: str = option(..., "the appendage")
    node: Node = option(..., "its node")
    direction: Direction = option(..., "in the appendage's axes")

    def signal(self, name: str, vehicle: Vehicle, key: Key) -> Signal:
        appendage, node = known_node(key, self.appendage, self.node, vehicle)
        return signals.node_deflection(appendage, node, unit(self.direction), self.kind.endswith("rate"), name)


class RotorSensor(_Sensing):
    """The rate of a rotor, rad/s."""

    kind: Literal["rotor_rate"] = option(..., "what is measured")
    rotor: str = option(..., "the rotor")
    inertial: bool = option(False, "true: the inertial spin rate; false: relative to the body")

    def signal(self, name: str, vehicle: Vehicle, key: Key) -> Signal:
        return signals.rotor_rate(known_rotor(key.at("rotor"), self.rotor, vehicle), self.inertial, name)


class ProfileSensor(Declared):
    """A profile of time as a signal."""

    kind: Literal["profile"] = option(..., "what is measured")
    profile: ProfileValue = option(..., "the profile")

    def signal(self, name: str, vehicle: Vehicle, key: Key) -> Signal:
        return signals.value_of(profile_of(self.profile), name=name)


class InputSensor(Declared):
    """An input given at every step (Simulation.step) as a signal."""

    kind: Literal["input"] = option(..., "what is measured")
    input: str = option(..., "name of the input")

    def signal(self, name: str, vehicle: Vehicle, key: Key) -> Signal:
        return signals.external(name, self.input)


class LoopForceSensor(Declared):
    """The force (N) or torque (N m) of one row of a loop; control laws cannot read it."""

    kind: Literal["loop_force"] = option(..., "what is measured")
    loop: str = option(..., "the loop")
    row: int = option(1, "row of the loop, from 1", at_least=1)

    def signal(self, name: str, vehicle: Vehicle, key: Key) -> Signal:
        return signals.loop_force(self.loop, self.row - 1, name)


class AccelerometerTable(_Sensing):
    """The acceleration less gravity (and its gradient) of a point of a body or a node of an appendage along a direction, m/s²."""

    kind: Literal["accelerometer"] = option(..., "what is measured")
    body: str | None = option(None, "body that carries it")
    point: Point | None = option(None, "where; default: the origin of 'frame' or of the body", unit="m")
    appendage: str | None = option(None, "appendage that carries it, instead of a body")
    node: Node | None = option(None, "node of that appendage")
    direction: Direction = option(..., "in the axes of the carrying body, or of 'frame'")
    frame: str | None = option(None, "named frame of the body that the direction is in")

    _one_carrier = ruled(
        one_of("body", "appendage"),
        needs("point", "body"),
        needs("frame", "body"),
        needs("node", "appendage"),
        needs("appendage", "node"),
    )

    def measurement(self, name: str, vehicle: Vehicle, key: Key) -> Accelerometer:
        if self.body is not None:
            along = in_body_axes(key, self.direction, self.frame, self.body, vehicle)
            point: Any = self.point if self.point is not None else self.frame or "origin"
            made = Accelerometer(name, along, body=self.body, point=point)
        else:
            assert self.appendage is not None and self.node is not None
            appendage, node = known_node(key, self.appendage, self.node, vehicle)
            made = Accelerometer(name, unit(self.direction), appendage=appendage, node=node)
        place_of(made, vehicle)
        return made


class NodeRotationTable(_Sensing):
    """The elastic rotation of a node of an appendage along a direction, rad; evaluated after the run."""

    kind: Literal["rotation"] = option(..., "what is measured")
    appendage: str = option(..., "the appendage")
    node: Node = option(..., "its node")
    direction: Direction = option(..., "in the appendage's axes")

    def measurement(self, name: str, vehicle: Vehicle, key: Key) -> NodeRotation:
        appendage, node = known_node(key, self.appendage, self.node, vehicle)
        return NodeRotation(name, appendage, node, unit(self.direction))


class JointLoadTable(_Sensing):
    """The force (N) or torque (N m) on the child at a joint along a direction; evaluated after the run."""

    kind: Literal["joint_force", "joint_torque"] = option(..., "what is measured")
    joint: str = option(..., "the joint")
    direction: Direction = option(..., "in the axes of the child body")

    def measurement(self, name: str, vehicle: Vehicle, key: Key) -> JointLoad:
        return JointLoad(
            name,
            known_joint(key, self.joint, vehicle, 0),
            unit(self.direction),
            "force" if self.kind == "joint_force" else "torque",
        )


SensorTable = Annotated[
    AttitudeSensor
    | RateSensor
    | PlaceSensor
    | JointSensor
    | DeflectionSensor
    | RotorSensor
    | ProfileSensor
    | InputSensor
    | LoopForceSensor
    | AccelerometerTable
    | NodeRotationTable
    | JointLoadTable
    | SkySensor
    | Magnetometer,
    tagged_by("kind"),
]
