# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Adaptive time integration, DOP853 with dense output and events, calling the compiled right-hand side.

Reference: [Hairer1993].
"""

from __future__ import annotations

import math

from numba import types

from tisserand.multibody.recursive._kernels_open import open_model, open_workspace
from tisserand.multibody.recursive.endings import NOT_FINITE, STEP_TOO_SMALL, STOPPED, TOO_MANY_EVENTS, TOO_MANY_STEPS
from tisserand.multibody.recursive.helper import helper, shared_helper, translated_entry
from tisserand.multibody.recursive.signatures import CONSTANTS, FLOATS, INDICES, INTS, RHS, STATISTICS, TABLE
from tisserand.multibody.recursive.stepping import STOPS

#: Of the optimal step; the exponent of the error before (Gustafsson): together they save most rejected steps.
SAFETY, MEMORY = 0.95, 0.04


@helper
def event_values(values, signals, levels, out):
    """Signal minus level of every event; the right-hand side has just left the signals in the workspace."""
    for i in range(len(signals)):
        out[i] = values[signals[i]] - levels[i]


@helper
def crosses(before, after, way):
    """Whether an event with these values at the ends of a step happens within it, and whether it stops the run."""
    stops = way >= STOPS // 2
    if stops:
        way -= STOPS
    return (before < 0.0 <= after and way >= 0) or (before > 0.0 >= after and way <= 0), stops


@helper
def look_inside(before, values, signals, levels, at, seen):
    """Note in ``seen`` where in the step, a part of it, a stage has an event on its other side; zero: nowhere so far.

    An event that happens twice within one step leaves no trace at its ends.
    """
    for e in range(len(signals)):
        now = values[signals[e]] - levels[e]
        if seen[e] == 0.0 and ((before[e] < 0.0 < now) or (before[e] > 0.0 > now)):
            seen[e] = at


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
        for e in range(ne):
            buffers[6][e] = 0.0
        for s in range(1, 12):
            combine(n, y, step, A[s], s, K, work)
            status = rhs(M, F, W, U, t + C[s] * step, work, K[s])
            stats.calls += 1
            if status:
                break
            if ne and C[s] < 1.0:
                look_inside(buffers[3], values, signals, levels, C[s], buffers[6])
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
                g0 = buffers[3][e]
                happens, stops = crosses(g0, buffers[4][e], ways[e])
                low, high, g1, seen, twice = 0.0, 1.0, g0, buffers[6][e], False
                if happens or seen > 0.0:
                    if not dense:
                        status = dense_polynomials(rhs, M, F, W, U, n, t, step, y, ynew, K, A, C, D, work)
                        stats.calls += 3
                        if status:
                            return status
                        dense = True
                    if not happens:  # a stage has seen it on its other side: is that so?
                        high = seen
                        interpolate(n, K, high, y, other)
                        rhs(M, F, W, U, t + high * step, other, work)
                        event_values(values, signals, levels, buffers[5])
                        g1 = buffers[5][e]
                        happens, stops = crosses(g0, g1, ways[e])
                        if happens:
                            twice, _ = crosses(g1, buffers[4][e], ways[e])
                        elif (g0 < 0.0) != (g1 < 0.0):  # on its way back, then
                            low, high, g0 = seen, 1.0, g1
                            happens, stops = crosses(g0, buffers[4][e], ways[e])
                if happens:
                    for again in range(2):
                        for _ in range(60):
                            mid = 0.5 * (low + high)
                            interpolate(n, K, mid, y, other)
                            rhs(M, F, W, U, t + mid * step, other, work)
                            event_values(values, signals, levels, buffers[5])
                            if (buffers[5][e] < 0.0) == (g0 < 0.0):
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
                        if again or stops or not twice:
                            break
                        low, high, g0 = seen, 1.0, g1  # there and back within the step
                    where = t + high * step
                    if stops and where <= t_stop:
                        stop, t_stop = e, where
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
