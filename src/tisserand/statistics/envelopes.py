"""Envelopes over time: quantiles of a signal over all runs, at every time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arrays import FloatArray

#: Parts of the runs inside the bands of an envelope, with their names.
QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
BANDS = ("median", "half of the runs", "90 % of the runs", "all runs")
#: Numbers that are sorted at a time.
MOST_NUMBERS = 4_000_000


@dataclass(frozen=True, eq=False)
class Envelope:
    """Quantiles (7, n) of a signal over ``runs`` runs at common times (n,), s, with the unit of the signal."""

    name: str
    unit: str
    times: FloatArray
    bands: FloatArray
    runs: int


def envelope(
    name: str, unit: str, times: FloatArray, runs: Sequence[Callable[[slice], FloatArray]] | FloatArray
) -> Envelope:
    """The envelope of runs: values (runs, n), or for each run a function that gives its values at a slice of the times.

    Only some columns of all runs are held at a time.
    """
    bands = np.empty((len(QUANTILES), len(times)))
    width = max(1, MOST_NUMBERS // max(len(runs), 1))
    for begin in range(0, len(times), width):
        part = slice(begin, min(begin + width, len(times)))
        block = runs[:, part] if isinstance(runs, np.ndarray) else np.array([run(part) for run in runs])
        bands[:, part] = np.quantile(block, QUANTILES, axis=0)
    return Envelope(name, unit, times, bands, len(runs))
