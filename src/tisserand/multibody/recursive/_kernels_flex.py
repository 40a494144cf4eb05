# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
# ruff: noqa: F403, F405
"""Flexible bodies: inertia and bias of the modal equations, motion of nodes (theory sections 2, 3 and 5)."""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_contract import contract
from tisserand.multibody.recursive._kernels_field import completed_field, turning_body
from tisserand.multibody.recursive._kernels_small import cross, times, transposed_times, turn_factors
from tisserand.multibody.recursive.helper import helper
from tisserand.multibody.recursive.layout import *


@helper
def flexible_inertia(I, F, W, y, bt, b):
    """Add the appendages of one body to its inertia (in body axes at W_S, W_J), then rotate all to inertial axes.

    On entry W_S, W_J hold the undeformed first moment and inertia in body axes, W_IA + 21.. is free. Fills the modal rows
    G (n, 6) = [Pt; Cr], bias (n), the modal mass where it is dense, and adds the body's bias to W_PA (inertial axes). A block
    is constant, a linear displacement field (plain), or a second-degree field.
    """
    R = b + W_R
    g = I[bt + B_FLEX]
    n_all = I[bt + B_MODES]
    bias, mass = g + 14 * n_all, g + 15 * n_all
    wx, wy, wz = transposed_times(W, R, W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2])
    scratch = I[SCRATCH]
    sums = W[scratch : scratch + 39]  # see _kernels_field
    for i in range(39):
        sums[i] = 0.0
    if I[bt + B_DENSE]:
        for i in range(n_all * n_all):
            W[mass + i] = F[I[bt + B_MASS] + i]
    for nb in range(I[bt + B_BLOCKS]):
        bk = I[BLOCK_TABLE] + (I[bt + B_BLOCK] + nb) * K_STRIDE
        n, local, level = I[bk + K_MODES], I[bk + K_LOCAL], I[bk + K_LEVEL]
        eta, rate = I[ETA] + I[bk + K_ETA], I[ETA_RATE] + I[bk + K_ETA]
        rows = W[g + 6 * local : g + 6 * (local + n)]
        force = W[bias + local : bias + local + n]
        if I[bk + K_TURN]:
            second_degree_block(I, F, W, y, bk, wx, wy, wz, sums, rows, force, mass, n_all, scratch + 39)
        else:
            plain_block(I, F, W, y, bk, level, wx, wy, wz, sums, rows, force, scratch + 39)
        for l in range(n):
            o = 6 * l
            rows[o], rows[o + 1], rows[o + 2] = times(W, R, rows[o], rows[o + 1], rows[o + 2])
            rows[o + 3], rows[o + 4], rows[o + 5] = times(W, R, rows[o + 3], rows[o + 4], rows[o + 5])
        fs = I[bk + K_STIFF]
        if I[bk + K_DIAGONAL]:
            for l in range(n):
                force[l] += F[fs + l * n + l] * y[eta + l] + F[fs + n * n + l * n + l] * y[rate + l]
        else:
            for k in range(n):
                h, hd = y[eta + k], y[rate + k]
                for l in range(n):
                    force[l] += F[fs + k * n + l] * h + F[fs + n * n + k * n + l] * hd
    # inertia in body axes: order xx, yy, zz, xy, yz, zx
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
    for i in range(6):
        r, s = pairs[i]
        v = sums[15 + i] + sums[33 + i]
        W[b + W_IA + 6 * (3 + r) + 3 + s] += v
        W[b + W_J + 3 * r + s] += v
        if r != s:
            W[b + W_IA + 6 * (3 + s) + 3 + r] += v
            W[b + W_J + 3 * s + r] += v
    kx = sums[21] * wx + sums[24] * wy + sums[26] * wz
    ky = sums[24] * wx + sums[22] * wy + sums[25] * wz
    kz = sums[26] * wx + sums[25] * wy + sums[23] * wz
    # w x J w of the deformation part (the undeformed part is the rigid body's; turning bodies bring theirs in the torque)
    hx = sums[15] * wx + sums[18] * wy + sums[20] * wz + sums[9]
    hy = sums[18] * wx + sums[16] * wy + sums[19] * wz + sums[10]
    hz = sums[20] * wx + sums[19] * wy + sums[17] * wz + sums[11]
    tx, ty, tz = cross(wx, wy, wz, hx, hy, hz)
    tx, ty, tz = times(
        W, R, tx + kx + sums[12] + sums[30], ty + ky + sums[13] + sums[31], tz + kz + sums[14] + sums[32]
    )
    W[b + W_PA + 3] += tx
    W[b + W_PA + 4] += ty
    W[b + W_PA + 5] += tz
    fx, fy, fz = cross(wx, wy, wz, sums[3], sums[4], sums[5])
    fx, fy, fz = 2.0 * fx + sums[6] + sums[27], 2.0 * fy + sums[7] + sums[28], 2.0 * fz + sums[8] + sums[29]
    fx, fy, fz = times(W, R, fx, fy, fz)
    W[b + W_PA] += fx
    W[b + W_PA + 1] += fy
    W[b + W_PA + 2] += fz
    for i in range(3):
        W[b + W_S + i] += sums[i]


