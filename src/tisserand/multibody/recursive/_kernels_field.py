# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
# ruff: noqa: F403, F405
"""Second-degree displacement fields: affine completion and bodies that turn exactly (theory section 8).

Both fill the modal rows [M_v; M_w] in body axes, the modal bias and the upper triangle of the modal mass. What they add to the
body itself goes to ``sums``: first moment 0-2, int Yd 3-5 and its bias 6-8, relative angular momentum 9-11 and its bias 12-14,
inertia 15-20 and its rate 21-26 in the order xx, yy, zz, xy, yz, zx; of turning bodies force 27-29, torque 30-32, inertia 33-38.
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_contract import contract
from tisserand.multibody.recursive._kernels_small import cross, turn_factors
from tisserand.multibody.recursive.helper import helper
from tisserand.multibody.recursive.layout import *


@helper
def completed_field(I, F, W, y, bk, wx, wy, wz, sums, rows, force, stretch, mass, stride, scratch):
    """The completion of one block.

    Rows (n, 6), force (n), symmetric int y Y' (n, 6) into ``stretch``, and the modal mass, whose first entry is W[mass] in rows
    of ``stride``. The rows of X beyond the twelve of the affine functions are W + e eta of the modal part.
    """
    n, f0 = I[bk + K_MODES], I[bk + K_FLOAT]
    eta, rate = I[ETA] + I[bk + K_ETA], I[ETA_RATE] + I[bk + K_ETA]
    fS = f0 + A_SHAPES
    more = I[bk + K_MORE]
    wide, blocks = 12 + more, A_BLOCKS + more
    fC, fU = fS + wide * n, fS + wide * n + blocks * n * n
    E, V, x = scratch, scratch + blocks * n, scratch + 2 * blocks * n
    contract(F, fC, n, blocks, 9, blocks, y, eta, W, E)
    contract(F, fC, n, blocks, 9, blocks, y, rate, W, V)
    root = F[f0 + A_ROOT]
    N, X = W[E : E + 9 * n], W[x : x + wide * n]
    for i in range(wide * n):
        X[i] = F[fS + i] + W[E + 9 * n + i]
    # coordinates of the shapes beside the affine functions: q = eta + U e(eta, eta)/2, its rate, and U e(eta', eta')
    q, qd, qb = x + wide * n + 36, x + wide * n + 36 + n, x + wide * n + 36 + 2 * n
    pushed = x + wide * n + 36 + 3 * n
    for l in range(n):
        W[q + l], W[qd + l], W[qb + l] = y[eta + l], y[rate + l], 0.0
    for j in range(more):
        e = E + (A_BLOCKS + j) * n
        d = V + (A_BLOCKS + j) * n
        a, b, c = 0.0, 0.0, 0.0
        for l in range(n):
            a += W[e + l] * y[eta + l]
            b += W[e + l] * y[rate + l]
            c += W[d + l] * y[rate + l]
        a *= 0.5
        W[pushed + j] = c
        for l in range(n):
            u = F[fU + j * n + l]
            W[q + l] += u * a
            W[qd + l] += u * b
            W[qb + l] += u * c
    contract(F, fC, n, blocks, 0, 9, W, q, W, E)
    contract(F, fC, n, blocks, 6, 9, W, qd, W, V)
    if more:
        for l in range(n):
            h, hb = W[q + l], W[qb + l]
            a0, a1, a2 = N[l] * h, N[n + l] * h, N[2 * n + l] * h
            sums[15] += a1 + a2
            sums[16] += a2 + a0
            sums[17] += a0 + a1
            sums[18] -= N[3 * n + l] * h
            sums[19] -= N[4 * n + l] * h
            sums[20] -= N[5 * n + l] * h
            sums[12] += N[6 * n + l] * hb
            sums[13] += N[7 * n + l] * hb
            sums[14] += N[8 * n + l] * hb
        for j in range(more):  # Nr(q, G_l): G = 1 + U e eta
            e, u = E + (A_BLOCKS + j) * n, fU + j * n
            for i in range(9):
                a = 0.0
                for l in range(n):
                    a += N[i * n + l] * F[u + l]
                W[pushed + more + i] = a
            for i in range(6, 9):
                a = 0.0
                for l in range(n):
                    a += W[V + i * n + l] * F[u + l]
                W[pushed + more + 3 + i] = a
            # the sums of all j use the matrices before the change
            for i in range(12):
                W[pushed + more + 12 + 12 * j + i] = W[pushed + more + i]
        for j in range(more):
            e, s = E + (A_BLOCKS + j) * n, pushed + more + 12 + 12 * j
            for i in range(9):
                a = W[s + i]
                for l in range(n):
                    N[i * n + l] += a * W[e + l]
            for i in range(6, 9):
                a = W[s + 3 + i]
                for l in range(n):
                    W[V + i * n + l] += a * W[e + l]
    # Xi, Xd and c(eta', eta') in the twelve affine functions
    Xi, Xd, C = (
        W[x + wide * n : x + wide * n + 12],
        W[x + wide * n + 12 : x + wide * n + 24],
        W[x + wide * n + 24 : x + wide * n + 36],
    )
    for i in range(12):
        a, b, c = F[f0 + A_PLACE + i], 0.0, 0.0
        for l in range(n):
            h, hd = y[eta + l], y[rate + l]
            a += (X[i * n + l] - 0.5 * W[E + (9 + i) * n + l]) * h
            b += X[i * n + l] * hd
            c += W[V + (9 + i) * n + l] * hd
        Xi[i], Xd[i], C[i] = a, b, c
    for l in range(n):
        h, hd = y[eta + l], y[rate + l]
        q0, q1, q2, q3, q4, q5 = N[l], N[n + l], N[2 * n + l], N[3 * n + l], N[4 * n + l], N[5 * n + l]
        rx, ry, rz = N[6 * n + l], N[7 * n + l], N[8 * n + l]
        gx, gy, gz = W[V + 6 * n + l], W[V + 7 * n + l], W[V + 8 * n + l]
        push = 0.0
        for j in range(more):
            push += W[pushed + j] * X[(12 + j) * n + l]
        if not more:  # inertia from Nr(eta, eta)
            a0, a1, a2 = q0 * h, q1 * h, q2 * h
            sums[15] += a1 + a2
            sums[16] += a2 + a0
            sums[17] += a0 + a1
            sums[18] -= q3 * h
            sums[19] -= q4 * h
            sums[20] -= q5 * h
        for p in range(4):
            ux, uy, uz = X[3 * p * n + l], X[(3 * p + 1) * n + l], X[(3 * p + 2) * n + l]
            vx, vy, vz = Xi[3 * p], Xi[3 * p + 1], Xi[3 * p + 2]
            q0, q1, q2 = q0 + vx * ux, q1 + vy * uy, q2 + vz * uz
            q3 += 0.5 * (vx * uy + vy * ux)
            q4 += 0.5 * (vy * uz + vz * uy)
            q5 += 0.5 * (vz * ux + vx * uz)
            b0, b1, b2 = cross(vx, vy, vz, ux, uy, uz)
            rx, ry, rz = rx + b0, ry + b1, rz + b2
            b0, b1, b2 = cross(Xd[3 * p], Xd[3 * p + 1], Xd[3 * p + 2], ux, uy, uz)
            gx, gy, gz = gx + b0, gy + b1, gz + b2
            push += C[3 * p] * ux + C[3 * p + 1] * uy + C[3 * p + 2] * uz
        t = q0 + q1 + q2
        push += wx * wx * q0 + wy * wy * q1 + wz * wz * q2 + 2.0 * (wx * wy * q3 + wy * wz * q4 + wz * wx * q5)
        push += 2.0 * (wx * gx + wy * gy + wz * gz) - (wx * wx + wy * wy + wz * wz) * t
        force[l] = push
        o = 6 * l
        rows[o], rows[o + 1], rows[o + 2] = root * X[l], root * X[n + l], root * X[2 * n + l]
        rows[o + 3], rows[o + 4], rows[o + 5] = rx, ry, rz
        stretch[o], stretch[o + 1], stretch[o + 2], stretch[o + 3], stretch[o + 4], stretch[o + 5] = (
            q0,
            q1,
            q2,
            q3,
            q4,
            q5,
        )
        sums[9] += rx * hd
        sums[10] += ry * hd
        sums[11] += rz * hd
        sums[21] += 2.0 * (t - q0) * hd
        sums[22] += 2.0 * (t - q1) * hd
        sums[23] += 2.0 * (t - q2) * hd
        sums[24] -= 2.0 * q3 * hd
        sums[25] -= 2.0 * q4 * hd
        sums[26] -= 2.0 * q5 * hd
    for i in range(3):
        sums[i] += root * Xi[i]
        sums[3 + i] += root * Xd[i]
        sums[6 + i] += root * C[i]
    for p in range(4):
        vx, vy, vz = Xi[3 * p], Xi[3 * p + 1], Xi[3 * p + 2]
        sums[15] += vy * vy + vz * vz
        sums[16] += vz * vz + vx * vx
        sums[17] += vx * vx + vy * vy
        sums[18] -= vx * vy
        sums[19] -= vy * vz
        sums[20] -= vz * vx
        b0, b1, b2 = cross(vx, vy, vz, C[3 * p], C[3 * p + 1], C[3 * p + 2])
        sums[12] += b0
        sums[13] += b1
        sums[14] += b2
    for l in range(n):
        d = mass + l * stride + l
        row = W[d : d + n - l]
        for i in range(0, wide, 4):
            s0, s1 = X[i * n + l : (i + 1) * n], X[(i + 1) * n + l : (i + 2) * n]
            s2, s3 = X[(i + 2) * n + l : (i + 3) * n], X[(i + 3) * n + l : (i + 4) * n]
            f0, f1, f2, f3 = s0[0], s1[0], s2[0], s3[0]
            for c in range(n - l):
                row[c] += f0 * s0[c] + f1 * s1[c] + (f2 * s2[c] + f3 * s3[c])


@helper
def turning_body(I, F, W, y, bk, f, wx, wy, wz, sums, rows, force, stretch, mass, stride, scratch):
    """One rigid body on a node, exactly, added to everything.

    b = theta eta + 1/2 psi_r(eta, eta), R = exp(b~), W_k = Jl db/d eta_k, V_k = du/d eta_k + W_k x Rd; bias f, tq of theory 8.1.
    """
    n = I[bk + K_MODES]
    eta, rate = I[ETA] + I[bk + K_ETA], I[ETA_RATE] + I[bk + K_ETA]
    V, Wb, IW = W[scratch : scratch + 3 * n], W[scratch + 3 * n : scratch + 6 * n], W[scratch + 6 * n : scratch + 9 * n]
    E, D = scratch + 9 * n, scratch + 15 * n
    fp, ft, m = f + T_SHAPES, f + T_SHAPES + 3 * n, F[f + T_MASS]
    psi = I[bk + K_PSI]
    if psi:
        contract(F, ft + 3 * n, n, 6, 0, 6, y, eta, W, E)
        contract(F, ft + 3 * n, n, 6, 0, 6, y, rate, W, D)
    bx, by, bz, dx, dy, dz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    xx, xy, xz = F[f + T_NODE], F[f + T_NODE + 1], F[f + T_NODE + 2]
    ax, ay, az, lx, ly, lz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0  # psi(eta', eta') of place and rotation
    for l in range(n):
        h, hd = y[eta + l], y[rate + l]
        px, py, pz = F[fp + 3 * l], F[fp + 3 * l + 1], F[fp + 3 * l + 2]
        tx, ty, tz = F[ft + 3 * l], F[ft + 3 * l + 1], F[ft + 3 * l + 2]
        xx, xy, xz = xx + px * h, xy + py * h, xz + pz * h
        bx, by, bz = bx + tx * h, by + ty * h, bz + tz * h
        dx, dy, dz = dx + tx * hd, dy + ty * hd, dz + tz * hd
        if psi:
            ex, ey, ez = W[E + l], W[E + n + l], W[E + 2 * n + l]
            gx, gy, gz = W[E + 3 * n + l], W[E + 4 * n + l], W[E + 5 * n + l]
            xx, xy, xz = xx + 0.5 * ex * h, xy + 0.5 * ey * h, xz + 0.5 * ez * h
            bx, by, bz = bx + 0.5 * gx * h, by + 0.5 * gy * h, bz + 0.5 * gz * h
            dx, dy, dz = dx + gx * hd, dy + gy * hd, dz + gz * hd
            ax, ay, az = ax + W[D + l] * hd, ay + W[D + n + l] * hd, az + W[D + 2 * n + l] * hd
            lx += W[D + 3 * n + l] * hd
            ly += W[D + 4 * n + l] * hd
            lz += W[D + 5 * n + l] * hd
            px, py, pz, tx, ty, tz = px + ex, py + ey, pz + ez, tx + gx, ty + gy, tz + gz
        V[l], V[n + l], V[2 * n + l] = px, py, pz
        Wb[l], Wb[n + l], Wb[2 * n + l] = tx, ty, tz
    ox, oy, oz = F[f + T_OFFSET], F[f + T_OFFSET + 1], F[f + T_OFFSET + 2]
    t = bx * bx + by * by + bz * bz
    c1, c2, d1, d2 = turn_factors(t)
    s = 1.0 - c2 * t
    R0, R1, R2 = 1.0 - c1 * (by * by + bz * bz), c1 * bx * by - s * bz, c1 * bx * bz + s * by
    R3, R4, R5 = c1 * bx * by + s * bz, 1.0 - c1 * (bx * bx + bz * bz), c1 * by * bz - s * bx
    R6, R7, R8 = c1 * bx * bz - s * by, c1 * by * bz + s * bx, 1.0 - c1 * (bx * bx + by * by)
    qx, qy, qz = R0 * ox + R1 * oy + R2 * oz, R3 * ox + R4 * oy + R5 * oz, R6 * ox + R7 * oy + R8 * oz
    xx, xy, xz = xx + qx, xy + qy, xz + qz
    # I = R Ic R'
    o = f + T_INERTIA
    i0, i1, i2, i4, i5, i8 = F[o], F[o + 1], F[o + 2], F[o + 4], F[o + 5], F[o + 8]
    k0, k1, k2 = R0 * i0 + R1 * i1 + R2 * i2, R0 * i1 + R1 * i4 + R2 * i5, R0 * i2 + R1 * i5 + R2 * i8
    k3, k4, k5 = R3 * i0 + R4 * i1 + R5 * i2, R3 * i1 + R4 * i4 + R5 * i5, R3 * i2 + R4 * i5 + R5 * i8
    k6, k7, k8 = R6 * i0 + R7 * i1 + R8 * i2, R6 * i1 + R7 * i4 + R8 * i5, R6 * i2 + R7 * i5 + R8 * i8
    Ixx, Ixy, Izx = k0 * R0 + k1 * R1 + k2 * R2, k0 * R3 + k1 * R4 + k2 * R5, k0 * R6 + k1 * R7 + k2 * R8
    Iyy, Iyz, Izz = k3 * R3 + k4 * R4 + k5 * R5, k3 * R6 + k4 * R7 + k5 * R8, k6 * R6 + k7 * R7 + k8 * R8
    vx, vy, vz, rx, ry, rz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0  # relative velocity of the center, relative rate
    for l in range(n):
        tx, ty, tz = Wb[l], Wb[n + l], Wb[2 * n + l]
        x1, y1, z1 = cross(bx, by, bz, tx, ty, tz)
        x2, y2, z2 = cross(bx, by, bz, x1, y1, z1)
        gx, gy, gz = tx + c1 * x1 + c2 * x2, ty + c1 * y1 + c2 * y2, tz + c1 * z1 + c2 * z2
        x1, y1, z1 = cross(gx, gy, gz, qx, qy, qz)
        px, py, pz = V[l] + x1, V[n + l] + y1, V[2 * n + l] + z1
        V[l], V[n + l], V[2 * n + l] = px, py, pz
        Wb[l], Wb[n + l], Wb[2 * n + l] = gx, gy, gz
        hd = y[rate + l]
        vx, vy, vz = vx + px * hd, vy + py * hd, vz + pz * hd
        rx, ry, rz = rx + gx * hd, ry + gy * hd, rz + gz * hd
        IW[l] = Ixx * gx + Ixy * gy + Izx * gz
        IW[n + l] = Ixy * gx + Iyy * gy + Iyz * gz
        IW[2 * n + l] = Izx * gx + Iyz * gy + Izz * gz
    # g = Jl psi_r(eta', eta') + (b.b')(d1 b x b' + d2 b x (b x b')) + c2 b' x (b x b')
    x1, y1, z1 = cross(bx, by, bz, dx, dy, dz)
    x2, y2, z2 = cross(bx, by, bz, x1, y1, z1)
    x3, y3, z3 = cross(dx, dy, dz, x1, y1, z1)
    x4, y4, z4 = cross(bx, by, bz, lx, ly, lz)
    x5, y5, z5 = cross(bx, by, bz, x4, y4, z4)
    bd = bx * dx + by * dy + bz * dz
    gx = lx + c1 * x4 + c2 * x5 + bd * (d1 * x1 + d2 * x2) + c2 * x3
    gy = ly + c1 * y4 + c2 * y5 + bd * (d1 * y1 + d2 * y2) + c2 * y3
    gz = lz + c1 * z4 + c2 * z5 + bd * (d1 * z1 + d2 * z2) + c2 * z3
    x1, y1, z1 = cross(gx, gy, gz, qx, qy, qz)
    x2, y2, z2 = cross(rx, ry, rz, qx, qy, qz)
    x2, y2, z2 = cross(rx, ry, rz, x2, y2, z2)
    ax, ay, az = ax + x1 + x2, ay + y1 + y2, az + z1 + z2
    x1, y1, z1 = cross(wx, wy, wz, rx, ry, rz)
    gx, gy, gz = gx + x1, gy + y1, gz + z1
    x1, y1, z1 = wx + rx, wy + ry, wz + rz
    x2 = Ixx * x1 + Ixy * y1 + Izx * z1
    y2 = Ixy * x1 + Iyy * y1 + Iyz * z1
    z2 = Izx * x1 + Iyz * y1 + Izz * z1
    tx, ty, tz = cross(x1, y1, z1, x2, y2, z2)
    tx += Ixx * gx + Ixy * gy + Izx * gz
    ty += Ixy * gx + Iyy * gy + Iyz * gz
    tz += Izx * gx + Iyz * gy + Izz * gz
    x1, y1, z1 = cross(wx, wy, wz, vx, vy, vz)
    ax, ay, az = m * (ax + 2.0 * x1), m * (ay + 2.0 * y1), m * (az + 2.0 * z1)
    sums[27] += ax
    sums[28] += ay
    sums[29] += az
    x1, y1, z1 = cross(wx, wy, wz, xx, xy, xz)
    x1, y1, z1 = cross(wx, wy, wz, x1, y1, z1)  # its part in the force follows from the first moment
    ax, ay, az = ax + m * x1, ay + m * y1, az + m * z1
    x1, y1, z1 = cross(xx, xy, xz, ax, ay, az)
    sums[30] += x1 + tx
    sums[31] += y1 + ty
    sums[32] += z1 + tz
    sums[0] += m * xx
    sums[1] += m * xy
    sums[2] += m * xz
    sums[33] += Ixx + m * (xy * xy + xz * xz)
    sums[34] += Iyy + m * (xz * xz + xx * xx)
    sums[35] += Izz + m * (xx * xx + xy * xy)
    sums[36] += Ixy - m * xx * xy
    sums[37] += Iyz - m * xy * xz
    sums[38] += Izx - m * xz * xx
    # second moments about the center, for int y Y' of the turn
    tr = 0.5 * (Ixx + Iyy + Izz)
    p0, p1, p2 = tr - Ixx, tr - Iyy, tr - Izz
    for l in range(n):
        px, py, pz, gx, gy, gz = V[l], V[n + l], V[2 * n + l], Wb[l], Wb[n + l], Wb[2 * n + l]
        force[l] += px * ax + py * ay + pz * az + gx * tx + gy * ty + gz * tz
        q = 6 * l
        rows[q] += m * px
        rows[q + 1] += m * py
        rows[q + 2] += m * pz
        x1, y1, z1 = cross(xx, xy, xz, m * px, m * py, m * pz)
        rows[q + 3] += x1 + IW[l]
        rows[q + 4] += y1 + IW[n + l]
        rows[q + 5] += z1 + IW[2 * n + l]
        # symmetric part of m x V' + Pi W~', Pi = diag(p) - (Ixy, Iyz, Izx) off the diagonal
        stretch[q] += m * xx * px + Ixy * gz - Izx * gy
        stretch[q + 1] += m * xy * py + Iyz * gx - Ixy * gz
        stretch[q + 2] += m * xz * pz + Izx * gy - Iyz * gx
        stretch[q + 3] += 0.5 * (m * (xx * py + xy * px) + gz * (p0 - p1) + Izx * gx - Iyz * gy)
        stretch[q + 4] += 0.5 * (m * (xy * pz + xz * py) + gx * (p1 - p2) + Ixy * gy - Izx * gz)
        stretch[q + 5] += 0.5 * (m * (xz * px + xx * pz) + gy * (p2 - p0) + Iyz * gz - Ixy * gx)
    for l in range(n):
        d = mass + l * stride + l
        row = W[d : d + n - l]
        v0, v1, v2 = V[l:n], V[n + l : 2 * n], V[2 * n + l : 3 * n]
        w0, w1, w2 = Wb[l:n], Wb[n + l : 2 * n], Wb[2 * n + l : 3 * n]
        f0, f1, f2 = m * v0[0], m * v1[0], m * v2[0]
        g0, g1, g2 = IW[l], IW[n + l], IW[2 * n + l]
        for c in range(n - l):
            row[c] += f0 * v0[c] + f1 * v1[c] + f2 * v2[c] + (g0 * w0[c] + g1 * w1[c] + g2 * w2[c])
