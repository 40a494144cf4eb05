# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
# ruff: noqa: F403, F405
"""Flexible bodies: inertia and bias of the modal equations, motion of nodes (theory sections 2, 3 and 5)."""

from __future__ import annotations

from numba import types

from tisserand.multibody.recursive._kernels_small import cross, times, transposed_times, turn_factors
from tisserand.multibody.recursive.helper import helper, typed_helper
from tisserand.multibody.recursive.layout import *
from tisserand.multibody.recursive.signatures import FLOATS


@typed_helper(
    types.void(FLOATS, types.int64, types.int64, types.int64, types.int64, FLOATS, types.int64, FLOATS, types.int64)
)
def contract(F, o, n, first, last, y, e, out, p):
    """out[first n : last n] = sum_k y[e + k] F[o + k width ...]; rows of F hold ``last`` blocks of n."""
    width = last * n
    for i in range(first * n, width):
        out[p + i] = 0.0
    for k in range(n):
        f = y[e + k]
        row = o + k * width
        for i in range(first * n, width):
            out[p + i] += f * F[row + i]


@helper
def flexible_inertia(I, F, W, y, bt, b):
    """Add the appendages of one body to its inertia (in body axes at W_S, W_J), then rotate all to inertial axes.

    On entry W_S, W_J hold the undeformed first moment and inertia in body axes, W_IA + 21.. is free. Fills the modal rows
    G (n, 6) = [Pt; Cr], bias (n) and adds the body's bias to W_PA (inertial axes). Level by block: constant, linear, full.
    """
    R = b + W_R
    g = I[bt + B_FLEX]
    n_all = I[bt + B_MODES]
    bias = g + 14 * n_all
    wx, wy, wz = transposed_times(W, R, W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2])
    sx, sy, sz = W[b + W_S], W[b + W_S + 1], W[b + W_S + 2]
    ux, uy, uz = 0.0, 0.0, 0.0  # Pt eta'
    qx, qy, qz = 0.0, 0.0, 0.0  # 2 a(eta', eta')
    cx, cy, cz = 0.0, 0.0, 0.0  # Cr eta'
    ex, ey, ez = 0.0, 0.0, 0.0  # 2 e(eta', eta')
    scratch = I[SCRATCH]
    J, D, X = scratch, scratch + 6, scratch + 12  # inertia used, its rate, inertia of the energy
    for i in range(18):
        W[scratch + i] = 0.0
    for nb in range(I[bt + B_BLOCKS]):
        bk = I[BLOCK_TABLE] + (I[bt + B_BLOCK] + nb) * K_STRIDE
        n, e0, local, level, turn = I[bk + K_MODES], I[bk + K_ETA], I[bk + K_LOCAL], I[bk + K_LEVEL], I[bk + K_TURN]
        f0 = I[bk + K_FLOAT]
        eta, rate = I[ETA] + e0, I[ETA_RATE] + e0
        fP, fH, fJ, fM = f0, f0 + 3 * n, f0 + 6 * n, f0 + 12 * n
        width = 15 if turn else 9
        E = scratch + 18
        V = E + width * n
        if level > 0:
            contract(F, fM, n, 0, width, y, eta, W, E)
            contract(F, fM, n, 6, width, y, rate, W, V)
        for l in range(n):
            h, hd = y[eta + l], y[rate + l]
            row = g + 6 * (local + l)
            px, py, pz = F[fP + 3 * l], F[fP + 3 * l + 1], F[fP + 3 * l + 2]
            rx, ry, rz = F[fH + 3 * l], F[fH + 3 * l + 1], F[fH + 3 * l + 2]
            sx += px * h
            sy += py * h
            sz += pz * h
            force = 0.0
            if level > 0:
                c = 0.0
                for i in range(6):
                    d1, d2 = F[fJ + 6 * l + i], W[E + i * n + l]
                    W[X + i] += (d1 + d2) * h
                    if level == 2:
                        W[J + i] += (d1 + d2) * h
                        W[D + i] += (d1 + 2.0 * d2) * hd
                    else:
                        W[J + i] += d1 * h
                        W[D + i] += d1 * hd
                    W[scratch + 18 + (width + width) * n + i] = d1 + 2.0 * d2
                o = scratch + 18 + (width + width) * n
                c = 0.5 * (wx * wx * W[o] + wy * wy * W[o + 1] + wz * wz * W[o + 2])
                c += wx * wy * W[o + 3] + wy * wz * W[o + 4] + wz * wx * W[o + 5]
                rx += W[E + 6 * n + l]
                ry += W[E + 7 * n + l]
                rz += W[E + 8 * n + l]
                force = 2.0 * (wx * W[V + 6 * n + l] + wy * W[V + 7 * n + l] + wz * W[V + 8 * n + l]) - c
                if turn:
                    if level == 2:
                        sx += W[E + 12 * n + l] * h
                        sy += W[E + 13 * n + l] * h
                        sz += W[E + 14 * n + l] * h
                        qx += 2.0 * W[V + 12 * n + l] * hd
                        qy += 2.0 * W[V + 13 * n + l] * hd
                        qz += 2.0 * W[V + 14 * n + l] * hd
                        ex += 2.0 * W[V + 9 * n + l] * hd
                        ey += 2.0 * W[V + 10 * n + l] * hd
                        ez += 2.0 * W[V + 11 * n + l] * hd
                    px += 2.0 * W[E + 12 * n + l]
                    py += 2.0 * W[E + 13 * n + l]
                    pz += 2.0 * W[E + 14 * n + l]
                    rx += 2.0 * W[E + 9 * n + l]
                    ry += 2.0 * W[E + 10 * n + l]
                    rz += 2.0 * W[E + 11 * n + l]
            ux += px * hd
            uy += py * hd
            uz += pz * hd
            cx += rx * hd
            cy += ry * hd
            cz += rz * hd
            W[row], W[row + 1], W[row + 2] = times(W, R, px, py, pz)
            W[row + 3], W[row + 4], W[row + 5] = times(W, R, rx, ry, rz)
            W[bias + local + l] = force
        fs = I[bk + K_STIFF]
        if I[bk + K_DIAGONAL]:
            for l in range(n):
                W[bias + local + l] += F[fs + l * n + l] * y[eta + l] + F[fs + n * n + l * n + l] * y[rate + l]
        else:
            for k in range(n):
                h, hd = y[eta + k], y[rate + k]
                for l in range(n):
                    W[bias + local + l] += F[fs + k * n + l] * h + F[fs + n * n + k * n + l] * hd
    # inertia in body axes: order xx, yy, zz, xy, yz, zx
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
    kx, ky, kz = 0.0, 0.0, 0.0
    for i in range(6):
        r, s = pairs[i]
        v = W[J + i]
        W[b + W_IA + 6 * (3 + r) + 3 + s] += v
        W[b + W_J + 3 * r + s] += W[X + i]
        if r != s:
            W[b + W_IA + 6 * (3 + s) + 3 + r] += v
            W[b + W_J + 3 * s + r] += W[X + i]
    kx = W[D] * wx + W[D + 3] * wy + W[D + 5] * wz
    ky = W[D + 3] * wx + W[D + 1] * wy + W[D + 4] * wz
    kz = W[D + 5] * wx + W[D + 4] * wy + W[D + 2] * wz
    # w x J w of the deformation part (the undeformed part is the rigid body's)
    hx = W[J] * wx + W[J + 3] * wy + W[J + 5] * wz + cx
    hy = W[J + 3] * wx + W[J + 1] * wy + W[J + 4] * wz + cy
    hz = W[J + 5] * wx + W[J + 4] * wy + W[J + 2] * wz + cz
    tx, ty, tz = cross(wx, wy, wz, hx, hy, hz)
    tx, ty, tz = times(W, R, tx + kx + ex, ty + ky + ey, tz + kz + ez)
    W[b + W_PA + 3] += tx
    W[b + W_PA + 4] += ty
    W[b + W_PA + 5] += tz
    fx, fy, fz = cross(wx, wy, wz, ux, uy, uz)
    fx, fy, fz = times(W, R, 2.0 * fx + qx, 2.0 * fy + qy, 2.0 * fz + qz)
    W[b + W_PA] += fx
    W[b + W_PA + 1] += fy
    W[b + W_PA + 2] += fz
    W[b + W_S], W[b + W_S + 1], W[b + W_S + 2] = sx, sy, sz
    if I[bt + B_DENSE]:
        m = g + 15 * n_all
        for i in range(n_all * n_all):
            W[m + i] = F[I[bt + B_MASS] + i]


