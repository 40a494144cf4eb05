# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Fixed-step time integration, classical Runge-Kutta of order 4."""

from __future__ import annotations

import math

from numba import types

from tisserand.multibody.recursive.helper import entry
from tisserand.multibody.recursive.signatures import CONSTANTS, FLOATS, INTS, RHS, TABLE


@entry(
    types.int64(
        types.FunctionType(RHS), INTS, CONSTANTS, FLOATS, FLOATS, types.float64, types.float64, FLOATS, types.float64, FLOATS,
        TABLE, types.int64, TABLE, TABLE, FLOATS,
    )
)
def rk4(rhs, I, F, W, U, t, t_end, y, h, times, Y, first, K, buffers, stats):
    """Fixed steps no longer than h, landing on every output time; status 0, -4 not finite, else of the right-hand side."""
    n = len(y)
    work = buffers[0]
    out = first
    while t < t_end:
        target = t_end
        if out < len(times) and times[out] < t_end:
            target = times[out]
        count = max(int(math.ceil((target - t) / h - 1e-9)), 1)  # noqa: RUF046
        step = (target - t) / count
        for _ in range(count):
            for s in range(4):
                c = 0.0 if s == 0 else (1.0 if s == 3 else 0.5)
                for i in range(n):
                    work[i] = y[i] + (c * step * K[s - 1, i] if s else 0.0)
                status = rhs(I, F, W, U, t + c * step, work, K[s])
                if status:
                    stats[3] = t
                    return status
            stats[2] += 4
            bad = False
            for i in range(n):
                y[i] += step / 6.0 * (K[0, i] + 2.0 * K[1, i] + 2.0 * K[2, i] + K[3, i])
                if not abs(y[i]) < 1e100:
                    bad = True
            t += step
            stats[0] += 1
            if bad:
                stats[3] = t
                return -4
        t = target
        if out < len(times) and times[out] <= t:
            for i in range(n):
                Y[out, i] = y[i]
            out += 1
        stats[3], stats[4], stats[6] = t, step, step
    return 0
