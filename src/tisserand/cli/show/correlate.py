"""``tisserand correlate``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.responses.correlation.correlate_modes import rows_of, weakest
from tisserand.studies.correlate import CorrelateResult
from tisserand.studies.shown import shown


def show(screen: Screen, result: CorrelateResult) -> None:
    found = result.correlation
    placed = found.alignment
    screen.say(
        f"{len(placed.points)} points of {shown(found.test.name)} on {shown(found.model_name)} ({placed.rule}), "
        f"{len(found.rows)} directions, at most {1e3 * placed.distance.max():.3g} mm from their nodes"
    )
    if placed.left_out:
        named = ", ".join(map(str, placed.left_out[:8]))
        screen.say(f"{len(placed.left_out)} points have no node within reach: {named}")
    heads = ["test", "Hz", "model", "Hz", "change", "MAC", "cross-orthogonality"]
    screen.table(f"Pairs (mass by {found.tam})", heads, rows_of(found))
    for word, modes in (("test", found.unpaired_test), ("model", found.unpaired_model)):
        if modes:
            screen.say(f"Modes of the {word} without a partner: {', '.join(str(m + 1) for m in modes)}")
    weak = ", ".join(f"{found.rows[r]} {found.comac[r]:.3f}" for r in weakest(found))
    screen.say(f"Smallest COMAC: {weak}")
    screen.wrote(result.paths)
