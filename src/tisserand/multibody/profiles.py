"""Profiles of time: every one is a list of pieces ``c0 + c1 s + c2 s^2 + c3 s^3 + a sin(w s + p)``, ``s = t - start``.

One form serves the compiled step, gives exact first and second derivatives (needed for prescribed motion) and gives
the integrator where the function has corners.

Serves prescribed motion, theory section 5.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, frozen
from tisserand.errors import VehicleError


@checked_arguments
@dataclass(frozen=True, eq=False)
class Profile:
    """starts (p,) s, increasing; pieces (p, 7) = c0, c1, c2, c3, a, w, p of each; zero before the first start."""

    starts: FloatArray
    pieces: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", frozen(self.starts, shape=(-1,)))
        object.__setattr__(self, "pieces", frozen(self.pieces, shape=(len(self.starts), 7)))
        if not (np.isfinite(self.starts).all() and np.isfinite(self.pieces).all()):
            raise VehicleError("a profile contains values that are not finite numbers")
        if np.any(np.diff(self.starts) <= 0.0):
            raise VehicleError("the times of a profile must increase", found=self.starts.tolist())

    def __call__(self, time: ArrayLike) -> FloatArray:
        """Value at ``time`` (any shape)."""
        return self.derivatives(time)[0]

    def derivatives(self, time: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Value, first and second derivative at ``time``."""
        t = np.asarray(time, float)
        i = np.searchsorted(self.starts, t, side="right") - 1
        before = i < 0
        c = self.pieces[np.maximum(i, 0)]
        s = t - self.starts[np.maximum(i, 0)]
        c0, c1, c2, c3, a, w, p = np.moveaxis(c, -1, 0)
        wave, slope = a * np.sin(w * s + p), a * w * np.cos(w * s + p)
        value = c0 + s * (c1 + s * (c2 + s * c3)) + wave
        rate = c1 + s * (2.0 * c2 + 3.0 * s * c3) + slope
        curvature = 2.0 * c2 + 6.0 * s * c3 - w * w * wave
        return tuple(np.where(before, 0.0, x) for x in (value, rate, curvature))  # type: ignore[return-value]

    def scaled(self, factor: float) -> Profile:
        """The profile times a number.

        Args:
            factor: multiplies the values.
        """
        scale = np.array([factor, factor, factor, factor, factor, 1.0, 1.0])
        return Profile(self.starts, self.pieces * scale)

    def jumps(self, order: int = 0) -> FloatArray:
        """Times, s, at which the value (order 0), or the value or its rate (order 1), is not continuous."""
        found = np.zeros(len(self.starts), bool)
        c = self.pieces[:-1]
        s = np.diff(self.starts)
        s = np.where(
            self.starts[:-1] < -1e29, 0.0, s
        )  # the piece that lasts for ever before the first corner is constant
        c0, c1, c2, c3, a, w, p = c.T
        value = c0 + s * (c1 + s * (c2 + s * c3)) + a * np.sin(w * s + p)
        rate = c1 + s * (2.0 * c2 + 3.0 * s * c3) + a * w * np.cos(w * s + p)
        sizes = self.pieces[:, [0, 4]], np.column_stack([self.pieces[:, 1], self.pieces[:, 4] * self.pieces[:, 5]])
        for word, last in enumerate((value, rate)[: order + 1]):
            begins, ends = self.derivatives(self.starts)[word], np.concatenate([[0.0], last])
            size = max(float(np.abs(sizes[word]).max()), float(np.abs(ends).max()))
            found |= np.abs(begins - ends) > 1e-9 * size
        return np.asarray(self.starts[found & (self.starts > -1e29)])

    @property
    def highest_frequency_hz(self) -> float:
        """Highest sine frequency among the pieces, Hz."""
        active = self.pieces[:, 4] != 0.0
        return float(np.abs(self.pieces[active, 5]).max(initial=0.0) / (2.0 * np.pi))


def _profile(rows: list[tuple[float, tuple[float, ...]]]) -> Profile:
    starts = np.array([start for start, _ in rows])
    pieces = np.array([(*piece, *([0.0] * (7 - len(piece)))) for _, piece in rows])
    return Profile(starts, pieces)


def _span(duration: float, what: str) -> float:
    if not duration > 0.0:
        raise VehicleError(f"the duration of a {what} profile must be positive", found=duration)
    return float(duration)


@checked_arguments
def constant(value: float) -> Profile:
    """The same value at all times (also before zero)."""
    return _profile([(-1e30, (float(value),))])


