"""Levels over the frequency as specifications state them: straight in logarithms between points, nothing outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, frozen
from tisserand.errors import FileError, InputError
from tisserand.files import text_of, write_text


@checked_arguments
@dataclass(frozen=True, eq=False)
class Spectrum:
    """Levels (n,) over ascending frequencies (n,) Hz.

    Attributes:
        hz: ascending frequencies; one value may appear twice for a step.
        levels: positive values at them.
    """

    hz: FloatArray
    levels: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "hz", frozen(self.hz, shape=(-1,)))
        object.__setattr__(self, "levels", frozen(self.levels, shape=self.hz.shape))
        good = (
            len(self.hz) > 1 and (self.hz > 0.0).all() and (np.diff(self.hz) >= 0.0).all() and self.hz[-1] > self.hz[0]
        )
        if not (good and np.isfinite(self.hz).all()):
            raise InputError(
                "a spectrum needs two or more ascending frequencies above zero", found=self.hz[:6].tolist()
            )
        if not (np.isfinite(self.levels).all() and (self.levels > 0.0).all()):
            raise InputError("levels of a spectrum must be above zero", found=self.levels[:6].tolist())

    def at(self, hz: FloatArray) -> FloatArray:
        """Levels at frequencies, straight in log-log; zero outside.

        Args:
            hz: frequencies, Hz.
        """
        f = np.asarray(hz, float)
        inside = (f >= self.hz[0]) & (f <= self.hz[-1])
        out = np.zeros(f.shape)
        out[inside] = np.exp(np.interp(np.log(f[inside]), np.log(self.hz), np.log(self.levels)))
        return out

    @property
    def area(self) -> float:
        """Integral over the frequency, segment by segment in closed form."""
        f1, f2, p1, p2 = self.hz[:-1], self.hz[1:], self.levels[:-1], self.levels[1:]
        wide = f2 > f1
        f1, f2, p1, p2 = f1[wide], f2[wide], p1[wide], p2[wide]
        slope = np.log(p2 / p1) / np.log(f2 / f1) + 1.0
        flat = np.abs(slope) < 1e-5
        power = (f2 * p2 - f1 * p1) / np.where(flat, 1.0, slope)
        return float(np.where(flat, p1 * f1 * np.log(f2 / f1), power).sum())

    def times(self, factor: float) -> Spectrum:
        """The same shape at another level.

        Args:
            factor: of every level.
        """
        return Spectrum(self.hz, factor * self.levels)


def spectrum_of(points: Sequence[tuple[float, float]]) -> Spectrum:
    """A spectrum from pairs (Hz, level)."""
    pairs = np.asarray(points, float).reshape(-1, 2)
    return Spectrum(pairs[:, 0], pairs[:, 1])


def columns_of(path: str | Path, least: int = 2) -> FloatArray:
    """(n, c) numbers of a CSV file; lines that begin with a letter or # are headings."""
    rows = []
    for number, line in enumerate(text_of(path).splitlines(), 1):
        words = [word.strip() for word in line.replace(";", ",").split(",")]
        if not line.strip() or line.lstrip()[0] in "#" or line.strip()[0].isalpha():
            continue
        try:
            rows.append([float(word) for word in words])
        except ValueError:
            raise FileError(path, "is not a table of numbers", found=f"line {number}: {line.strip()[:60]}") from None
    if len({len(row) for row in rows}) != 1 or len(rows[0]) < least:
        raise FileError(
            path, "is not a table of numbers", expected=f"at least {least} columns of equal length, comma separated"
        )
    table = np.array(rows)
    if not np.isfinite(table).all():
        row, column = np.argwhere(~np.isfinite(table))[0]
        raise FileError(
            path, "holds a number that is not finite", found=f"{table[row, column]:g} in row {row + 1} of numbers"
        )
    return table


def read_spectrum(path: str | Path) -> Spectrum:
    """A spectrum from the first two columns of a CSV file: frequency in Hz, level."""
    table = columns_of(path)
    return Spectrum(table[:, 0], table[:, 1])


def write_spectrum(hz: FloatArray, levels: FloatArray, path: Path, heading: str = "frequency_hz,level") -> Path:
    """Frequencies and levels as CSV."""
    lines = [heading, *(f"{f:.10g},{p:.10g}" for f, p in zip(hz, levels))]
    return write_text(path, "\n".join(lines) + "\n")
