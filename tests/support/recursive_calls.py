"""One evaluation of the recursive engine's right-hand side, in the names of the likins engine's
accelerations."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from tisserand.multibody import State, Vehicle
from tisserand.multibody.recursive.compile import CompiledVehicle, compile_vehicle


def flat_state(c: CompiledVehicle, state: State) -> np.ndarray:
    y = np.zeros(c.size)
    y[:3], y[3:7] = state.position, state.attitude
    y[c.speeds : c.speeds + 3], y[c.speeds + 3 : c.speeds + 6] = state.velocity, state.angular_velocity
    for name, places in c.joint_q.items():
        if len(places) == 4:
            y[places] = state.joints.get(name, [1.0, 0.0, 0.0, 0.0])
        else:
            y[places] = state.joints.get(name, np.zeros(len(places)))
        y[c.joint_u[name]] = state.joint_rates.get(name, np.zeros(len(c.joint_u[name])))
    for name in c.eta:
        q, u = c.eta_places(name)
        y[q], y[u] = state.modal.get(name, 0.0), state.modal_rates.get(name, 0.0)
    for name in c.rotor:
        q, u = c.rotor_places(name)
        y[q] = np.ravel(state.rotor_angles.get(name, 0.0))[0]
        y[u] = np.ravel(state.rotor_rates.get(name, 0.0))[0]
    return y


def evaluate(vehicle: Vehicle, state: State, loads=(), time: float = 0.0):
    """Accelerations by name: velocity, angular_velocity, joints, modal, rotors."""
    c = compile_vehicle(vehicle, loads)
    y, dy = flat_state(c, state), np.zeros(c.size)
    held = c.held()
    held[:3], held[3:7] = state.position, state.attitude
    status = c.rhs(c.M, c.F, c.workspace(), held, time, y, dy)
    assert status == 0, status
    u = c.speeds
    return SimpleNamespace(
        velocity=dy[u : u + 3],
        angular_velocity=dy[u + 3 : u + 6],
        joints={name: dy[places] for name, places in c.joint_u.items()},
        modal={name: dy[c.eta_places(name)[1]] for name in c.eta},
        rotors={name: dy[c.rotor_places(name)[1]] for name in c.rotor},
    )
