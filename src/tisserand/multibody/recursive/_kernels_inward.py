# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Inward pass: modes and joints are eliminated from the leaves to the base (articulated bodies).

References: theory section 5; [Featherstone2008].
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_small import add, angular, cross, increase, solve_spd, vector
from tisserand.multibody.recursive.endings import CAUSES, JOINT_INERTIA, MODAL_MASS
from tisserand.multibody.recursive.helper import helper, shared_helper
from tisserand.multibody.recursive.table_views import table


@shared_helper
def shift_inertia(I, p, r):
    """Refer a 6 x 6 inertia and a wrench to a point from which the old one lies at r: X'I X, X = [1, -r~; 0, 1]."""
    x, y, z = r
    for i in range(6):
        a, b, c = I[i, 0], I[i, 1], I[i, 2]
        I[i, 3] += y * c - z * b
        I[i, 4] += z * a - x * c
        I[i, 5] += x * b - y * a
    for j in range(6):
        a, b, c = I[0, j], I[1, j], I[2, j]
        I[3, j] += y * c - z * b
        I[4, j] += z * a - x * c
        I[5, j] += x * b - y * a
    a, b, c = cross(r, vector(p))
    p[3] += a
    p[4] += b
    p[5] += c


@helper
def row_times(I, i, v):
    """Row i of a 6 x 6 matrix times a six-vector."""
    return I[i, 0] * v[0] + I[i, 1] * v[1] + I[i, 2] * v[2] + I[i, 3] * v[3] + I[i, 4] * v[4] + I[i, 5] * v[5]


@helper
def six_dot(a, b):
    """Product of two six-vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@helper
def add_products(columns, l, f, mass, first):
    """Row l of Phi' (I Phi), from its diagonal on, added to the modal mass from row and column ``first``; f = I Phi_l."""
    n = columns.shape[0]
    a, b, c, d, e, g = f
    row = mass[first + l, first + l : first + n]
    for k in range(n - l):
        p = columns[l + k]
        row[k] += a * p[0] + b * p[1] + c * p[2] + d * p[3] + e * p[4] + g * p[5]


@helper
def times_six(I, v):
    """A 6 x 6 matrix times a six-vector."""
    return (
        row_times(I, 0, v),
        row_times(I, 1, v),
        row_times(I, 2, v),
        row_times(I, 3, v),
        row_times(I, 4, v),
        row_times(I, 5, v),
    )


@shared_helper
def float_on_node(m, b, n, node, rows, bias, mass, columns):
    """Change the unknowns of a floating body from (A_k, eta'') to (A_joint, eta''): theory section 5."""
    I, p, local = b.I_A, b.p_A, n.mode - m.mode
    r = vector(node.r)
    # bias acceleration of the body's frame at zero joint acceleration: c_h = [ca - calpha x r; calpha]
    x, y, z = cross(angular(b.c_float), r)
    increase(b.c_float, (-x, -y, -z))
    for i in range(6):
        p[i] += row_times(I, i, b.c_float)
    for l in range(m.modes):
        bias[l] += six_dot(rows[l], b.c_float)
    # columns of S_eta into the node's Phi: [theta x r - phi; -theta]
    for l in range(n.modes):
        phi = columns[l]
        turn = (phi[3], phi[4], phi[5])
        x, y, z = cross(turn, r)
        phi[0], phi[1], phi[2] = x - phi[0], y - phi[1], z - phi[2]
        phi[3], phi[4], phi[5] = -turn[0], -turn[1], -turn[2]
    # rows of the whole body meet the columns before and after the change of rows
    for l in range(m.modes):
        row = rows[l]
        for k in range(n.modes):
            if l <= local + k:
                mass[l, local + k] += six_dot(row, columns[k])
            if local + k <= l:
                mass[local + k, l] += six_dot(row, columns[k])
    for l in range(n.modes):
        f = times_six(I, columns[l])
        row = rows[local + l]
        for i in range(6):
            row[i] += f[i]
        add_products(columns, l, f, mass, local)
        bias[local + l] += six_dot(columns[l], p)
    # move to the joint point: a_k = a_joint + r x alpha
    shift_inertia(I, p, (-r[0], -r[1], -r[2]))
    for l in range(m.modes):
        row = rows[l]
        x, y, z = cross((row[0], row[1], row[2]), r)
        row[3] += x
        row[4] += y
        row[5] += z


