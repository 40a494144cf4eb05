"""Signals: quantities that control laws, events and outputs read.

Serves the torques of theory section 5; S4 14.14.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, GivenArray, frozen, no_turn, third_axis, zeros
from tisserand.errors import VehicleError
from tisserand.multibody.environment_law import EnvironmentLaw
from tisserand.multibody.measured_quantity import MeasuredQuantity
from tisserand.multibody.profiles import Profile, constant
from tisserand.multibody.sensor_errors import SensorErrors

KINDS = (
    "profile",
    "profile_rate",
    "joint",
    "joint_rate",
    "rate",
    "attitude",
    "input",
    "position",
    "velocity",
    "modal",
    "modal_rate",
    "node",
    "node_rate",
    "rotor_rate",
    "rotor_angle",
    "rotor_inertial",
    "gravity",
    "measured",
    "loop",
    "environment",
)


@checked_arguments
@dataclass(frozen=True, eq=False)
class Signal:
    """``kind`` of quantity of ``target`` (joint, body, appendage, rotor or input name); see the functions of this module.

    Attributes:
        axis: joint axis or component, from 0.
        direction: (3,) along which it is measured.
        point: of the body: a name or (3,) m.
        profile: of a signal given over time.
        reference: attitude that an error is measured from, scalar first.
        turn_axis: axis of a commanded turn.
        weights: (k,) factors of modal coordinates.
        node: id or interface of an appendage node.
        errors: of a sampled sensor, which shows the quantity with them; None: the quantity itself.
        measures: what a sensor of accelerations, joint loads or node rotations measures (kind ``measured``).
        environment: what it sees of the surroundings.
    """

    name: str
    kind: str
    target: str = ""
    axis: int = 0
    _: KW_ONLY
    direction: GivenArray = field(default_factory=zeros(3))
    point: FloatArray | str = "origin"
    profile: Profile | None = None
    reference: GivenArray = field(default_factory=no_turn)
    turn_axis: GivenArray = field(default_factory=third_axis)
    weights: FloatArray | None = None
    node: int | str | None = None
    errors: SensorErrors | None = None
    measures: MeasuredQuantity | None = None
    environment: EnvironmentLaw | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise VehicleError(
                "unknown kind of signal", where=f"signal {self.name}", found=self.kind, expected=", ".join(KINDS)
            )
        object.__setattr__(self, "direction", frozen(self.direction, shape=(3,)))
        object.__setattr__(self, "reference", frozen(self.reference, shape=(4,)))
        object.__setattr__(self, "turn_axis", frozen(self.turn_axis, shape=(3,)))

    @property
    def ideal(self) -> Any:
        """The quantity without errors: a signal, or the measurement that the sensor is of."""
        if self.errors is None:
            return self
        return replace(self, errors=None) if self.measures is None else self.measures


def _unit(direction: ArrayLike, where: str) -> FloatArray:
    d = np.asarray(direction, float)
    size = float(np.linalg.norm(d))
    if d.shape != (3,) or not size > 1e-12:
        raise VehicleError(
            "a direction needs three components and a length", where=where, found=np.asarray(direction).tolist()
        )
    return d / size


@checked_arguments
def joint_angle(joint: str, axis: int = 0, name: str = "") -> Signal:
    """Coordinate of a joint axis, rad or m (ball: component of its quaternion).

    Args:
        name: of the signal.
    """
    return Signal(name or f"{joint}.angle", "joint", joint, axis)


@checked_arguments
def joint_rate(joint: str, axis: int = 0, name: str = "") -> Signal:
    """Rate of a joint axis, rad/s or m/s.

    Args:
        name: of the signal.
    """
    return Signal(name or f"{joint}.rate", "joint_rate", joint, axis)


@checked_arguments
def loop_force(loop: str, row: int = 0, name: str = "") -> Signal:
    """Force (N) or torque (N m) of one row of a loop, as an output or an event.

    Args:
        row: from 0, in the order of the loop.
        name: of the signal.
    """
    return Signal(name or f"{loop}.force", "loop", loop, row)


@checked_arguments
def gravity_effort(joint: str, axis: int = 0, name: str = "") -> Signal:
    """Torque (N m; force for a slider) at a joint axis that balances uniform gravity on everything outboard in its current pose.

    Outboard are the bodies behind the joint with their rotors and with their appendages undeformed. A joint of a freely
    falling vehicle feels no gravity: the signal is meant for held bases (test stands, arms on the ground).

    Args:
        name: of the signal.
    """
    return Signal(name or f"{joint}.gravity", "gravity", joint, axis)


@checked_arguments
def body_rate(body: str, direction: ArrayLike, name: str = "") -> Signal:
    """Inertial angular velocity of a body along a direction of its own axes, rad/s (a gyro).

    Args:
        name: of the signal.
    """
    return Signal(name or f"{body}.rate", "rate", body, direction=_unit(direction, f"rate of {body}"))


@checked_arguments
def attitude_error(
    body: str,
    direction: ArrayLike,
    reference: ArrayLike = (1, 0, 0, 0),
    turn_axis: ArrayLike = (0, 0, 1),
    turn: Profile | None = None,
    name: str = "",
) -> Signal:
    """Turn from a reference to the body along a body direction, rad for small turns (2 sin(angle/2) axis).

    The reference is the quaternion ``reference`` followed by a turn of ``turn(t)`` about ``turn_axis`` (reference axes).

    Args:
        name: of the signal.
    """
    q = np.asarray(reference, float)
    return Signal(
        name or f"{body}.attitude",
        "attitude",
        body,
        direction=_unit(direction, f"attitude of {body}"),
        reference=q / np.linalg.norm(q),
        turn_axis=_unit(turn_axis, "turn axis"),
        profile=turn,
    )


@checked_arguments
def position(body: str, direction: ArrayLike, point: ArrayLike | str = "origin", name: str = "") -> Signal:
    """Inertial position of a body point along an inertial direction, m.

    Args:
        name: of the signal.
    """
    where = point if isinstance(point, str) else np.asarray(point, float)
    return Signal(name or f"{body}.position", "position", body, direction=_unit(direction, body), point=where)


@checked_arguments
def velocity(body: str, direction: ArrayLike, point: ArrayLike | str = "origin", name: str = "") -> Signal:
    """Inertial velocity of a body point along an inertial direction, m/s.

    Args:
        name: of the signal.
    """
    where = point if isinstance(point, str) else np.asarray(point, float)
    return Signal(name or f"{body}.velocity", "velocity", body, direction=_unit(direction, body), point=where)


@checked_arguments
def modal(appendage: str, weights: ArrayLike, rate: bool = False, name: str = "") -> Signal:
    """Weighted sum of an appendage's modal coordinates (or rates): any recovery row.

    Args:
        weights: (k,) factors of the modal coordinates.
        rate: rate of the coordinate in place of the coordinate.
        name: of the signal.
    """
    kind = "modal_rate" if rate else "modal"
    return Signal(name or f"{appendage}.{kind}", kind, appendage, weights=np.asarray(weights, float).ravel())


@checked_arguments
def node_deflection(
    appendage: str, node: int | str, direction: ArrayLike, rate: bool = False, name: str = ""
) -> Signal:
    """Elastic displacement of a node (id, or interface name) along an appendage direction, m (or its rate)."""
    kind = "node_rate" if rate else "node"
    return Signal(name or f"{appendage}.{node}", kind, appendage, direction=_unit(direction, appendage), node=node)


@checked_arguments
def rotor_rate(rotor: str, inertial: bool = False, name: str = "") -> Signal:
    """Rate of a rotor relative to its body (or its inertial spin rate psi' + b.w), rad/s.

    Args:
        name: of the signal.
    """
    return Signal(name or f"{rotor}.rate", "rotor_inertial" if inertial else "rotor_rate", rotor)


@checked_arguments
def rotor_angle(rotor: str, name: str = "") -> Signal:
    """Angle of a rotor relative to its body, rad.

    Args:
        name: of the signal.
    """
    return Signal(name or f"{rotor}.angle", "rotor_angle", rotor)


@checked_arguments
def value_of(profile: Profile | float, rate: bool = False, name: str = "reference") -> Signal:
    """A profile (or its rate) as a signal.

    Args:
        name: of the signal.
    """
    p = profile if isinstance(profile, Profile) else constant(float(profile))
    return Signal(name, "profile_rate" if rate else "profile", profile=p)


@checked_arguments
def external(name: str, given: str | None = None) -> Signal:
    """A named input given from outside, held between updates.

    Args:
        name: of the signal.
        given: name of the input; the same by default.
    """
    return Signal(name, "input", name if given is None else given)


@checked_arguments
def sensor(quantity: Signal | MeasuredQuantity, errors: SensorErrors) -> Signal:
    """A sampled sensor of a signal or a measurement: for laws, events and outputs it is the reading, held between samples.

    A gyro is a sensor of ``body_rate``, a star tracker of ``attitude_error``, an encoder of ``joint_angle``, a tachometer of
    ``rotor_rate``; accelerometers and joint loads (``measurements``) are evaluated at every sample. The history of a true
    signal is recorded as ``NAME.true``.

    Args:
        quantity: a signal or a measurement.
        errors: noise, bias, random walk, quantization, period and latency.
    """
    if isinstance(quantity, Signal):
        return replace(quantity, errors=errors)
    return Signal(quantity.name, "measured", measures=quantity, errors=errors)
