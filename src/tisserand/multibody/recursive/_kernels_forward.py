# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""First outward pass: places, velocities and velocity-product accelerations.

References: theory section 5; [Featherstone2008].
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_joints import joint_motion
from tisserand.multibody.recursive._kernels_nodes import node_in_body, node_in_space
from tisserand.multibody.recursive._kernels_profiles import profile_at
from tisserand.multibody.recursive._kernels_small import (
    add,
    axis_turn,
    cross,
    from_quaternion,
    plus,
    product,
    product_transposed,
    put,
    put_both,
    scaled,
    sub,
    times,
    vector,
)
from tisserand.multibody.recursive.engine_model import PRESCRIBED
from tisserand.multibody.recursive.helper import helper, shared_helper


@shared_helper
def base_motion(h, m, b, profiles, F, U, t, y):
    """Pose and velocity of the base; the given acceleration of a driven base goes to its bias."""
    zero = 0.0 * y[0]
    if m.kind == PRESCRIBED:
        for i in range(3):
            p, v, a = profile_at(profiles, F, h.base_profiles[i], t)
            b.r_N[i], b.v_N[i], b.c[i] = U[i] + p, v, a
        angle, rate, curvature = profile_at(profiles, F, h.base_profiles[3], t)
        from_quaternion(U, 3, b.C_turn[0])
        axis_turn(h.base_axis_B, angle, b.C_turn[1])
        product(b.C_turn[0], b.C_turn[1], b.C_NB)
        axis_N = times(b.C_turn[0], vector(h.base_axis_B))
        put(b.w_BN_N, scaled(rate, axis_N))
        b.c[3], b.c[4], b.c[5] = scaled(curvature, axis_N)
        return
    u = h.speeds
    put_both(b.c, (zero, zero, zero), (zero, zero, zero))
    from_quaternion(y, 3, b.C_NB)
    put(b.r_N, (y[0], y[1], y[2]))
    put(b.v_N, (y[u], y[u + 1], y[u + 2]))
    put(b.w_BN_N, times(b.C_NB, (y[u + 3], y[u + 4], y[u + 5])))


@helper
def body_motion(m, b, p, nodes, profiles, F, t, y):
    """Pose, velocity and bias acceleration of a body from those of its parent; theory section 5."""
    zero = 0.0 * y[0]
    w_PN = vector(p.w_BN_N)
    if m.parent_node < 0:
        arm = times(p.C_NB, vector(m.point_P))
        product(p.C_NB, m.C_PJ, b.C_NJ)
        v = cross(w_PN, arm)
        a, alpha, w = cross(w_PN, v), (zero, zero, zero), w_PN
    else:
        node = nodes[m.parent_node]
        arm = vector(node.r)
        product(p.C_NB, node.C_B, b.C_turn[0])
        product(b.C_turn[0], m.C_PJ, b.C_NJ)
        v = add(cross(w_PN, arm), vector(node.v))
        a, alpha, w = vector(node.a), vector(node.alpha), add(w_PN, vector(node.w))
    put(b.arm_N, arm)
    v = add(v, vector(p.v_N))
    place = add(vector(p.r_N), arm)
    if m.kind:  # not fixed
        relative, driven = joint_motion(m, b, profiles, F, t, y)
        if m.part:
            alpha = add(add(alpha, cross(w, relative)), driven)
            w = add(w, relative)
        else:
            slide = vector(b.slide_N)
            turned = cross(w, slide)
            a = add(add(a, cross(alpha, slide)), cross(w, turned))
            a = add(plus(a, 2.0, cross(w, relative)), driven)
            v = add(add(v, turned), relative)
            place = add(place, slide)
    put_both(b.c, a, alpha)
    product(b.C_NJ, m.C_JB, b.C_NB)
    if m.child_node >= 0:
        w, v, place = float_on_hinge_node(b, nodes[m.child_node], w, v, place)
    put(b.w_BN_N, w)
    put(b.v_N, v)
    put(b.r_N, place)


@shared_helper
def float_on_hinge_node(b, node, w, v, place):
    """The body's frame floats on its own hinge node: V = S_h^-1 (V_joint - Phi_h eta'), C = C_joint exp(-b~)."""
    for i in range(3):
        for j in range(3):
            b.C_turn[0, i, j] = b.C_NB[i, j]
    product_transposed(b.C_turn[0], node.C_B, b.C_NB)
    w = sub(w, times(b.C_NB, vector(node.w)))
    r = times(b.C_NB, vector(node.r))
    v = sub(sub(v, times(b.C_NB, vector(node.v))), cross(w, r))
    return w, v, sub(place, r)


@shared_helper
def move_bodies(h, model, work, F, U, t, y):
    """Pose, velocity and bias acceleration of every body and of the nodes that carry joints or loads."""
    for k in range(h.bodies):
        m, b = model.bodies[k], work.bodies[k]
        for i in range(m.node, m.node + m.nodes):
            n = model.nodes[i]
            node_in_body(h, n, work.nodes[i], work.columns[n.column : n.column + n.modes], F, y)
        if k == 0:
            base_motion(h, m, b, model.profiles, F, U, t, y)
        else:
            body_motion(m, b, work.bodies[m.parent], work.nodes, model.profiles, F, t, y)
        for i in range(m.node, m.node + m.nodes):
            n = model.nodes[i]
            node_in_space(n, work.nodes[i], work.columns[n.column : n.column + n.modes], b)
        if m.child_node >= 0:
            node = work.nodes[m.child_node]
            for i in range(3):
                b.c_float[i], b.c_float[3 + i] = -node.a[i], -node.alpha[i]