@helper
def node_in_body(I, F, W, y, nt):
    """Displaced place, velocity, finite turn, relative rate and bias of a node, in the axes of its body.

    b = theta eta, turn exp(b~), relative rate Jl(b) b' with Jl = 1 + c1 b~ + c2 b~b~; columns [phi; Jl theta] (n, 6).
    """
    n, f, o = I[nt + N_MODES], I[nt + N_FLOAT], I[nt + N_WORK]
    eta, rate = I[ETA] + I[nt + N_ETA], I[ETA_RATE] + I[nt + N_ETA]
    fp, ft = f + 3, f + 3 + 3 * n
    phi = o + Q_PHI
    for i in range(n * 6):
        W[phi + i] = 0.0
    for i in range(24):
        W[o + i] = 0.0
    for l in range(n):
        for a in range(3):
            W[phi + 6 * l + a] = F[fp + 3 * l + a]
            W[phi + 6 * l + 3 + a] = F[ft + 3 * l + a]
    # b is gathered in Q_E, b' in Q_W
    for a in range(3):
        W[o + Q_POS + a] = F[f + a]
    if I[nt + N_SECOND]:
        for a in range(6):
            s = ft + 3 * n + a * n * n
            for k in range(n):
                h, hd = y[eta + k], y[rate + k]
                for l in range(n):
                    q = F[s + k * n + l]
                    W[phi + 6 * l + a] += 2.0 * q * h
                    # the second-degree part enters the place once, the columns twice
                    if a < 3:
                        W[o + Q_POS + a] -= q * h * y[eta + l]
                        W[o + Q_A + a] += 2.0 * q * hd * y[rate + l]
                    else:
                        W[o + Q_E + a - 3] -= q * h * y[eta + l]
                        W[o + Q_AL + a - 3] += 2.0 * q * hd * y[rate + l]
    for l in range(n):
        h, hd = y[eta + l], y[rate + l]
        for a in range(3):
            W[o + Q_POS + a] += W[phi + 6 * l + a] * h
            W[o + Q_VEL + a] += W[phi + 6 * l + a] * hd
            W[o + Q_E + a] += W[phi + 6 * l + 3 + a] * h
            W[o + Q_W + a] += W[phi + 6 * l + 3 + a] * hd
    bx, by, bz = W[o + Q_E], W[o + Q_E + 1], W[o + Q_E + 2]
    dx, dy, dz = W[o + Q_W], W[o + Q_W + 1], W[o + Q_W + 2]
    t = bx * bx + by * by + bz * bz
    c1, c2, d1, d2 = turn_factors(t)
    # Jl columns, rate and its bias
    for l in range(n):
        tx, ty, tz = W[phi + 6 * l + 3], W[phi + 6 * l + 4], W[phi + 6 * l + 5]
        x1, y1, z1 = cross(bx, by, bz, tx, ty, tz)
        x2, y2, z2 = cross(bx, by, bz, x1, y1, z1)
        W[phi + 6 * l + 3] = tx + c1 * x1 + c2 * x2
        W[phi + 6 * l + 4] = ty + c1 * y1 + c2 * y2
        W[phi + 6 * l + 5] = tz + c1 * z1 + c2 * z2
    ax, ay, az = W[o + Q_AL], W[o + Q_AL + 1], W[o + Q_AL + 2]  # b'' at eta'' = 0
    x1, y1, z1 = cross(bx, by, bz, dx, dy, dz)
    x2, y2, z2 = cross(bx, by, bz, x1, y1, z1)
    x3, y3, z3 = cross(dx, dy, dz, x1, y1, z1)
    x4, y4, z4 = cross(bx, by, bz, ax, ay, az)
    x5, y5, z5 = cross(bx, by, bz, x4, y4, z4)
    bd = bx * dx + by * dy + bz * dz
    W[o + Q_W], W[o + Q_W + 1], W[o + Q_W + 2] = dx + c1 * x1 + c2 * x2, dy + c1 * y1 + c2 * y2, dz + c1 * z1 + c2 * z2
    W[o + Q_AL] = ax + c1 * x4 + c2 * x5 + bd * (d1 * x1 + d2 * x2) + c2 * x3
    W[o + Q_AL + 1] = ay + c1 * y4 + c2 * y5 + bd * (d1 * y1 + d2 * y2) + c2 * y3
    W[o + Q_AL + 2] = az + c1 * z4 + c2 * z5 + bd * (d1 * z1 + d2 * z2) + c2 * z3
    # exp(b~) = 1 + (sin b / b) b~ + c1 b~b~, with sin b / b = 1 - c2 b^2
    s = 1.0 - c2 * t
    e = o + Q_E
    W[e], W[e + 1], W[e + 2] = 1.0 - c1 * (by * by + bz * bz), c1 * bx * by - s * bz, c1 * bx * bz + s * by
    W[e + 3], W[e + 4], W[e + 5] = c1 * bx * by + s * bz, 1.0 - c1 * (bx * bx + bz * bz), c1 * by * bz - s * bx
    W[e + 6], W[e + 7], W[e + 8] = c1 * bx * bz - s * by, c1 * by * bz + s * bx, 1.0 - c1 * (bx * bx + by * by)


