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
    if result.exposure is not None:
        words = {"all": "everything", "jitter": f"within {result.exposure:g} s", "displacement": "mean of an exposure"}
        words["drift"] = f"from one exposure to another {result.separation or 0.0:g} s later"
        metrics = [[words[kind], *(1e6 * float(value) for value in values)] for kind, values in result.metrics.items()]
        screen.table("Stability over an exposure", ["root mean square", *heads[1:]], metrics)
    paths = [
        [name, source, sensor, 1e6 * value]
        for name, sources in result.paths_rms.items()
        for source, sensors in sources.items()
        for sensor, value in sensors.items()
    ]
    if any(len(sensors) > 1 for sources in result.paths_rms.values() for sensors in sources.values()):
        screen.table(
            "Paths, each alone" + (", at all times" if result.exposure is not None else ""),
            ["line of sight", "source", "sensor", "µrad"],
            paths,
        )
    for name, speed in result.speeds_hz.items():
        screen.say(f"{shown(name)}: {60.0 * speed:.5g} rpm")
    for name, (source, hz, pairs) in result.modes.items():
        carried = ", ".join(f"{f:.4g} Hz (zeta {z:.2g})" for f, z, _ in pairs)
        screen.say(f"{shown(name)}: largest line {hz:.4g} Hz of {shown(source)}; modes {carried}")
    if result.limits:
        screen.say("[green]Within the limits[/green]" if result.passed else "[red]Above a limit[/red]")
    for note in result.notes:
        screen.warn(note)
    screen.wrote(result.paths)
