"""Initial states stated by the whole vehicle: place and velocity of its mass center, its angular momentum.

Momenta are linear in the speeds of the base: the velocity of the base shifts that of the center by as much, and its angular
velocity changes the angular momentum about the center by the inertia of the vehicle with all its joints locked.
Coordinates: theory section 5.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import VehicleError
from tisserand.multibody.motion_integrals import integrals_of_motion
from tisserand.multibody.recursive.compile import CompiledVehicle, compile_vehicle
from tisserand.multibody.recursive.states import pack_state
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle


@checked_arguments
def centered(
    vehicle: Vehicle,
    state: State | None = None,
    *,
    position: ArrayLike | None = None,
    velocity: ArrayLike | None = (0.0, 0.0, 0.0),
    angular_momentum: ArrayLike | None = None,
    time: float = 0.0,
) -> State:
    """The state with another motion of its free base: the mass center at rest, or as stated.

    ``centered(vehicle, state)`` has zero momentum; with ``angular_momentum=(0, 0, 0)`` all its momenta vanish.

    Args:
        vehicle: with a free base.
        state: joints, modes, rotors and attitude, which stay; at rest by default.
        position: of the mass center, m, inertial axes; None leaves the base where it is.
        velocity: of the mass center, m/s, inertial axes; None leaves that of the base.
        angular_momentum: about the mass center, N m s, inertial axes; None leaves the angular velocity of the base.
        time: at which prescribed motions are taken, s.
    """
    start = state or State()
    if vehicle.base_motion != "free":
        raise VehicleError(
            "only a vehicle with a free base can be placed by its mass center", where=f"vehicle {vehicle.name}"
        )
    c = compile_vehicle(vehicle)
    if angular_momentum is not None:
        start = start.changed(angular_velocity=_turning(c, start, _three(angular_momentum, "angular momentum"), time))
    mass, center, momentum, _ = _momenta(c, start, time)
    place = start.position if position is None else start.position + _three(position, "position") - center
    speed = start.velocity if velocity is None else start.velocity + _three(velocity, "velocity") - momentum / mass
    return start.changed(position=place, velocity=speed)


def _three(values: ArrayLike, what: str) -> FloatArray:
    out = np.asarray(values, float)
    if out.shape != (3,) or not np.isfinite(out).all():
        raise VehicleError(f"the {what} needs three finite numbers", where="mass center", found=np.ravel(out).tolist())
    return out


def _momenta(c: CompiledVehicle, state: State, time: float) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """Mass, mass center (3,), momentum (3,) and angular momentum (3,) about the center, inertial axes."""
    y, U = pack_state(c, state, time)
    found = integrals_of_motion(c, time, y[None], U)[0]
    mass = sum(float(body["mass"]) for body in c.model.bodies)
    center, momentum = found[8:11], found[2:5]
    return mass, center, momentum, found[5:8] - np.cross(center, momentum)


def _turning(c: CompiledVehicle, state: State, wanted: FloatArray, time: float) -> FloatArray:
    """Angular velocity (3,) of the base, base axes, with the wanted angular momentum about the mass center."""
    still = state.changed(position=np.zeros(3), velocity=np.zeros(3), angular_velocity=np.zeros(3))
    turns: Sequence[FloatArray] = (np.zeros(3), *np.eye(3))
    found = [_momenta(c, still.changed(angular_velocity=w), time)[3] for w in turns]
    inertia = np.column_stack([one - found[0] for one in found[1:]])
    if not np.linalg.cond(inertia) < 1e12:
        raise VehicleError(
            "the vehicle has no inertia about some axis, so no angular velocity gives the angular momentum",
            where=f"vehicle {c.vehicle.name}",
        )
    return np.asarray(np.linalg.solve(inertia, wanted - found[0]))
