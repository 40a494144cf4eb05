"""Inward elimination and outward solution (articulated bodies), and the right-hand side of the state."""

from __future__ import annotations

import math

from tisserand.multibody.recursive._kernels_control import apply_loads, control, profile_at
from tisserand.multibody.recursive._kernels_forward import forward
from tisserand.multibody.recursive._kernels_small import cross, quaternion_rate, solve_spd, times, transposed_times
from tisserand.multibody.recursive.layout import (
    ACCOUNT, B_BLOCK, B_BLOCKS, B_CHILD_NODE, B_DENSE, B_DIAGONAL, B_ETA, B_FLEX, B_FLOAT, B_KIND, B_MASS, B_MODES,
    B_MOTION, B_PARENT, B_PARENT_NODE, B_Q, B_STRIDE, B_U, BALL, BLOCK_TABLE, BODIES, BODY_TABLE, BODY_WORK, ETA, ETA_RATE,
    F_DAMPER, F_REST, F_SPRING, FIXED, FREE, GRAVITY, HINGE, K_DIAGONAL, K_ETA, K_LOCAL, K_MODES, K_STIFF, K_STRIDE,
    MODES, N_LOCAL, N_MODES, N_STRIDE, N_WORK, NODE_TABLE, PRISMATIC, PSI, PSI_RATE, Q_PHI, Q_POS, R_BODY, R_FLOAT, R_MODE,
    R_PROFILE, R_STATE, R_STRIDE, RESULT, ROTOR_TABLE, ROTORS, SCRATCH, SIZE, SPEEDS, W_ACC, W_AJ, W_C, W_CH, W_D, W_DI,
    W_G, W_IA, W_OM, W_PA, W_QD, W_QDD, W_R, W_RHO, W_RJ, W_S, W_STRIDE, W_TAU, W_U, W_V, W_WRENCH, W_X, F_MASS, PRESCRIBED,
)
from tisserand.multibody.recursive.helper import entry, helper
from tisserand.multibody.recursive.signatures import RHS


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
            n = math.sqrt(y[q + 1] ** 2 + y[q + 2] ** 2 + y[q + 3] ** 2)
            s = 2.0 if n < 1e-9 else 2.0 * math.atan2(n, abs(y[q])) / n
            if y[q] < 0.0:
                s = -s
            for i in range(3):
                W[b + W_TAU + i] = -F[f + F_SPRING] * s * y[q + 1 + i] - F[f + F_DAMPER] * W[b + W_QD + i]


