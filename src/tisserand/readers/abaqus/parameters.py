"""Parameters of keywords: their one spelling, and a word on every one that is not read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.parameter_table import TABLE, Parameters, names_of
from tisserand.readers.abaqus.scan import Keyword

Use = Literal["used", "harmless", "assumed", "changes", "unknown"]
#: Loads count only where they are the preload of the modes.
_LOADS = ("CLOAD", "DLOAD")
#: Any keyword may read its data lines from a file.
_EVERYWHERE = ("INPUT",)


def known_parameters(row: Parameters) -> dict[str, tuple[Use, str, str]]:
    """Use, reason and default value by name of a parameter."""
    out: dict[str, tuple[Use, str, str]] = {name: ("used", "", "") for name in (*names_of(row.used), *_EVERYWHERE)}
    groups: tuple[tuple[Use, dict[str, str]], ...] = (
        ("harmless", row.harmless),
        ("assumed", row.assumed),
        ("changes", row.changes),
    )
    for use, group in groups:
        for reason, text in group.items():
            for item in names_of(text):
                name, _, default = item.partition("=")
                out[name] = (use, reason, default)
    return out


_KNOWN = {keyword: known_parameters(row) for keyword, row in TABLE.items()}
_SHORT = {keyword: {name.replace(" ", ""): name for name in names} for keyword, names in _KNOWN.items()}


def spell_parameters(keywords: Sequence[Keyword]) -> None:
    """Give parameters written without blanks (REFNODE) or cut short (GEN) their full names, in place."""
    for keyword in keywords:
        full = _SHORT.get(keyword.name)
        if full and any(name not in _KNOWN[keyword.name] for name in keyword.options):
            keyword.options = {_spelled(name, full): value for name, value in keyword.options.items()}


def _spelled(name: str, full: dict[str, str]) -> str:
    short = name.replace(" ", "")
    if short in full:
        return full[short]
    longer = [known for key, known in full.items() if key.startswith(short)] if len(short) >= 3 else []
    return longer[0] if len(longer) == 1 else name


def use_of(keyword: Keyword, name: str) -> tuple[Use, str]:
    """What a parameter of a keyword of the table does, and why."""
    row = TABLE[keyword.name]
    if name not in _KNOWN[keyword.name]:
        return ("harmless", row.others) if row.others else ("unknown", "")
    use, reason, default = _KNOWN[keyword.name][name]
    if use == "changes" and default and _same(keyword.options[name], default):
        return "harmless", "the default"
    return use, reason


def _same(stated: str, default: str) -> bool:
    try:
        return float(stated) == float(default)
    except ValueError:
        return stated.strip().upper() == default


def judge_parameters(draft: Draft) -> None:
    """Write every parameter that changes the model or that nobody knows into the ledger."""
    model = [keyword for _, keyword in draft.deck.model]
    steps = [keyword for step in draft.deck.steps for keyword in step]
    for keyword in dict.fromkeys([*draft.deck.structure, *model, *steps]):
        if keyword.name in TABLE and (keyword.name not in _LOADS or id(keyword) in draft.taken):
            judge_keyword(draft, keyword)


def judge_keyword(draft: Draft, keyword: Keyword) -> None:
    """The same for one keyword."""
    for name in keyword.options:
        _judge(draft, keyword, name)


def _judge(draft: Draft, keyword: Keyword, name: str) -> None:
    use, reason = use_of(keyword, name)
    card = f"*{keyword.name}, {name}"
    if use == "harmless":
        draft.record(card, "skipped", reason)
    elif use == "assumed":
        draft.assume(f"{card} (line {keyword.line}) is not applied: {reason}")
    elif use == "changes":
        draft.record(card, "dropped", f"{reason}: stiffness or mass that is not supported (line {keyword.line})")
    elif use == "unknown" and TABLE[keyword.name].matters:
        draft.record(card, "dropped", f"unknown parameter (line {keyword.line}), which may change stiffness or mass")
    elif use == "unknown":
        draft.assume(f"{card} (line {keyword.line}) is an unknown parameter and not applied")
