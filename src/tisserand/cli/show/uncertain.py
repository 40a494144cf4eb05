"""``tisserand uncertain``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.shown import shown
from tisserand.studies.uncertain import UncertainResult


def show(screen: Screen, result: UncertainResult) -> None:
    model = result.model
    rows = [[shown(f.name), str(f.repeats), f"{f.low:g} to {f.high:g}", f.meaning] for f in model.factors]
    screen.table("Delta", ["factor", "repeats", "range", "meaning"], rows)
    screen.say(
        f"{len(model.states)} states, {len(model.inputs)} inputs, {len(model.outputs)} outputs, "
        f"Delta of {model.channels} channels."
    )
    screen.wrote(result.paths)
