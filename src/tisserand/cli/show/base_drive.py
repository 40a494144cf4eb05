"""``tisserand base-drive``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.base_drive import DriveResult

_AT = {"sine": "at Hz", "random": "densest at Hz", "shock": "main mode Hz", "transient": "at s"}


def show(screen: Screen, result: DriveResult) -> None:
    heads = ["row", "unit", "peak", _AT[result.environment], *(["notched"] if result.notched_peaks is not None else [])]
    rows = []
    for i, label in enumerate(result.labels):
        row = [label, result.units[i], float(result.peaks[i]), float(result.at[i])]
        rows.append(row if result.notched_peaks is None else [*row, float(result.notched_peaks[i])])
    screen.table(f"{result.name}: {result.environment} along {result.axis}", heads, rows)
    if result.quasi_static_g is not None:
        notch = " after notching" if result.notched_peaks is not None else ""
        screen.say(f"Quasi-static equivalent of the net interface force{notch}: {result.quasi_static_g:.4g} g")
    if result.miles:
        screen.say(f"Miles, mode at {result.miles['hz']:.4g} Hz: {result.miles['rms']:.4g} m/s² rms")
    screen.wrote(result.paths)
