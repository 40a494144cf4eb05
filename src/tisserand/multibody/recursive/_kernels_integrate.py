"""Time integration compiled with the right-hand side: adaptive DOP853 with dense output and events, fixed-step RK4."""

from __future__ import annotations

import math

from tisserand.multibody.recursive._kernels_control import signal_at
from tisserand.multibody.recursive._kernels_forward import forward
from tisserand.multibody.recursive._kernels_solve import rhs
from tisserand.numerics import kernel


@kernel
def event_values(I, F, W, U, t, y, signals, levels, out):
    """Signal minus level of every event."""
    forward(I, F, W, U, t, y)
    for i in range(len(signals)):
        out[i] = signal_at(I, F, W, U, t, y, signals[i]) - levels[i]


@kernel
def interpolate(n, K, x, y, out):
    """Dense output of DOP853: rows 16 to 22 of K hold its polynomials; x in 0..1 from the start state y."""
    for i in range(n):
        v = 0.0
        for j in range(6, -1, -1):
            v = (v + K[16 + j, i]) * (x if (6 - j) % 2 == 0 else 1.0 - x)
        out[i] = y[i] + v


@kernel
def dense_polynomials(I, F, W, U, n, t, h, y, ynew, K, A, C, D, buffer):
    """Three more stages and the seven interpolation rows (Hairer, Norsett, Wanner, Solving ODEs I, section II.6)."""
    for s in range(13, 16):
        for i in range(n):
            v = 0.0
            for j in range(s):
                v += A[s, j] * K[j, i]
            buffer[i] = y[i] + h * v
        status = rhs(I, F, W, U, t + C[s] * h, buffer, K[s])
        if status:
            return status
    for i in range(n):
        delta = ynew[i] - y[i]
        K[16, i] = delta
        K[17, i] = h * K[0, i] - delta
        K[18, i] = 2.0 * delta - h * (K[12, i] + K[0, i])
        for r in range(4):
            v = 0.0
            for j in range(16):
                v += D[r, j] * K[j, i]
            K[19 + r, i] = h * v
    return 0


