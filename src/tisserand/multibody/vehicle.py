"""What the user builds: bodies, joints, rotors and reduced appendages, checked once and never changed.

Substructures of S1 section II; theory section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from tisserand.appendage.mount_doubt import moves_at_attachment
from tisserand.appendage.record.reduced_appendage import InertiaLevel, ReducedAppendage
from tisserand.arguments import checked_arguments
from tisserand.arrays import NOTHING, FloatArray, GivenArray, GivenTuple, frozen, same_axes, third_axis, zeros
from tisserand.errors import VehicleError
from tisserand.multibody.inertia import checked_inertia
from tisserand.multibody.joints import Joint, rotation_matrix, vector
from tisserand.multibody.profiles import Profile
from tisserand.notebook_html import html_table


@checked_arguments
@dataclass(frozen=True, eq=False)
class BodyFrame:
    """A named frame of a body: position (3,) m from its origin, attitude (3, 3), columns = the frame's axes in body axes.

    Attributes:
        name: of the frame.
    """

    name: str
    position: GivenArray = field(default_factory=zeros(3))
    attitude: GivenArray = field(default_factory=same_axes)

    def __post_init__(self) -> None:
        where = f"frame {self.name}"
        object.__setattr__(self, "position", vector(self.position, where, "the position"))
        object.__setattr__(self, "attitude", rotation_matrix(self.attitude, where))


@checked_arguments
@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body: mass kg, center (3,) m from its origin, inertia (3, 3) kg m² about its mass center, body axes.

    ``points``: named places (3,) in body axes, for loads and sensors; ``frames``: named places with their own axes, for
    joints, loads and sensors. Mass zero makes an imaginary body (S1 §II).

    Attributes:
        name: of the body.
        center: mass center (3,), m from the origin.
    """

    name: str
    mass: float = 0.0
    center: GivenArray = field(default_factory=zeros(3))
    inertia: GivenArray = field(default_factory=zeros(3, 3))
    points: tuple[tuple[str, tuple[float, float, float]], ...] = ()
    frames: GivenTuple[BodyFrame] = NOTHING

    def __post_init__(self) -> None:
        where = f"body {self.name}"
        if not (np.isfinite(self.mass) and self.mass >= 0.0):
            raise VehicleError("the mass must be finite and not negative", where=where, found=self.mass)
        object.__setattr__(self, "mass", float(self.mass))
        object.__setattr__(self, "center", vector(self.center, where, "the mass center"))
        object.__setattr__(self, "inertia", checked_inertia(self.inertia, self.mass, where))
        named = dict(self.points)
        checked = tuple((k, tuple(float(x) for x in vector(p, where, f"point {k}"))) for k, p in named.items())
        object.__setattr__(self, "points", checked)
        object.__setattr__(self, "frames", tuple(self.frames))
        names = [*named, *(f.name for f in self.frames)]
        twice = sorted({n for n in names if names.count(n) > 1 or n in ("origin", "center")})
        if twice:
            raise VehicleError("two points or frames share a name", where=where, found=", ".join(twice))

    def frame(self, name: str) -> BodyFrame:
        """A named frame; ``origin`` and ``center`` have the body's axes.

        Args:
            name: of the frame.
        """
        if name in ("origin", "center"):
            return BodyFrame(name, self.point(name))
        for known in self.frames:
            if known.name == name:
                return known
        known_names = ["origin", "center", *(f.name for f in self.frames)]
        raise VehicleError("unknown frame", where=f"body {self.name}", found=name, expected=known_names)

    def point(self, name: str) -> FloatArray:
        """A named point or the origin of a named frame, m in body axes; ``origin`` and ``center`` exist always.

        Args:
            name: of the point or frame.
        """
        if name == "origin":
            return np.zeros(3)
        if name == "center":
            return self.center
        for known, position in self.points:
            if known == name:
                return np.array(position)
        for frame in self.frames:
            if frame.name == name:
                return frame.position
        known_names = ["origin", "center", *(k for k, _ in self.points), *(f.name for f in self.frames)]
        raise VehicleError("unknown point", where=f"body {self.name}", found=name, expected=known_names)


