# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""First outward pass: places, velocities, velocity-product accelerations, and each body's own inertia and bias.

References: theory section 5; [Featherstone2008].
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_flex import flexible_inertia
from tisserand.multibody.recursive._kernels_joints import joint_motion
from tisserand.multibody.recursive._kernels_nodes import node_in_body, node_in_space
from tisserand.multibody.recursive._kernels_open import open_model, open_workspace
from tisserand.multibody.recursive._kernels_profiles import profile_at
from tisserand.multibody.recursive._kernels_small import (
    add,
    axis_turn,
    cross,
    from_quaternion,
    increase,
    plus,
    product,
    product_transposed,
    put,
    put_both,
    scaled,
    sub,
    times,
    transposed_times,
    vector,
)
from tisserand.multibody.recursive.helper import entry, helper
from tisserand.multibody.recursive.model import PRESCRIBED, TORQUE
from tisserand.multibody.recursive.model import SPEED as BY_SPEED
from tisserand.multibody.recursive.signatures import FORWARD, FORWARD_COMPLEX


@helper
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


@helper
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


@helper
def rotor_momentum(m, rotors, profiles, F, h, t, y):
    """Momentum of a body's rotors about their axes and its driven rate, body axes, N m s and N m."""
    zero = 0.0 * y[0]
    momentum, rate = (zero, zero, zero), (zero, zero, zero)
    for i in range(m.rotors):
        rotor = rotors[m.rotor + i]
        axis = vector(rotor.axis_B)
        if rotor.drive == TORQUE:
            momentum = plus(momentum, rotor.inertia * y[h.psi_rate + rotor.number], axis)
        else:
            value, slope, _ = profile_at(profiles, F, rotor.profile, t)
            factor = rotor.inertia if rotor.drive == BY_SPEED else 1.0
            momentum, rate = plus(momentum, factor * value, axis), plus(rate, factor * slope, axis)
    return momentum, rate


@helper
def own_inertia(h, m, b, model, work, F, t, y):
    """Inertia about the body's reference point and velocity bias, inertial axes; rotors and appendages included."""
    C, I = b.C_NB, b.I_A
    w_B = transposed_times(C, vector(b.w_BN_N))
    momentum, rate = rotor_momentum(m, model.rotors, model.profiles, F, h, t, y)
    put(b.h_rotors_B, momentum)
    gyroscopic = cross(w_B, add(times(m.J_B, w_B), momentum))
    zero = 0.0 * y[0]
    put_both(b.p_A, (zero, zero, zero), times(C, add(gyroscopic, rate)))
    for i in range(3):
        b.first_N[i] = m.first_B[i]
        for j in range(3):
            b.J_B[i, j] = m.J_B[i, j]
            I[3 + i, 3 + j] = m.J_driven_B[i, j]
    if m.modes:
        flexible_inertia(h, m, b, model, work, F, y)
    first = times(C, vector(b.first_N))
    put(b.first_N, first)
    turn_inertia(C, I)
    for i in range(3):
        for j in range(3):
            I[i, j] = m.mass if i == j else zero
    x, y1, z = first
    I[0, 3], I[0, 4], I[0, 5] = zero, z, -y1
    I[1, 3], I[1, 4], I[1, 5] = -z, zero, x
    I[2, 3], I[2, 4], I[2, 5] = y1, -x, zero
    for i in range(3):
        for j in range(3):
            I[3 + i, j] = I[j, 3 + i]
    w = vector(b.w_BN_N)
    increase(b.p_A, cross(w, cross(w, first)))


@helper
def turn_inertia(C, I):
    """The rotational block of I from body to inertial axes, C J C', in place."""
    J = I[3:, 3:]
    a, b, c, d, e, f = J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2]
    for i in range(3):
        x, y, z = C[i, 0], C[i, 1], C[i, 2]
        row = (x * a + y * b + z * c, x * b + y * d + z * e, x * c + y * e + z * f)
        for j in range(i, 3):
            v = row[0] * C[j, 0] + row[1] * C[j, 1] + row[2] * C[j, 2]
            J[i, j] = v
            J[j, i] = v


@helper
def move_bodies(h, model, work, F, U, t, y):
    """Pose, velocity, bias and own inertia of every body."""
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
        own_inertia(h, m, b, model, work, F, t, y)


@entry(FORWARD, FORWARD_COMPLEX)
def forward(M, F, W, U, t, y):
    """Pose, velocity, bias and own inertia of every body."""
    model = open_model(M)
    h = model.head[0]
    move_bodies(h, model, open_workspace(h, W), F, U, t, y)
