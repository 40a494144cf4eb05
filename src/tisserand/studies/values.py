"""Values as typed by users: ranges, keys tied together, distributions, named nodes.

The patterns below are what is accepted and what the JSON Schema of study files states.
"""

from __future__ import annotations

import itertools
import math
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, StringConstraints, WithJsonSchema

from tisserand.declarations import FilePath, expecting, problem
from tisserand.errors import InputError, UnitsError
from tisserand.units import SYSTEMS, unit_system

if TYPE_CHECKING:
    pass


#: Values of one range, and combinations of a sweep.
MOST_VALUES = 1_000_000


_NUMBER = r" *[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)? *"
_FACTOR = r" *\+?(0*[1-9][0-9]*\.?[0-9]*|0*\.0*[1-9][0-9]*|0+\.0*[1-9][0-9]*)([eE][+-]?[0-9]+)? *"
_SYSTEM = r"\s*(" + "|".join("".join(f"[{c.lower()}{c.upper()}]" for c in name) for name in SYSTEMS) + r")\s*"
_COUNT = r" *0*([1-9][0-9]{0,5}|1000000) *"
_RANGE = f"{_NUMBER}:{_NUMBER}:{_COUNT}"
_LIST = f"{_NUMBER}(,{_NUMBER})*"
_VECTOR = f"{_NUMBER},{_NUMBER},{_NUMBER}"
_LAW = (
    rf"[*+]?((normal|uniform|lognormal):{_NUMBER}:{_NUMBER}|normal:{_NUMBER}:{_NUMBER}:{_NUMBER}:{_NUMBER}"
    rf"|triangular:{_NUMBER}:{_NUMBER}:{_NUMBER}|integer: *-?[0-9]{{1,15}} *: *-?[0-9]{{1,15}} *|table:{_LIST})"
)
_NODE = r"[0-9]+(\.0*)?"
_IDS = r" *[0-9]{1,18} *(, *[0-9]{1,18} *)*"
ITEM_WORDS = "ids, points or node sets, such as 101,102:123,feet"
_KEY = r"[^=]*[^=\s][^=]*"
_SHARD = f"{_COUNT}/{_COUNT}"
SHARD_WORDS = "K/N with K from 1 to N, such as 3/40"
_SCHEDULER = r"local|(tcp|tls|ws|wss|ucx|inproc)://\S+|[^\n]*\.json"
SCHEDULER_WORDS = "local, tcp://host:port, or a scheduler file that ends in .json"
LAW_WORDS = (
    "normal:mean:deviation, normal:mean:deviation:low:high, uniform:low:high, lognormal:median:deviation, "
    "triangular:low:mode:high, integer:low:high or table:a,b,c, after * or + relative to the value in the file"
)


def values_of(text: Any) -> Any:
    """``"0:180:13"`` (from, to, count) or ``"0,15,30"`` as numbers; everything else as it is."""
    if not isinstance(text, str):
        return text
    if re.fullmatch(_RANGE, text):
        first, last, many = text.split(":")
        low, high, count = float(first), float(last), int(many)
        step = (high - low) / max(count - 1, 1)
        return (*(low + step * i for i in range(count - 1)), high if count > 1 else low)
    if re.fullmatch(_LIST, text):
        return tuple(float(part) for part in text.split(","))
    expected = f"a,b,c or from:to:count, count from 1 to {MOST_VALUES}"
    raise problem("", "is not a list or range of values", found=repr(text[:60]), expected=expected)


def vector_of(text: Any) -> Any:
    """``"0,0,1"`` as three numbers; everything else as it is."""
    if not isinstance(text, str):
        return text
    if not re.fullmatch(_VECTOR, text):
        raise problem("", "is not a vector", found=repr(text[:60]), expected="3 numbers x,y,z")
    return tuple(float(part) for part in text.split(","))


def _is_center(text: Any) -> bool:
    return isinstance(text, str) and text.strip().lower() == "center"


def keys_of(group: str) -> list[str]:
    """The keys that ``+`` ties together."""
    words = [word.strip() for word in group.split("+")]
    if not all(words):
        raise InputError("a tied key is empty", found=repr(group), expected="KEY or KEY+KEY")
    return words


def shard_of(text: Any) -> Any:
    """``"3/40"`` as it is written, after checking that there is such a part."""
    if isinstance(text, str) and not (re.fullmatch(_SHARD, text) and part_of(text)[0] <= part_of(text)[1]):
        raise problem("", "is not a part of a study", found=repr(text[:60]), expected=SHARD_WORDS)
    return text


def part_of(shard: str) -> tuple[int, int]:
    """``"3/40"`` as (3, 40): the third of forty parts."""
    part, of = map(int, shard.split("/"))
    return part, of


