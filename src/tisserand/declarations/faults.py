"""From pydantic's list of mistakes to one ``CaseError`` that names each key, what was found and what was expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError

from tisserand.declarations.options import Place, options, place_of, tag_of, types_in, words_of
from tisserand.errors import CaseError, InputError, UnknownKeyError, nearest

if TYPE_CHECKING:
    from tisserand.declarations.base import Declared


def problem(
    key: str,
    what: str,
    *,
    found: object = None,
    expected: object = None,
    advice: str | None = None,
    known: Sequence[str] | None = None,
) -> Exception:
    """A mistake at a key of the table that checks itself (``""``: the table); raise it in a ``@check``.

    ``known`` are the names that would have been right: the nearest is suggested.
    """
    if known is not None:
        expected = expected or ("one of " + ", ".join(known) if known else "none exist")
        close = nearest(str(found), known)
        found, advice = repr(found), advice or (f"did you mean {close!r}?" if close else None)
    elif found is not None and not isinstance(found, str):
        found = shown(found)
    facts = {"key": key, "what": what, "found": found, "expected": expected, "advice": advice, "unknown": known is not None}
    return PydanticCustomError("tisserand", "{what}", facts)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Fault:
    """One mistake: the key path, and the facts of a ``TisserandError``."""

    path: tuple[str | int, ...]
    what: str
    found: object = None
    expected: object = None
    advice: str | None = None
    unknown: bool = False
    missing: bool = False
    fork: int | None = None
    vague: bool = False  # a wrong type only: of several such at one union, the words of the whole union say more

    @property
    def key(self) -> str:
        return key_of(self.path)

    def error(self, file: str | Path | None, kind: type[InputError], others: tuple[InputError, ...] = ()) -> InputError:
        facts: dict[str, Any] = {"found": self.found, "expected": self.expected, "advice": self.advice}
        made: InputError
        if file is None:
            made = kind(f"{self.key}: {self.what}" if self.key else self.what, **facts)
        else:
            made = (UnknownKeyError if self.unknown else CaseError)(file, self.key, self.what, **facts)
        return made.with_others(others) if others else made


def key_of(path: Sequence[str | int]) -> str:
    """A key path as people write it: ``bodies.bus.mass``, ``supports[2].at``."""
    text = ""
    for word in path:
        if isinstance(word, int):
            text += f"[{word}]"
        else:
            plain = word and all(c.isalnum() or c in "-_" for c in word)
            text += ("." if text else "") + (word if plain else f'"{word}"')
    return text


def shown(value: object) -> str:
    """A TOML value in the reader's words, with the value when it is short."""
    names = {bool: "the flag", int: "the number", float: "the number", str: "the text", list: "a list", tuple: "a list"}
    if isinstance(value, dict):
        return "a table"
    word = names.get(type(value), f"a {type(value).__name__}")
    text = repr(list(value) if isinstance(value, tuple) else value)
    text = text.lower() if isinstance(value, bool) else text
    return f"{word} {text}" if len(text) <= 60 else word


def fault(
    kind: type[Declared], data: Any, mistakes: Sequence[Any], file: str | Path | None = None
) -> InputError:
    """One error for all mistakes: the most helpful first, the others in its ``others``."""
    found = _without_echoes(_one_per_union([_fault(kind, data, item) for item in mistakes], data))
    found.sort(key=lambda item: not item.unknown)  # a misspelt key explains much of what follows
    first, *rest = found
    return first.error(file, kind.raises, tuple(item.error(file, kind.raises) for item in rest))


