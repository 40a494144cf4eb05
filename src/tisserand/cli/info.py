"""``tisserand info``."""

from __future__ import annotations

from tisserand.cli.options import Allow, Debug, Json, Model, Quiet, Units
from tisserand.cli.screen import Screen

NAME = "info"


def command(
    model: Model,
    units: Units = None,
    allow: Allow = None,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Say what a file holds: nodes, elements, sets, units, ledger; or what a record or a run contains."""
    from rich.markup import escape

    from tisserand.workflows.info import describe

    screen = Screen(json=json, quiet=quiet)
    facts = describe(model, units=units, allow=tuple(allow or ()))
    screen.result(facts)
    for title, values in facts.items():
        if isinstance(values, dict | list) and not values:
            continue
        if isinstance(values, dict):
            screen.table(title, ["what", "value"], [[key, value] for key, value in values.items()])
        else:
            text = ", ".join(map(str, values)) if isinstance(values, list) else str(values)
            screen.say(f"[bold]{title}[/bold]: {escape(text)}")
