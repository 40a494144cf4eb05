"""The spread of many runs: bands of every sensor over time, as a picture or a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.files import write_text
from tisserand.multibody.quantities import unit_in
from tisserand.multibody.trajectory import Trajectory
from tisserand.views.readable import readable
from tisserand.views.report import html
from tisserand.views.report.response_charts import BANDS, QUANTILES, envelope_page
from tisserand.views.style import CURVES, figure, save_figure, tidy


@dataclass(frozen=True, eq=False)
class History:
    """Sensors (n,) of one complete run over its times (n,), s, and their units."""

    times: FloatArray
    signals: Mapping[str, FloatArray]
    units: Mapping[str, str]

    @classmethod
    def of_run(cls, run: Trajectory) -> History:
        """The sensors of a run; the inner signals of controllers are left out."""
        named = {name: values for name, values in run.signals.items() if "/" not in name}
        return cls(run.times, named, {name: unit_in(run, "signals", name, "SI") for name in named})

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> History:
        """A history from its plain data."""
        signals = {name: np.asarray(values, float) for name, values in data["signals"].items()}
        return cls(np.asarray(data["times"], float), signals, data["units"])

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for files of samples."""
        signals = {name: values.tolist() for name, values in self.signals.items()}
        return {"times": self.times.tolist(), "signals": signals, "units": dict(self.units)}


@dataclass(frozen=True, eq=False)
class Spread:
    """Sensors of all runs (runs, n) over common times (n,), s, with their units."""

    times: FloatArray
    signals: Mapping[str, tuple[FloatArray, str]]


def spread_of(runs: Sequence[History]) -> Spread:
    """Histories over the times of the first run up to the earliest end; the others are interpolated where theirs differ."""
    if not runs:
        return Spread(np.zeros(0), {})
    end = min(float(run.times[-1]) for run in runs)
    times = runs[0].times[runs[0].times <= end * (1.0 + 1e-12)]
    return Spread(
        times,
        {
            name: (np.array([np.interp(times, run.times, run.signals[name]) for run in runs]), unit)
            for name, unit in runs[0].units.items()
        },
    )


def save_spread(
    name: str, spread: Spread, columns: Sequence[str], rows: Sequence[Sequence[object]], path: str | Path
) -> Path:
    """Envelopes as a page (.html, with the table of samples) or a picture, by the ending."""
    if Path(path).suffix.lower() == ".html":
        table = html.table(["run", *columns], [[i + 1, *row] for i, row in enumerate(rows)], sortable=True)
        return write_text(path, envelope_page(name, spread.times, spread.signals, table))
    made = figure(9.5, 2.6 * max(len(spread.signals), 1) + 0.4)
    panels = made.subplots(max(len(spread.signals), 1), 1, sharex=True, squeeze=False)[:, 0]
    for panel, (signal, (values, unit)) in zip(panels, spread.signals.items()):
        shown, word = readable(np.quantile(values, QUANTILES, axis=0), unit)
        tidy(panel, signal, "", word)
        middle = len(QUANTILES) // 2
        for width in range(middle, 0, -1):
            low, high = shown[middle - width], shown[middle + width]
            panel.fill_between(
                spread.times, low, high, color=CURVES[0], alpha=0.34 / width, linewidth=0, label=BANDS[width]
            )
        panel.plot(spread.times, shown[middle], color=CURVES[0], linewidth=1.5, label=BANDS[0])
    panels[0].legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    panels[-1].set_xlabel("time (s)")
    return save_figure(made, path)
