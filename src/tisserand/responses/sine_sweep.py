"""A sine whose frequency moves: what a mode answers before it has settled, exactly, octave by octave.

Input a(f) exp(i phi), phi' = 2 pi f, f = f0 2^(R t). Every pole is a filter of first order, exact for inputs that are straight
between samples; the amplitude that straight lines take from a sine, sinc²(f h), is given back. Amplitudes are those of the
analytic signal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.signal import lfilter

from tisserand.arrays import ComplexArray, FloatArray
from tisserand.errors import InputError
from tisserand.responses.base_drive import AXES
from tisserand.responses.modal_system import ModalSystem

#: Samples per period at the top of each octave.
_SAMPLES = 24
#: Peaks are listed for every so small part of an octave.
_BINS = 60
#: Samples of all rows at once.
_BLOCK = 20_000
#: Samples beyond which a sweep is refused.
MOST_SAMPLES = 5_000_000


@dataclass(frozen=True, eq=False)
class SweptResponse:
    """Rows under a swept sine: largest amplitudes (n, r) in small bands around frequencies (n,) Hz, in the order of the sweep.

    duration: s.
    """

    hz: FloatArray
    amplitude: FloatArray
    labels: tuple[str, ...]
    units: tuple[str, ...]
    duration: float

    @property
    def peaks(self) -> tuple[FloatArray, FloatArray]:
        """(r,) largest amplitude and the frequency of the input then, Hz."""
        where = self.amplitude.argmax(axis=0)
        return self.amplitude[where, np.arange(len(self.labels))], self.hz[where]


@dataclass(frozen=True, eq=False)
class _Filters:
    """y = out z + direct u, z_k' = poles_k z_k + drive_k u."""

    poles: ComplexArray
    drive: ComplexArray
    out: ComplexArray
    direct: FloatArray


def _filters(system: ModalSystem, column: int) -> _Filters:
    m = len(system.w)
    force = system.inputs[:, column]
    if system.damping is None:
        half = system.poles
        poles = np.concatenate([half, half.conj()])
        shapes = np.hstack([np.eye(m), np.eye(m)]).astype(complex)
        drive = np.concatenate([force / (2j * half.imag), -force / (2j * half.imag)])
    else:
        state = np.block([[np.zeros((m, m)), np.eye(m)], [-np.diag(system.w**2), -system.rates]])
        poles, vectors = np.linalg.eig(state)
        if np.linalg.cond(vectors / np.linalg.norm(vectors, axis=0)) > 1e10:
            raise InputError(
                "a mode is damped critically, and its sweep has no separate poles", expected="less damping"
            )
        shapes = vectors[:m]
        drive = np.linalg.solve(vectors, np.concatenate([np.zeros(m), force]).astype(complex))
    first = np.zeros_like(system.second) if system.first is None else system.first
    out = (system.zeroth - system.second * system.w**2) @ shapes
    out = out + ((first - system.second @ system.rates) @ shapes) * poles
    return _Filters(poles, drive, out, system.direct[:, column] + system.second @ force)


def swept_sine(
    system: ModalSystem,
    axis: str,
    level: Callable[[FloatArray], FloatArray],
    low_hz: float,
    high_hz: float,
    rate: float,
) -> SweptResponse:
    """Response from rest to a base sine of amplitude ``level`` (m/s²) that sweeps ``rate`` octaves/min, downward if negative."""
    if rate == 0.0 or not 0.0 < low_hz < high_hz:
        raise InputError(
            "a sweep needs a rate and two frequencies", found=f"{rate:g} octaves/min, {low_hz:g} to {high_hz:g} Hz"
        )
    made = _filters(system, AXES.index(axis))
    octaves = float(np.log2(high_hz / low_hz))
    edges = np.linspace(0.0, octaves, int(np.ceil(octaves)) + 1)
    if rate < 0.0:
        edges = edges[::-1]
    speed = rate / 60.0  # octaves per second, signed
    state = np.zeros(len(made.poles), complex)
    phase, found = 0.0, []
    _refuse_long(low_hz, high_hz, abs(speed))
    for a, b in pairwise(edges):
        lowest = low_hz * 2.0**a
        count = int(np.ceil((b - a) / speed * _SAMPLES * low_hz * 2.0 ** max(a, b))) + 1
        t = np.linspace(0.0, (b - a) / speed, count)
        hz = lowest * 2.0 ** (speed * t)
        angle = phase + 2.0 * np.pi * (hz - lowest) / (speed * np.log(2.0))
        phase = float(angle[-1] % (2.0 * np.pi))
        u = level(hz) / np.sinc(hz * t[1]) ** 2 * np.exp(1j * angle)
        motion, state = _filtered(made, float(t[1]), u, state)
        found.append(_peaks(made, hz, u * np.sinc(hz * t[1]) ** 2, motion, low_hz))
    hz_all, size = (np.concatenate(column) for column in zip(*found))
    return SweptResponse(hz_all, size, system.labels, system.units, octaves / abs(speed))


def _refuse_long(low_hz: float, high_hz: float, speed: float) -> None:
    count = 2.0 * _SAMPLES * high_hz / speed
    if count > MOST_SAMPLES:
        raise InputError(
            "the sweep is too slow to follow in time", found=f"about {count:.1e} samples",
            expected=f"at most {MOST_SAMPLES:.0e}", advice="leave the rate out: so slow a sweep is a steady sine",
        )  # fmt: skip


def _filtered(made: _Filters, step: float, u: ComplexArray, state: ComplexArray) -> tuple[ComplexArray, ComplexArray]:
    """(n, p) motions of all poles from a state, exact for an input that is straight between samples, and the last of them."""
    out = np.empty((len(u), len(made.poles)), complex)
    for k, pole in enumerate(made.poles):
        x = pole * step
        first = np.expm1(x) / x
        second = (first - 1.0) / x if abs(x) > 1e-4 else 0.5 + x / 6.0 + x * x / 24.0
        b = step * made.drive[k] * np.array([second, first - second])
        start = np.array([state[k] - b[0] * u[0]])  # the first sample is the state itself
        out[:, k] = lfilter(b, [1.0, -np.exp(x)], u, zi=start)[0]
    return out, out[-1].copy()


def _peaks(
    made: _Filters, hz: FloatArray, u: ComplexArray, motion: ComplexArray, low_hz: float
) -> tuple[FloatArray, FloatArray]:
    """Largest amplitude of every row in each small part of the octave, at the middle frequency of that part."""
    place = np.floor(_BINS * np.log2(hz / low_hz) + 1e-9).astype(np.int64)
    kinds, start = np.unique(place, return_index=True)
    order = np.argsort(start)
    kinds, start = kinds[order], start[order]
    best = np.zeros((len(kinds), len(made.direct)))
    ends = np.append(start[1:], len(hz))
    for i, (a, b) in enumerate(zip(start, ends)):
        for c in range(a, b, _BLOCK):
            part = slice(c, min(c + _BLOCK, b))
            size = np.abs(motion[part] @ made.out.T + u[part, None] * made.direct).max(axis=0)
            best[i] = np.maximum(best[i], size)
    middle = np.array([np.sqrt(hz[a] * hz[b - 1]) for a, b in zip(start, ends)])
    return middle, best
