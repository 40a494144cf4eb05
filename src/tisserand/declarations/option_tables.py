"""Documentation of a file from its declared type: one Markdown table per TOML table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_origin

from tisserand.declarations.base import Table
from tisserand.declarations.introspection import Option, members_of, options, tag_of, tuple_item, types_in

_HEAD = "| key | value | default | meaning |\n|---|---|---|---|\n"


def documented(kind: type[Table], *, apart: tuple[type[Table], ...] = (), level: str = "###") -> str:
    """Markdown for a file: its own keys, then every table in it. ``apart`` are types that another section describes."""
    simple = [item for item in options(kind) if not _tables(item, apart) or _plain(item)]
    parts = [f"{level} Top level\n\n{kind.__doc__}\n\n{table_of(simple)}"] if simple else []
    for heading, members in _sections(kind, "", apart, set()):
        parts.append(f"{level} `{heading}`\n\n{_members_of(members)}")
    return "\n".join(parts)


def sections_of(members: tuple[type[Table], ...], title: str, intro: str, level: str = "###") -> str:
    """Markdown for types that many tables use, under a separate title."""
    return f"{level} {title}\n\n{intro}\n\n{_members_of(members)}"


def _members_of(members: tuple[type[Table], ...]) -> str:
    shared, text = _shared(members), []
    if shared:
        text.append(f"Every kind has these keys:\n\n{table_of(shared)}")
    for member in members:
        key, words = tag_of(member)
        tagged = len(members) > 1 and words
        default = next(
            (f" (default `{item.default}`)" for item in options(member) if item.name == key and item.default), ""
        )
        title = f"**`{key}` = {' or '.join(f'`{word}`' for word in words)}{default}.** " if tagged else ""
        rows = [item for item in options(member) if item not in shared and not (tagged and item.name == key)]
        text.append(f"{title}{_docstring(member)}\n\n{table_of(rows)}" if rows else f"{title}{_docstring(member)}\n")
    return "\n".join(text)


def _shared(members: tuple[type[Table], ...]) -> list[Option]:
    """The options that all of several kinds have, when that saves repetition."""
    if len(members) < 2:
        return []
    first, *others = (options(member) for member in members)
    common = [item for item in first if all(item in other for other in others)]
    return common if len(common) > 1 else []


def table_of(rows: list[Option]) -> str:
    """One Markdown table of options."""
    cells = ((f"`{item.name}`", _value(item), _default(item), item.meaning) for item in rows if not item.facts.hidden)
    return _HEAD + "".join(f"| {' | '.join(row)} |\n" for row in cells)


def _plain(item: Option) -> bool:
    """Whether a value may also be something else than tables."""
    return any(member is str or member in (int, float) for member in members_of(item.annotation))


def _docstring(kind: type[Table]) -> str:
    return " ".join((kind.__doc__ or "").split())


def _value(item: Option) -> str:
    words = item.words.removeprefix("a ")
    text = f"{words} {item.range_words}".rstrip()
    return f"{text}, {item.unit}" if item.unit else text


def _default(item: Option) -> str:
    if item.mandatory:
        return "required"
    if item.default in (None, (), {}) or isinstance(item.default, Table):
        return ""
    return f"`{toml(item.default)}`"


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple | list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _tables(item: Option, apart: tuple[type[Table], ...]) -> tuple[type[Table], ...]:
    """The declared types that the tables under an option may be."""
    found: list[type[Table]] = []
    for annotation in _inside(item.annotation):
        found += [member for member in types_in(annotation) if member not in found and not issubclass(member, apart)]
    return tuple(found)


def _inside(annotation: Any) -> Iterator[Any]:
    yield annotation
    for member in (annotation, *get_args(annotation)):
        if get_origin(member) is dict:
            yield get_args(member)[1]
        elif tuple_item(member) is not None:
            yield tuple_item(member)


def _sections(
    kind: type[Table], above: str, apart: tuple[type[Table], ...], seen: set[type[Table]]
) -> Iterator[tuple[str, tuple[type[Table], ...]]]:
    for item in options(kind):
        members = tuple(member for member in _tables(item, apart) if member not in seen)
        if not members:
            continue
        seen.update(members)
        path = f"{above}.{item.name}" if above else item.name
        named = any(get_origin(part) is dict for part in (item.annotation, *get_args(item.annotation)))
        listed = tuple_item(item.annotation) is not None
        path = f"{path}.NAME" if named else path
        yield (f"[[{path}]]" if listed else f"[{path}]"), members
        for member in members:
            yield from _sections(member, path, apart, seen)
