"""``tisserand info``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.info import InfoResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: InfoResult) -> None:
    for title, values in result.facts.items():
        if isinstance(values, dict | list) and not values:
            continue
        if isinstance(values, dict):
            screen.table(title, ["what", "value"], [[key, value] for key, value in values.items()])
        else:
            text = ", ".join(map(str, values)) if isinstance(values, list) else str(values)
            screen.say(f"[bold]{shown(title)}[/bold]: {shown(text)}")
