"""``tisserand sweep``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.ensembles.samples import SweepResult


def show(screen: Screen, result: SweepResult) -> None:
    runs = [s.result for s in result.samples if s.result and "peak" in s.result]
    if runs:
        _show_runs(screen, result, sorted({name for run in runs for name in run["peak"]}))
        return
    most = min(max((len(s.result["frequencies_hz"]) for s in result.samples if s.result), default=0), 8)
    rows = []
    for s in result.samples:
        f = s.result["frequencies_hz"][:most] if s.result else []
        rows.append(
            [*s.values.values(), *("" if v is None else v for v in f), *[""] * (most - len(f)), s.failure or ""]
        )
    screen.table("System modes", [*result.keys, *(f"mode {i + 1} Hz" for i in range(most)), "failure"], rows)
    if result.crossings:
        screen.table(
            "Crossings of modes",
            ["modes", result.keys[0], "Hz", "least MAC", *result.crossings[0].others],
            [
                [f"{c.modes[0]} and {c.modes[1]}", c.value, c.hz, c.likeness, *c.others.values()]
                for c in result.crossings
            ],
        )
    screen.wrote(result.paths)


def _show_runs(screen: Screen, result: SweepResult, names: list[str]) -> None:
    """The largest value of each sensor in every run."""
    rows = []
    for s in result.samples:
        peaks = [s.result["peak"].get(name, "") for name in names] if s.result else [""] * len(names)
        rows.append([*s.values.values(), *peaks, s.failure or ""])
    screen.table("Largest value of each sensor", [*result.keys, *names, "failure"], rows)
    screen.wrote(result.paths)
