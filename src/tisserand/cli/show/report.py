"""``tisserand report``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.report import ReportResult


def show(screen: Screen, result: ReportResult) -> None:
    screen.say(f"Wrote [bold]{result.path}[/bold] ({result.bytes / 1e6:.1f} MB)")
