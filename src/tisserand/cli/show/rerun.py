"""``tisserand rerun``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.rerun import RerunResult


def show(screen: Screen, result: RerunResult) -> None:
    keys = list(result.runs[0].values) if result.runs else []
    title = f"Samples with the worst {result.by}" if result.by else "Samples"
    head = ["sample", *([result.by] if result.by else []), *keys, "complete"]
    rows = [
        [
            one.number,
            *([one.measured] if result.by else []),
            *one.values.values(),
            "yes" if one.trajectory.complete else "no",
        ]
        for one in result.runs
    ]
    screen.table(title, head, rows)
    screen.wrote(result.paths)
