# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Adaptive time integration, DOP853 with dense output and events, calling the compiled right-hand side.

Reference: [Hairer1993].
"""

from __future__ import annotations

import math

from numba import types

from tisserand.multibody.recursive._kernels_events import (
    PROBES,
    begin_search,
    crosses,
    dip,
    event_values,
    next_probe,
    same_side,
)
from tisserand.multibody.recursive._kernels_open import open_model, open_workspace
from tisserand.multibody.recursive.endings import NOT_FINITE, STEP_TOO_SMALL, STOPPED, TOO_MANY_EVENTS, TOO_MANY_STEPS
from tisserand.multibody.recursive.helper import helper, shared_helper, translated_entry
from tisserand.multibody.recursive.signatures import CONSTANTS, FLOATS, INDICES, INTS, RHS, STATISTICS, TABLE

#: Of the optimal step; the exponent of the error before (Gustafsson): together they save most rejected steps.
SAFETY, MEMORY = 0.95, 0.04
#: Stages whose events are kept as samples inside the step; their values stand in the buffers from ``SAMPLES`` on.
EARLY, HALFWAY, LATE, SAMPLES = 6, 9, 10, 6


@shared_helper
def combine(n, y, h, weights, count, K, out):
    """out = y + h sum_j weights[j] K[j], j < count: one stage after the other, along the state (vector code)."""
    for i in range(n):
        out[i] = 0.0
    for j in range(count):
        w = weights[j]
        if w != 0.0:
            for i in range(n):
                out[i] += w * K[j, i]
    if h == 0.0:  # the sum alone
        return
    for i in range(n):
        out[i] = y[i] + h * out[i]


@helper
def interpolate(n, K, x, y, out):
    """Dense output of DOP853: rows 16 to 22 of K hold its polynomials; x in 0..1 from the start state y."""
    for i in range(n):
        v = 0.0
        for j in range(6, -1, -1):
            v = (v + K[16 + j, i]) * (x if (6 - j) % 2 == 0 else 1.0 - x)
        out[i] = y[i] + v


@helper
def dense_polynomials(rhs, M, F, W, U, n, t, h, y, ynew, K, A, C, D, buffer):
    """Three more stages and the seven interpolation rows (Hairer, Norsett, Wanner, Solving ODEs I, section II.6)."""
    for s in range(13, 16):
        combine(n, y, h, A[s], s, K, buffer)
        status = rhs(M, F, W, U, t + C[s] * h, buffer, K[s])
        if status:
            return status
    for i in range(n):
        delta = ynew[i] - y[i]
        K[16, i] = delta
        K[17, i] = h * K[0, i] - delta
        K[18, i] = 2.0 * delta - h * (K[12, i] + K[0, i])
    for r in range(4):
        combine(n, y, 0.0, D[r], 16, K, K[19 + r])
        for i in range(n):
            K[19 + r, i] *= h
    return 0


@translated_entry(
    types.int64(
        types.FunctionType(RHS),
        INTS,
        CONSTANTS,
        FLOATS,
        FLOATS,
        types.float64,
        types.float64,
        FLOATS,
        types.float64,
        types.float64,
        FLOATS,
        types.float64,
        FLOATS,
        TABLE,
        types.int64,
        TABLE,
        TABLE,
        FLOATS,
        FLOATS,
        FLOATS,
        FLOATS,
        TABLE,
        TABLE,
        INDICES,
        FLOATS,
        INDICES,
        TABLE,
        STATISTICS,
    )
)
def dop853(
    rhs,
    M,
    F,
    W,
    U,
    t,
    t_end,
    y,
    h,
    rtol,
    scale,
    max_steps,
    times,
    Y,
    first,
    K,
    A,
    B,
    C,
    E3,
    E5,
    D,
    buffers,
    signals,
    levels,
    ways,
    found,
    statistics,
):
    """Integrate y from t to t_end in place; fill Y[first:] at ``times``; status of ``endings``.

    scale (n,): absolute tolerances, infinite where the error is not watched; ways: of ``stepping``; found (rows, 2): number and
    time of every event.
    """
    n = len(y)
    work, ynew, other = buffers[0], buffers[1], buffers[2]
    ne = len(signals)
    model = open_model(M)
    values = open_workspace(model.head[0], W).signals
    stats = statistics[0]
    stats.events = 0
    status = rhs(M, F, W, U, t, y, K[0])
    stats.calls += 1
    if status:
        stats.time = t
        return status
    if ne:
        event_values(values, signals, levels, buffers[3])
    out = first
    watched = 0
    for i in range(n):
        if scale[i] < math.inf:
            watched += 1
    if h <= 0.0:
        a = b = 0.0
        for i in range(n):
            allowed = scale[i] + rtol * abs(y[i])
            a += (y[i] / allowed) ** 2
            b += (K[0, i] / allowed) ** 2
        h = 1e-6 if a < 1e-10 or b < 1e-10 else 0.01 * math.sqrt(a / b)
        h = min(max(h, 1e-8), 1e-2, t_end - t)
    refused, before = False, 1e-4
    while t < t_end:
        if stats.steps + stats.rejected >= max_steps:
            stats.time, stats.step = t, h
            return TOO_MANY_STEPS
        if h < 1e-14 * max(abs(t), 1e-6) or not h > 0.0:
            stats.time, stats.step = t, h
            return STEP_TOO_SMALL
        last = t + h * 1.0000001 >= t_end
        step = t_end - t if last else h
        for s in range(1, 12):
            combine(n, y, step, A[s], s, K, work)
            status = rhs(M, F, W, U, t + C[s] * step, work, K[s])
            stats.calls += 1
            if status:
                break
            if ne and (s == EARLY or s >= HALFWAY) and s <= LATE:
                event_values(values, signals, levels, buffers[SAMPLES + (0 if s == EARLY else s - HALFWAY + 1)])
        error = math.nan
        if not status:
            combine(n, y, step, B, 12, K, ynew)
            status = rhs(M, F, W, U, t + step, ynew, K[12])
            stats.calls += 1
            v5, v3 = other, buffers[5]
            combine(n, y, 0.0, E5, 13, K, v5)
            combine(n, y, 0.0, E3, 13, K, v3)
            e5 = e3 = 0.0
            for i in range(n):
                allowed = scale[i] + rtol * max(abs(y[i]), abs(ynew[i]))
                if scale[i] < math.inf:
                    e5 += (v5[i] / allowed) ** 2
                    e3 += (v3[i] / allowed) ** 2
            denominator = e5 + 0.01 * e3
            error = 0.0 if denominator <= 0.0 else abs(step) * e5 / math.sqrt(denominator * max(watched, 1))
        if status or not error <= 1.0:  # also when not a number
            stats.rejected += 1
            if status or not error < math.inf:
                h = 0.1 * step
                if h < 1e-12 * max(abs(t), 1e-3):
                    stats.time, stats.step = t, h
                    return status if status else NOT_FINITE
                status = 0
            else:
                h = step * max(0.2, SAFETY * error**-0.125)
            refused = True
            continue
        # accepted: events, output, next step
        t_new = t_end if last else t + step
        dense = False
        stop = -1
        t_stop = t_new
        if ne:
            event_values(values, signals, levels, buffers[4])
            for e in range(ne):
                g0, g1, seen, g_seen = buffers[3][e], buffers[4][e], 0.0, 0.0
                happens, stops = crosses(g0, g1, ways[e])
                a, b, c = buffers[SAMPLES][e], buffers[SAMPLES + 1][e], buffers[SAMPLES + 2][e]
                near = dip(g0, C[EARLY], a, C[HALFWAY], b, C[LATE], c, g1)
                if (happens or near > 0.0) and not dense:
                    status = dense_polynomials(rhs, M, F, W, U, n, t, step, y, ynew, K, A, C, D, work)
                    stats.calls += 3
                    if status:
                        return status
                    dense = True
                if near > 0.0:  # does it get to the other side and back?
                    low, mid, high, least, at = begin_search(near)
                    for _ in range(PROBES):
                        interpolate(n, K, at, y, other)
                        rhs(M, F, W, U, t + at * step, other, work)
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
                        interpolate(n, K, mid, y, other)
                        rhs(M, F, W, U, t + mid * step, other, work)
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
                buffers[3][e] = buffers[4][e]
        while out < len(times) and times[out] <= t_stop:
            if times[out] == t_new and stop < 0:
                for i in range(n):
                    Y[out, i] = ynew[i]
            else:
                if not dense:
                    status = dense_polynomials(rhs, M, F, W, U, n, t, step, y, ynew, K, A, C, D, work)
                    stats.calls += 3
                    if status:
                        return status
                    dense = True
                interpolate(n, K, (times[out] - t) / step, y, Y[out])
            out += 1
        stats.steps += 1
        if not last:
            stats.smallest = min(stats.smallest, step)
        if stop >= 0:
            interpolate(n, K, (t_stop - t) / step, y, other)
            for i in range(n):
                y[i] = other[i]
            stats.time, stats.step = t_stop, h
            return STOPPED
        t = t_new
        for i in range(n):
            y[i] = ynew[i]
            K[0, i] = K[12, i]
        error = max(error, 1e-10)
        factor = min(max(SAFETY * error ** (0.75 * MEMORY - 0.125) * before**MEMORY, 0.2), 10.0)
        before = max(error, 1e-4)
        if not last or factor < 1.0:
            h = step * (min(factor, 1.0) if refused else factor)
        refused = False
    stats.time, stats.step = t, h
    return 0
