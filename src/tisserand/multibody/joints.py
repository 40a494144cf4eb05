"""Joints between a child body and its parent.

A joint has a frame on each side. The parent side sits at ``parent_point`` of the parent body (or on an interface node of
a flexible appendage) with axes ``parent_frame``; the child side likewise. Coordinates are zero when the two frames
coincide. Angles follow theory Eq. (50): the child turns by the right-hand rule about the axis, as seen from the parent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import are_numbers, checked_arguments
from tisserand.arrays import FloatArray, GivenArray, frozen, same_axes, zeros
from tisserand.errors import VehicleError
from tisserand.multibody.profiles import Profile

JointKind = Literal["hinge", "universal", "gimbal", "ball", "prismatic", "cylindrical", "free", "fixed"]

#: Every kind as a chain of simple motions, from the parent outward, with massless bodies between them.
STEPS: dict[str, tuple[str, ...]] = {
    "hinge": ("hinge",),
    "universal": ("hinge", "hinge"),
    "gimbal": ("hinge", "hinge", "hinge"),
    "ball": ("ball",),
    "prismatic": ("prismatic",),
    "cylindrical": ("prismatic", "hinge"),
    "free": ("prismatic", "prismatic", "prismatic", "ball"),
    "fixed": ("fixed",),
}
#: Coordinates, speeds, and units of both of the simple motions; a ball's coordinates are a quaternion.
STEP_COORDINATES = {"hinge": 1, "prismatic": 1, "ball": 4, "fixed": 0}
STEP_SPEEDS = {"hinge": 1, "prismatic": 1, "ball": 3, "fixed": 0}
_COORDINATE_UNITS = {"hinge": "rad", "prismatic": "m", "ball": "-"}
#: Number of axes of each kind; those of a free joint are the axes of its frame on the parent.
AXES = {
    kind: 0 if kind == "free" else sum(one in ("hinge", "prismatic") for one in steps) for kind, steps in STEPS.items()
}
#: Springs and dampers: one per axis, one isotropic pair of a ball joint.
LAWS = {**AXES, "ball": 1}
COORDINATES = {kind: sum(STEP_COORDINATES[one] for one in steps) for kind, steps in STEPS.items()}
SPEEDS = {kind: sum(STEP_SPEEDS[one] for one in steps) for kind, steps in STEPS.items()}


def coordinate_units(kind: str) -> list[str]:
    """Unit of each coordinate of a kind of joint."""
    return [_COORDINATE_UNITS[one] for one in STEPS[kind] for _ in range(STEP_COORDINATES[one])]


def speed_units(kind: str) -> list[str]:
    """Unit of what each speed of a kind of joint is the rate of."""
    return ["m" if one == "prismatic" else "rad" for one in STEPS[kind] for _ in range(STEP_SPEEDS[one])]


def effort_units(kind: str) -> list[str]:
    """Unit of the effort along each speed of a kind of joint."""
    return ["N" if one == "m" else "N m" for one in speed_units(kind)]


def step_of_speed(kind: str, number: int) -> tuple[int, int]:
    """The simple motion that a speed belongs to, and its number among the speeds of that motion."""
    return [(i, c) for i, one in enumerate(STEPS[kind]) for c in range(STEP_SPEEDS[one])][number]


def rotation_matrix(matrix: ArrayLike, where: str) -> FloatArray:
    """A checked proper rotation (3, 3), columns = the frame's axes in the body's axes."""
    try:
        R = frozen(matrix, shape=(3, 3))
    except ValueError as error:
        raise VehicleError("a frame needs a 3 x 3 rotation matrix", where=where, found=np.shape(matrix)) from error
    if not np.isfinite(R).all() or np.abs(R.T @ R - np.eye(3)).max() > 1e-9 or np.linalg.det(R) < 0.0:
        raise VehicleError("a frame must be a proper rotation matrix", where=where, found=R.tolist())
    return R


def vector(values: ArrayLike, where: str, what: str) -> FloatArray:
    """A checked finite (3,) vector."""
    try:
        v = frozen(values, shape=(3,))
    except ValueError as error:
        raise VehicleError(f"{what} needs three components", where=where, found=np.shape(values)) from error
    if not np.isfinite(v).all():
        raise VehicleError(f"{what} must be finite", where=where, found=v.tolist())
    return v


@checked_arguments(but=("stiffness", "damping", "rest"))
@dataclass(frozen=True, eq=False)
class Joint:
    """A joint that connects ``child`` to ``parent``.

    kind: hinge (1 axis), universal (2), gimbal (3, carried one by the other in order), ball (relative quaternion),
    prismatic (slides along the axis of the parent side), cylindrical (slides along one axis and turns about it: m, rad), free
    (place along the joint axes of the parent side, m, and relative quaternion; speeds: rates of the place, then the relative
    rate in child joint axes), fixed.
    parent_point, child_point (3,) m in the axes of their body; parent_frame, child_frame (3, 3), columns = joint axes in
    body axes; axes (n, 3) in the joint frame at zero coordinates. parent_interface, child_interface: (appendage, interface)
    places that side on a flexible node, its point and turning are then the node's (parent_point is ignored).
    stiffness, damping, rest (one for all axes, or per axis; kept per axis): torque -k (angle - rest) - d rate, N m/rad or N/m;
    ball: one isotropic value.
    limits (n, 2): declared range, watched during a run; motion: prescribed coordinate per axis or None.

    Attributes:
        name: of the joint.
    """

    name: str
    kind: JointKind
    parent: str
    child: str
    _: KW_ONLY
    parent_point: GivenArray = field(default_factory=zeros(3))
    child_point: GivenArray = field(default_factory=zeros(3))
    parent_frame: GivenArray = field(default_factory=same_axes)
    child_frame: GivenArray = field(default_factory=same_axes)
    axes: GivenArray = field(default_factory=zeros(0, 3))
    parent_interface: tuple[str, str] | None = None
    child_interface: tuple[str, str] | None = None
    stiffness: tuple[float, ...] = ()
    damping: tuple[float, ...] = ()
    rest: tuple[float, ...] = ()
    limits: tuple[tuple[float, float], ...] = ()
    motion: tuple[Profile | None, ...] = ()

    def __post_init__(self) -> None:
        where = f"joint {self.name}"
        if self.kind not in AXES:
            raise VehicleError("unknown kind of joint", where=where, found=self.kind, expected=", ".join(AXES))
        for word in ("parent_point", "child_point"):
            object.__setattr__(self, word, vector(getattr(self, word), where, word.replace("_", " ")))
        for word in ("parent_frame", "child_frame"):
            object.__setattr__(self, word, rotation_matrix(getattr(self, word), where))
        n = AXES[self.kind]
        raw = np.asarray(self.axes, float).reshape(-1, 3) if np.size(self.axes) % 3 == 0 else np.zeros((0, 3))
        if self.kind == "cylindrical" and len(raw) == 1:
            raw = np.repeat(raw, 2, axis=0)
        if len(raw) != n:
            raise VehicleError(f"a {self.kind} joint needs {n} axes", where=where, found=len(raw))
        lengths = np.linalg.norm(raw, axis=1)
        if not np.isfinite(raw).all() or (lengths < 1e-12).any():
            raise VehicleError("a joint axis has zero length or is not finite", where=where, found=raw.tolist())
        object.__setattr__(self, "axes", frozen(raw / lengths[:, None], shape=(n, 3)))
        if self.kind == "cylindrical" and np.abs(self.axes[0] - self.axes[1]).max() > 1e-9:
            raise VehicleError("a cylindrical joint slides and turns on one axis", where=where, found=raw.tolist())
        for i in range(n - 1):
            if self.kind != "cylindrical" and np.linalg.norm(np.cross(self.axes[i], self.axes[i + 1])) < 1e-9:
                raise VehicleError(
                    "successive axes of a joint are parallel",
                    where=where,
                    found=raw.tolist(),
                    advice="use a hinge, or axes that are not parallel",
                )
        for word in ("stiffness", "damping", "rest"):
            object.__setattr__(self, word, self._law(word, where))
        limits = tuple((float(low), float(high)) for low, high in self.limits) or ((-np.inf, np.inf),) * n
        if len(limits) != n or any(not low < high for low, high in limits):
            raise VehicleError("limits need one (low, high) per axis with low < high", where=where, found=limits)
        object.__setattr__(self, "limits", limits)
        motion = tuple(self.motion) or (None,) * n
        if len(motion) != n:
            raise VehicleError("prescribed motion needs one profile or None per axis", where=where, found=len(motion))
        object.__setattr__(self, "motion", motion)

    def _law(self, word: str, where: str) -> tuple[float, ...]:
        """Values per axis of a spring, damper or rest; one number is that of every axis, none is zero."""
        count, stated = LAWS[self.kind], getattr(self, word)
        if not are_numbers(stated):
            raise VehicleError(f"{word} is not a number or a list of numbers", where=where, found=repr(stated))
        values = tuple(float(x) for x in np.ravel(stated)) or (0.0,) * count
        if np.ndim(stated) == 0:
            values *= count
        if len(values) != count or not np.isfinite(values).all():
            expected = f"one number, or {count}" if count else f"none: a {self.kind} joint has no springs"
            raise VehicleError(
                f"{word} needs finite numbers, one per axis", where=where, found=list(values), expected=expected
            )
        if word != "rest" and min(values, default=0.0) < 0.0:
            raise VehicleError(
                f"{word} is out of range", where=where, found=list(values), expected="numbers at least 0"
            )
        return values

    @property
    def steps(self) -> tuple[str, ...]:
        """The simple motions it consists of, from the parent outward."""
        return STEPS[self.kind]

    @property
    def coordinates(self) -> int:
        return COORDINATES[self.kind]

    @property
    def speeds(self) -> int:
        return SPEEDS[self.kind]


class JointFrames(TypedDict, total=False):
    """Frames (3, 3) on both sides of a joint, or interfaces as (appendage, point)."""

    parent_frame: ArrayLike
    child_frame: ArrayLike
    parent_interface: tuple[str, str] | None
    child_interface: tuple[str, str] | None


class JointSides(JointFrames, total=False):
    """Where a joint sits: points (3,) m in the axes of each body, and its frames."""

    parent_point: ArrayLike
    child_point: ArrayLike


class JointFacts(JointSides, total=False):
    """Sides and laws of a joint with several axes: one value for all axes, or one per axis."""

    stiffness: float | Sequence[float]
    damping: float | Sequence[float]
    rest: float | Sequence[float]
    limits: Sequence[tuple[float, float]]
    motion: Sequence[Profile | None]


class AxisFacts(JointSides, total=False):
    """Sides and laws of a joint with one axis; limits and motion None: free."""

    stiffness: float
    damping: float
    rest: float
    limits: tuple[float, float] | None
    motion: Profile | None


def _with_one_axis(kind: JointKind, name: str, parent: str, child: str, axis: ArrayLike, **facts: Any) -> Joint:
    own: dict[str, Any] = {
        word: () if (value := facts.pop(word, None)) is None else (value,) for word in ("limits", "motion")
    }
    return Joint(name, kind, parent, child, axes=np.asarray(axis, float), **own, **facts)


@checked_arguments
def hinge(name: str, parent: str, child: str, axis: ArrayLike, **facts: Unpack[AxisFacts]) -> Joint:
    """A line hinge; ``axis`` in the joint frame (body axes of both sides if the frames are not given).

    Args:
        name: of the joint.
        parent: name of the body that carries it.
        child: name of the body that hangs on it.
        axis: (3,) direction.
        facts: parent_point, child_point: (3,) m in the axes of each body; stiffness: spring, N m/rad; damping: N m s/rad; rest:
            angle at which the spring is slack, rad; limits: lowest and highest angle, rad; motion: prescribed angle over
            time; frames and interfaces, see ``Joint``.
    """
    return _with_one_axis("hinge", name, parent, child, axis, **facts)


@checked_arguments
def prismatic(name: str, parent: str, child: str, axis: ArrayLike, **facts: Unpack[AxisFacts]) -> Joint:
    """A slider along ``axis``; coordinate in m.

    Args:
        name: of the joint.
        parent: name of the body that carries it.
        child: name of the body that hangs on it.
        axis: (3,) direction.
        facts: as of ``hinge``, in m, N/m and N s/m.
    """
    return _with_one_axis("prismatic", name, parent, child, axis, **facts)


@checked_arguments
def universal(name: str, parent: str, child: str, axes: ArrayLike, **facts: Unpack[JointFacts]) -> Joint:
    """Two axes: the first fixed in the parent, the second in the child (a Hooke joint, theory section 16.7, type 2).

    Args:
        name: of the joint.
        facts: other fields of ``Joint``, such as points, springs and limits.
    """
    return Joint(name, "universal", parent, child, axes=np.asarray(axes, float), **facts)  # type: ignore[arg-type]


@checked_arguments
def gimbal(name: str, parent: str, child: str, axes: ArrayLike, **facts: Unpack[JointFacts]) -> Joint:
    """Three axes carried one by the other; singular where the first and third become parallel.

    Args:
        name: of the joint.
        parent: name of the body that carries it.
        child: name of the body that hangs on it.
        facts: other fields of ``Joint``, such as points, springs and limits.
    """
    return Joint(name, "gimbal", parent, child, axes=np.asarray(axes, float), **facts)  # type: ignore[arg-type]


@checked_arguments
def cylindrical(name: str, parent: str, child: str, axis: ArrayLike, **facts: Unpack[JointFacts]) -> Joint:
    """Slides along an axis and turns about it; coordinates: displacement in m, angle in rad.

    Args:
        name: of the joint.
        parent: name of the body that carries it.
        child: name of the body that hangs on it.
        axis: (3,) direction.
        facts: other fields of ``Joint``; springs, dampers, limits and motions in pairs: of the displacement, of the angle.
    """
    return Joint(name, "cylindrical", parent, child, axes=np.asarray(axis, float), **facts)  # type: ignore[arg-type]


@checked_arguments
def free_joint(name: str, parent: str, child: str, **sides: Unpack[JointSides]) -> Joint:
    """Six degrees of freedom between two bodies.

    Coordinates: place of the child side from the parent side along the joint axes of the parent (3), m; quaternion child side to
    parent side (4). Speeds: rates of the place (3), m/s; relative angular velocity in child joint axes (3), rad/s. Springs
    between the two are force elements (``bushing``).

    Args:
        name: of the joint.
        parent: name of the body that carries it.
        child: name of the body that hangs on it.
        sides: other fields of ``Joint``, such as frames and interfaces.
    """
    return Joint(name, "free", parent, child, **sides)  # type: ignore[arg-type]


@checked_arguments
def ball(
    name: str, parent: str, child: str, *, stiffness: float = 0.0, damping: float = 0.0, **sides: Unpack[JointSides]
) -> Joint:
    """A ball joint; coordinate: quaternion child side to parent side; speed: relative rate in child joint axes.

    Args:
        name: of the joint.
        stiffness: isotropic spring, N m/rad.
        damping: N m s/rad.
        sides: other fields of ``Joint``, such as frames and interfaces.
    """
    return Joint(name, "ball", parent, child, stiffness=(stiffness,), damping=(damping,), **sides)  # type: ignore[arg-type]


@checked_arguments
def fixed(name: str, parent: str, child: str, **sides: Unpack[JointSides]) -> Joint:
    """No relative motion between the two joint frames.

    Args:
        name: of the joint.
        parent: name of the body that carries it.
        child: name of the body that hangs on it.
        sides: other fields of ``Joint``, such as frames and interfaces.
    """
    return Joint(name, "fixed", parent, child, **sides)  # type: ignore[arg-type]


slider = prismatic