@shared_helper
def eliminate_modes(m, b, F, rows, solved, bias, mass):
    """Z = M^-1 [G | bias] and the 6 x 6 inertia and bias left after the modal equations are solved; status."""
    n, I, p = m.modes, b.I_A, b.p_A
    for l in range(n):
        for i in range(6):
            solved[l, i] = rows[l, i]
        solved[l, 6] = bias[l]
    if m.dense:
        if solve_spd(mass, solved):
            return 1
    elif m.diagonal:
        for l in range(n):
            f = 1.0 / F[m.mass_matrix + l * n + l]
            for i in range(7):
                solved[l, i] *= f
    pairs = n - n % 2
    for l in range(0, pairs, 2):  # two modes at a time: half the traffic of the sums
        row, other, z, zz = rows[l], rows[l + 1], solved[l], solved[l + 1]
        for i in range(6):
            f, g = row[i], other[i]
            for j in range(6):
                I[i, j] -= f * z[j] + g * zz[j]
            p[i] -= f * z[6] + g * zz[6]
    if n > pairs:
        row, z = rows[n - 1], solved[n - 1]
        for i in range(6):
            f = row[i]
            for j in range(6):
                I[i, j] -= f * z[j]
            p[i] -= f * z[6]
    return 0


@helper
def push_modes(h, m, F, bias):
    """Forces of an implicit step on the modes of a body (theory section 13)."""
    if h.implicit:
        for l in range(m.modes):
            bias[l] -= F[h.implicit + m.mode + l]


@helper
def implicit_part(h, F, k, i):
    """Of an implicit step at the joint into body k: what it adds to the inertia (i = 0), or its force on speed i - 1."""
    return F[h.implicit + h.modes + 4 * k + i] if h.implicit else 0.0


@helper
def eliminate_axis(h, m, b, F, k):
    """A joint with one free speed: U = I S, D = S'U, and the inertia and bias seen through it (in place); status."""
    I, p, s = b.I_A, b.p_A, m.part
    x, y, z = vector(b.S_N[0])
    for i in range(6):
        b.U[i, 0] = I[i, s] * x + I[i, s + 1] * y + I[i, s + 2] * z
    d = x * b.U[s, 0] + y * b.U[s + 1, 0] + z * b.U[s + 2, 0] + implicit_part(h, F, k, 0)
    if not d.real > 1e-300:
        return 1
    d = 1.0 / d
    b.D_inverse[0, 0] = d
    left = b.effort[0] + implicit_part(h, F, k, 1) - x * p[s] - y * p[s + 1] - z * p[s + 2]
    b.rest[0] = left
    left *= d
    for i in range(6):
        f = d * b.U[i, 0]
        for j in range(6):
            I[i, j] -= f * b.U[j, 0]
    for i in range(6):
        p[i] += b.U[i, 0] * left
    return 0


@shared_helper
def eliminate_axes(h, m, b, F, k, scratch):
    """A joint with several free speeds: the same with matrices; status."""
    I, p, s, n = b.I_A, b.p_A, m.part, m.free
    for c in range(n):
        x, y, z = vector(b.S_N[c])
        for i in range(6):
            b.U[i, c] = I[i, s] * x + I[i, s + 1] * y + I[i, s + 2] * z
        b.rest[c] = b.effort[c] + implicit_part(h, F, k, 1 + c) - x * p[s] - y * p[s + 1] - z * p[s + 2]
    D, inverse = table(scratch, 0, n, n), table(scratch, n * n, n, n)
    for a in range(n):
        x, y, z = vector(b.S_N[a])
        for c in range(n):
            D[a, c] = x * b.U[s, c] + y * b.U[s + 1, c] + z * b.U[s + 2, c]
            inverse[a, c] = 1.0 if a == c else 0.0
        D[a, a] += implicit_part(h, F, k, 0)
    if solve_spd(D, inverse):
        return 1
    for a in range(n):
        for c in range(n):
            b.D_inverse[a, c] = inverse[a, c]
    for i in range(6):
        for c in range(n):
            f = b.U[i, 0] * inverse[0, c]
            for a in range(1, n):
                f += b.U[i, a] * inverse[a, c]
            for j in range(6):
                I[i, j] -= f * b.U[j, c]
            p[i] += f * b.rest[c]
    return 0


