"""``tisserand base-drive``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.base_drive import DriveResult

_AT = {"sine": "at Hz", "random": "densest at Hz", "shock": "main mode Hz", "transient": "at s"}


def show(screen: Screen, result: DriveResult) -> None:
    further = [
        (head, peaks)
        for head, peaks in (("steady", result.steady_peaks), ("notched", result.notched_peaks))
        if peaks is not None
    ]
    heads = ["row", "unit", "peak", _AT[result.environment], *(head for head, _ in further)]
    rows = [
        [
            label,
            result.units[i],
            float(result.peaks[i]),
            float(result.at[i]),
            *(float(peaks[i]) for _, peaks in further),
        ]
        for i, label in enumerate(result.labels)
    ]
    what = f"swept {result.environment}" if result.steady_peaks is not None else result.environment
    screen.table(f"{result.name}: {what} along {result.axis}", heads, rows)
    if result.quasi_static_g is not None:
        notch = " after notching" if result.notched_peaks is not None else ""
        screen.say(f"Quasi-static equivalent of the net interface force{notch}: {result.quasi_static_g:.4g} g")
    if result.miles:
        screen.say(f"Miles, mode at {result.miles['hz']:.4g} Hz: {result.miles['rms']:.4g} m/s² rms")
    for note in result.notes:
        screen.warn(note)
    screen.wrote(result.paths)
