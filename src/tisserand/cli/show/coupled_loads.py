"""``tisserand coupled-loads``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.coupled_loads import CoupledLoadsResult


def show(screen: Screen, result: CoupledLoadsResult) -> None:
    heads = ["row", "unit", "maximum", "at s", "event", "minimum", "at s", "event"]
    events = result.loads.extremes.events
    title = (
        f"{result.name}: extremes over {len(events)} events"
        if len(events) > 1
        else f"{result.name}: extremes of {events[0]}"
    )
    screen.table(title, heads, [list(row) for row in result.loads.extremes.envelope()])
    screen.wrote(result.paths)
