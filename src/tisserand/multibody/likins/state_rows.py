"""Between the named state of a vehicle and the coordinates of the report.

Coordinates: theory section 16.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.likins.build import LikinsModel, spin_inertia
from tisserand.multibody.likins.system import LikinsState, LikinsSystem
from tisserand.multibody.state import State


@dataclass(frozen=True, eq=False)
class Placed:
    """A state in the report's coordinates.

    state; R0 (3, 3): base to inertial (the report's C transposed); held (n,): gamma'' of prescribed and fixed
    hinges, NaN for free ones; system: the tree with the attitude of ball joints absorbed in their nominal
    frames, so that their three hinges are at zero angle (any chart of a ball joint is singular somewhere;
    this one moves along with the motion); turns: rotation vector (3,) rad of the ball joints, by first hinge.
    """

    state: LikinsState
    R0: FloatArray
    held: FloatArray
    system: LikinsSystem
    turns: Mapping[int, FloatArray]


def rotation_of(quaternion: ArrayLike) -> FloatArray:
    """Rotation matrix (3, 3) of a unit quaternion, scalar first: body to outer components."""
    s, x, y, z = np.asarray(quaternion, float) / np.linalg.norm(quaternion)
    v = np.array([x, y, z])
    tilde = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray((s * s - v @ v) * np.eye(3) + 2.0 * np.outer(v, v) + 2.0 * s * tilde)


def rotation_vector(quaternion: ArrayLike) -> FloatArray:
    """Rotation vector (3,) rad of a quaternion, the short way round."""
    q = np.asarray(quaternion, float) / np.linalg.norm(quaternion)
    q = -q if q[0] < 0.0 else q
    s = float(np.linalg.norm(q[1:]))
    return np.asarray(q[1:] * (2.0 * np.arctan2(s, q[0]) / s if s > 1e-12 else 2.0))


def placed(model: LikinsModel, state: State, time: float = 0.0) -> Placed:
    """Coordinates of the report for a named state; whatever is not named is zero (a ball joint: no turn)."""
    n = model.system.hinges
    angles, angle_rates, held = np.zeros(n), np.zeros(n), np.full(n, np.nan)
    nominal, turns = None, {}
    for body, hinges, number in zip(model.tree.bodies, model.hinges, model.body):
        if not hinges:
            continue
        if body.kind == "fixed":
            held[hinges[0]] = 0.0
        elif body.kind == "ball":
            angle_rates[list(hinges)] = _piece(state.joint_rates, str(body.joint), 3, "joint rates")
            attitude = state.joints.get(str(body.joint))
            if attitude is not None:
                nominal = model.system.nominal.copy() if nominal is None else nominal
                turns[hinges[0]] = rotation_vector(attitude)
                nominal[number - 2] = body.parent_frame @ rotation_of(
                    _piece(state.joints, str(body.joint), 4, "joints")
                )
        elif body.motion is not None:
            h = hinges[0]
            angles[h], angle_rates[h], held[h] = (float(x) for x in body.motion.derivatives(time))
        else:
            axes = len(model.vehicle.joint(str(body.joint)).axes)
            angles[hinges[0]] = _piece(state.joints, str(body.joint), axes, "joints")[body.joint_axis]
            angle_rates[hinges[0]] = _piece(state.joint_rates, str(body.joint), axes, "joint rates")[body.joint_axis]
    eta, eta_rates, rotor_rates = [], [], []
    for body in model.tree.bodies:
        for block in body.blocks:
            eta.append(_piece(state.modal, block.name, block.integrals.count, "modal"))
            eta_rates.append(_piece(state.modal_rates, block.name, block.integrals.count, "modal rates"))
        for rotor in body.rotors:
            if rotor.mode == "torque" or rotor.profile is None:
                rotor_rates.append(float(_piece(state.rotor_rates, rotor.name, 1, "rotor rates")[0]))
            else:
                scale = spin_inertia(rotor) if rotor.mode == "momentum" else 1.0
                rotor_rates.append(float(rotor.profile(time)) / scale)
    return Placed(
        LikinsState(
            state.angular_velocity,
            angles,
            angle_rates,
            np.array(rotor_rates),
            np.concatenate([np.zeros(0), *eta]),
            np.concatenate([np.zeros(0), *eta_rates]),
        ),
        rotation_of(state.attitude),
        held,
        model.system if nominal is None else replace(model.system, nominal=nominal),
        turns,
    )


def _piece(values: Mapping[str, ArrayLike], name: str, size: int, what: str) -> FloatArray:
    found = values.get(name)
    if found is None:
        return np.zeros(size)
    array = np.atleast_1d(np.asarray(found, float))
    if len(array) != size:
        raise VehicleError(f"{what} of {name} need {size} numbers", where="state", found=len(array))
    return array
