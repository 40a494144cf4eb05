"""The initial state of a vehicle file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.controllers import Controller
from tisserand.multibody.loads import Load
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle
from tisserand.schema import Table
from tisserand.workflows.vehicle_file.places import at_key, attitude_quaternion


def initial_of(table: Table, vehicle: Vehicle) -> State:
    """Whatever is not stated is zero: an empty table is "at rest in the nominal attitude"."""
    spin = table.has("spin")
    if spin and table.has("angular_velocity"):
        raise table.error("angular_velocity", "excludes 'spin'", expected="either angular_velocity or spin")

    def pieces(key: str, known: Iterable[str], scale: float = 1.0) -> dict[str, FloatArray]:
        inner, names, found = table.table(key, {}), list(known), {}
        for name in inner.values:
            if name not in names:
                raise inner.unknown(name, name, names, "names nothing in this vehicle")
            value = inner.raw(name)
            found[name] = scale * (
                inner.vector(name) if isinstance(value, list) else np.array([inner.number(name)])
            )
        return found

    joints, rotors = [j.name for j in vehicle.joints], [r.name for r in vehicle.rotors]
    appendages = [a.name for a in vehicle.appendages]
    degrees = float(np.radians(1.0))
    with at_key(table):
        state = State(
            position=table.vector("position", 3, np.zeros(3)),
            attitude=attitude_quaternion(table, "attitude"),
            velocity=table.vector("velocity", 3, np.zeros(3)),
            angular_velocity=table.vector("angular_velocity", 3, np.zeros(3)),
            joints={**pieces("joints", joints), **pieces("joints_deg", joints, degrees)},
            joint_rates={**pieces("joint_rates", joints), **pieces("joint_rates_deg", joints, degrees)},
            modal=pieces("modal", appendages),
            modal_rates=pieces("modal_rates", appendages),
            rotor_angles={k: float(v[0]) for k, v in pieces("rotor_angles", rotors).items()},
            rotor_rates={k: float(v[0]) for k, v in pieces("rotor_rates", rotors).items()},
        )
        if spin:
            state = state.changed(angular_velocity=_spin(table.table("spin"), vehicle, state))
    return state


def settled(
    table: Table, vehicle: Vehicle, guess: State, loads: Sequence[Load], controllers: Sequence[Controller]
) -> State:
    """With ``equilibrium = true`` the steady state nearest to the stated one: joints, modes and linear control laws at rest."""
    from tisserand.multibody.equilibrium import steady_state

    if not table.flag("equilibrium", False):
        return guess
    with at_key(table, "equilibrium"):
        found = steady_state(vehicle, guess, loads=loads, controllers=controllers)
    if not found.steady:
        raise table.error(
            "equilibrium",
            "the base does not keep its spin in that state",
            found=f"angular acceleration {np.linalg.norm(found.base_acceleration[3:]):.3g} rad/s²",
            advice="spin about a principal axis of the deformed vehicle, and apply no torque at the start",
        )
    return found.state


def vehicle_inertia(vehicle: Vehicle, state: State) -> FloatArray:
    """Inertia (3, 3) kg m² of the whole vehicle about its mass centre in base axes, joints at the state's angles."""
    from tisserand.arrays import skew, symmetric
    from tisserand.multibody import linearize

    at_rest = State(joints=state.joints, modal=state.modal)
    mass = np.asarray(linearize(vehicle, at_rest).mass)[:6, :6]
    total = float(np.trace(mass[:3, :3]) / 3.0)
    arm = 0.5 * (mass[3:, :3] - mass[3:, :3].T) / total  # c~ of the mass centre
    center = np.array([arm[2, 1], arm[0, 2], arm[1, 0]])
    return symmetric(mass[3:, 3:] + total * skew(center) @ skew(center))


def _spin(table: Table, vehicle: Vehicle, state: State) -> FloatArray:
    """``{axis = "major" | "minor" | "intermediate" | [x, y, z], rate = rad/s}``: about a principal axis of the whole vehicle."""
    rate, axis = table.number("rate"), table.raw("axis")
    if isinstance(axis, str):
        moments, axes = np.linalg.eigh(vehicle_inertia(vehicle, state))
        which = {"minor": 0, "intermediate": 1, "major": 2}
        name = table.choice("axis", tuple(which))
        direction = axes[:, which[name]]
        direction = direction * np.sign(direction[np.argmax(np.abs(direction))])
        gaps = np.diff(moments) / moments[-1]
        if (name != "minor" and gaps[1] < 1e-9) or (name != "major" and gaps[0] < 1e-9):
            raise table.error(
                "axis",
                "is not unique: two principal inertias are equal",
                found=name,
                expected="a direction [x, y, z]",
            )
    else:
        direction = table.vector("axis", 3)
        length = float(np.linalg.norm(direction))
        if length < 1e-12:
            raise table.error("axis", "has zero length", found=axis)
        direction = direction / length
    return np.asarray(rate * direction)
