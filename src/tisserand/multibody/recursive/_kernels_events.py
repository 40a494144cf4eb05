# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Events within a step: what its ends show, and what lies between them.

An event that happens there and back within one step leaves no trace at its ends. Samples inside the step, and parabolas through
them, say where its signal comes closest to the level; a search there says whether it passes it.
Serves theory section 12.
"""

from __future__ import annotations

import math

from tisserand.multibody.recursive.helper import helper
from tisserand.multibody.recursive.stepping import STOPS

#: Evaluations of a search; half the width of its range, a part of the step; where it probes the larger side.
PROBES, REACH, GOLDEN = 25, 0.25, 0.381966
#: Part of the spread of three samples by which a parabola through them may be wrong.
DOUBT = 0.1


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
def vertex(side, x0, g0, x1, g1, x2, g2):
    """Where three samples may have their event on its other side, a part of the step; zero: nowhere.

    side: sign of the event at the ends of the step.
    """
    a, b, c = side * g0, side * g1, side * g2
    if b < 0.0:
        return x1
    slope = (b - a) / (x1 - x0)
    bend = ((c - b) / (x2 - x1) - slope) / (x2 - x0)
    if not bend > 0.0:
        return 0.0
    x = 0.5 * (x0 + x1) - 0.5 * slope / bend
    if x <= x0 or x >= x2:
        return 0.0
    low, least = a + slope * (x - x0) + bend * (x - x0) * (x - x1), min(a, b, c)
    return x if low <= least - low + DOUBT * (max(a, b, c) - least) else 0.0


@helper
def same_side(before, after):
    """Sign of an event that has it at both ends of a step; zero where it crosses or starts on its level."""
    if before > 0.0 and after > 0.0:
        return 1.0
    if before < 0.0 and after < 0.0:
        return -1.0
    return 0.0


@helper
def dip(before, xa, a, xb, b, xc, c, after):
    """Where between samples at 0, xa, xb, xc and 1 an event may lie on its other side, a part of the step; zero: nowhere."""
    side = same_side(before, after)
    if side == 0.0:
        return 0.0
    x = vertex(side, xa, a, xb, b, xc, c)
    if x == 0.0:
        x = vertex(side, 0.0, before, xa, a, xb, b)
    if x == 0.0:
        x = vertex(side, xb, b, xc, c, 1.0, after)
    return x


@helper
def begin_search(x):
    """Ends and middle of a search near x, the value there (not known yet), and where to look first."""
    return max(0.0, x - REACH), x, min(1.0, x + REACH), math.inf, x


@helper
def next_probe(low, middle, high, least, at, value):
    """The search after a probe (``value`` above zero, toward the side of the ends), and where to look next."""
    if value < least:
        if at < middle:
            high = middle
        elif at > middle:
            low = middle
        middle, least = at, value
    elif at < middle:
        low = at
    else:
        high = at
    if high - middle > middle - low:
        return low, middle, high, least, middle + GOLDEN * (high - middle)
    return low, middle, high, least, middle - GOLDEN * (middle - low)
