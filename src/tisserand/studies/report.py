"""One HTML page of a record or a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tisserand.appendage import compare, load_record
from tisserand.errors import InputError
from tisserand.files import write_text
from tisserand.multibody import load_trajectory
from tisserand.multibody.run_file import KIND as RUN
from tisserand.studies.kinds import refuse_other
from tisserand.studies.look import Look
from tisserand.studies.options import ReportStudy
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult
from tisserand.views.report.appendage_page import appendage_page
from tisserand.views.report.trajectory_page import trajectory_page


@dataclass(frozen=True)
class ReportResult(TaskResult):
    """Where the page is and how large."""

    task: ClassVar = "report"

    path: Path
    bytes: int
    kind: str

    def as_dict(self) -> dict[str, Any]:
        """The JSON contract of the command."""
        return {"path": str(self.path), "bytes": self.bytes, "kind": self.kind}


@task(ReportStudy)
def report(study: ReportStudy) -> ReportResult:
    """Write the page of a record (``reference`` adds the MAC against another record) or of a simulation run."""
    look = Look(study.source)
    refuse_other(look, "an HDF5 file (.h5) that modes or simulate wrote", "record", "run")
    target = study.output or study.source.with_suffix(".html")
    if look.hdf5 is not None and look.hdf5[0] == RUN:
        if study.reference is not None:
            raise InputError("a reference goes with a record, not with a run", where=str(study.source))
        page, kind = trajectory_page(load_trajectory(study.source)), "trajectory"
    else:
        appendage = load_record(study.source)
        reference = None if study.reference is None else load_record(study.reference)
        comparison = None if reference is None else compare(reference, appendage)
        page, kind = appendage_page(appendage, comparison, reference), "reduced appendage"
    write_text(target, page)
    return ReportResult(target, target.stat().st_size, kind)