@checked_arguments
def step(value: float, start: float = 0.0, end: float | None = None) -> Profile:
    """``value`` from ``start`` to ``end`` (without end if None), s."""
    rows: list[tuple[float, tuple[float, ...]]] = [(start, (float(value),))]
    if end is not None:
        _span(end - start, "step")
        rows.append((end, (0.0,)))
    return _profile(rows)


@checked_arguments
def ramp(value: float, start: float, duration: float, first: float = 0.0) -> Profile:
    """``first`` until ``start``, a straight line to ``value`` over ``duration``, then constant."""
    span = _span(duration, "ramp")
    before = [(-1e30, (float(first),))] if first else []
    return _profile([*before, (start, (first, (value - first) / span)), (start + span, (value,))])


@checked_arguments
def bang_bang(value: float, start: float, duration: float, coast: float = 0.0) -> Profile:
    """``+value`` for half the duration, then ``-value``; ``coast`` seconds of zero between.

    Args:
        start: s.
    """
    half = 0.5 * _span(duration, "bang-bang")
    rows: list[tuple[float, tuple[float, ...]]] = [(start, (float(value),))]
    if coast > 0.0:
        rows.append((start + half, (0.0,)))
    rows += [(start + half + coast, (-float(value),)), (start + 2.0 * half + coast, (0.0,))]
    return _profile(rows)


@checked_arguments
def versine(value: float, start: float, duration: float) -> Profile:
    """Pulse ``value (1 - cos(2 pi s/duration))/2``, peak ``value`` in the middle.

    Args:
        start: s.
    """
    span = _span(duration, "versine")
    piece = (0.5 * value, 0.0, 0.0, 0.0, -0.5 * value, 2.0 * np.pi / span, 0.5 * np.pi)
    return _profile([(start, piece), (start + span, (0.0,))])


@checked_arguments
def smooth_ramp(value: float, start: float, duration: float, first: float = 0.0) -> Profile:
    """Cycloid from ``first`` to ``value``: ``s/T - sin(2 pi s/T)/(2 pi)``, two continuous derivatives.

    Args:
        start: s.
        duration: s.
    """
    span, rise = _span(duration, "smooth ramp"), value - first
    piece = (first, rise / span, 0.0, 0.0, -rise / (2.0 * np.pi), 2.0 * np.pi / span, 0.0)
    before = [(-1e30, (first,))] if first else []
    return _profile([*before, (start, piece), (start + span, (float(value),))])


@checked_arguments
def spin_up(rate: float, start: float, duration: float) -> Profile:
    """Angle whose rate is ``smooth_ramp(rate)``: rad for ``rate`` in rad/s; keeps turning at the final rate.

    Args:
        start: s.
        duration: s.
    """
    span = _span(duration, "spin-up")
    w = 2.0 * np.pi / span
    rise = rate / span / (w * w)
    piece = (-rise, 0.0, 0.5 * rate / span, 0.0, rise, w, 0.5 * np.pi)
    return _profile([(start, piece), (start + span, (0.5 * rate * span, float(rate)))])


@checked_arguments
def sine(amplitude: float, frequency_hz: float, phase: float = 0.0, start: float = 0.0, offset: float = 0.0) -> Profile:
    """``offset + amplitude sin(2 pi f (t - start) + phase)`` from ``start`` on.

    Args:
        frequency_hz: Hz.
    """
    return _profile([(start, (offset, 0.0, 0.0, 0.0, amplitude, 2.0 * np.pi * frequency_hz, phase))])


@checked_arguments
def table(times: ArrayLike, values: ArrayLike, kind: str = "linear") -> Profile:
    """Through given points: ``linear``, ``hold`` (previous value) or ``cubic`` (natural spline); constant after the last.

    Args:
        times: (n,) s, ascending.
        values: (n,).
        kind: ``linear``, ``hold`` or ``cubic``.
    """
    t, v = np.asarray(times, float).ravel(), np.asarray(values, float).ravel()
    if len(t) != len(v) or len(t) < 2:
        raise VehicleError("a table profile needs as many values as times, at least two", found=(len(t), len(v)))
    if np.any(np.diff(t) <= 0.0) or not (np.isfinite(t).all() and np.isfinite(v).all()):
        raise VehicleError("a table profile needs finite values at increasing times")
    pieces = np.zeros((len(t), 7))
    pieces[:, 0] = v
    if kind == "linear":
        pieces[:-1, 1] = np.diff(v) / np.diff(t)
    elif kind == "cubic":
        from scipy.interpolate import CubicSpline

        c = CubicSpline(t, v, bc_type="natural").c
        pieces[:-1, :4] = c[::-1].T
    elif kind != "hold":
        raise VehicleError("unknown table interpolation", found=kind, expected="linear, hold or cubic")
    return Profile(t, pieces)
