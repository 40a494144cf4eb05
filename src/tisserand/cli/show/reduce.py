"""``tisserand reduce``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.modes.component_checks import CheckRow
from tisserand.responses.delivery_checks import DeliveryCheck
from tisserand.studies.delivery import ReduceResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: ReduceResult) -> None:
    show_delivery(screen, result.check, result.against_full.rows)
    screen.wrote(result.paths)


def show_delivery(screen: Screen, check: DeliveryCheck, further: tuple[CheckRow, ...] = ()) -> None:
    """Mass, modes with the interface held, checks and recovery matrices of a delivered model."""
    model, found = check.model, check.properties["geometry"]
    center = ", ".join(f"{value:.5g}" for value in found.center)
    screen.say(
        f"[bold]{shown(model.name)}[/bold]  {model.method}, {len(model.physical)} interface dofs, {len(model.modal)} others; "
        f"{found.mass:.6g} kg, center ({center}) m"
    )
    if len(check.fixed_hz):
        percent = check.effective_percent
        rows = [
            [i + 1, float(f), *(f"{v:.2f}" for v in row)] for i, (f, row) in enumerate(zip(check.fixed_hz, percent))
        ]
        total = [f"{value:.2f}" for value in percent.sum(axis=0)]
        heads = ["#", "Hz", "Mx %", "My %", "Mz %", "Ix %", "Iy %", "Iz %"]
        screen.table("Modes with the interface held", heads, [*rows, ["sum", "", *total]])
    for row in (*check.rows.rows, *further):
        mark = "[green]ok[/green]" if row.passed else "[red]FAIL[/red]"
        mark = "    " if row.limit is None else f"{mark:>4}"
        screen.say(
            f"  {mark}  {shown(row.name)}: {row.value:.3g}" + (f" ({shown(row.meaning)})" if row.meaning else "")
        )
    for item in model.recoveries:
        screen.say(f"  {item.kind}  {shown(item.name)}: {len(item)} rows")
    for note in model.notes:
        screen.say(shown(note))
