# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""What joints are: their motion, law, energy and rates of coordinates. The passes know only the motion subspace.

A joint into body B has ``free`` speeds; column i of its motion subspace S is the direction ``S_N[i]``, a translation or a turn of
the outboard side (``part`` 0 or 3). References: theory section 5; [Featherstone2008].
"""

from __future__ import annotations

import math

from tisserand.multibody.recursive._kernels_profiles import profile_at
from tisserand.multibody.recursive._kernels_small import (
    axis_turn,
    from_quaternion,
    half_turn,
    plus,
    product,
    put,
    quaternion_rate,
    root,
    scaled,
    times,
    vector,
)
from tisserand.multibody.recursive.engine_model import BALL, HINGE, PRISMATIC
from tisserand.multibody.recursive.helper import helper


@helper
def joint_motion(m, b, profiles, F, t, y):
    """Relative motion across a joint: X, S and c of its coordinates and speeds.

    On entry ``b.C_NJ`` are the inboard joint axes; on return the outboard ones. Fills the motion subspace, the speeds, the
    displacement of a slider and the driven accelerations (zero of free speeds). Returns the relative velocity (angular where the
    joint turns) and the driven relative acceleration, inertial axes.
    """
    if m.kind == HINGE or m.kind == PRISMATIC:
        if m.motion >= 0:
            q, u, driven = profile_at(profiles, F, m.motion, t)
        else:
            q, u, driven = y[m.q], y[m.u], 0.0
        b.u[0], b.u_dot[0] = u, driven
        axis_N = times(b.C_NJ, vector(m.axis))
        put(b.S_N[0], axis_N)
        if m.kind == HINGE:
            axis_turn(m.axis, q, b.C_turn[0])
            product(b.C_NJ, b.C_turn[0], b.C_turn[1])
            copy_matrix(b.C_turn[1], b.C_NJ)
        else:
            put(b.slide_N, scaled(q, axis_N))
        return scaled(u, axis_N), scaled(driven, axis_N)
    from_quaternion(y, m.q, b.C_turn[0])
    product(b.C_NJ, b.C_turn[0], b.C_turn[1])
    copy_matrix(b.C_turn[1], b.C_NJ)
    for i in range(3):
        b.u[i], b.u_dot[i] = y[m.u + i], 0.0
        put(b.S_N[i], (b.C_NJ[0, i], b.C_NJ[1, i], b.C_NJ[2, i]))
    zero = 0.0 * y[m.u]
    return times(b.C_NJ, vector(b.u)), (zero, zero, zero)


@helper
def copy_matrix(A, B):
    """B = A."""
    for i in range(3):
        for j in range(3):
            B[i, j] = A[i, j]


@helper
def along_axes(m, b, values):
    """S ``values``: the translational or rotational vector of the joint's speeds or accelerations, inertial axes."""
    out = scaled(values[0], vector(b.S_N[0]))
    for i in range(1, m.free):
        out = plus(out, values[i], vector(b.S_N[i]))
    return out


@helper
def ball_turn(q, o):
    """Factor s with rotation vector s (x, y, z) of the quaternion at q[o], the shorter way around."""
    n, w, s = q[o + 1] ** 2 + q[o + 2] ** 2 + q[o + 3] ** 2, q[o], 2.0
    if n.real >= 1e-18:
        n = root(n)
        s = 2.0 * half_turn(n, w if w.real >= 0.0 else -w) / n
    return -s if w.real < 0.0 else s


@helper
def joint_law(m, b, y):
    """Springs and dampers into ``effort``; zero at driven joints."""
    if m.kind == BALL:
        s = ball_turn(y, m.q)
        for i in range(3):
            b.effort[i] = -m.spring * s * y[m.q + 1 + i] - m.damper * b.u[i]
    elif m.free:
        b.effort[0] = -m.spring * (y[m.q] - m.rest) - m.damper * b.u[0]
    else:
        b.effort[0] = 0.0


@helper
def joint_energy(m, y):
    """Energy of the spring, J."""
    if m.kind == BALL:
        s = ball_turn(y, m.q)
        return 0.5 * m.spring * s * s * (y[m.q + 1] ** 2 + y[m.q + 2] ** 2 + y[m.q + 3] ** 2)
    if m.free:
        return 0.5 * m.spring * (y[m.q] - m.rest) ** 2
    return 0.0 * y[m.q]


@helper
def joint_power(m, b, y):
    """Power that is not the spring's, W: of dampers and drives."""
    if m.kind == BALL:
        s = m.spring * ball_turn(y, m.q)
        power = (b.effort[0] + s * y[m.q + 1]) * b.u[0]
        for i in range(1, 3):
            power += (b.effort[i] + s * y[m.q + 1 + i]) * b.u[i]
        return power
    if m.free:
        return (b.effort[0] + m.spring * (y[m.q] - m.rest)) * b.u[0]
    return b.effort[0] * b.u[0]


@helper
def joint_rates(m, b, y, dy):
    """Rates of the joint's coordinates and speeds."""
    if m.kind == BALL:
        quaternion_rate(y, m.q, vector(b.u), dy)
        for i in range(3):
            dy[m.u + i] = b.u_dot[i]
    elif m.kind == HINGE or m.kind == PRISMATIC:
        dy[m.q] = b.u[0]
        dy[m.u] = b.u_dot[0]


@helper
def displace_joint(m, y, motion, rate):
    """Add a motion, given as speeds, to the joint's coordinates; ``rate`` is scratch of the size of the state."""
    if m.kind == BALL:
        turn(y, m.q, motion, m.u, rate)
    elif m.kind == HINGE or m.kind == PRISMATIC:
        y[m.q] += motion[m.u]


@helper
def turn(y, q, motion, u, rate):
    """Turn a quaternion by a small rotation vector in its own axes."""
    quaternion_rate(y, q, (motion[u], motion[u + 1], motion[u + 2]), rate)
    size = 0.0
    for i in range(4):
        y[q + i] += rate[q + i]
        size += y[q + i] ** 2
    for i in range(4):
        y[q + i] /= math.sqrt(size)
