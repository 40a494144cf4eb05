"""A run seen from floating frames: Tisserand, Buckens, principal, Milne; tables, and the residuals of what defines each frame."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import tisserand
from tisserand.arrays import FloatArray
from tisserand.errors import FileError, InputError
from tisserand.files import csv_name, keep_inputs, write_text
from tisserand.modes.frames_of_moments import MOVING_FRAMES, MovingFrameName
from tisserand.multibody import load_trajectory
from tisserand.multibody.run_file import KIND as RUN
from tisserand.multibody.run_frames import FrameMotion, floating_frames, frame_rows
from tisserand.multibody.trajectory import Trajectory
from tisserand.stored import create_hdf5
from tisserand.studies.kinds import refuse_other
from tisserand.studies.look import HDF5_SUFFIXES, Look
from tisserand.studies.named_files import named_files
from tisserand.studies.options import FramesStudy
from tisserand.studies.study_type import task
from tisserand.studies.vehicles import read_vehicle
from tisserand.task_result import TaskResult

#: Kind of the HDF5 file that ``frames`` writes.
KIND, SCHEMA_VERSION = "tisserand frames", 1
#: Unit of every history of a frame in that file.
UNITS = {
    "origin": "m, inertial axes", "attitude": "1 (quaternion, scalar first, frame to inertial)",
    "rate": "rad/s, inertial axes", "inertia": "kg m2 about the origin, inertial axes",
    "angular_momentum": "N m s about the origin, inertial axes", "relative_momentum": "N m s, inertial axes",
    "turn": "rad against the first body, since the start",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class FramesResult(TaskResult):
    """The frames of a run that exist, why the others do not, and the files written."""

    task: ClassVar = "frames"

    vehicle: str
    bodies: tuple[str, ...]
    times: FloatArray
    frames: Mapping[MovingFrameName, FrameMotion]
    missing: Mapping[MovingFrameName, str]
    paths: tuple[Path, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence for every frame that does not exist."""
        return tuple(f"no {name} frame: {why}" for name, why in self.missing.items())

    def rows(self) -> list[list[object]]:
        """One row per frame, under ``FRAME_COLUMNS``."""
        return frame_rows(self.frames)

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command; histories are written to files."""
        return {
            "vehicle": self.vehicle,
            "bodies": list(self.bodies),
            "output_times": len(self.times),
            "frames": {name: motion.summary() for name, motion in self.frames.items()},
            "missing": dict(self.missing),
            "warnings": list(self.warnings),
            "paths": [str(path) for path in self.paths],
        }


@task(FramesStudy)
def frames(study: FramesStudy) -> FramesResult:
    """Motion of the floating frames of a run; ``output`` keeps it as CSV or HDF5.

    A frame that was requested by name and does not exist is an error; without names, those that exist are found.
    """
    if study.output is not None:
        _check_ending(study.output)
    keep_inputs((study.output,), [study.run, *([] if study.vehicle is None else named_files(study.vehicle))])
    run = _run_of(study)
    vehicle = None if study.vehicle is None else read_vehicle(study.vehicle, study.set).vehicle
    bodies = tuple(dict.fromkeys(study.bodies))
    wanted = tuple(name for name in MOVING_FRAMES if name in study.frame)
    found, missing = floating_frames(run, vehicle, wanted or MOVING_FRAMES, bodies or None)
    for name in wanted:
        if name in missing:
            raise InputError(f"no {name} frame: {missing[name].rstrip('.')}", where=str(study.run))
    result = FramesResult(run.vehicle_name, bodies or run.bodies, run.times, found, missing)
    if study.output is None:
        return result
    if study.output.suffix.lower() == ".csv":
        write_text(study.output, frames_csv(result))
    else:
        save_frames(result, study.output)
    return replace(result, paths=(study.output,))


def _check_ending(path: Path) -> None:
    allowed = (".csv", *HDF5_SUFFIXES)
    if path.suffix.lower() not in allowed:
        raise FileError(
            path, "unsupported file extension for frames", found=repr(path.suffix), expected=" or ".join(allowed)
        )


def _run_of(study: FramesStudy) -> Trajectory:
    """The run, refused where its frames cannot be known or say nothing."""
    path, look = study.run, Look(study.run)
    written = "an HDF5 file (.h5) that 'tisserand simulate -o' wrote"
    refuse_other(look, written, "run")
    if look.hdf5 is None or look.hdf5[0] != RUN:
        raise FileError(path, "is not a run", expected=written)
    run = load_trajectory(path)
    if study.vehicle is None and run.moments is None:
        raise FileError(
            path,
            "keeps no mass moments: it is a checkpoint or was written by an older version",
            advice="state the vehicle file that was flown with --vehicle, or simulate it anew",
        )
    moving = (*run.modal.values(), *run.joints.values(), *run.rotor_rates.values())
    if not any(values.size for values in moving):
        raise InputError(
            "the vehicle is one rigid body: it has no flexible appendage, joint or rotor, so every floating frame is fixed in it",
            where=str(path),
        )
    return run


def frames_csv(result: FramesResult) -> str:
    """Histories of all frames as CSV, units in the heading."""
    columns: list[tuple[str, FloatArray]] = [("time_s", result.times)]
    for name, motion in result.frames.items():
        for word, unit, axes in (
            ("origin", "m", "xyz"), ("attitude", "-", "0123"), ("rate", "rad/s", "xyz"),
            ("angular_momentum", "N m s", "xyz"), ("relative_momentum", "N m s", "xyz"),
        ):  # fmt: skip
            values = getattr(motion, word)
            columns += [(f"{name}_{word}_{axis} ({unit})", values[:, i]) for i, axis in enumerate(axes)]
        columns.append((f"{name}_turn (rad)", motion.turn))
        for word, values in (("place", motion.residuals.places), ("rate", motion.residuals.rates)):
            if values is not None:
                columns.append((f"{name}_{word}_residual (-)", values))
    table = np.column_stack([values for _, values in columns])
    lines = [",".join(f"{value:.12g}" for value in row) for row in table]
    return "\n".join([",".join(csv_name(name) for name, _ in columns), *lines]) + "\n"


def save_frames(result: FramesResult, path: Path) -> Path:
    """Histories of all frames as HDF5, one group per frame."""
    with create_hdf5(path) as file:
        file.attrs.update({
            "kind": KIND, "schema_version": SCHEMA_VERSION, "written_by": f"tisserand {tisserand.__version__}",
            "vehicle": result.vehicle, "bodies": json.dumps(result.bodies), "missing": json.dumps(dict(result.missing)),
        })  # fmt: skip
        file.create_dataset("times", data=result.times).attrs["unit"] = "s"
        for name, motion in result.frames.items():
            group = file.create_group(name)
            group.attrs.update({"condition": motion.condition, "attitude_doubt": motion.attitude_doubt})
            for word, unit in UNITS.items():
                group.create_dataset(word, data=getattr(motion, word)).attrs["unit"] = unit
            for word, values in (("place", motion.residuals.places), ("rate", motion.residuals.rates)):
                if values is not None:
                    group.create_dataset(f"{word}_residual", data=values).attrs["unit"] = "1 (relative)"
    return path
