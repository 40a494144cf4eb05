"""Jitter of a line of sight: disturbances as lines and densities, through a linear model, to angles and their budget.

A line is a harmonic force at one input. Lines of different frequency are uncorrelated, so that squares add. The metrics of an
exposure T weight every frequency: jitter (motion within the exposure) by 1 - sinc², displacement (mean of the exposure) by
sinc², sinc = sin(pi f T) / (pi f T), and drift (between the means of two exposures that begin D apart) by
2 (1 - cos 2 pi f D) sinc².

Reference: [Lucke1992].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import ComplexArray, FloatArray
from tisserand.errors import InputError
from tisserand.multibody.frequency_response import frequency_response
from tisserand.multibody.linear import LinearModel
from tisserand.responses.spectra import Spectrum


@dataclass(frozen=True)
class Harmonic:
    """One harmonic of a wheel: multiple of its speed, and amplitude over the square of the speed, N or N m per (rad/s)²."""

    number: float
    coefficient: float


@dataclass(frozen=True)
class WheelMode:
    """A structural mode of a wheel that amplifies its harmonics.

    frequency_hz at rest; damping ratio; gyroscopic: polar over transverse inertia g of the rotor for rocking modes, whose whirls
    are at sqrt(f² + (g S / 2)²) ± g S / 2 with the speed S in Hz (0: the mode does not move).
    """

    frequency_hz: float
    damping: float
    gyroscopic: float = 0.0

    def amplification(self, hz: FloatArray, speed_hz: FloatArray) -> FloatArray:
        """|1 / (1 - r² + 2 i zeta r)|, r = f / f0, of the nearer whirl at each frequency and speed."""
        half = 0.5 * self.gyroscopic * speed_hz
        middle = np.sqrt(self.frequency_hz**2 + half**2)
        out = np.zeros(np.broadcast(hz, speed_hz).shape)
        for whirl in (middle + half, middle - half):
            r = hz / whirl
            out = np.maximum(out, 1.0 / np.abs(1.0 - r**2 + 2j * self.damping * r))
        return np.asarray(out)


@dataclass(frozen=True)
class Wheel:
    """Harmonics of a rotor at one input of the linear model."""

    name: str
    input: str
    harmonics: tuple[Harmonic, ...]
    modes: tuple[WheelMode, ...] = ()

    def lines(self, speeds_hz: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Frequencies (s, h) Hz and amplitudes (s, h), N or N m, at speeds (s,) in Hz (revolutions per second)."""
        speed = np.asarray(speeds_hz, float)[:, None]
        number = np.array([h.number for h in self.harmonics])
        coefficient = np.array([h.coefficient for h in self.harmonics])
        hz = number * speed
        amplitude = coefficient * (2.0 * np.pi * speed) ** 2
        for mode in self.modes:
            amplitude = amplitude * mode.amplification(hz, speed)
        return hz, np.asarray(amplitude)


@dataclass(frozen=True)
class Lines:
    """Harmonic forces of fixed frequency at one input: a cryocooler, or the steps of a drive."""

    name: str
    input: str
    hz: tuple[float, ...]
    amplitude: tuple[float, ...]


def stepping(name: str, input: str, rate_hz: float, torque: float, harmonics: int = 9) -> Lines:
    """A drive that accelerates for half of each step and brakes for the other: a square wave, 4 T / (pi n) at odd n."""
    odd = tuple(range(1, harmonics + 1, 2))
    return Lines(name, input, tuple(n * rate_hz for n in odd), tuple(4.0 * torque / (np.pi * n) for n in odd))


@dataclass(frozen=True)
class Noise:
    """A stationary disturbance of given density, (N or N m)²/Hz, at one input."""

    name: str
    input: str
    density: Spectrum


