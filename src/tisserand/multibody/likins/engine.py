"""The ``likins`` engine: named state in; named accelerations, joint loads, energy and momenta out.

References: S1 Eqs 33-54; theory section 16.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.multibody.likins.applied import applied_loads
from tisserand.multibody.likins.build import LikinsModel, spin_inertia
from tisserand.multibody.likins.configuration import Configuration, configure
from tisserand.multibody.likins.mass_solve import HingeLoads, hinge_loads, solve
from tisserand.multibody.likins.momenta import momenta
from tisserand.multibody.likins.results import Accelerations, Bookkeeping, Poses
from tisserand.multibody.likins.state_rows import Placed, placed
from tisserand.multibody.likins.vectors import cross
from tisserand.multibody.likins.wrenches import push, strengths_of
from tisserand.multibody.loads import Load
from tisserand.multibody.state import State


def accelerations(
    model: LikinsModel,
    state: State,
    loads: Sequence[Load] = (),
    time: float = 0.0,
    inputs: Mapping[str, float] | None = None,
    interaction: bool = True,
    strengths: Sequence[float] | None = None,
) -> Accelerations:
    """Solve the equations of motion at a state under the loads; ``inputs``: strengths of loads driven by name.

    ``interaction`` False leaves the loads in the joints out; ``strengths`` overrides profiles and inputs, one
    per load.
    """
    here = placed(model, state, time)
    system = here.system
    at = configure(system, here.state, model.first_degree)
    R = here.R0 @ at.rates.C0[list(model.body)]
    strong = strengths_of(loads, time, inputs or {}) if strengths is None else strengths
    wrenches = push(model, loads, strong, state, R, time, _origins(here, at, state)[list(model.body)])
    fields = [load for load in loads if load.kind == "gradient"]
    applied = applied_loads(model, here, at, state.position, time, wrenches, fields)
    solution = solve(system, here.state, applied, model.first_degree, here.held, at)
    bodies = list(model.body)
    a, w = solution.a[bodies], at.rates.w[bodies]
    arms = -np.einsum("kab,kb->ka", at.rates.C0[bodies], np.asarray(system.centers)[bodies])
    origins = (solution.o[bodies] + cross(a, arms) + cross(w, cross(w, arms))) @ here.R0.T
    names = [r.name for body in model.tree.bodies for r in body.rotors]
    inside = hinge_loads(system, applied, solution) if interaction else None
    forces, torques, drives = _by_joint(model, here, inside)
    return Accelerations(
        velocity=origins[0],
        angular_velocity=solution.a[0],
        joints=_joint_accelerations(model, here, solution.angles),
        modal=by_appendage(model, solution.eta),
        rotors=dict(zip(names, solution.rotors.tolist())),
        joint_forces=forces,
        joint_torques=torques,
        joint_drives=drives,
        origins=origins,
        body_rates=a @ here.R0.T,
    )


def _origins(here: Placed, at: Configuration, state: State) -> FloatArray:
    """Origins (substructures, 3) of the bodies in inertial axes, m."""
    system = here.system
    o = at.D.sum(axis=0) + system.barycenters.masses @ at.c / system.barycenters.total
    centers = np.einsum("kab,kb->ka", at.rates.C0, np.asarray(system.centers))
    return np.asarray(state.position + (o - o[0] + centers[0] - centers) @ here.R0.T)


def _joint_accelerations(model: LikinsModel, here: Placed, angles: FloatArray) -> dict[str, FloatArray]:
    out: dict[str, list[float]] = {}
    for body, hinges in zip(model.tree.bodies, model.hinges):
        if body.joint is None or body.kind == "fixed":
            continue
        values = angles[list(hinges)]
        if body.kind == "ball":  # three hinges at zero angle carry one another: rate of the child-axes components
            p, q, r = here.state.angle_rates[list(hinges)]
            values = values + np.array([q * r, -p * r, p * q])
        out.setdefault(body.joint, []).extend(values.tolist())
    return {name: np.array(values) for name, values in out.items()}


def by_appendage(model: LikinsModel, values: FloatArray) -> dict[str, FloatArray]:
    """Split a vector over all modal coordinates by the name of the appendage."""
    out, start = {}, 0
    for body in model.tree.bodies:
        for block in body.blocks:
            stop = start + block.integrals.count
            out[block.name] = values[start:stop]
            start = stop
    return out


def _by_joint(
    model: LikinsModel, here: Placed, inside: HingeLoads | None
) -> tuple[dict[str, FloatArray], dict[str, FloatArray], dict[str, FloatArray]]:
    """Loads on the child through the joint: the outermost of its hinges carries the child itself."""
    forces, torques = {}, {}
    drives: dict[str, list[float]] = {}
    if inside is None:
        return {}, {}, {}
    for body, hinges in zip(model.tree.bodies, model.hinges):
        if body.joint is None:
            continue
        last = hinges[-1]
        forces[body.joint] = here.R0 @ inside.force[last]
        torques[body.joint] = here.R0 @ inside.torque[last]
        if body.kind != "fixed":
            drives.setdefault(body.joint, []).extend(inside.axial[list(hinges)].tolist())
    return forces, torques, {name: np.array(values) for name, values in drives.items()}


def bookkeeping(model: LikinsModel, state: State, time: float = 0.0) -> Bookkeeping:
    """Energy and momenta of a state."""
    here = placed(model, state, time)
    system = here.system
    M = system.barycenters.total
    result = momenta(system, here.state)
    w, o = here.state.w0, system.centers[0]
    o_velocity = here.R0.T @ state.velocity + np.cross(w, o)
    X = state.position + here.R0 @ (o - result.o[0])
    V = here.R0 @ (o_velocity - result.o_rate[0])
    potential = -M * float(model.vehicle.gravity @ X)
    for k, part in enumerate(system.substructures):
        eta = here.state.eta[system.mode_slots[k]]
        potential += 0.5 * float(eta @ part.stiffness @ eta)
    for body, hinges in zip(model.tree.bodies, model.hinges):
        if body.kind == "hinge":
            potential += 0.5 * body.law[0] * float(here.state.angles[hinges[0]] - body.law[2]) ** 2
        elif body.kind == "ball":
            turn = here.turns.get(hinges[0], np.zeros(3))
            potential += 0.5 * body.law[0] * float(turn @ turn)
    kinetic = result.kinetic + 0.5 * M * float(V @ V)
    kinetic -= _unknown_energy(model, here, result.at)
    linear = M * V
    return Bookkeeping(kinetic, potential, linear, here.R0 @ result.angular + np.cross(X, linear), M, X)


def _unknown_energy(model: LikinsModel, here: Placed, at: Configuration) -> float:
    """Energy of rotors given by their momentum, J: what drives them is not known, so neither it nor its work counts."""
    rates, out = iter(here.state.rotor_rates.tolist()), 0.0
    for body, k in zip(model.tree.bodies, model.body):
        for rotor in body.rotors:
            rate = next(rates)
            if rotor.mode == "momentum":
                along = float(at.rates.w[k] @ at.rates.C0[k] @ rotor.axis)
                out += spin_inertia(rotor) * rate * (0.5 * rate + along)
    return out


def poses(model: LikinsModel, state: State, time: float = 0.0) -> Poses:
    """Where the bodies are and how they move: the origins from the barycentric vectors (Eq 19), the rates from Eq 43."""
    here = placed(model, state, time)
    system, bodies = here.system, list(model.body)
    result = momenta(system, here.state)
    C0, w = result.at.rates.C0, result.at.rates.w
    centers = np.einsum("kab,kb->ka", C0, np.asarray(system.centers))
    origins = result.o - result.o[0] + centers[0] - centers
    velocities = result.o_rate - result.o_rate[0] + cross(w[0], centers[0]) - cross(w, centers)
    return Poses(
        rotation=here.R0 @ C0[bodies],
        origin=state.position + origins[bodies] @ here.R0.T,
        velocity=state.velocity + velocities[bodies] @ here.R0.T,
        rate=w[bodies] @ here.R0.T,
    )
