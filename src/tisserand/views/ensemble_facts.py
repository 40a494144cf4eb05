"""What pictures and pages of many runs show, and how: the measures worth a picture, their units, bins and marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.statistics.envelopes import Envelope
from tisserand.statistics.limits import Exceedance
from tisserand.statistics.regression import Regression
from tisserand.statistics.sobol_indices import SobolIndices
from tisserand.statistics.summary import MeasureSummary, Statistics, Table
from tisserand.views.readable import readable

#: Measures drawn at most, and keys of a tornado.
MOST_MEASURES, MOST_KEYS = 8, 10
#: Letters of a key in a picture.
MOST_LETTERS = 30
#: Bins of a histogram.
MOST_BINS = 60


@dataclass(frozen=True, eq=False)
class EnsembleFacts:
    """A study of many runs. statistics: None for corners, or if no run is complete; count, failures: of all samples.

    sources: the output that a measure of the user is of, by its name.
    """

    name: str
    table: Table
    statistics: Statistics | None
    envelopes: tuple[Envelope, ...]
    count: int
    failures: int
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def featured(self) -> tuple[str, ...]:
        """Measures that are drawn: what the user measures or limits, else the peak of every output or the lowest modes."""
        names = tuple(self.table.measures)
        limited = () if self.statistics is None else tuple(one.limit.measure for one in self.statistics.limits)
        own = tuple(name for name in names if not self.table.units.get(name))
        chosen = dict.fromkeys((*limited, *own))
        standard = [name for name in names if name.endswith((".peak", ".hz"))]
        return tuple(chosen or standard)[:MOST_MEASURES]

    def values(self, name: str) -> FloatArray:
        """(n,) values of a measure over independent draws."""
        return np.asarray(self.table.measures[name])[self.table.draws]

    def scaled(self, name: str) -> tuple[float, str]:
        """Factor and unit in which a measure is drawn."""
        values = self.values(name)
        largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0
        shown, unit = readable(np.array([largest]), self.table.units.get(name, ""))
        return float(shown[0]) / largest, unit

    def label(self, name: str) -> str:
        """A measure with its unit, for an axis."""
        unit = self.scaled(name)[1]
        return f"{name} ({unit})" if unit and unit != "-" else name

    def summary(self, name: str) -> MeasureSummary | None:
        return None if self.statistics is None else self.statistics.of(name)

    def limits(self, name: str) -> list[Exceedance]:
        return [] if self.statistics is None else [one for one in self.statistics.limits if one.limit.measure == name]

    def near(self, name: str, value: float) -> bool:
        """Whether a level is near enough to the values of a measure to be drawn with them: within twice their span."""
        values = self.values(name)
        values = values[np.isfinite(values)]
        low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
        reach = 2.0 * max(high - low, 0.05 * max(abs(low), abs(high)))
        return low - reach <= value <= high + reach

    def envelope(self, name: str) -> Envelope | None:
        """The envelope of the output that a measure is of."""
        output = self.sources.get(name, name.rpartition(".")[0])
        return next((one for one in self.envelopes if one.name == output), None)

    def bins(self, name: str) -> tuple[FloatArray, FloatArray] | None:
        """Edges and counts of the histogram of a measure, in the unit drawn; None where fewer than two values are finite."""
        values = self.values(name)
        values = values[np.isfinite(values)] * self.scaled(name)[0]
        if len(values) < 2:
            return None
        if not np.ptp(values) > 1e-12 * np.abs(values).max():
            edges = values[0] + max(abs(values[0]), 1e-30) * np.array([-1e-3, 1e-3])
            return edges, np.array([float(len(values))])
        edges = np.histogram_bin_edges(values, "auto")
        if len(edges) > MOST_BINS + 1:
            edges = np.histogram_bin_edges(values, MOST_BINS)
        counts, edges = np.histogram(values, edges)
        return edges, counts.astype(float)

    def tornado(self, name: str) -> tuple[list[str], list[tuple[str, FloatArray, FloatArray, FloatArray]], str] | None:
        """Keys from the least to the most important, with (name, value, low, high) of every series, and the label of the axis."""
        one = None if self.statistics is None else self.statistics.sensitivity.get(name)
        if one is None:
            return None
        if isinstance(one, Regression):
            series = [("coefficient", one.coefficients, one.low, one.high)]
            label = f"coefficient (R² {one.fit:.2f})"
        else:
            assert isinstance(one, SobolIndices)
            series = [
                ("total", one.total, one.total_low, one.total_high),
                ("alone", one.first, one.first_low, one.first_high),
            ]
            label = "Sobol index"
        order = np.argsort(np.abs(series[0][1]), kind="stable")[-MOST_KEYS:]
        keys = [tuple(self.table.keys)[i] for i in order]
        return keys, [(word, value[order], low[order], high[order]) for word, value, low, high in series], label

    def strongest(self, name: str) -> str | None:
        """The key that a measure follows most."""
        found = self.tornado(name)
        return found[0][-1] if found else next(iter(self.table.keys), None)


def short_keys(keys: Sequence[str]) -> list[str]:
    """Keys as a picture shows them: long ones by their last words, of keys that share a draw the first."""
    return list(map(_short, keys))


def _short(key: str) -> str:
    first, plus, _ = key.partition("+")
    words = first.split(".")
    while len(words) > 1 and len(".".join(words)) > MOST_LETTERS:
        words.pop(0)
    return ".".join(words) + (" + ..." if plus else "")
