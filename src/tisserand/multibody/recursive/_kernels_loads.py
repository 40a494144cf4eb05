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
    scaled,
    sub,
    times,
    transposed_times,
    vector,
)
from tisserand.multibody.recursive.engine_model import (
    BY_COMMAND,
    BY_INPUT,
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
def gravity_here(U, load, r, t):
    """Gravity at r and its gradient (xx, yy, zz, xy, yz, zx), inertial axes: from nine inputs, or of a circular orbit.

    A circular orbit has the field rate^2 (3 a a' - 1) about the inertial origin, a = local vertical turning at rate.
    """
    zero = 0.0 * r[0]
    if load.source == BY_INPUT:
        i = POSE + load.index
        near = (U[i] + zero, U[i + 1] + zero, U[i + 2] + zero)
        return near, (
            U[i + 3] + zero,
            U[i + 4] + zero,
            U[i + 5] + zero,
            U[i + 6] + zero,
            U[i + 7] + zero,
            U[i + 8] + zero,
        )
    q = load.rate * load.rate + zero
    a = orbit_direction(vector(load.direction), vector(load.point_B), load.rate, t)
    x, y, z = a
    near = scaled(q, sub(scaled(3.0 * dot(a, r), a), r))
    q3 = 3.0 * q
    return near, (q3 * x * x - q, q3 * y * y - q, q3 * z * z - q, q3 * x * y, q3 * y * z, q3 * z * x)


@helper
def stretched(G, x):
    """A symmetric matrix (xx, yy, zz, xy, yz, zx) times a vector."""
    return (
        G[0] * x[0] + G[3] * x[1] + G[5] * x[2],
        G[3] * x[0] + G[1] * x[1] + G[4] * x[2],
        G[5] * x[0] + G[4] * x[1] + G[2] * x[2],
    )


@shared_helper
def gravity_gradient(h, model, work, F, U, t, y, load):
    """A field of gravity on one body and its modes: at the reference point, and its gradient G (symmetric, without trace).

    Force m g + G first, torque first x g + int y x G y dm, whose last part is the axial vector of G_B J_B.
    """
    m, b, results = model.bodies[load.target], work.bodies[load.target], work.results[0]
    first = vector(b.first_N)
    near, G = gravity_here(U, load, vector(b.r_N), t)
    force = add(scaled(m.mass, near), stretched(G, first))
    C = b.C_NB
    g0 = transposed_times(C, stretched(G, (C[0, 0], C[1, 0], C[2, 0])))
    g1 = transposed_times(C, stretched(G, (C[0, 1], C[1, 1], C[2, 1])))
    g2 = transposed_times(C, stretched(G, (C[0, 2], C[1, 2], C[2, 2])))
    j0, j1, j2 = times(b.J_B, g0), times(b.J_B, g1), times(b.J_B, g2)
    twist = (j1[2] - j2[1], j2[0] - j0[2], j0[1] - j1[0])
    zero = 0.0 * y[0]
    torque = add(cross(first, near), times(C, twist))
    push(b, results, force, (zero, zero, zero), torque)
    weights = (g0[0], g1[1], g2[2], 2.0 * g1[0], 2.0 * g2[1], 2.0 * g2[0])
    for number in range(m.block, m.block + m.blocks):
        gradient_on_modes(h, model.blocks[number], work, F, y, near, weights)


@helper
def gradient_on_modes(h, block, work, F, y, field, G):
    """Modal forces P.g + G : int y Y' dm; of a linear field -G : dJ/d eta / 2. G (xx, yy, zz, 2xy, 2yz, 2zx) in body axes."""
    n = block.modes
    plain = block.level != CONSTANT and not block.second_degree
    if plain:
        contract(F, block.J2, n, 9, 0, 9, y, h.eta + block.mode, work.scratch, 0)
    for l in range(n):
        row = work.rows[block.mode + l]
        v = dot((row[0], row[1], row[2]), field)
        if block.second_degree:
            s = work.stretch[block.mode + l]
            v += G[0] * s[0] + G[1] * s[1] + G[2] * s[2] + G[3] * s[3] + G[4] * s[4] + G[5] * s[5]
        elif plain:
            J, E = block.J1 + 6 * l, work.scratch
            v -= 0.5 * (G[0] * (F[J] + 2.0 * E[l]) + G[1] * (F[J + 1] + 2.0 * E[n + l]))
            v -= 0.5 * (G[2] * (F[J + 2] + 2.0 * E[2 * n + l]) + G[3] * (F[J + 3] + 2.0 * E[3 * n + l]))
            v -= 0.5 * (G[4] * (F[J + 4] + 2.0 * E[4 * n + l]) + G[5] * (F[J + 5] + 2.0 * E[5 * n + l]))
        work.bias[block.mode + l] -= v
        work.results[0].power += v * y[h.eta_rate + block.mode + l]


@shared_helper
def magnetic_torque(work, U, load, strength, t):
    """m x B with B = b - 3 (b.r) r, where r turns with the orbit (zero for a constant field), or B from three inputs."""
    b = work.bodies[load.target]
    dipole = times(b.C_NB, scaled(strength, vector(load.direction)))
    if load.axes >= 0:
        i = POSE + load.axes
        zero = 0.0 * strength
        field = (U[i] + zero, U[i + 1] + zero, U[i + 2] + zero)
    else:
        r = orbit_direction(vector(load.orbit[0]), vector(load.orbit[1]), load.rate, t)
        still = scaled(1.0 + 0.0 * strength, vector(load.point_B))
        field = sub(still, scaled(3.0 * dot(still, r), r))
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
            gravity_gradient(h, model, work, F, U, t, y, load)
        elif load.kind == LOAD_MAGNETIC:
            magnetic_torque(work, U, load, strength, t)
        else:
            apply_load(model, work, load, strength)
