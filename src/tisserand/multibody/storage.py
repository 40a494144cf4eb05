"""Trajectories in HDF5: written whole or not at all, read back as data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.errors import RecordError
from tisserand.files import atomic_path, existing_file
from tisserand.multibody.trajectory import ARRAYS, MAPPINGS, BalanceSheet, EventRecord, StepStatistics, Trajectory

KIND, SCHEMA = "tisserand trajectory", 1
BALANCE = ("kinetic", "potential", "work", "momentum", "angular_momentum", "impulse", "angular_impulse", "center")


def save_trajectory(run: Trajectory, path: str | Path, *, overwrite: bool = True) -> Path:
    """Write a trajectory; an interrupted write leaves the old file."""
    import h5py

    with atomic_path(path, overwrite=overwrite) as temporary:
        with h5py.File(temporary, "w") as file:
            file.attrs["kind"], file.attrs["schema"] = KIND, SCHEMA
            file.attrs["vehicle"], file.attrs["complete"], file.attrs["reason"] = run.vehicle_name, run.complete, run.reason
            facts = {
                "bodies": list(run.bodies), "warnings": list(run.warnings), "settings": dict(run.settings),
                "events": [[e.name, e.time] for e in run.events], "statistics": vars(run.statistics),
                "mass": run.balance.mass, "gyration": run.balance.gyration,
            }
            file.attrs["facts"] = json.dumps(facts)
            for word in ARRAYS:
                file.create_dataset(word, data=getattr(run, word))
            for word in MAPPINGS:
                group = file.create_group(word)
                for i, (name, values) in enumerate(getattr(run, word).items()):
                    data = group.create_dataset(str(i), data=values)  # names may hold slashes
                    data.attrs["name"] = name
            for word in BALANCE:
                file.create_dataset(f"balance/{word}", data=getattr(run.balance, word))
    return Path(path)


def load_trajectory(path: str | Path) -> Trajectory:
    """Read a trajectory written by ``save_trajectory``."""
    import h5py

    path = existing_file(path)
    try:
        with h5py.File(path, "r") as file:
            if file.attrs.get("kind") != KIND:
                raise RecordError(path, "is not a trajectory", found=file.attrs.get("kind"), expected=KIND)
            if int(file.attrs["schema"]) > SCHEMA:
                raise RecordError(path, "was written by a newer version", found=int(file.attrs["schema"]), expected=f"at most {SCHEMA}")
            facts: dict[str, Any] = json.loads(file.attrs["facts"])
            arrays = {word: np.asarray(file[word]) for word in ARRAYS}
            maps = {
                word: {file[word][k].attrs["name"]: np.asarray(file[word][k]) for k in sorted(file[word], key=int)} for word in MAPPINGS
            }
            balance = BalanceSheet(*(np.asarray(file[f"balance/{word}"]) for word in BALANCE), facts["mass"], facts["gyration"])
            name, complete, reason = str(file.attrs["vehicle"]), bool(file.attrs["complete"]), str(file.attrs["reason"])
    except (OSError, KeyError, ValueError) as error:
        raise RecordError(path, "is damaged or not a trajectory", found=str(error)) from error
    return Trajectory(
        vehicle_name=name, **arrays, **maps, bodies=tuple(facts["bodies"]), balance=balance,
        statistics=StepStatistics(**facts["statistics"]), complete=complete, reason=reason,
        events=tuple(EventRecord(n, t) for n, t in facts["events"]), warnings=tuple(facts["warnings"]), settings=facts["settings"],
    )
