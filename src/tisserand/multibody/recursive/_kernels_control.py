# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
# ruff: noqa: F403, F405, SIM109
"""Profiles, signals, control laws and loads inside the compiled step.

Serves the loads of theory section 3.2.
"""

from __future__ import annotations

import math

from tisserand.multibody.recursive._kernels_contract import contract
from tisserand.multibody.recursive._kernels_small import (
    axis_turn,
    cross,
    from_quaternion,
    root,
    times,
    transposed_times,
)
from tisserand.multibody.recursive.helper import helper
from tisserand.multibody.recursive.layout import *


@helper
def profile_at(I, F, p, t):
    """Value, first and second derivative of profile number p (-1: zero)."""
    if p < 0:
        return 0.0, 0.0, 0.0
    row = I[PROFILE_TABLE] + p * P_STRIDE
    n, f = I[row + P_PIECES], I[row + P_FLOAT]
    if t < F[f]:
        return 0.0, 0.0, 0.0
    low, high = 0, n
    while high - low > 1:
        mid = (low + high) // 2
        if t >= F[f + mid]:
            low = mid
        else:
            high = mid
    s = t - F[f + low]
    c = f + n + 7 * low
    value = F[c] + s * (F[c + 1] + s * (F[c + 2] + s * F[c + 3])) if s < 1e25 else F[c]
    rate = F[c + 1] + s * (2.0 * F[c + 2] + 3.0 * s * F[c + 3]) if s < 1e25 else 0.0
    curvature = 2.0 * F[c + 2] + 6.0 * s * F[c + 3] if s < 1e25 else 0.0
    if F[c + 4] != 0.0:
        w = F[c + 5]
        x = F[c + 4] * math.sin(w * s + F[c + 6])
        value += x
        rate += w * F[c + 4] * math.cos(w * s + F[c + 6])
        curvature -= w * w * x
    return value, rate, curvature


@helper
def gravity_effort(I, F, W, k, count, f):
    """Effort at the joint of tree body k that balances gravity on ``count`` outboard bodies (numbers at F[f]), N m or N.

    Every body in its current pose, its appendages undeformed: the first moments are those of the rigid vehicle.
    """
    bt, b, g = I[BODY_TABLE] + k * B_STRIDE, I[BODY_WORK] + k * W_STRIDE, I[GRAVITY]
    px, py, pz = W[b + W_X], W[b + W_X + 1], W[b + W_X + 2]
    if I[bt + B_CHILD_NODE] >= 0:  # the joint sits on a node of the body, away from its reference point
        o = I[I[NODE_TABLE] + I[bt + B_CHILD_NODE] * N_STRIDE + N_WORK]
        px, py, pz = px + W[o + Q_POS], py + W[o + Q_POS + 1], pz + W[o + Q_POS + 2]
    mass, mx, my, mz = 0.0, 0.0, 0.0, 0.0
    for i in range(count):
        j = int(F[f + i])
        c, fb = I[BODY_WORK] + j * W_STRIDE, I[I[BODY_TABLE] + j * B_STRIDE + B_FLOAT]
        m = F[fb + F_MASS]
        x, y, z = times(W, c + W_R, F[fb + F_FIRST], F[fb + F_FIRST + 1], F[fb + F_FIRST + 2])
        mx, my, mz = (
            mx + x + m * (W[c + W_X] - px),
            my + y + m * (W[c + W_X + 1] - py),
            mz + z + m * (W[c + W_X + 2] - pz),
        )
        mass += m
    x, y, z = mass * F[g], mass * F[g + 1], mass * F[g + 2]
    if I[bt + B_KIND] == HINGE:
        x, y, z = cross(mx, my, mz, F[g], F[g + 1], F[g + 2])
    return -(W[b + W_G] * x + W[b + W_G + 1] * y + W[b + W_G + 2] * z)


