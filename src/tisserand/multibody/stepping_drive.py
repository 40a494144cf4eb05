"""Drives that move in steps of an angle, such as those of solar arrays: prescribed, or through the stiffness of their joint.

A joint whose spring is relaxed at a(t) feels the torque k a(t) beside -k q. Serves theory section 5.
"""

from __future__ import annotations

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.errors import VehicleError
from tisserand.multibody.joints import Joint
from tisserand.multibody.loads import Load, joint_torque
from tisserand.multibody.profiles import Profile


@checked_arguments
def steps(size: float, rate_hz: float, count: int, start: float = 0.0, rise: float = 0.0) -> Profile:
    """A staircase: ``count`` steps of ``size``, the first at ``start``, ``rate_hz`` per second, then constant.

    Args:
        size: of one step, rad or m.
        rate_hz: steps per second.
        count: number of steps.
        start: time of the first step, s.
        rise: time that a step takes, s, with continuous rate and acceleration; 0: at once.
    """
    if not rate_hz > 0.0 or count < 1:
        raise VehicleError("a staircase needs a positive rate and at least one step", found=(rate_hz, count))
    if not 0.0 <= rise <= 1.0 / rate_hz:
        raise VehicleError(
            "the rise of a step must lie between 0 and the time between steps",
            found=rise,
            expected=f"at most {1.0 / rate_hz:g} s",
        )
    begins = start + np.arange(count) / rate_hz
    levels = size * np.arange(1.0, count + 1.0)
    if not rise:
        pieces = np.zeros((count, 8))
        pieces[:, 0] = levels
        return Profile(begins, pieces)
    rows, pieces = np.zeros(2 * count), np.zeros((2 * count, 8))
    rows[::2], rows[1::2] = begins, begins + rise
    pieces[::2, 0], pieces[::2, 1] = levels - size, size / rise
    pieces[::2, 4], pieces[::2, 5] = -size / (2.0 * np.pi), 2.0 * np.pi / rise
    pieces[1::2, 0] = levels
    kept = np.append(np.diff(rows) > 1e-12 * np.maximum(1.0, np.abs(rows[1:])), True)  # steps that follow at once
    return Profile(rows[kept], pieces[kept])


@checked_arguments
def stepping_drive(
    joint: Joint,
    size: float,
    rate_hz: float,
    count: int,
    *,
    start: float = 0.0,
    rise: float = 0.0,
    axis: int = 0,
    name: str = "",
) -> Load:
    """A stepper motor behind the stiffness of a joint: its spring is relaxed where the motor stands, beside its own rest.

    Args:
        joint: with a stiffness about the axis, that of motor and gear.
        size: of one step, rad or m.
        rate_hz: steps per second.
        count: number of steps.
        start: time of the first step, s.
        rise: time that a step takes, s; 0: at once.
        axis: number of the joint axis, from 0.
    """
    stiffness = float(joint.stiffness[axis]) if axis < len(joint.stiffness) and joint.kind != "ball" else 0.0
    if not stiffness > 0.0:
        raise VehicleError(
            "a stepping drive needs a joint with stiffness about that axis",
            where=f"joint {joint.name}",
            found=stiffness,
            expected="the stiffness of motor and gear",
            advice="or prescribe its motion",
        )
    if joint.motion[axis] is not None:
        raise VehicleError("the joint's motion is prescribed", where=f"joint {joint.name}", found=f"axis {axis + 1}")
    staircase = steps(size, rate_hz, count, start, rise)
    return joint_torque(joint.name, staircase.scaled(stiffness), axis, name or f"{joint.name}.steps")
