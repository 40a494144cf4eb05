# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Loops inside the compiled step: multipliers as held inputs of plain loads, solved for zero acceleration of every row.

Accelerations are affine in held inputs, so that one evaluation of the engine per row gives M^-1 J^T without any new equation.
Serves theory section 11.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from numba import types

from tisserand.multibody.recursive._kernels_elements import brought_near, engine, fill_inputs
from tisserand.multibody.recursive._kernels_joints import displace_joint, turn
from tisserand.multibody.recursive._kernels_least_norm import factored, solved
from tisserand.multibody.recursive._kernels_loop_rows import (
    COLUMNS,
    RESIDUAL,
    SCALE,
    SPEED,
    clear,
    fill_rows,
    open_energies,
    open_lists,
    open_loops,
    open_matrices,
    open_rows,
    push,
    row_accelerations,
)
from tisserand.multibody.recursive._kernels_observe import integrals_of_motion
from tisserand.multibody.recursive._kernels_open import open_model, open_workspace
from tisserand.multibody.recursive._kernels_small import put
from tisserand.multibody.recursive.engine_model import FREE
from tisserand.multibody.recursive.helper import helper, translated_entry
from tisserand.multibody.recursive.loop_endings import APART, CONFLICT
from tisserand.multibody.recursive.signatures import COMPLEX, COMPLEX_TABLE, CONSTANTS, FLOATS, INTS, RHS, TABLE
from tisserand.multibody.recursive.table_views import part, table

#: A redundant row may miss its acceleration by this part of the largest one.
MISSED = 1e-6
#: A projection ends when no residual is larger than this part of the size of its loop.
CLOSED, OPEN = 1e-14, 1e-9
#: Pushes are this many times larger than needed, so that accelerations without loops do not drown the responses.
LOUD = 1e3


@helper
def responses(M, F, W, U, t, y, dy, free):
    """Accelerations of all rows without loops, and the factored responses to a push on each; status, rank, largest acceleration.

    free: receives the state derivative without loops.
    """
    model = open_model(M)
    h = model.head[0]
    work = open_workspace(h, W)
    loops, m = open_loops(M)
    rows, lists, matrices = open_rows(h, W, m), open_lists(h, W, m), open_matrices(h, W, m)
    clear(loops, U, y)
    status = engine(M, (F, W, U, t, y, free))
    if status:
        return status, 0, 0.0
    largest = row_accelerations(model, work, loops, rows, free, lists[0])
    mass = 0.0
    for k in range(h.bodies):
        mass += model.bodies[k].mass
    loud = LOUD * max(mass, 1e-6) * max(largest, 1e-3)
    for number in range(len(loops)):
        l = loops[number]
        for k in range(l.rows):
            i = l.row + k
            if rows[i, SCALE].real == 0.0:
                for j in range(m):
                    matrices[j, i] = 0.0
                continue
            U[l.multipliers + k] = loud * l.scale[k]
            push(l, rows, U)
            status = engine(M, (F, W, U, t, y, dy))
            if status:
                return status, 0, 0.0
            row_accelerations(model, work, loops, rows, dy, lists[1])
            for j in range(m):
                matrices[j, i] = (lists[1, j] - lists[0, j]) / loud
            U[l.multipliers + k] = 0.0
        push(l, rows, U)
    for i in range(m):
        for j in range(i + 1):
            matrices[i, j] = matrices[j, i] = 0.5 * (matrices[i, j] + matrices[j, i])
            matrices[m + i, j] = matrices[m + j, i] = matrices[i, j]
    A = table(W, h.work_size + 18 + COLUMNS * m + 6 * m + m * m, m, m)
    return 0, factored(A, lists[4], m), largest


@helper
def multipliers(h, W, m, rank):
    """Solve for the multipliers (scaled, lists[3]) of the right side lists[2]; the largest row that is not met."""
    lists, matrices = open_lists(h, W, m), open_matrices(h, W, m)
    start = h.work_size + 18 + COLUMNS * m + 6 * m
    L, G = table(W, start + m * m, m, m), part(W, start + 2 * m * m, m * m)
    solved(L, lists[4], rank, G, lists[2], lists[3], lists[5], m)
    worst = 0.0
    for i in range(m):
        missed = -lists[2, i]
        for j in range(m):
            missed += matrices[i, j] * lists[3, j]
        worst = max(worst, abs(missed.real))
    return worst


@helper
def push_all(h, W, U, loops, rows, m, factor):
    """All pulls from the multipliers of lists[3] times ``factor``."""
    lists = open_lists(h, W, m)
    for number in range(len(loops)):
        l = loops[number]
        if U[l.on].real == 0.0:
            continue
        for k in range(l.rows):
            U[l.multipliers + k] = factor * lists[3, l.row + k] * l.scale[k]
        push(l, rows, U)


