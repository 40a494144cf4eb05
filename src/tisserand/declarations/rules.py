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
    """Whether an option is written, and not as None, as a flag that is left as it is, or as an empty list or table."""
    if name not in table.model_fields_set or (value := getattr(table, name)) is None:
        return False
    default = type(table).model_fields[name].default
    return not (_passive(default) and value == default)


def _passive(default: Any) -> bool:
    return isinstance(default, bool) or default in ((), {})


def _present(kind: type[Table], name: str) -> dict[str, Any]:
    """``stated`` in JSON Schema."""
    (key,) = _keys(kind, (name,))
    default = kind.model_fields[name].default
    if not _passive(default):
        return {"required": [key]}
    idle: list[Any] = [default] if isinstance(default, bool) else [[], {}]
    return {"required": [key], "properties": {key: {"not": {"enum": idle}}}}


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
        each = [_present(kind, name) for name in self.names]
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
        return {"not": {**_present(kind, self.name), "anyOf": [_present(kind, other) for other in self.others]}}


@dataclass(frozen=True)
class Needs(Rule):
    """An option that is stated only together with others."""

    name: str
    others: tuple[str, ...]

    def check(self, table: Table) -> None:
        missing = [other for other in self.others if not stated(table, other)]
        if stated(table, self.name) and missing:
            raise problem(self.name, f"needs '{missing[0]}'")

    def schema(self, kind: type[Table]) -> dict[str, Any]:
        return {"if": _present(kind, self.name), "then": {"allOf": [_present(kind, other) for other in self.others]}}


@dataclass(frozen=True)
class NeedsSome(Rule):
    """An option that has an effect only together with one of several others."""

    name: str
    others: tuple[str, ...]

    def check(self, table: Table) -> None:
        if stated(table, self.name) and not any(stated(table, other) for other in self.others):
            choice = " or ".join(f"'{other}'" for other in self.others)
            raise problem(self.name, f"has no effect without {choice}")

    def schema(self, kind: type[Table]) -> dict[str, Any]:
        return {"if": _present(kind, self.name), "then": {"anyOf": [_present(kind, other) for other in self.others]}}


@dataclass(frozen=True)
class Applies(Rule):
    """Options that have an effect only where a choice is one of some words."""

    names: tuple[str, ...]
    by: str
    words: tuple[str, ...]

    def check(self, table: Table) -> None:
        choice = getattr(table, self.by)
        found = [name for name in self.names if stated(table, name)]
        if found and choice not in self.words:
            wanted = f"{self.by} {' or '.join(self.words)}, or no {found[0]}"
            raise problem(found[0], f"has no effect with {self.by} {choice}", expected=wanted)

    def schema(self, kind: type[Table]) -> dict[str, Any]:
        (by,) = _keys(kind, (self.by,))
        chosen: dict[str, Any] = {"properties": {by: {"type": "string", "pattern": spelled(self.words)}}}
        if kind.model_fields[self.by].default not in self.words:
            chosen["required"] = [by]
        return {"if": {"anyOf": [_present(kind, name) for name in self.names]}, "then": chosen}


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
        return {"anyOf": [{"allOf": [_present(kind, name) for name in group]} for group in self.groups]}


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
            then["anyOf"] = [_present(kind, name) for name in self.some]
        if self.senseless:
            then["not"] = {"anyOf": [_present(kind, name) for name in self.senseless]}
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


def needs_some(name: str, *others: str) -> NeedsSome:
    """``name`` has an effect only together with one of ``others``."""
    return NeedsSome(name, others)


def applies(*names: str, **choice: tuple[str, ...]) -> Applies:
    """These options have an effect only where the choice that the keyword names is one of its words."""
    ((by, words),) = choice.items()
    return Applies(names, by, words)


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
