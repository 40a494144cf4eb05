"""``[[supports]]`` and the small words that several tables share: places and components."""

from __future__ import annotations

from math import inf

from tisserand.readers.case.types import At, Region, SupportRule
from tisserand.schema import Table
from tisserand.units import UnitSystem


def support_of(table: Table, units: UnitSystem) -> SupportRule:
    """Components held at one place, at a list of places, or at the mesh nodes of a ``box`` or ``plane``."""
    which = table.one_of("at", "box", "plane")
    at: tuple[At, ...] | Region
    if which == "at":
        at = _places(table, units)
    else:
        inner = table.table(which)
        at = _box(inner, units) if which == "box" else _plane(inner, units)
    return SupportRule(table.key, at, components_of(table, "123456"))


def _places(table: Table, units: UnitSystem) -> tuple[At, ...]:
    """One place, or a list of them; three numbers are coordinates when one has a decimal point, else three node ids."""
    value = table.raw("at")
    if not isinstance(value, list) or (len(value) == 3 and any(isinstance(x, float) for x in value)):
        return (place_of(table, "at", value, units),)
    if not value:
        raise table.error("at", "is an empty list", expected="node ids, or names of sets or points")
    return tuple(place_of(table, f"at[{i}]", item, units) for i, item in enumerate(value))


def _box(table: Table, units: UnitSystem) -> Region:
    low, high = (table.vector(word, 3) * units.length for word in ("low", "high"))
    if (low > high).any():
        raise table.error("high", "lies below low", found=(high / units.length).tolist(), expected="each coordinate from low on")
    return Region(table.key, "box", tuple(low.tolist()), tuple(high.tolist()))


def _plane(table: Table, units: UnitSystem) -> Region:
    """``axis`` and ``value``; ``tolerance`` (default: 1e-6 of the model's size) on either side."""
    axis = table.choice("axis", ("x", "y", "z"))
    value = table.number("value") * units.length
    stated = table.maybe_number("tolerance", minimum=0.0)
    reach = 0.0 if stated is None else stated * units.length
    number = "xyz".index(axis)
    low, high = [-inf] * 3, [inf] * 3
    low[number], high[number] = value - reach, value + reach
    return Region(table.key, f"plane {axis}", tuple(low), tuple(high), slack=stated is None)  # type: ignore[arg-type]


def place_of(table: Table, key: str, value: object, units: UnitSystem) -> At:
    """A node id, a name, or coordinates turned into m."""
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, list) and len(value) == 3:
        x, y, z = (float(p) * units.length for p in Table({key: value}, table.file, table.key).vector(key, 3))
        return (x, y, z)
    raise table.error(
        key,
        "is not a place",
        found=repr(value),
        expected="a node id, a set or point name, or three coordinates",
    )


def components_of(table: Table, default: str) -> str:
    """Digits out of 123456, each once."""
    value = table.raw("components", default)
    digits = str(value) if not isinstance(value, bool) else ""
    if not digits or set(digits) - set("123456") or len(set(digits)) != len(digits):
        raise table.error("components", "are not components", found=repr(value), expected="digits out of 123456")
    return digits
