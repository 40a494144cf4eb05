"""What a declared type states, as data: for the command line, the documentation and JSON Schema."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from tisserand.declarations.base import Declared, Facts, expecting


@dataclass(frozen=True)
class Option:
    """One option: its key, annotation, default (None when mandatory), meaning, and the facts of ``option``."""

    name: str
    attribute: str
    annotation: Any
    default: Any
    mandatory: bool
    meaning: str
    facts: Facts

    @property
    def unit(self) -> str | None:
        return self.facts.unit

    @property
    def range_words(self) -> str:
        return self.facts.range_words

    @property
    def choices(self) -> tuple[str, ...]:
        """The words of a ``Literal``; empty for other types."""
        for item in _members(self.annotation):
            if get_origin(item) is Literal:
                return tuple(str(word) for word in get_args(item))
        return ()

    @property
    def words(self) -> str:
        """The type in words, such as ``a number`` or ``3 numbers``."""
        return words_of(self.annotation)

    @property
    def expected(self) -> str:
        """Type, range and unit in one phrase: ``a number above 0, in kg``."""
        text = f"{self.words} {self.range_words}".rstrip()
        return f"{text}, in {self.unit}" if self.unit else text


def options(kind: type[Declared]) -> tuple[Option, ...]:
    """The options of a declared type, in their order."""
    return tuple(_option(name, field) for name, field in kind.__pydantic_fields__.items())


def _option(name: str, field: FieldInfo) -> Option:
    facts = field.json_schema_extra if isinstance(field.json_schema_extra, Facts) else Facts()
    # pydantic moves the outermost Annotated into the field's metadata: it goes back where it was written
    words = [item for item in field.metadata if isinstance(item, expecting)]
    annotation = Annotated[field.annotation, words[0]] if words else field.annotation
    mandatory = field.is_required()
    default = None if mandatory else field.get_default(call_default_factory=True, validated_data={})
    return Option(field.alias or name, name, annotation, default, mandatory, field.description or "", facts)


def json_schema(kind: type[Declared], **root: Any) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a file; ``root`` adds keys such as ``$id`` and ``title``."""
    made = kind.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **root, **made}