@helper
def node_in_space(I, W, nt, b):
    """Turn a node's motion into inertial axes and complete its bias with the motion of the body."""
    o, R, n = I[nt + N_WORK], b + W_R, I[nt + N_MODES]
    wx, wy, wz = W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2]
    rx, ry, rz = times(W, R, W[o + Q_POS], W[o + Q_POS + 1], W[o + Q_POS + 2])
    vx, vy, vz = times(W, R, W[o + Q_VEL], W[o + Q_VEL + 1], W[o + Q_VEL + 2])
    ux, uy, uz = times(W, R, W[o + Q_W], W[o + Q_W + 1], W[o + Q_W + 2])
    ax, ay, az = times(W, R, W[o + Q_A], W[o + Q_A + 1], W[o + Q_A + 2])
    lx, ly, lz = times(W, R, W[o + Q_AL], W[o + Q_AL + 1], W[o + Q_AL + 2])
    x1, y1, z1 = cross(wx, wy, wz, rx, ry, rz)
    x1, y1, z1 = cross(wx, wy, wz, x1 + 2.0 * vx, y1 + 2.0 * vy, z1 + 2.0 * vz)
    x2, y2, z2 = cross(wx, wy, wz, ux, uy, uz)
    W[o + Q_POS], W[o + Q_POS + 1], W[o + Q_POS + 2] = rx, ry, rz
    W[o + Q_VEL], W[o + Q_VEL + 1], W[o + Q_VEL + 2] = vx, vy, vz
    W[o + Q_W], W[o + Q_W + 1], W[o + Q_W + 2] = ux, uy, uz
    W[o + Q_A], W[o + Q_A + 1], W[o + Q_A + 2] = ax + x1, ay + y1, az + z1
    W[o + Q_AL], W[o + Q_AL + 1], W[o + Q_AL + 2] = lx + x2, ly + y2, lz + z2
    for l in range(n):
        p = o + Q_PHI + 6 * l
        W[p], W[p + 1], W[p + 2] = times(W, R, W[p], W[p + 1], W[p + 2])
        W[p + 3], W[p + 4], W[p + 5] = times(W, R, W[p + 3], W[p + 4], W[p + 5])


@helper
def nodes_in_body(I, F, W, y, bt):
    for i in range(I[bt + B_NODES]):
        node_in_body(I, F, W, y, I[NODE_TABLE] + (I[bt + B_NODE] + i) * N_STRIDE)


@helper
def nodes_in_space(I, W, bt, b):
    for i in range(I[bt + B_NODES]):
        node_in_space(I, W, I[NODE_TABLE] + (I[bt + B_NODE] + i) * N_STRIDE, b)
