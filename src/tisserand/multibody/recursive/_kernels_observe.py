# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
# ruff: noqa: F403, F405, SIM109
"""Energies, momenta, signals, poses and joint loads along a trajectory.

Balances: theory section 5.4.
"""

from __future__ import annotations

import math

from numba import types

from tisserand.multibody.recursive._kernels_control import profile_at
from tisserand.multibody.recursive._kernels_outward import joint_wrench
from tisserand.multibody.recursive._kernels_small import cross, times, transposed_times
from tisserand.multibody.recursive.helper import entry, helper
from tisserand.multibody.recursive.layout import *
from tisserand.multibody.recursive.signatures import CONSTANTS, CUBE, FLOATS, FORWARD, INTS, RHS, TABLE


@helper
def integrals_of_motion(I, F, W, t, y, out):
    """out: kinetic, potential energy, momentum (3), angular momentum about the inertial origin (3), mass center (3)."""
    for i in range(11):
        out[i] = 0.0
    g = I[GRAVITY]
    total = 0.0
    for k in range(I[BODIES]):
        bt = I[BODY_TABLE] + k * B_STRIDE
        b, f, kind = I[BODY_WORK] + k * W_STRIDE, I[bt + B_FLOAT], I[bt + B_KIND]
        m = F[f + F_MASS]
        vx, vy, vz = W[b + W_V], W[b + W_V + 1], W[b + W_V + 2]
        wx, wy, wz = W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2]
        sx, sy, sz = W[b + W_S], W[b + W_S + 1], W[b + W_S + 2]
        ux, uy, uz = 0.0, 0.0, 0.0
        cx, cy, cz = 0.0, 0.0, 0.0
        for nb in range(I[bt + B_BLOCKS]):
            bk = I[BLOCK_TABLE] + (I[bt + B_BLOCK] + nb) * K_STRIDE
            n, local = I[bk + K_MODES], I[bk + K_LOCAL]
            eta, rate = I[ETA] + I[bk + K_ETA], I[ETA_RATE] + I[bk + K_ETA]
            nm = I[bt + B_MODES]
            for l in range(n):
                row, hd = I[bt + B_FLEX] + 6 * (local + l), y[rate + l]
                ux, uy, uz = ux + W[row] * hd, uy + W[row + 1] * hd, uz + W[row + 2] * hd
                cx, cy, cz = cx + W[row + 3] * hd, cy + W[row + 4] * hd, cz + W[row + 5] * hd
                place = (local + l) * nm + local
                fs = I[bk + K_STIFF] + l * n
                if I[bt + B_DENSE]:  # the mass of this deformation, upper triangle
                    mass = I[bt + B_FLEX] + 15 * nm + place
                    out[0] += 0.5 * hd * W[mass + l] * hd
                    for j in range(l + 1, n):
                        out[0] += hd * W[mass + j] * y[rate + j]
                else:
                    out[0] += 0.5 * hd * F[I[bt + B_MASS] + place + l] * hd
                for j in range(n):
                    out[1] += 0.5 * y[eta + l] * F[fs + j] * y[eta + j]
        ox, oy, oz = transposed_times(W, b + W_R, wx, wy, wz)
        hx, hy, hz = times(W, b + W_J, ox, oy, oz)
        out[0] += 0.5 * (ox * hx + oy * hy + oz * hz)
        hx, hy, hz = times(W, b + W_R, hx, hy, hz)
        x, y1, z = cross(wx, wy, wz, sx, sy, sz)
        out[0] += 0.5 * m * (vx * vx + vy * vy + vz * vz) + vx * (x + ux) + vy * (y1 + uy) + vz * (z + uz)
        out[0] += wx * cx + wy * cy + wz * cz
        px, py, pz = m * vx + x + ux, m * vy + y1 + uy, m * vz + z + uz
        x, y1, z = cross(sx, sy, sz, vx, vy, vz)
        rx, ry, rz = times(W, b + W_R, W[b + W_HR], W[b + W_HR + 1], W[b + W_HR + 2])
        hx, hy, hz = hx + x + cx + rx, hy + y1 + cy + ry, hz + z + cz + rz
        x, y1, z = cross(W[b + W_X], W[b + W_X + 1], W[b + W_X + 2], px, py, pz)
        out[2] += px
        out[3] += py
        out[4] += pz
        out[5] += hx + x
        out[6] += hy + y1
        out[7] += hz + z
        for i in range(3):
            c = m * W[b + W_X + i] + W[b + W_S + i]
            out[8 + i] += c
            out[1] -= F[g + i] * c
        total += m
        if k and I[bt + B_MOTION] < 0:
            q = I[bt + B_Q]
            if kind == HINGE or kind == PRISMATIC:
                out[1] += 0.5 * F[f + F_SPRING] * (y[q] - F[f + F_REST]) ** 2
            elif kind == BALL:
                n3 = math.sqrt(y[q + 1] ** 2 + y[q + 2] ** 2 + y[q + 3] ** 2)
                out[1] += 0.5 * F[f + F_SPRING] * (2.0 * math.atan2(n3, abs(y[q]))) ** 2
    for r in range(I[ROTORS]):
        rt = I[ROTOR_TABLE] + r * R_STRIDE
        b, f = I[BODY_WORK] + I[rt + R_BODY] * W_STRIDE, I[rt + R_FLOAT]
        if I[rt + R_MODE] == 2:
            continue
        rate = y[I[PSI_RATE] + I[rt + R_STATE]]
        if I[rt + R_MODE] == 1:
            rate = profile_at(I, F, I[rt + R_PROFILE], t)[0]
        ox, oy, oz = transposed_times(W, b + W_R, W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2])
        out[0] += F[f + 3] * rate * (0.5 * rate + ox * F[f] + oy * F[f + 1] + oz * F[f + 2])
    for i in range(3):
        out[8 + i] /= total


