"""A shift above the wanted modes whose one factor both iterates and counts, found from a rough guess and exact counts.

Serves the one-factor route of [Grimes1994].
"""

from __future__ import annotations

import numpy as np

from tisserand.modes.eigen import Eigenproblem

#: Factors spent on finding the shift; the route from below, which needs two, follows.
_TRIES = 3
#: Modes below the shift that are aimed at and that are accepted, per mode wanted: twice as many cost as much as one more factor.
_AIM = 1.3
_MOST = 2.0
#: Modes below f grow as f^d: between a beam's d = 1/2 and a solid's d = 3, a plate's. Counts at two shifts replace it.
_GROWTH = 1.0
_FARTHEST_STEP = 100.0


def upper_shift(eigen: Eigenproblem, guess: float, wanted: int) -> bool:
    """Factorize at shifts (rad²/s²) near the guess until between ``wanted`` and about twice as many modes lie below.

    True leaves ``eigen.upper`` at that shift. Every count is exact, so a wrong guess costs factors and nothing else.
    """
    tried: list[tuple[float, int]] = []
    shift = guess
    for _ in range(_TRIES):
        if not np.isfinite(shift) or shift <= 0.0 or not eigen.try_upper(shift):
            break
        found = eigen.count_below(shift) - eigen.rigid.shape[1]
        if wanted <= found <= _MOST * wanted + 4:
            return True
        tried.append((shift, found))
        if found < 1:
            break
        shift = _next(tried, _AIM * wanted + 1.0)
    eigen.upper = None
    return False


def _next(tried: list[tuple[float, int]], aim: float) -> float:
    """The shift with about ``aim`` modes below, by a power law through the last one or two counts."""
    shift, found = tried[-1]
    power = 2.0 / _GROWTH
    if len(tried) > 1 and tried[-2][1] != found:
        before, counted = tried[-2]
        power = float(np.log(shift / before) / np.log(found / counted))
        power = power if power > 0.0 else 2.0 / _GROWTH
    step = (aim / found) ** power
    return float(shift * np.clip(step, 1.0 / _FARTHEST_STEP, _FARTHEST_STEP))
