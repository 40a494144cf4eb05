"""Errors of sampled sensors: white noise, bias, random walk, quantization, sampling and latency, from streams of their own.

Discrete white noise of density N sampled every T has the deviation N / sqrt(T), so that its Allan deviation is N / sqrt(tau); a
random walk K adds K sqrt(T) times a normal number per sample, Allan deviation K sqrt(tau / 3).
Reference: [Ieee1997].
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.errors import VehicleError

#: Steps of a uniform number in double precision.
_STEPS = 2.0**53


@checked_arguments
@dataclass(frozen=True, kw_only=True)
class SensorErrors:
    """What a sampled sensor adds to the truth; units are those of the sensor.

    Attributes:
        period: between samples, s; the reading is held in between.
        latency: from sample to reading, s.
        sigma: deviation of the noise of one sample.
        noise_density: the same as a density, unit/sqrt(Hz): deviation noise_density / sqrt(period).
        bias: constant error.
        random_walk: of the bias, unit/sqrt(s).
        quantum: readings are rounded to multiples of it; 0: none.
        seed: of the stream; every sensor has its own, by seed and name.
    """

    period: float
    latency: float = 0.0
    sigma: float | None = None
    noise_density: float | None = None
    bias: float = 0.0
    random_walk: float = 0.0
    quantum: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.period) and self.period > 0.0):
            raise VehicleError("the period of a sensor must be positive", found=self.period)
        if self.sigma is not None and self.noise_density is not None:
            raise VehicleError(
                "noise is stated twice", found="sigma and noise_density", expected="either sigma or noise_density"
            )
        for word in ("latency", "sigma", "noise_density", "random_walk", "quantum", "seed"):
            value = getattr(self, word)
            if value is not None and not (np.isfinite(value) and value >= 0.0):
                raise VehicleError(f"{word} of a sensor must be finite and not negative", found=value)
        if not np.isfinite(self.bias):
            raise VehicleError("the bias of a sensor must be finite", found=self.bias)

    @property
    def deviation(self) -> float:
        """Deviation of the noise of one sample."""
        if self.noise_density is not None:
            return self.noise_density / float(np.sqrt(self.period))
        return self.sigma or 0.0


class NormalStream:
    """Normal numbers that depend on a seed and a name alone, the same on every machine and in every version of NumPy.

    Uniform numbers of PCG64, whose stream is guaranteed, through the inverse of the normal distribution.
    """

    def __init__(self, seed: int, name: str) -> None:
        word = int.from_bytes(hashlib.sha256(name.encode()).digest()[:16], "big")
        self._bits = np.random.PCG64(np.random.SeedSequence((seed, word)))

    def next(self) -> float:
        """The next number."""
        from scipy.special import ndtri

        return float(ndtri(((int(self._bits.random_raw()) >> 11) + 0.5) / _STEPS))


class ErrorStream:
    """The readings of one sensor, one per sample. White noise and random walk have streams of their own."""

    def __init__(self, errors: SensorErrors, name: str) -> None:
        self.errors, self.drift = errors, 0.0
        self._white = NormalStream(errors.seed, f"{name}/white")
        self._walk = NormalStream(errors.seed, f"{name}/walk")

    def reading(self, truth: float) -> float:
        """Truth with bias, drift and noise, rounded to the quantum; the drift then walks on to the next sample."""
        e = self.errors
        value = truth + e.bias + self.drift
        if e.deviation:
            value += e.deviation * self._white.next()
        if e.random_walk:
            self.drift += e.random_walk * float(np.sqrt(e.period)) * self._walk.next()
        return e.quantum * float(np.round(value / e.quantum)) if e.quantum else value
