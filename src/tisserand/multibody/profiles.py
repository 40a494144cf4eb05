"""Profiles of time: pieces ``c0 + c1 s + c2 s^2 + c3 s^3 + a sin(p + w s + k s^2)``, ``s = t - start``.

One form serves the compiled step, gives exact first and second derivatives (needed for prescribed motion) and gives
the integrator where the function has corners.

Serves prescribed motion, theory section 5.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, IntArray, frozen
from tisserand.errors import VehicleError

#: Pieces that begin before this time, s, have always been.
_ALWAYS = -1e29
#: An integrator stops at one of this many smooth knots of a table.
_SMOOTH_KNOTS = 8
#: Knots of a noise in one period of its highest frequency: the spline through them is right to 6e-5.
_KNOTS_A_PERIOD = 16
#: Most knots of a noise.
_MOST_KNOTS = 2_000_000


@checked_arguments
@dataclass(frozen=True, eq=False)
class Profile:
    """starts (p,) s, increasing; pieces (p, 8) = c0, c1, c2, c3, a, w, p, k of each; zero before the first start.

    The last column is that of chirps and may be left out.
    """

    starts: FloatArray
    pieces: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", frozen(self.starts, shape=(-1,)))
        pieces = np.asarray(self.pieces, float)
        if pieces.shape == (len(self.starts), 7):
            pieces = np.hstack([pieces, np.zeros((len(pieces), 1))])
        object.__setattr__(self, "pieces", frozen(pieces, shape=(len(self.starts), 8)))
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
        first = np.maximum(i, 0)
        found = _at(np.moveaxis(self.pieces[first], -1, 0), t - self.starts[first])
        return tuple(np.where(before, 0.0, x) for x in found)  # type: ignore[return-value]

    def scaled(self, factor: float) -> Profile:
        """The profile times a number.

        Args:
            factor: multiplies the values.
        """
        return Profile(self.starts, self.pieces * np.array([factor] * 5 + [1.0] * 3))

    def jumps(self, order: int = 0) -> FloatArray:
        """Times, s, at which the value (order 0), also its rate (1), also its second derivative (2) is not continuous."""
        return np.asarray(self.starts[self._broken(order) & (self.starts > _ALWAYS)])

    def stops(self, rtol: float) -> FloatArray:
        """Times, s, at which an integrator must begin a new step.

        Where a derivative up to the second jumps; where the third jumps by d so much that the profile differs from a smooth
        one by more than ``rtol`` of its largest value (5 d h³ / 384, as splines do, h the distance of knots); and at every
        eighth of the other knots, so that no pulse of a table falls between the stages of a long step.

        Args:
            rtol: relative tolerance of the integrator.
        """
        broken = self._broken(2)
        if len(self.starts) > 1:
            spans = np.where(self.starts[:-1] <= _ALWAYS, 0.0, np.diff(self.starts))
            jump = np.abs(_third(self.pieces[1:].T, np.zeros(len(spans))) - _third(self.pieces[:-1].T, spans))
            wide = np.maximum(spans, np.append(spans[1:], 0.0))
            size = float(np.abs(_at(self.pieces.T, np.zeros(len(self.starts)))[0]).max())
            with np.errstate(over="ignore"):
                broken[1:] |= 5.0 / 384.0 * jump * wide**3 > rtol * size
        place = np.arange(len(broken))
        since = place - np.maximum.accumulate(np.where(broken, place, 0))
        return np.asarray(self.starts[(broken | (since % _SMOOTH_KNOTS == 0)) & (self.starts > _ALWAYS)])

    def _broken(self, order: int) -> BoolArray:
        """(p,) whether a derivative up to ``order`` jumps where each piece begins."""
        out = np.zeros(len(self.starts), np.bool_)
        long = self.starts[:-1] <= _ALWAYS  # lasts for ever before the first corner, and is constant
        ends = _at(self.pieces[:-1].T, np.where(long, 0.0, np.diff(self.starts)))
        begins = _at(self.pieces.T, np.zeros(len(self.starts)))
        w = np.abs(self.pieces[:, 5])
        waves = np.abs(self.pieces[:, 4]) * np.array([np.ones_like(w), w, w * w + 2.0 * np.abs(self.pieces[:, 7])])
        for begin, end, wave in list(zip(begins, ends, waves))[: order + 1]:
            last = np.concatenate([[0.0], end])
            size = max(float(x.max(initial=0.0)) for x in (np.abs(begin), np.abs(last), wave))
            out |= np.abs(begin - last) > 1e-9 * size
        return out

    @property
    def highest_frequency_hz(self) -> float:
        """Highest sine frequency among the pieces, Hz; of a chirp, where it is fastest."""
        active = self.pieces[:, 4] != 0.0
        w, k = self.pieces[:, 5], self.pieces[:, 7]
        last = w + 2.0 * k * np.append(np.diff(self.starts), 0.0)
        return float(np.maximum(np.abs(w), np.abs(last))[active].max(initial=0.0) / (2.0 * np.pi))


def _at(pieces: FloatArray, s: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Value, first and second derivative of pieces (8, ...) at times s after their starts."""
    c0, c1, c2, c3, a, w, p, k = pieces
    phase, speed = p + s * (w + s * k), w + 2.0 * k * s
    wave, slope = a * np.sin(phase), a * np.cos(phase)
    value = c0 + s * (c1 + s * (c2 + s * c3)) + wave
    rate = c1 + s * (2.0 * c2 + 3.0 * s * c3) + speed * slope
    return value, rate, 2.0 * c2 + 6.0 * s * c3 - speed * speed * wave + 2.0 * k * slope


