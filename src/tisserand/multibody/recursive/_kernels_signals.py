# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Measured and commanded quantities, and linear control laws, inside the compiled step.

Serves the loads of theory section 3.2.
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_profiles import profile_at
from tisserand.multibody.recursive._kernels_small import (
    add,
    axis_turn,
    cross,
    dot,
    from_quaternion,
    plus,
    product,
    root,
    scaled,
    sub,
    times,
    transposed_times,
    vector,
)
from tisserand.multibody.recursive.engine_model import (
    POSE,
    SIGNAL_ATTITUDE,
    SIGNAL_BENT,
    SIGNAL_GRAVITY,
    SIGNAL_INPUT,
    SIGNAL_NODE,
    SIGNAL_POSITION,
    SIGNAL_PROFILE,
    SIGNAL_PROFILE_RATE,
    SIGNAL_RATE,
    SIGNAL_STATE,
    SIGNAL_VELOCITY,
)
from tisserand.multibody.recursive.helper import helper, shared_helper
from tisserand.multibody.recursive.table_views import table


@helper
def gravity_effort(h, model, work, F, s):
    """Effort at the joint of a tree body that balances gravity on all bodies outboard of it (numbers in F), N m or N.

    Every body in its current pose, its appendages undeformed: the first moments are those of the rigid vehicle.
    """
    m, b, g = model.bodies[s.index], work.bodies[s.index], vector(h.gravity_N)
    joint = vector(b.r_N)
    if m.child_node >= 0:  # the joint sits on a node of the body, away from its reference point
        joint = add(joint, vector(work.nodes[m.child_node].r))
    mass, moment = 0.0, sub(joint, joint)
    for i in range(s.second):
        j = int(F[s.floats + i])
        mj, bj = model.bodies[j], work.bodies[j]
        moment = add(moment, times(bj.C_NB, vector(mj.first_B)))
        moment = plus(moment, mj.mass, sub(vector(bj.r_N), joint))
        mass += mj.mass
    weight = cross(moment, g) if m.part else add(scaled(mass, g), sub(joint, joint))
    return -dot(vector(b.S_N[0]), weight)


@shared_helper
def attitude_error(b, s, profiles, F, t, scratch):
    """Component along a body direction of the turn from reference to body, 2 sin(angle/2) axis."""
    A, B, E = table(scratch, 0, 3, 3), table(scratch, 9, 3, 3), table(scratch, 18, 3, 3)
    from_quaternion(s.reference, 0, A)
    axis_turn(s.axis, profile_at(profiles, F, s.second, t)[0], B)
    product(A, B, E)
    # E' C_NB in body axes; the vector part of its quaternion, stable at any angle below 180 degrees
    for r in range(3):
        for c in range(3):
            A[r, c] = E[0, r] * b.C_NB[0, c] + E[1, r] * b.C_NB[1, c] + E[2, r] * b.C_NB[2, c]
    square = 1.0 + A[0, 0] + A[1, 1] + A[2, 2]
    if square.real < 1e-12:
        square = 1e-12 + 0.0 * square
    return dot(vector(s.direction), (A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1])) / root(square)


@helper
def bent_node(h, s, F, y):
    """Displacement (or rate) of a node along a direction to second degree: weights (n), then squares (n, n) in F."""
    n, value = s.second, 0.0 * y[0]
    eta, rate = h.eta + s.index, h.eta_rate + s.index
    for k in range(n):
        slope = 0.0 * y[0]
        for l in range(n):
            slope += F[s.floats + n + k * n + l] * y[eta + l]
        if s.rate:
            value += (F[s.floats + k] + 2.0 * slope) * y[rate + k]
        else:
            value += (F[s.floats + k] + slope) * y[eta + k]
    return value


@shared_helper
def signal_at(h, model, work, F, U, t, y, s):
    """One measured or commanded quantity; needs the poses and velocities of the outward pass."""
    zero = 0.0 * y[0]
    if s.kind == SIGNAL_PROFILE:
        return profile_at(model.profiles, F, s.index, t)[0] + zero
    if s.kind == SIGNAL_PROFILE_RATE:
        return profile_at(model.profiles, F, s.index, t)[1] + zero
    if s.kind == SIGNAL_STATE:
        return y[s.index]
    if s.kind == SIGNAL_INPUT:
        return U[POSE + s.index] + zero
    if s.kind == SIGNAL_NODE:  # combination of modal coordinates or rates
        value = zero
        for k in range(s.second):
            value += F[s.floats + k] * y[s.index + k]
        return value
    if s.kind == SIGNAL_BENT:
        return bent_node(h, s, F, y)
    if s.kind == SIGNAL_GRAVITY:
        return gravity_effort(h, model, work, F, s)
    direction = vector(s.direction)
    if s.kind == SIGNAL_RATE or s.kind == SIGNAL_ATTITUDE or s.kind == SIGNAL_POSITION or s.kind == SIGNAL_VELOCITY:
        b = work.bodies[s.index]
        if s.kind == SIGNAL_RATE:
            return dot(direction, transposed_times(b.C_NB, vector(b.w_BN_N)))
        if s.kind == SIGNAL_ATTITUDE:
            return attitude_error(b, s, model.profiles, F, t, work.scratch)
        arm = times(b.C_NB, vector(s.point_B))
        if s.kind == SIGNAL_POSITION:
            return dot(direction, add(vector(b.r_N), arm))
        return dot(direction, add(vector(b.v_N), cross(vector(b.w_BN_N), arm)))
    rotor = model.rotors[s.index]  # inertial spin rate
    b = work.bodies[rotor.body]
    spin = dot(vector(rotor.axis_B), transposed_times(b.C_NB, vector(b.w_BN_N)))
    return y[h.psi_rate + rotor.number] + spin


@shared_helper
def control(h, model, work, F, U, t, y, dy):
    """Signals s, commands c = sat(C x + D s), controller states x' = A x + B s."""
    ns, nc, nx, signals = h.signals, h.commands, h.states, work.signals
    for i in range(ns):
        signals[i] = signal_at(h, model, work, F, U, t, y, model.signals[i])
    A = h.control
    B = A + nx * nx
    C = B + nx * ns
    D = C + nc * nx
    limits = D + nc * ns
    for i in range(nx):
        v = 0.0 * y[0]
        for j in range(nx):
            v += F[A + i * nx + j] * y[h.state + j]
        for j in range(ns):
            v += F[B + i * ns + j] * signals[j]
        dy[h.state + i] = v
    for i in range(nc):
        v = 0.0 * y[0]
        for j in range(nx):
            v += F[C + i * nx + j] * y[h.state + j]
        for j in range(ns):
            v += F[D + i * ns + j] * signals[j]
        low, high = F[limits + 2 * i], F[limits + 2 * i + 1]
        if v.real > high:
            v = high + 0.0 * y[0]
        elif v.real < low:
            v = low + 0.0 * y[0]
        work.commands[i] = v
