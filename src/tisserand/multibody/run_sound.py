"""Checks of every run, whatever wrote its file: increasing times, histories of one length, finite numbers.

Serves the records of theory section 5.4.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import RecordError
from tisserand.multibody.moments import HISTORIES, MOMENT_SHAPES
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.trajectory_parts import ARRAYS, MAPPINGS

#: Shape of one output time of the arrays that a body does not own.
_BASE = {"position": (3,), "attitude": (4,), "velocity": (3,), "angular_velocity": (3,)}
#: Shape of one output time of named histories; others have one row of coordinates.
_HISTORY: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("rotor_angles", "rotor_rates", "signals", "load_strength"), ()),
    **dict.fromkeys(("joint_force", "joint_torque_vector"), (3,)),
}
#: What lengths of quaternions and of axes may be off: methods of fixed step keep them to their own error.
_TURNED = 1e-3
_Wrong = Callable[..., RecordError]


def refuse_unsound(path: str | Path, run: Trajectory) -> Trajectory:
    """The run itself, or a ``RecordError`` that names what no run can have."""

    def wrong(what: str, **facts: object) -> RecordError:
        return RecordError(path, f"the run is invalid: {what}", **facts)

    if run.times.ndim != 1 or len(run) == 0 or not np.isfinite(run.times).all() or (np.diff(run.times) < 0.0).any():
        raise wrong("its times do not increase", found=f"shape {run.times.shape}")
    for name, values in _histories(run, wrong).items():
        if not np.isfinite(values).all():
            raise wrong(f"{name} contains values that are not finite numbers")
    _refuse_impossible(run, wrong)
    _refuse_wrong_types(run, wrong)
    return run


def _histories(run: Trajectory, wrong: _Wrong) -> dict[str, FloatArray]:
    """Every array of a run by its name in words, after its shape was checked."""
    n, b = len(run.times), len(run.bodies)
    shapes = {**_BASE, "rotation": (b, 3, 3)}
    for word in ARRAYS[1:]:
        expected = (n, *shapes.get(word, (b, 3)))
        if getattr(run, word).shape != expected:
            raise wrong(f"{word} has another shape", found=getattr(run, word).shape, expected=expected)
    histories = {word: getattr(run, word) for word in ARRAYS}
    for word in MAPPINGS:
        for name, values in getattr(run, word).items():
            expected = (n, *_HISTORY.get(word, (-1,)))
            if word in ("modal_rates", "modal_accelerations") and name in run.modal:
                expected = run.modal[name].shape
            if values.ndim != len(expected) or any(want not in (-1, got) for want, got in zip(expected, values.shape)):
                raise wrong(f"{word} {name!r} has another shape", found=values.shape, expected=expected)
            histories[f"{word} {name!r}"] = values
    for item in fields(run.balance):
        value = getattr(run.balance, item.name)
        if np.ndim(value) and len(value) != n:
            raise wrong(f"balance {item.name} has another length", found=len(value), expected=n)
        histories[f"balance {item.name}"] = np.asarray(value, dtype=float)
    for word, size in MOMENT_SHAPES.items() if run.kept_moments is not None else ():
        value = np.asarray(getattr(run.kept_moments, word))
        expected = (n, *size) if word in HISTORIES else size
        if value.shape != expected:
            raise wrong(f"moments {word} has another shape", found=value.shape, expected=expected)
        histories[f"moments {word}"] = value
    return histories


def _refuse_impossible(run: Trajectory, wrong: _Wrong) -> None:
    """Rotations that do not rotate, and masses and energies that nothing has."""
    for word, turned in (("attitude", run.attitude[:, None, :]), ("rotation", run.rotation)):
        lengths = (turned**2).sum(axis=-1)
        if np.abs(lengths - 1.0).max(initial=0.0) > _TURNED:
            found = f"a length of {np.sqrt(lengths.max()):.4g}"
            raise wrong(f"{word} does not hold rotations", found=found, expected=1)
    mass, moments = run.balance.mass, run.kept_moments
    if mass < 0.0 or run.balance.gyration < 0.0 or (moments is not None and moments.mass <= 0.0):
        raise wrong("its mass or gyration (balance, moments) is not positive")
    if moments is not None and abs(moments.mass - mass) > _TURNED * mass > 0.0:
        raise wrong("moments/mass is not balance/mass", found=moments.mass, expected=mass)
    if (run.balance.kinetic < -_TURNED * max(float(np.abs(run.balance.kinetic).max()), 1e-300)).any():
        raise wrong("its kinetic energy is negative")


def _refuse_wrong_types(run: Trajectory, wrong: _Wrong) -> None:
    """Names, events, statistics and totals of other types than a run has."""
    if any(not isinstance(name, str) for name in run.bodies) or any(not isinstance(word, str) for word in run.warnings):
        raise wrong("names of bodies and warnings must be texts")
    for event in run.events:
        if not isinstance(event.name, str) or not isinstance(event.time, int | float) or not math.isfinite(event.time):
            raise wrong("an event needs a name and a time")
    counts = (run.statistics.steps, run.statistics.rejected, run.statistics.calls)
    sizes = (run.statistics.smallest_step, run.statistics.wall_seconds)
    if any(not isinstance(v, int) for v in counts) or any(not isinstance(v, int | float) for v in sizes):
        raise wrong("its statistics are not numbers")
    for by in ("integrals", "nodes"):
        found = (run.audited or {}).get(by, {})
        if not isinstance(found, Mapping) or any(not isinstance(v, int | float) for v in found.values()):
            raise wrong("its recomputed totals are not a table of numbers")
