"""``tisserand simulate``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.simulate import SimulationResult


def show(screen: Screen, result: SimulationResult) -> None:
    for line in result.summary():
        screen.say(line)
