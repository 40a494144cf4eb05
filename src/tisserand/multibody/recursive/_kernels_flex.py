# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Appendages that move by a linear field, and what deformation adds to a body (theory sections 2 and 3)."""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_contract import contract
from tisserand.multibody.recursive._kernels_small import (
    add,
    cross,
    dot,
    increase_both,
    plus,
    symmetric_times,
    times,
    vector,
)
from tisserand.multibody.recursive.engine_model import CONSTANT
from tisserand.multibody.recursive.helper import helper, shared_helper
from tisserand.multibody.recursive.table_views import part


@shared_helper
def clear_sums(sums):
    """No deformation."""
    for i in range(3):
        sums.first[i] = 0.0
        sums.flow[i] = 0.0
        sums.flow_bias[i] = 0.0
        sums.spin[i] = 0.0
        sums.spin_bias[i] = 0.0
        sums.body_force[i] = 0.0
        sums.body_torque[i] = 0.0
    for i in range(6):
        sums.inertia[i] = 0.0
        sums.inertia_rate[i] = 0.0
        sums.body_inertia[i] = 0.0


@shared_helper
def add_sums(b, sums, w):
    """What the deformation adds to a body: inertia, first moment and velocity bias; w in body axes."""
    for i in range(3):
        j = (i + 1) % 3
        v, c = sums.inertia[i] + sums.body_inertia[i], sums.inertia[3 + i] + sums.body_inertia[3 + i]
        b.I_A[3 + i, 3 + i] += v
        b.J_B[i, i] += v
        b.I_A[3 + i, 3 + j] += c
        b.J_B[i, j] += c
        b.I_A[3 + j, 3 + i] += c
        b.J_B[j, i] += c
    # w x J w of the deformation part (the undeformed part is the rigid body's; turning bodies bring theirs in the torque)
    momentum = add(symmetric_times(sums.inertia, w), vector(sums.spin))
    torque = add(cross(w, momentum), symmetric_times(sums.inertia_rate, w))
    torque = add(add(torque, vector(sums.spin_bias)), vector(sums.body_torque))
    force = add(plus(vector(sums.flow_bias), 2.0, cross(w, vector(sums.flow))), vector(sums.body_force))
    increase_both(b.p_A, times(b.C_NB, force), times(b.C_NB, torque))
    for i in range(3):
        b.first_N[i] += sums.first[i]


@shared_helper
def restoring_forces(h, block, F, y, bias):
    """Stiffness and damping."""
    n, eta, rate = block.modes, h.eta + block.mode, h.eta_rate + block.mode
    stiffness, damping = block.stiffness, block.damping
    if block.diagonal:
        for l in range(n):
            bias[l] += F[stiffness + l * n + l] * y[eta + l] + F[damping + l * n + l] * y[rate + l]
    else:
        for k in range(n):
            q, u = y[eta + k], y[rate + k]
            for l in range(n):
                bias[l] += F[stiffness + k * n + l] * q + F[damping + k * n + l] * u


@shared_helper
def plain_block(h, block, F, y, w, sums, rows, bias, scratch):
    """A block that moves by a linear field: P, H, J1, J2, Kx; all constant at level 0."""
    n, eta, rate = block.modes, h.eta + block.mode, h.eta_rate + block.mode
    zero = 0.0 * y[0]
    varies = block.level != CONSTANT
    if varies:
        contract(F, block.J2, n, 9, 0, 9, y, eta, scratch, 0)
        contract(F, block.J2, n, 9, 6, 9, y, rate, scratch, 9 * n)
    E = part(scratch, 0, 18 * n)
    P, H, J1 = part(F, block.P, 3 * n), part(F, block.H, 3 * n), part(F, block.J1, 6 * n)
    moment, flow, spin = (zero, zero, zero), (zero, zero, zero), (zero, zero, zero)
    a0, a1, a2, a3, a4, a5 = zero, zero, zero, zero, zero, zero  # J1 eta + J2 eta eta: xx, yy, zz, xy, yz, zx
    r0, r1, r2, r3, r4, r5 = zero, zero, zero, zero, zero, zero  # its rate
    wx, wy, wz = w
    for l in range(n):
        q, u = y[eta + l], y[rate + l]
        p = (P[3 * l], P[3 * l + 1], P[3 * l + 2])
        turn = (H[3 * l] + zero, H[3 * l + 1] + zero, H[3 * l + 2] + zero)
        push = zero
        if varies:
            o = 6 * l
            d0, d1, d2, d3, d4, d5 = J1[o], J1[o + 1], J1[o + 2], J1[o + 3], J1[o + 4], J1[o + 5]
            e0, e1, e2 = E[l], E[n + l], E[2 * n + l]
            e3, e4, e5 = E[3 * n + l], E[4 * n + l], E[5 * n + l]
            a0, a1, a2 = a0 + (d0 + e0) * q, a1 + (d1 + e1) * q, a2 + (d2 + e2) * q
            a3, a4, a5 = a3 + (d3 + e3) * q, a4 + (d4 + e4) * q, a5 + (d5 + e5) * q
            g0, g1, g2 = d0 + 2.0 * e0, d1 + 2.0 * e1, d2 + 2.0 * e2
            g3, g4, g5 = d3 + 2.0 * e3, d4 + 2.0 * e4, d5 + 2.0 * e5
            r0, r1, r2, r3, r4, r5 = r0 + g0 * u, r1 + g1 * u, r2 + g2 * u, r3 + g3 * u, r4 + g4 * u, r5 + g5 * u
            push = 2.0 * dot(w, (E[15 * n + l], E[16 * n + l], E[17 * n + l]))
            push -= 0.5 * (wx * wx * g0 + wy * wy * g1 + wz * wz * g2) + wx * wy * g3 + wy * wz * g4 + wz * wx * g5
            turn = add(turn, (E[6 * n + l], E[7 * n + l], E[8 * n + l]))
        moment, flow, spin = plus(moment, q, p), plus(flow, u, p), plus(spin, u, turn)
        row = rows[l]
        row[0], row[1], row[2] = p
        row[3], row[4], row[5] = turn
        bias[l] = push
    for i in range(3):
        sums.first[i] += moment[i]
        sums.flow[i] += flow[i]
        sums.spin[i] += spin[i]
    increase_six(sums.inertia, a0, a1, a2, a3, a4, a5)
    increase_six(sums.inertia_rate, r0, r1, r2, r3, r4, r5)


@helper
def increase_six(out, a, b, c, d, e, f):
    """Add to the six components of a symmetric matrix."""
    out[0] += a
    out[1] += b
    out[2] += c
    out[3] += d
    out[4] += e
    out[5] += f
