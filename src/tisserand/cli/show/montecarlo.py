"""``tisserand montecarlo``."""

from __future__ import annotations

import math

from tisserand.cli.screen import Screen
from tisserand.statistics.regression import Regression
from tisserand.statistics.summary import Statistics
from tisserand.studies.ensembles.samples import MonteCarloResult
from tisserand.studies.shown import shown
from tisserand.views.report.ensemble_page import said_of_runs

#: Measures of outputs that the terminal lists; tables, pages and JSON have all.
_LISTED = (".peak", ".rms", ".final", ".settling", ".hz", ".damping")


def show(screen: Screen, result: MonteCarloResult) -> None:
    if result.statistics is not None:
        _show_statistics(screen, result.statistics)
    elif result.samples:
        _show_spans(screen, result)
    first = next((f"; the first: {shown(s.failure)}" for s in result.samples if s.failure), "")
    screen.say(f"{len(result.samples)} runs, {result.failures} failed{first}")
    if result.redrawn:
        screen.say(f"{result.redrawn} draws violated a requirement and were replaced")
    screen.wrote(result.paths)


def _show_statistics(screen: Screen, statistics: Statistics) -> None:
    confidence = f"{100.0 * statistics.confidence:g} %"
    listed = [one for one in statistics.measures if one.name.endswith(_LISTED) or not one.unit]
    levels = [one.level for one in listed[0].percentiles] if listed else []
    rows = [
        [
            one.name,
            one.unit,
            one.mean,
            one.least,
            one.most,
            one.worst,
            *(_bounded(p.value, p.low, p.high) for p in one.percentiles),
        ]
        for one in listed
    ]
    head = ["measure", "unit", "mean", "least", "most", "worst run", *(f"{100.0 * level:g} %" for level in levels)]
    screen.table(f"Measures of {statistics.runs} runs, percentiles with {confidence} bounds", head, rows)
    if statistics.limits:
        rows = [
            [
                one.limit.text,
                f"{one.exceeded.count} of {one.exceeded.runs}",
                _bounded(one.exceeded.value, one.exceeded.low, one.exceeded.high),
            ]
            for one in statistics.limits
        ]
        screen.table(
            f"Limits, probability with its {confidence} interval", ["limit", "exceeded by", "probability"], rows
        )
    chosen = [one.limit.measure for one in statistics.limits] or [
        one.name for one in listed if one.name.endswith((".peak", ".hz")) or not one.unit
    ]
    found = {name: statistics.sensitivity[name] for name in dict.fromkeys(chosen) if name in statistics.sensitivity}
    if found:
        rows = []
        for name, one in found.items():
            shares = one.coefficients if isinstance(one, Regression) else one.total
            rows.append(
                [name, *(float(value) for value in shares), *([one.fit] if isinstance(one, Regression) else [])]
            )
        by = all(isinstance(one, Regression) for one in found.values())
        title = "Sensitivity: standardized regression coefficients" if by else "Sensitivity: total Sobol indices"
        screen.table(title, ["measure", *statistics.keys, *(["R²"] if by else [])], rows)
    screen.say(said_of_runs(statistics))


def _bounded(value: float, low: float, high: float) -> str:
    """A number with its bounds; one that the runs cannot give is a question mark."""
    ends = ["?" if math.isinf(end) and not math.isinf(value) else f"{end:.3g}" for end in (low, high)]
    return f"{value:.3g} ({ends[0]} to {ends[1]})"


def _show_spans(screen: Screen, result: MonteCarloResult) -> None:
    """Least, mean and largest peak of each output, where there are no statistics."""
    word = "hz" if any("hz" in (s.result or {}) for s in result.samples) else "peak"
    told = [s.result[word] for s in result.samples if s.result]
    rows = []
    for name in dict.fromkeys(name for one in told for name in one):
        values = [one[name] for one in told if name in one]
        rows.append([name, min(values), sum(values) / len(values), max(values)])
    screen.table(f"{word} of each output over the runs", ["output", "least", "mean", "most"], rows)
