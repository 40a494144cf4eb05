"""Loads of a vehicle file. A direction only points, whatever its length."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from tisserand.declarations import Declared, Key, needs, one_of, option, ruled, tagged_by, when
from tisserand.declarations.common_values import Vector
from tisserand.multibody import environment, loads
from tisserand.multibody.loads import Load
from tisserand.multibody.profiles import Profile
from tisserand.multibody.stepping_drive import stepping_drive
from tisserand.multibody.vehicle import Vehicle
from tisserand.multibody.vehicle_file.element_tables import Bushing, JointFriction, RotorDrag, Spring, Tether
from tisserand.multibody.vehicle_file.environment_tables import Drag, SolarPressure
from tisserand.multibody.vehicle_file.file_values import (
    DEGREE,
    Direction,
    Node,
    Point,
    in_body_axes,
    known_joint,
    known_node,
    known_rotor,
    unit,
)
from tisserand.multibody.vehicle_file.profile_tables import ProfileValue, profile_of


class _Strength(Declared):
    """The strength of a load that no controller drives."""

    strength: ProfileValue | None = option(None, "size along the direction", unit="N or N m")
    input: str | None = option(None, "name of an input given at every step (Simulation.step), instead of a strength")

    _one_source = ruled(one_of("strength", "input"))

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        """The load with its own strength."""
        strength: Profile | str
        if self.input is not None:
            strength = self.input
        else:
            with key.at("strength").blamed():
                strength = profile_of(1.0 if self.strength is None else self.strength)
        with key.blamed():
            return self.load(name, vehicle, key, strength)  # type: ignore[attr-defined,no-any-return]


class _Pushed(Declared):
    body: str = option(..., "body that it acts on")
    direction: Direction = option(..., "in body axes, the axes of 'frame', or inertial axes")
    frame: str | None = option(None, "named frame of the body that the direction is in")
    inertial: bool = option(False, "true: the direction is in inertial axes")

    _one_kind_of_axes = ruled(
        when("inertial", True, senseless=("frame",), because="body axes, a named frame, or inertial axes")
    )

    def _along(self, vehicle: Vehicle, key: Key) -> Any:
        return in_body_axes(key, self.direction, self.frame, self.body, vehicle)


class DrivenForce(_Pushed):
    """A force at a point of a body."""

    kind: Literal["force", "thruster"] = option(..., "kind of load")
    point: Point | None = option(None, "where it acts; default: the origin of 'frame' or of the body", unit="m")

    def load(self, name: str, vehicle: Vehicle, key: Key, strength: Profile | str | None) -> Load:
        where: Any = self.point if self.point is not None else self.frame or "origin"
        return loads.force(
            self.body, self._along(vehicle, key), strength, point=where, inertial=self.inertial, name=name
        )


class DrivenTorque(_Pushed):
    """A torque on a body."""

    kind: Literal["torque"] = option(..., "kind of load")

    def load(self, name: str, vehicle: Vehicle, key: Key, strength: Profile | str | None) -> Load:
        return loads.torque(self.body, self._along(vehicle, key), strength, inertial=self.inertial, name=name)


class DrivenJointTorque(Declared):
    """A motor at a joint: torque on the child, reaction on the parent (forces at a slider)."""

    kind: Literal["joint_torque"] = option(..., "kind of load")
    joint: str = option(..., "the joint")
    axis: int = option(1, "axis of a joint with several: 1, 2 or 3", at_least=1)

    def load(self, name: str, vehicle: Vehicle, key: Key, strength: Profile | str | None) -> Load:
        return loads.joint_torque(known_joint(key, self.joint, vehicle, self.axis), strength, self.axis - 1, name)


class DrivenRotorTorque(Declared):
    """A motor on a rotor; the reaction acts on its body."""

    kind: Literal["rotor_torque"] = option(..., "kind of load")
    rotor: str = option(..., "the rotor")

    def load(self, name: str, vehicle: Vehicle, key: Key, strength: Profile | str | None) -> Load:
        return loads.rotor_torque(known_rotor(key.at("rotor"), self.rotor, vehicle), strength, name)


class DrivenNodeLoad(Declared):
    """A force or torque at a node of an appendage."""

    kind: Literal["node_force", "node_torque"] = option(..., "kind of load")
    appendage: str = option(..., "the appendage")
    node: Node = option(..., "its node")
    direction: Direction = option(..., "in the axes of the carrying body, or inertial axes")
    inertial: bool = option(False, "true: the direction is in inertial axes")

    def load(self, name: str, vehicle: Vehicle, key: Key, strength: Profile | str | None) -> Load:
        make = loads.node_force if self.kind == "node_force" else loads.node_torque
        appendage, node = known_node(key, self.appendage, self.node, vehicle)
        return make(appendage, node, unit(self.direction), strength, inertial=self.inertial, name=name)


class DrivenMagnetic(Declared):
    """The torque m x B of a magnetic dipole."""

    kind: Literal["magnetic"] = option(..., "kind of load")
    body: str = option(..., "body that carries the dipole")
    dipole: Vector = option(..., "in body axes; times the strength", unit="A m²")
    field: Vector | None = option(
        None,
        "in inertial axes: constant, or with 'orbit_rate' the field at the magnetic equator; default: that of [environment]",
        unit="T",
    )
    orbit_rate: float | None = option(None, "rate of a circular orbit through a dipole field", unit="rad/s", above=0.0)
    vertical: Direction | None = option(None, "local vertical at the start; default: x")
    along: Direction | None = option(None, "direction that the vertical turns toward; default: y")

    _orbit = ruled(needs("vertical", "orbit_rate"), needs("along", "orbit_rate"), needs("orbit_rate", "field"))

    def load(self, name: str, vehicle: Vehicle, key: Key, strength: Profile | str | None) -> Load:
        if self.field is None:
            return environment.magnetic(self.body, self.dipole, strength, name=name)
        return loads.magnetic_torque(
            self.body, self.dipole, self.field, strength, orbit_rate=self.orbit_rate,
            vertical=self.vertical or (1.0, 0.0, 0.0), along=self.along or (0.0, 1.0, 0.0), name=name,
        )  # fmt: skip


class Force(_Strength, DrivenForce):
    """A force at a point of a body."""


class Torque(_Strength, DrivenTorque):
    """A torque on a body."""


class JointTorque(_Strength, DrivenJointTorque):
    """A motor at a joint: torque on the child, reaction on the parent (forces at a slider)."""


class RotorTorque(_Strength, DrivenRotorTorque):
    """A motor on a rotor; the reaction acts on its body."""


class NodeLoad(_Strength, DrivenNodeLoad):
    """A force or torque at a node of an appendage."""


class Magnetic(_Strength, DrivenMagnetic):
    """The torque m x B of a magnetic dipole."""

    strength: ProfileValue | None = option(None, "factor on the dipole; default: 1")

    _one_source = ruled(one_of("strength", "input", needed=False))


class GravityGradient(Declared):
    """The gravity gradient of a circular orbit, on every body."""

    kind: Literal["gravity_gradient"] = option(..., "kind of load")
    orbit_rate: float = option(..., "rate of the orbit", unit="rad/s", above=0.0)
    vertical: Direction = option((1.0, 0.0, 0.0), "local vertical at the start, in inertial axes")
    along: Direction = option((0.0, 1.0, 0.0), "direction that the vertical turns toward")

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        with key.blamed():
            return loads.gravity_gradient(self.orbit_rate, self.vertical, self.along, name)


class SteppingDrive(Declared):
    """A stepper motor behind the stiffness of a joint: its spring is relaxed where the motor stands."""

    kind: Literal["stepping_drive"] = option(..., "kind of load")
    joint: str = option(..., "the joint, with a stiffness about the axis")
    axis: int = option(1, "axis of a joint with several: 1, 2 or 3", at_least=1)
    step_deg: float = option(..., "angle of one step", unit="deg")
    rate_hz: float = option(..., "steps per second", unit="Hz", above=0.0)
    count: int = option(..., "number of steps", at_least=1, at_most=1_000_000)
    start: float = option(0.0, "time of the first step", unit="s")
    rise: float = option(0.0, "time that a step takes; 0: at once", unit="s", at_least=0.0)

    def acting(self, name: str, vehicle: Vehicle, key: Key) -> Load:
        joint = vehicle.joint(known_joint(key, self.joint, vehicle, self.axis))
        if joint.kind == "prismatic":
            raise key.at("joint").error("a slider has no angle", found=self.joint, expected="a joint with angles")
        with key.blamed():
            return stepping_drive(
                joint, DEGREE * self.step_deg, self.rate_hz, self.count, start=self.start, rise=self.rise,
                axis=self.axis - 1, name=name,
            )  # fmt: skip


LoadTable = Annotated[
    Force
    | Torque
    | JointTorque
    | RotorTorque
    | NodeLoad
    | SteppingDrive
    | GravityGradient
    | Magnetic
    | Spring
    | Tether
    | Bushing
    | JointFriction
    | RotorDrag
    | Drag
    | SolarPressure,
    tagged_by("kind"),
]
#: Loads that a controller drives: they have no strength.
DrivenLoad = Annotated[
    DrivenForce | DrivenTorque | DrivenJointTorque | DrivenRotorTorque | DrivenNodeLoad | DrivenMagnetic,
    tagged_by("kind"),
]
