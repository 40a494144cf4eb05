# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Loads on bodies, nodes, joints and rotors inside the compiled step.

Serves the loads of theory section 3.2.
"""

from __future__ import annotations

import math

from tisserand.multibody.recursive._kernels_contract import contract
from tisserand.multibody.recursive._kernels_profiles import profile_at
from tisserand.multibody.recursive._kernels_small import (
    add,
    cross,
    dot,
    increase,
    plus,
    scaled,
    sub,
    times,
    transposed_times,
    vector,
)
from tisserand.multibody.recursive.engine_model import (
    BY_COMMAND,
    BY_PROFILE,
    CONSTANT,
    LOAD_FORCE_BODY,
    LOAD_FORCE_INERTIAL,
    LOAD_GRADIENT,
    LOAD_JOINT,
    LOAD_MAGNETIC,
    LOAD_NODE_FORCE_BODY,
    LOAD_NODE_TORQUE_INERTIAL,
    LOAD_ROTOR,
    LOAD_TORQUE_BODY,
    POSE,
)
from tisserand.multibody.recursive.helper import helper, shared_helper


@shared_helper
def push(b, results, force, arm, torque):
    """Force at an arm from the reference point of a body and a torque, all in inertial axes; sums for the accounts."""
    moment = add(cross(arm, force), torque)
    for i in range(3):
        b.p_A[i] -= force[i]
        b.p_A[3 + i] -= moment[i]
    increase(results.force_N, force)
    increase(results.torque_N, add(moment, cross(vector(b.r_N), force)))
    results.power += dot(force, vector(b.v_N)) + dot(moment, vector(b.w_BN_N))


@helper
def orbit_direction(first, second, rate, t):
    """A direction that turns from ``first`` toward ``second``."""
    c, s = math.cos(rate * t), math.sin(rate * t)
    return add(scaled(c, first), scaled(s, second))


@helper
def field_gradient(a, x, q):
    """q (3 a a' - 1) x."""
    return scaled(q, sub(scaled(3.0 * dot(a, x), a), x))


@shared_helper
def gravity_gradient(h, model, work, F, t, y, load):
    """Gravity gradient on one body: field rate^2 (3 a a' - 1) about the inertial origin, a = local vertical turning at rate."""
    m, b, results = model.bodies[load.target], work.bodies[load.target], work.results[0]
    q = load.rate * load.rate
    a = orbit_direction(vector(load.direction), vector(load.point_B), load.rate, t)
    r, first = vector(b.r_N), vector(b.first_N)
    force = field_gradient(a, plus(first, m.mass, r), q)
    field = field_gradient(a, r, q)  # at the reference point
    a_B = transposed_times(b.C_NB, a)
    twist = cross(a_B, times(b.J_B, a_B))
    zero = 0.0 * y[0]
    torque = add(cross(first, field), times(b.C_NB, scaled(3.0 * q, twist)))
    push(b, results, force, (zero, zero, zero), torque)
    for number in range(m.block, m.block + m.blocks):
        gradient_on_modes(h, model.blocks[number], work, F, y, field, a_B, q)


@helper
def gradient_on_modes(h, block, work, F, y, field, a, q):
    """Modal forces P.g + q (tr S / 2 - 3/2 a'S a) with S = dJ/d eta, from the potential of the field; a in body axes."""
    n, x, y1, z = block.modes, a[0], a[1], a[2]
    plain = block.level != CONSTANT and not block.second_degree
    if plain:
        contract(F, block.J2, n, 9, 0, 9, y, h.eta + block.mode, work.scratch, 0)
    for l in range(n):
        row = work.rows[block.mode + l]
        v = dot((row[0], row[1], row[2]), field)
        if block.second_degree:  # q (3 a a' - 1) : int y Y'
            s = work.stretch[block.mode + l]
            v += q * ((3.0 * x * x - 1.0) * s[0] + (3.0 * y1 * y1 - 1.0) * s[1] + (3.0 * z * z - 1.0) * s[2])
            v += 6.0 * q * (x * y1 * s[3] + y1 * z * s[4] + z * x * s[5])
        elif plain:
            J, E = block.J1 + 6 * l, work.scratch
            v += q * (0.5 - 1.5 * x * x) * (F[J] + 2.0 * E[l])
            v += q * (0.5 - 1.5 * y1 * y1) * (F[J + 1] + 2.0 * E[n + l])
            v += q * (0.5 - 1.5 * z * z) * (F[J + 2] + 2.0 * E[2 * n + l])
            v -= 3.0 * q * x * y1 * (F[J + 3] + 2.0 * E[3 * n + l])
            v -= 3.0 * q * y1 * z * (F[J + 4] + 2.0 * E[4 * n + l])
            v -= 3.0 * q * z * x * (F[J + 5] + 2.0 * E[5 * n + l])
        work.bias[block.mode + l] -= v
        work.results[0].power += v * y[h.eta_rate + block.mode + l]


@shared_helper
def magnetic_torque(work, load, strength, t):
    """m x B with B = b - 3 (b.r) r; r turns with the orbit, zero for a constant field."""
    b = work.bodies[load.target]
    dipole = times(b.C_NB, scaled(strength, vector(load.direction)))
    r = orbit_direction(vector(load.orbit[0]), vector(load.orbit[1]), load.rate, t)
    field = vector(load.point_B)
    field = sub(field, scaled(3.0 * dot(field, r), r))
    torque = cross(dipole, field)
    nothing = sub(torque, torque)
    push(b, work.results[0], nothing, nothing, torque)


@helper
def load_on_node(model, work, load, vector_N, turns):
    """A force or torque at a node: on its body and on its modes."""
    n, node, results = model.nodes[load.target], work.nodes[load.target], work.results[0]
    nothing = sub(vector_N, vector_N)
    force, torque = (nothing, vector_N) if turns else (vector_N, nothing)
    push(work.bodies[n.body], results, force, vector(node.r), torque)
    for l in range(n.modes):
        phi = work.columns[n.column + l]
        f = dot(force, (phi[0], phi[1], phi[2])) + dot(torque, (phi[3], phi[4], phi[5]))
        work.bias[n.mode + l] -= f
    results.power += dot(force, vector(node.v)) + dot(torque, vector(node.w))


@shared_helper
def apply_load(model, work, load, strength):
    """A force or torque on a body or node."""
    kind = load.kind
    on_node = kind >= LOAD_NODE_FORCE_BODY and kind <= LOAD_NODE_TORQUE_INERTIAL
    if on_node:
        kind -= LOAD_NODE_FORCE_BODY - LOAD_FORCE_BODY
    direction = scaled(strength, vector(load.direction))
    if kind in (LOAD_FORCE_BODY, LOAD_TORQUE_BODY):
        direction = times(work.bodies[load.axes].C_NB, direction)
    turns = kind > LOAD_FORCE_INERTIAL
    if on_node:
        load_on_node(model, work, load, direction, turns)
        return
    b = work.bodies[load.target]
    nothing = sub(direction, direction)
    if turns:
        push(b, work.results[0], nothing, nothing, direction)
    else:
        push(b, work.results[0], direction, times(b.C_NB, vector(load.point_B)), nothing)


@shared_helper
def apply_loads(h, model, work, F, U, t, y, dy):
    """Loads of profiles, commands and held inputs; torques of joints go to their effort, of rotors to dy of their rate."""
    zero = 0.0 * y[0]
    for i in range(h.loads):
        load = model.loads[i]
        if load.source == BY_PROFILE:
            strength = profile_at(model.profiles, F, load.index, t)[0] + zero
        elif load.source == BY_COMMAND:
            strength = work.commands[load.index]
        else:
            strength = U[POSE + load.index] + zero
        work.strengths[i] = strength
        if load.kind == LOAD_JOINT:
            work.bodies[load.target].effort[load.axes] += strength
        elif load.kind == LOAD_ROTOR:
            dy[h.psi_rate + load.target] += strength
        elif load.kind == LOAD_GRADIENT:
            gravity_gradient(h, model, work, F, t, y, load)
        elif load.kind == LOAD_MAGNETIC:
            magnetic_torque(work, load, strength, t)
        else:
            apply_load(model, work, load, strength)