@helper
def constrain(M, F, W, U, t, y, dy):
    """Multipliers at a state into U; dy is scratch of the size of the state. Status."""
    model = open_model(M)
    h = model.head[0]
    work = open_workspace(h, W)
    loops, m = open_loops(M)
    rows = open_rows(h, W, m)
    fill_rows(h, model, work, W, loops, rows, F, U, t, y)
    status, rank, largest = responses(M, F, W, U, t, y, dy, dy)
    if status:
        return status
    lists = open_lists(h, W, m)
    for i in range(m):
        lists[2, i] = -lists[0, i]
    if multipliers(h, W, m, rank) > MISSED * max(largest, 1e-12):
        return CONFLICT
    push_all(h, W, U, loops, rows, m, 1.0)
    return 0


@translated_entry(RHS)
def rhs_with_loops(M, F, W, U, t, y, dy):
    """State derivative of a vehicle with loops; as ``rhs``."""
    status = engine(M, (F, W, U, t, y, dy[:0]))
    if status or not len(dy):
        return status
    x, y0, z, moved = brought_near(M, y)
    if moved:
        status = engine(M, (F, W, U, t, y, dy[:0]))
    if not status:
        fill_inputs(M, W, U, y)
        status = constrain(M, F, W, U, t, y, dy)
    put(y, (x, y0, z))
    if status:
        return status
    return engine(M, (F, W, U, t, y, dy))


def fill_loops_displaced(M, F, W, U, t, Y, dy):
    """Forces of elements and loops at displaced states Y (n, size) into their inputs U (n, m); dy (size,) is scratch. Status."""
    for i in range(Y.shape[0]):
        status = engine(M, (F, W, U[i], t, Y[i], Y[i, :0]))
        if status:
            return status
        fill_inputs(M, W, U[i], Y[i])
        status = constrain(M, F, W, U[i], t, Y[i], dy)
        if status:
            return status
    return 0


@cache
def compiled_fill_displaced() -> Any:
    """``fill_loops_displaced``, compiled or taken from the cache on disk when derivatives are first requested."""
    signature = types.int64(INTS, CONSTANTS, COMPLEX, COMPLEX_TABLE, types.float64, COMPLEX_TABLE, COMPLEX)
    return translated_entry(signature)(fill_loops_displaced)


@helper
def displace(h, model, y, motion, rate):
    """Add a motion, given as speeds, to the coordinates; ``rate`` is scratch of the size of the state."""
    s = h.speeds
    if model.bodies[0].kind == FREE:
        for i in range(3):
            y[i] += motion[s + i]
        turn(y, 3, motion, s + 3, rate)
    for k in range(1, h.bodies):
        displace_joint(model.bodies[k], y, motion, rate)
    for i in range(h.modes):
        y[h.eta + i] += motion[h.eta_rate + i]
    for i in range(h.rotors):
        y[h.psi + i] += motion[h.psi_rate + i]


@helper
def impulses(M, F, W, U, t, y, buffers, m, rank):
    """Change of all speeds and accounts by the impulses that answer lists[2], into buffers[0]; the largest row not met.

    buffers[1] receives the derivative without loops, so that only their part is left.
    """
    model = open_model(M)
    h = model.head[0]
    loops, _ = open_loops(M)
    rows, lists = open_rows(h, W, m), open_lists(h, W, m)
    missed = multipliers(h, W, m, rank)
    largest, mass = 0.0, 0.0
    for i in range(m):
        largest = max(largest, abs(lists[3, i]))
    for k in range(h.bodies):
        mass += model.bodies[k].mass
    factor = LOUD * max(mass, 1e-6) / max(largest, 1e-300) if largest > 0.0 else 1.0
    clear(loops, U, y)
    engine(M, (F, W, U, t, y, buffers[1]))
    push_all(h, W, U, loops, rows, m, factor)
    engine(M, (F, W, U, t, y, buffers[0]))
    for i in range(len(y)):
        buffers[0, i] = (buffers[0, i] - buffers[1, i]) / factor
    clear(loops, U, y)
    return missed


@helper
def energy_at(M, F, W, U, t, y):
    """Kinetic and potential energy, J."""
    model = open_model(M)
    h = model.head[0]
    _, m = open_loops(M)
    out = open_energies(h, W, m)
    engine(M, (F, W, U, t, y, y[:0]))
    integrals_of_motion(h, model, open_workspace(h, W), F, t, y, out)
    return out[0] + out[1]