@helper
def signal_at(I, F, W, U, t, y, s):
    """One measured or commanded quantity; needs the poses and velocities of the outward pass."""
    row = I[SIGNAL_TABLE] + s * S_STRIDE
    kind, i, f = I[row + S_KIND], I[row + S_INDEX], I[row + S_FLOAT]
    if kind == SIGNAL_PROFILE:
        return profile_at(I, F, i, t)[0]
    if kind == SIGNAL_PROFILE_RATE:
        return profile_at(I, F, i, t)[1]
    if kind == SIGNAL_COORDINATE or kind == SIGNAL_SPEED:
        return y[i]
    if kind == SIGNAL_HELD:
        return U[7 + i]
    b = I[BODY_WORK] + i * W_STRIDE
    if kind == SIGNAL_RATE:  # body-axes rate along a direction, less the rate of a reference turn
        x, y1, z = transposed_times(W, b + W_R, W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2])
        return x * F[f] + y1 * F[f + 1] + z * F[f + 2]
    if (
        kind == SIGNAL_ATTITUDE
    ):  # component along a body direction of the turn from reference to body (2 sin(angle/2) axis)
        o = I[SCRATCH]
        from_quaternion(F, f + 3, W, o)
        angle = profile_at(I, F, I[row + S_SECOND], t)[0]
        axis_turn(F, f + 7, angle, W, o + 9)
        # E = (reference turn)' R in body axes; vector part of its quaternion, stable at any angle below 180 degrees
        trace = 0.0
        ex, ey, ez = 0.0, 0.0, 0.0
        for r in range(3):
            for c in range(3):
                e = 0.0
                for k in range(3):
                    ref = 0.0
                    for m in range(3):
                        ref += W[o + 3 * k + m] * W[o + 9 + 3 * m + r]
                    e += ref * W[b + W_R + 3 * k + c]
                if r == c:
                    trace += e
                elif r == 2 and c == 1:
                    ex += e
                elif r == 1 and c == 2:
                    ex -= e
                elif r == 0 and c == 2:
                    ey += e
                elif r == 2 and c == 0:
                    ey -= e
                elif r == 1 and c == 0:
                    ez += e
                else:
                    ez -= e
        square = 1.0 + trace
        if square.real < 1e-12:
            square = 1e-12
        return (ex * F[f] + ey * F[f + 1] + ez * F[f + 2]) / root(square)
    if kind == SIGNAL_POSITION or kind == SIGNAL_VELOCITY:
        rx, ry, rz = times(W, b + W_R, F[f + 3], F[f + 4], F[f + 5])
        if kind == SIGNAL_POSITION:
            return (W[b + W_X] + rx) * F[f] + (W[b + W_X + 1] + ry) * F[f + 1] + (W[b + W_X + 2] + rz) * F[f + 2]
        x, y1, z = cross(W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2], rx, ry, rz)
        return (W[b + W_V] + x) * F[f] + (W[b + W_V + 1] + y1) * F[f + 1] + (W[b + W_V + 2] + z) * F[f + 2]
    if kind == SIGNAL_NODE:  # combination of modal coordinates or rates: i = first state, second = count
        value = 0.0
        for k in range(I[row + S_SECOND]):
            value += F[f + k] * y[i + k]
        return value
    if kind == SIGNAL_BENT:  # displacement (or rate) of a node to second degree: flag, weights (n), square (n, n)
        n, value = I[row + S_SECOND], 0.0
        e, r = I[ETA] + i, I[ETA_RATE] + i
        for k in range(n):
            slope = 0.0
            for m in range(n):
                slope += F[f + 1 + n + k * n + m] * y[e + m]
            value += (F[f + 1 + k] + 2.0 * slope) * y[r + k] if F[f] > 0.0 else (F[f + 1 + k] + slope) * y[e + k]
        return value
    if kind == SIGNAL_GRAVITY:
        return gravity_effort(I, F, W, i, I[row + S_SECOND], f)
    # inertial spin rate of a rotor
    rt = I[ROTOR_TABLE] + i * R_STRIDE
    b = I[BODY_WORK] + I[rt + R_BODY] * W_STRIDE
    o = I[rt + R_FLOAT]
    x, y1, z = transposed_times(W, b + W_R, W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2])
    return y[I[PSI_RATE] + I[rt + R_STATE]] + x * F[o] + y1 * F[o + 1] + z * F[o + 2]


@helper
def control(I, F, W, U, t, y, dy):
    """Signals s, commands c = sat(C x + D s), controller states x' = A x + B s."""
    ns, nc, nx = I[SIGNALS], I[COMMANDS], I[STATES]
    s, c, x = I[SIGNAL_WORK], I[COMMAND_WORK], I[STATE]
    for i in range(ns):
        W[s + i] = signal_at(I, F, W, U, t, y, i)
    a = I[CONTROL]
    for i in range(nx):
        v = 0.0
        for j in range(nx):
            v += F[a + i * nx + j] * y[x + j]
        for j in range(ns):
            v += F[a + nx * nx + i * ns + j] * W[s + j]
        dy[x + i] = v
    a += nx * nx + nx * ns
    for i in range(nc):
        v = 0.0
        for j in range(nx):
            v += F[a + i * nx + j] * y[x + j]
        for j in range(ns):
            v += F[a + nc * nx + i * ns + j] * W[s + j]
        low, high = F[a + nc * nx + nc * ns + 2 * i], F[a + nc * nx + nc * ns + 2 * i + 1]
        if v.real > high:
            v = high
        elif v.real < low:
            v = low
        W[c + i] = v


