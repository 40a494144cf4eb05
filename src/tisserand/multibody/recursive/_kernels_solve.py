# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
# ruff: noqa: F403, F405, SIM109
"""The right-hand side of the state: outward kinematics, loads, inward elimination, outward solution, accounts.

Reference: theory section 5.2.
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_control import apply_loads, control, profile_at
from tisserand.multibody.recursive._kernels_forward import forward
from tisserand.multibody.recursive._kernels_inward import inward
from tisserand.multibody.recursive._kernels_outward import outward
from tisserand.multibody.recursive._kernels_small import (
    cross,
    half_turn,
    quaternion_rate,
    root,
    times,
    transposed_times,
)
from tisserand.multibody.recursive.helper import entry, helper
from tisserand.multibody.recursive.layout import *
from tisserand.multibody.recursive.signatures import RHS, RHS_COMPLEX


@helper
def joint_laws(I, F, W, y):
    """Springs and dampers of the joints into W_TAU."""
    for k in range(1, I[BODIES]):
        bt = I[BODY_TABLE] + k * B_STRIDE
        b, f, kind = I[BODY_WORK] + k * W_STRIDE, I[bt + B_FLOAT], I[bt + B_KIND]
        if kind == HINGE or kind == PRISMATIC:
            if I[bt + B_MOTION] >= 0:
                W[b + W_TAU] = 0.0
            else:
                W[b + W_TAU] = -F[f + F_SPRING] * (y[I[bt + B_Q]] - F[f + F_REST]) - F[f + F_DAMPER] * W[b + W_QD]
        elif kind == BALL:
            q = I[bt + B_Q]
            n, w, s = y[q + 1] ** 2 + y[q + 2] ** 2 + y[q + 3] ** 2, y[q], 2.0
            if n.real >= 1e-18:
                n = root(n)
                s = 2.0 * half_turn(n, w if w.real >= 0.0 else -w) / n
            if w.real < 0.0:
                s = -s
            for i in range(3):
                W[b + W_TAU + i] = -F[f + F_SPRING] * s * y[q + 1 + i] - F[f + F_DAMPER] * W[b + W_QD + i]


@helper
def accounts(I, F, W, y, dy):
    """Rates of work, impulse and angular impulse, which the balance sheet compares with energy and momentum."""
    res, acc = I[RESULT], I[ACCOUNT]
    power = W[res]
    base = I[BODY_WORK]
    if I[I[BODY_TABLE] + B_KIND] != FREE:
        w = base + W_WRENCH
        for i in range(3):
            power += W[w + i] * W[base + W_V + i] + W[w + 3 + i] * W[base + W_OM + i]
            W[res + 1 + i] += W[w + i]
            W[res + 4 + i] += W[w + 3 + i]
        x, y1, z = cross(W[base + W_X], W[base + W_X + 1], W[base + W_X + 2], W[w], W[w + 1], W[w + 2])
        W[res + 4] += x
        W[res + 5] += y1
        W[res + 6] += z
    g = I[GRAVITY]
    for k in range(I[BODIES]):
        bt = I[BODY_TABLE] + k * B_STRIDE
        b, f, kind = I[BODY_WORK] + k * W_STRIDE, I[bt + B_FLOAT], I[bt + B_KIND]
        m = F[f + F_MASS]
        sx, sy, sz = (
            m * W[b + W_X] + W[b + W_S],
            m * W[b + W_X + 1] + W[b + W_S + 1],
            m * W[b + W_X + 2] + W[b + W_S + 2],
        )
        x, y1, z = cross(sx, sy, sz, F[g], F[g + 1], F[g + 2])
        W[res + 4] += x
        W[res + 5] += y1
        W[res + 6] += z
        for i in range(3):
            W[res + 1 + i] += m * F[g + i]
        if k and I[bt + B_MOTION] >= 0:
            power += W[b + W_TAU] * W[b + W_QD]
        elif k and (kind == HINGE or kind == PRISMATIC):
            power += (W[b + W_TAU] + F[f + F_SPRING] * (y[I[bt + B_Q]] - F[f + F_REST])) * W[b + W_QD]
        elif kind == BALL:
            for i in range(3):
                power -= F[f + F_DAMPER] * W[b + W_QD + i] ** 2
        for nb in range(I[bt + B_BLOCKS]):
            bk = I[BLOCK_TABLE] + (I[bt + B_BLOCK] + nb) * K_STRIDE
            n, e, fd = I[bk + K_MODES], I[ETA_RATE] + I[bk + K_ETA], I[bk + K_STIFF] + I[bk + K_MODES] ** 2
            if I[bk + K_DIAGONAL]:
                for l in range(n):
                    power -= F[fd + l * n + l] * y[e + l] ** 2
            else:
                for l in range(n):
                    for j in range(n):
                        power -= y[e + l] * F[fd + l * n + j] * y[e + j]
    dy[acc] = power
    for i in range(6):
        dy[acc + 1 + i] = W[res + 1 + i]


@entry(RHS, RHS_COMPLEX)
def rhs(I, F, W, U, t, y, dy):
    """State derivative; 0, or 1000 + body (modal mass), 2000 + body (joint inertia), 3000 (base) not positive."""
    for i in range(I[SIZE]):
        dy[i] = 0.0
    forward(I, F, W, U, t, y)
    res = I[RESULT]
    for i in range(7):
        W[res + i] = 0.0
    joint_laws(I, F, W, y)
    control(I, F, W, U, t, y, dy)
    apply_loads(I, F, W, U, t, y, dy)
    # torque-driven rotors: the drive reacts on the body
    for r in range(I[ROTORS]):
        rt = I[ROTOR_TABLE] + r * R_STRIDE
        if I[rt + R_MODE] == 0:
            b, f = I[BODY_WORK] + I[rt + R_BODY] * W_STRIDE, I[rt + R_FLOAT]
            s = I[PSI_RATE] + I[rt + R_STATE]
            tau = dy[s] - F[f + 4] * y[s]
            dy[s] = tau
            W[res] += tau * y[s]
            x, y1, z = times(W, b + W_R, tau * F[f], tau * F[f + 1], tau * F[f + 2])
            W[b + W_PA + 3] += x
            W[b + W_PA + 4] += y1
            W[b + W_PA + 5] += z
    status = inward(I, F, W)
    if status:
        return status
    status = outward(I, F, W)
    if status:
        return status
    u, g = I[SPEEDS], I[GRAVITY]
    base, bt0 = I[BODY_WORK], I[BODY_TABLE]
    if I[bt0 + B_KIND] != FIXED:
        for i in range(3):
            dy[i] = W[base + W_V + i]
            dy[u + i] = W[base + W_ACC + i] + F[g + i]
        x, y1, z = transposed_times(W, base + W_R, W[base + W_OM], W[base + W_OM + 1], W[base + W_OM + 2])
        quaternion_rate(y, 3, x, y1, z, dy, 3)
        dy[u + 3], dy[u + 4], dy[u + 5] = transposed_times(
            W, base + W_R, W[base + W_ACC + 3], W[base + W_ACC + 4], W[base + W_ACC + 5]
        )
    for k in range(1, I[BODIES]):
        bt = I[BODY_TABLE] + k * B_STRIDE
        b, kind = I[BODY_WORK] + k * W_STRIDE, I[bt + B_KIND]
        if kind == HINGE or kind == PRISMATIC:
            dy[I[bt + B_Q]] = W[b + W_QD]
            dy[I[bt + B_U]] = W[b + W_QDD]
        elif kind == BALL:
            quaternion_rate(y, I[bt + B_Q], W[b + W_QD], W[b + W_QD + 1], W[b + W_QD + 2], dy, I[bt + B_Q])
            for i in range(3):
                dy[I[bt + B_U] + i] = W[b + W_QDD + i]
    for k in range(I[BODIES]):
        bt = I[BODY_TABLE] + k * B_STRIDE
        n = I[bt + B_MODES]
        e, q = I[bt + B_FLEX] + 13 * n, I[bt + B_ETA]
        for l in range(n):
            dy[I[ETA] + q + l] = y[I[ETA_RATE] + q + l]
            dy[I[ETA_RATE] + q + l] = W[e + l]
    for r in range(I[ROTORS]):
        rt = I[ROTOR_TABLE] + r * R_STRIDE
        b, f, s = I[BODY_WORK] + I[rt + R_BODY] * W_STRIDE, I[rt + R_FLOAT], I[rt + R_STATE]
        lx, ly, lz = transposed_times(W, b + W_R, W[b + W_ACC + 3], W[b + W_ACC + 4], W[b + W_ACC + 5])
        along = lx * F[f] + ly * F[f + 1] + lz * F[f + 2]
        if I[rt + R_MODE] == 0:
            dy[I[PSI] + s] = y[I[PSI_RATE] + s]
            dy[I[PSI_RATE] + s] = dy[I[PSI_RATE] + s] / F[f + 3] - along
        else:
            h, hd, _ = profile_at(I, F, I[rt + R_PROFILE], t)
            if I[rt + R_MODE] == 1:
                dy[I[PSI] + s] = h
                dy[I[PSI_RATE] + s] = hd
                W[res] += F[f + 3] * (hd + along) * h
            else:
                x, y1, z = transposed_times(W, b + W_R, W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2])
                W[res] -= hd * (x * F[f] + y1 * F[f + 1] + z * F[f + 2])
    accounts(I, F, W, y, dy)
    return 0