def bare(annotation: Any) -> Any:
    """An annotation without ``Annotated``."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return annotation


def _members(annotation: Any) -> tuple[Any, ...]:
    """The members of a union without None, or the annotation alone."""
    inner = bare(annotation)
    if get_origin(inner) in (Union, types.UnionType):
        return tuple(item for member in get_args(inner) if member is not type(None) for item in _members(member))
    return (inner,)


_NOUNS = {float: ("a number", "numbers"), int: ("a whole number", "whole numbers"), str: ("a text", "texts")}
_OTHERS = {bool: "true or false", Path: "a file name", Any: "a value"}


def words_of(annotation: Any) -> str:
    """A type in the words of an error message."""
    if get_origin(annotation) is Annotated:
        for item in get_args(annotation)[1:]:
            if isinstance(item, expecting):
                return item.words
        return words_of(get_args(annotation)[0])
    members = _members(annotation)
    if len(members) > 1:
        parts = [words_of(member) for member in members]
        return " or ".join(dict.fromkeys(parts))
    inner = members[0]
    if inner in _NOUNS:
        return _NOUNS[inner][0]
    if inner in _OTHERS:
        return _OTHERS[inner]
    origin, arguments = get_origin(inner), get_args(inner)
    if origin is Literal:
        return "one of " + ", ".join(str(word) for word in arguments)
    if origin in (tuple, list):
        return _list_words(arguments)
    if origin in (dict, Mapping) or (isinstance(inner, type) and issubclass(inner, Declared)):
        return "a table"
    return getattr(inner, "__name__", str(inner))


def _list_words(arguments: tuple[Any, ...]) -> str:
    item = bare(arguments[0])
    many = arguments[-1] is Ellipsis or len(arguments) == 1
    if get_origin(item) is tuple:
        inner = get_args(item)
        cells = "numbers" if inner[-1] is Ellipsis else f"{len(inner)} numbers"
        return f"rows of {cells}" if many else f"{len(arguments)} rows of {cells}"
    if isinstance(item, type) and issubclass(item, Declared):
        return "tables"
    noun = _NOUNS.get(item, ("", "values"))[1] if isinstance(item, type) else "values"
    return f"a list of {noun}" if many else f"{len(arguments)} {noun}"


def types_in(annotation: Any) -> tuple[type[Declared], ...]:
    """The declared types that a value may be."""
    return tuple(item for item in _members(annotation) if isinstance(item, type) and issubclass(item, Declared))


def tag_of(kind: type[Declared]) -> tuple[str, tuple[str, ...]]:
    """The key that tells this type apart in a union and its words there; no words when nothing does."""
    for name in ("kind", "shape"):
        field = kind.__pydantic_fields__.get(name)
        if field is not None and get_origin(field.annotation) is Literal:
            return name, get_args(field.annotation)
    return "", ()


@dataclass(frozen=True)
class Place:
    """Where a path of pydantic's leads: the file's key path, the option there, and the declared type that holds it.

    fork: length of the key path at the first choice between types that nothing tells apart; None without one.
    """

    path: tuple[str | int, ...]
    option: Option | None
    holder: type[Declared] | None
    annotation: Any
    fork: int | None = None


def place_of(kind: type[Declared], loc: Sequence[str | int]) -> Place:
    """Follow a location through the types; names of union members are left out of the path."""
    annotation: Any = kind
    path: list[str | int] = []
    found: Option | None = None
    holder: type[Declared] | None = kind
    fork: int | None = None
    for word in loc:
        members = _members(annotation)
        if len(members) > 1:
            if str(word).startswith("tagged-union"):
                fork, annotation = len(path) if fork is None else fork, Union[types_in(annotation)]  # noqa: UP007
                continue
            tagged = [m for m in types_in(annotation) if word in tag_of(m)[1]]
            chosen = tagged or [m for m in types_in(annotation) if word == m.__name__]
            if not tagged and fork is None:
                fork = len(path)
            lists = [m for m in members if str(word).startswith(getattr(get_origin(m), "__name__", "?"))]
            annotation = next(iter([*chosen, *lists]), Any)
            holder = chosen[0] if chosen else holder
            continue
        inner = members[0]
        path.append(word)
        if isinstance(inner, type) and issubclass(inner, Declared):
            holder = inner
            by_key = {item.name: item for item in options(inner)}
            found = by_key.get(str(word)) or next((i for i in by_key.values() if i.attribute == word), None)
            annotation = found.annotation if found else Any
        elif get_origin(inner) in (tuple, list):
            arguments = get_args(inner)
            fixed = len(arguments) > 1 and arguments[-1] is not Ellipsis
            annotation = arguments[int(word)] if fixed and isinstance(word, int) and word < len(arguments) else arguments[0]
        elif get_origin(inner) is dict:
            annotation, found = get_args(inner)[1], None
        else:
            annotation = Any
        kinds = types_in(annotation)
        holder = kinds[0] if len(kinds) == 1 and len(_members(annotation)) == 1 else holder
    return Place(tuple(path), found, holder, annotation, fork)


def option_at(kind: type[Declared], path: Sequence[str | int]) -> Option | None:
    """The option that a key path of a file means (unions are searched), or None."""
    kinds: list[Any] = [kind]
    found: Option | None = None
    for word in path:
        ahead: list[Any] = []
        for annotation in (member for item in kinds for member in _members(item)):
            if isinstance(annotation, type) and issubclass(annotation, Declared):
                known = {item.name: item for item in options(annotation)}
                if word in known:
                    found = known[str(word)]
                    ahead.append(found.annotation)
            elif get_origin(annotation) is dict:
                ahead.append(get_args(annotation)[1])
            elif get_origin(annotation) in (tuple, list):
                ahead.append(get_args(annotation)[0])
        if not ahead:
            return None
        kinds = ahead
    return found
