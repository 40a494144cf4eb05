"""Values as people type them: ranges, keys tied together, distributions, named nodes."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator

from tisserand.declarations import expecting
from tisserand.errors import InputError

if TYPE_CHECKING:
    import numpy as np


#: Values of one range, and combinations of a sweep.
MOST_VALUES = 1_000_000


def values_of(text: Any) -> Any:
    """``"0:180:13"`` (from, to, count) or ``"0,15,30"`` as numbers; everything else as it is."""
    if not isinstance(text, str):
        return text
    try:
        if ":" in text:
            first, last, many = text.split(":")
            low, high, count = float(first), float(last), int(many)
            if not 1 <= count <= MOST_VALUES:
                expected = f"from:to:count, count from 1 to {MOST_VALUES}"
                raise InputError("a range needs one value or more", found=repr(text[:60]), expected=expected)
            step = (high - low) / max(count - 1, 1)
            return (*(low + step * i for i in range(count - 1)), high if count > 1 else low)
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise InputError("not a range of values", found=repr(text[:60]), expected="from:to:count or a,b,c") from None


def keys_of(group: str) -> list[str]:
    """The keys that ``+`` ties together."""
    words = [word.strip() for word in group.split("+")]
    if not all(words):
        raise InputError("a tied key is empty", found=repr(group), expected="KEY or KEY+KEY")
    return words


def draw_of(text: str, rng: np.random.Generator) -> float:
    """``normal:mean:deviation`` or ``uniform:low:high``."""
    kind, *numbers = text.split(":")
    try:
        a, b = (float(n) for n in numbers)
    except ValueError:
        raise InputError(
            "not a distribution", found=repr(text), expected="normal:mean:deviation or uniform:low:high"
        ) from None
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(b - a)) or (b < 0.0 if kind == "normal" else b < a):
        raise InputError(
            "a distribution needs finite numbers, a deviation of 0 or more, and low before high",
            found=repr(text),
            expected="normal:mean:deviation or uniform:low:high",
        )
    if kind == "normal":
        return float(rng.normal(a, b))
    if kind == "uniform":
        return float(rng.uniform(a, b))
    raise InputError("unknown distribution", found=repr(kind), expected="normal or uniform")


def assignments(texts: Any) -> Any:
    """``("tip=4021", ...)`` as a table, each name once; a table as it is."""
    if isinstance(texts, Mapping):
        return dict(texts)
    table: dict[str, Any] = {}
    for text in (texts,) if isinstance(texts, str) else texts:
        name, sign, value = (part.strip() for part in str(text).partition("="))
        if not (name and sign and value):
            raise InputError("not a key with a value", found=repr(text), expected="KEY=VALUE, such as tip=4021")
        if name in table:
            raise InputError("a key is stated twice", found=repr(text), expected="each key once")
        table[name] = value
    return table


def numbered(table: Any) -> Any:
    """Values that are written as whole numbers become numbers."""
    made = assignments(table)
    return {key: int(v) if isinstance(v, str) and v.isdecimal() else v for key, v in made.items()}


def typed(table: Any) -> Any:
    """Values as a file would hold them: numbers, true, false, lists, else text."""
    made = assignments(table)
    for key, value in made.items():
        if isinstance(value, str):
            try:
                made[key] = tomllib.loads(f"value = {value}")["value"]
            except RecursionError:
                raise InputError("lists are nested too deeply", where=key) from None
            except ValueError:  # TOMLDecodeError, and numbers of thousands of digits
                made[key] = value
    return made


def node_or_name(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdecimal() else value


#: Numbers, or a text such as ``0:180:13`` or ``0,15,30``.
Values = Annotated[tuple[float, ...], BeforeValidator(values_of)]
Vector = Annotated[tuple[float, float, float], BeforeValidator(values_of)]
#: Key of a vehicle file -> values; ``KEY+KEY`` ties keys to the same values.
Swept = Annotated[dict[str, Values], BeforeValidator(assignments)]
Laws = Annotated[dict[str, str], BeforeValidator(assignments)]
Points = Annotated[dict[str, int], BeforeValidator(numbered)]
Settings = Annotated[dict[str, Any], BeforeValidator(typed)]
NodeOrName = Annotated[int | str, expecting("a node id or the name of a point"), BeforeValidator(node_or_name)]
