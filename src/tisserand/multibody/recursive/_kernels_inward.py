# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
# ruff: noqa: F403, F405, SIM109
"""Inward pass: modes and joints are eliminated from the leaves to the base (articulated bodies).

References: theory section 5; [Featherstone2008].
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_small import cross, solve_spd, transposed_times
from tisserand.multibody.recursive.helper import helper
from tisserand.multibody.recursive.layout import *


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
def add_products(shapes, l, n, W, s, mass, place):
    """Row l of Phi' (I Phi), from its diagonal on, added to ``mass``; I Phi_l is at W[s]."""
    a, b, c, d, e, f = W[s], W[s + 1], W[s + 2], W[s + 3], W[s + 4], W[s + 5]
    row, right = mass[place : place + n - l], shapes[6 * l : 6 * n]
    for m in range(n - l):
        q = 6 * m
        row[m] += (
            a * right[q] + b * right[q + 1] + c * right[q + 2] + d * right[q + 3] + e * right[q + 4] + f * right[q + 5]
        )


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
    shapes, rows, mass = W[o + Q_PHI : o + Q_PHI + 6 * n], W[g : g + 6 * nm], W[mm : mm + nm * nm]
    inertia, wrench, own = W[ia : ia + 36], W[pa : pa + 6], W[bias + local : bias + local + n]
    for l in range(n):
        p = 6 * l
        tx, ty, tz = shapes[p + 3], shapes[p + 4], shapes[p + 5]
        x, y, z = cross(tx, ty, tz, rx, ry, rz)
        shapes[p], shapes[p + 1], shapes[p + 2] = x - shapes[p], y - shapes[p + 1], z - shapes[p + 2]
        shapes[p + 3], shapes[p + 4], shapes[p + 5] = -tx, -ty, -tz
    # modal mass, upper triangle: G S and its transpose
    for l in range(n):
        p, k = 6 * l, local + l
        a, b1, c, d, e, f = shapes[p], shapes[p + 1], shapes[p + 2], shapes[p + 3], shapes[p + 4], shapes[p + 5]
        line = mass[k * nm : (k + 1) * nm]
        for m in range(nm):
            q = 6 * m
            v = a * rows[q] + b1 * rows[q + 1] + c * rows[q + 2] + d * rows[q + 3] + e * rows[q + 4] + f * rows[q + 5]
            if m >= k:
                line[m] += v
            if m <= k:
                mass[m * nm + k] += v
    # S' M S; rows of G: G + S'M
    for l in range(n):
        p, k = 6 * l, local + l
        for i in range(6):
            v = 0.0
            for j in range(6):
                v += inertia[6 * i + j] * shapes[p + j]
            W[I[SCRATCH] + i] = v
            rows[6 * k + i] += v
        add_products(shapes, l, n, W, I[SCRATCH], mass, k * nm + k)
        v = 0.0
        for j in range(6):
            v += shapes[p + j] * wrench[j]
        own[l] += v
    # move to the joint point: a_k = a_joint + r x alpha
    shift_inertia(W, ia, pa, -rx, -ry, -rz)
    for l in range(nm):
        r = g + 6 * l
        x, y, z = cross(W[r], W[r + 1], W[r + 2], rx, ry, rz)
        W[r + 3] += x
        W[r + 4] += y
        W[r + 5] += z


@helper
def eliminate_modes(I, F, W, bt, b):
    """Z = M^-1 [G | bias] and the 6 x 6 inertia and bias left after the modal equations are solved; status."""
    n, g = I[bt + B_MODES], I[bt + B_FLEX]
    z = g + 6 * n
    rows, Z, bias = W[g : g + 6 * n], W[z : z + 7 * n], W[g + 14 * n : g + 15 * n]
    inertia, wrench = W[b + W_IA : b + W_IA + 36], W[b + W_PA : b + W_PA + 6]
    for l in range(n):
        for i in range(6):
            Z[7 * l + i] = rows[6 * l + i]
        Z[7 * l + 6] = bias[l]
    if I[bt + B_DENSE]:
        if solve_spd(W, g + 15 * n, n, W, z, 7):
            return 1
    elif I[bt + B_DIAGONAL]:
        for l in range(n):
            f = 1.0 / F[I[bt + B_MASS] + l * n + l]
            for i in range(7):
                Z[7 * l + i] *= f
    pairs = n // 2
    for l in range(pairs):  # two modes at a time: half the traffic of the sums
        q, o = 12 * l, 14 * l
        for i in range(6):
            f, h = rows[q + i], rows[q + 6 + i]
            for j in range(6):
                inertia[6 * i + j] -= f * Z[o + j] + h * Z[o + 7 + j]
            wrench[i] -= f * Z[o + 6] + h * Z[o + 13]
    if n > 2 * pairs:
        q, o = 6 * n - 6, 7 * n - 7
        for i in range(6):
            f = rows[q + i]
            for j in range(6):
                inertia[6 * i + j] -= f * Z[o + j]
            wrench[i] -= f * Z[o + 6]
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
        if not d.real > 1e-300:
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
            W[b + W_QDD], W[b + W_QDD + 1], W[b + W_QDD + 2] = (
                W[b + W_TAU] - x,
                W[b + W_TAU + 1] - y,
                W[b + W_TAU + 2] - z,
            )
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
        shapes, mass = W[o + Q_PHI : o + Q_PHI + 6 * n], W[mm : mm + nm * nm]
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
            add_products(shapes, l, n, W, s, mass, (local + l) * nm + local + l)
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
