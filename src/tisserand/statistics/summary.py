"""What a team wants to know of many runs: percentiles with bounds, limits with probabilities, sensitivities."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.statistics.limits import Exceedance, Limit, exceedance
from tisserand.statistics.order_statistics import Percentile, covered_part, percentile, runs_needed
from tisserand.statistics.regression import Regression, regression
from tisserand.statistics.sobol_indices import SobolIndices, sobol_indices


@dataclass(frozen=True, eq=False)
class Table:
    """Runs as columns. numbers: of the samples (n,), from 1; keys and measures: values (n,) by name; units: of measures.

    A run that failed has NaN. independent: rows that are independent draws, for percentiles and probabilities; of a Saltelli
    design the first two parts.
    """

    numbers: FloatArray
    keys: Mapping[str, FloatArray]
    measures: Mapping[str, FloatArray]
    units: Mapping[str, str] = field(default_factory=dict)
    independent: int | None = None

    @property
    def draws(self) -> slice:
        return slice(0, self.independent)


@dataclass(frozen=True, kw_only=True)
class MeasureSummary:
    """One measure over all runs. runs: where it is defined; worst: number of the sample with the largest size."""

    name: str
    unit: str
    runs: int
    mean: float
    deviation: float
    least: float
    most: float
    worst: int
    percentiles: tuple[Percentile, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Statistics:
    """Statistics of a study. confidence: of all bounds; covered: part of all runs below the largest of these, with it.

    sensitivity: by measure; needed: runs for which the largest value would cover each level, with that confidence; doubts:
    sentences on what the statistics leave out or do not hold for.
    """

    confidence: float
    runs: int
    keys: tuple[str, ...]
    measures: tuple[MeasureSummary, ...]
    limits: tuple[Exceedance, ...]
    sensitivity: Mapping[str, Regression | SobolIndices]
    needed: Mapping[float, int]
    doubts: tuple[str, ...] = ()

    @property
    def covered(self) -> float:
        return covered_part(self.runs, self.confidence)

    def of(self, name: str) -> MeasureSummary:
        return next(one for one in self.measures if one.name == name)

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "confidence": self.confidence,
            "runs": self.runs,
            "covered_by_the_largest": self.covered,
            "runs_needed": {f"{level:g}": count for level, count in self.needed.items()},
            "measures": {one.name: {k: v for k, v in asdict(one).items() if k != "name"} for one in self.measures},
            "limits": [
                {
                    **asdict(one.limit), "exceeded": one.exceeded.count, "runs": one.exceeded.runs,
                    "probability": one.exceeded.value, "low": one.exceeded.low, "high": one.exceeded.high,
                }
                for one in self.limits
            ],
            "sensitivity": {
                name: {"method": "regression" if isinstance(one, Regression) else "sobol", "keys": list(self.keys), **vars(one)}
                for name, one in self.sensitivity.items()
            },
        }  # fmt: skip


def summary(
    table: Table, levels: Sequence[float], confidence: float, limits: Sequence[Limit] = (), method: str = "regression"
) -> Statistics:
    """Statistics of a table of runs. levels: of percentiles, parts; method: of sensitivity, ``regression`` or ``sobol``."""
    draws = {name: np.asarray(values)[table.draws] for name, values in table.measures.items()}
    numbers = np.asarray(table.numbers)[table.draws]
    found = tuple(_measured(name, x, numbers, table, levels, confidence) for name, x in draws.items())
    count = max((one.runs for one in found), default=0)
    return Statistics(
        confidence=confidence, runs=count, keys=tuple(table.keys), measures=found,
        limits=tuple(exceedance(limit, draws[limit.measure], confidence) for limit in limits),
        sensitivity=_sensitivities(table, confidence, method),
        needed={level: runs_needed(level, confidence) for level in levels if 0.5 < level < 1.0},
    )  # fmt: skip


def _measured(
    name: str, x: FloatArray, numbers: FloatArray, table: Table, levels: Sequence[float], confidence: float
) -> MeasureSummary:
    good = ~np.isnan(x)
    x, numbers = x[good], numbers[good]
    unit = table.units.get(name, "")
    if not len(x):
        nothing = math.nan
        return MeasureSummary(
            name=name, unit=unit, runs=0, mean=nothing, deviation=nothing, least=nothing, most=nothing, worst=0,
            percentiles=tuple(percentile(x, p, confidence) for p in levels),
        )  # fmt: skip
    finite = bool(np.isfinite(x).all())
    mean = float(x.mean()) if finite else math.inf
    deviation = (float(x.std(ddof=1)) if finite else math.inf) if len(x) > 1 else math.nan
    return MeasureSummary(
        name=name, unit=unit, runs=len(x), mean=mean, deviation=deviation, least=float(x.min()), most=float(x.max()),
        worst=int(numbers[np.abs(x).argmax()]), percentiles=tuple(percentile(x, p, confidence) for p in levels),
    )  # fmt: skip


def _sensitivities(table: Table, confidence: float, method: str) -> dict[str, Regression | SobolIndices]:
    made: dict[str, Regression | SobolIndices] = {}
    if not table.keys:
        return made
    keys = np.column_stack(list(table.keys.values()))
    for name, values in table.measures.items():
        one: Regression | SobolIndices | None
        if method == "sobol":
            one = sobol_indices(values, keys.shape[1], confidence)
        else:
            one = regression(keys, values, confidence)
        if one is not None:
            made[name] = one
    return made