def scheduler_of(text: Any) -> Any:
    """Where a Dask scheduler is, as it is written."""
    if isinstance(text, str) and not re.fullmatch(_SCHEDULER, text):
        raise problem("", "is not the place of a Dask scheduler", found=repr(text[:60]), expected=SCHEDULER_WORDS)
    return text


def law_of(text: Any) -> Any:
    """A distribution as it is written, after checking that it can be drawn from."""
    if not isinstance(text, str):
        return text
    if not re.fullmatch(_LAW, text):
        raise problem("", "is not a distribution", found=repr(text[:60]), expected=LAW_WORDS)
    _, kind, p = parts_of_law(text)
    spans = [b - a for a, b in itertools.pairwise(p)]
    if kind in ("normal", "lognormal"):
        spans = [p[1], *(p[3] - p[2] for _ in p[3:])]
    ordered = kind == "table" or all(span >= 0.0 for span in spans)
    center = kind != "lognormal" or p[0] > 0.0
    if not (all(map(math.isfinite, (*p, *spans))) and ordered and center):
        raise problem(
            "",
            "must have finite numbers, a deviation of 0 or more, a median above 0, and low before high",
            found=repr(text[:60]),
            expected=LAW_WORDS,
        )
    return text


def parts_of_law(text: str) -> tuple[str, str, tuple[float, ...]]:
    """``"*normal:1:0.1"`` as its relation to the value in the file (``*``, ``+`` or none), kind and numbers."""
    relation = text[0] if text[0] in "*+" else ""
    kind, _, numbers = text.removeprefix(relation).partition(":")
    return relation, kind, tuple(float(part) for part in re.split("[:,]", numbers))


def assignments(texts: Any, example: str) -> Any:
    """``("tip=4021", ...)`` as a table, each name once; a table as it is. ``example`` is quoted to who writes something else."""
    if isinstance(texts, Mapping):
        return dict(texts)
    if not isinstance(texts, str | list | tuple):
        return texts
    table: dict[str, Any] = {}
    for text in (texts,) if isinstance(texts, str) else texts:
        name, sign, value = (part.strip() for part in str(text).partition("="))
        if not (name and sign and value):
            raise problem("", "must be KEY=VALUE", found=repr(text), expected=f"KEY=VALUE, such as {example}")
        if name in table:
            raise problem("", "states a key twice", found=repr(text), expected="each key once")
        table[name] = value
    return table


def numbered(table: Any) -> Any:
    """Values that are written as whole numbers become numbers."""
    made = assignments(table, "tip=4021")
    if not isinstance(made, dict):
        return made
    return {key: node_or_name(value) for key, value in made.items()}


def typed(table: Any) -> Any:
    """Values as a file would hold them: numbers, true, false, lists, else text."""
    made = assignments(table, "bodies.bus.mass=120")
    for key, value in made.items() if isinstance(made, dict) else ():
        if isinstance(value, str):
            try:
                made[key] = tomllib.loads(f"value = {value}")["value"]
            except RecursionError:
                raise problem("", "holds lists that are nested too deeply", found=key) from None
            except ValueError:  # TOMLDecodeError, and numbers of thousands of digits; .5 and 5. are numbers elsewhere
                made[key] = float(value) if re.fullmatch(_NUMBER, value) else value
    return made


def node_or_name(value: Any) -> Any:
    """A text of digits as a node id; everything else as it is."""
    return int(value.partition(".")[0]) if isinstance(value, str) and re.fullmatch(_NODE, value) else value


def items_of(value: Any) -> Any:
    """``"101,102:123,feet"``, or a list of such texts and ids, as one tuple of texts and ids."""
    single = (value,) if isinstance(value, str | int | float) and not isinstance(value, bool) else value
    if not isinstance(single, list | tuple):
        return value
    parts: list[Any] = []
    for item in single:
        whole = isinstance(item, float) and item.is_integer()
        parts += [part.strip() for part in item.split(",")] if isinstance(item, str) else [int(item) if whole else item]
    if any(part == "" for part in parts):
        raise problem("", "names an empty place", found=repr(value)[:60], expected=ITEM_WORDS)
    return tuple(node_or_name(part) for part in parts)


def elements_of(texts: Any) -> Any:
    """``LABEL=SET`` or ``LABEL=1,2,3`` as a table of set names and lists of ids."""
    made = assignments(texts, "root=1,2,3")
    if not isinstance(made, dict):
        return made
    return {
        key: tuple(int(part) for part in value.split(","))
        if isinstance(value, str) and re.fullmatch(_IDS, value)
        else value
        for key, value in made.items()
    }


