"""Named states to the flat vector y and back.

Coordinates: theory section 5.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.state import State


def _put(y: FloatArray, places: object, values: ArrayLike, where: str) -> None:
    v = np.atleast_1d(np.asarray(values, float))
    target = y[places]  # type: ignore[call-overload]
    if v.shape != np.shape(target):
        raise VehicleError("wrong number of values", where=f"state, {where}", found=v.shape, expected=np.shape(target))
    y[places] = v  # type: ignore[call-overload]


def _names(given: Mapping[str, object], known: Mapping[str, object], what: str) -> None:
    for name in given:
        if name not in known:
            raise VehicleError(f"unknown {what}", where="state", found=name, expected=", ".join(known) or "none")


def pack_state(compiled: CompiledVehicle, state: State, time: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """The flat state y and the held array U (pose of a driven base)."""
    c = compiled
    y, U = np.zeros(c.size), c.held()
    s = c.speeds
    y[0:3], y[3:7] = state.position, state.attitude
    U[0:3], U[3:7] = state.position, state.attitude
    for q in c.quaternions[1:]:
        y[q] = 1.0
    for body in c.tree.bodies[1:]:
        if body.joint is None or body.kind == "fixed" or body.kind == "ball":
            continue
        k = c.body_index[body.name]
        if body.motion is not None:
            q, u = c.joint_places(k)
            y[q], y[u], _ = body.motion.derivatives(time)
    if c.vehicle.base_motion == "fixed":
        if np.any(state.velocity) or np.any(state.angular_velocity):
            raise VehicleError("a fixed base cannot have a velocity", where="state")
    elif c.vehicle.base_motion == "free":
        y[s : s + 3], y[s + 3 : s + 6] = state.velocity, state.angular_velocity
    _names(state.joints, c.joint_q, "joint")
    _names(state.joint_rates, c.joint_u, "joint")
    for word, places in (("joints", c.joint_q), ("joint_rates", c.joint_u)):
        for name, values in getattr(state, word).items():
            if any(m is not None for m in c.vehicle.joint(name).motion):
                raise VehicleError(
                    "the motion of the joint is prescribed, it has no initial value", where="state", found=name
                )
            _put(y, places[name], values, f"{word.replace('_', ' ')} of {name}")
    for q in c.quaternions[1:]:
        y[q : q + 4] /= np.linalg.norm(y[q : q + 4])
    for word, i in (("modal", 0), ("modal_rates", 1)):
        _names(getattr(state, word), c.eta, "appendage")
        for name, values in getattr(state, word).items():
            _put(y, c.eta_places(name)[i], values, f"{word.replace('_', ' ')} of {name}")
    for word, i in (("rotor_angles", 0), ("rotor_rates", 1)):
        _names(getattr(state, word), c.rotor, "rotor")
        for name, values in getattr(state, word).items():
            y[c.rotor_places(name)[i]] = float(np.ravel(values)[0])
    for rotor in c.vehicle.rotors:
        if rotor.mode == "speed":
            assert rotor.profile is not None
            y[c.rotor_places(rotor.name)[1]] = rotor.profile(time)
    _names(state.controllers, c.wiring.control_states, "controller")
    x = c.state
    for name, values in state.controllers.items():
        own = c.wiring.control_states[name]
        _put(y, slice(x + own.start, x + own.stop), values, f"controller {name}")
    _refuse_inside(c, state)
    return y, U


def _refuse_inside(c: CompiledVehicle, state: State) -> None:
    """A vehicle in the surroundings of a planet starts outside it."""
    for name, law in c.surroundings.items():
        distance = float(np.linalg.norm(state.position))
        if not distance >= law.planet.radius:
            raise VehicleError(
                "the vehicle starts inside the planet, whose center is the inertial origin",
                where=f"{name[:-2]}, initial position",
                found=f"{distance:.6g} m from its center",
                expected=f"at least its radius of {law.planet.radius:.6g} m",
                advice="state a position in orbit, or orbital elements",
            )


def impose_prescribed(compiled: CompiledVehicle, times: FloatArray, Y: FloatArray, U: FloatArray) -> None:
    """Replace integrated copies of prescribed coordinates by their exact profiles, in place."""
    c = compiled
    for k, body in enumerate(c.tree.bodies):
        if body.motion is not None:
            q, u = c.joint_places(k)
            Y[:, q], Y[:, u], _ = body.motion.derivatives(times)
    base = c.vehicle.base_motion
    if not isinstance(base, str):
        s = c.speeds
        for i, profile in enumerate(base.translation):
            if profile is not None:
                value, rate, _ = profile.derivatives(times)
                Y[:, i], Y[:, s + i] = U[i] + value, rate
        if base.angle is not None:
            angle, rate, _ = base.angle.derivatives(times)
            half = 0.5 * angle
            turn = np.column_stack([np.cos(half), np.sin(half)[:, None] * base.axis])
            begin = U[3:7]
            Y[:, 3] = begin[0] * turn[:, 0] - turn[:, 1:] @ begin[1:]
            Y[:, 4:7] = begin[0] * turn[:, 1:] + turn[:, :1] * begin[1:] + np.cross(begin[1:], turn[:, 1:])
            Y[:, s + 3 : s + 6] = rate[:, None] * base.axis
    for rotor in c.vehicle.rotors:
        if rotor.mode == "speed" and rotor.profile is not None:
            Y[:, c.rotor_places(rotor.name)[1]] = rotor.profile(times)
    for q in c.quaternions:
        Y[:, q : q + 4] /= np.linalg.norm(Y[:, q : q + 4], axis=1, keepdims=True)


def unpack_state(compiled: CompiledVehicle, y: FloatArray) -> State:
    """Named pieces of a flat state."""
    c = compiled
    s, x = c.speeds, c.state
    return State(
        position=y[0:3],
        attitude=y[3:7] / np.linalg.norm(y[3:7]),
        velocity=y[s : s + 3],
        angular_velocity=y[s + 3 : s + 6],
        joints={n: y[p] for n, p in c.joint_q.items()},
        joint_rates={n: y[p] for n, p in c.joint_u.items()},
        modal={n: y[c.eta_places(n)[0]] for n in c.eta},
        modal_rates={n: y[c.eta_places(n)[1]] for n in c.eta},
        rotor_angles={n: y[c.rotor_places(n)[0]] for n in c.rotor},
        rotor_rates={n: y[c.rotor_places(n)[1]] for n in c.rotor},
        controllers={n: y[x + p.start : x + p.stop] for n, p in c.wiring.control_states.items() if p.stop > p.start},
    )