@dataclass(frozen=True, eq=False)
class Sight:
    """Lines of sight of a linear model: names (l,), rows (l, outputs) of optical sensitivities."""

    model: LinearModel
    names: tuple[str, ...]
    rows: FloatArray

    def response(self, hz: FloatArray, name: str) -> ComplexArray:
        """(f, l) rad per unit of one input."""
        return np.asarray(self.outputs(hz, name) @ self.rows.T)

    def outputs(self, hz: FloatArray, name: str) -> ComplexArray:
        """(f, outputs) of the linear model per unit of one input."""
        if name not in self.model.inputs:
            raise InputError(
                "unknown input of the linear model", found=repr(name), expected=", ".join(self.model.inputs)
            )
        flat = np.ravel(np.asarray(hz, float))
        return np.asarray(frequency_response(self.model, flat)[:, :, self.model.inputs.index(name)])


def sight_of(model: LinearModel, rows: Mapping[str, Mapping[str, float]]) -> Sight:
    """Lines of sight from tables output -> factor."""
    table = np.zeros((len(rows), len(model.outputs)))
    for i, (name, factors) in enumerate(rows.items()):
        for output, factor in factors.items():
            if output not in model.outputs:
                raise InputError(
                    "unknown output of the linear model", where=f"line of sight {name}", found=repr(output),
                    expected=", ".join(model.outputs),
                )  # fmt: skip
            table[i, model.outputs.index(output)] = factor
    return Sight(model, tuple(rows), table)


@dataclass(frozen=True, eq=False)
class Waterfall:
    """Line-of-sight amplitudes (s, h, l) rad of a wheel over its speed: speeds (s,) Hz, frequencies (s, h) Hz."""

    wheel: Wheel
    speeds_hz: FloatArray
    hz: FloatArray
    amplitude: FloatArray

    @property
    def rms(self) -> FloatArray:
        """(s, l) root mean square of all harmonics."""
        return self.within(None)

    def within(self, exposure: float | None) -> FloatArray:
        """(s, l) root mean square of all harmonics that an exposure (s) sees as jitter; all of it without one."""
        weight = exposure_weight(self.hz.ravel(), exposure).reshape(self.hz.shape)
        return np.asarray(np.sqrt(0.5 * (weight[:, :, None] * self.amplitude**2).sum(axis=1)))


def waterfall(sight: Sight, wheel: Wheel, speeds_hz: FloatArray) -> Waterfall:
    """Amplitudes of a wheel's harmonics at the line of sight over its speed."""
    hz, force = wheel.lines(speeds_hz)
    moved = np.abs(sight.response(hz, wheel.input)).reshape(*hz.shape, -1)
    return Waterfall(wheel, np.asarray(speeds_hz, float), hz, moved * force[:, :, None])


@dataclass(frozen=True, eq=False)
class JitterBudget:
    """Variance of lines of sight by source and frequency.

    names: lines of sight (l,); sources: of every line (n,); hz (n,) and variance (n, l) rad² of lines; noise_sources: of every
    density (d,); noise_hz (f,) and noise (d, f, l) rad²/Hz.
    """

    names: tuple[str, ...]
    sources: tuple[str, ...]
    hz: FloatArray
    variance: FloatArray
    noise_sources: tuple[str, ...]
    noise_hz: FloatArray
    noise: FloatArray

    def weighted(
        self, exposure: float | None = None, kind: str = "jitter", separation: float | None = None
    ) -> dict[str, FloatArray]:
        """(l,) variance of every source, rad²: all of it, or what an exposure sees as jitter, displacement or drift."""
        out: dict[str, FloatArray] = {}
        for source in dict.fromkeys(self.sources):
            mine = np.array([name == source for name in self.sources])
            weight = exposure_weight(self.hz[mine], exposure, kind, separation)
            out[source] = np.asarray((weight[:, None] * self.variance[mine]).sum(axis=0))
        for i, source in enumerate(self.noise_sources):
            weight = exposure_weight(self.noise_hz, exposure, kind, separation)
            area = np.trapezoid(weight[:, None] * self.noise[i], self.noise_hz, axis=0)
            out[source] = out.get(source, np.zeros(len(self.names))) + np.asarray(area)
        return out

    def rms(self, exposure: float | None = None, kind: str = "jitter", separation: float | None = None) -> FloatArray:
        """(l,) root of the sum of all sources, rad."""
        parts = self.weighted(exposure, kind, separation).values()
        return np.asarray(np.sqrt(sum(parts, np.zeros(len(self.names)))))

    def cumulative(self, hz: FloatArray) -> FloatArray:
        """(f, l) root mean square of everything up to each frequency, rad."""
        order = np.argsort(self.hz, kind="stable")
        sums = np.vstack([np.zeros((1, len(self.names))), np.cumsum(self.variance[order], axis=0)])
        total = sums[np.searchsorted(self.hz[order], hz, side="right")]
        for part in self.noise:
            area = 0.5 * np.diff(self.noise_hz)[:, None] * (part[1:] + part[:-1])
            running = np.vstack([np.zeros((1, len(self.names))), np.cumsum(area, axis=0)])
            for i in range(len(self.names)):
                total[:, i] += np.interp(hz, self.noise_hz, running[:, i])
        return np.asarray(np.sqrt(total))