def _value_at(data: Any, path: Sequence[str | int]) -> Any:
    for word in path:
        try:
            data = data[word]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _fault(kind: type[Declared], data: Any, item: Any) -> Fault:
    place = place_of(kind, item["loc"])
    ctx, error = item.get("ctx", {}), item["type"]
    if error == "tisserand":
        path = (*place.path, *([ctx["key"]] if ctx["key"] else []))
        return Fault(
            path, ctx["what"], ctx["found"], ctx["expected"], ctx["advice"], unknown=ctx["unknown"], fork=place.fork
        )
    if error == "extra_forbidden":
        return _unknown_key(place)
    if error.startswith("union_tag"):
        return _wrong_tag(place, error, ctx, data)
    path, value = place.path, item["input"]
    if error == "missing" and path and isinstance(path[-1], int):  # a list that is too short
        path, value, error = path[:-1], _value_at(data, path[:-1]), "too_short"
        place = place_of(kind, item["loc"][:-1])
    expected = place.option.expected if place.option else words_of(place.annotation)
    if error == "missing":
        return Fault(path, "is missing", expected=expected, missing=True, fork=place.fork)
    if path and isinstance(path[-1], int) and place.option is not None:  # one number of a list
        expected = f"{words_of(place.annotation)} {place.option.range_words}".rstrip()
        expected = f"{expected}, in {place.option.unit}" if place.option.unit else expected
    if error == "literal_error" and isinstance(value, str):
        words = words_of(place.annotation).removeprefix("one of ").split(", ")
        close = nearest(value, words)
        advice = f"did you mean {close!r}?" if close else None
        return Fault(path, "unknown choice", repr(value), "one of " + ", ".join(words), advice, True, fork=place.fork)
    what, vague = "has the wrong type or value", True
    if error in ("greater_than", "greater_than_equal", "less_than", "less_than_equal"):
        return Fault(path, "is out of range", value, expected, fork=place.fork)
    elif error in ("float_type", "finite_number"):
        what, vague = "is not a finite number", error == "float_type"
    elif error in ("int_type", "int_from_float"):
        what = "is not a whole number"
    elif error in ("too_short", "too_long"):
        what, vague = "is not a list of the right length", False
    elif error == "string_too_short":
        what, vague, expected = "is empty", False, "a text that is not empty"
    return Fault(path, what, shown(value), expected, fork=place.fork, vague=vague)


def _unknown_key(place: Place) -> Fault:
    *_, word = place.path
    known = [item.name for item in options(place.holder)] if place.holder else []
    close = nearest(str(word), known)
    advice = f"did you mean {close!r}?" if close else None
    expected = "one of " + ", ".join(known) if known else "no keys here"
    return Fault(place.path, "unknown key", expected=expected, advice=advice, unknown=True, fork=place.fork)


def _wrong_tag(place: Place, error: str, ctx: dict[str, Any], data: Any) -> Fault:
    members = [tag_of(member) for member in types_in(place.annotation)]
    key, tags = members[0][0], [word for _, words in members for word in words]
    expected = "one of " + ", ".join(tags)
    stated = _value_at(data, place.path)
    if error == "union_tag_not_found":
        if not isinstance(stated, dict):
            return Fault(place.path, "has the wrong type or value", shown(stated), "a table", fork=place.fork)
        return Fault((*place.path, key), "is missing", expected=expected, missing=True, fork=place.fork)
    tag = str(ctx["tag"])
    close = nearest(tag, tags)
    advice = f"did you mean {close!r}?" if close else None
    return Fault((*place.path, key), "unknown choice", repr(tag), expected, advice, True, fork=place.fork)


def _one_per_union(faults: list[Fault], data: Any) -> list[Fault]:
    """Of the mistakes that the members of one union found, those of the member that came furthest."""
    kept: list[Fault] = []
    for item in faults:
        if item.fork is None:
            kept.append(item)
            continue
        root = item.path[: item.fork]
        rivals = [other for other in faults if other.fork == item.fork and other.path[: item.fork] == root]
        deepest = max(len(other.path) for other in rivals)
        best = [other for other in rivals if len(other.path) == deepest]
        best = [other for other in best if not other.vague] or best
        if deepest == len(root) and len(best) > 1:
            text = " or ".join(dict.fromkeys(str(other.expected) for other in best))
            best = [Fault(item.path, best[0].what if len({o.what for o in best}) == 1 else "has the wrong type or value",
                          best[0].found, text)]  # fmt: skip
        kept.extend(other for other in best if other not in kept)
    return kept


def _without_echoes(faults: list[Fault]) -> list[Fault]:
    """A missing key whose misspelling stands beside it is not reported twice."""
    kept = []
    for item in faults:
        table, name = item.path[:-1], str(item.path[-1]) if item.path else ""
        beside = [str(other.path[-1]) for other in faults if other.unknown and other.path[:-1] == table and other.path]
        if item.missing and nearest(name, beside) is not None:
            continue
        kept.append(item)
    return kept
