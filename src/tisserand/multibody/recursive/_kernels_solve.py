# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""The right-hand side of the state: outward kinematics, loads, inward elimination, outward solution, accounts.

Reference: theory section 5.2.
"""

from __future__ import annotations

from tisserand.multibody.recursive._kernels_forward import move_bodies
from tisserand.multibody.recursive._kernels_inertia import body_inertias
from tisserand.multibody.recursive._kernels_inward import inward
from tisserand.multibody.recursive._kernels_joints import joint_law, joint_power, joint_rates
from tisserand.multibody.recursive._kernels_loads import apply_loads
from tisserand.multibody.recursive._kernels_open import open_model, open_workspace
from tisserand.multibody.recursive._kernels_outward import outward
from tisserand.multibody.recursive._kernels_profiles import profile_at
from tisserand.multibody.recursive._kernels_signals import control
from tisserand.multibody.recursive._kernels_small import (
    add,
    angular,
    cross,
    dot,
    increase,
    plus,
    quaternion_rate,
    scaled,
    times,
    transposed_times,
    vector,
)
from tisserand.multibody.recursive.engine_model import FIXED, FREE, SPEED, TORQUE
from tisserand.multibody.recursive.helper import helper, shared_helper, translated_entry
from tisserand.multibody.recursive.signatures import RHS, RHS_COMPLEX


@shared_helper
def drive_rotors(h, model, work, y, dy):
    """Torque-driven rotors: dy of their rates holds the motor torque; the drive reacts on the body."""
    results = work.results[0]
    for r in range(h.rotors):
        rotor = model.rotors[r]
        if rotor.drive == TORQUE:
            b, s = work.bodies[rotor.body], h.psi_rate + rotor.number
            torque = dy[s] - rotor.damping * y[s]
            dy[s] = torque
            results.power += torque * y[s]
            x, y1, z = times(b.C_NB, scaled(torque, vector(rotor.axis_B)))
            b.p_A[3] += x
            b.p_A[4] += y1
            b.p_A[5] += z


@shared_helper
def rotor_rates(h, model, work, F, t, y, dy):
    """Rates of rotor angles and speeds, and the power of driven rotors."""
    results = work.results[0]
    for r in range(h.rotors):
        rotor = model.rotors[r]
        b, axis = work.bodies[rotor.body], vector(rotor.axis_B)
        angle, rate = h.psi + rotor.number, h.psi_rate + rotor.number
        along = dot(axis, transposed_times(b.C_NB, angular(b.a)))
        if rotor.drive == TORQUE:
            dy[angle] = y[rate]
            dy[rate] = dy[rate] / rotor.inertia - along
            continue
        value, slope, _ = profile_at(model.profiles, F, rotor.profile, t)
        if rotor.drive == SPEED:
            dy[angle] = value
            dy[rate] = slope
            results.power += rotor.inertia * (slope + along) * value
        else:
            results.power -= slope * dot(axis, transposed_times(b.C_NB, vector(b.w_BN_N)))


@helper
def damping_power(h, block, F, y):
    """Power that the damping of an appendage takes, W."""
    n, rate = block.modes, h.eta_rate + block.mode
    power = 0.0 * y[0]
    if block.diagonal:
        for l in range(n):
            power += F[block.damping + l * n + l] * y[rate + l] ** 2
    else:
        for l in range(n):
            for j in range(n):
                power += y[rate + l] * F[block.damping + l * n + j] * y[rate + j]
    return power


@shared_helper
def accounts(h, model, work, F, y, dy):
    """Rates of work, impulse and angular impulse, which the balance sheet compares with energy and momentum."""
    results, base, g = work.results[0], work.bodies[0], vector(h.gravity_N)
    power = results.power
    if model.bodies[0].kind != FREE:
        force, torque = vector(base.wrench_N), angular(base.wrench_N)
        power += dot(force, vector(base.v_N)) + dot(torque, vector(base.w_BN_N))
        increase(results.force_N, force)
        increase(results.torque_N, add(torque, cross(vector(base.r_N), force)))
    for k in range(h.bodies):
        m, b = model.bodies[k], work.bodies[k]
        moment = plus(vector(b.first_N), m.mass, vector(b.r_N))
        increase(results.torque_N, cross(moment, g))
        increase(results.force_N, scaled(m.mass, g))
        if k:
            power += joint_power(m, b, y)
        for number in range(m.block, m.block + m.blocks):
            power -= damping_power(h, model.blocks[number], F, y)
    dy[h.account] = power
    for i in range(3):
        dy[h.account + 1 + i] = results.force_N[i]
        dy[h.account + 4 + i] = results.torque_N[i]


@shared_helper
def motion_rates(h, model, work, y, dy):
    """Rates of the coordinates and speeds of base, joints and modes."""
    base, u = work.bodies[0], h.speeds
    if model.bodies[0].kind != FIXED:
        for i in range(3):
            dy[i] = base.v_N[i]
            dy[u + i] = base.a[i] + h.gravity_N[i]
        quaternion_rate(y, 3, transposed_times(base.C_NB, vector(base.w_BN_N)), dy)
        dy[u + 3], dy[u + 4], dy[u + 5] = transposed_times(base.C_NB, angular(base.a))
    for k in range(1, h.bodies):
        joint_rates(model.bodies[k], work.bodies[k], y, dy)
    for l in range(h.modes):
        dy[h.eta + l] = y[h.eta_rate + l]
        dy[h.eta_rate + l] = work.modal[l]


@translated_entry(RHS, RHS_COMPLEX)
def rhs(M, F, W, U, t, y, dy):
    """State derivative; 0, or which matrix of which body is not positive definite (``endings``).

    With an empty ``dy`` it ends after poses, velocities and own inertias, which the elimination would overwrite.
    """
    model = open_model(M)
    h = model.head[0]
    work = open_workspace(h, W)
    move_bodies(h, model, work, F, U, t, y)
    body_inertias(h, model, work, F, t, y)
    if not len(dy):
        return 0
    results = work.results[0]
    for i in range(h.size):
        dy[i] = 0.0
    results.power = 0.0
    for i in range(3):
        results.force_N[i] = 0.0
        results.torque_N[i] = 0.0
    for k in range(1, h.bodies):
        joint_law(model.bodies[k], work.bodies[k], y)
    control(h, model, work, F, U, t, y, dy)
    apply_loads(h, model, work, F, U, t, y, dy)
    drive_rotors(h, model, work, y, dy)
    status = inward(h, model, work, F)
    if status:
        return status
    status = outward(h, model, work)
    if status:
        return status
    motion_rates(h, model, work, y, dy)
    rotor_rates(h, model, work, F, t, y, dy)
    accounts(h, model, work, F, y, dy)
    return 0
