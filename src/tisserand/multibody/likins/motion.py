"""Motion of a vehicle by the ``likins`` engine: the flat state vector, integrated with scipy's methods.

This engine is the readable reference implementation; use the recursive engine for long runs.

Serves theory section 16.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arrays import FloatArray
from tisserand.errors import IntegrationError, VehicleError
from tisserand.multibody.likins.build import LikinsModel
from tisserand.multibody.likins.engine import accelerations
from tisserand.multibody.likins.results import Accelerations
from tisserand.multibody.likins.vectors import cross
from tisserand.multibody.loads import Load
from tisserand.multibody.state import State


@dataclass(frozen=True, eq=False)
class LikinsRun:
    """times (t,) s and the named state at each; evaluations: number of right-hand sides."""

    times: FloatArray
    states: tuple[State, ...]
    evaluations: int


def quaternion_rate(q: FloatArray, w: FloatArray) -> FloatArray:
    """q' (4,) for the rate w (3,) in the turned axes, scalar first: half of q times (0, w)."""
    s, v = q[0], q[1:]
    return np.asarray(0.5 * np.concatenate([[-v @ w], s * w + cross(v, w)]))


class Layout:
    """Places of coordinates and speeds in the flat vector of a model, by name; prescribed joints are not included."""

    def __init__(self, model: LikinsModel) -> None:
        vehicle = model.vehicle
        self.joints = {
            j.name: (j.coordinates, j.speeds) for j in vehicle.joints if j.speeds and all(m is None for m in j.motion)
        }
        for joint in vehicle.joints:
            if joint.speeds > 1 and any(m is not None for m in joint.motion):
                raise VehicleError("prescribe hinges one by one with the likins engine", where=f"joint {joint.name}")
        self.rotors = [r.name for body in model.tree.bodies for r in body.rotors if r.mode == "torque"]
        self.modal = {b.name: b.integrals.count for body in model.tree.bodies for b in body.blocks}

    def pack(self, state: State) -> FloatArray:
        """The flat vector of a state."""
        parts: list[FloatArray] = [state.position, state.attitude]
        for name, (coordinates, _) in self.joints.items():
            default = np.array([1.0, 0.0, 0.0, 0.0]) if coordinates == 4 else np.zeros(coordinates)
            parts.append(_sized(state.joints.get(name), default, name))
        parts += [_sized(state.rotor_angles.get(name), np.zeros(1), name) for name in self.rotors]
        parts += [_sized(state.modal.get(name), np.zeros(k), name) for name, k in self.modal.items()]
        parts += [state.velocity, state.angular_velocity]
        parts += [_sized(state.joint_rates.get(name), np.zeros(u), name) for name, (_, u) in self.joints.items()]
        parts += [_sized(state.rotor_rates.get(name), np.zeros(1), name) for name in self.rotors]
        parts += [_sized(state.modal_rates.get(name), np.zeros(k), name) for name, k in self.modal.items()]
        return np.concatenate(parts)

    def unpack(self, x: FloatArray) -> State:
        """The named state of a flat vector; quaternions are brought back to unit length."""
        take = _Taker(x)
        position, attitude = take(3), take(4)
        joints = {name: take(coordinates) for name, (coordinates, _) in self.joints.items()}
        joints = {name: v / np.linalg.norm(v) if len(v) == 4 else v for name, v in joints.items()}
        angles = {name: take(1) for name in self.rotors}
        modal = {name: take(k) for name, k in self.modal.items()}
        velocity, rate = take(3), take(3)
        joint_rates = {name: take(u) for name, (_, u) in self.joints.items()}
        rotor_rates = {name: take(1) for name in self.rotors}
        modal_rates = {name: take(k) for name, k in self.modal.items()}
        return State(
            position=position,
            attitude=attitude / np.linalg.norm(attitude),
            velocity=velocity,
            angular_velocity=rate,
            joints=joints,
            joint_rates=joint_rates,
            modal=modal,
            modal_rates=modal_rates,
            rotor_angles=angles,  # type: ignore[arg-type]
            rotor_rates=rotor_rates,  # type: ignore[arg-type]
        )

    def rate(self, state: State, result: Accelerations) -> FloatArray:
        """d/dt of the flat vector."""
        parts: list[FloatArray] = [state.velocity, quaternion_rate(state.attitude, state.angular_velocity)]
        for name, (coordinates, _) in self.joints.items():
            rate = np.asarray(state.joint_rates[name])
            parts.append(quaternion_rate(np.asarray(state.joints[name]), rate) if coordinates == 4 else rate)
        parts += [np.asarray(state.rotor_rates[name]) for name in self.rotors]
        parts += [np.asarray(state.modal_rates[name]) for name in self.modal]
        parts += [result.velocity, result.angular_velocity]
        parts += [result.joints[name] for name in self.joints]
        parts += [np.array([result.rotors[name]]) for name in self.rotors]
        parts += [result.modal[name] for name in self.modal]
        return np.concatenate(parts)


class _Taker:
    def __init__(self, x: FloatArray) -> None:
        self.x, self.at = x, 0

    def __call__(self, count: int) -> FloatArray:
        self.at += count
        return self.x[self.at - count : self.at]


def _sized(value: ArrayLike | None, default: FloatArray, name: str) -> FloatArray:
    if value is None:
        return default
    array = np.atleast_1d(np.asarray(value, float))
    if array.shape != default.shape:
        raise VehicleError(f"the state of {name} has the wrong size", found=array.shape, expected=default.shape)
    return array


def run(
    model: LikinsModel,
    initial: State,
    times: ArrayLike,
    loads: Sequence[Load] = (),
    method: str = "DOP853",
    rtol: float = 1e-10,
    atol: float = 1e-12,
) -> LikinsRun:
    """Integrate over ``times`` with a method of scipy's ``solve_ivp``; returns the states at all of them."""
    from scipy.integrate import solve_ivp

    layout = Layout(model)
    wanted = np.asarray(times, float)

    def slope(t: float, x: FloatArray) -> FloatArray:
        state = layout.unpack(x)
        return layout.rate(state, accelerations(model, state, loads, t, interaction=False))

    integrate: Any = solve_ivp
    result = integrate(slope, (wanted[0], wanted[-1]), layout.pack(initial), method, wanted, rtol=rtol, atol=atol)
    if not result.success:
        raise IntegrationError(
            "the integration stopped", found=f"t = {result.t[-1]:.6g} s", expected=f"{wanted[-1]:.6g} s"
        )
    return LikinsRun(wanted, tuple(layout.unpack(x) for x in result.y.T), int(result.nfev))
