"""From pydantic's list of mistakes to one ``CaseError`` that names each key, what was found and what was expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError

from tisserand.declarations.introspection import Place, options, place_of, tag_of, types_in, words_of
from tisserand.declarations.number_range import short
from tisserand.errors import ArgumentError, CaseError, InputError, UnknownKeyError, nearest

if TYPE_CHECKING:
    from tisserand.declarations.base import Table


def problem(
    key: str | tuple[str | int, ...],
    what: str,
    *,
    found: object = None,
    expected: object = None,
    advice: str | None = None,
    known: Sequence[str] | None = None,
) -> Exception:
    """A mistake at a key of the table that checks itself (``""``: the table, a tuple: further in); raise it in a ``@check``.

    ``known`` are the names that would have been right: the nearest is suggested.
    """
    if known is not None:
        expected = expected or ("one of " + ", ".join(known) if known else None)
        what = what if known else f"{what}: none are defined"
        close = nearest(str(found), known)
        found, advice = repr(found), advice or (f"did you mean {close!r}?" if close else None)
    elif found is not None and not isinstance(found, str):
        found = shown(found)
    words = key if isinstance(key, tuple) else (key,) if key else ()
    facts = {
        "key": words,
        "what": what,
        "found": found,
        "expected": expected,
        "advice": advice,
        "unknown": known is not None,
    }
    return PydanticCustomError("tisserand", "{what}", facts)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Fault:
    """One mistake: the key path, and the facts of a ``TisserandError``."""

    path: tuple[str | int, ...]
    what: str
    found: object = None
    expected: object = None
    _: KW_ONLY
    advice: str | None = None
    unknown: bool = False
    missing: bool = False
    forks: tuple[tuple[int, str], ...] = ()
    vague: bool = (
        False  # a wrong type only: of several such at one union, the words of the whole union are more informative
    )

    @property
    def key(self) -> str:
        return key_of(self.path)

    @property
    def argument(self) -> bool:
        """Whether Python would call it a TypeError: an unknown or missing keyword, or a value of another type."""
        return self.missing or self.vague or (self.unknown and self.what == "unknown key")

    def error(self, file: str | Path | None, kind: type[InputError], others: tuple[InputError, ...] = ()) -> InputError:
        facts: dict[str, Any] = {"found": self.found, "expected": self.expected, "advice": self.advice}
        made: InputError
        if file is None:
            if kind is InputError and self.argument:
                kind = ArgumentError
            made = kind(f"{self.key}: {self.what}" if self.key else self.what, **facts)
        else:
            made = (UnknownKeyError if self.unknown else CaseError)(file, self.key, self.what, **facts)
        return made.with_others(others) if others else made


def key_of(path: Sequence[str | int]) -> str:
    """A key path as people write it: ``bodies.bus.mass``, ``supports[2].at``."""
    text = ""
    for word in path:
        if word == "[key]":  # pydantic's word for a name itself
            continue
        if isinstance(word, int):
            text += f"[{word}]"
        else:
            plain = word and all(c.isalnum() or c in "-_" for c in word)
            text += ("." if text else "") + (word if plain else f'"{word}"')
    return text


def shown(value: object) -> str:
    """A TOML value in the reader's words, with the value when it is short."""
    names = {
        bool: "",
        int: "the number",
        float: "the number",
        str: "the string",
        list: "a list",
        tuple: "a list",
        type(None): "",
    }
    if isinstance(value, dict):
        return "a table"
    if hasattr(value, "isoformat"):
        return f"the date or time {value.isoformat()}"
    word = names.get(type(value), f"a {type(value).__name__}")
    if (digits := short(value)) is not value:
        return str(digits)
    text = repr(list(value) if isinstance(value, tuple) else value)
    text = text.lower() if isinstance(value, bool) else text
    return f"{word} {text}".lstrip() if len(text) <= 60 else word


def fault(kind: type[Table], data: Any, mistakes: Sequence[Any], file: str | Path | None = None) -> InputError:
    """One error for all mistakes: the most helpful first, the others in its ``others``."""
    faults = _without_echoes(_one_per_union([_fault(kind, data, item) for item in mistakes]))
    found = list({(item.key, item.what): item for item in faults}.values())
    found.sort(key=lambda item: not item.unknown)  # a misspelled key explains much of what follows
    first, *rest = found
    return first.error(file, kind.raises, tuple(item.error(file, kind.raises) for item in rest))