@helper
def push(I, W, k, fx, fy, fz, rx, ry, rz, tx, ty, tz):
    """Force at an arm from the reference point of body k and a torque, all in inertial axes; sums for the accounts."""
    b = I[BODY_WORK] + k * W_STRIDE
    x, y, z = cross(rx, ry, rz, fx, fy, fz)
    x, y, z = x + tx, y + ty, z + tz
    W[b + W_PA] -= fx
    W[b + W_PA + 1] -= fy
    W[b + W_PA + 2] -= fz
    W[b + W_PA + 3] -= x
    W[b + W_PA + 4] -= y
    W[b + W_PA + 5] -= z
    o = I[RESULT]
    ax, ay, az = cross(W[b + W_X], W[b + W_X + 1], W[b + W_X + 2], fx, fy, fz)
    W[o + 1] += fx
    W[o + 2] += fy
    W[o + 3] += fz
    W[o + 4] += x + ax
    W[o + 5] += y + ay
    W[o + 6] += z + az
    W[o] += fx * W[b + W_V] + fy * W[b + W_V + 1] + fz * W[b + W_V + 2]
    W[o] += x * W[b + W_OM] + y * W[b + W_OM + 1] + z * W[b + W_OM + 2]


@helper
def gradient(I, F, W, t, y, k, f, scale):
    """Gravity gradient on one body: field rate^2 (3 a a' - 1) about the inertial origin, a = local vertical turning at rate."""
    b = I[BODY_WORK] + k * W_STRIDE
    m = F[I[I[BODY_TABLE] + k * B_STRIDE + B_FLOAT] + F_MASS]
    rate, q = F[f + 9], F[f + 9] * F[f + 9] * scale
    c, s = math.cos(rate * t), math.sin(rate * t)
    ax, ay, az = F[f] * c + F[f + 3] * s, F[f + 1] * c + F[f + 4] * s, F[f + 2] * c + F[f + 5] * s
    x, y1, z = W[b + W_X], W[b + W_X + 1], W[b + W_X + 2]
    sx, sy, sz = W[b + W_S], W[b + W_S + 1], W[b + W_S + 2]
    d = ax * (m * x + sx) + ay * (m * y1 + sy) + az * (m * z + sz)
    fx, fy, fz = q * (3 * ax * d - m * x - sx), q * (3 * ay * d - m * y1 - sy), q * (3 * az * d - m * z - sz)
    d = ax * x + ay * y1 + az * z
    gx, gy, gz = q * (3 * ax * d - x), q * (3 * ay * d - y1), q * (3 * az * d - z)  # field at the reference point
    tx, ty, tz = cross(sx, sy, sz, gx, gy, gz)
    bx, by, bz = transposed_times(W, b + W_R, ax, ay, az)
    hx, hy, hz = times(W, b + W_J, bx, by, bz)
    hx, hy, hz = cross(bx, by, bz, hx, hy, hz)
    hx, hy, hz = times(W, b + W_R, 3.0 * q * hx, 3.0 * q * hy, 3.0 * q * hz)
    push(I, W, k, fx, fy, fz, 0.0, 0.0, 0.0, tx + hx, ty + hy, tz + hz)
    # modal forces: P.g + q (tr S / 2 - 3/2 a'S a) with S = dJ/d eta, from the potential of the field
    bt = I[BODY_TABLE] + k * B_STRIDE
    g, bias = I[bt + B_FLEX], I[bt + B_FLEX] + 14 * I[bt + B_MODES]
    E = I[SCRATCH]
    for nb in range(I[bt + B_BLOCKS]):
        bk = I[BLOCK_TABLE] + (I[bt + B_BLOCK] + nb) * K_STRIDE
        n, local, f0 = I[bk + K_MODES], I[bk + K_LOCAL], I[bk + K_FLOAT]
        rate_place = I[ETA_RATE] + I[bk + K_ETA]
        plain = I[bk + K_LEVEL] > 0 and not I[bk + K_TURN]
        if plain:
            contract(F, f0 + 12 * n, n, 9, 0, 9, y, I[ETA] + I[bk + K_ETA], W, E)
        stretch = g + 15 * I[bt + B_MODES] + I[bt + B_MODES] * I[bt + B_MODES] + 6 * local
        for l in range(n):
            row = g + 6 * (local + l)
            v = W[row] * gx + W[row + 1] * gy + W[row + 2] * gz
            if I[bk + K_TURN]:  # q (3 a a' - 1) : int y Y'
                o = stretch + 6 * l
                v += q * (
                    (3.0 * bx * bx - 1.0) * W[o] + (3.0 * by * by - 1.0) * W[o + 1] + (3.0 * bz * bz - 1.0) * W[o + 2]
                )
                v += 6.0 * q * (bx * by * W[o + 3] + by * bz * W[o + 4] + bz * bx * W[o + 5])
            elif plain:
                o = f0 + 6 * n + 6 * l
                v += q * (0.5 - 1.5 * bx * bx) * (F[o] + 2.0 * W[E + l])
                v += q * (0.5 - 1.5 * by * by) * (F[o + 1] + 2.0 * W[E + n + l])
                v += q * (0.5 - 1.5 * bz * bz) * (F[o + 2] + 2.0 * W[E + 2 * n + l])
                v -= 3.0 * q * bx * by * (F[o + 3] + 2.0 * W[E + 3 * n + l])
                v -= 3.0 * q * by * bz * (F[o + 4] + 2.0 * W[E + 4 * n + l])
                v -= 3.0 * q * bz * bx * (F[o + 5] + 2.0 * W[E + 5 * n + l])
            W[bias + local + l] -= v
            W[I[RESULT]] += v * y[rate_place + l]


