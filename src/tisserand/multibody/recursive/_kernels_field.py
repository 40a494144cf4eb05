# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Second-degree displacement fields by affine completion (theory section 8).

Fills the modal rows [M_v; M_w] in body axes, the modal bias and the upper triangle of the modal mass; what it adds to the body
itself goes to the sums of the workspace's results.
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_contract import contract
from tisserand.multibody.recursive._kernels_small import cross
from tisserand.multibody.recursive.helper import shared_helper
from tisserand.multibody.recursive.table_views import part, table

#: Forms of a field before those of the modal part: Nr symmetric (6), Nr antisymmetric (3), c of the affine functions (12).
FORMS, NR = 21, 9


@shared_helper
def completed_field(h, block, F, y, w, sums, rows, bias, stretch, mass, place, scratch):
    """The completion of one block.

    Rows (modes, 6), bias (modes), symmetric int y Y' (modes, 6) into ``stretch``, and the modal mass from row and column
    ``place`` on. The rows of X beyond the twelve of the affine functions are W + e eta of the modal part.
    """
    n, more = block.modes, block.more
    eta, rate = h.eta + block.mode, h.eta_rate + block.mode
    wide, forms = 12 + more, FORMS + more
    first = 0
    E = table(scratch, first, forms, n)  # forms with eta
    V = table(scratch, first + forms * n, forms, n)  # forms with eta'
    x = first + 2 * forms * n
    X = table(scratch, x, wide, n)
    x += wide * n
    Xi, Xd, C = part(scratch, x, 12), part(scratch, x + 12, 12), part(scratch, x + 24, 12)
    rest = x + 36
    contract(F, block.forms, n, forms, NR, forms, y, eta, scratch, first)
    contract(F, block.forms, n, forms, NR, forms, y, rate, scratch, first + forms * n)
    for i in range(wide):
        for l in range(n):
            X[i, l] = F[block.shapes + i * n + l] + E[NR + i, l]
    remainder(h, block, F, y, sums, E, V, scratch, first, rest)
    pushed = part(scratch, rest + 3 * n, more)
    for i in range(12):
        a, b, c = block.place[i] + 0.0 * y[0], 0.0 * y[0], 0.0 * y[0]
        for l in range(n):
            a += (X[i, l] - 0.5 * E[NR + i, l]) * y[eta + l]
            b += X[i, l] * y[rate + l]
            c += V[NR + i, l] * y[rate + l]
        Xi[i], Xd[i], C[i] = a, b, c
    field_rows(block, y, rate, w, sums, rows, bias, stretch, E, V, X, Xi, Xd, C, pushed)
    root = block.root_mass
    for i in range(3):
        sums.first[i] += root * Xi[i]
        sums.flow[i] += root * Xd[i]
        sums.flow_bias[i] += root * C[i]
    for p in range(0, 12, 3):
        vx, vy, vz = Xi[p], Xi[p + 1], Xi[p + 2]
        sums.inertia[0] += vy * vy + vz * vz
        sums.inertia[1] += vz * vz + vx * vx
        sums.inertia[2] += vx * vx + vy * vy
        sums.inertia[3] -= vx * vy
        sums.inertia[4] -= vy * vz
        sums.inertia[5] -= vz * vx
        bx, by, bz = cross((vx, vy, vz), (C[p], C[p + 1], C[p + 2]))
        sums.spin_bias[0] += bx
        sums.spin_bias[1] += by
        sums.spin_bias[2] += bz
    for l in range(n):
        row = mass[place + l, place + l : place + n]
        for i in range(0, wide, 4):
            s0, s1, s2, s3 = X[i, l:], X[i + 1, l:], X[i + 2, l:], X[i + 3, l:]
            f0, f1, f2, f3 = s0[0], s1[0], s2[0], s3[0]
            for k in range(n - l):
                row[k] += f0 * s0[k] + f1 * s1[k] + (f2 * s2[k] + f3 * s3[k])


