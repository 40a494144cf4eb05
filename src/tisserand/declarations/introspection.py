"""What a declared type states, as data: for the command line, the documentation and JSON Schema."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from tisserand.declarations.base import Facts, Table, expecting


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
        for item in members_of(self.annotation):
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


def options(kind: type[Table]) -> tuple[Option, ...]:
    """The options of a declared type, in their order."""
    return tuple(_option(name, field) for name, field in kind.model_fields.items())


def _option(name: str, field: FieldInfo) -> Option:
    facts = field.json_schema_extra if isinstance(field.json_schema_extra, Facts) else Facts()
    # pydantic moves the outermost Annotated into the field's metadata: it goes back where it was written
    words = [item for item in field.metadata if isinstance(item, expecting)]
    annotation = Annotated[field.annotation, words[0]] if words else field.annotation
    mandatory = field.is_required()
    default = None if mandatory else field.get_default(call_default_factory=True, validated_data={})
    return Option(field.alias or name, name, annotation, default, mandatory, field.description or "", facts)


def json_schema(kind: type[Table]) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **kind.model_json_schema(by_alias=True)}


def bare(annotation: Any) -> Any:
    """An annotation without ``Annotated``."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return annotation


def undressed(annotation: Any) -> Any:
    """An annotation without ``Annotated`` at any depth, as people read it in a signature."""
    inner = bare(annotation)
    origin, arguments = get_origin(inner), get_args(inner)
    if not arguments or origin is Literal:
        return inner
    parts = tuple(undressed(item) for item in arguments)
    return Union[parts] if origin in (Union, types.UnionType) else origin[parts]  # noqa: UP007


def members_of(annotation: Any) -> tuple[Any, ...]:
    """The members of a union without None, or the annotation alone."""
    inner = bare(annotation)
    if get_origin(inner) in (Union, types.UnionType):
        return tuple(item for member in get_args(inner) if member is not type(None) for item in members_of(member))
    return (inner,)


_NOUNS = {float: ("a number", "numbers"), int: ("a whole number", "whole numbers"), str: ("a string", "strings")}
_OTHERS = {bool: "true or false", Path: "a file name", Any: "a value"}


