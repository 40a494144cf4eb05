"""``tisserand accept``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.accept import AcceptResult


def show(screen: Screen, result: AcceptResult) -> None:
    rows = [
        [
            row.criterion.measure.replace("_", " "),
            "" if row.value is None else f"{row.value:.4g}",
            row.criterion.limit,
            row.outcome,
            row.criterion.clause,
            row.criterion.source,
        ]
        for row in result.acceptance.rows
    ]
    heads = ["measure", "value", "limit", "verdict", "clause", "limit is"]
    screen.table(f"{result.acceptance.name}: {result.acceptance.title}", heads, rows)
    screen.say("[green]Accepted[/green]" if result.accepted else "[red]Not accepted[/red]")
    screen.wrote(result.paths)