def _value_at(data: Any, path: Sequence[str | int]) -> Any:
    for word in path:
        try:
            data = data[word]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _fault(kind: type[Table], data: Any, item: Any) -> Fault:
    place = place_of(kind, item["loc"])
    ctx, error = item.get("ctx", {}), item["type"]
    if error == "tisserand":
        path = (*place.path, *ctx["key"])
        return Fault(
            path,
            ctx["what"],
            ctx["found"],
            ctx["expected"],
            advice=ctx["advice"],
            unknown=ctx["unknown"],
            forks=place.forks,
        )
    if error == "extra_forbidden":
        return _unknown_key(place, item["input"])
    if error.startswith("union_tag"):
        return _wrong_tag(place, error, ctx, data)
    path, value = place.path, item["input"]
    if error == "missing" and path and isinstance(path[-1], int):  # a list that is too short
        path, value, error = path[:-1], _value_at(data, path[:-1]), "too_short"
        place = place_of(kind, item["loc"][:-1])
    expected = place.option.expected if place.option else words_of(place.annotation)
    if error == "missing":
        return Fault(path, "is missing", expected=expected, missing=True, forks=place.forks)
    if error == "literal_error" and isinstance(value, str):
        words = words_of(place.annotation).removeprefix("one of ").split(", ")
        close = nearest(value, [word for item in words for word in item.split(" or ")])
        elsewhere = place.holder.elsewhere.get(value.strip().lower()) if place.holder else None
        advice = elsewhere or (f"did you mean {close!r}?" if close else None)
        expected = "one of " + ", ".join(words)
        return Fault(path, "unknown choice", repr(value), expected, advice=advice, unknown=True, forks=place.forks)
    if error in ("greater_than", "greater_than_equal", "less_than", "less_than_equal"):
        return Fault(path, "is out of range", short(value), expected, forks=place.forks)
    what, vague = _WRONG.get(error, ("has the wrong type or value", True))
    if error == "string_too_short":
        expected = f"{expected} that is not empty"
    if place.words is not None:
        what, expected = place.words.what, place.words.words
    return Fault(path, what, shown(value), expected, forks=place.forks, vague=vague)


#: What pydantic's errors mean, and whether they only mean that the type differs.
_WRONG = {
    "float_type": ("is not a finite number", True),
    "finite_number": ("is not a finite number", False),
    "int_type": ("is not a whole number", True),
    "int_from_float": ("is not a whole number", True),
    "too_short": ("is not a list of the right length", False),
    "too_long": ("is not a list of the right length", False),
    "string_too_short": ("is empty", False),
}


def _unknown_key(place: Place, value: Any) -> Fault:
    *above, word = place.path
    if isinstance(value, dict) and place.forks and place.forks[-1][0] == len(above):  # [supports.foot] for [[supports]]
        found, expected = f"[{key_of(place.path)}]", f"[[{key_of(above)}]]"
        return Fault(tuple(above), "is a list here", found, expected, unknown=True, forks=place.forks)
    known = [item.name for item in options(place.holder)] if place.holder else []
    close = nearest(str(word), known)
    elsewhere = place.holder.elsewhere.get(str(word)) if place.holder else None
    advice = elsewhere or (f"did you mean {close!r}?" if close else None)
    expected = "one of " + ", ".join(known) if known else "no keys here"
    return Fault(place.path, "unknown key", expected=expected, advice=advice, unknown=True, forks=place.forks)


def _wrong_tag(place: Place, error: str, ctx: dict[str, Any], data: Any) -> Fault:
    members = [tag_of(member) for member in types_in(place.annotation)]
    key, tags = members[0][0], [word for _, words in members for word in words]
    expected = "one of " + ", ".join(tags)
    stated = _value_at(data, place.path)
    if error == "union_tag_not_found":
        if not isinstance(stated, dict):
            what, words = (place.words.what, place.words.words) if place.words else ("is not a table", "a table")
            return Fault(place.path, what, shown(stated), words, forks=place.forks, vague=True)
        return Fault((*place.path, key), "is missing", expected=expected, missing=True, forks=place.forks)
    tag = stated.get(key) if isinstance(stated, dict) else ctx["tag"]
    if not isinstance(tag, str):
        return Fault((*place.path, key), "has the wrong type or value", shown(tag), expected, forks=place.forks)
    close = nearest(tag, tags)
    advice = f"did you mean {close!r}?" if close else None
    return Fault(
        (*place.path, key), "unknown choice", repr(tag), expected, advice=advice, unknown=True, forks=place.forks
    )


def _one_per_union(faults: list[Fault]) -> list[Fault]:
    """Of the mistakes that the members of one union found, those of the member that fits best."""
    kept = [item for item in faults if not item.forks]
    groups: dict[tuple[Any, ...], dict[str, list[Fault]]] = {}
    for item in (item for item in faults if item.forks):
        depth, member = item.forks[0]
        groups.setdefault(item.path[:depth], {}).setdefault(member, []).append(item)
    for root, members in groups.items():
        fitting = [found for found in members.values() if not any(f.vague and f.path == root for f in found)]
        if not fitting:
            first = next(iter(members.values()))[0]
            reasons = {item.what for found in members.values() for item in found}
            kept.append(
                replace(first, what=reasons.pop() if len(reasons) == 1 else "has the wrong type or value", forks=())
            )
            continue
        inner = [_one_per_union([replace(item, forks=item.forks[1:]) for item in found]) for found in fitting]
        inner.sort(key=lambda found: (len(found), -max(len(item.path) for item in found)))
        kept.extend(inner[0])
    return kept


def _without_echoes(faults: list[Fault]) -> list[Fault]:
    """A missing key whose misspelling is present is not reported twice."""
    kept = []
    for item in faults:
        table, name = item.path[:-1], str(item.path[-1]) if item.path else ""
        beside = [str(other.path[-1]) for other in faults if other.unknown and other.path[:-1] == table and other.path]
        if item.missing and nearest(name, beside) is not None:
            continue
        kept.append(item)
    return kept
