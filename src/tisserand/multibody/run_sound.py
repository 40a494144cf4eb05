"""What holds for every run, whoever wrote its file: times that rise, histories of one length, finite numbers.

Serves the records of theory section 5.4.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import numpy as np

from tisserand.errors import RecordError
from tisserand.multibody.moments import HISTORIES, MOMENT_SHAPES
from tisserand.multibody.trajectory import ARRAYS, MAPPINGS, Trajectory

#: Shape of one output time of the arrays that a body does not own.
_BASE = {"position": (3,), "attitude": (4,), "velocity": (3,), "angular_velocity": (3,)}


def refuse_unsound(path: str | Path, run: Trajectory) -> Trajectory:
    """The run itself, or a ``RecordError`` that names what no run can have."""

    def wrong(what: str, **facts: object) -> RecordError:
        return RecordError(path, f"the run is invalid: {what}", **facts)

    n, b = len(run.times), len(run.bodies)
    if run.times.ndim != 1 or n == 0 or not np.isfinite(run.times).all() or (np.diff(run.times) < 0.0).any():
        raise wrong("its times do not increase", found=f"shape {run.times.shape}")
    shapes = {**_BASE, "rotation": (b, 3, 3)}
    for word in ARRAYS[1:]:
        expected = (n, *shapes.get(word, (b, 3)))
        if getattr(run, word).shape != expected:
            raise wrong(f"{word} has another shape", found=getattr(run, word).shape, expected=expected)
    histories = {word: getattr(run, word) for word in ARRAYS}
    for word in MAPPINGS:
        for name, values in getattr(run, word).items():
            if values.ndim not in (1, 2) or len(values) != n:
                raise wrong(f"{word} {name!r} has another length", found=values.shape, expected=f"{n} output times")
            histories[f"{word} {name!r}"] = values
    for item in fields(run.balance):
        value = getattr(run.balance, item.name)
        if np.ndim(value) and len(value) != n:
            raise wrong(f"balance {item.name} has another length", found=len(value), expected=n)
        histories[f"balance {item.name}"] = np.asarray(value, dtype=float)
    if run.kept_moments is not None:
        for word, size in MOMENT_SHAPES.items():
            value = np.asarray(getattr(run.kept_moments, word))
            expected = (n, *size) if word in HISTORIES else size
            if value.shape != expected:
                raise wrong(f"moments {word} has another shape", found=value.shape, expected=expected)
            histories[f"moments {word}"] = value
    for name, values in histories.items():
        if not np.isfinite(values).all():
            raise wrong(f"{name} contains values that are not finite numbers")
    if any(not isinstance(name, str) for name in run.bodies) or any(not isinstance(word, str) for word in run.warnings):
        raise wrong("names of bodies and warnings must be texts")
    for event in run.events:
        if not isinstance(event.name, str) or not isinstance(event.time, int | float) or not math.isfinite(event.time):
            raise wrong("an event needs a name and a time")
    counts = (run.statistics.steps, run.statistics.rejected, run.statistics.calls)
    sizes = (run.statistics.smallest_step, run.statistics.wall_seconds)
    if any(not isinstance(v, int) for v in counts) or any(not isinstance(v, int | float) for v in sizes):
        raise wrong("its statistics are not numbers")
    if not isinstance(run.audited or {}, Mapping):
        raise wrong("its recomputed totals are not a table")
    return run
