"""Loops and nonholonomic rows: two places, or two joints, that cannot move independently.

A loop acts like a load whose strength is the force that it takes; give it among the ``loads`` of a simulation, a linear model or
a steady state. ``run.loop_force[name]`` is that force, ``run.loop_drift[name]`` what was left to correct after steps.
Serves theory section 11.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.element_law import Anchor
from tisserand.multibody.loads import Load, joint_torque
from tisserand.multibody.loop_law import Loop, LoopKind
from tisserand.multibody.profiles import Profile


def _along(direction: ArrayLike, name: str) -> FloatArray:
    v = np.asarray(direction, float)
    size = float(np.linalg.norm(v)) if v.shape == (3,) else float("nan")
    if not (np.isfinite(size) and size > 0.0):
        raise VehicleError("the direction has no length", where=f"loop {name}", found=np.ravel(v).tolist())
    return np.asarray(v / size)


def _positive(value: float, word: str, name: str) -> float:
    if not (np.isfinite(value) and value > 0.0):
        raise VehicleError(f"{word} must be positive", where=f"loop {name}", found=value)
    return float(value)


def _between(kind: LoopKind, first: Anchor, second: Anchor, name: str, direction: ArrayLike | None = None) -> Load:
    along = np.zeros(3) if direction is None else _along(direction, name)
    return Load(name, "loop", "", loop=Loop(kind=kind, ends=(first, second), direction=along))


@checked_arguments
def point_loop(first: Anchor, second: Anchor, *, name: str = "point loop") -> Load:
    """Two places coincide, as if a ball joint held them: 3 rows, the force on the second along the axes of the first, N.

    Args:
        name: of the load.
    """
    return _between("point", first, second, name)


@checked_arguments
def line_loop(first: Anchor, second: Anchor, direction: ArrayLike, *, name: str = "line loop") -> Load:
    """The second place stays on a line through the first: 2 rows, forces across the line, N.

    Args:
        direction: (3,) of the line, in axes of the first end.
        name: of the load.
    """
    return _between("line", first, second, name, direction)


@checked_arguments
def plane_loop(first: Anchor, second: Anchor, normal: ArrayLike, *, name: str = "plane loop") -> Load:
    """The second place stays in a plane through the first: 1 row, the force along the normal, N.

    Args:
        normal: (3,) in axes of the first end.
        name: of the load.
    """
    return _between("plane", first, second, name, normal)


@checked_arguments
def hinge_loop(first: Anchor, second: Anchor, axis: ArrayLike, *, name: str = "hinge loop") -> Load:
    """Two places coincide and an axis is common to both: 5 rows, forces (3), N, then torques across the axis (2), N m.

    Args:
        first: one end.
        second: the other end.
        axis: (3,) with the same components in the axes of both ends.
        name: of the load.
    """
    return _between("hinge", first, second, name, axis)


@checked_arguments
def weld_loop(first: Anchor, second: Anchor, *, name: str = "weld loop") -> Load:
    """Places and axes of both ends coincide: 6 rows, forces (3), N, then torques (3), N m, along the axes of the first.

    Args:
        second: the other end.
        name: of the load.
    """
    return _between("weld", first, second, name)


@checked_arguments
def distance_loop(first: Anchor, second: Anchor, length: float | Profile, *, name: str = "distance loop") -> Load:
    """A massless rod between two places: 1 row, positive where it pushes them apart, N.

    Args:
        first: one end.
        second: the other end.
        length: m: a number, or a profile of time (a rod that grows, a cable that is reeled in).
        name: of the load.
    """
    level: float | Profile = length if isinstance(length, Profile) else _positive(length, "the length", name)
    return Load(name, "loop", "", loop=Loop(kind="distance", ends=(first, second), level=level))


@checked_arguments
def gear(
    first: str,
    second: str,
    ratio: float,
    *,
    first_axis: int = 0,
    second_axis: int = 0,
    level: float | Profile = 0.0,
    name: str = "gear",
) -> Load:
    """Two joint axes move in proportion: ``q1 - ratio q2 = level``; 1 row, the torque (slider: force) on the first.

    A closed cable over two pulleys, a pair of gears (negative ratio), a screw (a hinge and a slider).

    Args:
        first: name of a joint.
        second: name of a joint.
        ratio: rad/rad, or m/rad where the first slides.
        first_axis: of a joint with several, from 0.
        second_axis: likewise.
        level: rad or m: a number, or a profile of time.
    """
    if not np.isfinite(ratio):
        raise VehicleError("the ratio must be finite", where=f"loop {name}", found=ratio)
    if (first, first_axis) == (second, second_axis):
        raise VehicleError("a gear needs two axes", where=f"loop {name}", found=first)
    loop = Loop(
        kind="gear", joints=(first, second), axes=(first_axis, second_axis), factors=(1.0, -float(ratio)), level=level
    )
    return Load(name, "loop", "", loop=loop)


@checked_arguments
def rolling(plane: Anchor, center: Anchor, normal: ArrayLike, radius: float, *, name: str = "rolling") -> Load:
    """A sphere rolls without slipping on a plane, and stays in contact: 3 rows, forces at the contact point, N.

    The normal force, positive where the plane pushes, is the first; then two forces in the plane. The contact holds in both
    directions: a negative normal force says that the sphere would have lifted off.

    Args:
        plane: a place in the plane.
        center: of the sphere.
        normal: (3,) toward the sphere, in axes of the first end.
        radius: m.
        name: of the load.
    """
    loop = Loop(
        kind="rolling",
        ends=(plane, center),
        direction=_along(normal, name),
        radius=_positive(radius, "the radius", name),
    )
    return Load(name, "loop", "", loop=loop)


@checked_arguments
def skate(ground: Anchor, blade: Anchor, across: ArrayLike, *, name: str = "skate") -> Load:
    """A place does not move sideways, as if a blade or an upright wheel ran there: 1 row, the force on the blade, N.

    Args:
        ground: the body that it runs on; its place does not matter.
        blade: the place that carries the blade.
        across: (3,) across the blade, in axes of its end.
        name: of the load.
    """
    return _between("skate", ground, blade, name, across)


@checked_arguments
def inputs_of_loop(load: Load) -> list[str]:
    """The inputs that the engine fills in: of its pulls, its multipliers, whether it holds, and its level.

    Args:
        load: the load.
    """
    loop = load.loop
    assert loop is not None
    words = [*(f"#{i}" for i in range(loop.pulls)), *(f":{i + 1}" for i in range(loop.rows)), ":on", ":level"]
    return [load.name + word for word in words]


@checked_arguments
def joint_pulls(load: Load) -> list[Load]:
    """The loads of a loop between joints.

    Args:
        load: the load.
    """
    assert load.loop is not None
    pairs = enumerate(zip(load.loop.joints, load.loop.axes))
    return [joint_torque(joint, f"{load.name}#{i}", axis, f"{load.name}.{joint}") for i, (joint, axis) in pairs]
