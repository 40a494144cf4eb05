# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Fixed-step time integration, classical Runge-Kutta of order 4, with event location by shortened steps.

Reference: [Hairer1993].
"""

from __future__ import annotations

import math

from numba import types

from tisserand.multibody.recursive._kernels_events import (
    PROBES,
    begin_search,
    crosses,
    event_values,
    next_probe,
    same_side,
    vertex,
)
from tisserand.multibody.recursive._kernels_open import open_model, open_workspace
from tisserand.multibody.recursive.endings import NOT_FINITE, STOPPED, TOO_MANY_EVENTS, TOO_MANY_STEPS
from tisserand.multibody.recursive.helper import helper, translated_entry
from tisserand.multibody.recursive.signatures import CONSTANTS, FLOATS, INDICES, INTS, RHS, STATISTICS, TABLE


@helper
def one_step(rhs, M, F, W, U, n, t, h, y, out, K, work):
    """out = y after one step of length h; status."""
    for s in range(4):
        c = 0.0 if s == 0 else (1.0 if s == 3 else 0.5)
        for i in range(n):
            work[i] = y[i] + (c * h * K[s - 1, i] if s else 0.0)
        status = rhs(M, F, W, U, t + c * h, work, K[s])
        if status:
            return status
    for i in range(n):
        out[i] = y[i] + h / 6.0 * (K[0, i] + 2.0 * K[1, i] + 2.0 * K[2, i] + K[3, i])
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
        TABLE,
        types.int64,
        TABLE,
        TABLE,
        INDICES,
        FLOATS,
        INDICES,
        TABLE,
        STATISTICS,
    )
)
def rk4(
    rhs, M, F, W, U, t, t_end, y, h, max_steps, times, Y, first, K, buffers, signals, levels, ways, found, statistics
):
    """Fixed steps no longer than h, landing on every output time; status, ways and found as for ``dop853``."""
    n, ne = len(y), len(signals)
    work, ynew = buffers[0], buffers[1]
    out = first
    model = open_model(M)
    values = open_workspace(model.head[0], W).signals
    stats = statistics[0]
    if ne:
        status = rhs(M, F, W, U, t, y, K[4])
        if status:
            return status
        event_values(values, signals, levels, buffers[3])
    while t < t_end:
        target = t_end
        if out < len(times) and times[out] < t_end:
            target = times[out]
        count = max(int(math.ceil(min((target - t) / h - 1e-9, max_steps + 1.0))), 1)  # noqa: RUF046
        step = (target - t) / count
        for number in range(count):
            if stats.steps >= max_steps:
                stats.time = t
                return TOO_MANY_STEPS
            status = one_step(rhs, M, F, W, U, n, t, step, y, ynew, K, work)
            stats.calls += 4
            if status:
                stats.time = t
                return status
            stop, t_stop = -1, t + step
            if ne:
                rhs(M, F, W, U, t + step, ynew, K[4])
                event_values(values, signals, levels, buffers[4])
                for i in range(n):  # halfway, by the cubic through both ends
                    buffers[2, i] = 0.5 * (y[i] + ynew[i]) + 0.125 * step * (K[0, i] - K[4, i])
                rhs(M, F, W, U, t + 0.5 * step, buffers[2], K[4])
                stats.calls += 2
                event_values(values, signals, levels, buffers[5])
                for e in range(ne):
                    g0, g1, seen, g_seen = buffers[3, e], buffers[4, e], 0.0, 0.0
                    side, near = same_side(g0, g1), 0.0
                    if side != 0.0:
                        near = vertex(side, 0.0, g0, 0.5, buffers[5, e], 1.0, g1)
                    if near > 0.0:  # does it get to the other side and back?
                        low, mid, high, least, at = begin_search(near)
                        for _ in range(PROBES):
                            one_step(rhs, M, F, W, U, n, t, at * step, y, buffers[2], K, work)
                            rhs(M, F, W, U, t + at * step, buffers[2], K[4])
                            stats.calls += 5
                            now = values[signals[e]] - levels[e]
                            if same_side(g0, now) == 0.0:
                                seen, g_seen = at, now
                                break
                            low, mid, high, least, at = next_probe(low, mid, high, least, at, abs(now))
                    for half in range(2 if seen > 0.0 else 1):
                        low, high, ga, gb = 0.0, step, g0, g1
                        if seen > 0.0 and half == 0:
                            high, gb = seen * step, g_seen
                        elif seen > 0.0:
                            low, ga = seen * step, g_seen
                        happens, stops = crosses(ga, gb, ways[e])
                        if not happens:
                            continue
                        while high - low > 1e-13 * max(1.0, abs(t)):
                            mid = 0.5 * (low + high)
                            one_step(rhs, M, F, W, U, n, t, mid, y, buffers[2], K, work)
                            rhs(M, F, W, U, t + mid, buffers[2], K[4])
                            if (values[signals[e]] - levels[e] < 0.0) == (ga < 0.0):
                                low = mid
                            else:
                                high = mid
                        if stats.events == found.shape[0]:
                            return TOO_MANY_EVENTS
                        found[stats.events, 0], found[stats.events, 1] = e, t + high
                        stats.events += 1
                        if stops:
                            if t + high <= t_stop:
                                stop, t_stop = e, t + high
                            break
                    buffers[3, e] = g1
            if stop >= 0:
                one_step(rhs, M, F, W, U, n, t, t_stop - t, y, ynew, K, work)
            bad = False
            for i in range(n):
                y[i] = ynew[i]
                if not abs(y[i]) < 1e100:
                    bad = True
            stats.steps += 1
            t = t_stop if stop >= 0 else (target if number == count - 1 else t + step)
            stats.time, stats.step, stats.smallest = t, step, step
            if bad:
                return NOT_FINITE
            if stop >= 0:
                if out < len(times) and times[out] <= t:
                    for i in range(n):
                        Y[out, i] = y[i]
                return STOPPED
        if out < len(times) and times[out] <= t:
            for i in range(n):
                Y[out, i] = y[i]
            out += 1
    return 0
