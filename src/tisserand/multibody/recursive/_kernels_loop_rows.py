# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Rows of loops: directions, residuals, rates and accelerations, from the motion that the engine left behind.

A row is a wrench on the second end and its reaction on the first: force F, torque T, inertial axes. Its rate is
F.(v_2 - v_1 - w_1 x d) + T.(w_2 - w_1) with d from the first end to the second, so that the same wrench is the row of J.
Serves theory section 11.
"""

from __future__ import annotations

import math

import numpy as np

from tisserand.multibody.recursive._kernels_elements import _SIZE as _ELEMENT_SIZE
from tisserand.multibody.recursive._kernels_elements import TAIL, end_axes, end_motion, turn_vector
from tisserand.multibody.recursive._kernels_profiles import profile_at
from tisserand.multibody.recursive._kernels_small import add, angular, cross, dot, plus, put, root, sub, times, vector
from tisserand.multibody.recursive.engine_model import words
from tisserand.multibody.recursive.helper import helper
from tisserand.multibody.recursive.table_views import part, records_view, table

_INT, _FLOAT = np.int64, np.float64
#: What a loop ties together.
PLACES, DISTANCE, JOINTS = range(3)
#: What a row of a loop between places keeps: a component of the distance, of the turn, of an axis of the second end along the
#: first, a rate along a direction of the first end, or of the second.
POSITION, TURN, AXIS, RATE, SIDE = range(5)
MOST = 6

LOOP = np.dtype([
    ("kind", _INT),
    ("rows", _INT),
    ("row", _INT),                 # first of its rows among all
    ("inputs", _INT),              # first of the inputs of its pulls in U
    ("multipliers", _INT),         # first of its multipliers in U
    ("on", _INT),                  # place in U: 0 where it does not hold
    ("level", _INT),               # place in U of the constant part of its level
    ("profile", _INT),             # of the part of the level that varies in time, -1 for none
    ("ends", _INT, 2),             # as of a force element
    ("on_node", _INT, 2),
    ("points_B", _FLOAT, (2, 3)),
    ("C_B", _FLOAT, (2, 3, 3)),
    ("types", _INT, MOST),
    ("force_A", _FLOAT, (MOST, 3)),   # of each row, axes of the first end (SIDE: of the second)
    ("torque_A", _FLOAT, (MOST, 3)),  # likewise; AXIS: across the axis
    ("axis", _FLOAT, 3),           # AXIS: along both ends
    ("scale", _FLOAT, MOST),       # makes a length of each row's residual: 1, or the size of the loop for angles, m
    ("size", _FLOAT),              # m
    ("places", _INT, 2),           # JOINTS: coordinates in y
    ("speeds", _INT, 2),
    ("factors", _FLOAT, 2),
    ("friction", _FLOAT, 3),       # of a joint that slips where it does not hold: level, level near rest, Stribeck's rate
])  # fmt: skip

#: After the loops and before the force elements: rows of all loops, and loops.
COUNTS = 2
_LOOP_SIZE = words(LOOP)
_loops = records_view(LOOP)

#: Columns of a row: force and torque on the second end, distance vector, residual, rate, acceleration of motion alone, scale.
FORCE, TORQUE, ARM, RESIDUAL, SPEED, BIAS, SCALE, COLUMNS = 0, 3, 6, 9, 10, 11, 12, 13


@helper
def open_loops(M):
    """The loops of a model and the number of their rows."""
    after = len(M) - TAIL - M[len(M) - TAIL] * _ELEMENT_SIZE - COUNTS
    count = M[after + 1]
    return _loops(M, after - count * _LOOP_SIZE, count), M[after]


def scratch_size(rows: int) -> int:
    """Numbers that loops need after the workspace of the engine."""
    return 18 + COLUMNS * rows + 6 * rows + 3 * rows * rows + 11


@helper
def open_rows(h, W, m):
    """Table of rows (m, COLUMNS)."""
    return table(W, h.work_size + 18, m, COLUMNS)


@helper
def open_lists(h, W, m):
    """Six lists (6, m): accelerations without loops, those with a push, right side, multipliers, order, scratch."""
    return table(W, h.work_size + 18 + COLUMNS * m, 6, m)


@helper
def open_matrices(h, W, m):
    """Three square matrices (3 m, m): responses, their factor, scratch."""
    return table(W, h.work_size + 18 + COLUMNS * m + 6 * m, 3 * m, m)


@helper
def open_energies(h, W, m):
    """Integrals of motion (11)."""
    return part(W, h.work_size + 18 + COLUMNS * m + 6 * m + 3 * m * m, 11)


@helper
def level_of(l, profiles, F, U, t):
    """Level of a loop at a time and its two derivatives."""
    value, rate, curvature = profile_at(profiles, F, l.profile, t)
    return U[l.level] + value, rate, curvature


@helper
def put_row(r, force, torque, d, residual, speed, bias, scale):
    """One row of the table."""
    put(r[FORCE:], force)
    put(r[TORQUE:], torque)
    put(r[ARM:], d)
    r[RESIDUAL], r[SPEED], r[BIAS], r[SCALE] = residual, speed, bias, scale


@helper
def place_rows(l, model, work, C, E, A, rows, U):
    """Rows of a loop between places; C, E, A are scratch for axes."""
    end_axes(l, 0, model, work, A, C)
    end_axes(l, 1, model, work, A, E)
    r, v, w = end_motion(l, 0, model, work)
    r2, v2, w2 = end_motion(l, 1, model, work)
    d, wr, turned = sub(r2, r), sub(w2, w), cross(w, w2)
    vr = sub(sub(v2, v), cross(w, d))
    drag = plus(cross(w, cross(w, d)), 2.0, cross(w, vr))
    for i in range(3):
        for j in range(3):
            A[i, j] = C[0, i] * E[0, j] + C[1, i] * E[1, j] + C[2, i] * E[2, j]
    turn = turn_vector(A)
    axis = times(E, vector(l.axis))
    for k in range(l.rows):
        f, t = times(C, vector(l.force_A[k])), times(C, vector(l.torque_A[k]))
        kind, residual, more = l.types[k], 0.0 * d[0], 0.0 * d[0]
        if kind == POSITION:
            residual = dot(f, d) - (U[l.level] if k == 0 else 0.0 * U[l.level])
        elif kind == TURN:
            residual = dot(turn, vector(l.torque_A[k]))
        elif kind == AXIS:
            residual, more = dot(t, axis), dot(t, cross(wr, cross(wr, axis)))
            t = cross(axis, t)
        elif kind == SIDE:
            f = times(E, vector(l.force_A[k]))
            more = dot(cross(wr, f), vr)
        bias = more - dot(f, drag) - dot(t, turned)
        put_row(rows[l.row + k], f, t, d, residual, dot(f, vr) + dot(t, wr), bias, l.scale[k])


@helper
def distance_row(l, model, work, rows, level, rate, curvature):
    """The row of a rod."""
    r, v, _ = end_motion(l, 0, model, work)
    r2, v2, _ = end_motion(l, 1, model, work)
    d, dv = sub(r2, r), sub(v2, v)
    square, zero = dot(d, d), 0.0 * d[0]
    if not square.real > 0.0:
        put_row(rows[l.row], (zero, zero, zero), (zero, zero, zero), d, zero - level, zero - rate, zero, l.scale[0])
        return
    length = root(square)
    n = (d[0] / length, d[1] / length, d[2] / length)
    along = dot(n, dv)
    bias = (dot(dv, dv) - along * along) / length - curvature
    put_row(rows[l.row], n, (zero, zero, zero), d, length - level, along - rate, bias, l.scale[0])


@helper
def joint_row(l, rows, y, level, rate, curvature):
    """The row of a gear."""
    zero = 0.0 * y[0]
    none = (zero, zero, zero)
    residual, speed = zero - level, zero - rate
    for i in range(2):
        residual += l.factors[i] * y[l.places[i]]
        speed += l.factors[i] * y[l.speeds[i]]
    put_row(rows[l.row], none, none, none, residual, speed, zero - curvature, l.scale[0])


@helper
def fill_rows(h, model, work, W, loops, rows, F, U, t, y):
    """All rows at a state; the engine has just left poses and velocities. Rows of loops that do not hold are zero."""
    C, E, A = table(W, h.work_size, 3, 3), table(W, h.work_size + 9, 3, 3), table(work.scratch, 0, 3, 3)
    for number in range(len(loops)):
        l = loops[number]
        if U[l.on].real == 0.0:
            for k in range(l.rows):
                for j in range(COLUMNS):
                    rows[l.row + k, j] = 0.0
            continue
        level, rate, curvature = level_of(l, model.profiles, F, U, t)
        if l.kind == PLACES:
            place_rows(l, model, work, C, E, A, rows, U)
        elif l.kind == DISTANCE:
            distance_row(l, model, work, rows, level, rate, curvature)
        else:
            joint_row(l, rows, y, level, rate, curvature)


@helper
def end_acceleration(l, i, model, work):
    """Acceleration, less gravity, and angular acceleration of an end, inertial axes."""
    if l.on_node[i]:
        n, node = model.nodes[l.ends[i]], work.nodes[l.ends[i]]
        b = work.bodies[n.body]
        alpha = angular(b.a)
        a = add(add(vector(b.a), cross(alpha, vector(node.r))), vector(node.a))
        alpha = add(alpha, vector(node.alpha))
        for k in range(n.modes):
            phi, f = work.columns[n.column + k], work.modal[n.mode + k]
            a, alpha = plus(a, f, (phi[0], phi[1], phi[2])), plus(alpha, f, (phi[3], phi[4], phi[5]))
        return a, alpha
    b = work.bodies[l.ends[i]]
    w, alpha, arm = vector(b.w_BN_N), angular(b.a), times(b.C_NB, vector(l.points_B[i]))
    return add(add(vector(b.a), cross(alpha, arm)), cross(w, cross(w, arm))), alpha


@helper
def row_accelerations(model, work, loops, rows, dy, out):
    """Second derivative of every residual into ``out``, scaled, after the engine's last pass; the largest acceleration.

    Of the ends, or what their rates alone ask for.
    """
    largest = 0.0
    for number in range(len(loops)):
        l = loops[number]
        if rows[l.row, SCALE].real == 0.0:
            for k in range(l.rows):
                out[l.row + k] = 0.0
            continue
        if l.kind == JOINTS:
            r = rows[l.row]
            rate = r[BIAS]
            largest = max(largest, abs((r[SCALE] * rate).real))
            for i in range(2):
                rate += l.factors[i] * dy[l.speeds[i]]
                largest = max(largest, abs(dy[l.speeds[i]].real) * l.scale[0])
            out[l.row] = r[SCALE] * rate
            continue
        a, alpha = end_acceleration(l, 0, model, work)
        a2, alpha2 = end_acceleration(l, 1, model, work)
        turning = sub(alpha2, alpha)
        for i in range(3):
            largest = max(largest, abs(a[i].real), abs(a2[i].real), abs(turning[i].real) * l.size)
        for k in range(l.rows):
            r = rows[l.row + k]
            apart = sub(sub(a2, a), cross(alpha, vector(r[ARM:])))
            rate = dot(vector(r[FORCE:]), apart) + dot(vector(r[TORQUE:]), turning) + r[BIAS]
            largest = max(largest, abs((r[SCALE] * r[BIAS]).real))
            out[l.row + k] = r[SCALE] * rate
    return largest


@helper
def slip_force(l, U, y):
    """Friction of a joint that does not stick; its direction, the sign of the rate to come, stands in place of the level."""
    u = y[l.speeds[0]]
    a = u.real
    grip = (l.friction[1] - l.friction[0]) * math.exp(-((a / l.friction[2]) ** 2))
    slope = -2.0 * a / l.friction[2] ** 2 * grip
    return -U[l.level].real * (l.friction[0] + grip + slope * (u - a))


@helper
def clear(loops, U, y):
    """No force in any loop but friction in those that slip."""
    for number in range(len(loops)):
        l = loops[number]
        for i in range(2 if l.kind == JOINTS else 9):
            U[l.inputs + i] = 0.0
        for k in range(l.rows):
            U[l.multipliers + k] = 0.0
        if l.friction[1] > 0.0 and U[l.on].real == 0.0:
            U[l.inputs] = slip_force(l, U, y)
            U[l.multipliers] = U[l.inputs]


@helper
def push(l, rows, U):
    """The pulls of a loop that holds from its multipliers."""
    if U[l.on].real == 0.0:
        return
    if l.kind == JOINTS:
        for i in range(2):
            U[l.inputs + i] = l.factors[i] * U[l.multipliers]
        return
    zero = 0.0 * U[l.multipliers]
    force, torque = (zero, zero, zero), (zero, zero, zero)
    for k in range(l.rows):
        r, x = rows[l.row + k], U[l.multipliers + k]
        force, torque = plus(force, x, vector(r[FORCE:])), plus(torque, x, vector(r[TORQUE:]))
    back = add(torque, cross(vector(rows[l.row, ARM:]), force))
    for i in range(3):
        U[l.inputs + i], U[l.inputs + 3 + i], U[l.inputs + 6 + i] = force[i], torque[i], -back[i]