@helper
def through_joint(b):
    """The bias that the parent feels: p + I c."""
    for i in range(6):
        b.a_J[i] = b.p_A[i] + row_times(b.I_A, i, b.c)
    for i in range(6):
        b.p_A[i] = b.a_J[i]


@helper
def hand_to_parent(m, b, p):
    """Add the inertia and bias seen through the joint to a rigid parent."""
    arm = vector(b.arm_N)
    if m.kind and not m.part:
        arm = add(arm, vector(b.slide_N))
    shift_inertia(b.I_A, b.p_A, arm)
    add_to_parent(b, p)


@shared_helper
def hand_to_node(m, b, mp, p, n, rows, bias, mass, columns):
    """Add the inertia and bias seen through the joint to a parent, and to the modal rows of the node that carries it."""
    I, local, arm = b.I_A, n.mode - mp.mode, vector(b.arm_N)
    if m.kind and not m.part:
        shift_inertia(I, b.p_A, vector(b.slide_N))
    for l in range(n.modes):
        f = times_six(I, columns[l])
        bias[local + l] += six_dot(columns[l], b.p_A)
        add_products(columns, l, f, mass, local)
        row = rows[local + l]
        x, y, z = cross(arm, (f[0], f[1], f[2]))
        for i in range(3):
            row[i] += f[i]
        row[3] += f[3] + x
        row[4] += f[4] + y
        row[5] += f[5] + z
    shift_inertia(I, b.p_A, arm)
    add_to_parent(b, p)


@helper
def add_to_parent(b, p):
    """Inertia and bias of a body about the parent's reference point, added to the parent's."""
    for i in range(6):
        for j in range(6):
            p.I_A[i, j] += b.I_A[i, j]
        p.p_A[i] += b.p_A[i]


@shared_helper
def inward(h, model, work, F):
    """Eliminate from the leaves to the base; status."""
    for k in range(h.bodies - 1, -1, -1):
        m, b = model.bodies[k], work.bodies[k]
        if m.modes:
            first, last = m.mode, m.mode + m.modes
            rows, solved, bias = work.rows[first:last], work.solved[first:last], work.bias[first:last]
            mass = table(work.mass, m.mass_work, m.modes, m.modes)
            if m.child_node >= 0:
                n = model.nodes[m.child_node]
                columns = work.columns[n.column : n.column + n.modes]
                float_on_node(m, b, n, work.nodes[m.child_node], rows, bias, mass, columns)
            push_modes(h, m, F, bias)
            if eliminate_modes(m, b, F, rows, solved, bias, mass):
                return MODAL_MASS + CAUSES * k
        if k == 0:
            break
        bad = 0
        if m.free == 1:
            bad = eliminate_axis(h, m, b, F, k)
        elif m.free:
            bad = eliminate_axes(h, m, b, F, k, work.scratch)
        if bad:
            return JOINT_INERTIA + CAUSES * k
        through_joint(b)
        mp, p = model.bodies[m.parent], work.bodies[m.parent]
        if m.parent_node < 0:
            hand_to_parent(m, b, p)
        else:
            n, first, last = model.nodes[m.parent_node], mp.mode, mp.mode + mp.modes
            rows, bias = work.rows[first:last], work.bias[first:last]
            mass = table(work.mass, mp.mass_work, mp.modes, mp.modes)
            columns = work.columns[n.column : n.column + n.modes]
            hand_to_node(m, b, mp, p, n, rows, bias, mass, columns)
    return 0
