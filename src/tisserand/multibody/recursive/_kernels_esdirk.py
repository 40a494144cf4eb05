# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Adaptive implicit time integration whose step is not bound by the highest mode: ESDIRK of order 4 with events.

Reference: theory section 13, [KennedyCarpenter2003].
"""

from __future__ import annotations

import math

from numba import types

from tisserand.multibody.recursive._kernels_between import PAIRS, between
from tisserand.multibody.recursive._kernels_events import (
    PROBES,
    begin_search,
    crosses,
    dip,
    event_values,
    next_probe,
    same_side,
)
from tisserand.multibody.recursive._kernels_forward import move_bodies
from tisserand.multibody.recursive._kernels_implicit import solve_stage, stiffen
from tisserand.multibody.recursive._kernels_integrate import combine
from tisserand.multibody.recursive._kernels_observe import INTEGRALS, KINETIC, integrals_of_motion
from tisserand.multibody.recursive._kernels_open import open_model, open_workspace
from tisserand.multibody.recursive.endings import NOT_FINITE, STEP_TOO_SMALL, STOPPED, TOO_MANY_EVENTS, TOO_MANY_STEPS
from tisserand.multibody.recursive.esdirk_table import ERROR, GUESS, LOSS, NODES, PARTS, STAGES
from tisserand.multibody.recursive.helper import helper, shared_helper, translated_entry
from tisserand.multibody.recursive.signatures import CONSTANTS, FLOATS, INDICES, INTS, RHS, STATISTICS, TABLE

#: Of the optimal step, the largest growth of a step, and the exponent of the error before.
SAFETY, GROWTH, MEMORY = 0.9, 4.0, 0.08
#: Energy that a step takes from modes and springs is left out below this part of the relative tolerance times their energy.
NEGLIGIBLE = 1e-4
#: Rows of the buffers.
WORK, NEW, STAGE, WEIGHTS, LARGEST, EVENTS, EVENTS_NEW, STATE, EVENTS_INSIDE = range(9)
#: Where events are sampled inside a step; their values stand in three rows from ``EVENTS_INSIDE`` on.
QUARTER = 0.25


@shared_helper
def weigh(rtol, scale, y, other, groups, paces, largest, weights):
    """weights = 1 / (scale + rtol pace largest), zero where not watched; how many are.

    ``largest``: of y / pace in the coordinate's group, of both states.
    """
    n, watched = len(y), 0
    for i in range(n):
        largest[i] = 0.0
    for i in range(n):
        k = groups[i]
        largest[k] = max(largest[k], abs(y[i]) / paces[i], abs(other[i]) / paces[i])
    for i in range(n):
        if scale[i] < math.inf:
            weights[i] = 1.0 / (scale[i] + rtol * paces[i] * largest[groups[i]])
            watched += 1
        else:
            weights[i] = 0.0
    return watched


@helper
def spring_form(h, model, F, w):
    """w'K w over modes and joints; w has the places of the state."""
    out = 0.0
    for k in range(h.bodies):
        m = model.bodies[k]
        if k and m.free == 1:
            out += m.spring * w[m.q] ** 2
        for number in range(m.block, m.block + m.blocks):
            block = model.blocks[number]
            n, eta = block.modes, h.eta + block.mode
            for l in range(n):
                for j in range(n):
                    out += w[eta + l] * F[block.stiffness + l * n + j] * w[eta + j]
    return out


@shared_helper
def kinetic(h, model, opened, F, U, t, w, sign, state, totals):
    """Kinetic energy with the speeds sign w at the coordinates of ``state``, whose own inertias the workspace holds."""
    for i in range(h.speeds, h.state):
        state[i] = sign * w[i]
    move_bodies(h, model, opened, F, U, t, state)
    integrals_of_motion(h, model, opened, F, t, state, totals)
    return totals[KINETIC]


@helper
def step_loss(rhs, h, model, opened, M, F, W, U, t, step, y, K, table, rtol, homogeneous, work, state, totals, stats):
    """Energy that the step takes from vibration beyond its damping, J: h²/2 sum m_ij k_i'S k_j of kinetic and elastic energy.

    All kinetic energies are taken at the coordinates of y, so that one evaluation gives the inertias of all.
    """
    loss = 0.0
    for r in range(STAGES):
        combine(len(y), y, 0.0, table[PARTS + r], STAGES, K, work)
        loss += table[LOSS, r] * spring_form(h, model, F, work)
    if not abs(step * step * loss) > NEGLIGIBLE * rtol * spring_form(h, model, F, y):
        return 0.0
    for i in range(len(y)):
        state[i] = 0.0 if h.speeds <= i < h.state else y[i]
    rhs(M, F, W, U, t, state, work[:0])
    stats.calls += 1
    rest = 0.0
    if not homogeneous:
        integrals_of_motion(h, model, opened, F, t, state, totals)
        rest = totals[KINETIC]
    for r in range(STAGES):
        combine(len(y), y, 0.0, table[PARTS + r], STAGES, K, work)
        T = kinetic(h, model, opened, F, U, t, work, 1.0, state, totals)
        if not homogeneous:
            T += kinetic(h, model, opened, F, U, t, work, -1.0, state, totals) - 2.0 * rest
            T *= 0.5
        loss += table[LOSS, r] * 2.0 * T
    return 0.5 * step * step * loss


