"""The uncertain linear model of a record or a vehicle file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tisserand.appendage import load_record
from tisserand.errors import InputError
from tisserand.exporters.uncertain_titop import uncertain_record
from tisserand.multibody.vehicle_file.linear_case import loop_parts
from tisserand.responses.uncertain_model import UncertainModel
from tisserand.responses.uncertain_vehicle import uncertain_vehicle
from tisserand.studies.options import UncertainStudy
from tisserand.studies.study_type import task
from tisserand.studies.vehicles import read_vehicle
from tisserand.task_result import TaskResult
from tisserand.views.uncertain import save_gain_picture


@dataclass(frozen=True, eq=False)
class UncertainResult(TaskResult):
    """An uncertain linear model, and the files written."""

    task: ClassVar = "uncertain"

    model: UncertainModel
    paths: tuple[Path, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.model.notes

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        model = self.model
        return {
            "states": list(model.states),
            "inputs": list(model.inputs),
            "outputs": list(model.outputs),
            "channels": model.channels,
            "factors": [
                {"name": f.name, "repeats": f.repeats, "low": f.low, "high": f.high, "meaning": f.meaning}
                for f in model.factors
            ],
            "A": model.A, "B": model.B, "C": model.C, "D": model.D,
            "warnings": list(self.warnings),
            "paths": [str(path) for path in self.paths],
        }  # fmt: skip


@task(UncertainStudy)
def uncertain(study: UncertainStudy) -> UncertainResult:
    """Linear fractional model of a record (two-port) or of a vehicle file (loads to sensors, loops open)."""
    words = ("frequency", "damping", "participation", "mass", "modes", "ranges")
    wanted: dict[str, Any] = {word: getattr(study, word) for word in words}
    if study.source.suffix.lower() == ".toml":
        case = read_vehicle(study.source, study.set)
        loads, _ = loop_parts(case, closed_loop=False)
        outputs = (*case.sensors, *case.measurements)
        model = uncertain_vehicle(case.vehicle, case.initial, loads=loads, outputs=outputs, **wanted)
    else:
        if study.set:
            raise InputError("set changes values of a vehicle file", where=str(study.source), found="a record")
        model = uncertain_record(load_record(study.source), **wanted)
    if not model.factors:
        raise InputError(
            "nothing is uncertain",
            where=str(study.source),
            expected="at least one of frequency, damping, participation, mass, ranges",
        )
    paths: list[Path] = []
    if study.output is not None:
        paths.append(model.save(study.output, study.samples, seed=study.seed, step=study.step, delay=study.delay))
    if study.plot is not None:
        deltas = np.random.default_rng(study.seed).uniform(-1.0, 1.0, (study.samples, len(model.factors)))
        paths.append(save_gain_picture(model, deltas, study.plot))
    return UncertainResult(model, tuple(paths))