def exposure_weight(
    hz: FloatArray, exposure: float | None, kind: str = "jitter", separation: float | None = None
) -> FloatArray:
    """Share of the variance at each frequency that an exposure (s) sees; all of it without one.

    kind: ``jitter`` within an exposure, ``displacement`` of its mean, or ``drift`` from the mean of one exposure to that of
    another that begins ``separation`` (s) later.
    """
    if exposure is None:
        return np.ones(len(hz))
    if not exposure > 0.0 or kind not in ("jitter", "displacement", "drift"):
        raise InputError(
            "an exposure is a time above zero, seen as jitter, displacement or drift", found=f"{exposure}, {kind!r}"
        )
    if kind == "drift" and not (separation is not None and separation >= exposure):
        raise InputError(
            "drift needs the time between the beginnings of two exposures", found=f"separation {separation}",
            expected=f"at least the exposure, {exposure:g} s",
        )  # fmt: skip
    mean = np.sinc(np.asarray(hz, float) * exposure) ** 2
    if kind == "drift":
        assert separation is not None
        return np.asarray(2.0 * (1.0 - np.cos(2.0 * np.pi * np.asarray(hz, float) * separation)) * mean)
    return np.asarray(mean if kind == "displacement" else 1.0 - mean)


def jitter_budget(
    sight: Sight,
    *,
    wheels: Sequence[tuple[Wheel, float]] = (),
    lines: Sequence[Lines] = (),
    noises: Sequence[Noise] = (),
    noise_hz: FloatArray | None = None,
) -> JitterBudget:
    """Variances of all disturbances: wheels at given speeds (Hz), lines, and densities on a grid of frequencies."""
    sources: list[str] = []
    found_hz: list[float] = []
    variance: list[FloatArray] = []
    for wheel, speed in wheels:
        hz, force = wheel.lines(np.array([speed]))
        _add(sight, wheel.name, wheel.input, hz[0], force[0], (sources, found_hz, variance))
    for item in lines:
        _add(sight, item.name, item.input, np.array(item.hz), np.array(item.amplitude), (sources, found_hz, variance))
    grid = np.zeros(2) if noise_hz is None else np.asarray(noise_hz, float)
    density = [np.abs(sight.response(grid, n.input)) ** 2 * n.density.at(grid)[:, None] for n in noises]
    count = len(sight.names)
    return JitterBudget(
        sight.names, tuple(sources), np.array(found_hz), np.array(variance).reshape(-1, count), tuple(n.name for n in noises),
        grid, np.array(density).reshape(len(noises), len(grid), count),
    )  # fmt: skip


def _add(
    sight: Sight, name: str, input: str, hz: FloatArray, force: FloatArray,
    into: tuple[list[str], list[float], list[FloatArray]],
) -> None:  # fmt: skip
    moving = hz > 0.0
    moved = np.abs(sight.response(hz[moving], input)) * force[moving, None]
    into[0].extend([name] * len(moved))
    into[1].extend(hz[moving].tolist())
    into[2].extend(0.5 * moved**2)
