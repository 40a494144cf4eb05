"""Initial coordinates and rates of the simple motions that make up a joint."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.state import State
from tisserand.multibody.tree import TreeBody


def joint_start(state: State, body: TreeBody) -> tuple[FloatArray, FloatArray]:
    """Value and rate of a hinge or slider (1,), or quaternion (4,) and angular velocity (3,) of a ball.

    The ball of a free joint comes behind its three sliders; a number stated for a joint of several axes counts for all.
    """
    name, axis = str(body.joint), body.joint_axis
    ball = body.kind == "ball"
    value = np.ravel(np.asarray(state.joints.get(name, 0.0), float))
    rate = np.ravel(np.asarray(state.joint_rates.get(name, 0.0), float))
    if ball:
        turn = value[axis : axis + 4] if name in state.joints else np.array([1.0, 0.0, 0.0, 0.0])
        return turn, rate[axis : axis + 3] if name in state.joint_rates else np.zeros(3)
    return tuple(part[[min(axis, part.size - 1)]] for part in (value, rate))  # type: ignore[return-value]
