"""Profiles of time in a vehicle file: a plain number, or a table with ``shape``."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.errors import CaseError
from tisserand.files import text_of
from tisserand.multibody import profiles
from tisserand.multibody.profiles import Profile
from tisserand.schema import Table
from tisserand.workflows.vehicle_file.places import at_key

SHAPES = ("constant", "step", "ramp", "smooth_ramp", "bang_bang", "versine", "sine", "spin_up", "table")


def profile_at(table: Table, key: str, default: float | None = None) -> Profile:
    """The profile under a key."""
    if default is not None and not table.has(key):
        return profiles.constant(default)
    if not isinstance(table.raw(key), dict):
        return profiles.constant(table.number(key))
    facts = table.table(key)
    with at_key(facts):
        return shaped(facts)


def shaped(facts: Table) -> Profile:
    """The profile that a table with ``shape`` states."""
    shape = facts.choice("shape", SHAPES)
    if shape == "constant":
        return profiles.constant(facts.number("value"))
    if shape == "sine":
        return profiles.sine(
            facts.number("amplitude"), facts.number("frequency_hz", above=0.0), np.radians(facts.number("phase_deg", 0.0)),
            facts.number("start", 0.0), facts.number("offset", 0.0),
        )  # fmt: skip
    if shape == "table":
        return _table(facts)
    value, start = facts.number("value"), facts.number("start", 0.0)
    if shape == "step":
        return profiles.step(value, start, facts.maybe_number("end"))
    duration = facts.number("duration", above=0.0)
    if shape == "bang_bang":
        return profiles.bang_bang(value, start, duration, facts.number("coast", 0.0, minimum=0.0))
    if shape in ("ramp", "smooth_ramp"):
        make = profiles.ramp if shape == "ramp" else profiles.smooth_ramp
        return make(value, start, duration, facts.number("first", 0.0))
    return (
        profiles.versine(value, start, duration)
        if shape == "versine"
        else profiles.spin_up(value, start, duration)
    )


def _table(facts: Table) -> Profile:
    """``times`` and ``values`` in the file, or the first two columns of a CSV ``file``."""
    kind = facts.choice("interpolation", ("linear", "hold", "cubic"), "linear")
    if facts.has("file"):
        times, values = read_columns(facts.path("file"), facts.integer("column", 2, minimum=2))
        scale = facts.number("scale", 1.0)
        return profiles.table(times, scale * values, kind)
    return profiles.table(facts.vector("times"), facts.vector("values"), kind)


def read_columns(path: Path, column: int) -> tuple[np.ndarray, np.ndarray]:
    """Times (column 1) and values (``column``) of a CSV file; lines that start with # or a letter are headings."""
    times, values = [], []
    for number, line in enumerate(text_of(path).splitlines(), 1):
        text = line.strip()
        if not text or text[0] == "#" or text[0].isalpha() or text[0] == '"':
            continue
        parts = text.replace(";", ",").split(",")
        try:
            times.append(float(parts[0]))
            values.append(float(parts[column - 1]))
        except (ValueError, IndexError):
            raise CaseError(
                path,
                f"line {number}",
                "is not a row of numbers",
                found=text[:60],
                expected=f"{column} columns",
            ) from None
    return np.array(times), np.array(values)
