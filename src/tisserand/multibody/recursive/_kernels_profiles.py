# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Piecewise profiles of time inside the compiled step.

Serves the loads of theory section 3.2.
"""

from __future__ import annotations

import math

from tisserand.multibody.recursive.helper import shared_helper


@shared_helper
def profile_at(profiles, F, number, t):
    """Value, first and second derivative of a profile (number -1: zero)."""
    if number < 0:
        return 0.0, 0.0, 0.0
    profile = profiles[number]
    starts = profile.starts
    if t < F[starts]:
        return 0.0, 0.0, 0.0
    low, high = 0, profile.pieces
    while high - low > 1:
        middle = (low + high) // 2
        if t >= F[starts + middle]:
            low = middle
        else:
            high = middle
    s = t - F[starts + low]
    c = profile.curves + 8 * low
    value, rate, curvature = F[c], 0.0, 0.0
    if s < 1e25:
        value += s * (F[c + 1] + s * (F[c + 2] + s * F[c + 3]))
        rate = F[c + 1] + s * (2.0 * F[c + 2] + 3.0 * s * F[c + 3])
        curvature = 2.0 * F[c + 2] + 6.0 * s * F[c + 3]
    amplitude, k = F[c + 4], F[c + 7]
    if amplitude != 0.0:
        phase, speed = F[c + 6] + s * (F[c + 5] + s * k), F[c + 5] + 2.0 * k * s
        x, slope = amplitude * math.sin(phase), amplitude * math.cos(phase)
        value += x
        rate += speed * slope
        curvature += 2.0 * k * slope - speed * speed * x
    return value, rate, curvature
