"""Notches: the base input lowered where a response would pass its limit, no more than needed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import InputError
from tisserand.responses.base_drive import RandomResponse, SineResponse


def limited_rows(labels: tuple[str, ...], limits: Mapping[str, float]) -> dict[int, float]:
    """Row -> limit, by full label or by its beginning; a limit that concerns no row is refused."""
    out: dict[int, float] = {}
    for text, limit in limits.items():
        rows = [i for i, label in enumerate(labels) if label == text] or [
            i for i, label in enumerate(labels) if label.startswith(text)
        ]
        if not rows:
            raise InputError("a limit concerns no recovered row", found=repr(text), expected=", ".join(labels[:6]))
        if not limit > 0.0:
            raise InputError("a limit must be above zero", where=text, found=limit)
        for row in rows:
            out[row] = min(limit, out.get(row, np.inf))
    return out


def notched_sine(response: SineResponse, limits: Mapping[str, float]) -> FloatArray:
    """(f,) base amplitudes with which no limited row passes its limit: min(stated, limit / |transfer|)."""
    base = response.base.copy()
    for row, limit in limited_rows(response.labels, limits).items():
        size = np.abs(response.transfer[:, row])
        base = np.minimum(base, np.divide(limit, size, out=np.full(len(size), np.inf), where=size > 0.0))
    return base


def notched_random(response: RandomResponse, limits: Mapping[str, float], sigma: float = 3.0) -> FloatArray:
    """(f,) base density with which ``sigma`` times the root mean square of every limited row stays within its limit.

    The density of a row is cut at one level, found by bisection: the notch is where the row responds most.
    """
    base = response.base.copy()
    for row, limit in limited_rows(response.labels, limits).items():
        gain = np.abs(response.transfer[:, row]) ** 2
        base = _cut(response.hz, base, gain, (limit / sigma) ** 2)
    return base


def _cut(hz: FloatArray, base: FloatArray, gain: FloatArray, allowed: float) -> FloatArray:
    """The base density with the response density cut at the level where its area is the allowed one."""
    density = gain * base
    if np.trapezoid(density, hz) <= allowed:
        return base
    low, high = 0.0, float(density.max())
    for _ in range(200):
        level = 0.5 * (low + high)
        low, high = (level, high) if np.trapezoid(np.minimum(density, level), hz) <= allowed else (low, level)
    return np.asarray(np.minimum(base, np.divide(low, gain, out=np.full(len(gain), np.inf), where=gain > 0.0)))


def force_limited(
    response: RandomResponse, row: int, mass: float, *, factor: float = 2.0, break_hz: float, slope: float = 2.0
) -> FloatArray:
    """(f,) base density that keeps an interface force within the semi-empirical limit S_F = C² M² S_A, (f0 / f)^n above f0.

    row: of the force along the axis; mass: of the test article, kg; factor: C; break_hz: f0, the frequency of the main mode;
    slope: n.
    """
    if not (mass > 0.0 and factor > 0.0 and break_hz > 0.0):
        raise InputError("force limits need mass, factor and break frequency above zero")
    fall = np.where(response.hz > break_hz, (break_hz / response.hz) ** slope, 1.0)
    allowed = (factor * mass) ** 2 * fall * response.base
    gain = np.abs(response.transfer[:, row]) ** 2
    lowered = np.divide(allowed, gain, out=np.full(len(gain), np.inf), where=gain > 0.0)
    return np.asarray(np.minimum(response.base, lowered))
