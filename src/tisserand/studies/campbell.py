"""Campbell diagram of a model: read, assemble, track the modes over the spin rate, and write data, picture and record."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tisserand.appendage import load_record, save_record
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError
from tisserand.files import write_text
from tisserand.modes import Campbell
from tisserand.modes import campbell as diagram
from tisserand.studies.options import CampbellStudy
from tisserand.studies.source import open_appendage
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult
from tisserand.views.campbell import save_campbell
from tisserand.views.report.spinning_shapes import spinning_report


@dataclass(frozen=True, eq=False)
class CampbellResult(TaskResult):
    """The diagram as data, and the files written."""

    task: ClassVar = "campbell"

    name: str
    data: Campbell
    paths: tuple[Path, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {"name": self.name, **report_of(self.data), "paths": [str(path) for path in self.paths]}


def report_of(data: Campbell) -> dict[str, Any]:
    """What a record keeps of a diagram; rates in rad/s, one row of frequencies (Hz) and growth (1/s) per rate."""
    return {
        "axis": data.axis.tolist(),
        "spin_rates": data.rates.tolist(),
        "frequencies_hz": data.frequencies_hz.tolist(),
        "growth": data.growth.tolist(),
        "notes": list(data.notes),
    }


@task(CampbellStudy)
def campbell(study: CampbellStudy) -> CampbellResult:
    """Frequencies of a model over spin rates about an axis through a point; ``record`` adds them to the model's record."""
    model = open_appendage(
        study.model, units=study.units, format=study.format, allow=study.allow, **study.choices
    ).assemble(study.mass)
    data = diagram(
        model, study.axis, list(study.rates), count=study.count, about=np.asarray(study.about),
        stiffened=not study.unstressed,
    )  # fmt: skip
    paths = []
    if study.output is not None:
        paths.append(write_text(study.output, _csv(data)))
    if study.plot is not None:
        paths.append(save_campbell(data, study.plot, title=f"Campbell diagram of {model.name}"))
    if study.record is not None:
        paths.append(_kept(model, data, study.record))
    return CampbellResult(model.name, data, tuple(paths))


def _csv(data: Campbell) -> str:
    rows = data.rows()
    lines = [",".join(rows[0])]
    lines += [",".join(f"{value:.10g}" for value in row.values()) for row in rows]
    return "\n".join(lines) + "\n"


def _kept(model: AssembledModel, data: Campbell, path: Path) -> Path:
    """Put the diagram into the reports of a record, if the record is of this model."""
    kept = load_record(path)
    ours, theirs = model.mass_properties().mass, float(np.trace(kept.integrals.rigid_mass[:3, :3])) / 3.0
    if abs(ours - theirs) > 1e-6 * max(abs(ours), abs(theirs)):
        raise InputError(
            "the record belongs to another model", where=str(path), found=f"{theirs:.9g} kg", expected=f"{ours:.9g} kg"
        )  # fmt: skip
    spinning = spinning_report(model, data, kept)
    save_record(replace(kept, reports={**kept.reports, "campbell": report_of(data), **spinning}), path)
    return path
