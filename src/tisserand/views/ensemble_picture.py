"""One picture of many runs: for every measure the envelope of its output, a histogram, a tornado, and a scatter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.statistics.envelopes import BANDS, QUANTILES
from tisserand.views.ensemble_facts import EnsembleFacts, short_keys
from tisserand.views.readable import readable
from tisserand.views.style import CURVES, INK, LINK, figure, save_figure, tidy


def save_ensemble_picture(facts: EnsembleFacts, path: str | Path) -> Path:
    """PNG, PDF or SVG by the ending; panels that have nothing to show are left out."""
    names = facts.featured
    draws = [
        draw
        for draw, needed in ((_envelope, facts.envelopes), (_histogram, names), (_tornado, True), (_scatter, True))
        if needed
    ]
    rows = max(len(names), 1)
    made = figure(4.4 * len(draws), 3.1 * rows + 0.5)
    panels = made.subplots(rows, len(draws), squeeze=False)
    for row, name in zip(panels, names):
        for panel, draw in zip(row, draws):
            panel.set_axisbelow(True)
            if not draw(panel, facts, name):
                panel.set_axis_off()
    if not names:
        for panel in panels.flat:
            panel.set_axis_off()
    lost = f", {facts.failures} failed" if facts.failures else ""
    made.suptitle(f"{facts.name}: {facts.count} samples{lost}", x=0.01, ha="left", color=INK, fontsize=12)
    return save_figure(made, path)


def _envelope(panel: Any, facts: EnsembleFacts, name: str) -> bool:
    one = facts.envelope(name)
    if one is None:
        return False
    shown, word = readable(one.bands, one.unit)
    tidy(panel, f"{one.name} over all runs", "time (s)", f"{one.name} ({word})")
    middle = len(QUANTILES) // 2
    for width in range(middle, 0, -1):
        low, high = shown[middle - width], shown[middle + width]
        panel.fill_between(one.times, low, high, color=CURVES[0], alpha=0.34 / width, linewidth=0, label=BANDS[width])
    panel.plot(one.times, shown[middle], color=CURVES[0], linewidth=1.4, label=BANDS[0])
    panel.legend(fontsize=7, frameon=False, loc="best")
    return True


def _histogram(panel: Any, facts: EnsembleFacts, name: str) -> bool:
    found = facts.bins(name)
    if found is None:
        return False
    edges, counts = found
    endless = int(np.isinf(facts.values(name)).sum())
    tidy(panel, f"{name}{f'; {endless} never' if endless else ''}", facts.label(name), "runs")
    panel.stairs(counts, edges, fill=True, color=CURVES[0], alpha=0.75)
    factor, top = facts.scaled(name)[0], 1.4 * float(counts.max())
    panel.set_ylim(0.0, top)
    summary = facts.summary(name)
    for i, one in enumerate(summary.percentiles if summary else ()):
        if np.isfinite(one.value):
            panel.axvline(factor * one.value, color=INK, linewidth=1.0, linestyle="--")
            place = (factor * one.value, top * (0.9 - 0.075 * (i % 3)))
            panel.annotate(f"{100.0 * one.level:g} %", place, fontsize=7, ha="left", va="top", color=INK)
            if np.isfinite(one.low) and np.isfinite(one.high):
                panel.axvspan(factor * one.low, factor * one.high, color=INK, alpha=0.08, linewidth=0)
    for beyond in facts.limits(name):
        words = f"limit {factor * beyond.limit.value:.4g}: {beyond.exceeded.count} of {beyond.exceeded.runs} beyond"
        if facts.near(name, beyond.limit.value):
            panel.axvline(factor * beyond.limit.value, color=LINK, linewidth=1.6)
        panel.plot([], [], color=LINK, linewidth=1.6, label=words)
        panel.legend(fontsize=7, framealpha=0.9, edgecolor="none", loc="upper right")
    return True


def _tornado(panel: Any, facts: EnsembleFacts, name: str) -> bool:
    found = facts.tornado(name)
    if found is None:
        return False
    keys, series, label = found
    tidy(panel, f"{name}: what it depends on", label, "")
    height = 0.8 / len(series)
    for number, (word, value, low, high) in enumerate(series):
        places = np.arange(len(keys)) + (0.5 * (len(series) - 1) - number) * height
        reach = np.abs(np.array([value - low, high - value]))
        panel.barh(places, value, height * 0.9, color=CURVES[number], label=word)
        panel.errorbar(value, places, xerr=reach, fmt="none", ecolor=INK, elinewidth=0.9, capsize=2.5)
    panel.axvline(0.0, color=INK, linewidth=0.8)
    panel.set_yticks(range(len(keys)), short_keys(keys), fontsize=8)
    if len(series) > 1:
        panel.legend(fontsize=7, frameon=False, loc="lower right")
    return True


def _scatter(panel: Any, facts: EnsembleFacts, name: str) -> bool:
    key = facts.strongest(name)
    if key is None:
        return False
    factor, _ = facts.scaled(name)
    x, y = np.asarray(facts.table.keys[key])[facts.table.draws], factor * facts.values(name)
    tidy(panel, f"{name} over what it follows most", short_keys([key])[0], facts.label(name))
    panel.plot(x, y, linestyle="none", marker="o", markersize=3.2, color=CURVES[0], alpha=0.6, markeredgewidth=0)
    for one in facts.limits(name):
        if facts.near(name, one.limit.value):
            panel.axhline(factor * one.limit.value, color=LINK, linewidth=1.4)
    return True
