# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
# ruff: noqa: F403, F405, SIM109
"""Outward pass: accelerations from the base to the leaves, and the wrenches at the joints.

References: theory section 5; [Featherstone2008]; joint loads of S1 Eqs 10, 11, 15.
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_small import cross, solve_spd, times
from tisserand.multibody.recursive.helper import helper
from tisserand.multibody.recursive.layout import *


@helper
def modal_accelerations(I, W, bt, b, a):
    """eta'' = -Z [A; 1]."""
    n, g = I[bt + B_MODES], I[bt + B_FLEX]
    Z, out = W[g + 6 * n : g + 13 * n], W[g + 13 * n : g + 14 * n]
    x, y, z, lx, ly, lz = W[a], W[a + 1], W[a + 2], W[a + 3], W[a + 4], W[a + 5]
    for l in range(n):
        o = 7 * l
        out[l] = -(Z[o + 6] + Z[o] * x + Z[o + 1] * y + Z[o + 2] * z + Z[o + 3] * lx + Z[o + 4] * ly + Z[o + 5] * lz)


@helper
def joint_wrench(I, W, bt, b):
    """Force and torque of the parent on the body at the joint point, inertial axes, into W_WRENCH (after ``outward``)."""
    kind, a, w = I[bt + B_KIND], b + W_AJ, b + W_WRENCH
    x, y, z = W[a] - W[b + W_C], W[a + 1] - W[b + W_C + 1], W[a + 2] - W[b + W_C + 2]
    lx, ly, lz = W[a + 3] - W[b + W_C + 3], W[a + 4] - W[b + W_C + 4], W[a + 5] - W[b + W_C + 5]
    if I[bt + B_MOTION] < 0:
        v, g = W[b + W_QDD], b + W_G
        if kind == HINGE:
            lx, ly, lz = lx - W[g] * v, ly - W[g + 1] * v, lz - W[g + 2] * v
        elif kind == PRISMATIC:
            x, y, z = x - W[g] * v, y - W[g + 1] * v, z - W[g + 2] * v
        elif kind == BALL:
            x1, y1, z1 = times(W, b + W_RJ, v, W[b + W_QDD + 1], W[b + W_QDD + 2])
            lx, ly, lz = lx - x1, ly - y1, lz - z1
    rx, ry, rz = W[b + W_RHO] + W[b + W_D], W[b + W_RHO + 1] + W[b + W_D + 1], W[b + W_RHO + 2] + W[b + W_D + 2]
    x1, y1, z1 = cross(lx, ly, lz, rx, ry, rz)
    x, y, z = x - x1, y - y1, z - z1
    for i in range(6):
        r = b + W_IA + 6 * i
        W[w + i] = (
            W[b + W_PA + i] + W[r] * x + W[r + 1] * y + W[r + 2] * z + W[r + 3] * lx + W[r + 4] * ly + W[r + 5] * lz
        )
    x1, y1, z1 = cross(rx, ry, rz, W[w], W[w + 1], W[w + 2])
    W[w + 3], W[w + 4], W[w + 5] = W[w + 3] - x1, W[w + 4] - y1, W[w + 5] - z1


@helper
def outward(I, F, W):
    """Accelerations from the base to the leaves; joint wrenches; status. Accelerations are less gravity."""
    base = I[BODY_WORK]
    g = I[GRAVITY]
    bt = I[BODY_TABLE]
    for i in range(6):
        W[base + W_WRENCH + i] = 0.0
        W[base + W_AJ + i] = W[base + W_PA + i]
    if I[bt + B_KIND] == FREE:
        s = I[SCRATCH]
        for i in range(36):
            W[s + i] = W[base + W_IA + i]
        for i in range(6):
            W[base + W_ACC + i] = -W[base + W_PA + i]
        if solve_spd(W, s, 6, W, base + W_ACC, 1):
            return 3000
    else:
        for i in range(3):
            W[base + W_ACC + i] = W[base + W_C + i] - F[g + i]
            W[base + W_ACC + 3 + i] = W[base + W_C + 3 + i]
        for i in range(6):
            v = W[base + W_PA + i]
            for j in range(6):
                v += W[base + W_IA + 6 * i + j] * W[base + W_ACC + j]
            W[base + W_WRENCH + i] = v
    modal_accelerations(I, W, bt, base, base + W_ACC)
    for k in range(1, I[BODIES]):
        bt = I[BODY_TABLE] + k * B_STRIDE
        b = I[BODY_WORK] + k * W_STRIDE
        p = I[BODY_WORK] + I[bt + B_PARENT] * W_STRIDE
        lx, ly, lz = W[p + W_ACC + 3], W[p + W_ACC + 4], W[p + W_ACC + 5]
        rx, ry, rz = W[b + W_RHO], W[b + W_RHO + 1], W[b + W_RHO + 2]
        x, y, z = cross(lx, ly, lz, rx, ry, rz)
        x, y, z = x + W[p + W_ACC], y + W[p + W_ACC + 1], z + W[p + W_ACC + 2]
        if I[bt + B_PARENT_NODE] >= 0:
            nt = I[NODE_TABLE] + I[bt + B_PARENT_NODE] * N_STRIDE
            btp = I[BODY_TABLE] + I[bt + B_PARENT] * B_STRIDE
            e = I[btp + B_FLEX] + 13 * I[btp + B_MODES] + I[nt + N_LOCAL]
            for l in range(I[nt + N_MODES]):
                q, h = I[nt + N_WORK] + Q_PHI + 6 * l, W[e + l]
                x, y, z = x + W[q] * h, y + W[q + 1] * h, z + W[q + 2] * h
                lx, ly, lz = lx + W[q + 3] * h, ly + W[q + 4] * h, lz + W[q + 5] * h
        kind = I[bt + B_KIND]
        if kind == PRISMATIC:
            x1, y1, z1 = cross(lx, ly, lz, W[b + W_D], W[b + W_D + 1], W[b + W_D + 2])
            x, y, z = x + x1, y + y1, z + z1
        a = b + W_AJ
        W[a], W[a + 1], W[a + 2] = x + W[b + W_C], y + W[b + W_C + 1], z + W[b + W_C + 2]
        W[a + 3], W[a + 4], W[a + 5] = lx + W[b + W_C + 3], ly + W[b + W_C + 4], lz + W[b + W_C + 5]
        if I[bt + B_MOTION] < 0:
            if kind == HINGE or kind == PRISMATIC:
                v = W[b + W_QDD]
                for i in range(6):
                    v -= W[b + W_U + i] * W[a + i]
                v *= W[b + W_DI]
                W[b + W_QDD] = v
                s = 3 if kind == HINGE else 0
                for i in range(3):
                    W[a + s + i] += W[b + W_G + i] * v
            elif kind == BALL:
                for c in range(3):
                    v = W[b + W_QDD + c]
                    for i in range(6):
                        v -= W[b + W_U + 3 * i + c] * W[a + i]
                    W[b + W_WRENCH + c] = v
                for c in range(3):
                    v = 0.0
                    for j in range(3):
                        v += W[b + W_DI + 3 * c + j] * W[b + W_WRENCH + j]
                    W[b + W_QDD + c] = v
                x, y, z = times(W, b + W_RJ, W[b + W_QDD], W[b + W_QDD + 1], W[b + W_QDD + 2])
                W[a + 3] += x
                W[a + 4] += y
                W[a + 5] += z
        else:
            joint_wrench(I, W, bt, b)
            s = 3 if kind == HINGE else 0
            v = 0.0
            for i in range(3):
                v += W[b + W_G + i] * W[b + W_WRENCH + s + i]
            W[b + W_TAU] = v
        for i in range(6):
            W[b + W_ACC + i] = W[a + i]
        if I[bt + B_MODES]:
            modal_accelerations(I, W, bt, b, a)
            if I[bt + B_CHILD_NODE] >= 0:
                nt = I[NODE_TABLE] + I[bt + B_CHILD_NODE] * N_STRIDE
                o = I[nt + N_WORK]
                e = I[bt + B_FLEX] + 13 * I[bt + B_MODES] + I[nt + N_LOCAL]
                x, y, z = cross(W[a + 3], W[a + 4], W[a + 5], W[o + Q_POS], W[o + Q_POS + 1], W[o + Q_POS + 2])
                c = b + W_ACC
                W[c], W[c + 1], W[c + 2] = W[c] - x, W[c + 1] - y, W[c + 2] - z
                for i in range(6):
                    W[c + i] += W[b + W_CH + i]
                for l in range(I[nt + N_MODES]):
                    for i in range(6):
                        W[c + i] += W[o + Q_PHI + 6 * l + i] * W[e + l]
    return 0
