# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""States within a step of the implicit method: coordinates by polynomials of degree five, speeds as their rates.

The stages give no more than order two within a step, but the ends of a step know coordinates, speeds and accelerations. What has
no such pair (states of control laws, accounts) follows the cubic through both ends. Serves theory section 13.
"""

from __future__ import annotations

from numba import types

from tisserand.multibody.recursive.helper import helper, shared_helper

PAIRS = types.int64[:, ::1]


@helper
def quintic(x, h, q, u, a, q1, u1, a1):
    """Value and rate at x in 0..1 of the polynomial with these values, rates and second rates at both ends; h: length, s."""
    x2, rest = x * x, 1.0 - x
    x3 = x2 * x
    late = x3 * (10.0 + x * (6.0 * x - 15.0))
    value = q + late * (q1 - q)
    value += h * (x * (1.0 + x2 * (8.0 * x - 6.0 - 3.0 * x2)) * u + x3 * (7.0 * x - 4.0 - 3.0 * x2) * u1)
    value += 0.5 * h * h * x2 * rest * rest * (rest * a + x * a1)
    rate = 30.0 * x2 * rest * rest * (q1 - q) / h
    rate += (1.0 + x2 * (32.0 * x - 18.0 - 15.0 * x2)) * u + x2 * (28.0 * x - 12.0 - 15.0 * x2) * u1
    rate += 0.5 * h * x * rest * (rest * (2.0 - 5.0 * x) * a + x * (3.0 - 5.0 * x) * a1)
    return value, rate


@helper
def second_rates(y, rates, q, u):
    """Second rates of the quaternion at y[q] with angular velocity y[u]: (q' w + q w') / 2."""
    a, b, c, d = rates[q], rates[q + 1], rates[q + 2], rates[q + 3]
    x, y1, z = y[u], y[u + 1], y[u + 2]
    e, f, g, i = y[q], y[q + 1], y[q + 2], y[q + 3]
    r, s, t = rates[u], rates[u + 1], rates[u + 2]
    return (
        0.5 * (-b * x - c * y1 - d * z - f * r - g * s - i * t),
        0.5 * (a * x + c * z - d * y1 + e * r + g * t - i * s),
        0.5 * (a * y1 + d * x - b * z + e * s + i * r - f * t),
        0.5 * (a * z + b * y1 - c * x + e * t + f * s - g * r),
    )


@helper
def turn_between(y, rates, ynew, rates_new, h, x, q, u, out):
    """A quaternion within a step, and the angular velocity that belongs to its rate."""
    first, last = second_rates(y, rates, q, u), second_rates(ynew, rates_new, q, u)
    a, da = quintic(x, h, y[q], rates[q], first[0], ynew[q], rates_new[q], last[0])
    b, db = quintic(x, h, y[q + 1], rates[q + 1], first[1], ynew[q + 1], rates_new[q + 1], last[1])
    c, dc = quintic(x, h, y[q + 2], rates[q + 2], first[2], ynew[q + 2], rates_new[q + 2], last[2])
    d, dd = quintic(x, h, y[q + 3], rates[q + 3], first[3], ynew[q + 3], rates_new[q + 3], last[3])
    out[q], out[q + 1], out[q + 2], out[q + 3] = a, b, c, d
    f = 2.0 / (a * a + b * b + c * c + d * d)
    out[u] = f * (a * db - b * da - c * dd + d * dc)
    out[u + 1] = f * (a * dc + b * dd - c * da - d * db)
    out[u + 2] = f * (a * dd - b * dc + c * db - d * da)


@shared_helper
def between(y, rates, ynew, rates_new, step, x, pairs, turns, out):
    """The state at x in 0..1 of a step from its ends and their rates; ``pairs`` and ``turns`` of ``ImplicitModel``."""
    a, b = (1.0 + 2.0 * x) * (1.0 - x) ** 2, x * x * (3.0 - 2.0 * x)
    c, d = step * x * (1.0 - x) ** 2, -step * x * x * (1.0 - x)
    for i in range(len(y)):
        out[i] = a * y[i] + b * ynew[i] + c * rates[i] + d * rates_new[i]
    for i in range(pairs.shape[0]):
        q, u = pairs[i, 0], pairs[i, 1]
        out[q], out[u] = quintic(x, step, y[q], y[u], rates[u], ynew[q], ynew[u], rates_new[u])
    for i in range(turns.shape[0]):
        turn_between(y, rates, ynew, rates_new, step, x, turns[i, 0], turns[i, 1], out)