@checked_arguments
@dataclass(frozen=True, eq=False)
class Rotor:
    """A balanced axisymmetric rotor in a body (S1 Eqs 36-39).

    axis (3,) in body axes; spin_inertia Js kg m²; mode: ``torque`` (state: angle and rate relative to the body, driven by
    loads and controllers), ``speed`` (relative rate given by ``profile``, rad/s), ``momentum`` (Js psi' given, N m s).
    mass, position, transverse_inertia are added to the body unless the vehicle states that bodies include their rotors.

    Attributes:
        name: of the rotor.
        damping: drag of the bearing, N m s/rad.
    """

    name: str
    body: str
    axis: FloatArray
    spin_inertia: float = 0.0
    _: KW_ONLY
    mode: Literal["torque", "speed", "momentum"] = "torque"
    profile: Profile | None = None
    mass: float = 0.0
    position: GivenArray = field(default_factory=zeros(3))
    transverse_inertia: float | None = None
    damping: float = 0.0

    if TYPE_CHECKING:  # a descriptor such as GivenArray needs a default

        def __init__(
            self, name: str, body: str, axis: ArrayLike, spin_inertia: float = 0.0, *,
            mode: Literal["torque", "speed", "momentum"] = "torque", profile: Profile | None = None, mass: float = 0.0,
            position: ArrayLike = ..., transverse_inertia: float | None = None, damping: float = 0.0,
        ) -> None: ...  # fmt: skip

    def __post_init__(self) -> None:
        where = f"rotor {self.name}"
        axis = vector(self.axis, where, "the axis")
        if np.linalg.norm(axis) < 1e-12:
            raise VehicleError("the rotor axis has zero length", where=where, found=axis.tolist())
        object.__setattr__(self, "axis", frozen(axis / np.linalg.norm(axis)))
        object.__setattr__(self, "position", vector(self.position, where, "the position"))
        if self.mode not in ("torque", "speed", "momentum"):
            raise VehicleError("unknown rotor mode", where=where, found=self.mode, expected="torque, speed or momentum")
        if self.mode == "torque" and not self.spin_inertia > 0.0:
            raise VehicleError(
                "the spin inertia of a torque-driven rotor must be positive", where=where, found=self.spin_inertia
            )
        if self.mode != "torque" and self.profile is None:
            raise VehicleError(f"a rotor in {self.mode} mode needs a profile", where=where)
        if self.mode == "speed" and not self.spin_inertia > 0.0:
            raise VehicleError(
                "the spin inertia of a speed-driven rotor must be positive", where=where, found=self.spin_inertia
            )


@checked_arguments
@dataclass(frozen=True, eq=False)
class MountedAppendage:
    """A reduced appendage on a body.

    position (3,): where the record's attachment interface (its origin O if it has none) sits, m in body axes;
    attitude (3, 3): turns appendage axes into body axes (columns = appendage axes in body axes).
    inertia: level used, at most what the record supports (None: the record's); geometric_stiffness: use its families.

    Attributes:
        name: of the mount.
    """

    name: str
    record: ReducedAppendage
    body: str
    position: GivenArray = field(default_factory=zeros(3))
    attitude: GivenArray = field(default_factory=same_axes)
    inertia: InertiaLevel | None = None
    geometric_stiffness: bool = True

    def __post_init__(self) -> None:
        where = f"appendage {self.name}"
        object.__setattr__(self, "position", vector(self.position, where, "the position"))
        object.__setattr__(self, "attitude", rotation_matrix(self.attitude, where))
        order = ("constant", "linear", "full")
        level = self.inertia or self.record.inertia_level
        if level not in order:
            raise VehicleError("unknown inertia level", where=where, found=level, expected=", ".join(order))
        if order.index(level) > order.index(self.record.inertia_level):
            raise VehicleError(
                "the record does not support that inertia level",
                where=where,
                found=level,
                expected=self.record.inertia_level,
            )
        object.__setattr__(self, "inertia", level)

    @property
    def attachment_point(self) -> FloatArray:
        """Attachment interface from O in appendage axes (zero if the record names none)."""
        record = self.record
        return record.interface(record.attachment).position if record.attachment else np.zeros(3)

    @property
    def origin(self) -> FloatArray:
        """O of the record in body axes, m (undeformed)."""
        return np.asarray(self.position - self.attitude @ self.attachment_point)

    @property
    def moves_at_attachment(self) -> bool:
        """True when the shapes do not vanish at the attachment (a mean-axis frame): the frame floats on its mount."""
        return moves_at_attachment(self.record)