@helper
def float_on_node(I, W, bt, b):
    """Change the unknowns of a floating body from (A_k, eta'') to (A_joint, eta''): theory section 5."""
    nt = I[NODE_TABLE] + I[bt + B_CHILD_NODE] * N_STRIDE
    o, n, local, nm = I[nt + N_WORK], I[nt + N_MODES], I[nt + N_LOCAL], I[bt + B_MODES]
    g = I[bt + B_FLEX]
    bias, mm, ia, pa = g + 14 * nm, g + 15 * nm, b + W_IA, b + W_PA
    rx, ry, rz = W[o + Q_POS], W[o + Q_POS + 1], W[o + Q_POS + 2]
    # bias acceleration of the body's frame at zero joint acceleration: c_h = [ca - calpha x r; calpha]
    x, y, z = cross(W[b + W_CH + 3], W[b + W_CH + 4], W[b + W_CH + 5], rx, ry, rz)
    W[b + W_CH] -= x
    W[b + W_CH + 1] -= y
    W[b + W_CH + 2] -= z
    for i in range(6):
        v = 0.0
        for j in range(6):
            v += W[ia + 6 * i + j] * W[b + W_CH + j]
        W[pa + i] += v
    for l in range(nm):
        v = 0.0
        for j in range(6):
            v += W[g + 6 * l + j] * W[b + W_CH + j]
        W[bias + l] += v
    # columns of S_eta into the node's Phi: [theta x r - phi; -theta]
    for l in range(n):
        p = o + Q_PHI + 6 * l
        tx, ty, tz = W[p + 3], W[p + 4], W[p + 5]
        x, y, z = cross(tx, ty, tz, rx, ry, rz)
        W[p], W[p + 1], W[p + 2], W[p + 3], W[p + 4], W[p + 5] = x - W[p], y - W[p + 1], z - W[p + 2], -tx, -ty, -tz
    # modal mass: G S, its transpose and S' M S; rows of G: G + S'M
    for l in range(n):
        p = o + Q_PHI + 6 * l
        for m in range(nm):
            v = 0.0
            for j in range(6):
                v += W[g + 6 * m + j] * W[p + j]
            W[mm + m * nm + local + l] += v
            W[mm + (local + l) * nm + m] += v
    for l in range(n):
        p = o + Q_PHI + 6 * l
        for i in range(6):
            v = 0.0
            for j in range(6):
                v += W[ia + 6 * i + j] * W[p + j]
            W[I[SCRATCH] + i] = v
            W[g + 6 * (local + l) + i] += v
        for m in range(n):
            v = 0.0
            for j in range(6):
                v += W[o + Q_PHI + 6 * m + j] * W[I[SCRATCH] + j]
            W[mm + (local + m) * nm + local + l] += v
        v = 0.0
        for j in range(6):
            v += W[p + j] * W[pa + j]
        W[bias + local + l] += v
    # move to the joint point: a_k = a_joint + r x alpha
    shift_inertia(W, ia, pa, -rx, -ry, -rz)
    for l in range(nm):
        r = g + 6 * l
        x, y, z = cross(W[r], W[r + 1], W[r + 2], rx, ry, rz)
        W[r + 3] += x
        W[r + 4] += y
        W[r + 5] += z


@helper
def shift_inertia(W, ia, pa, x, y, z):
    """Refer a 6 x 6 inertia and a wrench to a point from which the old one lies at (x, y, z): X'M X, X = [1, -r~; 0, 1]."""
    for i in range(6):
        r = ia + 6 * i
        a, b, c = W[r], W[r + 1], W[r + 2]
        W[r + 3] += y * c - z * b
        W[r + 4] += z * a - x * c
        W[r + 5] += x * b - y * a
    for j in range(6):
        a, b, c = W[ia + j], W[ia + 6 + j], W[ia + 12 + j]
        W[ia + 18 + j] += y * c - z * b
        W[ia + 24 + j] += z * a - x * c
        W[ia + 30 + j] += x * b - y * a
    a, b, c = W[pa], W[pa + 1], W[pa + 2]
    W[pa + 3] += y * c - z * b
    W[pa + 4] += z * a - x * c
    W[pa + 5] += x * b - y * a


@helper
def eliminate_modes(I, F, W, bt, b):
    """Z = M^-1 [G | bias] and the 6 x 6 inertia and bias left after the modal equations are solved; status."""
    n, g = I[bt + B_MODES], I[bt + B_FLEX]
    z, bias, ia, pa = g + 6 * n, g + 14 * n, b + W_IA, b + W_PA
    for l in range(n):
        for i in range(6):
            W[z + 7 * l + i] = W[g + 6 * l + i]
        W[z + 7 * l + 6] = W[bias + l]
    if I[bt + B_DENSE]:
        if solve_spd(W, g + 15 * n, n, W, z, 7):
            return 1
    elif I[bt + B_DIAGONAL]:
        for l in range(n):
            f = 1.0 / F[I[bt + B_MASS] + l * n + l]
            for i in range(7):
                W[z + 7 * l + i] *= f
    for l in range(n):
        for i in range(6):
            f = W[g + 6 * l + i]
            for j in range(6):
                W[ia + 6 * i + j] -= f * W[z + 7 * l + j]
            W[pa + i] -= f * W[z + 7 * l + 6]
    return 0


