"""Small values of a case file: places, axes, inertias, components, units."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Field

from tisserand.declarations import Declared, expecting, option, problem, stating
from tisserand.declarations.base import spelled
from tisserand.declarations.common_values import Rows3, Vector, inertia_matrix
from tisserand.errors import UnitsError, nearest
from tisserand.units import FACTORS, SYSTEMS, UnitSystem, unit_system

Six = tuple[float, float, float, float, float, float]

#: Where something sits: a node id, the name of a set, node or point, or coordinates in the case's length unit.
PlaceValue = Annotated[
    int | str | Vector, expecting("a node id, a set or point name, or three coordinates", "is not a place")
]


def _pointed(value: Any) -> Any:
    if not (isinstance(value, list | tuple) and any(isinstance(x, float) for x in value)):
        raise problem("", "is not a place")
    return value


#: Several places; three numbers of which one has a decimal point are coordinates, three whole numbers are node ids.
Places = Annotated[
    Annotated[Vector, BeforeValidator(_pointed)] | Annotated[tuple[PlaceValue, ...], Field(min_length=1)] | PlaceValue,
    Field(union_mode="left_to_right"),
    expecting("a place, or a list of them", "is not a place"),
]
#: Groups of cells.
Groups = Annotated[
    int | str | tuple[int | str, ...], expecting("a name, a number, or a list of them", "is not a group")
]


def _direction(value: Vector) -> Vector:
    if not np.any(value):
        raise problem("", "is a zero vector", expected="a direction")
    return value


def _perpendicular(value: Rows3) -> Rows3:
    axes = np.array(value)
    if not np.allclose(axes @ axes.T, np.eye(3), atol=1e-6) or np.linalg.det(axes) < 0.0:
        raise problem("", "are not three perpendicular right-handed unit vectors")
    return value


def _rigid(value: Any) -> Any:
    inertia = inertia_matrix(value)
    if not np.allclose(inertia, inertia.T, rtol=1e-9, atol=0.0):
        raise problem("", "is not symmetric", found=[list(row) for row in value])
    a, b, c = np.linalg.eigvalsh(inertia)
    slack = 1e-9 * max(c, 0.0)
    if a < -slack or a + b < c - slack:
        raise problem(
            "", "belongs to no rigid body", found=f"principal values {a:.6g}, {b:.6g}, {c:.6g}",
            expected="none negative and none above the sum of the other two",
        )  # fmt: skip
    return value


def _digits(value: str | int) -> str:
    digits = str(value)
    if not digits or set(digits) - set("123456") or len(set(digits)) != len(digits):
        raise problem("", "invalid components", found=repr(value), expected="digits out of 123456, each once")
    return digits


Direction = Annotated[Vector, AfterValidator(_direction), stating({"contains": {"not": {"const": 0}}})]
Axes = Annotated[Rows3, AfterValidator(_perpendicular)]
Inertia = Annotated[
    Vector | Rows3, AfterValidator(_rigid), expecting("3 principal values, or 3 rows of 3 numbers", "is not an inertia")
]
Components = Annotated[
    Annotated[str, stating({"pattern": r"^(?!.*(.).*\1)[1-6]+$"})]
    | Annotated[int, stating({"minimum": 1, "maximum": 654321})],
    AfterValidator(_digits),
    expecting("digits out of 123456, each once", "invalid components"),
]


class UnitFactors(Declared):
    """Factors that turn the file's units into SI."""

    length: float = option(..., "of the length unit", unit="m", above=0.0)
    mass: float = option(..., "of the mass unit", unit="kg", above=0.0)
    time: float = option(..., "of the time unit", unit="s", above=0.0)


def _known_units(value: str | UnitFactors) -> str | UnitFactors:
    try:
        system_of(value)
    except UnitsError as error:
        close = nearest(str(value), SYSTEMS)
        advice = f"did you mean {close!r}?" if close else error.advice
        raise problem("", error.what, found=repr(value), expected=error.expected, advice=advice) from error
    return value


#: The name of a unit system, or three factors, as text.
UnitName = Annotated[
    str,
    AfterValidator(_known_units),
    stating({"pattern": f"{spelled(tuple(SYSTEMS))}|^{FACTORS}$"}),
    expecting(f"{', '.join(SYSTEMS)}, or three factors", "is not a unit system"),
]
Units = Annotated[
    Annotated[str, stating({"pattern": f"{spelled(tuple(SYSTEMS))}|^{FACTORS}$"})] | UnitFactors,
    AfterValidator(_known_units),
    expecting(f"{', '.join(SYSTEMS)}, three factors, or a table", "is not a unit system"),
]


def system_of(units: str | UnitFactors) -> UnitSystem:
    """The unit system that a file states."""
    if isinstance(units, UnitFactors):
        return unit_system(f"{units.length!r},{units.mass!r},{units.time!r}")
    return unit_system(units)
