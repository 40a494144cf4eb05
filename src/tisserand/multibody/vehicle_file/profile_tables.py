"""Profiles of time in a vehicle file: a plain number, or a table with ``shape``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args

import numpy as np
from pydantic import create_model

from tisserand.declarations import (
    Declared,
    FilePath,
    check,
    excludes,
    expecting,
    needs,
    option,
    problem,
    ruled,
    some_of,
    tagged_by,
)
from tisserand.errors import CaseError
from tisserand.files import text_of
from tisserand.multibody import profiles
from tisserand.multibody.profiles import Profile
from tisserand.multibody.stepping_drive import steps
from tisserand.multibody.vehicle_file.file_values import DEGREE


def _in_order(start: float, end: float | None) -> None:
    if end is not None and not end > start:
        raise problem("end", "is not after the start", found=end, expected=f"a time after {start:g} s")


class ConstantShape(Declared):
    """The same value always."""

    shape: Literal["constant"] = option(..., "which profile")
    value: float = option(..., "the value")

    def profile(self) -> Profile:
        return profiles.constant(self.value)


class StepShape(Declared):
    """Zero, then a value, then zero again."""

    shape: Literal["step"] = option(..., "which profile")
    value: float = option(..., "value between start and end")
    start: float = option(0.0, "when it begins", unit="s")
    end: float | None = option(None, "when it ends; default: never", unit="s")

    @check
    def _ends_after_it_begins(self) -> None:
        _in_order(self.start, self.end)

    def profile(self) -> Profile:
        return profiles.step(self.value, self.start, self.end)


class RampShape(Declared):
    """From one value to another: straight (ramp), or with continuous rate and acceleration (smooth_ramp)."""

    shape: Literal["ramp", "smooth_ramp"] = option(..., "which profile")
    value: float = option(..., "last value")
    start: float = option(0.0, "when it begins", unit="s")
    duration: float = option(..., "how long it takes", unit="s", above=0.0)
    first: float = option(0.0, "value until it begins")

    def profile(self) -> Profile:
        make = profiles.ramp if self.shape == "ramp" else profiles.smooth_ramp
        return make(self.value, self.start, self.duration, self.first)


class BangBangShape(Declared):
    """A value for half the duration, then its opposite."""

    shape: Literal["bang_bang"] = option(..., "which profile")
    value: float = option(..., "value of the first half; the second has the opposite sign")
    start: float = option(0.0, "when it begins", unit="s")
    duration: float = option(..., "both halves together", unit="s", above=0.0)
    coast: float = option(0.0, "time of zero between the halves", unit="s", at_least=0.0)

    def profile(self) -> Profile:
        return profiles.bang_bang(self.value, self.start, self.duration, self.coast)


class PulseShape(Declared):
    """A pulse with that peak (versine), or an angle that spins up to that rate (spin_up)."""

    shape: Literal["versine", "spin_up"] = option(..., "which profile")
    value: float = option(..., "peak of a versine, last rate of a spin-up")
    start: float = option(0.0, "when it begins", unit="s")
    duration: float = option(..., "how long it takes", unit="s", above=0.0)

    def profile(self) -> Profile:
        make = profiles.versine if self.shape == "versine" else profiles.spin_up
        return make(self.value, self.start, self.duration)


class ConstantRateShape(Declared):
    """A value that grows evenly and does not end: an angle that turns at a constant rate."""

    shape: Literal["constant_rate"] = option(..., "which profile")
    rate: float = option(..., "growth per second")
    start: float = option(0.0, "when it begins", unit="s")
    first: float = option(0.0, "value until it begins")

    def profile(self) -> Profile:
        return profiles.constant_rate(self.rate, self.start, self.first)


class StepsShape(Declared):
    """A staircase of equal steps, such as a stepper motor makes."""

    shape: Literal["steps"] = option(..., "which profile")
    value: float = option(..., "size of one step")
    rate_hz: float = option(..., "steps per second", unit="Hz", above=0.0)
    count: int = option(..., "number of steps", at_least=1, at_most=1_000_000)
    start: float = option(0.0, "time of the first step", unit="s")
    rise: float = option(
        0.0, "time that a step takes, with continuous acceleration; 0: at once", unit="s", at_least=0.0
    )

    @check
    def _one_after_the_other(self) -> None:
        if self.rise * self.rate_hz > 1.0:
            raise problem("rise", "is longer than the time between steps", found=self.rise, expected=1.0 / self.rate_hz)

    def profile(self) -> Profile:
        return steps(self.value, self.rate_hz, self.count, self.start, self.rise)


class SineShape(Declared):
    """A sine that begins at a time, and ends at one if you wish."""

    shape: Literal["sine"] = option(..., "which profile")
    amplitude: float = option(..., "amplitude")
    frequency_hz: float = option(..., "frequency", unit="Hz", above=0.0)
    phase_deg: float = option(0.0, "phase at the start", unit="deg")
    start: float = option(0.0, "when it begins", unit="s")
    end: float | None = option(None, "when it ends; default: never", unit="s")
    offset: float = option(0.0, "mean value")

    @check
    def _ends_after_it_begins(self) -> None:
        _in_order(self.start, self.end)

    def profile(self) -> Profile:
        phase = DEGREE * self.phase_deg
        return profiles.sine(self.amplitude, self.frequency_hz, phase, self.start, self.offset, self.end)


class ChirpShape(Declared):
    """A sine whose frequency runs evenly from one value to another, then zero."""

    shape: Literal["chirp"] = option(..., "which profile")
    amplitude: float = option(..., "amplitude")
    first_hz: float = option(..., "frequency at the start", unit="Hz", at_least=0.0)
    last_hz: float = option(..., "frequency at the end", unit="Hz", at_least=0.0)
    duration: float = option(..., "how long it takes", unit="s", above=0.0)
    start: float = option(0.0, "when it begins", unit="s")
    phase_deg: float = option(0.0, "phase at the start", unit="deg")

    def profile(self) -> Profile:
        phase = DEGREE * self.phase_deg
        return profiles.chirp(self.amplitude, self.first_hz, self.last_hz, self.duration, self.start, phase)


class NoiseShape(Declared):
    """Random noise of a given spectrum; the same seed gives the same noise."""

    shape: Literal["noise"] = option(..., "which profile")
    frequencies_hz: tuple[float, ...] = option(..., "frequencies of the spectrum, ascending", unit="Hz")
    levels: tuple[float, ...] = option(..., "power spectral density there (one-sided, unit²/Hz), log-log between")
    duration: float = option(..., "how long it lasts", unit="s", above=0.0)
    seed: int = option(..., "of the random phases", at_least=0)
    start: float = option(0.0, "when it begins", unit="s")
    fade: float = option(0.0, "time of a smooth beginning and end", unit="s", at_least=0.0)

    def profile(self) -> Profile:
        return profiles.noise(self.frequencies_hz, self.levels, self.duration, self.seed, self.start, self.fade)


class TableShape(Declared):
    """Values at given times, in the file or in a CSV file."""

    shape: Literal["table"] = option(..., "which profile")
    times: tuple[float, ...] | None = option(None, "times", unit="s")
    values: tuple[float, ...] | None = option(None, "values at those times")
    file: FilePath | None = option(None, "CSV file with the times in its first column, instead of times and values")
    column: int = option(2, "column of the values in the CSV file", at_least=2)
    scale: float = option(1.0, "factor on the values of the CSV file")
    interpolation: Literal["linear", "hold", "cubic"] = option("linear", "between the points")

    _one_source = ruled(
        some_of(("file",), ("times", "values")),
        excludes("file", "times", "values"),
        needs("column", "file"),
        needs("scale", "file"),
    )

    def profile(self) -> Profile:
        if self.file is None:
            return profiles.table(self.times or (), self.values or (), self.interpolation)
        times, values = read_columns(self.file, self.column)
        return profiles.table(times, self.scale * values, self.interpolation)


Shape = (
    ConstantShape
    | StepShape
    | RampShape
    | BangBangShape
    | PulseShape
    | ConstantRateShape
    | StepsShape
    | SineShape
    | ChirpShape
    | NoiseShape
    | TableShape
)
SHAPES = get_args(Shape)

#: A number, or a table with ``shape``.
ProfileValue = Annotated[
    float | Annotated[Shape, tagged_by("shape")], expecting("a number or a profile", "is not a profile")
]

if TYPE_CHECKING:
    AxisShape = Any
else:
    #: The same shapes with the number of the joint axis that follows them.
    _axis = {"axis": (int, option(..., "axis of the joint that follows it: 1, 2 or 3", at_least=1))}
    _ON_AXIS = [
        create_model(f"{kind.__name__}OnAxis", __base__=kind, __module__=__name__, __doc__=kind.__doc__, **_axis)
        for kind in SHAPES
    ]
    AxisShape = Annotated[Union[tuple(_ON_AXIS)], tagged_by("shape")]  # noqa: UP007


def profile_of(value: float | Shape, scale: float = 1.0) -> Profile:
    """The profile that a number or a table means, times ``scale``."""
    made = profiles.constant(value) if isinstance(value, float | int) else value.profile()
    return made if scale == 1.0 else made.scaled(scale)


def maybe_profile(value: float | Shape | None, scale: float = 1.0) -> Profile | None:
    """The same; None for None."""
    return None if value is None else profile_of(value, scale)


def read_columns(path: Path, column: int) -> tuple[np.ndarray, np.ndarray]:
    """Times (column 1) and values (``column``) of a CSV file; lines that start with # or a letter are headings."""
    times, values = [], []
    for number, line in enumerate(text_of(path).splitlines(), 1):
        text = line.strip()
        if not text or text[0] == "#" or text[0].isalpha() or text[0] == '"':
            continue
        parts = text.replace(";", ",").split(",")
        try:
            times.append(float(parts[0]))
            values.append(float(parts[column - 1]))
        except (ValueError, IndexError):
            raise CaseError(
                path, f"line {number}", "is not a row of numbers", found=text[:60], expected=f"{column} columns"
            ) from None
    return np.array(times), np.array(values)