@checked_arguments
@dataclass(frozen=True, eq=False)
class PrescribedMotion:
    """Motion of a driven base: translation profiles along inertial axes, m, and one turn about a fixed ``axis``, rad.

    Both add to the initial position and attitude; the turn is about the axis of the base body.

    Attributes:
        angle: turn about ``axis`` over time, rad.
    """

    translation: tuple[Profile | None, Profile | None, Profile | None] = (None, None, None)
    axis: GivenArray = field(default_factory=third_axis)
    angle: Profile | None = None

    def __post_init__(self) -> None:
        axis = vector(self.axis, "prescribed base motion", "the axis")
        if np.linalg.norm(axis) < 1e-12:
            raise VehicleError("the axis of the prescribed base motion has zero length")
        object.__setattr__(self, "axis", frozen(axis / np.linalg.norm(axis)))


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class Vehicle:
    """A tree of bodies. ``base``: name of the root (default: the only body without a parent).

    base_motion: ``free``, ``fixed`` or a PrescribedMotion; gravity (3,) m/s² uniform, inertial axes.
    bodies_include_rotors / bodies_include_appendages: whether the stated body masses and inertias hold them already
    (locked, undeformed). Default neither.

    Attributes:
        joints: that connect its bodies.
        rotors: in its bodies.
        appendages: mounted on its bodies.
    """

    name: str
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...] = ()
    rotors: tuple[Rotor, ...] = ()
    appendages: tuple[MountedAppendage, ...] = ()
    _: KW_ONLY
    base: str | None = None
    base_motion: Literal["free", "fixed"] | PrescribedMotion = "free"
    gravity: GivenArray = field(default_factory=zeros(3))
    bodies_include_rotors: bool = False
    bodies_include_appendages: bool = False

    if TYPE_CHECKING:

        def __init__(
            self, name: str, bodies: Sequence[Body], joints: Sequence[Joint] = (), rotors: Sequence[Rotor] = (),
            appendages: Sequence[MountedAppendage] = (), *, base: str | None = None,
            base_motion: Literal["free", "fixed"] | PrescribedMotion = "free", gravity: ArrayLike = ...,
            bodies_include_rotors: bool = False, bodies_include_appendages: bool = False,
        ) -> None: ...  # fmt: skip

    def __post_init__(self) -> None:
        from tisserand.multibody.vehicle_checks import check_vehicle

        for word in ("bodies", "joints", "rotors", "appendages"):
            object.__setattr__(self, word, tuple(getattr(self, word)))
        object.__setattr__(self, "gravity", vector(self.gravity, f"vehicle {self.name}", "gravity"))
        object.__setattr__(self, "base", check_vehicle(self))

    def body(self, name: str) -> Body:
        """The body of that name.

        Args:
            name: of the body.
        """
        return _named(self.bodies, name, "body")  # type: ignore[no-any-return]

    def joint(self, name: str) -> Joint:
        """The joint of that name.

        Args:
            name: of the joint.
        """
        return _named(self.joints, name, "joint")  # type: ignore[no-any-return]

    def rotor(self, name: str) -> Rotor:
        """The rotor of that name.

        Args:
            name: of the rotor.
        """
        return _named(self.rotors, name, "rotor")  # type: ignore[no-any-return]

    def appendage(self, name: str) -> MountedAppendage:
        """The mounted appendage of that name.

        Args:
            name: of the mount.
        """
        return _named(self.appendages, name, "appendage")  # type: ignore[no-any-return]

    def parent_joint(self, body: str) -> Joint | None:
        """The joint that carries ``body`` (None for the base)."""
        return next((j for j in self.joints if j.child == body), None)

    @property
    def mass(self) -> float:
        """Total mass, kg."""
        total = sum(b.mass for b in self.bodies)
        total += 0.0 if self.bodies_include_rotors else sum(r.mass for r in self.rotors)
        total += 0.0 if self.bodies_include_appendages else sum(a.record.mass for a in self.appendages)
        return float(total)

    @property
    def degrees_of_freedom(self) -> int:
        """6 + joint speeds + rotors + modes for a free base (F8); prescribed coordinates not counted."""
        joints = sum(j.speeds - sum(m is not None for m in j.motion) for j in self.joints)
        rotors = sum(r.mode == "torque" for r in self.rotors)
        modes = sum(a.record.count for a in self.appendages)
        return (6 if self.base_motion == "free" else 0) + joints + rotors + modes

    def changed(self, **values: Any) -> Vehicle:
        """A copy with some fields replaced.

        Args:
            values: new values by field name.
        """
        return replace(self, **values)

    def summary(self) -> str:
        """Totals in plain words."""
        flags = []
        for word, held in (("rotors", self.bodies_include_rotors), ("appendages", self.bodies_include_appendages)):
            flags.append(f"body masses {'include' if held else 'do not include'} {word}")
        return (
            f"{self.name}: {len(self.bodies)} bodies, {len(self.joints)} joints, {len(self.rotors)} rotors, "
            f"{len(self.appendages)} appendages with {sum(a.record.count for a in self.appendages)} modes, "
            f"{self.degrees_of_freedom} degrees of freedom, total mass {self.mass:.9g} kg; {'; '.join(flags)}"
        )

    def _repr_html_(self) -> str:
        rows = [("body", body.name, f"{body.mass:.6g} kg", "") for body in self.bodies]
        rows += [("joint", joint.name, joint.kind, f"{joint.parent} to {joint.child}") for joint in self.joints]
        rows += [("rotor", rotor.name, f"{rotor.spin_inertia:.6g} kg m²", rotor.body) for rotor in self.rotors]
        rows += [
            ("appendage", m.name, f"{m.record.mass:.6g} kg, {m.record.count} modes", m.body) for m in self.appendages
        ]
        return html_table(self.name, ("", "name", "", "on"), rows)

    def __repr__(self) -> str:
        return f"<Vehicle {self.summary()}>"


def _named(things: Sequence[Any], name: str, what: str) -> Any:
    for thing in things:
        if thing.name == name:
            return thing
    raise VehicleError(f"unknown {what}", found=repr(name), expected=", ".join(t.name for t in things) or "none")
