# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Energy, momenta, signals, poses and joint loads along a trajectory.

Balances: theory section 5.4.
"""

from __future__ import annotations

from numba import types

from tisserand.multibody.recursive._kernels_joints import joint_energy
from tisserand.multibody.recursive._kernels_open import open_model, open_workspace
from tisserand.multibody.recursive._kernels_outward import joint_wrench
from tisserand.multibody.recursive._kernels_profiles import profile_at
from tisserand.multibody.recursive._kernels_small import (
    add,
    angular,
    cross,
    dot,
    increase,
    plus,
    put,
    sub,
    times,
    transposed_times,
    vector,
)
from tisserand.multibody.recursive.engine_model import MOMENTUM, SPEED
from tisserand.multibody.recursive.helper import helper, translated_entry
from tisserand.multibody.recursive.signatures import CONSTANTS, CUBE, FLOATS, INTS, RHS, TABLE

#: Columns of the integrals of motion: kinetic and potential energy, momentum, angular momentum, mass center.
KINETIC, POTENTIAL, LINEAR, ANGULAR, CENTER, INTEGRALS = 0, 1, 2, 5, 8, 11
#: Columns of a pose: rotation matrix, origin, velocity, angular velocity.
ROTATION, ORIGIN, VELOCITY, RATE = 0, 9, 12, 15


@helper
def modal_motion(h, m, model, work, F, y, out):
    """Add the energies of a body's modes to ``out``; momentum and angular momentum of the deformation, inertial axes."""
    zero = 0.0 * y[0]
    flow, spin = (zero, zero, zero), (zero, zero, zero)
    for number in range(m.block, m.block + m.blocks):
        block = model.blocks[number]
        n, first = block.modes, block.mode
        eta, rate, local = h.eta + first, h.eta_rate + first, first - m.mode
        for l in range(n):
            row, u = work.rows[first + l], y[rate + l]
            flow, spin = plus(flow, u, (row[0], row[1], row[2])), plus(spin, u, (row[3], row[4], row[5]))
            place = (local + l) * m.modes + local
            if m.dense:  # the mass of this deformation, upper triangle
                mass = m.mass_work + place
                out[KINETIC] += 0.5 * u * work.mass[mass + l] * u
                for j in range(l + 1, n):
                    out[KINETIC] += u * work.mass[mass + j] * y[rate + j]
            else:
                out[KINETIC] += 0.5 * u * F[m.mass_matrix + place + l] * u
            for j in range(n):
                out[POTENTIAL] += 0.5 * y[eta + l] * F[block.stiffness + l * n + j] * y[eta + j]
    return flow, spin


@helper
def integrals_of_motion(h, model, work, F, t, y, out):
    """Energies, momentum and angular momentum about the inertial origin, and mass center, from own inertias."""
    for i in range(INTEGRALS):
        out[i] = 0.0
    total, g = 0.0, vector(h.gravity_N)
    for k in range(h.bodies):
        m, b = model.bodies[k], work.bodies[k]
        v, w, first = vector(b.v_N), vector(b.w_BN_N), vector(b.first_N)
        flow, spin = modal_motion(h, m, model, work, F, y, out)
        w_B = transposed_times(b.C_NB, w)
        turning = times(b.J_B, w_B)
        out[KINETIC] += 0.5 * dot(w_B, turning)
        carried = add(cross(w, first), flow)
        out[KINETIC] += 0.5 * m.mass * dot(v, v) + dot(v, carried) + dot(w, spin)
        momentum = plus(carried, m.mass, v)
        about = add(add(times(b.C_NB, turning), cross(first, v)), add(spin, times(b.C_NB, vector(b.h_rotors_B))))
        about = add(about, cross(vector(b.r_N), momentum))
        center = plus(first, m.mass, vector(b.r_N))
        increase(out[LINEAR:], momentum)
        increase(out[ANGULAR:], about)
        increase(out[CENTER:], center)
        out[POTENTIAL] -= dot(g, center)
        total += m.mass
        if k:
            out[POTENTIAL] += joint_energy(m, y)
    for r in range(h.rotors):
        rotor = model.rotors[r]
        if rotor.drive == MOMENTUM:
            continue
        rate, b = y[h.psi_rate + rotor.number], work.bodies[rotor.body]
        if rotor.drive == SPEED:
            rate = profile_at(model.profiles, F, rotor.profile, t)[0]
        along = dot(vector(rotor.axis_B), transposed_times(b.C_NB, vector(b.w_BN_N)))
        out[KINETIC] += rotor.inertia * rate * (0.5 * rate + along)
    for i in range(3):
        out[CENTER + i] /= total


@helper
def observe_bodies(h, model, work, poses, accelerations, wrenches, efforts):
    """Poses (nb, 18), accelerations (nb, 6), joint wrenches (nb, 6) and efforts (nb, 3) after the right-hand side."""
    for k in range(h.bodies):
        m, b = model.bodies[k], work.bodies[k]
        if k:
            joint_wrench(m, b)
        w, alpha = vector(b.w_BN_N), angular(b.a)
        arm = times(b.C_NB, vector(m.reference_B))
        v = cross(w, arm)
        for i in range(3):
            for j in range(3):
                poses[k, ROTATION + 3 * i + j] = b.C_NB[i, j]
        put(poses[k, ORIGIN:], sub(vector(b.r_N), arm))
        put(poses[k, VELOCITY:], sub(vector(b.v_N), v))
        put(poses[k, RATE:], w)
        a = add(vector(b.a), vector(h.gravity_N))
        put(accelerations[k], sub(sub(a, cross(alpha, arm)), cross(w, v)))
        put(accelerations[k, 3:], alpha)
        put(efforts[k], vector(b.effort))
        for i in range(6):
            wrenches[k, i] = b.wrench_N[i]


@translated_entry(
    types.int64(
        types.FunctionType(RHS),
        INTS,
        CONSTANTS,
        FLOATS,
        TABLE,
        FLOATS,
        TABLE,
        TABLE,
        TABLE,
        CUBE,
        TABLE,
        CUBE,
        CUBE,
        CUBE,
        TABLE,
    )
)
def observe(rhs, M, F, W, U, times_, Y, rates, motion, poses, signals, accelerations, wrenches, efforts, strengths):
    """Observe a trajectory at nt times.

    State rates, integrals of motion (nt, 11), poses (nt, nb, 18: R, x, v, w), signals and commands (nt, ns + nc), acceleration of
    body origins (nt, nb, 6), joint wrenches on the body at the joint in inertial axes (nt, nb, 6; base: reaction of a held base),
    joint efforts (nt, nb, 3), load strengths (nt, nl); status of the last failure.
    """
    model = open_model(M)
    h = model.head[0]
    work = open_workspace(h, W)
    worst = 0
    for i in range(Y.shape[0]):
        status = rhs(M, F, W, U[i], times_[i], Y[i], rates[i])
        if status:
            worst = status
        for j in range(h.signals):
            signals[i, j] = work.signals[j]
        for j in range(h.commands):
            signals[i, h.signals + j] = work.commands[j]
        for j in range(h.loads):
            strengths[i, j] = work.strengths[j]
        observe_bodies(h, model, work, poses[i], accelerations[i], wrenches[i], efforts[i])
        rhs(M, F, W, U[i], times_[i], Y[i], rates[i, :0])  # own inertias again
        integrals_of_motion(h, model, work, F, times_[i], Y[i], motion[i])
    return worst