@helper
def observe_bodies(I, F, W, poses, accelerations, wrenches, torques):
    """Poses (nb, 18), accelerations (nb, 6), joint wrenches (nb, 6) and efforts (nb, 3) after the right-hand side."""
    g = I[GRAVITY]
    for k in range(I[BODIES]):
        bt = I[BODY_TABLE] + k * B_STRIDE
        b, f = I[BODY_WORK] + k * W_STRIDE, I[bt + B_FLOAT]
        if k:
            joint_wrench(I, W, bt, b)
        wx, wy, wz = W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2]
        rx, ry, rz = times(W, b + W_R, F[f + F_REF], F[f + F_REF + 1], F[f + F_REF + 2])
        vx, vy, vz = cross(wx, wy, wz, rx, ry, rz)
        x, y1, z = cross(W[b + W_ACC + 3], W[b + W_ACC + 4], W[b + W_ACC + 5], rx, ry, rz)
        ux, uy, uz = cross(wx, wy, wz, vx, vy, vz)
        for j in range(9):
            poses[k, j] = W[b + W_R + j]
        poses[k, 9], poses[k, 10], poses[k, 11] = W[b + W_X] - rx, W[b + W_X + 1] - ry, W[b + W_X + 2] - rz
        poses[k, 12], poses[k, 13], poses[k, 14] = W[b + W_V] - vx, W[b + W_V + 1] - vy, W[b + W_V + 2] - vz
        accelerations[k, 0], accelerations[k, 1], accelerations[k, 2] = -x - ux, -y1 - uy, -z - uz
        for j in range(3):
            poses[k, 15 + j] = W[b + W_OM + j]
            accelerations[k, j] += W[b + W_ACC + j] + F[g + j]
            accelerations[k, 3 + j] = W[b + W_ACC + 3 + j]
            torques[k, j] = W[b + W_TAU + j]
        for j in range(6):
            wrenches[k, j] = W[b + W_WRENCH + j]


@entry(
    types.int64(
        types.FunctionType(RHS),
        types.FunctionType(FORWARD),
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
def observe(
    rhs, forward, I, F, W, U, times_, Y, rates, motion, poses, signals, accelerations, wrenches, torques, amplitudes
):
    """Observe a trajectory at nt times.

    State rates, integrals of motion (nt, 11), poses (nt, nb, 18: R, x, v, w), signals and commands (nt, ns + nc), acceleration of
    body origins (nt, nb, 6), joint wrenches on the body at the joint in inertial axes (nt, nb, 6; base: reaction of a held base),
    joint efforts (nt, nb, 3), load strengths (nt, nl); status of the last failure.
    """
    ns, nc = I[SIGNALS], I[COMMANDS]
    worst = 0
    for i in range(Y.shape[0]):
        status = rhs(I, F, W, U[i], times_[i], Y[i], rates[i])
        if status:
            worst = status
        for j in range(ns):
            signals[i, j] = W[I[SIGNAL_WORK] + j]
        for j in range(nc):
            signals[i, ns + j] = W[I[COMMAND_WORK] + j]
        for j in range(I[LOADS]):
            amplitudes[i, j] = W[I[AMPLITUDE] + j]
        observe_bodies(I, F, W, poses[i], accelerations[i], wrenches[i], torques[i])
        forward(I, F, W, U[i], times_[i], Y[i])
        integrals_of_motion(I, F, W, times_[i], Y[i], motion[i])
    return worst