@helper
def apply_loads(I, F, W, U, t, y, dy):
    """Loads of profiles, commands and held inputs; joint and rotor torques go to W_TAU and dy of the rotor."""
    for i in range(I[LOADS]):
        row = I[LOAD_TABLE] + i * L_STRIDE
        kind, k, f = I[row + L_KIND], I[row + L_TARGET], I[row + L_FLOAT]
        if I[row + L_SOURCE] == 0:
            a = profile_at(I, F, I[row + L_INDEX], t)[0]
        elif I[row + L_SOURCE] == 1:
            a = W[I[COMMAND_WORK] + I[row + L_INDEX]]
        else:
            a = U[7 + I[row + L_INDEX]]
        a *= F[f + 6]
        W[I[AMPLITUDE] + i] = a
        if kind == LOAD_JOINT:
            W[I[BODY_WORK] + k * W_STRIDE + W_TAU] += a
            continue
        if kind == LOAD_ROTOR:
            dy[I[PSI_RATE] + k] += a
            continue
        if kind == LOAD_GRADIENT:
            gradient(I, F, W, t, y, k, f, F[f + 6])
            continue
        x, y1, z = a * F[f], a * F[f + 1], a * F[f + 2]
        if kind == LOAD_MAGNETIC:  # m x B with B = b - 3 (b.r) r; r turns with the orbit, zero for a constant field
            x, y1, z = times(W, I[BODY_WORK] + k * W_STRIDE + W_R, x, y1, z)
            c, s = math.cos(F[f + 13] * t), math.sin(F[f + 13] * t)
            rx, ry, rz = F[f + 7] * c + F[f + 10] * s, F[f + 8] * c + F[f + 11] * s, F[f + 9] * c + F[f + 12] * s
            d = 3.0 * (F[f + 3] * rx + F[f + 4] * ry + F[f + 5] * rz)
            tx, ty, tz = cross(x, y1, z, F[f + 3] - d * rx, F[f + 4] - d * ry, F[f + 5] - d * rz)
            push(I, W, k, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, tx, ty, tz)
            continue
        node = -1
        if kind >= LOAD_NODE_FORCE_BODY and kind <= LOAD_NODE_TORQUE_INERTIAL:
            node = I[NODE_TABLE] + k * N_STRIDE
            k = I[node + N_BODY]
            kind -= LOAD_NODE_FORCE_BODY - LOAD_FORCE_BODY
        b = I[BODY_WORK] + k * W_STRIDE
        if kind == LOAD_FORCE_BODY or kind == LOAD_TORQUE_BODY:
            x, y1, z = times(W, I[BODY_WORK] + I[row + L_AXES] * W_STRIDE + W_R, x, y1, z)
        rx, ry, rz = times(W, b + W_R, F[f + 3], F[f + 4], F[f + 5])
        if node >= 0:
            o = I[node + N_WORK]
            rx, ry, rz = W[o + Q_POS], W[o + Q_POS + 1], W[o + Q_POS + 2]
        fx, fy, fz, tx, ty, tz = x, y1, z, 0.0, 0.0, 0.0
        if kind == LOAD_TORQUE_BODY or kind == LOAD_TORQUE_INERTIAL:
            fx, fy, fz, tx, ty, tz = 0.0, 0.0, 0.0, x, y1, z
        push(I, W, k, fx, fy, fz, rx, ry, rz, tx, ty, tz)
        if node >= 0:
            bt = I[BODY_TABLE] + k * B_STRIDE
            bias = I[bt + B_FLEX] + 14 * I[bt + B_MODES] + I[node + N_LOCAL]
            o = I[node + N_WORK]
            for l in range(I[node + N_MODES]):
                p = o + Q_PHI + 6 * l
                W[bias + l] -= fx * W[p] + fy * W[p + 1] + fz * W[p + 2] + tx * W[p + 3] + ty * W[p + 4] + tz * W[p + 5]
            W[I[RESULT]] += fx * W[o + Q_VEL] + fy * W[o + Q_VEL + 1] + fz * W[o + Q_VEL + 2]
            W[I[RESULT]] += tx * W[o + Q_W] + ty * W[o + Q_W + 1] + tz * W[o + Q_W + 2]
