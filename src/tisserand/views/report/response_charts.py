"""Responses as charts: base drive and jitter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.views.report import charts, html
from tisserand.views.report.html import Markup, Section
from tisserand.views.report.packing import packed, unpacked

#: Rows drawn per unit, largest first, and the smallest part of the largest that is drawn.
MOST_ROWS, SMALLEST = 5, 1e-3
#: Most frequencies of a curve that a record keeps.
MOST_KEPT = 600
_WORDS = {"sine": "amplitude", "random": "density", "shock": "peak of each mode", "transient": "shock spectrum"}
_BASE = {"sine": "m/s²", "random": "(m/s²)²/Hz", "shock": "m/s²", "transient": "m/s²"}


def drive_report(result: Any) -> dict[str, Any]:
    """What a record keeps of a base drive: peaks of all rows, and the curves of the largest (``result`` is that of the task)."""
    rows = drawn_rows(result)
    kept = _kept(result.over, result.values[:, rows])
    return {
        "kind": "base-drive",
        "name": result.name,
        "environment": result.environment,
        "axis": result.axis,
        "quasi_static_g": result.quasi_static_g,
        "peaks": [
            [label, unit, float(peak), float(at), None if result.notched_peaks is None else float(result.notched_peaks[i])]
            for i, (label, unit, peak, at) in enumerate(zip(result.labels, result.units, result.peaks, result.at))
        ],
        "hz": packed(result.over[kept], "f8"),
        "base": packed(result.base[kept], "f8"),
        "notched": None if result.notched is None else packed(result.notched[kept], "f8"),
        "curves": [
            {"label": result.labels[row], "unit": result.units[row], "values": packed(result.values[kept, row], "f8")}
            for row in rows
        ],
    }  # fmt: skip


def drawn_rows(result: Any) -> list[int]:
    """Rows with the largest peaks of every unit."""
    found: list[int] = []
    for unit in dict.fromkeys(result.units):
        own = [int(i) for i in np.argsort(-result.peaks) if result.units[i] == unit]
        found += [i for i in own if result.peaks[i] > SMALLEST * result.peaks[own[0]]][:MOST_ROWS]
    return found


def _kept(over: FloatArray, values: FloatArray) -> IntArray:
    """Rows of a table that keep the largest value of every curve in each of MOST_KEPT bins of the abscissa."""
    if len(over) <= MOST_KEPT:
        return np.arange(len(over))
    bins = np.array_split(np.arange(len(over)), MOST_KEPT // (1 + values.shape[1]) or 1)
    picked = [part[[0, *values[part].argmax(axis=0)]] for part in bins]
    return np.unique(np.concatenate([*picked, [len(over) - 1]]))


def drive_content(report: Mapping[str, Any]) -> list[Markup]:
    """Charts and the table of peaks of one base drive."""
    word, axis = str(report["environment"]), str(report["axis"])
    title = f"{report['name']}: {word} along {axis}"
    hz, base = unpacked(report["hz"], "f8"), unpacked(report["base"], "f8")
    parts = [Markup(f"<h3>{html.text(title)}</h3>")]
    if report["quasi_static_g"] is not None:
        parts.append(html.paragraph(f"The net interface force is that of a uniform {report['quasi_static_g']:.4g} g."))
    drawn = []
    for unit in dict.fromkeys(curve["unit"] for curve in report["curves"]):
        series = [(c["label"], unpacked(c["values"], "f8")) for c in report["curves"] if c["unit"] == unit]
        label = f"{_WORDS[word]} ({f'({unit})²/Hz' if word == 'random' else unit})"
        chart = charts.curves(hz, series, "frequency (Hz)", label, log=True, log_x=True, name=f"{title}, {unit}")
        drawn.append(html.figure(chart, f"Largest rows, {unit}"))
    stated = [("as stated", base)]
    if report["notched"] is not None:
        stated.append(("notched", unpacked(report["notched"], "f8")))
    chart = charts.curves(
        hz, stated, "frequency (Hz)", f"base ({_BASE[word]})", log=True, log_x=True, name=f"{title}, input"
    )
    drawn.append(html.figure(chart, "Input at the base"))
    parts.append(grid(drawn))
    columns = ["row", "unit", "peak", "at s" if word == "transient" else "at Hz"]
    notched = any(row[4] is not None for row in report["peaks"])
    rows = [row if notched else row[:4] for row in report["peaks"]]
    table = html.table([*columns, *(["peak, notched"] if notched else [])], rows, sortable=True)
    parts.append(html.details(f"Peaks of all {len(rows)} rows", table) if len(rows) > 12 else table)
    return parts


def grid(parts: Sequence[Markup]) -> Markup:
    """Charts side by side."""
    return Markup('<div class="charts">' + "".join(f"<div>{part.html}</div>" for part in parts) + "</div>")


def drive_page(result: Any) -> str:
    """The page of a base drive."""
    largest = int(np.argmax(result.peaks))
    figures = html.cards([
        ("rows", len(result.labels)),
        (f"largest peak, {result.units[largest]}", float(result.peaks[largest])),
        ("quasi-static, g", result.quasi_static_g),
    ])  # fmt: skip
    subtitle = f"Base drive: {result.environment} along {result.axis}"
    content = tuple(drive_content(drive_report(result)))
    return html.page(result.name, subtitle, [Section("responses", "Responses", content)], figures=figures)


def jitter_page(result: Any) -> str:
    """The page of a jitter budget: totals against limits, sources, waterfalls, running root mean square."""
    names, totals = result.budget.names, result.totals
    cards = [(f"{name}, µrad", 1e6 * float(value)) for name, value in zip(names, totals)]
    verdict = ("ok", "Within all limits") if result.passed else ("fail", "Above a limit")
    sections = [
        Section("budget", "Budget", (_budget(result),)),
        Section("waterfall", "Waterfalls", (grid(_waterfalls(result)),)),
        Section("running", "Over the frequency", (grid([_running(result)]),)),
    ]
    if not result.waterfalls:
        del sections[1]
    subtitle = "Jitter budget" + (f", exposure {result.exposure:.4g} s" if result.exposure else "")
    return html.page(
        "Jitter", subtitle, sections, verdict=verdict if result.limits else ("", ""), figures=html.cards(cards)
    )


def _budget(result: Any) -> Markup:
    parts = result.budget.weighted(result.exposure)
    rows: list[list[object]] = [[name, *(1e6 * float(np.sqrt(v)) for v in value)] for name, value in parts.items()]
    rows.append(["all", *(1e6 * float(v) for v in result.totals)])
    limits = [1e6 * result.limits[name] if name in result.limits else float("nan") for name in result.budget.names]
    rows.append(["limit", *limits])
    return html.table(["source", *(f"{name}, µrad rms" for name in result.budget.names)], rows)


def _waterfalls(result: Any) -> list[Markup]:
    """Speed against frequency of every harmonic, colored by its amplitude, for every wheel and line of sight."""
    made = []
    for fall in result.waterfalls:
        rpm = 60.0 * fall.speeds_hz
        for sight, name in enumerate(result.budget.names):
            groups = [
                (f"{harmonic.number:g} × speed", rpm, fall.hz[:, h], 1e6 * fall.amplitude[:, h, sight])
                for h, harmonic in enumerate(fall.wheel.harmonics)
            ]
            title = f"{fall.wheel.name}: {name}"
            chart = charts.dots(groups, "wheel speed (rpm)", "frequency (Hz)", "amplitude (µrad)", name=title)
            made.append(html.figure(chart, f"{title}, every harmonic over the speed of the wheel"))
            rms = 1e6 * np.maximum(fall.rms[:, sight], 1e-300)
            mark = [(60.0 * result.speeds_hz[fall.wheel.name], "in the budget")]
            chart = charts.curves(
                rpm,
                [("all harmonics", rms)],
                "wheel speed (rpm)",
                "µrad rms",
                log=True,
                marks=mark,
                name=f"{title}, rms",
            )
            made.append(html.figure(chart, f"{title}, all harmonics together"))
    return made


def _running(result: Any) -> Markup:
    budget = result.budget
    every = np.concatenate([budget.hz, budget.noise_hz[budget.noise_hz > 0.0] if len(budget.noise) else []])
    hz = np.unique(np.concatenate([every, 0.999 * every, [0.5 * every.min(), 1.5 * every.max()]]))
    running = 1e6 * budget.cumulative(hz)
    series = [(name, running[:, i]) for i, name in enumerate(budget.names)]
    levels = [(1e6 * value, f"limit of {name}") for name, value in result.limits.items()]
    chart = charts.curves(
        hz, series, "frequency (Hz)", "root mean square (µrad)", log_x=True, levels=levels, name="running rms"
    )
    return html.figure(chart, "Root mean square up to each frequency")
