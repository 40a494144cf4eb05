# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
# ruff: noqa: F403, F405, SIM109
"""Outward pass: places, velocities, velocity-product accelerations, and each body's own inertia and bias.

References: theory section 5; [Featherstone2008].
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_control import profile_at
from tisserand.multibody.recursive._kernels_flex import flexible_inertia, nodes_in_body, nodes_in_space
from tisserand.multibody.recursive._kernels_small import (
    axis_turn,
    cross,
    from_quaternion,
    product,
    product_transposed,
    times,
    transposed_times,
)
from tisserand.multibody.recursive.helper import entry, helper
from tisserand.multibody.recursive.layout import *
from tisserand.multibody.recursive.signatures import FORWARD, FORWARD_COMPLEX


@helper
def base_motion(I, F, W, U, t, y, bt, b):
    """Pose and velocity of the base; for a driven base the given acceleration goes to W_C."""
    u = I[SPEEDS]
    for i in range(6):
        W[b + W_C + i] = 0.0
    if I[bt + B_KIND] == PRESCRIBED:
        for i in range(3):
            p, v, a = profile_at(I, F, I[BASE_X + i], t)
            W[b + W_X + i], W[b + W_V + i], W[b + W_C + i] = U[i] + p, v, a
        s = I[SCRATCH]
        angle, rate, curvature = profile_at(I, F, I[BASE_ANGLE], t)
        from_quaternion(U, 3, W, s)
        axis_turn(F, I[BASE_AXIS], angle, W, s + 9)
        product(W, s, W, s + 9, W, b + W_R)
        x, y1, z = times(W, s, F[I[BASE_AXIS]], F[I[BASE_AXIS] + 1], F[I[BASE_AXIS] + 2])
        W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2] = x * rate, y1 * rate, z * rate
        W[b + W_C + 3], W[b + W_C + 4], W[b + W_C + 5] = x * curvature, y1 * curvature, z * curvature
        return
    from_quaternion(y, 3, W, b + W_R)
    for i in range(3):
        W[b + W_X + i], W[b + W_V + i] = y[i], y[u + i]
    W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2] = times(W, b + W_R, y[u + 3], y[u + 4], y[u + 5])


@helper
def joint_motion(I, F, W, t, y, bt, b, bp):
    """Pose, velocity and bias acceleration of a body from its parent; theory section 5."""
    f, kind = I[bt + B_FLOAT], I[bt + B_KIND]
    s = b + W_IA  # free until the inertia is filled
    wx, wy, wz = W[bp + W_OM], W[bp + W_OM + 1], W[bp + W_OM + 2]
    node = I[bt + B_PARENT_NODE]
    if node < 0:
        rx, ry, rz = times(W, bp + W_R, F[f + F_POINT], F[f + F_POINT + 1], F[f + F_POINT + 2])
        product(W, bp + W_R, F, f + F_FRAME, W, s)
        vx, vy, vz = cross(wx, wy, wz, rx, ry, rz)
        ax, ay, az = cross(wx, wy, wz, vx, vy, vz)
        lx, ly, lz = 0.0, 0.0, 0.0
    else:
        o = I[I[NODE_TABLE] + node * N_STRIDE + N_WORK]
        rx, ry, rz = W[o + Q_POS], W[o + Q_POS + 1], W[o + Q_POS + 2]
        product(W, bp + W_R, W, o + Q_E, W, s + 9)
        product(W, s + 9, F, f + F_FRAME, W, s)
        vx, vy, vz = cross(wx, wy, wz, rx, ry, rz)
        vx, vy, vz = vx + W[o + Q_VEL], vy + W[o + Q_VEL + 1], vz + W[o + Q_VEL + 2]
        ax, ay, az = W[o + Q_A], W[o + Q_A + 1], W[o + Q_A + 2]
        lx, ly, lz = W[o + Q_AL], W[o + Q_AL + 1], W[o + Q_AL + 2]
        wx, wy, wz = wx + W[o + Q_W], wy + W[o + Q_W + 1], wz + W[o + Q_W + 2]
    W[b + W_RHO], W[b + W_RHO + 1], W[b + W_RHO + 2] = rx, ry, rz
    W[b + W_WN], W[b + W_WN + 1], W[b + W_WN + 2] = wx, wy, wz
    W[b + W_D], W[b + W_D + 1], W[b + W_D + 2] = 0.0, 0.0, 0.0
    vx, vy, vz = vx + W[bp + W_V], vy + W[bp + W_V + 1], vz + W[bp + W_V + 2]
    R = s  # frame of the outboard side of the joint
    if kind == HINGE or kind == PRISMATIC:
        if I[bt + B_MOTION] >= 0:
            q, qd, qdd = profile_at(I, F, I[bt + B_MOTION], t)
        else:
            q, qd, qdd = y[I[bt + B_Q]], y[I[bt + B_U]], 0.0
        W[b + W_QD], W[b + W_QDD] = qd, qdd
        gx, gy, gz = times(W, s, F[f + F_AXIS], F[f + F_AXIS + 1], F[f + F_AXIS + 2])
        W[b + W_G], W[b + W_G + 1], W[b + W_G + 2] = gx, gy, gz
        tx, ty, tz = cross(wx, wy, wz, gx * qd, gy * qd, gz * qd)
        if kind == HINGE:
            axis_turn(F, f + F_AXIS, q, W, s + 9)
            product(W, s, W, s + 9, W, s + 18)
            R = s + 18
            wx, wy, wz = wx + gx * qd, wy + gy * qd, wz + gz * qd
            lx, ly, lz = lx + tx + gx * qdd, ly + ty + gy * qdd, lz + tz + gz * qdd
        else:
            dx, dy, dz = gx * q, gy * q, gz * q
            W[b + W_D], W[b + W_D + 1], W[b + W_D + 2] = dx, dy, dz
            x1, y1, z1 = cross(wx, wy, wz, dx, dy, dz)
            vx, vy, vz = vx + x1 + gx * qd, vy + y1 + gy * qd, vz + z1 + gz * qd
            x2, y2, z2 = cross(wx, wy, wz, x1, y1, z1)
            x3, y3, z3 = cross(lx, ly, lz, dx, dy, dz)
            ax, ay, az = ax + x2 + x3 + 2.0 * tx, ay + y2 + y3 + 2.0 * ty, az + z2 + z3 + 2.0 * tz
            ax, ay, az = ax + gx * qdd, ay + gy * qdd, az + gz * qdd
            rx, ry, rz = rx + dx, ry + dy, rz + dz
    elif kind == BALL:
        from_quaternion(y, I[bt + B_Q], W, s + 9)
        product(W, s, W, s + 9, W, s + 18)
        R = s + 18
        u = I[bt + B_U]
        for i in range(9):
            W[b + W_RJ + i] = W[R + i]
        for i in range(3):
            W[b + W_QD + i], W[b + W_QDD + i] = y[u + i], 0.0
        gx, gy, gz = times(W, R, y[u], y[u + 1], y[u + 2])
        tx, ty, tz = cross(wx, wy, wz, gx, gy, gz)
        wx, wy, wz = wx + gx, wy + gy, wz + gz
        lx, ly, lz = lx + tx, ly + ty, lz + tz
    W[b + W_C], W[b + W_C + 1], W[b + W_C + 2] = ax, ay, az
    W[b + W_C + 3], W[b + W_C + 4], W[b + W_C + 5] = lx, ly, lz
    product(W, R, F, f + F_CHILD, W, b + W_R)
    jx, jy, jz = W[bp + W_X] + rx, W[bp + W_X + 1] + ry, W[bp + W_X + 2] + rz
    if I[bt + B_CHILD_NODE] >= 0:
        child_node_motion(I, W, bt, b, wx, wy, wz, vx, vy, vz, jx, jy, jz)
        return
    W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2] = wx, wy, wz
    W[b + W_V], W[b + W_V + 1], W[b + W_V + 2] = vx, vy, vz
    W[b + W_X], W[b + W_X + 1], W[b + W_X + 2] = jx, jy, jz


@helper
def child_node_motion(I, W, bt, b, wx, wy, wz, vx, vy, vz, jx, jy, jz):
    """The body's frame floats on its own hinge node: V = S_h^-1 (V_joint - Phi_h eta'), R = R_joint exp(-b~)."""
    o = I[I[NODE_TABLE] + I[bt + B_CHILD_NODE] * N_STRIDE + N_WORK]
    for i in range(9):
        W[b + W_IA + 27 + i] = W[b + W_R + i]
    product_transposed(W, b + W_IA + 27, W, o + Q_E, W, b + W_R)
    x, y, z = times(W, b + W_R, W[o + Q_W], W[o + Q_W + 1], W[o + Q_W + 2])
    wx, wy, wz = wx - x, wy - y, wz - z
    W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2] = wx, wy, wz
    rx, ry, rz = times(W, b + W_R, W[o + Q_POS], W[o + Q_POS + 1], W[o + Q_POS + 2])
    x, y, z = times(W, b + W_R, W[o + Q_VEL], W[o + Q_VEL + 1], W[o + Q_VEL + 2])
    x1, y1, z1 = cross(wx, wy, wz, rx, ry, rz)
    W[b + W_V], W[b + W_V + 1], W[b + W_V + 2] = vx - x - x1, vy - y - y1, vz - z - z1
    W[b + W_X], W[b + W_X + 1], W[b + W_X + 2] = jx - rx, jy - ry, jz - rz


@helper
def own_inertia(I, F, W, t, y, bt, b):
    """Inertia about the body's reference point and velocity bias, inertial axes; rotors and appendages included."""
    f, R = I[bt + B_FLOAT], b + W_R
    ia = b + W_IA
    wx, wy, wz = W[b + W_OM], W[b + W_OM + 1], W[b + W_OM + 2]
    ox, oy, oz = transposed_times(W, R, wx, wy, wz)
    hx, hy, hz = times(F, f + F_J, ox, oy, oz)
    rx, ry, rz = 0.0, 0.0, 0.0
    dx, dy, dz = 0.0, 0.0, 0.0
    for i in range(I[bt + B_ROTORS]):
        rt = I[ROTOR_TABLE] + (I[bt + B_ROTOR] + i) * R_STRIDE
        o, mode = I[rt + R_FLOAT], I[rt + R_MODE]
        if mode == 0:
            h, hd = F[o + 3] * y[I[PSI_RATE] + I[rt + R_STATE]], 0.0
        else:
            h, hd, _ = profile_at(I, F, I[rt + R_PROFILE], t)
            if mode == 1:
                h, hd = F[o + 3] * h, F[o + 3] * hd
        rx, ry, rz = rx + h * F[o], ry + h * F[o + 1], rz + h * F[o + 2]
        dx, dy, dz = dx + hd * F[o], dy + hd * F[o + 1], dz + hd * F[o + 2]
    tx, ty, tz = cross(ox, oy, oz, hx + rx, hy + ry, hz + rz)
    W[b + W_HR], W[b + W_HR + 1], W[b + W_HR + 2] = rx, ry, rz
    px, py, pz = times(W, R, tx + dx, ty + dy, tz + dz)
    W[b + W_PA], W[b + W_PA + 1], W[b + W_PA + 2] = 0.0, 0.0, 0.0
    W[b + W_PA + 3], W[b + W_PA + 4], W[b + W_PA + 5] = px, py, pz
    for i in range(3):
        W[b + W_S + i] = F[f + F_FIRST + i]
        for j in range(3):
            W[ia + 6 * (3 + i) + 3 + j] = F[f + F_JACC + 3 * i + j]
            W[b + W_J + 3 * i + j] = F[f + F_J + 3 * i + j]
    if I[bt + B_MODES]:
        flexible_inertia(I, F, W, y, bt, b)
    m = F[f + F_MASS]
    sx, sy, sz = times(W, R, W[b + W_S], W[b + W_S + 1], W[b + W_S + 2])
    W[b + W_S], W[b + W_S + 1], W[b + W_S + 2] = sx, sy, sz
    # R J R' without further workspace: rows of (R J) meet R again
    J0, J1, J2 = W[ia + 21], W[ia + 22], W[ia + 23]
    J4, J5, J8 = W[ia + 28], W[ia + 29], W[ia + 35]
    for i in range(3):
        a, c, d = W[R + 3 * i], W[R + 3 * i + 1], W[R + 3 * i + 2]
        ka, kc, kd = a * J0 + c * J1 + d * J2, a * J1 + c * J4 + d * J5, a * J2 + c * J5 + d * J8
        for j in range(i, 3):
            v = ka * W[R + 3 * j] + kc * W[R + 3 * j + 1] + kd * W[R + 3 * j + 2]
            W[ia + 6 * (3 + i) + 3 + j] = v
            W[ia + 6 * (3 + j) + 3 + i] = v
    for i in range(3):
        for j in range(3):
            W[ia + 6 * i + j] = m if i == j else 0.0
    W[ia + 3], W[ia + 4], W[ia + 5] = 0.0, sz, -sy
    W[ia + 9], W[ia + 10], W[ia + 11] = -sz, 0.0, sx
    W[ia + 15], W[ia + 16], W[ia + 17] = sy, -sx, 0.0
    for i in range(3):
        for j in range(3):
            W[ia + 6 * (3 + i) + j] = W[ia + 6 * j + 3 + i]
    x, y1, z = cross(wx, wy, wz, sx, sy, sz)
    x, y1, z = cross(wx, wy, wz, x, y1, z)
    W[b + W_PA] += x
    W[b + W_PA + 1] += y1
    W[b + W_PA + 2] += z


@entry(FORWARD, FORWARD_COMPLEX)
def forward(I, F, W, U, t, y):
    """Pose, velocity, bias and own inertia of every body."""
    for k in range(I[BODIES]):
        bt = I[BODY_TABLE] + k * B_STRIDE
        b = I[BODY_WORK] + k * W_STRIDE
        if I[bt + B_NODES]:
            nodes_in_body(I, F, W, y, bt)
        if k == 0:
            base_motion(I, F, W, U, t, y, bt, b)
        else:
            joint_motion(I, F, W, t, y, bt, b, I[BODY_WORK] + I[bt + B_PARENT] * W_STRIDE)
        if I[bt + B_NODES]:
            nodes_in_space(I, W, bt, b)
        if I[bt + B_CHILD_NODE] >= 0:
            o = I[I[NODE_TABLE] + I[bt + B_CHILD_NODE] * N_STRIDE + N_WORK]
            for i in range(3):
                W[b + W_CH + i], W[b + W_CH + 3 + i] = -W[o + Q_A + i], -W[o + Q_AL + i]
        own_inertia(I, F, W, t, y, bt, b)
