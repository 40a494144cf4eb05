"""From flat states to a trajectory with its balance sheet.

Balances: theory section 5.4.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.balance_sheet import BalanceSheet
from tisserand.multibody.engines.protocol import Engine, Observation
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.loop_rows import LOST, PROJECTED
from tisserand.multibody.recursive.states import impose_prescribed
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.trajectory_parts import ForceHistories, MotionHistories, RunOutcome, StateHistories

#: Impulses less than this part of those of all forces count as none; round-off (1e-16) is less than 1e-9 of that.
CANCELED = 1e-6


def record(
    engine: Engine,
    times: FloatArray,
    Y: FloatArray,
    held: FloatArray,
    loss: FloatArray | None = None,
    drift: FloatArray | None = None,
    *,
    outcome: RunOutcome,
) -> Trajectory:
    """Named histories, poses, joint loads and balance sheet of the states Y (n, size) at ``times``; loss (n,) of the method.

    drift (n, loops, 2): what steps had left of every loop's residual and rate.
    """
    c = engine.compiled
    times, Y = np.ascontiguousarray(times), np.ascontiguousarray(Y)
    impose_prescribed(c, times, Y, held[0] if len(held) else c.held())
    seen = engine.observe(times, Y, held)
    forces = seen.forces
    if drift is not None:
        forces = replace(forces, loop_drift={one.name: drift[:, i] for i, one in enumerate(c.loops)})
    return Trajectory(
        vehicle_name=c.vehicle.name,
        times=times,
        coordinates=coordinates_of(c, Y),
        motion=seen.motion,
        forces=forces,
        outcome=outcome,
        balance=_balance(c, times, accounts=Y[:, c.account :], seen=seen, loss=loss, held=held),
        signals=seen.signals,
        vehicle=c.vehicle,
    )


def coordinates_of(c: CompiledVehicle, Y: FloatArray) -> StateHistories:
    """Coordinates and speeds by name, of flat states Y (n, size)."""
    s, x = c.speeds, c.state
    return StateHistories(
        position=Y[:, 0:3],
        attitude=Y[:, 3:7],
        velocity=Y[:, s : s + 3],
        angular_velocity=Y[:, s + 3 : s + 6],
        joints={k: Y[:, p] for k, p in c.joint_q.items()},
        joint_rates={k: Y[:, p] for k, p in c.joint_u.items()},
        modal={k: Y[:, c.eta_places(k)[0]] for k in c.eta},
        modal_rates={k: Y[:, c.eta_places(k)[1]] for k in c.eta},
        rotor_angles={k: Y[:, c.rotor_places(k)[0]] for k in c.rotor},
        rotor_rates={k: Y[:, c.rotor_places(k)[1]] for k in c.rotor},
        controllers={k: Y[:, x + p.start : x + p.stop] for k, p in c.wiring.control_states.items() if p.stop > p.start},
    )


def _balance(
    c: CompiledVehicle,
    times: FloatArray,
    *,
    accounts: FloatArray,
    seen: Observation,
    loss: FloatArray | None,
    held: FloatArray,
) -> BalanceSheet:
    """The sheet of an observed run; accounts (n, 7): work and impulses; held (n, inputs): projections and impacts with them."""
    of, center = seen.integrals, seen.integrals.center
    mass, gyration = _sizes(c, seen.motion, center[0]) if len(times) else (0.0, 0.0)
    gross_impulse, gross_angular_impulse, weight_energy = _gross(c, times, center, seen.base_wrench, mass, gyration)
    canceling = _canceling(times, seen.forces)
    return BalanceSheet(
        kinetic=of.kinetic,
        potential=of.potential,
        work=accounts[:, 0],
        momentum=of.momentum,
        angular_momentum=of.angular_momentum,
        impulse=accounts[:, 1:4],
        angular_impulse=accounts[:, 4:7],
        center=center,
        projected=held[:, c.driven_place(PROJECTED)] if c.loops else np.zeros(len(times)),
        impact_loss=held[:, c.driven_place(LOST)] if c.loops else np.zeros(len(times)),
        mass=mass,
        gyration=gyration,
        gross_impulse=gross_impulse + canceling,
        gross_angular_impulse=gross_angular_impulse + canceling,
        weight_energy=weight_energy + (0.5 * canceling**2 / min(mass, gyration) if min(mass, gyration) > 0.0 else 0.0),
        loss=loss,
    )


def _gross(
    c: CompiledVehicle, times: FloatArray, center: FloatArray, reaction: FloatArray, mass: float, gyration: float
) -> tuple[float, float, float]:
    """Impulse and angular impulse of weight and base reaction (n, 6) without cancellation, and weight times size."""
    if not len(times):
        return 0.0, 0.0, 0.0
    span = float(times[-1] - times[0])
    size = float(np.abs(center).max()) + float(np.sqrt(max(gyration, 0.0) / mass) if mass > 0.0 else 0.0)
    weight = mass * float(np.linalg.norm(c.vehicle.gravity))
    if c.vehicle.base_motion == "free":
        reaction = np.zeros_like(reaction)
    force, torque = (np.linalg.norm(reaction[:, part], axis=1) for part in (slice(0, 3), slice(3, 6)))
    gross = weight * span + float(np.trapezoid(force, times))
    return gross, gross * size + float(np.trapezoid(torque, times)), weight * size


def _canceling(times: FloatArray, forces: ForceHistories) -> float:
    """What counts as no impulse beside the forces and torques of loads, loops and joints, each alone: N s or N m s.

    Such forces may cancel: a motor that presses against a stop moves nothing, and round-off remains.
    """
    histories = (*forces.load_strength.values(), *forces.joint_effort.values())
    gross = [np.abs(x).reshape(len(times), -1).sum(1) for x in histories]
    return CANCELED * float(np.trapezoid(sum(gross), times)) if gross and len(times) else 0.0


def _sizes(c: CompiledVehicle, motion: MotionHistories, center: FloatArray) -> tuple[float, float]:
    """Total mass and half the trace of the inertia about the mass center at the first output time."""
    mass = gyration = 0.0
    for k, body in enumerate(c.tree.bodies):
        R, x = motion.rotation[0, k], motion.origin[0, k] - center
        parts = [(body.mass, body.first, body.inertia)]
        parts += [(b.integrals.mass, b.integrals.mass * b.integrals.center, b.integrals.inertia) for b in body.blocks]
        for m, first, inertia in parts:
            mass += m
            gyration += 0.5 * float(np.trace(inertia)) + m * float(x @ x) + 2.0 * float(x @ R @ first)
    return mass, gyration
