"""``tisserand diff``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.diff import DiffResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: DiffResult) -> None:
    screen.table(
        "Modes", ["A", "Hz", "B", "Hz", "change", "MAC", "effective mass", "verdict"], result.comparison.rows()
    )
    if result.comparison.boundary == "attachment":
        screen.say("Modes of both records as held at the attachment, as 'tisserand modes' lists them")
    for breach in result.comparison.breaches:
        screen.say(f"[red]breach:[/red] {shown(breach)}")
    screen.say("[green]within tolerances[/green]" if result.passed else "[red]the models differ[/red]")
