"""From flat states to a trajectory with its balance sheet.

Balances: theory section 5.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, Unpack

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.joints import STEP_SPEEDS
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.recursive.kernels import kernels
from tisserand.multibody.recursive.loop_rows import LOST, PROJECTED
from tisserand.multibody.recursive.states import impose_prescribed
from tisserand.multibody.trajectory import BalanceSheet, EventRecord, StepStatistics, Trajectory


class RunOutcome(TypedDict):
    """How a run went: fields of a ``Trajectory`` beside its histories."""

    statistics: StepStatistics
    complete: bool
    reason: str
    events: tuple[EventRecord, ...]
    settings: Mapping[str, Any]


def record(
    compiled: CompiledVehicle,
    times: FloatArray,
    Y: FloatArray,
    held: FloatArray,
    loss: FloatArray | None = None,
    drift: FloatArray | None = None,
    **outcome: Unpack[RunOutcome],
) -> Trajectory:
    """Named histories, poses, joint loads and balance sheet of the states Y (n, size) at ``times``; loss (n,) of the method.

    drift (n, loops, 2): what steps had left of every loop's residual and rate.
    """
    run, c = kernels(), compiled
    times, Y = np.ascontiguousarray(times), np.ascontiguousarray(Y)
    impose_prescribed(c, times, Y, held[0] if len(held) else c.held())
    n, nb = len(times), len(c.tree.bodies)
    motion, poses = np.zeros((n, 11)), np.zeros((n, nb, 18))
    ns, nc, nl = (int(c.head[word]) for word in ("signals", "commands", "loads"))
    signals = np.zeros((n, ns + nc))
    rates, acceleration, wrench = np.zeros_like(Y), np.zeros((n, nb, 6)), np.zeros((n, nb, 6))
    effort, strength = np.zeros((n, nb, 3)), np.zeros((n, nl))
    U = np.array(held)  # the engine fills in the forces of elements and loops
    given = (c.M, c.F, c.workspace(), U, times, Y)
    run.observe(c.rhs, *given, rates, motion, poses, signals, acceleration, wrench, effort, strength)
    s, x = c.speeds, c.state
    force, moment, efforts = joint_loads(c, wrench, effort)
    names = [*c.wiring.signal_names, *c.wiring.commands]
    return Trajectory(
        vehicle_name=c.vehicle.name,
        times=times,
        position=Y[:, 0:3],
        attitude=Y[:, 3:7],
        velocity=Y[:, s : s + 3],
        angular_velocity=Y[:, s + 3 : s + 6],
        joints={k: Y[:, p] for k, p in c.joint_q.items()},
        joint_rates={k: Y[:, p] for k, p in c.joint_u.items()},
        modal={k: Y[:, c.eta_places(k)[0]] for k in c.eta},
        modal_rates={k: Y[:, c.eta_places(k)[1]] for k in c.eta},
        modal_accelerations={k: rates[:, c.eta_places(k)[1]] for k in c.eta},
        rotor_angles={k: Y[:, c.rotor_places(k)[0]] for k in c.rotor},
        rotor_rates={k: Y[:, c.rotor_places(k)[1]] for k in c.rotor},
        controllers={k: Y[:, x + p.start : x + p.stop] for k, p in c.wiring.control_states.items() if p.stop > p.start},
        bodies=tuple(b.name for b in c.tree.bodies),
        rotation=poses[:, :, :9].reshape(n, nb, 3, 3),
        origin=poses[:, :, 9:12],
        origin_velocity=poses[:, :, 12:15],
        rate=poses[:, :, 15:18],
        origin_acceleration=acceleration[:, :, :3],
        angular_acceleration=acceleration[:, :, 3:],
        joint_force=force,
        joint_torque_vector=moment,
        joint_effort=efforts,
        signals=dict(zip(names, signals.T)),
        load_strength=dict(zip(c.wiring.load_names, strength.T)),
        loop_force={one.name: U[:, one.multipliers : one.multipliers + one.rows] for one in c.loops},
        loop_drift={one.name: drift[:, i] for i, one in enumerate(c.loops)} if drift is not None else {},
        balance=_balance(
            c, times, accounts=Y[:, c.account :], motion=motion, poses=poses, base=wrench[:, 0], loss=loss, U=U
        ),
        vehicle=c.vehicle,
        **outcome,
    )


def _balance(
    c: CompiledVehicle,
    times: FloatArray,
    *,
    accounts: FloatArray,
    motion: FloatArray,
    poses: FloatArray,
    base: FloatArray,
    loss: FloatArray | None,
    U: FloatArray,
) -> BalanceSheet:
    """U (n, inputs): held inputs.

    accounts (n, 7): work and impulses; motion (n, 11): energies, momenta, mass center; base (n, 6): wrench on the base.
    """
    mass, gyration = _sizes(c, poses[0], motion[0, 8:11]) if len(times) else (0.0, 0.0)
    gross_impulse, gross_angular_impulse, weight_energy = _gross(c, times, motion[:, 8:11], base, mass, gyration)
    return BalanceSheet(
        kinetic=motion[:, 0],
        potential=motion[:, 1],
        work=accounts[:, 0],
        momentum=motion[:, 2:5],
        angular_momentum=motion[:, 5:8],
        impulse=accounts[:, 1:4],
        angular_impulse=accounts[:, 4:7],
        center=motion[:, 8:11],
        projected=U[:, c.driven_place(PROJECTED)] if c.loops else np.zeros(len(times)),
        impact_loss=U[:, c.driven_place(LOST)] if c.loops else np.zeros(len(times)),
        mass=mass,
        gyration=gyration,
        gross_impulse=gross_impulse,
        gross_angular_impulse=gross_angular_impulse,
        weight_energy=weight_energy,
        loss=loss,
    )


def joint_loads(c: CompiledVehicle, wrench: FloatArray, effort: FloatArray) -> tuple[dict[str, FloatArray], ...]:
    """Force and torque on the child at each joint (last body of its chain) and the effort about each axis."""
    force: dict[str, FloatArray] = {}
    moment: dict[str, FloatArray] = {}
    efforts: dict[str, FloatArray] = {}
    for k, body in enumerate(c.tree.bodies):
        name = body.joint or body.name
        if k == 0 and c.vehicle.base_motion == "free":
            continue
        force[name], moment[name] = wrench[:, k, :3], wrench[:, k, 3:]
        if body.kind in ("hinge", "prismatic", "ball"):
            column = effort[:, k, : STEP_SPEEDS[body.kind]]
            efforts[name] = np.hstack([efforts[name], column]) if name in efforts else column
    return force, moment, efforts


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


def _sizes(c: CompiledVehicle, poses: FloatArray, center: FloatArray) -> tuple[float, float]:
    """Total mass and half the trace of the inertia about the mass center at the first output time."""
    mass = gyration = 0.0
    for k, body in enumerate(c.tree.bodies):
        R, x = poses[k, :9].reshape(3, 3), poses[k, 9:12] - center
        parts = [(body.mass, body.first, body.inertia)]
        parts += [(b.integrals.mass, b.integrals.mass * b.integrals.center, b.integrals.inertia) for b in body.blocks]
        for m, first, inertia in parts:
            mass += m
            gyration += 0.5 * float(np.trace(inertia)) + m * float(x @ x) + 2.0 * float(x @ R @ first)
    return mass, gyration


def kinetic_energies(compiled: CompiledVehicle, time: float, Y: FloatArray, U: FloatArray) -> FloatArray:
    """Kinetic energy, J, of many states (n, size) at one time."""
    return np.asarray(integrals_of_motion(compiled, time, Y, U)[:, 0])


def center_motion(
    compiled: CompiledVehicle, y: FloatArray, U: FloatArray, time: float
) -> tuple[FloatArray, FloatArray]:
    """Position (3,) m and velocity (3,) m/s of the vehicle's mass center, inertial axes."""
    found = integrals_of_motion(compiled, time, y[None], U)[0]
    return found[8:11], found[2:5] / sum(float(body["mass"]) for body in compiled.model.bodies)


def integrals_of_motion(compiled: CompiledVehicle, time: float, Y: FloatArray, U: FloatArray) -> FloatArray:
    """Energies, momentum, angular momentum and mass center (n, 11) of many states (n, size) at one time, as ``observe``."""
    observe, rhs = kernels().observe, compiled.rhs
    c, n, nb = compiled, len(Y), len(compiled.tree.bodies)
    motion = np.zeros((n, 11))
    signals = np.zeros((n, int(c.head["signals"]) + int(c.head["commands"])))
    observe(
        rhs,
        c.M,
        c.F,
        c.workspace(),
        np.tile(U, (n, 1)),
        np.full(n, time),
        np.ascontiguousarray(Y),
        np.zeros_like(Y),
        motion,
        np.zeros((n, nb, 18)),
        signals,
        np.zeros((n, nb, 6)),
        np.zeros((n, nb, 6)),
        np.zeros((n, nb, 3)),
        np.zeros((n, int(c.head["loads"]))),
    )
    return motion
