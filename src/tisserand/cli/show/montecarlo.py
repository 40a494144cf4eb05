"""``tisserand montecarlo``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.ensembles.samples import MonteCarloResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: MonteCarloResult) -> None:
    names = sorted({n for s in result.samples if s.result for n in s.result["peak"]})
    rows = []
    for name in names:
        peaks = sorted(s.result["peak"][name] for s in result.samples if s.result)
        rows.append([name, peaks[0], sum(peaks) / len(peaks), peaks[-1]])
    screen.table("Largest value of each sensor over the runs", ["sensor", "least", "mean", "most"], rows)
    first = next((f"; the first: {shown(s.failure)}" for s in result.samples if s.failure), "")
    screen.say(f"{len(result.samples)} runs, {result.failures} failed{first}")
    if result.redrawn:
        screen.say(f"{result.redrawn} draws violated a requirement and were replaced")
    screen.wrote(result.paths)
