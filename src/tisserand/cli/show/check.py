"""``tisserand check``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.cli.show.reduce import show_delivery
from tisserand.studies.check import CheckResult
from tisserand.studies.shown import shown

MARKS = {"ok": "[green]ok[/green]", "warn": "[yellow]warn[/yellow]", "fail": "[red]FAIL[/red]"}


def show(screen: Screen, result: CheckResult) -> None:
    if result.delivery is not None:
        show_delivery(screen, result.delivery)
        return
    unit = "mass units" if result.units == "consistent" else "kg"
    screen.say(f"[bold]{shown(result.name)}[/bold]  {result.mass:.6g} {unit}")
    for row in result.report.rows:
        screen.say(f"  {MARKS[row.verdict]:>4}  {shown(row.name)}: {shown(row.message)}")
