"""``tisserand equations``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.equations import EquationsResult


def show(screen: Screen, result: EquationsResult) -> None:
    if not result.paths:
        screen.verbatim(result.text)
        return
    counts = ", ".join(f"{count} {kind}" for kind, count in result.operations.items() if kind != "total")
    screen.say(f"{result.operations['total']} operations with {result.speeds} speeds: {counts}")
    screen.wrote(result.paths)
