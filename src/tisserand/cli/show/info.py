"""``tisserand info``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.info import InfoResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: InfoResult) -> None:
    for title, values in result.facts.items():
        if isinstance(values, dict | list) and not values:
            continue
        if isinstance(values, list) and isinstance(values[0], dict):
            screen.table(title, list(values[0]), [[_joined(cell) for cell in row.values()] for row in values])
        elif isinstance(values, dict):
            screen.table(title, ["what", "value"], [[key, value] for key, value in values.items()])
        else:
            screen.say(f"[bold]{shown(title)}[/bold]: {shown(_joined(values))}")


def _joined(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
