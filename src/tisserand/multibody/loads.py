"""Loads: kind, strength (a profile of time or a named input) and point of application.

Loads: theory section 3.2; S1 Defs 25-28.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, GivenArray, frozen, zeros
from tisserand.errors import VehicleError
from tisserand.multibody.element_law import Element
from tisserand.multibody.environment_law import EnvironmentLaw
from tisserand.multibody.loop_law import Loop
from tisserand.multibody.profiles import Profile, constant
from tisserand.multibody.wheel_law import WheelLaw

KINDS = (
    "joint", "force", "torque", "node_force", "node_torque", "rotor", "gradient", "magnetic", "element", "wheel", "loop",
    "environment",
)  # fmt: skip


@checked_arguments
@dataclass(frozen=True, eq=False)
class Load:
    """A load of ``kind`` on ``target``; strength ``source``: a profile, the name of an input, or None (set by a controller).

    direction (3,) in body axes, or inertial axes if ``inertial``; its length scales the strength. Node loads name an
    appendage and a node id or interface; their body axes are the axes of the body that carries the appendage.
    extra, rate, orbit: data of the fields (see ``gravity_gradient``, ``magnetic_torque``); element: the law of a force element
    (see ``force_elements``), wheel: the effects of a wheel (see ``wheels``), loop: a constraint (see ``loops``), which need no
    strength; environment: the surroundings that drive it (see ``environment``).

    Attributes:
        point: where a force acts: a named point or (3,) m in body axes.
        axis: joint axis, from 0.
        axes_of: another body in whose axes the direction of a force is given; the target itself if empty.
    """

    name: str
    kind: str
    target: str
    source: Profile | str | None = None
    direction: GivenArray = field(default_factory=zeros(3))
    _: KW_ONLY
    point: FloatArray | str = "origin"
    inertial: bool = False
    axis: int = 0
    node: int | str | None = None
    extra: GivenArray = field(default_factory=zeros(3))
    rate: float = 0.0
    orbit: GivenArray = field(default_factory=zeros(2, 3))
    element: Element | None = None
    wheel: WheelLaw | None = None
    loop: Loop | None = None
    environment: EnvironmentLaw | None = None
    axes_of: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise VehicleError(
                "unknown kind of load", where=f"load {self.name}", found=self.kind, expected=", ".join(KINDS)
            )
        for word, shape in (("direction", (3,)), ("extra", (3,)), ("orbit", (2, 3))):
            values = frozen(getattr(self, word), shape=shape)
            if not np.isfinite(values).all():
                raise VehicleError("a load direction is not finite", where=f"load {self.name}", found=values.tolist())
            object.__setattr__(self, word, values)

    def driven_by(self, source: Profile | str | None) -> Load:
        """The same load with another strength.

        Args:
            source: profile, name of an input, or None.
        """
        return replace(self, source=source)


def _source(strength: Profile | str | float | None) -> Profile | str | None:
    return constant(float(strength)) if isinstance(strength, (int, float)) else strength


def _point(point: ArrayLike | str) -> FloatArray | str:
    return point if isinstance(point, str) else np.asarray(point, float)


def _along(
    name: str, kind: str, target: str, direction: ArrayLike, strength: Profile | str | float | None, **facts: Any
) -> Load:
    return Load(name, kind, target, _source(strength), np.asarray(direction, float), **facts)


@checked_arguments
def joint_torque(joint: str, strength: Profile | str | float | None, axis: int = 0, name: str = "") -> Load:
    """Motor at a joint axis: torque (N m) on the child about the axis, reaction on the parent (force for a slider).

    The axes of a ball joint are the joint axes of its child side.

    Args:
        strength: a profile, a number, the name of an input, or None for a controller to set.
        name: of the load.
    """
    return Load(name or f"{joint}.torque", "joint", joint, _source(strength), axis=axis)


@checked_arguments
def force(
    body: str,
    direction: ArrayLike,
    strength: Profile | str | float | None = 1.0,
    *,
    point: ArrayLike | str = "origin",
    inertial: bool = False,
    name: str = "",
) -> Load:
    """Force, N, at a point of a body (named or in body axes).

    Args:
        direction: (3,) in body axes; its length scales the strength.
        strength: a profile, a number, the name of an input, or None for a controller to set.
        inertial: the direction is in inertial axes.
        name: of the load.
    """
    return _along(name or f"{body}.force", "force", body, direction, strength, point=_point(point), inertial=inertial)


@checked_arguments
def thruster(
    body: str, point: ArrayLike | str, direction: ArrayLike, thrust: Profile | str | float, name: str = ""
) -> Load:
    """Thrust along a body-fixed direction at a body-fixed point, N.

    Args:
        thrust: N: a profile, a number, or the name of an input.
        name: of the load.
    """
    return force(body, direction, thrust, point=point, name=name or f"{body}.thruster")


@checked_arguments
def torque(
    body: str,
    direction: ArrayLike,
    strength: Profile | str | float | None = 1.0,
    *,
    inertial: bool = False,
    name: str = "",
) -> Load:
    """Torque on a body, N m.

    Args:
        direction: (3,) in body axes; its length scales the strength.
        strength: a profile, a number, the name of an input, or None for a controller to set.
        inertial: the direction is in inertial axes.
        name: of the load.
    """
    return _along(name or f"{body}.torque", "torque", body, direction, strength, inertial=inertial)


@checked_arguments
def node_force(
    appendage: str,
    node: int | str,
    direction: ArrayLike,
    strength: Profile | str | float | None = 1.0,
    *,
    inertial: bool = False,
    name: str = "",
) -> Load:
    """Force at an appendage node (id or interface name), N.

    Args:
        direction: (3,) in body axes; its length scales the strength.
        strength: a profile, a number, the name of an input, or None for a controller to set.
        inertial: the direction is in inertial axes.
    """
    return _along(
        name or f"{appendage}.{node}.force", "node_force", appendage, direction, strength, inertial=inertial, node=node
    )


@checked_arguments
def node_torque(
    appendage: str,
    node: int | str,
    direction: ArrayLike,
    strength: Profile | str | float | None = 1.0,
    *,
    inertial: bool = False,
    name: str = "",
) -> Load:
    """Torque at an appendage node (id or interface name), N m.

    Args:
        direction: (3,) in body axes; its length scales the strength.
        strength: a profile, a number, the name of an input, or None for a controller to set.
        inertial: the direction is in inertial axes.
    """
    return _along(
        name or f"{appendage}.{node}.torque",
        "node_torque",
        appendage,
        direction,
        strength,
        inertial=inertial,
        node=node,
    )


@checked_arguments
def rotor_torque(rotor: str, strength: Profile | str | float | None, name: str = "") -> Load:
    """Motor torque on a rotor, N m; the reaction acts on its body.

    Args:
        strength: a profile, a number, the name of an input, or None for a controller to set.
        name: of the load.
    """
    return Load(name or f"{rotor}.torque", "rotor", rotor, _source(strength))


def _orbit(vertical: ArrayLike, along: ArrayLike, where: str) -> FloatArray:
    """Local vertical at t = 0 and the direction it turns toward, orthonormal rows (2, 3)."""
    a, b = np.asarray(vertical, float), np.asarray(along, float)
    sizes = np.linalg.norm(a), np.linalg.norm(np.cross(a, b))
    if not min(sizes) > 1e-12 * max(float(np.linalg.norm(b)), 1e-300):
        raise VehicleError(
            "the local vertical and the direction of travel do not define an orbit plane", where=where, found=[*a, *b]
        )
    a = a / sizes[0]
    b = b - a * (a @ b)
    return np.array([a, b / np.linalg.norm(b)])


@checked_arguments
def gravity_gradient(
    rate: float, vertical: ArrayLike = (1, 0, 0), along: ArrayLike = (0, 1, 0), name: str = "gravity gradient"
) -> Load:
    """Gravity-gradient field on all bodies for a circular orbit of ``rate`` rad/s: mu/R^3 = rate^2.

    ``vertical``: local vertical at t = 0, ``along``: direction it turns toward, both in non-rotating axes falling with the
    orbit point (the origin). Forces and torques use the deformed first moments and inertia of every body (I3: 3 mu/R^3 a x I a).

    Args:
        name: of the load.
    """
    a, b = _orbit(vertical, along, f"load {name}")
    return Load(name, "gradient", "", constant(1.0), a, extra=b, rate=float(rate))


@checked_arguments
def magnetic_torque(
    body: str,
    dipole: ArrayLike,
    field: ArrayLike,
    strength: Profile | str | float | None = 1.0,
    *,
    orbit_rate: float | None = None,
    vertical: ArrayLike = (1, 0, 0),
    along: ArrayLike = (0, 1, 0),
    name: str = "",
) -> Load:
    """Torque m x B on a body, N m: dipole m = ``strength`` times ``dipole`` (3,) in body axes, A m² (I3).

    ``field`` (3,) in tesla, inertial axes. Without ``orbit_rate`` B = field everywhere and always. With it the vehicle
    travels a circular orbit (rad/s) through a dipole field and ``field`` is the field at the magnetic equator (for the Earth
    it points north): B(t) = field - 3 (field.r) r with the local vertical r turning from ``vertical`` toward ``along``.
    A magnetorquer under control is this load among a controller's outputs, or with the name of an input as strength.
    """
    label = name or f"{body}.magnetic"
    orbit = np.zeros((2, 3)) if orbit_rate is None else _orbit(vertical, along, f"load {label}")
    return Load(
        label,
        "magnetic",
        body,
        _source(strength),
        np.asarray(dipole, float),
        extra=np.asarray(field, float),
        rate=float(orbit_rate or 0.0),
        orbit=orbit,
    )


@checked_arguments
def magnetic_field(load: Load, time: float, place: FloatArray | None = None) -> FloatArray:
    """B (3,) in tesla, inertial axes, of a magnetic load at a time; that of a planet at a place (3,) m of its body."""
    if load.environment is not None:
        if place is None:
            raise VehicleError("the field of a planet depends on the place", where=f"load {load.name}")
        return np.asarray(load.environment.planet.magnetic_field(place, time))
    turn = load.rate * time
    r = np.cos(turn) * load.orbit[0] + np.sin(turn) * load.orbit[1]
    return np.asarray(load.extra - 3.0 * (load.extra @ r) * r)
