"""``tisserand info``."""

from __future__ import annotations

import math
from typing import Any

from tisserand.cli.screen import Screen
from tisserand.studies.info import InfoResult
from tisserand.studies.shown import shown

#: Shares below this are not told.
LEAST_SHARE = 5e-4
#: Facts of the first line, and facts that have a place of their own.
_HEAD, _NEXT = ("kind", "name", "units"), "next"
_ELSEWHERE = (*_HEAD, "effective mass", _NEXT)
#: Letters of the longest bar of the spectrum, and of the axis of frequencies.
_BAR, _AXIS = 30, 60
#: Modes listed one by one; the others are counted.
_LISTED = 24


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
    words = {key: word for key, word in ((key, _joined(value)) for key, value in values.items()) if word}
    if not words:
        return
    if sum(len(key) + len(word) + 5 for key, word in words.items()) < 110:
        line = "   ".join(f"{shown(key)} [cyan]{shown(word)}[/cyan]" for key, word in words.items())
        screen.say(f"[bold]{shown(title)}[/bold]  {line}")
        return
    screen.say(f"[bold]{shown(title)}[/bold]")
    wide = min(max(map(len, words)), 44)
    for key, word in words.items():
        screen.say(f"  {shown(key):<{wide}}  [cyan]{shown(word)}[/cyan]")


def _spectrum(screen: Screen, modes: dict[str, Any], carried: dict[str, Any]) -> None:
    """All frequencies on one axis, then modes with a bar each: the largest share of the rigid mass or inertia it carries."""
    if not modes:
        return
    bars = any(one["share"] >= LEAST_SHARE for one in carried.values())
    why = (
        "bar: largest share of the rigid mass or inertia"
        if bars
        else "no effective masses: these shapes carry no momentum"
    )
    screen.say("[bold]modes[/bold]" + (f"  [dim]{why}[/dim]" if carried else ""))
    axis = frequency_axis(list(modes.values()))
    if axis:
        screen.say(f"  [green]{axis}[/green]")
    first = dict(list(modes.items())[:_LISTED])
    wide, far = max(map(len, first)), max(len(str(hz)) for hz in first.values())
    for name, hz in first.items():
        line = f"  {shown(name):<{wide}}  [cyan]{shown(str(hz)):>{far}}[/cyan]"
        if bars and name in carried:
            share, direction = carried[name]["share"], carried[name]["direction"]
            bar = "█" * round(_BAR * share) or "▏"
            line += f"  [green]{bar}[/green]" + (f" {100 * share:.1f} % {direction}" if share >= LEAST_SHARE else "")
        screen.say(line)
    if len(modes) > len(first):
        screen.say(f"  and {len(modes) - len(first)} more, the last {shown(str(list(modes.values())[-1]))}")


def frequency_axis(words: list[Any]) -> str:
    """Modes as marks over the logarithm of their frequency, such as ``0.78 |·|··||| 56.0 Hz``; empty for fewer than two."""
    found = [text.split()[0] for text in map(str, words) if "Hz" in text and "(" not in text]
    hz = sorted(float(text) for text in found if float(text) > 0.0)
    if len(hz) < 2 or hz[-1] <= hz[0]:
        return ""
    marks = ["·"] * _AXIS
    for value in hz:
        marks[round((_AXIS - 1) * math.log(value / hz[0]) / math.log(hz[-1] / hz[0]))] = "|"
    return f"{hz[0]:.3g} {''.join(marks)} {hz[-1]:.3g} Hz"


def _joined(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return ", ".join(map(_joined, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {_joined(item)}" for key, item in value.items())
    return str(value)
