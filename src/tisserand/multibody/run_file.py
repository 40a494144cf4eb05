"""The HDF5 file of a run: written completely, then renamed, and read back identically. No pickle.

Serves the records of theory section 5.4.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import MISSING, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import tisserand
from tisserand.arguments import checked_arguments
from tisserand.errors import RecordError, VehicleError
from tisserand.files import existing_file, storable
from tisserand.multibody.balance_sheet import BalanceSheet
from tisserand.multibody.moments import MassMoments
from tisserand.multibody.run_sound import refuse_unsound
from tisserand.multibody.trajectory import Trajectory
from tisserand.multibody.trajectory_parts import ARRAYS, MAPPINGS, EventRecord, StepStatistics, parts_from
from tisserand.stored import broken_seal, create_hdf5, open_hdf5, refuse_broken
from tisserand.stored.fields import attribute, attribute_texts, json_data, numbers

KIND, SCHEMA_VERSION = "tisserand trajectory", 1

#: Unit of every history; mappings mix rad and m, or depend on the signal.
UNITS = {
    "times": "s", "position": "m", "attitude": "1 (quaternion, scalar first, body to inertial)", "velocity": "m/s",
    "angular_velocity": "rad/s", "rotation": "1 (body to inertial)", "origin": "m", "origin_velocity": "m/s", "rate": "rad/s",
    "origin_acceleration": "m/s2", "angular_acceleration": "rad/s2", "joints": "rad or m", "joint_rates": "rad/s or m/s",
    "modal": "eta", "modal_rates": "eta/s", "modal_accelerations": "eta/s2", "rotor_angles": "rad", "rotor_rates": "rad/s",
    "controllers": "as defined", "joint_force": "N", "joint_torque_vector": "N m", "joint_effort": "N m or N",
    "signals": "as defined", "load_strength": "N or N m", "loop_force": "N or N m", "loop_drift": "m, m/s",
    "projected": "J", "impact_loss": "J", "kinetic": "J", "potential": "J", "work": "J", "momentum": "N s",
    "angular_momentum": "N m s", "impulse": "N s", "angular_impulse": "N m s", "center": "m", "mass": "kg", "gyration": "kg m2",
    "gross_impulse": "N s", "gross_angular_impulse": "N m s", "weight_energy": "J", "loss": "J",
    "moments/mass": "kg", "moments/point": "m", "moments/pace": "m/s", "moments/offset": "kg m", "moments/second": "kg m2",
    "moments/flow": "kg m2/s", "moments/drift": "N s", "moments/spin": "N m s", "moments/versus": "kg m2",
    "moments/versus_rate": "kg m2/s", "moments/reference_first": "kg m", "moments/reference_second": "kg m2",
    "moments/inner": "J",
}  # fmt: skip


@checked_arguments
def save_trajectory(run: Trajectory, path: str | Path, *, audit: bool = True) -> Path:
    """Write a run; an existing file is replaced in one rename, so a reader never sees half of it.

    ``audit`` False skips the independent audit, for checkpoints of a run that continues.

    Args:
        path: the file.
    """
    with create_hdf5(path) as file:
        file.attrs.update({
            "kind": KIND, "schema_version": SCHEMA_VERSION, "written_by": f"tisserand {tisserand.__version__}",
            "vehicle": storable(run.vehicle_name),
            "complete": run.complete, "reason": storable(run.reason), "bodies": json.dumps(run.bodies),
            "warnings": json.dumps(run.warnings),
            "events": json.dumps([[e.name, e.time] for e in run.events]),
        })  # fmt: skip
        file["settings"] = json.dumps(dict(run.settings), default=_plain)
        if audit or run.audited is not None:
            file["recomputed"] = json.dumps(dict(run.recomputed))
            if run.moments is not None:
                _write_moments(file.create_group("moments"), run.moments)
        file["statistics"] = json.dumps(run.statistics.__dict__)
        for word in ARRAYS:
            file.create_dataset(word, data=getattr(run, word)).attrs["unit"] = UNITS[word]
        for word in MAPPINGS:
            group = file.create_group(word, track_order=True)
            group.attrs["unit"] = UNITS[word]
            group.attrs["names"] = json.dumps(list(getattr(run, word)))
            for number, values in enumerate(getattr(run, word).values()):
                group.create_dataset(f"{number:04d}", data=values)
        balance = file.create_group("balance")
        for item in fields(BalanceSheet):
            balance.create_dataset(item.name, data=getattr(run.balance, item.name)).attrs["unit"] = UNITS[item.name]
    return Path(path)


def _write_moments(group: Any, moments: MassMoments) -> None:
    for item in fields(MassMoments):
        group.create_dataset(item.name, data=getattr(moments, item.name)).attrs["unit"] = UNITS[f"moments/{item.name}"]


def _moments(file: Any) -> MassMoments | None:
    """The mass moments that a run keeps; None in files written before they were stored."""
    if "moments" not in file:
        return None
    values = {item.name: numbers(file["moments"], item.name) for item in fields(MassMoments)}
    return MassMoments(**{**values, "mass": _one(file, "moments/mass", values["mass"])})


def _one(file: Any, path: str, value: Any) -> float:
    if np.ndim(value):
        raise RecordError(file.filename, f"{path} is not one number", found=f"shape {np.shape(value)}")
    return float(value)


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)


@checked_arguments
def load_trajectory(path: str | Path) -> Trajectory:
    """Read a run; truncated and changed files, other kinds and newer schemas are refused.

    Args:
        path: of the HDF5 file.
    """
    path = existing_file(path)
    with open_hdf5(path, RecordError) as file:
        kind = attribute(file, "kind", str) if "kind" in file.attrs else "no kind"
        if kind != KIND:
            raise RecordError(path, "does not contain a trajectory", found=kind, expected=KIND)
        version = attribute(file, "schema_version", int)
        if version < 1:
            raise RecordError(path, "has no valid schema number", found=version, expected=f"1 to {SCHEMA_VERSION}")
        if version > SCHEMA_VERSION:
            raise RecordError(
                path,
                "was written by a newer version",
                found=f"schema {version}",
                expected=f"{SCHEMA_VERSION} or older",
                advice="update tisserand",
            )
        run = _read(file)
        broken = broken_seal(file)
    refuse_unsound(path, run)
    refuse_broken(path, broken)
    return run


def _read(file: Any) -> Trajectory:
    mappings: dict[str, Any] = {}
    for word in MAPPINGS:
        if word not in file and word.startswith("loop"):  # written before there were loops
            mappings[word] = {}
            continue
        names = attribute_texts(file[word], "names")
        if len(set(names)) != len(file[word]):
            raise RecordError(
                file.filename,
                f"{word}: its names are not those of its arrays",
                found=names[:8],
                expected=len(file[word]),
            )
        mappings[word] = {name: numbers(file[word], f"{number:04d}") for number, name in enumerate(names)}
    sheet = {
        item.name: numbers(file["balance"], item.name) for item in fields(BalanceSheet) if item.name in file["balance"]
    }
    scalars = {item.name for item in fields(BalanceSheet) if item.default not in (MISSING, None)}
    values: dict[str, Any] = {
        word: _one(file, f"balance/{word}", value) if word in scalars else value for word, value in sheet.items()
    }
    balance = BalanceSheet(**values)
    found = {
        "statistics": _statistics(file),
        "complete": attribute(file, "complete", bool),
        "reason": attribute(file, "reason", str),
        "events": _events(file),
        "warnings": tuple(attribute_texts(file, "warnings")),
        "settings": json_data(file, "settings", finite=False),
        "bodies": tuple(attribute_texts(file, "bodies")),
        **{word: numbers(file, word) for word in ARRAYS},
        **mappings,
    }
    return Trajectory(
        vehicle_name=attribute(file, "vehicle", str),
        balance=balance,
        audited=json_data(file, "recomputed") if "recomputed" in file else None,
        kept_moments=_moments(file),
        **parts_from(found),
    )


def _statistics(file: Any) -> StepStatistics:
    found, known = json_data(file, "statistics"), [item.name for item in fields(StepStatistics)]
    if "method" not in found or set(found) - set(known):
        raise RecordError(file.filename, "statistics has other entries", found=list(found)[:8], expected=known)
    return StepStatistics(**found)


def _events(file: Any) -> tuple[EventRecord, ...]:
    found = attribute(file, "events", list)
    if any(not isinstance(event, list) or len(event) != 2 for event in found):
        raise RecordError(file.filename, "attribute events is not a list of names and times")
    return tuple(EventRecord(name, time) for name, time in found)


@checked_arguments
def joined(*pieces: Trajectory) -> Trajectory:
    """Consecutive pieces of one run as one; the shared time at a seam appears once.

    Args:
        pieces: one or more, in order.
    """
    if not pieces:
        raise VehicleError("nothing was given to join", expected="one or more pieces of a run")
    first = pieces[0]
    for piece in pieces[1:]:
        if first.vehicle_name != piece.vehicle_name or first.bodies != piece.bodies:
            raise VehicleError(
                "only pieces of the same run can be joined", found=piece.vehicle_name, expected=first.vehicle_name
            )
    seams = [int(len(b) > 0 and b.times[0] <= a.times[-1]) for a, b in pairwise(pieces)]

    def end_to_end(parts: Sequence[Any]) -> Any:
        return np.concatenate([parts[0], *(part[seam:] for part, seam in zip(parts[1:], seams))])

    values: dict[str, Any] = {word: end_to_end([getattr(piece, word) for piece in pieces]) for word in ARRAYS}
    for word in MAPPINGS:
        names = getattr(first, word)
        values[word] = {name: end_to_end([getattr(piece, word)[name] for piece in pieces]) for name in names}
    sheet: dict[str, Any] = {}
    for word in (item.name for item in fields(BalanceSheet)):
        parts = [getattr(piece.balance, word) for piece in pieces]
        sheet[word] = end_to_end(parts) if np.ndim(parts[0]) else sum(parts) if word.startswith("gross") else max(parts)
    statistics = [piece.statistics for piece in pieces]
    total = StepStatistics(
        statistics[-1].method, sum(one.steps for one in statistics), sum(one.rejected for one in statistics),
        sum(one.calls for one in statistics),
        min((one.smallest_step for one in statistics if one.smallest_step > 0.0), default=0.0),
        sum(one.wall_seconds for one in statistics),
    )  # fmt: skip
    return pieces[-1].changed(
        **values,
        balance=BalanceSheet(**sheet),
        statistics=total,
        audited=None,
        kept_moments=None,
        events=tuple(event for piece in pieces for event in piece.events),
        warnings=tuple(dict.fromkeys(warning for piece in pieces for warning in piece.warnings)),
    )