@helper
def first_step(rtol, watched, y, rates, weights, longest):
    """A step in which the state changes by a hundredth of its size; s."""
    a = b = 0.0
    for i in range(len(y)):
        a += (y[i] * weights[i]) ** 2
        b += (rates[i] * weights[i]) ** 2
    h = 1e-6 if a < 1e-10 or b < 1e-10 else 0.01 * math.sqrt(a / b)
    return min(max(h, 1e-8), 1e-2, longest)


@helper
def error_of(step, n, K, weights, watched, row, work, y):
    """Difference to the embedded method in units of the tolerance (root mean square)."""
    combine(n, y, 0.0, row, STAGES, K, work)
    total = 0.0
    for i in range(n):
        total += (step * work[i] * weights[i]) ** 2
    return math.sqrt(total / max(watched, 1))


@translated_entry(
    types.int64(
        types.FunctionType(RHS), INTS, CONSTANTS, FLOATS, INTS, CONSTANTS, FLOATS, FLOATS, types.float64, types.float64,
        FLOATS, types.float64, types.float64, FLOATS, types.float64, FLOATS, TABLE, FLOATS, types.int64,
        TABLE, TABLE, TABLE, PAIRS, PAIRS, INDICES, FLOATS, types.boolean, FLOATS, INDICES, FLOATS, INDICES, TABLE, STATISTICS,
    )
)  # fmt: skip
def esdirk(
    rhs, M, F, W, M2, F2, W2, U, t, t_end,
    y, h, rtol, scale, max_steps, times, Y, lost, first,
    K, table, buffers, pairs, turns, groups, paces, homogeneous, memory, signals, levels, ways, found, statistics,
):  # fmt: skip
    """Integrate y from t to t_end in place; fill Y[first:] and lost[first:] at ``times``; as ``dop853``.

    M2, F2, W2: tables of ``ImplicitModel`` and their workspace; memory (3,): of Newton's iterations (rate, status), and the
    energy taken by the method so far, J.
    """
    n, ne = len(y), len(signals)
    model, model2 = open_model(M), open_model(M2)
    head, head2 = model.head[0], model2.head[0]
    opened = open_workspace(head, W)
    values, stats = opened.signals, statistics[0]
    work, new, ys, weights, ynew = buffers[WORK], buffers[NEW], buffers[STAGE], buffers[WEIGHTS], buffers[STATE]
    events, events_new = buffers[EVENTS], buffers[EVENTS_NEW]
    totals = K[STAGES, :INTEGRALS] if n >= INTEGRALS else K[STAGES]
    stats.events = 0
    status = rhs(M, F, W, U, t, y, K[0])
    stats.calls += 1
    if status:
        stats.time = t
        return status
    if ne:
        event_values(values, signals, levels, events)
    out = first
    watched = weigh(rtol, scale, y, y, groups, paces, buffers[LARGEST], weights)
    if h <= 0.0:
        h = first_step(rtol, watched, y, K[0], weights, t_end - t)
    refused, before = False, 1.0
    while t < t_end:
        if stats.steps + stats.rejected >= max_steps:
            stats.time, stats.step = t, h
            return TOO_MANY_STEPS
        if h < 1e-14 * max(abs(t), 1e-6) or not h > 0.0:
            stats.time, stats.step = t, h
            return STEP_TOO_SMALL
        last = t + h * 1.0000001 >= t_end
        step = t_end - t if last else h
        g = step * table[1, 1]
        weigh(rtol, scale, y, y, groups, paces, buffers[LARGEST], weights)
        stiffen(head2, model2, F, g, F2)
        passes, memory[1] = 0, 0.0
        for s in range(1, STAGES):
            combine(n, y, step, table[s], s, K, ys)
            combine(n, y, 0.0, table[GUESS + s], s, K, K[s])
            at = t + table[NODES, s] * step
            passes = solve_stage(
                rhs, head2, model2, F, M2, F2, W2, U, at, g, ys, weights, watched, pairs, turns, K[s], new, work, memory
            )
            stats.calls += abs(passes)
            if passes < 0:
                break
        error = math.inf
        if passes > 0:
            for i in range(n):
                ynew[i] = ys[i] + g * K[STAGES - 1, i]
            weigh(rtol, scale, y, ynew, groups, paces, buffers[LARGEST], weights)
            error = error_of(step, n, K, weights, watched, table[ERROR], work, y)
        if not error <= 1.0:
            stats.rejected += 1
            if passes < 0 or not error < math.inf:
                memory[0] = 1.0
                h = 0.4 * step
                if h < 1e-12 * max(abs(t), 1e-3):
                    stats.time, stats.step = t, h
                    return int(memory[1]) if memory[1] else NOT_FINITE
            else:
                h = step * max(0.2, SAFETY * error**-0.25)
            refused = True
            continue
        # accepted: events, output, next step
        t_new = t_end if last else t + step
        stop, t_stop = -1, t_new
        if ne:
            rhs(M, F, W, U, t_new, ynew, new)
            stats.calls += 1
            event_values(values, signals, levels, events_new)
            for i in range(3):
                x = QUARTER * (i + 1)
                between(y, K[0], ynew, K[STAGES - 1], step, x, pairs, turns, work)
                rhs(M, F, W, U, t + x * step, work, new)
                stats.calls += 1
                event_values(values, signals, levels, buffers[EVENTS_INSIDE + i])
            for e in range(ne):
                g0, g1, seen, g_seen = events[e], events_new[e], 0.0, 0.0
                a, b, c = buffers[EVENTS_INSIDE][e], buffers[EVENTS_INSIDE + 1][e], buffers[EVENTS_INSIDE + 2][e]
                near = dip(g0, QUARTER, a, 2.0 * QUARTER, b, 3.0 * QUARTER, c, g1)
                if near > 0.0:  # does it get to the other side and back?
                    low, mid, high, least, at = begin_search(near)
                    for _ in range(PROBES):
                        between(y, K[0], ynew, K[STAGES - 1], step, at, pairs, turns, work)
                        rhs(M, F, W, U, t + at * step, work, new)
                        stats.calls += 1
                        now = values[signals[e]] - levels[e]
                        if same_side(g0, now) == 0.0:
                            seen, g_seen = at, now
                            break
                        low, mid, high, least, at = next_probe(low, mid, high, least, at, abs(now))
                for half in range(2 if seen > 0.0 else 1):
                    low, high, ga, gb = 0.0, 1.0, g0, g1
                    if seen > 0.0 and half == 0:
                        high, gb = seen, g_seen
                    elif seen > 0.0:
                        low, ga = seen, g_seen
                    happens, stops = crosses(ga, gb, ways[e])
                    if not happens:
                        continue
                    for _ in range(60):
                        mid = 0.5 * (low + high)
                        between(y, K[0], ynew, K[STAGES - 1], step, mid, pairs, turns, work)
                        rhs(M, F, W, U, t + mid * step, work, new)
                        if (values[signals[e]] - levels[e] < 0.0) == (ga < 0.0):
                            low = mid
                        else:
                            high = mid
                        if (high - low) * step < 1e-13 * max(1.0, abs(t)):
                            break
                    where = t + high * step
                    if stats.events == found.shape[0]:
                        stats.time, stats.step = t, h
                        return TOO_MANY_EVENTS
                    found[stats.events, 0], found[stats.events, 1] = e, where
                    stats.events += 1
                    if stops:
                        if where <= t_stop:
                            stop, t_stop = e, where
                        break
            for e in range(ne):
                events[e] = events_new[e]
        taken = step_loss(
            rhs,
            head,
            model,
            opened,
            M,
            F,
            W,
            U,
            t_new,
            step,
            ynew,
            K,
            table,
            rtol,
            homogeneous,
            work,
            new,
            totals,
            stats,
        )
        while out < len(times) and times[out] <= t_stop:
            x = (times[out] - t) / step
            lost[out] = memory[2] + x * taken
            if times[out] == t_new and stop < 0:
                for i in range(n):
                    Y[out, i] = ynew[i]
            else:
                between(y, K[0], ynew, K[STAGES - 1], step, x, pairs, turns, Y[out])
            out += 1
        stats.steps += 1
        if not last:
            stats.smallest = min(stats.smallest, step)
        if stop >= 0:
            x = (t_stop - t) / step
            memory[2] += x * taken
            between(y, K[0], ynew, K[STAGES - 1], step, x, pairs, turns, work)
            for i in range(n):
                y[i] = work[i]
            stats.time, stats.step = t_stop, h
            return STOPPED
        t = t_new
        memory[2] += taken
        for i in range(n):
            y[i] = ynew[i]
            K[0, i] = K[STAGES - 1, i]
        error = max(error, 1e-10)
        factor = min(max(SAFETY * error ** (0.75 * MEMORY - 0.25) * before**MEMORY, 0.2), GROWTH)
        before = max(error, 1e-4)
        if not last or factor < 1.0:
            h = step * (min(factor, 1.0) if refused else factor)
        refused = False
    stats.time, stats.step = t, h
    return 0
