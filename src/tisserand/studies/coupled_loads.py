"""Coupled loads of a delivered system: extremes of every row over events."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tisserand.errors import InputError
from tisserand.files import csv_name, write_text
from tisserand.responses.coupled_loads import CoupledLoads, coupled_loads, read_event
from tisserand.responses.delivered_file import load_delivered
from tisserand.studies.options import CoupledLoadsStudy
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult
from tisserand.views.coupled_loads import save_loads_picture


@dataclass(frozen=True, eq=False)
class CoupledLoadsResult(TaskResult):
    """Maxima and minima of every row with time and event, and the files written."""

    task: ClassVar = "coupled-loads"

    name: str
    loads: CoupledLoads
    paths: tuple[Path, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        words = ("row", "unit", "maximum", "maximum_time", "maximum_event", "minimum", "minimum_time", "minimum_event")
        return {
            "name": self.name,
            "events": list(self.loads.extremes.events),
            "rows": [dict(zip(words, row)) for row in self.loads.extremes.envelope()],
            "paths": [str(path) for path in self.paths],
        }


@task(CoupledLoadsStudy)
def coupled_loads_task(study: CoupledLoadsStudy) -> CoupledLoadsResult:
    """Apply forces over time to a delivered system and list the extremes of every recovered row."""
    model = load_delivered(study.model)
    if not study.events:
        raise InputError("events: none is stated", expected="a CSV file per event")
    events = [read_event(path) for path in study.events]
    loads = coupled_loads(model, events, damping=study.damping, damped=study.damped, recoveries=study.recover)
    paths: list[Path] = []
    if study.output is not None:
        paths.append(write_text(study.output, _csv(loads)))
    if study.plot is not None:
        paths.append(save_loads_picture(model.name, loads, study.plot))
    return CoupledLoadsResult(model.name, loads, tuple(paths))


def _csv(loads: CoupledLoads) -> str:
    """The envelope, then the extremes of every event."""
    lines = ["row,unit,event,maximum,maximum_time_s,minimum,minimum_time_s"]
    for label, unit, high, high_time, high_event, low, low_time, low_event in loads.extremes.envelope():
        where = high_event if high_event == low_event else f"{high_event} / {low_event}"
        numbers = (f"{value:.8g}" for value in (high, high_time, low, low_time))
        lines.append(",".join([csv_name(label), csv_name(unit), csv_name(f"envelope: {where}"), *numbers]))
    found = loads.extremes
    for e, event in enumerate(found.events):
        for r, label in enumerate(found.labels):
            columns = (found.maximum, found.maximum_time, found.minimum, found.minimum_time)
            numbers = (f"{column[e, r]:.8g}" for column in columns)
            lines.append(",".join([csv_name(label), csv_name(found.units[r]), csv_name(event), *numbers]))
    return "\n".join(lines) + "\n"
