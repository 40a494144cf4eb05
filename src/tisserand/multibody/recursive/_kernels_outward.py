# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Second outward pass: accelerations from the base to the leaves, and the wrenches at the joints.

References: theory section 5; [Featherstone2008]; joint loads of S1 Eqs 10, 11, 15.
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_inward import row_times, six_dot
from tisserand.multibody.recursive._kernels_joints import along_axes
from tisserand.multibody.recursive._kernels_small import (
    add,
    angular,
    cross,
    dot,
    plus,
    put_both,
    solve_spd,
    sub,
    vector,
)
from tisserand.multibody.recursive.endings import BASE_INERTIA
from tisserand.multibody.recursive.engine_model import FREE
from tisserand.multibody.recursive.helper import helper, shared_helper
from tisserand.multibody.recursive.table_views import table


@helper
def modal_accelerations(m, solved, a, modal):
    """eta'' = -Z [A; 1] of one body."""
    for l in range(m.mode, m.mode + m.modes):
        modal[l] = -(solved[l, 6] + six_dot(solved[l], a))


@shared_helper
def joint_wrench(m, b):
    """Force and torque of the parent on the body at the joint point, inertial axes (after ``outward``)."""
    a = sub(vector(b.a_J), vector(b.c))
    alpha = sub(angular(b.a_J), angular(b.c))
    arm = vector(b.arm_N)
    if m.free:
        own = along_axes(m, b, b.u_dot)
        if m.part:
            alpha = sub(alpha, own)
        else:
            a = sub(a, own)
    if m.kind and not m.part:
        arm = add(arm, vector(b.slide_N))
    a = sub(a, cross(alpha, arm))
    motion = (a[0], a[1], a[2], alpha[0], alpha[1], alpha[2])
    for i in range(6):
        b.wrench_N[i] = b.p_A[i] + row_times(b.I_A, i, motion)
    x, y, z = cross(arm, vector(b.wrench_N))
    b.wrench_N[3] -= x
    b.wrench_N[4] -= y
    b.wrench_N[5] -= z


@shared_helper
def base_acceleration(h, m, b, scratch):
    """Acceleration of the base, less gravity, and the reaction of the ground where it does not float; status."""
    for i in range(6):
        b.wrench_N[i] = 0.0
        b.a_J[i] = b.p_A[i]
    if m.kind == FREE:
        I, a = table(scratch, 0, 6, 6), table(scratch, 36, 6, 1)
        for i in range(6):
            a[i, 0] = -b.p_A[i]
            for j in range(6):
                I[i, j] = b.I_A[i, j]
        if solve_spd(I, a):
            return 1
        for i in range(6):
            b.a[i] = a[i, 0]
        return 0
    for i in range(3):
        b.a[i] = b.c[i] - h.gravity_N[i]
        b.a[3 + i] = b.c[3 + i]
    for i in range(6):
        b.wrench_N[i] = b.p_A[i] + row_times(b.I_A, i, b.a)
    return 0


@helper
def joint_accelerations(m, b):
    """u' of the free speeds, and the acceleration of the outboard side; the effort of a driven joint."""
    if m.free == 1:
        v = b.rest[0]
        for i in range(6):
            v -= b.U[i, 0] * b.a_J[i]
        v *= b.D_inverse[0, 0]
        b.u_dot[0] = v
    elif m.free:
        for c in range(m.free):
            v = b.rest[c]
            for i in range(6):
                v -= b.U[i, c] * b.a_J[i]
            b.wrench_N[c] = v
        for c in range(m.free):
            v = b.D_inverse[c, 0] * b.wrench_N[0]
            for j in range(1, m.free):
                v += b.D_inverse[c, j] * b.wrench_N[j]
            b.u_dot[c] = v
    elif m.motion >= 0:
        joint_wrench(m, b)
        s = m.part
        b.effort[0] = dot(vector(b.S_N[0]), (b.wrench_N[s], b.wrench_N[s + 1], b.wrench_N[s + 2]))
    if m.free:
        own, s = along_axes(m, b, b.u_dot), m.part
        b.a_J[s] += own[0]
        b.a_J[s + 1] += own[1]
        b.a_J[s + 2] += own[2]


@shared_helper
def outward(h, model, work):
    """Accelerations from the base to the leaves; joint wrenches; status. Accelerations are less gravity."""
    if base_acceleration(h, model.bodies[0], work.bodies[0], work.scratch):
        return BASE_INERTIA
    modal_accelerations(model.bodies[0], work.solved, work.bodies[0].a, work.modal)
    for k in range(1, h.bodies):
        m, b = model.bodies[k], work.bodies[k]
        p = work.bodies[m.parent]
        alpha = angular(p.a)
        a = add(vector(p.a), cross(alpha, vector(b.arm_N)))
        if m.parent_node >= 0:
            n = model.nodes[m.parent_node]
            for l in range(n.modes):
                phi, f = work.columns[n.column + l], work.modal[n.mode + l]
                a, alpha = plus(a, f, (phi[0], phi[1], phi[2])), plus(alpha, f, (phi[3], phi[4], phi[5]))
        if m.kind and not m.part:
            a = add(a, cross(alpha, vector(b.slide_N)))
        put_both(b.a_J, add(a, vector(b.c)), add(alpha, angular(b.c)))
        joint_accelerations(m, b)
        for i in range(6):
            b.a[i] = b.a_J[i]
        if m.modes:
            modal_accelerations(m, work.solved, b.a_J, work.modal)
            if m.child_node >= 0:
                float_off_node(m, b, model.nodes[m.child_node], work.nodes[m.child_node], work)
    return 0


@shared_helper
def float_off_node(m, b, n, node, work):
    """From the acceleration of the hinge node to that of the body's own frame."""
    x, y, z = cross(angular(b.a_J), vector(node.r))
    b.a[0] -= x
    b.a[1] -= y
    b.a[2] -= z
    for i in range(6):
        b.a[i] += b.c_float[i]
    for l in range(n.modes):
        phi, f = work.columns[n.column + l], work.modal[n.mode + l]
        for i in range(6):
            b.a[i] += phi[i] * f
