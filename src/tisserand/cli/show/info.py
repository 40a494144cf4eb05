"""``tisserand info``."""

from __future__ import annotations

from typing import Any

from tisserand.cli.screen import Screen
from tisserand.studies.info import InfoResult
from tisserand.studies.shown import shown

#: Facts of the first line, and facts that have a place of their own.
_HEAD, _NEXT = ("kind", "name", "units"), "next"
_ELSEWHERE = (*_HEAD, "effective mass", _NEXT)
#: Letters of the longest bar of the spectrum.
_BAR = 30


def show(screen: Screen, result: InfoResult) -> None:
    facts = result.facts
    kind, name, units = (facts.get(word) for word in _HEAD)
    title = " ".join(str(word) for word in (kind, f"in {units}" if units else "") if word)
    screen.say(f"[bold]{shown(name or kind)}[/bold]  [dim]{shown(title) if name else ''}[/dim]")
    for title, values in facts.items():
        if title == "modes" and isinstance(values, dict):
            _spectrum(screen, values, facts.get("effective mass", {}))
        elif title in _ELSEWHERE or (isinstance(values, dict | list) and not values):
            continue
        elif isinstance(values, list) and isinstance(values[0], dict):
            screen.table(title, list(values[0]), [[_joined(cell) for cell in row.values()] for row in values])
        elif isinstance(values, dict):
            _facts(screen, title, values)
        else:
            screen.say(f"[bold]{shown(title)}[/bold]  {shown(_joined(values))}")
    if facts.get(_NEXT):
        screen.say("[bold]next[/bold]")
        for line in facts[_NEXT]:
            screen.say(f"  {shown(line)}")


def _facts(screen: Screen, title: str, values: dict[str, Any]) -> None:
    """A group of facts: short ones side by side on one line, long ones below each other."""
    words = {key: _joined(value) for key, value in values.items()}
    if sum(len(key) + len(word) + 5 for key, word in words.items()) < 110:
        line = "   ".join(f"{shown(key)} [cyan]{shown(word)}[/cyan]" for key, word in words.items())
        screen.say(f"[bold]{shown(title)}[/bold]  {line}")
        return
    screen.say(f"[bold]{shown(title)}[/bold]")
    wide = min(max(map(len, words)), 44)
    for key, word in words.items():
        screen.say(f"  {shown(key):<{wide}}  [cyan]{shown(word)}[/cyan]")


def _spectrum(screen: Screen, modes: dict[str, Any], carried: dict[str, Any]) -> None:
    """Modes with a bar as long as the largest share of the rigid mass or inertia that each carries."""
    if not modes:
        return
    screen.say(
        "[bold]modes[/bold]" + ("  [dim]bar: largest share of the rigid mass or inertia[/dim]" if carried else "")
    )
    wide, far = max(map(len, modes)), max(len(str(hz)) for hz in modes.values())
    for name, hz in modes.items():
        line = f"  {shown(name):<{wide}}  [cyan]{shown(str(hz)):>{far}}[/cyan]"
        if name in carried:
            share, direction = carried[name]["share"], carried[name]["direction"]
            bar = "█" * round(_BAR * share) or "▏"
            line += f"  [green]{bar}[/green]" + (f" {100 * share:.1f} % {direction}" if share >= 5e-4 else "")
        screen.say(line)


def _joined(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return ", ".join(map(_joined, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {_joined(item)}" for key, item in value.items())
    return str(value)