@helper
def second_degree_block(I, F, W, y, bk, wx, wy, wz, sums, rows, force, mass, n_all, scratch):
    """A block that moves by a second-degree field: affine completion and turning bodies, less its undeformed inertia."""
    n, local, f0 = I[bk + K_MODES], I[bk + K_LOCAL], I[bk + K_FLOAT]
    q = mass + n_all * n_all + 6 * local
    stretch = W[q : q + 6 * n]
    first = mass + local * n_all + local
    completed_field(I, F, W, y, bk, wx, wy, wz, sums, rows, force, stretch, first, n_all, scratch)
    psi = 6 * n * n if I[bk + K_PSI] else 0
    for i in range(I[bk + K_BODIES]):
        f = I[bk + K_BODY] + i * (T_SHAPES + 6 * n + psi)
        turning_body(I, F, W, y, bk, f, wx, wy, wz, sums, rows, force, stretch, first, n_all, scratch)
    for i in range(3):
        sums[i] -= F[f0 + A_FIRST + i]
    for i in range(6):
        sums[15 + i] -= F[f0 + A_INERTIA + i]


@helper
def plain_block(I, F, W, y, bk, level, wx, wy, wz, sums, rows, force, scratch):
    """A block that moves by a linear field: P, H, J1, J2, Kx; all constant at level 0."""
    n, f0 = I[bk + K_MODES], I[bk + K_FLOAT]
    eta, rate = I[ETA] + I[bk + K_ETA], I[ETA_RATE] + I[bk + K_ETA]
    E, V = scratch, scratch + 9 * n
    if level > 0:
        contract(F, f0 + 12 * n, n, 9, 0, 9, y, eta, W, E)
        contract(F, f0 + 12 * n, n, 9, 6, 9, y, rate, W, V)
    second = W[E : E + 18 * n]
    first = F[f0 : f0 + 12 * n]
    sx, sy, sz = 0.0, 0.0, 0.0
    ux, uy, uz = 0.0, 0.0, 0.0
    cx, cy, cz = 0.0, 0.0, 0.0
    # sums over the modes of J1 eta + J2 eta eta and of its rate in the order xx, yy, zz, xy, yz, zx
    a0, a1, a2, a3, a4, a5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    r0, r1, r2, r3, r4, r5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for l in range(n):
        h, hd = y[eta + l], y[rate + l]
        px, py, pz = first[3 * l], first[3 * l + 1], first[3 * l + 2]
        rx, ry, rz = first[3 * (n + l)], first[3 * (n + l) + 1], first[3 * (n + l) + 2]
        sx, sy, sz = sx + px * h, sy + py * h, sz + pz * h
        push = 0.0
        if level > 0:
            o = 6 * (n + l)
            d0, d1, d2, d3, d4, d5 = first[o], first[o + 1], first[o + 2], first[o + 3], first[o + 4], first[o + 5]
            e0, e1, e2 = second[l], second[n + l], second[2 * n + l]
            e3, e4, e5 = second[3 * n + l], second[4 * n + l], second[5 * n + l]
            a0, a1, a2 = a0 + (d0 + e0) * h, a1 + (d1 + e1) * h, a2 + (d2 + e2) * h
            a3, a4, a5 = a3 + (d3 + e3) * h, a4 + (d4 + e4) * h, a5 + (d5 + e5) * h
            d0, d1, d2, d3, d4, d5 = (
                d0 + 2.0 * e0,
                d1 + 2.0 * e1,
                d2 + 2.0 * e2,
                d3 + 2.0 * e3,
                d4 + 2.0 * e4,
                d5 + 2.0 * e5,
            )
            r0, r1, r2, r3, r4, r5 = r0 + d0 * hd, r1 + d1 * hd, r2 + d2 * hd, r3 + d3 * hd, r4 + d4 * hd, r5 + d5 * hd
            push = 2.0 * (wx * second[15 * n + l] + wy * second[16 * n + l] + wz * second[17 * n + l])
            push -= 0.5 * (wx * wx * d0 + wy * wy * d1 + wz * wz * d2) + wx * wy * d3 + wy * wz * d4 + wz * wx * d5
            rx, ry, rz = rx + second[6 * n + l], ry + second[7 * n + l], rz + second[8 * n + l]
        ux, uy, uz = ux + px * hd, uy + py * hd, uz + pz * hd
        cx, cy, cz = cx + rx * hd, cy + ry * hd, cz + rz * hd
        o = 6 * l
        rows[o], rows[o + 1], rows[o + 2], rows[o + 3], rows[o + 4], rows[o + 5] = px, py, pz, rx, ry, rz
        force[l] = push
    sums[0] += sx
    sums[1] += sy
    sums[2] += sz
    sums[3] += ux
    sums[4] += uy
    sums[5] += uz
    sums[9] += cx
    sums[10] += cy
    sums[11] += cz
    sums[15] += a0
    sums[16] += a1
    sums[17] += a2
    sums[18] += a3
    sums[19] += a4
    sums[20] += a5
    sums[21] += r0
    sums[22] += r1
    sums[23] += r2
    sums[24] += r3
    sums[25] += r4
    sums[26] += r5


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
