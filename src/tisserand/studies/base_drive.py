"""Base drive of a delivered model: sine, random, shock and transient, with notches and quasi-static equivalents."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import FileError, InputError
from tisserand.files import csv_name, write_text
from tisserand.responses.base_drive import AXES, G, RandomResponse, SineResponse, miles, random, shaken, shock, sine
from tisserand.responses.between_samples import pieces_of, refined
from tisserand.responses.delivered_file import load_delivered
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.modal_system import ModalSystem
from tisserand.responses.notches import force_limited, notched_random, notched_sine
from tisserand.responses.shock_spectrum import FEWEST_SAMPLES, shock_spectrum
from tisserand.responses.sine_sweep import SweptResponse, swept_sine
from tisserand.responses.spectra import Spectrum, columns_of, read_spectrum, spectrum_of, write_spectrum
from tisserand.studies.kept_reports import add_report
from tisserand.studies.options import BaseDriveStudy
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult
from tisserand.views.base_drive import save_drive_picture
from tisserand.views.report.response_charts import drive_page, drive_report

NET = "net interface force"


@dataclass(frozen=True, eq=False, kw_only=True)
class DriveResult(TaskResult):
    """Peaks of every row (SI) and where they are, the equivalent static acceleration (g), and the notched input.

    over: frequency (n,) Hz; values (n, r): amplitudes, densities or spectra; notched_peaks (r,): with the notch;
    steady_peaks (r,): of a swept sine, had every frequency been held; notes: where input and modes do not cover each other.
    """

    task: ClassVar = "base-drive"

    name: str
    environment: str
    axis: str
    labels: tuple[str, ...]
    units: tuple[str, ...]
    peaks: FloatArray
    at: FloatArray
    over: FloatArray
    values: FloatArray
    base: FloatArray
    notched: FloatArray | None = None
    notched_peaks: FloatArray | None = None
    steady_peaks: FloatArray | None = None
    quasi_static_g: float | None = None
    miles: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        rows = [
            {
                "row": label, "unit": unit, "peak": float(peak), "at": float(at),
                "notched_peak": None if self.notched_peaks is None else float(self.notched_peaks[i]),
                "steady_peak": None if self.steady_peaks is None else float(self.steady_peaks[i]),
            }
            for i, (label, unit, peak, at) in enumerate(zip(self.labels, self.units, self.peaks, self.at))
        ]  # fmt: skip
        return {
            "name": self.name,
            "environment": self.environment,
            "axis": self.axis,
            "rows": rows,
            "quasi_static_g": self.quasi_static_g,
            "miles": self.miles,
            "notes": list(self.notes),
            "paths": [str(path) for path in self.paths],
        }


@task(BaseDriveStudy)
def base_drive(study: BaseDriveStudy) -> DriveResult:
    """Shake a delivered model at its interface and recover its rows."""
    model = load_delivered(study.model)
    names = tuple(study.recover)
    if names and NET not in names and any(item.name == NET for item in model.recoveries):
        names = (*names, NET)
    system = shaken(model, damping=study.damping, recoveries=names, point=study.point)
    unit = 1.0 if study.si or study.direction.startswith("r") else G
    made = {"sine": _sine, "random": _random, "shock": _shock, "transient": _transient}[study.environment]
    result = made(study, model, system, unit)
    paths: list[Path] = []
    if study.output is not None:
        paths.append(write_text(study.output, _csv(result)))
    if study.notched is not None and result.notched is not None:
        levels = result.notched / (unit**2 if study.environment == "random" else unit)
        paths.append(write_spectrum(result.over, levels, study.notched))
    if study.plot is not None:
        page = study.plot.suffix.lower() == ".html"
        paths.append(write_text(study.plot, drive_page(result)) if page else save_drive_picture(result, study.plot))
    if study.record is not None:
        paths.append(add_report(study.record, "responses", drive_report(result), ("name", "environment", "axis")))
    return DriveResult(**{**vars(result), "paths": tuple(paths)})


def _levels(study: BaseDriveStudy) -> Spectrum:
    if study.spectrum_file is not None:
        return read_spectrum(study.spectrum_file)
    assert study.spectrum is not None
    return spectrum_of(study.spectrum)


def _static(model: DeliveredModel, system: ModalSystem, axis: str, peaks: FloatArray) -> float | None:
    """Uniform acceleration, g, that gives the peak of the net interface force along the axis."""
    row = _net_row(system, axis)
    return None if row is None else float(peaks[row] / (model.mass_properties().mass * G))


def _net_row(system: ModalSystem, axis: str) -> int | None:
    if axis not in AXES[:3]:
        return None
    found = [i for i, label in enumerate(system.labels) if label.endswith(f"{NET}: force {axis}")]
    return found[0] if len(found) == 1 else None


def _facts(study: BaseDriveStudy, model: DeliveredModel, system: ModalSystem, peaks: FloatArray) -> dict[str, Any]:
    return {
        "name": model.name, "environment": study.environment, "axis": study.direction, "labels": system.labels,
        "units": system.units, "notes": _uncovered(study, model, system),
        "quasi_static_g": _static(model, system, study.direction, peaks),
    }  # fmt: skip


def _uncovered(study: BaseDriveStudy, model: DeliveredModel, system: ModalSystem) -> tuple[str, ...]:
    """What the input asks beyond the modes of the model, and the modes beyond a shock spectrum."""
    if study.environment == "transient":
        return ()
    hz = system.w / (2.0 * np.pi)
    low, high = _levels(study).hz[[0, -1]]
    if study.environment != "shock":
        if high <= hz.max():
            return ()
        return (
            f"the input goes up to {high:.4g} Hz, the modes of {model.name} up to {hz.max():.4g} Hz: any mode above that is "
            "missing in these responses; reduce the model with a higher --fmax",
        )  # fmt: skip
    beside = [(int((hz < low).sum()), "below", low), (int((hz > high).sum()), "above", high)]
    return tuple(
        f"{count} of {len(hz)} modes are {where} the shock spectrum and take its level at {end:.4g} Hz"
        for count, where, end in beside
        if count
    )


def _sine(study: BaseDriveStudy, model: DeliveredModel, system: ModalSystem, unit: float) -> DriveResult:
    found = sine(system, study.direction, _levels(study).times(unit), study.points)
    peaks, at = found.peaks
    notched = notched_sine(found, study.limits) if study.limits else None
    lowered = None if notched is None else (np.abs(found.transfer) * notched[:, None]).max(axis=0)
    if study.sweep is not None:
        return _swept(study, model, system, found, notched)
    return DriveResult(
        **_facts(study, model, system, peaks if lowered is None else lowered), peaks=peaks, at=at, over=found.hz,
        values=found.amplitude, base=found.base, notched=notched, notched_peaks=lowered,
    )  # fmt: skip


def _swept(
    study: BaseDriveStudy, model: DeliveredModel, system: ModalSystem, steady: SineResponse, notched: FloatArray | None
) -> DriveResult:
    """The sine in motion, as stated and with the notch that steady responses need."""
    rate = study.sweep or 0.0
    low, high = float(steady.hz[0]), float(steady.hz[-1])

    def along(levels: FloatArray) -> SweptResponse:
        return swept_sine(
            system, study.direction, lambda f: np.interp(np.log(f), np.log(steady.hz), levels), low, high, rate
        )

    found = along(steady.base)
    peaks, at = found.peaks
    lowered = None if notched is None else along(notched).peaks[0]
    order = np.argsort(found.hz)
    hz = found.hz[order]
    return DriveResult(
        **_facts(study, model, system, peaks if lowered is None else lowered), peaks=peaks, at=at, over=hz,
        values=found.amplitude[order], base=np.interp(hz, steady.hz, steady.base),
        notched=None if notched is None else np.interp(hz, steady.hz, notched), notched_peaks=lowered,
        steady_peaks=steady.peaks[0],
    )  # fmt: skip


def _random(study: BaseDriveStudy, model: DeliveredModel, system: ModalSystem, unit: float) -> DriveResult:
    found = random(system, study.direction, _levels(study).times(unit**2), study.points)
    peaks, density = study.sigma * found.rms, found.density
    notched = _notched(study, model, system, found)
    lowered = None
    if notched is not None:
        area = np.trapezoid(np.abs(found.transfer) ** 2 * notched[:, None], found.hz, axis=0)
        lowered = study.sigma * np.sqrt(area)
    return DriveResult(
        **_facts(study, model, system, peaks if lowered is None else lowered), peaks=peaks,
        at=found.hz[density.argmax(axis=0)], over=found.hz, values=density, base=found.base, notched=notched,
        notched_peaks=lowered, miles=_miles(study, system, found),
    )  # fmt: skip


def _notched(
    study: BaseDriveStudy, model: DeliveredModel, system: ModalSystem, found: RandomResponse
) -> FloatArray | None:
    if study.force_factor is None:
        return notched_random(found, study.limits, study.sigma) if study.limits else None
    row = _net_row(system, study.direction)
    if row is None:
        raise InputError("force limits need the net interface force along the axis", found=f"axis {study.direction}")
    main = float(system.w[_main_mode(system, study.direction)]) / (2.0 * np.pi)
    mass = model.mass_properties().mass
    limited = force_limited(found, row, mass, factor=study.force_factor, break_hz=main, slope=study.force_slope)
    lowered = RandomResponse(found.hz, limited, found.transfer, found.labels, found.units)
    return notched_random(lowered, study.limits, study.sigma) if study.limits else limited


def _main_mode(system: ModalSystem, axis: str) -> int:
    """The mode with the largest effective mass along the axis."""
    return int(np.abs(system.inputs[:, AXES.index(axis)]).argmax())


def _miles(study: BaseDriveStudy, system: ModalSystem, found: RandomResponse) -> dict[str, float]:
    """Miles' estimate of the acceleration of the main mode, m/s², for comparison."""
    k = _main_mode(system, study.direction)
    f, zeta = float(system.w[k]) / (2.0 * np.pi), float(system.ratios[k])
    level = float(np.interp(f, found.hz, found.base)) if found.hz[0] <= f <= found.hz[-1] else 0.0
    return {"hz": f, "zeta": zeta, "rms": miles(f, zeta, level)} if level > 0.0 and zeta > 0.0 else {}


