"""Jitter budgets as TOML files: a vehicle, its lines of sight, and the disturbances at its loads."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.declarations import Declared, FilePath, check, option, problem, read_declared
from tisserand.errors import InputError
from tisserand.responses.jitter import Harmonic, Lines, Noise, Wheel, WheelMode, stepping
from tisserand.responses.spectra import spectrum_of

Pair = tuple[float, float]


def _require_pairs(key: str, pairs: tuple[Pair, ...], what: str) -> None:
    """Refuse a list without pairs, or whose first numbers do not turn or oscillate."""
    found = [f for f, _ in pairs if f <= 0.0]
    if found or not pairs:
        raise problem(key, "has no line that moves" if not pairs else "holds one that does not move",
                      found=found[0] if found else "no pairs", expected=f"{what} above zero")  # fmt: skip


class WheelModeTable(Declared):
    """A structural mode of a wheel."""

    frequency: float = option(..., "frequency at rest", unit="Hz", above=0.0)
    damping: float = option(..., "damping ratio", above=0.0, below=1.0)
    gyroscopic: float = option(0.0, "polar over transverse inertia of the rotor, for rocking modes", at_least=0.0)


class WheelTable(Declared):
    """Harmonics of a reaction wheel at one load of the vehicle."""

    input: str = option(..., "load (or command of an open loop) that carries the disturbance")
    harmonics: tuple[Pair, ...] = option(
        ..., "pairs [multiple of the speed, amplitude over speed², N or N m per (rad/s)²]"
    )
    modes: tuple[WheelModeTable, ...] = option((), "structural modes that amplify the harmonics")
    speed: float | None = option(None, "speed of the budget; default: the worst of 'speeds'", unit="rpm", above=0.0)
    speeds: tuple[float, float] = option((60.0, 6000.0), "range of the waterfall", unit="rpm", above=0.0)
    count: int = option(400, "speeds of the waterfall", at_least=2)

    @check
    def _turning(self) -> None:
        _require_pairs("harmonics", self.harmonics, "multiples of the speed")
        if self.speeds[1] <= self.speeds[0]:
            raise problem(
                "speeds", "do not ascend", found=list(self.speeds), expected="the lowest, then the highest, rpm"
            )

    def wheel(self, name: str) -> Wheel:
        """The wheel that the table states."""
        modes = tuple(WheelMode(m.frequency, m.damping, m.gyroscopic) for m in self.modes)
        return Wheel(name, self.input, tuple(Harmonic(n, c) for n, c in self.harmonics), modes)

    @property
    def range_hz(self) -> np.ndarray:
        """Speeds of the waterfall, revolutions per second."""
        return np.linspace(self.speeds[0], self.speeds[1], self.count) / 60.0


class LinesTable(Declared):
    """Harmonic forces of fixed frequency, such as those of a cryocooler."""

    input: str = option(..., "load that carries the disturbance")
    lines: tuple[Pair, ...] = option(..., "pairs [frequency in Hz, amplitude in N or N m]")

    @check
    def _moving(self) -> None:
        _require_pairs("lines", self.lines, "frequencies")


class StepsTable(Declared):
    """Steps of a drive: it accelerates for half of each step and brakes for the other half."""

    input: str = option(..., "load that carries the torque")
    rate: float = option(..., "steps per second", unit="Hz", above=0.0)
    torque: float = option(..., "torque of each half", unit="N m", above=0.0)
    harmonics: int = option(9, "highest harmonic of the square wave", at_least=1)


class NoiseTable(Declared):
    """A stationary disturbance of given density."""

    input: str = option(..., "load that carries the disturbance")
    density: tuple[Pair, ...] = option(..., "pairs [frequency in Hz, (N or N m)²/Hz], straight in logarithms")

    @check
    def _dense(self) -> None:
        try:
            spectrum_of(self.density)
        except InputError as error:
            raise problem("density", str(error).rstrip(".")) from None


class JitterFile(Declared):
    """A jitter budget."""

    vehicle: FilePath = option(..., "vehicle file, whose loads are inputs and whose sensors are outputs")
    closed_loop: bool = option(False, "close the linear control loops of the vehicle")
    sight: dict[str, dict[str, float]] = option(
        ..., "lines of sight: name -> sensor -> optical sensitivity, rad per unit"
    )
    limits: dict[str, float] = option({}, "allowed root mean square of lines of sight", unit="rad", above=0.0)
    exposure: float | None = option(None, "exposure time of the jitter metrics", unit="s", above=0.0)
    separation: float | None = option(
        None, "time between the beginnings of two exposures, for the drift from one to the other", unit="s", above=0.0
    )
    wheels: dict[str, WheelTable] = option({}, "reaction wheels")
    lines: dict[str, LinesTable] = option({}, "lines of fixed frequency")
    steps: dict[str, StepsTable] = option({}, "stepping drives")
    noises: dict[str, NoiseTable] = option({}, "stationary disturbances")

    @check
    def _separate(self) -> None:
        if self.separation is not None and (self.exposure is None or self.separation < self.exposure):
            raise problem("separation", "is less than the exposure", expected="an exposure, and at least its time")

    @check
    def _named_once(self) -> None:
        names = [*self.wheels, *self.lines, *self.steps, *self.noises]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise problem("wheels", "two sources have one name", found=twice[0], expected="a name of its own for each")

    def fixed_lines(self) -> list[Lines]:
        """Lines of coolers and drives."""
        out = [
            Lines(name, t.input, tuple(f for f, _ in t.lines), tuple(a for _, a in t.lines))
            for name, t in self.lines.items()
        ]
        return out + [stepping(name, t.input, t.rate, t.torque, t.harmonics) for name, t in self.steps.items()]

    def densities(self) -> list[Noise]:
        """Stationary disturbances."""
        return [Noise(name, table.input, spectrum_of(table.density)) for name, table in self.noises.items()]


def read_jitter(path: str | Path) -> JitterFile:
    """Read a jitter budget."""
    return read_declared(JitterFile, Path(path))
