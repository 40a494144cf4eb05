"""Linear analyses of a vehicle file: state space, poles, system modes, frequency response."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import savemat

from tisserand.arrays import ComplexArray, FloatArray
from tisserand.errors import InputError
from tisserand.files import atomic_path, csv_name, write_text
from tisserand.multibody import LinearController, LinearModel, SystemModes, linearize
from tisserand.multibody import system_modes as modes_of_system
from tisserand.multibody.frequency_response import frequency_response
from tisserand.multibody.unsteady import unsteadiness
from tisserand.studies.base import task
from tisserand.studies.options import LinearizeStudy, ResponseStudy, SystemModesStudy
from tisserand.studies.vehicles import VehicleCase, read_vehicle
from tisserand.views.bode import save_bode


@dataclass(frozen=True, eq=False)
class LinearResult:
    """A linear model and the modes seen in it."""

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

    def to_control(self) -> Any:
        """The same as a python-control object (extra ``control``)."""
        try:
            import control
        except ImportError as error:
            raise InputError(
                "python-control is not installed", advice="pip install 'tisserand[control]'"
            ) from error

        def plain(names: tuple[str, ...]) -> list[str]:
            return [name.replace(".", "_") for name in names]

        m = self.model
        return control.ss(m.A, m.B, m.C, m.D, inputs=plain(m.inputs), outputs=plain(m.outputs))


def linear_model(case: VehicleCase, *, closed_loop: bool = False) -> LinearModel:
    """About the file's initial state. Every load is an input of its own name; open loop, controller commands are inputs too."""
    inputs = [load.driven_by(load.name) for load in case.loads if load.kind != "gradient"]
    inputs += [load for load in case.loads if load.kind == "gradient"]
    controllers: list[LinearController] = []
    for controller in case.controllers:
        if not closed_loop:
            inputs += [load.driven_by(f"{controller.name}/{load.name}") for load in controller.outputs]
        elif isinstance(controller, LinearController):
            controllers.append(controller)
        else:
            raise InputError(
                "a sampled control law has no linear model",
                where=f"{case.path}, controllers.{controller.name}",
                advice="leave the loops open",
            )
    return linearize(case.vehicle, case.initial, loads=inputs, controllers=controllers, outputs=case.sensors)


@task(LinearizeStudy)
def linearize_file(study: LinearizeStudy) -> LinearResult:
    """Linear model of a vehicle file about its initial state, written as .npz or .mat."""
    case = read_vehicle(study.vehicle, study.set)
    model = linear_model(case, closed_loop=study.closed_loop)
    result = LinearResult(model, warnings=unsteadiness(case.vehicle, model))
    return result if study.output is None else replace(result, paths=(_saved(model, study.output),))


def _saved(model: LinearModel, target: Path) -> Path:
    names: dict[str, Any] = {
        word: np.array(getattr(model, word), dtype=object) for word in ("coordinates", "inputs", "outputs")
    }
    arrays = {
        word: np.asarray(getattr(model, word))
        for word in ("A", "B", "C", "D", "mass", "damping", "gyroscopic", "stiffness", "force")
    }
    if target.suffix not in (".mat", ".npz"):
        raise InputError("unsupported file extension", found=target.suffix or target.name, expected=".npz or .mat")
    with atomic_path(target) as temporary:
        if target.suffix == ".mat":
            savemat(temporary, {**arrays, **{k: v.reshape(-1, 1) for k, v in names.items()}}, appendmat=False)
        else:
            with open(temporary, "wb") as stream:
                everything: dict[str, Any] = {**arrays, **{k: v.astype(np.str_) for k, v in names.items()}}
                np.savez(stream, **everything)
    return target


@dataclass(frozen=True, eq=False)
class SystemModesResult:
    """Vibration modes of a whole vehicle."""

    modes: SystemModes

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.modes.doubts

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        words = ("frequencies_hz", "damping_ratios", "rigid", "last_kept_hz", "beyond_kept_modes")
        return {**{word: getattr(self.modes, word) for word in words}, "warnings": list(self.modes.doubts)}


@task(SystemModesStudy)
def system_modes(study: SystemModesStudy) -> SystemModesResult:
    """Vibration modes of the whole vehicle about its initial state; linear controllers only when asked for."""
    return SystemModesResult(modes_of_case(read_vehicle(study.vehicle, study.set), closed_loop=study.closed_loop))


def modes_of_case(case: VehicleCase, *, closed_loop: bool = False) -> SystemModes:
    """The same of a vehicle file that was read already."""
    loops = [c for c in case.controllers if isinstance(c, LinearController)] if closed_loop else []
    return modes_of_system(case.vehicle, case.initial, controllers=loops)


@dataclass(frozen=True, eq=False)
class ResponseResult:
    """Frequency response of a vehicle file between its loads and sensors."""

    hz: FloatArray
    response: ComplexArray
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    paths: tuple[Path, ...] = ()
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "hz": self.hz,
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
            "magnitude": np.abs(self.response),
            "phase_deg": np.degrees(np.angle(self.response)),
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
    hz = np.geomspace(study.fmin, study.fmax, study.points)
    doubts = unsteadiness(case.vehicle, model)
    result = ResponseResult(hz, frequency_response(model, hz), model.inputs, model.outputs, warnings=doubts)
    paths = []
    if study.output is not None:
        paths.append(write_text(study.output, _table(result)))
    if study.plot is not None:
        paths.append(save_bode(result.hz, result.response, result.inputs, result.outputs, study.plot))
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
