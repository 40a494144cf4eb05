"""Values of studies of many runs as typed by users: measures, percentiles, numbers of samples."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from tisserand.declarations import problem
from tisserand.studies.values import assignments

_PERCENT = r" *(0*[1-9][0-9]?(\.[0-9]*)?|0*\.0*[1-9][0-9]*) *"
_COUNTED = r" *0*[1-9][0-9]{0,17} *"
PERCENT_WORDS = "numbers between 0 and 100, such as 50,95,99.73"


def _some_text(pattern: str) -> dict[str, Any]:
    """The schema of a text: one or more of a pattern, with commas between them."""
    return {"type": "string", "pattern": f"^({pattern}(,{pattern})*)$"}


def percents_of(value: Any) -> Any:
    """``"50,95,99.73"`` as numbers; everything else as it is."""
    if not isinstance(value, str):
        return value
    if not re.fullmatch(f"{_PERCENT}(,{_PERCENT})*", value):
        raise problem("", "is not a list of percentiles", found=repr(value[:60]), expected=PERCENT_WORDS)
    return tuple(map(float, value.split(",")))


def _within(values: tuple[float, ...]) -> tuple[float, ...]:
    if not values or any(not 0.0 < value < 100.0 for value in values):
        raise problem("", "is not a list of percentiles", found=repr(values)[:60], expected=PERCENT_WORDS)
    return values


def counted_of(value: Any) -> Any:
    """``"7"`` or ``"3,7"``, or a list of such texts and numbers, as whole numbers."""
    if not isinstance(value, str | list | tuple):
        return value
    items = [part for item in ([value] if isinstance(value, str) else value) for part in _parts(item)]
    return tuple(int(item) if isinstance(item, str) and re.fullmatch(_COUNTED, item) else item for item in items)


def _parts(item: Any) -> list[Any]:
    return item.split(",") if isinstance(item, str) else [item]


_NUMBER = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 100}
#: Percentiles, as numbers or a text such as ``50,95,99.73``.
Percents = Annotated[
    tuple[float, ...],
    BeforeValidator(percents_of),
    AfterValidator(_within),
    WithJsonSchema({"anyOf": [{"type": "array", "items": _NUMBER, "minItems": 1}, _some_text(_PERCENT)]}),
]
_SAMPLE = {"anyOf": [{"type": "integer", "minimum": 1}, _some_text(_COUNTED)]}
#: Numbers of samples, from 1.
SampleNumbers = Annotated[
    tuple[Annotated[int, Field(ge=1)], ...],
    BeforeValidator(counted_of),
    WithJsonSchema({"anyOf": [{"type": "array", "items": _SAMPLE}, _some_text(_COUNTED)]}),
]
_TYPED = {"type": "string", "pattern": r"^[^=]*[^=\s][^=]*=\s*\S(.|\s)*$"}
_TABLE = {
    "type": "object",
    "additionalProperties": {"type": "string", "pattern": r"\S"},
    "propertyNames": {"minLength": 1},
}
#: Name of a measure -> expression.
Measures = Annotated[
    dict[str, str],
    BeforeValidator(lambda texts: assignments(texts, "late=rms(after(rate,10))")),
    WithJsonSchema({"anyOf": [_TABLE, {"type": "array", "items": _TYPED}, _TYPED]}),
]
