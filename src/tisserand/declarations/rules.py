"""Rules between the options of a table, each stated once: for the reader's checks and for the JSON Schema.

A rule counts an option as stated when its key is written; a table lists its rules in a class body:

    _source = ruled(one_of("record", "case"), needs("node", "appendage"))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from tisserand.declarations.base import Table, check, spelled
from tisserand.declarations.faults import problem


@dataclass(frozen=True)
class Rule(ABC):
    """A condition on the options that a table states."""

    @abstractmethod
    def check(self, table: Table) -> None:
        """Raise the problem of a table that breaks the rule."""

    @abstractmethod
    def schema(self, kind: type[Table]) -> dict[str, Any]:
        """The same in JSON Schema."""


def stated(table: Table, name: str) -> bool:
    """Whether an option is written, and not as None."""
    return name in table.model_fields_set and getattr(table, name) is not None


def _keys(kind: type[Table], names: tuple[str, ...]) -> list[str]:
    return [kind.model_fields[name].alias or name for name in names]


@dataclass(frozen=True)
class OneOf(Rule):
    """One of several, and only one; ``needed`` False: or none."""

    names: tuple[str, ...]
    needed: bool = True

    def check(self, table: Table) -> None:
        found = [name for name in self.names if stated(table, name)]
        choice = " or ".join(self.names)
        if len(found) > 1:
            raise problem(found[1], f"excludes {found[0]!r}", expected=f"either {choice}")
        if not found and self.needed:
            raise problem(self.names[0], "is missing", expected=choice)

    def schema(self, kind: type[Table]) -> dict[str, Any]:
        each: list[dict[str, Any]] = [{"required": [key]} for key in _keys(kind, self.names)]
        return {"oneOf": each if self.needed else [*each, {"not": {"anyOf": each}}]}


@dataclass(frozen=True)
class Excludes(Rule):
    """An option that is not stated together with others."""

    name: str
    others: tuple[str, ...]

    def check(self, table: Table) -> None:
        if stated(table, self.name) and any(stated(table, other) for other in self.others):
            others = " and ".join(f"'{other}'" for other in self.others)
            raise problem(
                self.name, f"excludes {others}", expected=f"either {self.name} or {' and '.join(self.others)}"
            )

    def schema(self, kind: type[Table]) -> dict[str, Any]:
        name, *others = _keys(kind, (self.name, *self.others))
        return {"not": {"required": [name], "anyOf": [{"required": [other]} for other in others]}}


@dataclass(frozen=True)
class Needs(Rule):
    """An option that is stated only together with others."""

    name: str
    others: tuple[str, ...]

    def check(self, table: Table) -> None:
        missing = [other for other in self.others if not stated(table, other)]
        if stated(table, self.name) and missing:
            raise problem(self.name, f"needs '{missing[0]}'", expected=f"{self.name} with {' and '.join(self.others)}")

    def schema(self, kind: type[Table]) -> dict[str, Any]:
        name, *others = _keys(kind, (self.name, *self.others))
        return {"dependentRequired": {name: others}}


@dataclass(frozen=True)
class SomeOf(Rule):
    """At least one of several groups of options is stated whole."""

    groups: tuple[tuple[str, ...], ...]
    because: str = ""

    def check(self, table: Table) -> None:
        if any(all(stated(table, name) for name in group) for group in self.groups):
            return
        last = self.groups[-1] if len(self.groups[-1]) > 1 else self.groups[0]
        missing = next(name for name in last if not stated(table, name))
        expected = " or ".join(" and ".join(group) for group in self.groups)
        raise problem(missing, "is missing", expected=expected, advice=self.because or None)

    def schema(self, kind: type[Table]) -> dict[str, Any]:
        return {"anyOf": [{"required": _keys(kind, group)} for group in self.groups]}


@dataclass(frozen=True)
class When(Rule):
    """Where a choice is one of some words: options that are needed, one of which is needed, or that make no sense.

    ``facts`` are further facts of the values of options there, in JSON Schema, which a ``@check`` states for the reader.
    """

    name: str
    words: tuple[Any, ...]
    _: KW_ONLY
    needed: tuple[str, ...] = ()
    some: tuple[str, ...] = ()
    senseless: tuple[str, ...] = ()
    because: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    then: tuple[Rule, ...] = ()

    def check(self, table: Table) -> None:
        value = getattr(table, self.name)
        if value not in self.words:
            return
        here = f"{self.name} = {str(value).lower() if isinstance(value, bool) else repr(value)}"
        for name in self.needed:
            if not stated(table, name):
                raise problem(name, "is missing", expected=self.because or f"it with {here}")
        if self.some and not any(stated(table, name) for name in self.some):
            raise problem(self.some[0], "is missing", expected=self.because or f"{' or '.join(self.some)} with {here}")
        for rule in self.then:
            rule.check(table)
        for name in self.senseless:
            if stated(table, name):
                raise problem(
                    name, f"makes no sense with {here}", expected=self.because or "another choice, or no such key"
                )

    def schema(self, kind: type[Table]) -> dict[str, Any]:
        (key,) = _keys(kind, (self.name,))
        field = kind.model_fields[self.name]
        texts = all(isinstance(word, str) for word in self.words)
        value: dict[str, Any] = (
            {"type": "string", "pattern": spelled(self.words)} if texts else {"enum": list(self.words)}
        )
        condition: dict[str, Any] = {"properties": {key: value}}
        if field.is_required() or field.default not in self.words:
            condition["required"] = [key]
        then: dict[str, Any] = {}
        if self.needed:
            then["required"] = _keys(kind, self.needed)
        if self.some:
            then["anyOf"] = [{"required": [name]} for name in _keys(kind, self.some)]
        if self.senseless:
            then["not"] = {"anyOf": [{"required": [name]} for name in _keys(kind, self.senseless)]}
        if self.facts:
            then["properties"] = dict(self.facts)
        if self.then:
            then["allOf"] = [rule.schema(kind) for rule in self.then]
        return {"if": condition, "then": then}


def one_of(*names: str, needed: bool = True) -> OneOf:
    """One of these options is stated and only one; ``needed`` False: or none."""
    return OneOf(names, needed)


def excludes(name: str, *others: str) -> Excludes:
    """``name`` is not stated together with any of ``others``."""
    return Excludes(name, others)


def needs(name: str, *others: str) -> Needs:
    """``name`` is only stated together with all ``others``."""
    return Needs(name, others)


def some_of(*groups: tuple[str, ...], because: str = "") -> SomeOf:
    """At least one of these groups of options is stated whole."""
    return SomeOf(groups, because)


def when(
    name: str,
    *words: Any,
    needed: tuple[str, ...] = (),
    some: tuple[str, ...] = (),
    senseless: tuple[str, ...] = (),
    because: str = "",
    facts: Mapping[str, Any] | None = None,
    then: tuple[Rule, ...] = (),
) -> When:
    """Where ``name`` is one of ``words``: see ``When``."""
    return When(
        name, words, needed=needed, some=some, senseless=senseless, because=because, facts=facts or {}, then=then
    )


def ruled(*rules: Rule) -> Any:
    """Rules of the table whose class body holds the result: the reader checks them, and the JSON Schema states them."""

    def follows_rules(self: Any) -> None:
        for rule in rules:
            rule.check(self)

    follows_rules.rules = rules  # type: ignore[attr-defined]
    return check(follows_rules)
