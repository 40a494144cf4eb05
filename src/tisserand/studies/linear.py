"""Linear analyses of a vehicle file: state space, poles, system modes, frequency response."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tisserand.arrays import ComplexArray, FloatArray
from tisserand.errors import InputError
from tisserand.files import csv_name, write_text
from tisserand.multibody import LinearModel, SystemModes
from tisserand.multibody.frequency_response import sampled_response
from tisserand.multibody.linear_file import save_linear_model
from tisserand.multibody.margins import LoopMargins
from tisserand.multibody.unsteady import unsteadiness
from tisserand.multibody.vehicle_file.linear_case import linear_model, margins_of_case, modes_of_case
from tisserand.notebook_html import curves
from tisserand.studies.options import LinearizeStudy, ResponseStudy, SystemModesStudy
from tisserand.studies.study_type import task
from tisserand.studies.vehicles import read_vehicle
from tisserand.task_result import TaskResult
from tisserand.views.bode import save_bode


@dataclass(frozen=True, eq=False)
class LinearResult(TaskResult):
    """A linear model and the modes seen in it."""

    task: ClassVar = "linearize"

    model: LinearModel
    paths: tuple[Path, ...] = ()
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        poles = self.model.poles
        return {
            "states": len(self.model.A),
            "coordinates": list(self.model.coordinates),
            "inputs": list(self.model.inputs),
            "outputs": list(self.model.outputs),
            "poles": [[float(p.real), float(p.imag)] for p in poles],
            "worst_residual": float(np.abs(self.model.residual).max(initial=0.0)),
            "warnings": list(self.warnings),
            "A": self.model.A,
            "B": self.model.B,
            "C": self.model.C,
            "D": self.model.D,
            "paths": [str(path) for path in self.paths],
        }


@task(LinearizeStudy)
def linearize_file(study: LinearizeStudy) -> LinearResult:
    """Linear model of a vehicle file about its initial state, written as .npz or .mat."""
    case = read_vehicle(study.vehicle, study.set)
    model = linear_model(case, closed_loop=study.closed_loop)
    result = LinearResult(model, warnings=unsteadiness(case.vehicle, model))
    return result if study.output is None else replace(result, paths=(save_linear_model(model, study.output),))


@dataclass(frozen=True, eq=False)
class SystemModesResult(TaskResult):
    """Vibration modes of a whole vehicle."""

    task: ClassVar = "system-modes"

    modes: SystemModes
    paths: tuple[Path, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.modes.doubts

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        words = ("frequencies_hz", "damping_ratios", "rigid", "last_kept_hz", "beyond_kept_modes", "real_poles")
        return {
            **{word: getattr(self.modes, word) for word in words},
            "coordinates": list(self.modes.coordinates),
            "participation": self.modes.participation,
            "shapes": {"real": self.modes.shapes.real, "imag": self.modes.shapes.imag},
            "warnings": list(self.modes.doubts),
            "paths": [str(path) for path in self.paths],
        }


@task(SystemModesStudy)
def system_modes(study: SystemModesStudy) -> SystemModesResult:
    """Vibration modes of the whole vehicle about its initial state; linear controllers only on request."""
    modes = modes_of_case(read_vehicle(study.vehicle, study.set), closed_loop=study.closed_loop)
    return SystemModesResult(modes, () if study.output is None else (write_text(study.output, _modes_table(modes)),))


def _modes_table(modes: SystemModes) -> str:
    columns = zip(modes.frequencies_hz, modes.damping_ratios, modes.beyond_kept_modes, modes.described())
    rows = [
        f"{n},{f:.10g},{z:.10g},{int(above)},{csv_name(what)}" for n, (f, z, above, what) in enumerate(columns, start=1)
    ]
    return "\n".join(["mode,frequency_hz,damping_ratio,beyond_kept_modes,kinetic_energy", *rows]) + "\n"


@dataclass(frozen=True, eq=False)
class ResponseResult(TaskResult):
    """Frequency response of a vehicle file between its loads and sensors."""

    task: ClassVar = "response"

    hz: FloatArray
    response: ComplexArray
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    paths: tuple[Path, ...] = ()
    warnings: tuple[str, ...] = ()
    margins: tuple[LoopMargins, ...] = ()

    def pictures(self) -> str:
        """Magnitude in dB over the logarithm of the frequency, and the plot if one was written."""
        pairs = [(o, i) for o in range(len(self.outputs)) for i in range(len(self.inputs))][:4]
        size = np.column_stack([np.abs(self.response[:, o, i]) for o, i in pairs])
        decibels = 20.0 * np.log10(np.maximum(size, 1e-300))
        names = [f"{self.outputs[o]}/{self.inputs[i]} dB" for o, i in pairs]
        return curves(np.log10(self.hz), decibels, names) + super().pictures()

    def as_dict(self) -> dict[str, Any]:
        return {
            "hz": self.hz,
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
            "magnitude": np.abs(self.response),
            "phase_deg": np.degrees(np.angle(self.response)),
            "margins": [asdict(item) for item in self.margins],
            "warnings": list(self.warnings),
            "paths": [str(path) for path in self.paths],
        }


@task(ResponseStudy)
def response(study: ResponseStudy) -> ResponseResult:
    """Bode data over a logarithmic grid of frequencies; CSV and picture on request."""
    case = read_vehicle(study.vehicle, study.set)
    model = linear_model(case, closed_loop=study.closed_loop)
    if not model.inputs or not model.outputs:
        raise InputError("a frequency response needs at least one load and one sensor", where=str(study.vehicle))
    hz, values = sampled_response(model, study.fmin, study.fmax, study.points)
    doubts = unsteadiness(case.vehicle, model)
    result = ResponseResult(hz, values, model.inputs, model.outputs, warnings=doubts, margins=margins_of_case(case))
    paths = []
    if study.output is not None:
        paths.append(write_text(study.output, _table(result)))
    if study.plot is not None:
        paths.append(save_bode(hz, values, model.inputs, model.outputs, study.plot, result.margins))
    return replace(result, paths=tuple(paths))


def _table(result: ResponseResult) -> str:
    head, columns = ["frequency_hz"], [result.hz]
    for o, output in enumerate(result.outputs):
        for i, source in enumerate(result.inputs):
            values = result.response[:, o, i]
            head += [f"|{output}/{source}|", f"phase {output}/{source} deg"]
            columns += [np.abs(values), np.degrees(np.unwrap(np.angle(values)))]
    rows = (",".join(f"{v:.10g}" for v in row) for row in np.column_stack(columns))
    return "\n".join([",".join(map(csv_name, head)), *rows]) + "\n"