def words_of(annotation: Any) -> str:
    """A type in the words of an error message."""
    if get_origin(annotation) is Annotated:
        for item in get_args(annotation)[1:]:
            if isinstance(item, expecting):
                return item.words
        return words_of(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        parts = [words_of(member) for member in get_args(annotation) if member is not type(None)]
        return " or ".join(dict.fromkeys(parts))
    members = members_of(annotation)
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
    if origin in (dict, Mapping) or (isinstance(inner, type) and issubclass(inner, Table)):
        return "a table"
    return getattr(inner, "__name__", str(inner))


def _list_words(arguments: tuple[Any, ...]) -> str:
    item = bare(arguments[0])
    many = arguments[-1] is Ellipsis or len(arguments) == 1
    if get_origin(item) is tuple:
        inner = get_args(item)
        cells = "numbers" if inner[-1] is Ellipsis else f"{len(inner)} numbers"
        return f"rows of {cells}" if many else f"{len(arguments)} rows of {cells}"
    if types_in(item):
        return "tables"
    noun = _NOUNS.get(item, ("", "values"))[1] if isinstance(item, type) else "values"
    return f"a list of {noun}" if many else f"{len(arguments)} {noun}"


def types_in(annotation: Any) -> tuple[type[Table], ...]:
    """The declared types that a value may be."""
    return tuple(item for item in members_of(annotation) if isinstance(item, type) and issubclass(item, Table))


def tuple_item(annotation: Any) -> Any:
    """What a list of any length holds; None for everything else."""
    inner = bare(annotation)
    arguments = get_args(inner)
    return arguments[0] if get_origin(inner) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis else None


def tag_of(kind: type[Table]) -> tuple[str, tuple[str, ...]]:
    """The key that distinguishes this type in a union and its words there; no words if there is none."""
    for name in ("kind", "shape"):
        field = kind.model_fields.get(name)
        if field is not None and get_origin(field.annotation) is Literal:
            return name, get_args(field.annotation)
    return "", ()


#: How pydantic names a number whose magnitude is checked (``limits.computable``).
_NUMBER = re.compile(r"function-after\[computable\(\), (?:function-before\[whole\(\), ([\w-]+)\]|([\w-]+))\]")


@dataclass(frozen=True)
class Place:
    """Where a location of pydantic's leads: the file's key path, the option there, and the declared type that holds it.

    forks: the choices between types that no key distinguishes, as (length of the key path there, name of the member).
    """

    path: tuple[str | int, ...]
    option: Option | None
    holder: type[Table] | None
    annotation: Any
    forks: tuple[tuple[int, str], ...] = ()

    @property
    def words(self) -> expecting | None:
        """The ``expecting`` text of the value here, including a union that was entered."""
        return _expecting(self.annotation)


def place_of(kind: type[Table], loc: Sequence[str | int]) -> Place:
    """Follow a location through the types; names of union members are left out of the path."""
    annotation: Any = kind
    path: list[str | int] = []
    found: Option | None = None
    holder: type[Table] | None = kind
    forks: list[tuple[int, str]] = []
    words: expecting | None = None
    for label in loc:
        word = _NUMBER.sub(r"\1\2", label) if isinstance(label, str) else label
        members, words = members_of(annotation), _expecting(annotation) or words
        if len(members) > 1:
            while str(word).startswith("function-"):  # a check around a member: function-after[check(), member]
                word = str(word).partition("(), ")[2][:-1]
            if str(word).startswith("union["):
                continue
            tagged = [m for m in types_in(annotation) if word in tag_of(m)[1]]
            if str(word).startswith("tagged-union"):
                forks.append((len(path), str(word)))
                annotation = Union[types_in(annotation)]  # noqa: UP007
                continue
            if not tagged:
                forks.append((len(path), str(word)))
            named = [m for m in types_in(annotation) if word == m.__name__]
            listed = [m for m in members if get_origin(m) in (tuple, list, dict)]
            plain = str(word).replace("constrained-", "").replace(" ", "")
            alike = [m for m in members if _label(m) == plain] + [m for m in listed if plain.startswith(_label(m)[:4])]
            chosen = [m for m in members if get_origin(m) is Literal and plain.startswith("literal[")]
            annotation = next(iter([*tagged, *named, *chosen, *alike]), Any)
            holder = next(iter([*tagged, *named]), holder)
            continue
        inner, words = members[0], None
        path.append(word)
        if isinstance(inner, type) and issubclass(inner, Table):
            holder = inner
            by_key = {item.name: item for item in options(inner)}
            found = by_key.get(str(word)) or next((i for i in by_key.values() if i.attribute == word), None)
            annotation = found.annotation if found else Any
        elif get_origin(inner) in (tuple, list):
            arguments = get_args(inner)
            fixed = len(arguments) > 1 and arguments[-1] is not Ellipsis
            annotation = (
                arguments[int(word)] if fixed and isinstance(word, int) and word < len(arguments) else arguments[0]
            )
        elif get_origin(inner) is dict:
            annotation = get_args(inner)[1]
        else:
            annotation = Any
        if found is not None:
            found = replace(found, annotation=annotation)
        kinds = types_in(annotation)
        holder = kinds[0] if len(kinds) == 1 and len(members_of(annotation)) == 1 else holder
    if words is not None and _expecting(annotation) is None:
        annotation = Annotated[annotation, words]
    return Place(tuple(path), found, holder, annotation, tuple(forks))


def _expecting(annotation: Any) -> expecting | None:
    if get_origin(annotation) is Annotated:
        stated = [item for item in get_args(annotation)[1:] if isinstance(item, expecting)]
        return stated[0] if stated else _expecting(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):  # a union with None
        inner = [item for item in get_args(annotation) if item is not type(None)]
        return _expecting(inner[0]) if len(inner) == 1 else None
    return None


def _label(annotation: Any) -> str:
    """The name that pydantic gives a member of a union in its locations, without spaces."""
    members = members_of(annotation)
    if len(members) > 1:
        return "union[" + ",".join(_label(item) for item in members) + "]"
    if get_origin(members[0]) is tuple:
        return "tuple[" + ",".join("..." if item is Ellipsis else _label(item) for item in get_args(members[0])) + "]"
    return str(getattr(members[0], "__name__", members[0]))


def annotations_at(kind: type[Table], path: Sequence[str | int]) -> list[Any]:
    """What a value at a key path may be; every member of a union is followed. Empty when the path means nothing."""
    kinds: list[Any] = [kind]
    for word in path:
        ahead: list[Any] = []
        for annotation in (member for item in kinds for member in members_of(item)):
            if isinstance(annotation, type) and issubclass(annotation, Table):
                ahead += [item.annotation for item in options(annotation) if item.name == word]
            elif get_origin(annotation) is dict:
                ahead.append(get_args(annotation)[1])
            elif get_origin(annotation) in (tuple, list) and isinstance(word, int):
                ahead.append(get_args(annotation)[0])
        kinds = ahead
    return kinds


def option_at(kind: type[Table], path: Sequence[str | int], table: Mapping[str, Any] | None = None) -> Option | None:
    """The option that the last word of a key path names, or None; ``table``, the value there, distinguishes kinds."""
    for member in (found for item in annotations_at(kind, path[:-1]) for found in types_in(item)):
        key, tags = tag_of(member)
        if tags and table is not None and table.get(key, tags[0]) not in tags:
            continue
        for item in options(member):
            if item.name == path[-1]:
                return item
    return None
