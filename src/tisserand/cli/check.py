"""``tisserand check``."""

from __future__ import annotations

import typer

from tisserand.cli.options import Allow, Debug, Json, Mass, Model, Quiet, Units
from tisserand.cli.screen import Screen

NAME = "check"


def command(
    model: Model,
    units: Units = None,
    mass: Mass = None,
    allow: Allow = None,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Check a model: rigid-body energy, mechanisms, disconnected parts, mass balance, units. Exit 1 if a check fails."""
    from tisserand.workflows.check import check

    screen = Screen(json=json, quiet=quiet)
    with screen.working(f"Checking {model.name}"):
        result = check(model, units=units, mass=mass, allow=tuple(allow or ()))
    screen.result(result.as_dict())
    marks = {"ok": "[green]ok[/green]", "warn": "[yellow]warn[/yellow]", "fail": "[red]FAIL[/red]"}
    if screen.talks:
        unit = "mass units" if result.units == "consistent" else "kg"
        screen.say(f"[bold]{result.name}[/bold]  {result.mass:.6g} {unit}")
        for row in result.report.rows:
            screen.say(f"  {marks[row.verdict]:>4}  {row.name}: {row.message}")
    if not result.passed:
        raise typer.Exit(1)
