"""``tisserand jitter``."""

from __future__ import annotations

import numpy as np

from tisserand.cli.screen import Screen
from tisserand.studies.jitter import JitterResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: JitterResult) -> None:
    budget = result.budget
    heads = ["source", *(f"{name} µrad" for name in budget.names)]
    parts = [
        [name, *(1e6 * float(v) for v in np.sqrt(value))] for name, value in budget.weighted(result.exposure).items()
    ]
    total = ["root of the sum of squares", *(1e6 * float(value) for value in result.totals)]
    limits = ["limit", *(1e6 * result.limits[n] if n in result.limits else "" for n in budget.names)]
    what = "root mean square" if result.exposure is None else f"jitter within {result.exposure:g} s"
    screen.table(f"Jitter budget: {what}", heads, [*parts, total, *([limits] if result.limits else [])])
    for name, speed in result.speeds_hz.items():
        screen.say(f"{shown(name)}: {60.0 * speed:.5g} rpm")
    for name, (source, hz, pairs) in result.modes.items():
        carried = ", ".join(f"{f:.4g} Hz (zeta {z:.2g})" for f, z, _ in pairs)
        screen.say(f"{shown(name)}: largest line {hz:.4g} Hz of {shown(source)}; modes {carried}")
    if result.limits:
        screen.say("[green]Within the limits[/green]" if result.passed else "[red]Above a limit[/red]")
    screen.wrote(result.paths)
