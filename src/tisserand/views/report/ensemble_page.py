"""The page of many runs: percentiles with bounds, limits, histograms, tornadoes, scatter, envelopes, and all samples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tisserand.files import write_text
from tisserand.statistics.envelopes import BANDS, Envelope
from tisserand.statistics.summary import Statistics
from tisserand.views.ensemble_facts import EnsembleFacts, short_keys
from tisserand.views.readable import readable
from tisserand.views.report import charts, html
from tisserand.views.report.html import Markup, Section
from tisserand.views.report.response_charts import grid

#: Samples that are listed on a page at most; a table of all is written with --output.
MOST_LISTED = 2000


def save_ensemble_page(
    facts: EnsembleFacts, columns: Sequence[str], rows: Sequence[Sequence[object]], path: str | Path
) -> Path:
    """Write the page; rows: facts of every sample."""
    return write_text(path, ensemble_page(facts, columns, rows))


def ensemble_page(facts: EnsembleFacts, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """The whole page as text."""
    sections = []
    verdict = ("", "")
    if facts.statistics is not None:
        content = [measure_table(facts.statistics)]
        if facts.statistics.limits:
            exceeded = sum(one.exceeded.count for one in facts.statistics.limits)
            verdict = ("fail", "A limit is exceeded") if exceeded else ("ok", "No run exceeds a limit")
            content.insert(0, limit_table(facts.statistics))
        content.append(html.paragraph(said_of_runs(facts.statistics)))
        sections.append(Section("statistics", "Statistics", tuple(content)))
    drawn: dict[str, list[Markup | None]] = {
        "Histograms": [_histogram(facts, name) for name in facts.featured],
        "Sensitivity": [_tornado(facts, name) for name in facts.featured],
        "Scatter": [_scatter(facts, name) for name in facts.featured],
        "Envelopes": [_envelope(one) for one in facts.envelopes],
    }
    for title, parts in drawn.items():
        there = [part for part in parts if part is not None]
        if there:
            sections.append(Section(title.lower(), title, (grid(there),)))
    listed = [[number, *row] for number, row in zip(facts.table.numbers.tolist(), rows)]
    table = html.table(["run", *columns], listed[:MOST_LISTED], sortable=True)
    left = len(listed) - MOST_LISTED
    more = (html.paragraph(f"{left} more samples are not listed."),) if left > 0 else ()
    sections.append(
        Section(
            "samples",
            "Samples",
            (html.details(f"All {len(listed)} samples", table) if len(listed) > 30 else table, *more),
        )
    )
    complete = facts.statistics.runs if facts.statistics else 0
    figures = html.cards([("samples", facts.count), ("complete runs", complete), ("failed", facts.failures)])
    return html.page(facts.name, f"Monte Carlo, {complete} complete runs", sections, verdict=verdict, figures=figures)


def said_of_runs(statistics: Statistics) -> str:
    """One sentence on what so many runs can show, and how many more would."""
    confidence, most = f"{100.0 * statistics.confidence:g} %", f"{100.0 * statistics.covered:.4g} %"
    needed = ", ".join(f"{100.0 * level:g} % needs {count} runs" for level, count in statistics.needed.items())
    sentence = (
        f"With {confidence} confidence, {most} of all runs stay below the largest value of these {statistics.runs}"
    )
    return f"{sentence}; {needed}." if needed else f"{sentence}."


def measure_table(statistics: Statistics) -> Markup:
    """Every measure with its percentiles and their bounds."""
    levels = [one.level for one in statistics.measures[0].percentiles] if statistics.measures else []
    head = ["measure", "unit", "runs", "mean", "deviation", "least", "most", "worst run"]
    head += [word for level in levels for word in (f"{100.0 * level:g} %", "at least", "at most")]
    rows = [
        [one.name, one.unit, one.runs, one.mean, one.deviation, one.least, one.most, one.worst]
        + [value for p in one.percentiles for value in (p.value, p.low, p.high)]
        for one in statistics.measures
    ]
    return html.table(head, rows, sortable=True)


def limit_table(statistics: Statistics) -> Markup:
    """Every limit with the probability that a run does not keep it."""
    confidence = f"{100.0 * statistics.confidence:g} %"
    rows = [
        [one.limit.text, one.exceeded.count, one.exceeded.runs, one.exceeded.value, one.exceeded.low, one.exceeded.high]
        for one in statistics.limits
    ]
    head = ["limit", "exceeded", "runs", "probability", f"at least ({confidence})", f"at most ({confidence})"]
    return html.table(head, rows)


def _histogram(facts: EnsembleFacts, name: str) -> Markup | None:
    found = facts.bins(name)
    if found is None:
        return None
    factor, summary = facts.scaled(name)[0], facts.summary(name)
    marks = [
        (factor * p.value, f"{100.0 * p.level:g} %")
        for p in (summary.percentiles if summary else ())
        if np.isfinite(p.value)
    ]
    marks += [(factor * one.limit.value, "limit") for one in facts.limits(name) if facts.near(name, one.limit.value)]
    chart = charts.histogram(*found, facts.label(name), marks=marks, name=f"{name} histogram")
    endless = int(np.isinf(facts.values(name)).sum())
    return html.figure(
        chart, f"{name}: distribution over the runs" + (f"; {endless} runs never settle" if endless else "")
    )


def _tornado(facts: EnsembleFacts, name: str) -> Markup | None:
    found = facts.tornado(name)
    if found is None:
        return None
    keys, series, label = found
    return html.figure(
        charts.tornado(short_keys(keys), series, label, name=f"{name} tornado"),
        f"{name}: what it depends on, with bounds",
    )


def _scatter(facts: EnsembleFacts, name: str) -> Markup | None:
    key = facts.strongest(name)
    if key is None:
        return None
    factor = facts.scaled(name)[0]
    x, y = np.asarray(facts.table.keys[key])[facts.table.draws], factor * facts.values(name)
    good = np.isfinite(y)
    numbers = np.asarray(facts.table.numbers)[facts.table.draws][good].tolist()
    levels = [(factor * one.limit.value, "limit") for one in facts.limits(name) if facts.near(name, one.limit.value)]
    chart = charts.points(
        x[good], y[good], numbers, short_keys([key])[0], facts.label(name), levels=levels, name=f"{name} scatter"
    )
    return html.figure(chart, f"{name} over the key that it follows most")


def _envelope(one: Envelope) -> Markup:
    shown, word = readable(one.bands, one.unit)
    chart = charts.bands(one.times, BANDS, shown, "time (s)", f"{one.name} ({word})", name=one.name)
    return html.figure(chart, f"{one.name}: median and bands of the runs")
