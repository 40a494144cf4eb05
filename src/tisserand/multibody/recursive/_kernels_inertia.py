# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Each body's own inertia and velocity bias: rigid part, rotors and appendages (theory sections 2, 3 and 5)."""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_field import completed_field
from tisserand.multibody.recursive._kernels_flex import add_sums, clear_sums, plain_block, restoring_forces
from tisserand.multibody.recursive._kernels_profiles import profile_at
from tisserand.multibody.recursive._kernels_small import (
    add,
    cross,
    increase,
    plus,
    put,
    put_both,
    times,
    transposed_times,
    vector,
)
from tisserand.multibody.recursive._kernels_turning import turning_body
from tisserand.multibody.recursive.engine_model import SPEED, TORQUE
from tisserand.multibody.recursive.helper import helper, shared_helper
from tisserand.multibody.recursive.table_views import part, table


@shared_helper
def rotor_momentum(m, rotors, profiles, F, h, t, y):
    """Momentum of a body's rotors about their axes and its driven rate, body axes, N m s and N m."""
    zero = 0.0 * y[0]
    momentum, rate = (zero, zero, zero), (zero, zero, zero)
    for i in range(m.rotors):
        rotor = rotors[m.rotor + i]
        axis = vector(rotor.axis_B)
        if rotor.drive == TORQUE:
            momentum = plus(momentum, rotor.inertia * y[h.psi_rate + rotor.number], axis)
        else:
            value, slope, _ = profile_at(profiles, F, rotor.profile, t)
            factor = rotor.inertia if rotor.drive == SPEED else 1.0
            momentum, rate = plus(momentum, factor * value, axis), plus(rate, factor * slope, axis)
    return momentum, rate


@helper
def rigid_inertia(m, b, momentum, rate):
    """Start of a body's inertia and bias, body axes: rigid part with the momentum of its rotors and its driven rate."""
    w_B = transposed_times(b.C_NB, vector(b.w_BN_N))
    put(b.h_rotors_B, momentum)
    torque = times(b.C_NB, add(cross(w_B, add(times(m.J_B, w_B), momentum)), rate))
    zero = 0.0 * torque[0]
    put_both(b.p_A, (zero, zero, zero), torque)
    for i in range(3):
        b.first_N[i] = m.first_B[i]
        for j in range(3):
            b.J_B[i, j] = m.J_B[i, j]
            b.I_A[3 + i, 3 + j] = m.J_driven_B[i, j]


@helper
def inertia_in_space(m, b):
    """The inertia about the reference point in inertial axes, and the bias of its first moment."""
    I, w = b.I_A, vector(b.w_BN_N)
    first = times(b.C_NB, vector(b.first_N))
    put(b.first_N, first)
    turn_inertia(b.C_NB, I)
    x, y, z = first
    zero = 0.0 * x
    for i in range(3):
        for j in range(3):
            I[i, j] = m.mass if i == j else zero
    I[0, 3], I[0, 4], I[0, 5] = zero, z, -y
    I[1, 3], I[1, 4], I[1, 5] = -z, zero, x
    I[2, 3], I[2, 4], I[2, 5] = y, -x, zero
    for i in range(3):
        for j in range(3):
            I[3 + i, j] = I[j, 3 + i]
    increase(b.p_A, cross(w, cross(w, first)))


@helper
def turn_inertia(C, I):
    """The rotational block of I from body to inertial axes, C J C', in place."""
    J = I[3:, 3:]
    a, b, c, d, e, f = J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2]
    for i in range(3):
        x, y, z = C[i, 0], C[i, 1], C[i, 2]
        row = (x * a + y * b + z * c, x * b + y * d + z * e, x * c + y * e + z * f)
        for j in range(i, 3):
            v = row[0] * C[j, 0] + row[1] * C[j, 1] + row[2] * C[j, 2]
            J[i, j] = v
            J[j, i] = v


@shared_helper
def body_inertias(h, model, work, F, t, y):
    """Inertia and bias of every body, the modal rows, biases and dense masses of its appendages, all in inertial axes.

    A block is constant, a linear displacement field (plain), or a second-degree field with bodies that turn.
    """
    sums = work.results[0]
    for k in range(h.bodies):
        m, b = model.bodies[k], work.bodies[k]
        momentum, rate = rotor_momentum(m, model.rotors, model.profiles, F, h, t, y)
        rigid_inertia(m, b, momentum, rate)
        if m.modes:
            clear_sums(sums)
            w = transposed_times(b.C_NB, vector(b.w_BN_N))
            mass = table(work.mass, m.mass_work, m.modes, m.modes)
            if m.dense:
                for i in range(m.modes * m.modes):
                    work.mass[m.mass_work + i] = F[m.mass_matrix + i]
        for number in range(m.block, m.block + m.blocks):
            block = model.blocks[number]
            first, count = block.mode, block.modes
            rows, bias = work.rows[first : first + count], part(work.bias, first, count)
            if block.second_degree:
                stretch, place = work.stretch[first : first + count], first - m.mode
                completed_field(h, block, F, y, w, sums, rows, bias, stretch, mass, place, work.scratch)
                for i in range(block.first_turning, block.first_turning + block.turning):
                    body = model.turning[i]
                    turning_body(h, block, body, F, y, w, sums, rows, bias, stretch, mass, place, work.scratch)
                for i in range(3):
                    sums.first[i] -= block.first_B[i]
                for i in range(6):
                    sums.inertia[i] -= block.inertia_B[i]
            else:
                plain_block(h, block, F, y, w, sums, rows, bias, work.scratch)
            for l in range(count):
                row = rows[l]
                row[0], row[1], row[2] = times(b.C_NB, (row[0], row[1], row[2]))
                row[3], row[4], row[5] = times(b.C_NB, (row[3], row[4], row[5]))
            restoring_forces(h, block, F, y, bias)
        if m.modes:
            add_sums(b, sums, w)
        inertia_in_space(m, b)