@helper
def eliminate_joint(I, W, bt, b):
    """U = I S, D = S'U and the inertia and bias seen through the joint (in place); status."""
    ia, pa, u, di = b + W_IA, b + W_PA, b + W_U, b + W_DI
    kind, n = I[bt + B_KIND], 0
    if I[bt + B_MOTION] < 0:
        if kind == HINGE or kind == PRISMATIC:
            n = 1
        elif kind == BALL:
            n = 3
    if n == 1:
        s = 3 if kind == HINGE else 0
        gx, gy, gz = W[b + W_G], W[b + W_G + 1], W[b + W_G + 2]
        for i in range(6):
            W[u + i] = W[ia + 6 * i + s] * gx + W[ia + 6 * i + s + 1] * gy + W[ia + 6 * i + s + 2] * gz
        d = gx * W[u + s] + gy * W[u + s + 1] + gz * W[u + s + 2]
        if not d > 1e-300:
            return 2
        d = 1.0 / d
        W[di] = d
        left = W[b + W_TAU] - gx * W[pa + s] - gy * W[pa + s + 1] - gz * W[pa + s + 2]
        W[b + W_QDD] = left
        left *= d
        for i in range(6):
            f = d * W[u + i]
            for j in range(6):
                W[ia + 6 * i + j] -= f * W[u + j]
        for i in range(6):
            v = W[pa + i] + W[u + i] * left
            for j in range(6):
                v += W[ia + 6 * i + j] * W[b + W_C + j]
            W[b + W_AJ + i] = v
    else:
        if n == 3:
            R = b + W_RJ
            for i in range(6):
                for c in range(3):
                    v = 0.0
                    for j in range(3):
                        v += W[ia + 6 * i + 3 + j] * W[R + 3 * j + c]
                    W[u + 3 * i + c] = v
            # D and its inverse by Cholesky on [D | 1]
            s = I[SCRATCH]
            for a in range(3):
                for c in range(3):
                    v = 0.0
                    for j in range(3):
                        v += W[R + 3 * j + a] * W[u + 3 * (3 + j) + c]
                    W[s + 3 * a + c] = v
                    W[di + 3 * a + c] = 1.0 if a == c else 0.0
            if solve_spd(W, s, 3, W, di, 3):
                return 2
            x, y, z = transposed_times(W, R, W[pa + 3], W[pa + 4], W[pa + 5])
            W[b + W_QDD], W[b + W_QDD + 1], W[b + W_QDD + 2] = W[b + W_TAU] - x, W[b + W_TAU + 1] - y, W[b + W_TAU + 2] - z
            for i in range(6):
                f0, f1, f2 = 0.0, 0.0, 0.0
                for c in range(3):
                    f0 += W[u + 3 * i + c] * W[di + 3 * c]
                    f1 += W[u + 3 * i + c] * W[di + 3 * c + 1]
                    f2 += W[u + 3 * i + c] * W[di + 3 * c + 2]
                for j in range(6):
                    W[ia + 6 * i + j] -= f0 * W[u + 3 * j] + f1 * W[u + 3 * j + 1] + f2 * W[u + 3 * j + 2]
                W[pa + i] += f0 * W[b + W_QDD] + f1 * W[b + W_QDD + 1] + f2 * W[b + W_QDD + 2]
        for i in range(6):
            v = W[pa + i]
            for j in range(6):
                v += W[ia + 6 * i + j] * W[b + W_C + j]
            W[b + W_AJ + i] = v
    for i in range(6):
        W[pa + i] = W[b + W_AJ + i]
    return 0