def pairs_of(value: Any) -> Any:
    """``"20:0.01,80:0.04"``, or a list of such texts or of pairs, as pairs of numbers."""
    items = (value,) if isinstance(value, str) else value
    if not isinstance(items, list | tuple):
        return value
    out: list[Any] = []
    for item in items:
        if not isinstance(item, str):
            out.append(tuple(item) if isinstance(item, list) else item)
            continue
        for part in item.split(","):
            if not re.fullmatch(f"{_NUMBER}:{_NUMBER}", part):
                raise problem(
                    "", "is not a list of pairs", found=repr(part[:60]), expected="a:b,c:d, such as 20:0.01,80:0.04"
                )
            first, second = part.split(":")
            out.append((float(first), float(second)))
    return tuple(out)


def damping_of(value: Any) -> Any:
    """One ratio, or pairs of frequency and ratio."""
    if isinstance(value, list | tuple) and len(value) == 1 and isinstance(value[0], str):
        value = value[0]
    if isinstance(value, str) and re.fullmatch(_NUMBER, value):
        value = float(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return ((1.0, float(value)),)
    return pairs_of(value)


def numbers_of(texts: Any) -> Any:
    """``NAME=VALUE`` as a table of numbers."""
    made = assignments(texts, "interface force=2000")
    if not isinstance(made, dict):
        return made
    return {k: float(v) if isinstance(v, str) and re.fullmatch(_NUMBER, v) else v for k, v in made.items()}


def known_units(text: Any) -> Any:
    """The name of a unit system, or three factors, after checking that they are known."""
    if isinstance(text, list | tuple) and len(text) == 3 and all(type(part) in (int, float) for part in text):
        text = ",".join(map(repr, text))
    if isinstance(text, str):
        try:
            unit_system(text)
        except UnitsError as error:
            raise problem("", error.what, found=error.found, expected=error.expected) from None
    return text


def _text(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^({pattern})$"}


def _some(values: Any) -> Any:
    if not values:
        expected = "at least one key with its values" if isinstance(values, dict) else "at least one value"
        raise problem("", "is empty", expected=expected)
    return values


def _table(value: dict[str, Any], text: str, least: int = 0) -> WithJsonSchema:
    """The schema of a table that may also be written as KEY=VALUE, once or in a list; ``least``: how many keys it has."""
    typed = _text(f"{_KEY}={text}")
    names = {"minLength": 1}
    table = {"type": "object", "additionalProperties": value, "propertyNames": names, "minProperties": least}
    return WithJsonSchema({"anyOf": [table, {"type": "array", "items": typed, "minItems": least}, typed]})


_NUMBERS = {"type": "array", "items": {"type": "number"}}
_VALUES = {"anyOf": [{**_NUMBERS, "minItems": 1}, _text(_RANGE), _text(_LIST)]}
_VECTORS = {"anyOf": [{**_NUMBERS, "minItems": 3, "maxItems": 3}, _text(_VECTOR)]}
_SOMETHING = r"\s*\S(.|\s)*"

#: Numbers, or a text such as ``0:180:13`` or ``0,15,30``.
Values = Annotated[tuple[float, ...], BeforeValidator(values_of), AfterValidator(_some), WithJsonSchema(_VALUES)]
Vector = Annotated[tuple[float, float, float], BeforeValidator(vector_of), WithJsonSchema(_VECTORS)]
#: A point x,y,z, or the word for the mass center.
PointOrCenter = Annotated[
    tuple[float, float, float] | Literal["center"],
    expecting("3 numbers x,y,z, or center"),
    BeforeValidator(lambda text: text.strip().lower() if _is_center(text) else vector_of(text)),
    WithJsonSchema({"anyOf": [*_VECTORS["anyOf"], _text(r"\s*[cC][eE][nN][tT][eE][rR]\s*")]}),
]
#: Key of a vehicle file -> values; ``KEY+KEY`` ties keys to the same values.
Swept = Annotated[
    dict[str, Values],
    BeforeValidator(lambda texts: assignments(texts, "bodies.bus.mass=100:140:5")),
    AfterValidator(_some),
    _table(_VALUES, rf"(\s*({_RANGE}|{_LIST})\s*)", least=1),
]
#: One part of the samples of a study.
Shard = Annotated[str, BeforeValidator(shard_of), WithJsonSchema(_text(_SHARD))]
Scheduler = Annotated[str, BeforeValidator(scheduler_of), WithJsonSchema(_text(_SCHEDULER))]
Law = Annotated[str, BeforeValidator(law_of)]
Laws = Annotated[
    dict[str, Law],
    BeforeValidator(lambda texts: assignments(texts, "bodies.bus.mass=normal:120:2")),
    AfterValidator(_some),
    _table(_text(_LAW), rf"(\s*{_LAW}\s*)", least=1),
]
Points = Annotated[
    dict[str, int],
    BeforeValidator(numbered),
    _table({"anyOf": [{"type": "integer"}, _text(_NODE)]}, rf"(\s*{_NODE}\s*)"),
]
Digits = Annotated[str, StringConstraints(pattern=r"^[1-6]{1,6}$"), expecting("digits from 1 to 6, such as 123")]
#: Nodes as people list them; what each item means is settled by the model.
_ITEM = {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": r"^\s*[^,\s][^,]*(,\s*[^,\s][^,]*)*$"}]}
NodeItems = Annotated[
    tuple[int | str, ...],
    expecting(ITEM_WORDS),
    BeforeValidator(items_of),
    WithJsonSchema({"anyOf": [{"type": "array", "items": _ITEM}, *_ITEM["anyOf"]]}),
]
_ELEMENTS = {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "string", "pattern": r"\S"}]}
ElementChoices = Annotated[
    dict[str, str | tuple[int, ...]], BeforeValidator(elements_of), _table(_ELEMENTS, _SOMETHING)
]
Sections = Annotated[
    dict[str, str],
    BeforeValidator(lambda texts: assignments(texts, "root=y>0.35")),
    _table({"type": "string", "pattern": r"\S"}, _SOMETHING),
]


def _one_or_more(value: Any) -> Any:
    return (value,) if isinstance(value, str | Path) else value


#: Files to read, one or several.
_PATH = {"type": "string", "format": "path", "pattern": r"\S"}
FilePaths = Annotated[
    tuple[FilePath, ...],
    BeforeValidator(_one_or_more),
    AfterValidator(_some),
    WithJsonSchema({"anyOf": [{"type": "array", "items": _PATH, "minItems": 1}, _PATH]}),
]
_PAIR = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
_PAIR_TEXT = _text(f"{_NUMBER}:{_NUMBER}(,{_NUMBER}:{_NUMBER})*")
_PAIRS = {"anyOf": [{"type": "array", "items": {"anyOf": [_PAIR, _PAIR_TEXT]}, "minItems": 1}, _PAIR_TEXT]}
#: Pairs of numbers such as frequency and level: ``20:0.01,80:0.04``.
Pairs = Annotated[
    tuple[tuple[float, float], ...], BeforeValidator(pairs_of), AfterValidator(_some), WithJsonSchema(_PAIRS)
]
#: A damping ratio, or pairs of frequency and ratio.
DampingPairs = Annotated[
    tuple[tuple[float, float], ...],
    BeforeValidator(damping_of),
    AfterValidator(_some),
    WithJsonSchema({"anyOf": [{"type": "number"}, _text(_NUMBER), *_PAIRS["anyOf"]]}),
]
_NUMERIC: dict[str, Any] = {"anyOf": [{"type": "number"}, _text(_NUMBER)]}
Limits = Annotated[dict[str, float], BeforeValidator(numbers_of), _table(_NUMERIC, rf"({_NUMBER})")]
Settings = Annotated[dict[str, Any], BeforeValidator(typed), _table({}, _SOMETHING)]
#: A unit system by name in any case, or factors ``length,mass,time`` to SI.
_FACTORS = {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 3, "maxItems": 3}
Units = Annotated[
    str,
    BeforeValidator(known_units),
    WithJsonSchema({"anyOf": [_text(f"{_SYSTEM}|{_FACTOR},{_FACTOR},{_FACTOR}"), _FACTORS]}),
]
_NODE_FRAME = r"\s*[nN][oO][dD][eE](\s*:\s*[^:\s]([^:]*[^:\s])?)?\s*"


def _frame_of(text: Any) -> Any:
    """``Node: 17`` as ``node:17``; everything else as it is."""
    if not isinstance(text, str) or not re.fullmatch(_NODE_FRAME, text):
        return text
    _, colon, which = text.partition(":")
    return f"node{colon}{which.strip()}"


#: A floating frame by name, or ``node:ID`` (``node:NAME`` for a named point).
Frame = Annotated[
    Literal["connection", "buckens", "tisserand", "milne", "free"]
    | Annotated[
        str,
        StringConstraints(pattern=r"^node(:[^:\s]([^:]*[^:\s])?)?$"),
        BeforeValidator(_frame_of),
        WithJsonSchema(_text(_NODE_FRAME)),
    ],
    expecting("connection, buckens, tisserand, milne, free, node or node:ID", "is not a frame"),
]
NodeOrName = Annotated[int | str, expecting("a node id or the name of a point"), BeforeValidator(node_or_name)]
