"""Linear analyses of a vehicle file: state space, poles, system modes, frequency response."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import ComplexArray, FloatArray
from tisserand.errors import InputError
from tisserand.files import atomic_path, csv_name, write_text
from tisserand.multibody import LinearController, LinearModel, SystemModes, linearise, system_modes
from tisserand.multibody.frequency_response import frequency_response
from tisserand.multibody.unsteady import unsteadiness
from tisserand.workflows.vehicle_file import VehicleCase, read_vehicle


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


def linear_model(case: VehicleCase, *, open_loop: bool = False) -> LinearModel:
    """About the file's initial state. Every load is an input of its own name; open loop, controller commands are inputs too."""
    inputs = [load.driven_by(load.name) for load in case.loads if load.kind != "gradient"]
    inputs += [load for load in case.loads if load.kind == "gradient"]
    controllers: list[LinearController] = []
    for controller in case.controllers:
        if open_loop:
            inputs += [load.driven_by(f"{controller.name}/{load.name}") for load in controller.outputs]
        elif isinstance(controller, LinearController):
            controllers.append(controller)
        else:
            raise InputError(
                "a sampled control law has no linear model",
                where=f"{case.path}, controllers.{controller.name}",
                advice="use --open-loop",
            )
    return linearise(case.vehicle, case.initial, loads=inputs, controllers=controllers, outputs=case.sensors)


def linearise_file(
    path: str | Path, *, output: str | Path | None = None, open_loop: bool = False
) -> LinearResult:
    """Linear model of a vehicle file, written as .npz or .mat."""
    case = read_vehicle(path)
    found = linear_model(case, open_loop=open_loop)
    result = LinearResult(found, warnings=unsteadiness(case.vehicle, found))
    if output is None:
        return result
    target, model = Path(output), result.model
    names: dict[str, Any] = {
        word: np.array(getattr(model, word), dtype=object) for word in ("coordinates", "inputs", "outputs")
    }
    arrays = {
        word: np.asarray(getattr(model, word))
        for word in ("A", "B", "C", "D", "mass", "damping", "gyroscopic", "stiffness", "force")
    }
    with atomic_path(target) as temporary:
        if target.suffix == ".mat":
            from scipy.io import savemat

            savemat(temporary, {**arrays, **{k: v.reshape(-1, 1) for k, v in names.items()}}, appendmat=False)
        elif target.suffix == ".npz":
            with open(temporary, "wb") as stream:
                everything: dict[str, Any] = {**arrays, **{k: v.astype(np.str_) for k, v in names.items()}}
                np.savez(stream, **everything)
        else:
            raise InputError("linear models are written as .npz or .mat", found=target.suffix or target.name)
    return replace(result, paths=(target,))


def modes_of_file(path: str | Path, *, closed_loop: bool = False) -> SystemModes:
    """Vibration modes of the whole vehicle about its initial state; controllers only when asked for."""
    case = read_vehicle(path)
    return modes_of_case(case, closed_loop=closed_loop)


def modes_of_case(case: VehicleCase, *, closed_loop: bool = False) -> SystemModes:
    loops = [c for c in case.controllers if isinstance(c, LinearController)] if closed_loop else []
    return system_modes(case.vehicle, case.initial, controllers=loops)


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


def response_of_file(
    path: str | Path,
    *,
    low_hz: float,
    high_hz: float,
    points: int = 400,
    open_loop: bool = True,
    output: str | Path | None = None,
    plot: str | Path | None = None,
) -> ResponseResult:
    """Bode data over a logarithmic grid; CSV and picture on request."""
    if not 0.0 < low_hz < high_hz or points < 2:
        raise InputError(
            "the frequency range must be positive and ascending", found=(low_hz, high_hz, points)
        )
    case = read_vehicle(path)
    model = linear_model(case, open_loop=open_loop)
    if not model.inputs or not model.outputs:
        raise InputError("a frequency response needs at least one load and one sensor", where=str(path))
    hz = np.geomspace(low_hz, high_hz, points)
    doubts = unsteadiness(case.vehicle, model)
    result = ResponseResult(hz, frequency_response(model, hz), model.inputs, model.outputs, warnings=doubts)
    paths = []
    if output is not None:
        pairs = [(o, i) for o in range(len(model.outputs)) for i in range(len(model.inputs))]
        head = ["frequency_hz"]
        for o, i in pairs:
            head += [
                f"|{model.outputs[o]}/{model.inputs[i]}|",
                f"phase {model.outputs[o]}/{model.inputs[i]} deg",
            ]
        body = np.column_stack(
            [hz, *(f(result.response[:, o, i]) for o, i in pairs for f in (np.abs, _phase))]
        )
        lines = [
            ",".join(map(csv_name, head)),
            *(",".join(f"{v:.10g}" for v in row) for row in body),
        ]
        paths.append(write_text(output, "\n".join(lines) + "\n"))
    if plot is not None:
        from tisserand.views.bode import save_bode

        paths.append(save_bode(result.hz, result.response, result.inputs, result.outputs, plot))
    return replace(result, paths=tuple(paths))


def _phase(values: ComplexArray) -> FloatArray:
    return np.asarray(np.degrees(np.unwrap(np.angle(values))))
