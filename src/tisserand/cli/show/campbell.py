"""``tisserand campbell``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.campbell import CampbellResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: CampbellResult) -> None:
    data = result.data
    heads = ["rad/s", *(f"branch {k + 1} Hz" for k in range(data.frequencies_hz.shape[1]))]
    screen.table("Campbell diagram", heads, [[r, *f] for r, f in zip(data.rates, data.frequencies_hz)])
    for note in data.notes:
        screen.say(shown(note))
    screen.wrote(result.paths)