def _third(pieces: FloatArray, s: FloatArray) -> FloatArray:
    """Third derivative of pieces (8, ...) at times s after their starts."""
    _, _, _, c3, a, w, p, k = pieces
    phase, speed = p + s * (w + s * k), w + 2.0 * k * s
    return np.asarray(6.0 * c3 - a * speed * (speed * speed * np.cos(phase) + 6.0 * k * np.sin(phase)))


def _profile(rows: list[tuple[float, tuple[float, ...]]]) -> Profile:
    starts = np.array([start for start, _ in rows])
    pieces = np.array([(*piece, *([0.0] * (8 - len(piece)))) for _, piece in rows])
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
def constant_rate(rate: float, start: float = 0.0, first: float = 0.0) -> Profile:
    """``first`` until ``start``, then ``first + rate (t - start)`` for ever.

    Args:
        start: s.
    """
    before = [(-1e30, (float(first),))] if first else []
    return _profile([*before, (start, (float(first), float(rate)))])


@checked_arguments
def sine(
    amplitude: float,
    frequency_hz: float,
    phase: float = 0.0,
    start: float = 0.0,
    offset: float = 0.0,
    end: float | None = None,
) -> Profile:
    """``offset + amplitude sin(2 pi f (t - start) + phase)`` from ``start`` to ``end`` (without end if None), then zero.

    Args:
        frequency_hz: Hz.
    """
    wave = (start, (offset, 0.0, 0.0, 0.0, amplitude, 2.0 * np.pi * frequency_hz, phase))
    if end is None:
        return _profile([wave])
    _span(end - start, "sine")
    return _profile([wave, (end, (0.0,))])


@checked_arguments
def chirp(
    amplitude: float, first_hz: float, last_hz: float, duration: float, start: float = 0.0, phase: float = 0.0
) -> Profile:
    """``amplitude`` times a sine whose frequency runs evenly from ``first_hz`` to ``last_hz`` over ``duration``, then zero.

    Args:
        duration: s.
        start: s.
        phase: rad at the start.
    """
    span = _span(duration, "chirp")
    turn = 2.0 * np.pi
    piece = (0.0, 0.0, 0.0, 0.0, amplitude, turn * first_hz, phase, 0.5 * turn * (last_hz - first_hz) / span)
    return _profile([(start, piece), (start + span, (0.0,))])


