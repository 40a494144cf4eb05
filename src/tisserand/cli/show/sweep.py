"""``tisserand sweep``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.ensembles.samples import SweepResult


def show(screen: Screen, result: SweepResult) -> None:
    most = min(max((len(s.result["frequencies_hz"]) for s in result.samples if s.result), default=0), 8)
    rows = []
    for s in result.samples:
        f = s.result["frequencies_hz"][:most] if s.result else []
        rows.append([*s.values.values(), *f, *[""] * (most - len(f)), s.failure or ""])
    screen.table("System modes", [*result.keys, *(f"mode {i + 1} Hz" for i in range(most)), "failure"], rows)
    screen.wrote(result.paths)