@kernel
def dop853(I, F, W, U, t, t_end, y, h, rtol, scale, max_steps, times, Y, first, K, A, B, C, E3, E5, D, buffers, signals, levels, ways,
           found, stats):
    """Integrate y from t to t_end in place; fill Y[first:] at ``times``. stats: steps, rejected, calls, t, h, events, smallest h.

    scale (n,): absolute tolerances, infinite where the error is not watched; ways: 0 both, +1 rising, -1 falling; +10 stops.
    Status: 0 done, -1 event stopped, -2 step too small, -3 too many steps, -4 not finite, else of the right-hand side.
    """
    n = len(y)
    work, ynew, other = buffers[0], buffers[1], buffers[2]
    ne = len(signals)
    stats[5] = 0.0
    status = rhs(I, F, W, U, t, y, K[0])
    stats[2] += 1
    if status:
        stats[3] = t
        return status
    if ne:
        event_values(I, F, W, U, t, y, signals, levels, buffers[3])
    out = first
    watched = 0
    for i in range(n):
        if scale[i] < math.inf:
            watched += 1
    if h <= 0.0:
        a = b = 0.0
        for i in range(n):
            s = scale[i] + rtol * abs(y[i])
            a += (y[i] / s) ** 2
            b += (K[0, i] / s) ** 2
        h = 1e-6 if a < 1e-10 or b < 1e-10 else 0.01 * math.sqrt(a / b)
        h = min(max(h, 1e-8), 1e-2, t_end - t)
    grown = False
    while t < t_end:
        if stats[0] + stats[1] >= max_steps:
            stats[3], stats[4] = t, h
            return -3
        if h < 1e-14 * max(abs(t), 1e-6) or not h > 0.0:
            stats[3], stats[4] = t, h
            return -2
        last = t + h * 1.0000001 >= t_end
        step = t_end - t if last else h
        for s in range(1, 12):
            for i in range(n):
                v = 0.0
                for j in range(s):
                    v += A[s, j] * K[j, i]
                work[i] = y[i] + step * v
            status = rhs(I, F, W, U, t + C[s] * step, work, K[s])
            stats[2] += 1
            if status:
                break
        error = math.nan
        if not status:
            for i in range(n):
                v = 0.0
                for j in range(12):
                    v += B[j] * K[j, i]
                ynew[i] = y[i] + step * v
            status = rhs(I, F, W, U, t + step, ynew, K[12])
            stats[2] += 1
            e5 = e3 = 0.0
            for i in range(n):
                s = scale[i] + rtol * max(abs(y[i]), abs(ynew[i]))
                if not s < math.inf:
                    continue
                v5 = v3 = 0.0
                for j in range(13):
                    v5 += E5[j] * K[j, i]
                    v3 += E3[j] * K[j, i]
                e5 += (v5 / s) ** 2
                e3 += (v3 / s) ** 2
            denominator = e5 + 0.01 * e3
            error = 0.0 if denominator <= 0.0 else abs(step) * e5 / math.sqrt(denominator * max(watched, 1))
        if status or not error <= 1.0:  # also when not a number
            stats[1] += 1
            if status or not error < math.inf:
                h = 0.1 * step
                if h < 1e-12 * max(abs(t), 1e-3):
                    stats[3], stats[4] = t, h
                    return status if status else -4
                status = 0
            else:
                h = step * max(0.2, 0.9 * error ** -0.125)
            grown = False
            continue
        # accepted: events, output, next step
        t_new = t_end if last else t + step
        dense = False
        stop = -1
        t_stop = t_new
        if ne:
            event_values(I, F, W, U, t_new, ynew, signals, levels, buffers[4])
            for e in range(ne):
                g0, g1 = buffers[3][e], buffers[4][e]
                way = ways[e] - 10 if ways[e] >= 5 else ways[e]
                if (g0 < 0.0 <= g1 and way >= 0) or (g0 > 0.0 >= g1 and way <= 0):
                    if not dense:
                        status = dense_polynomials(I, F, W, U, n, t, step, y, ynew, K, A, C, D, work)
                        stats[2] += 3
                        if status:
                            return status
                        dense = True
                    low, high = 0.0, 1.0
                    for unused in range(60):
                        mid = 0.5 * (low + high)
                        interpolate(n, K, mid, y, other)
                        event_values(I, F, W, U, t + mid * step, other, signals, levels, buffers[5])
                        if (buffers[5][e] < 0.0) == (g0 < 0.0):
                            low = mid
                        else:
                            high = mid
                        if (high - low) * step < 1e-13 * max(1.0, abs(t)):
                            break
                    where = t + high * step
                    if stats[5] < found.shape[0]:
                        found[int(stats[5]), 0], found[int(stats[5]), 1] = e, where
                        stats[5] += 1
                    if ways[e] >= 5 and where <= t_stop:
                        stop, t_stop = e, where
            for e in range(ne):
                buffers[3][e] = buffers[4][e]
        while out < len(times) and times[out] <= t_stop:
            if times[out] == t_new and stop < 0:
                for i in range(n):
                    Y[out, i] = ynew[i]
            else:
                if not dense:
                    status = dense_polynomials(I, F, W, U, n, t, step, y, ynew, K, A, C, D, work)
                    stats[2] += 3
                    if status:
                        return status
                    dense = True
                interpolate(n, K, (times[out] - t) / step, y, Y[out])
            out += 1
        stats[0] += 1
        if not last:
            stats[6] = min(stats[6], step)
        if stop >= 0:
            interpolate(n, K, (t_stop - t) / step, y, other)
            for i in range(n):
                y[i] = other[i]
            stats[3], stats[4] = t_stop, h
            return -1
        t = t_new
        for i in range(n):
            y[i] = ynew[i]
            K[0, i] = K[12, i]
        factor = 10.0 if error == 0.0 else min(10.0, 0.9 * error ** -0.125)
        if not last or factor < 1.0:
            h = step * (factor if grown or factor < 1.0 else min(factor, 5.0))
        grown = True
    stats[3], stats[4] = t, h
    return 0


@kernel
def rk4(I, F, W, U, t, t_end, y, h, times, Y, first, K, buffers, stats):
    """Fixed steps no longer than h, landing on every output time; status 0, -4 not finite, else of the right-hand side."""
    n = len(y)
    work = buffers[0]
    out = first
    while t < t_end:
        target = t_end
        if out < len(times) and times[out] < t_end:
            target = times[out]
        count = max(int(math.ceil((target - t) / h - 1e-9)), 1)
        step = (target - t) / count
        for unused in range(count):
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