@checked_arguments
def noise(
    frequencies_hz: ArrayLike, levels: ArrayLike, duration: float, seed: int, start: float = 0.0, fade: float = 0.0
) -> Profile:
    """Random noise of a given spectrum: sines of every multiple of 1/duration in the band, with seeded random phases.

    Its mean square is the integral of the spectrum in every realization (without ``fade``); zero before and after.

    Args:
        frequencies_hz: (n,) Hz, ascending, from the lowest to the highest of the band.
        levels: (n,) one-sided power spectral density there, unit² / Hz; straight lines between on logarithmic axes.
        duration: s.
        seed: of the phases; the same number gives the same noise.
        start: s.
        fade: time of a smooth beginning and end, s.
    """
    span = _span(duration, "noise")
    f, s = np.asarray(frequencies_hz, float).ravel(), np.asarray(levels, float).ravel()
    if len(f) != len(s) or len(f) < 2:
        raise VehicleError("a noise needs as many levels as frequencies, at least two", found=(len(f), len(s)))
    good = np.isfinite(f).all() and np.isfinite(s).all() and f[0] > 0.0 and np.all(np.diff(f) > 0.0) and np.all(s > 0.0)
    if not good:
        raise VehicleError("a noise needs positive levels at positive, increasing frequencies")
    if not 0.0 <= fade <= 0.5 * span:
        raise VehicleError("the fade of a noise must lie within half its duration", found=fade, expected=0.5 * span)
    if not _KNOTS_A_PERIOD * f[-1] * span <= _MOST_KNOTS:
        raise VehicleError(
            f"a noise has too many periods: at most {_MOST_KNOTS // _KNOTS_A_PERIOD}",
            found=f"{f[-1] * span:.4g} of {f[-1]:g} Hz",
            advice="shorten it or lower its highest frequency",
        )
    count = int(np.ceil(_KNOTS_A_PERIOD * f[-1] * span))
    bins = np.arange(int(np.ceil(f[0] * span)), int(np.floor(f[-1] * span)) + 1)
    if not len(bins):
        raise VehicleError(
            "a noise is too short for its band", found=f"{span:g} s", expected=f"{1 / f[0]:.4g} s or more"
        )
    # the mean square of a bin is the integral of the spectrum over it, so that the sum is that over the band
    edges = np.clip(np.concatenate([bins - 0.5, [bins[-1] + 0.5]]) / span, f[0], f[-1])
    edges[0], edges[-1] = f[0], f[-1]
    squares = np.diff(_power(f, s, edges))
    phases = np.random.default_rng(seed).uniform(0.0, 2.0 * np.pi, len(bins))
    spectrum = np.zeros(count // 2 + 1, complex)
    spectrum[bins] = 0.5 * count * np.sqrt(2.0 * squares) * np.exp(1j * phases)
    values = np.fft.irfft(spectrum, count)
    times = start + np.linspace(0.0, span, count + 1)
    values = np.append(values, values[0])
    if fade > 0.0:
        near = np.minimum(times - start, start + span - times) / fade
        values = values * np.where(near < 1.0, near - np.sin(2.0 * np.pi * near) / (2.0 * np.pi), 1.0)
    shape = table(times, values, "cubic")
    pieces = shape.pieces.copy()
    pieces[-1] = 0.0
    return Profile(times, pieces)


def _power(f: FloatArray, s: FloatArray, upto: FloatArray) -> FloatArray:
    """Integral of a spectrum, straight on logarithmic axes, from its lowest frequency to each of ``upto``."""
    slope = np.diff(np.log(s)) / np.diff(np.log(f)) + 1.0

    def within(i: IntArray, x: FloatArray) -> FloatArray:
        ratio, q = np.log(x / f[i]), slope[i]
        return np.asarray(
            s[i] * f[i] * np.where(np.abs(q * ratio) > 1e-9, np.expm1(q * ratio) / np.where(q, q, 1.0), ratio)
        )

    each = np.concatenate([[0.0], np.cumsum(within(np.arange(len(f) - 1), f[1:]))])
    i = np.clip(np.searchsorted(f, upto, side="right") - 1, 0, len(f) - 2)
    return np.asarray(each[i] + within(i, upto))


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
    pieces = np.zeros((len(t), 8))
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