def _shock(study: BaseDriveStudy, model: DeliveredModel, system: ModalSystem, unit: float) -> DriveResult:
    levels = _levels(study).times(unit)
    found = shock(system, study.direction, levels)
    peaks = found.nrl
    return DriveResult(
        **_facts(study, model, system, peaks), peaks=peaks, at=found.hz[found.modal.argmax(axis=0)], over=found.hz,
        values=found.modal, base=levels.at(np.clip(found.hz, levels.hz[0], levels.hz[-1])),
    )  # fmt: skip


def _transient(study: BaseDriveStudy, model: DeliveredModel, system: ModalSystem, unit: float) -> DriveResult:
    assert study.history is not None
    times, base = _history(study.history)
    values = np.zeros((len(times), 6))
    values[:, AXES.index(study.direction)] = unit * base
    step = float(times[-1] - times[0]) / (len(times) - 1)
    pieces = pieces_of(system, step)
    fine = np.abs(system.transient(step / pieces, refined(values, pieces)))
    peaks, at = fine.max(axis=0), times[0] + step / pieces * fine.argmax(axis=0)
    rows = system.transient(step, values)
    hz = np.geomspace(1.0 / (times[-1] - times[0]), 1.0 / (FEWEST_SAMPLES * step), 120)[:-1]
    spectra = shock_spectrum(rows, step, hz, q=study.q)
    own = shock_spectrum(values[:, AXES.index(study.direction)], step, hz, q=study.q)[:, 0]
    return DriveResult(**_facts(study, model, system, peaks), peaks=peaks, at=at, over=hz, values=spectra, base=own)


def _history(path: Path) -> tuple[FloatArray, FloatArray]:
    """Times (n,) s at equal steps and values (n,) of a CSV file."""
    table = columns_of(path)
    times = table[:, 0]
    step = np.diff(times)
    if len(times) < 20 or not (step > 0.0).all() or np.ptp(step) > 1e-6 * step.mean():
        raise FileError(path, "is not a history", expected="20 or more ascending times at equal steps, s")
    if table.shape[1] != 2:
        raise FileError(
            path,
            "is not a history of one direction",
            found=f"{table.shape[1]} columns",
            expected="time and acceleration",
        )
    return times, table[:, 1]


_HEADS = {"sine": "frequency_hz", "random": "frequency_hz", "shock": "mode_hz", "transient": "srs_hz"}


def _csv(result: DriveResult) -> str:
    heads = [_HEADS[result.environment], *(csv_name(f"{a} ({b})") for a, b in zip(result.labels, result.units))]
    lines = [",".join(heads)]
    lines += [",".join(f"{v:.8g}" for v in (x, *row)) for x, row in zip(result.over, result.values)]
    return "\n".join(lines) + "\n"
