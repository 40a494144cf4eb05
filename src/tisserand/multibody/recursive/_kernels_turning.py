# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Rigid bodies on the nodes of an appendage that turn exactly (theory section 8.1)."""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_contract import contract
from tisserand.multibody.recursive._kernels_small import (
    add,
    cross,
    dot,
    increase,
    left_jacobian,
    plus,
    scaled,
    symmetric_times,
    times,
    turn_bias,
    turn_factors,
    turn_matrix,
    vector,
)
from tisserand.multibody.recursive.helper import helper, shared_helper
from tisserand.multibody.recursive.table_views import table


@shared_helper
def turning_body(h, block, body, F, y, w, sums, rows, bias, stretch, mass, place, scratch):
    """One rigid body on a node, exactly, added to everything.

    b = theta eta + 1/2 psi_r(eta, eta), R = exp(b~), W_k = Jl db/d eta_k, V_k = du/d eta_k + W_k x Rd; bias f, tq of theory 8.1.
    """
    n, m, rate = block.modes, body.mass, h.eta_rate + block.mode
    V, T, IT = table(scratch, 0, 3, n), table(scratch, 3 * n, 3, n), table(scratch, 6 * n, 3, n)
    R = table(scratch, 9 * n, 3, 3)
    x, b, d, a, alpha = moved_node(h, block, body, F, y, V, T, scratch, 9 * n + 9)
    c1, c2, d1, d2 = turn_factors(dot(b, b))
    turn_matrix(b, c1, c2, R)
    arm = times(R, vector(body.offset))
    x = add(x, arm)
    inertia = turned_inertia(R, body.inertia)
    zero = 0.0 * y[0]
    v, r = (zero, zero, zero), (zero, zero, zero)  # relative velocity of the center, relative rate
    for l in range(n):
        turn = left_jacobian(b, c1, c2, (T[0, l], T[1, l], T[2, l]))
        move = add((V[0, l], V[1, l], V[2, l]), cross(turn, arm))
        spun = symmetric_times(inertia, turn)
        for i in range(3):
            V[i, l], T[i, l], IT[i, l] = move[i], turn[i], spun[i]
        v, r = plus(v, y[rate + l], move), plus(r, y[rate + l], turn)
    g = turn_bias(b, d, alpha, c1, c2, d1, d2)
    a = add(add(a, cross(g, arm)), cross(r, cross(r, arm)))
    g = add(g, cross(w, r))
    w_body = add(w, r)
    torque = add(cross(w_body, symmetric_times(inertia, w_body)), symmetric_times(inertia, g))
    force = scaled(m, plus(a, 2.0, cross(w, v)))
    increase(sums.body_force, force)
    force = plus(force, m, cross(w, cross(w, x)))  # its part in the body's force follows from the first moment
    increase(sums.body_torque, add(cross(x, force), torque))
    increase(sums.first, scaled(m, x))
    sums.body_inertia[0] += inertia[0] + m * (x[1] * x[1] + x[2] * x[2])
    sums.body_inertia[1] += inertia[1] + m * (x[2] * x[2] + x[0] * x[0])
    sums.body_inertia[2] += inertia[2] + m * (x[0] * x[0] + x[1] * x[1])
    sums.body_inertia[3] += inertia[3] - m * x[0] * x[1]
    sums.body_inertia[4] += inertia[4] - m * x[1] * x[2]
    sums.body_inertia[5] += inertia[5] - m * x[2] * x[0]
    body_rows(n, m, x, inertia, force, torque, rows, bias, stretch, V, T, IT)
    for l in range(n):
        row = mass[place + l, place + l : place + n]
        v0, v1, v2, t0, t1, t2 = V[0, l:], V[1, l:], V[2, l:], T[0, l:], T[1, l:], T[2, l:]
        f0, f1, f2 = m * v0[0], m * v1[0], m * v2[0]
        g0, g1, g2 = IT[0, l], IT[1, l], IT[2, l]
        for c in range(n - l):
            row[c] += f0 * v0[c] + f1 * v1[c] + f2 * v2[c] + (g0 * t0[c] + g1 * t1[c] + g2 * t2[c])


