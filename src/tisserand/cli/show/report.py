"""``tisserand report``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.report import ReportResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: ReportResult) -> None:
    screen.say(f"Wrote [bold]{shown(result.path)}[/bold] ({result.bytes / 1e6:.1f} MB)")