@helper
def hand_to_parent(I, W, bt, b, btp, bp):
    """Add the inertia and bias seen through the joint to the parent, on its node's modal rows too."""
    ia, pa, ip, pp = b + W_IA, b + W_PA, bp + W_IA, bp + W_PA
    node = I[bt + B_PARENT_NODE]
    dx, dy, dz = W[b + W_D], W[b + W_D + 1], W[b + W_D + 2]
    rx, ry, rz = W[b + W_RHO], W[b + W_RHO + 1], W[b + W_RHO + 2]
    if node >= 0:
        if I[bt + B_KIND] == PRISMATIC:
            shift_inertia(W, ia, pa, dx, dy, dz)
        nt = I[NODE_TABLE] + node * N_STRIDE
        o, n, local, nm = I[nt + N_WORK], I[nt + N_MODES], I[nt + N_LOCAL], I[btp + B_MODES]
        g = I[btp + B_FLEX]
        mm, s = g + 15 * nm, I[SCRATCH]
        for l in range(n):
            p = o + Q_PHI + 6 * l
            for i in range(6):
                v = 0.0
                for j in range(6):
                    v += W[ia + 6 * i + j] * W[p + j]
                W[s + i] = v
            v = 0.0
            for j in range(6):
                v += W[p + j] * W[pa + j]
            W[g + 14 * nm + local + l] += v
            for m in range(n):
                v = 0.0
                for j in range(6):
                    v += W[o + Q_PHI + 6 * m + j] * W[s + j]
                W[mm + (local + m) * nm + local + l] += v
            r = g + 6 * (local + l)
            x, y, z = cross(rx, ry, rz, W[s], W[s + 1], W[s + 2])
            for i in range(3):
                W[r + i] += W[s + i]
            W[r + 3] += W[s + 3] + x
            W[r + 4] += W[s + 4] + y
            W[r + 5] += W[s + 5] + z
        shift_inertia(W, ia, pa, rx, ry, rz)
    else:
        shift_inertia(W, ia, pa, rx + dx, ry + dy, rz + dz)
    for i in range(36):
        W[ip + i] += W[ia + i]
    for i in range(6):
        W[pp + i] += W[pa + i]


@helper
def inward(I, F, W):
    """Eliminate from the leaves to the base; status (1 modal mass, 2 joint inertia not positive)."""
    for k in range(I[BODIES] - 1, -1, -1):
        bt = I[BODY_TABLE] + k * B_STRIDE
        b = I[BODY_WORK] + k * W_STRIDE
        if I[bt + B_MODES]:
            if I[bt + B_CHILD_NODE] >= 0:
                float_on_node(I, W, bt, b)
            if eliminate_modes(I, F, W, bt, b):
                return 1000 + k
        if k:
            if eliminate_joint(I, W, bt, b):
                return 2000 + k
            p = I[bt + B_PARENT]
            hand_to_parent(I, W, bt, b, I[BODY_TABLE] + p * B_STRIDE, I[BODY_WORK] + p * W_STRIDE)
    return 0


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
        W[w + i] = W[b + W_PA + i] + W[r] * x + W[r + 1] * y + W[r + 2] * z + W[r + 3] * lx + W[r + 4] * ly + W[r + 5] * lz
    x1, y1, z1 = cross(rx, ry, rz, W[w], W[w + 1], W[w + 2])
    W[w + 3], W[w + 4], W[w + 5] = W[w + 3] - x1, W[w + 4] - y1, W[w + 5] - z1


@helper
def modal_accelerations(I, W, bt, b, a):
    """eta'' = -Z [A; 1]."""
    n, g = I[bt + B_MODES], I[bt + B_FLEX]
    z, e = g + 6 * n, g + 13 * n
    for l in range(n):
        v = W[z + 7 * l + 6]
        for i in range(6):
            v += W[z + 7 * l + i] * W[a + i]
        W[e + l] = -v


@helper
def accounts(I, F, W, y, dy):
    """Rates of work, impulse and angular impulse: what the balance sheet must find again in energy and momentum."""
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
        sx, sy, sz = m * W[b + W_X] + W[b + W_S], m * W[b + W_X + 1] + W[b + W_S + 1], m * W[b + W_X + 2] + W[b + W_S + 2]
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


@entry(RHS)
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
            h, hd, unused = profile_at(I, F, I[rt + R_PROFILE], t)
            if I[rt + R_MODE] == 1:
                dy[I[PSI] + s] = h
                dy[I[PSI_RATE] + s] = hd
                W[res] += F[f + 3] * (hd + along) * h
            else:
                x, y1, z = transposed_times(W, b + W_R, W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2])
                W[res] -= hd * (x * F[f] + y1 * F[f + 1] + z * F[f + 2])
    accounts(I, F, W, y, dy)
    return 0
