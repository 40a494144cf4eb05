"""Dotted paths: every value of a file is reached by one, such as ``bodies.bus.inertia.0`` or ``supports[2].at``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, get_args, get_origin

from tisserand.declarations.base import Table, own_numbers
from tisserand.declarations.faults import key_of
from tisserand.declarations.introspection import annotations_at, members_of, option_at, options, tag_of, types_in
from tisserand.errors import CaseError, UnknownKeyError, nearest

_WORD = re.compile(r'"([^"]*)"|\[(\d+)\]|([^.\[\]"]+)')
_PATH = re.compile(r'("[^"]*"|[^.\[\]"]+)(\[\d+\]|\.("[^"]*"|[^.\[\]"]+))*')


def words_of_path(path: str) -> tuple[str | int, ...]:
    """``bodies."b.c".inertia[0]`` as words; an index is a number in brackets or between dots. None where a word is empty."""
    if not _PATH.fullmatch(str(path)):
        return ()
    found = [match.groups() for match in _WORD.finditer(str(path))]
    return tuple(
        quoted or (int(index) if index else int(word) if word.isdecimal() else word) for quoted, index, word in found
    )


def set_at(kind: type[Table], data: dict[str, Any], path: str, value: Any, file: str | Path) -> None:
    """Replace one value of a file's data, stated or left at its default; named tables do not come into being."""
    try:
        inner, last = _holder(kind, data, path)
    except LookupError:
        raise _unknown(kind, data, path, file) from None
    inner[last] = own_numbers(value)


def _holder(kind: type[Table], data: dict[str, Any], path: str) -> tuple[Any, Any]:
    """The table or list in which the last word of a path is, or may be, a key; LookupError where it means nothing."""
    *parents, last = words_of_path(path) or ("",)
    inner = _followed(kind, data, tuple(parents))
    if isinstance(inner, list) and isinstance(last, int) and last < len(inner):
        return inner, last
    if isinstance(inner, dict) and (str(last) in inner or _may_be_added(kind, inner, (*parents, last))):
        return inner, str(last)
    raise LookupError(path)


def _may_be_added(kind: type[Table], table: dict[str, Any], words: tuple[str | int, ...]) -> bool:
    """Whether a key that a table leaves out is one of its options, or a name where names have values (not tables)."""
    above = [member for item in annotations_at(kind, words[:-1]) for member in members_of(item)]
    named = any(get_origin(item) is dict and not types_in(get_args(item)[1]) for item in above)
    return named or option_at(kind, words, table) is not None


def get_at(kind: type[Table], data: dict[str, Any], path: str, file: str | Path) -> Any:
    """The value at a path of a file's data; its default when it is left out."""
    try:
        return _followed(kind, data, words_of_path(path))
    except LookupError:
        raise _unknown(kind, data, path, file) from None


def _followed(kind: type[Table], data: dict[str, Any], words: tuple[str | int, ...]) -> Any:
    """The value at the words; a default on the way is written out, so that its parts can be reached."""
    inner: Any = data
    for number, word in enumerate(words):
        if isinstance(inner, list) and isinstance(word, int) and word < len(inner):
            inner = inner[word]
            continue
        if not isinstance(inner, dict):
            raise LookupError(word)
        if str(word) not in inner:
            left_out = option_at(kind, words[: number + 1], inner)
            if left_out is None:
                raise LookupError(word)
            inner[str(word)] = _listed(left_out.default)
        inner = inner[str(word)]
    return inner


def _listed(value: Any) -> Any:
    if isinstance(value, Table):
        return {}
    return (
        [_listed(item) for item in value]
        if isinstance(value, tuple)
        else dict(value)
        if isinstance(value, dict)
        else value
    )


def number_paths(data: Any, above: tuple[str | int, ...] = ()) -> Iterator[str]:
    """The path of every number that a file states."""
    if isinstance(data, dict | list):
        for word, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from number_paths(value, (*above, word))
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield key_of(above).replace("[", ".").replace("]", "")


def _unknown(kind: type[Table], data: dict[str, Any], path: str, file: str | Path) -> CaseError:
    """An error that names the word that means nothing there, and the path with the nearest word in its place."""
    words, inner = words_of_path(path), data
    if not words:
        expected = "words with one dot between them, such as bodies.bus.mass"
        return UnknownKeyError(file, "", "unknown key", found=repr(path), expected=expected)
    for number, word in enumerate(words):
        above = words[:number]
        known: list[str | int]
        if isinstance(inner, list):
            known = list(range(len(inner)))
        elif isinstance(inner, dict):
            tables = [member for item in annotations_at(kind, above) for member in types_in(item)]
            declared = [item.name for member in tables if _fits(member, inner) for item in options(member)]
            known = list(dict.fromkeys([*inner, *declared]))
        else:
            if inner is None:  # the default that the search has written out
                whole, rest = key_of(above), key_of(words[number:])
                return UnknownKeyError(
                    file, path, f"{whole} is not stated, so it has no part to set", found=repr(rest),
                    expected=f"{whole} as a whole",
                )  # fmt: skip
            found = f"a value at {key_of(above)}"
            return UnknownKeyError(file, path, "unknown key", found=found, expected="a table or a list there")
        if word not in known:
            close = nearest(str(word), [str(item) for item in known])
            better = key_of((*above, close, *words[number + 1 :])) if close else ""
            advice = f"did you mean {better!r}?" if close and _leads(kind, data, better) else None
            expected = "one of " + ", ".join(map(str, known)) if known else f"nothing: {key_of(above)} is empty"
            return UnknownKeyError(file, path, "unknown key", found=repr(word), expected=expected, advice=advice)
        inner = inner[word] if isinstance(inner, list) else inner.get(str(word), {})
    return UnknownKeyError(file, path, "unknown key", found=repr(path), expected="a key of the file")


def _leads(kind: type[Table], data: dict[str, Any], path: str) -> bool:
    """Whether a path leads somewhere in a file."""
    try:
        _holder(kind, deepcopy(data), path)
    except LookupError:
        return False
    return True


def _fits(member: type[Table], table: dict[str, Any]) -> bool:
    key, tags = tag_of(member)
    return not tags or table.get(key, tags[0]) in tags
