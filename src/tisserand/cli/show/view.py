"""``tisserand view``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.pictures import ViewResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: ViewResult) -> None:
    screen.wrote(result.paths)
    if result.note:
        screen.say(shown(result.note))