@shared_helper
def remainder(h, block, F, y, sums, E, V, scratch, first, rest):
    """The remainder Nr on the modal coordinates beside the affine functions.

    These are q = eta + U e(eta, eta)/2, their rate, and U e(eta', eta'). Leaves Nr(q, G) and Nr(q', G) in the first nine rows of
    E and V, G = 1 + U e eta, and e(eta', eta') in the scratch.
    """
    n, more = block.modes, block.more
    eta, rate = h.eta + block.mode, h.eta_rate + block.mode
    q, u, g = part(scratch, rest, n), part(scratch, rest + n, n), part(scratch, rest + 2 * n, n)
    pushed = part(scratch, rest + 3 * n, more)
    for l in range(n):
        q[l], u[l], g[l] = y[eta + l], y[rate + l], 0.0
    for j in range(more):
        a, b, c = 0.0 * y[0], 0.0 * y[0], 0.0 * y[0]
        for l in range(n):
            a += E[FORMS + j, l] * y[eta + l]
            b += E[FORMS + j, l] * y[rate + l]
            c += V[FORMS + j, l] * y[rate + l]
        a *= 0.5
        pushed[j] = c
        for l in range(n):
            f = F[block.mix + j * n + l]
            q[l] += f * a
            u[l] += f * b
            g[l] += f * c
    forms = FORMS + more
    contract(F, block.forms, n, forms, 0, NR, scratch, rest, scratch, first)
    contract(F, block.forms, n, forms, 6, NR, scratch, rest + n, scratch, first + forms * n)
    for l in range(n):
        a0, a1, a2 = E[0, l] * q[l], E[1, l] * q[l], E[2, l] * q[l]
        sums.inertia[0] += a1 + a2
        sums.inertia[1] += a2 + a0
        sums.inertia[2] += a0 + a1
        for i in range(3):
            sums.inertia[3 + i] -= E[3 + i, l] * q[l]
            sums.spin_bias[i] += E[6 + i, l] * g[l]
    # Nr(q, G_l): the products of all j use the matrices before the change
    mixed = table(scratch, rest + 3 * n + more, more, 12)
    for j in range(more):
        u_j = block.mix + j * n
        for i in range(NR):
            a = 0.0 * y[0]
            for l in range(n):
                a += E[i, l] * F[u_j + l]
            mixed[j, i] = a
        for i in range(3):
            a = 0.0 * y[0]
            for l in range(n):
                a += V[6 + i, l] * F[u_j + l]
            mixed[j, NR + i] = a
    for j in range(more):
        e = E[FORMS + j]
        for i in range(NR):
            a = mixed[j, i]
            for l in range(n):
                E[i, l] += a * e[l]
        for i in range(3):
            a = mixed[j, NR + i]
            for l in range(n):
                V[6 + i, l] += a * e[l]


@shared_helper
def field_rows(block, y, rate, w, sums, rows, bias, stretch, E, V, X, Xi, Xd, C, pushed):
    """Modal rows, bias and stretch of every mode, and their part in the sums."""
    root = block.root_mass
    wx, wy, wz = w
    for l in range(block.modes):
        u = y[rate + l]
        q0, q1, q2, q3, q4, q5 = E[0, l], E[1, l], E[2, l], E[3, l], E[4, l], E[5, l]
        rx, ry, rz = E[6, l], E[7, l], E[8, l]
        gx, gy, gz = V[6, l], V[7, l], V[8, l]
        push = 0.0 * u
        for j in range(block.more):
            push += pushed[j] * X[12 + j, l]
        for p in range(0, 12, 3):
            ux, uy, uz = X[p, l], X[p + 1, l], X[p + 2, l]
            vx, vy, vz = Xi[p], Xi[p + 1], Xi[p + 2]
            q0, q1, q2 = q0 + vx * ux, q1 + vy * uy, q2 + vz * uz
            q3 += 0.5 * (vx * uy + vy * ux)
            q4 += 0.5 * (vy * uz + vz * uy)
            q5 += 0.5 * (vz * ux + vx * uz)
            rx, ry, rz = rx + vy * uz - vz * uy, ry + vz * ux - vx * uz, rz + vx * uy - vy * ux
            vx, vy, vz = Xd[p], Xd[p + 1], Xd[p + 2]
            gx, gy, gz = gx + vy * uz - vz * uy, gy + vz * ux - vx * uz, gz + vx * uy - vy * ux
            push += C[p] * ux + C[p + 1] * uy + C[p + 2] * uz
        t = q0 + q1 + q2
        push += wx * wx * q0 + wy * wy * q1 + wz * wz * q2 + 2.0 * (wx * wy * q3 + wy * wz * q4 + wz * wx * q5)
        push += 2.0 * (wx * gx + wy * gy + wz * gz) - (wx * wx + wy * wy + wz * wz) * t
        bias[l] = push
        row, s = rows[l], stretch[l]
        row[0], row[1], row[2] = root * X[0, l], root * X[1, l], root * X[2, l]
        row[3], row[4], row[5] = rx, ry, rz
        s[0], s[1], s[2], s[3], s[4], s[5] = q0, q1, q2, q3, q4, q5
        sums.spin[0] += rx * u
        sums.spin[1] += ry * u
        sums.spin[2] += rz * u
        sums.inertia_rate[0] += 2.0 * (t - q0) * u
        sums.inertia_rate[1] += 2.0 * (t - q1) * u
        sums.inertia_rate[2] += 2.0 * (t - q2) * u
        sums.inertia_rate[3] -= 2.0 * q3 * u
        sums.inertia_rate[4] -= 2.0 * q4 * u
        sums.inertia_rate[5] -= 2.0 * q5 * u