@helper
def worst_residual(loops, rows, drift, column, first):
    """Largest scaled residual as a part of the size of its loop; ``first``: into ``drift`` (loops, 2) too, where larger."""
    worst = 0.0
    for number in range(len(loops)):
        l = loops[number]
        for k in range(l.rows):
            value = abs(rows[l.row + k, column] * rows[l.row + k, SCALE])
            worst = max(worst, value / l.size)
            if first:
                drift[number, column - RESIDUAL] = max(drift[number, column - RESIDUAL], value)
    return worst


@translated_entry(
    types.int64(
        INTS, CONSTANTS, FLOATS, FLOATS, types.float64, FLOATS, TABLE, TABLE, types.int64, types.int64, types.int64
    )
)
def project(M, F, W, U, t, y, buffers, drift, most, lost, rates):
    """Close the loops of a state: coordinates by at most ``most`` Newton steps dq = -M^-1 J' A^-1 phi, then speeds likewise.

    buffers (3, size): scratch. drift (loops, 2): residuals and rates found, m and m/s, where larger. lost: place in U to which
    the change of energy is added, -1 for none. rates: 0 leaves the speeds alone. Status.
    """
    model = open_model(M)
    h = model.head[0]
    work = open_workspace(h, W)
    loops, m = open_loops(M)
    rows, lists = open_rows(h, W, m), open_lists(h, W, m)
    before = energy_at(M, F, W, U, t, y) if lost >= 0 else 0.0
    rank, known, worst, missed = 0, False, 0.0, 0.0
    for step in range(most + 1):
        engine(M, (F, W, U, t, y, y[:0]))
        fill_rows(h, model, work, W, loops, rows, F, U, t, y)
        worst = worst_residual(loops, rows, drift, RESIDUAL, step == 0)
        if step == 0:
            worst_residual(loops, rows, drift, SPEED, True)
        if worst <= CLOSED or step == most:
            break
        status, rank, _ = responses(M, F, W, U, t, y, buffers[0], buffers[1])
        if status:
            return status
        known = True
        for i in range(m):
            lists[2, i] = -rows[i, SCALE] * rows[i, RESIDUAL]
        missed = impulses(M, F, W, U, t, y, buffers, m, rank)
        displace(h, model, y, buffers[0], buffers[2])
    if not worst <= OPEN:
        return CONFLICT if missed > 0.5 * OPEN else APART
    if rates:
        if not known:
            status, rank, _ = responses(M, F, W, U, t, y, buffers[0], buffers[1])
            if status:
                return status
        for i in range(m):
            lists[2, i] = -rows[i, SCALE] * rows[i, SPEED]
        impulses(M, F, W, U, t, y, buffers, m, rank)
        for i in range(h.speeds, h.state):
            y[i] += buffers[0, i]
        for i in range(h.account + 1, h.size):
            y[i] += buffers[0, i]
    if lost >= 0:
        U[lost] += energy_at(M, F, W, U, t, y) - before
    return 0


@translated_entry(
    types.int64(INTS, CONSTANTS, FLOATS, FLOATS, types.float64, FLOATS, TABLE, types.int64, types.float64, types.int64)
)
def impact(M, F, W, U, t, y, buffers, number, restitution, lost):
    """Change the speeds by the impulses of one loop that has just begun to hold, all others staying closed; status.

    Lam = -(1 + e) A^-1 J u for its rows (theory section 12). U receives the impulses in place of its multipliers; ``lost``: place
    in U to which the loss of energy is added.
    """
    model = open_model(M)
    h = model.head[0]
    work = open_workspace(h, W)
    loops, m = open_loops(M)
    rows, lists = open_rows(h, W, m), open_lists(h, W, m)
    before = energy_at(M, F, W, U, t, y)
    engine(M, (F, W, U, t, y, y[:0]))
    fill_rows(h, model, work, W, loops, rows, F, U, t, y)
    status, rank, _ = responses(M, F, W, U, t, y, buffers[0], buffers[1])
    if status:
        return status
    one = loops[number]
    for i in range(m):
        hit = one.row <= i < one.row + one.rows
        lists[2, i] = -(1.0 + restitution if hit else 1.0) * rows[i, SCALE] * rows[i, SPEED]
    fastest = 0.0
    for i in range(m):
        fastest = max(fastest, abs(lists[2, i]))
    if impulses(M, F, W, U, t, y, buffers, m, rank) > MISSED * max(fastest, 1e-12):
        return CONFLICT
    for i in range(h.speeds, h.state):
        y[i] += buffers[0, i]
    for i in range(h.account + 1, h.size):
        y[i] += buffers[0, i]
    for k in range(one.rows):
        U[one.multipliers + k] = lists[3, one.row + k] * one.scale[k]
    U[lost] += before - energy_at(M, F, W, U, t, y)
    return 0
