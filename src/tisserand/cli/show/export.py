"""``tisserand export``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.exporters.registry import ExportResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: ExportResult) -> None:
    for loss in result.losses:
        screen.say(f"[yellow]not exported:[/yellow] {shown(loss)}")
    for note in result.notes:
        screen.say(shown(note))
    screen.wrote(result.paths)