@helper
def moved_node(h, block, body, F, y, V, T, scratch, first):
    """Place x of the node, its turn b and b', psi(eta', eta') of both; columns du/d eta into V and db/d eta into T."""
    n, eta, rate = block.modes, h.eta + block.mode, h.eta_rate + block.mode
    E, D = table(scratch, first, 6, n), table(scratch, first + 6 * n, 6, n)
    if block.psi:
        contract(F, body.psi, n, 6, 0, 6, y, eta, scratch, first)
        contract(F, body.psi, n, 6, 0, 6, y, rate, scratch, first + 6 * n)
    zero = 0.0 * y[0]
    x, b, d = add(vector(body.node), (zero, zero, zero)), (zero, zero, zero), (zero, zero, zero)
    a, alpha = (zero, zero, zero), (zero, zero, zero)
    for l in range(n):
        q, u = y[eta + l], y[rate + l]
        phi, theta = body.translation + 3 * l, body.rotation + 3 * l
        move = (F[phi] + zero, F[phi + 1] + zero, F[phi + 2] + zero)
        turn = (F[theta] + zero, F[theta + 1] + zero, F[theta + 2] + zero)
        x, b = plus(x, q, move), plus(b, q, turn)
        if block.psi:
            e, f = (E[0, l], E[1, l], E[2, l]), (E[3, l], E[4, l], E[5, l])
            x, b = plus(x, 0.5 * q, e), plus(b, 0.5 * q, f)
            a = plus(a, u, (D[0, l], D[1, l], D[2, l]))
            alpha = plus(alpha, u, (D[3, l], D[4, l], D[5, l]))
            move, turn = add(move, e), add(turn, f)
        d = plus(d, u, turn)
        for i in range(3):
            V[i, l], T[i, l] = move[i], turn[i]
    return x, b, d, a, alpha


@helper
def turned_inertia(R, J):
    """R J R' of a symmetric J as xx, yy, zz, xy, yz, zx."""
    r0, r1, r2 = (R[0, 0], R[0, 1], R[0, 2]), (R[1, 0], R[1, 1], R[1, 2]), (R[2, 0], R[2, 1], R[2, 2])
    k0, k1, k2 = times(J, r0), times(J, r1), times(J, r2)
    return dot(k0, r0), dot(k1, r1), dot(k2, r2), dot(k0, r1), dot(k1, r2), dot(k2, r0)


@helper
def body_rows(n, m, x, inertia, force, torque, rows, bias, stretch, V, T, IT):
    """Part of a turning body in the modal rows, the bias, and int y Y' (its second moments about its center are Pi)."""
    Ixx, Iyy, Izz, Ixy, Iyz, Izx = inertia
    half = 0.5 * (Ixx + Iyy + Izz)
    p0, p1, p2 = half - Ixx, half - Iyy, half - Izz
    for l in range(n):
        move, turn = (V[0, l], V[1, l], V[2, l]), (T[0, l], T[1, l], T[2, l])
        bias[l] += dot(move, force) + dot(turn, torque)
        moment = cross(x, scaled(m, move))
        row, s = rows[l], stretch[l]
        for i in range(3):
            row[i] += m * move[i]
            row[3 + i] += moment[i] + IT[i, l]
        # symmetric part of m x V' + Pi W~', Pi = diag(p) - (Ixy, Iyz, Izx) off the diagonal
        gx, gy, gz = turn
        s[0] += m * x[0] * move[0] + Ixy * gz - Izx * gy
        s[1] += m * x[1] * move[1] + Iyz * gx - Ixy * gz
        s[2] += m * x[2] * move[2] + Izx * gy - Iyz * gx
        s[3] += 0.5 * (m * (x[0] * move[1] + x[1] * move[0]) + gz * (p0 - p1) + Izx * gx - Iyz * gy)
        s[4] += 0.5 * (m * (x[1] * move[2] + x[2] * move[1]) + gx * (p1 - p2) + Ixy * gy - Izx * gz)
        s[5] += 0.5 * (m * (x[2] * move[0] + x[0] * move[2]) + gy * (p2 - p0) + Iyz * gz - Ixy * gx)
